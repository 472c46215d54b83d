//! Options as the fields of a struct: one declaration gives the rows and what makes the struct.
//!
//! Invariant: a field without an option, or an option without a field, does not compile.

/// Declares the options that fill a struct of `config`, one for each of its fields; what follows
/// `with` are fields that are not options.
///
/// `Table::field()` is the declaration, `Table::rows()` are the rows in this order, and
/// `Table::resolve(..)` makes the struct.
macro_rules! options {
    (
        $(#[doc = $about:literal])*
        $table:ident fills $config:ident $(with { $($other:ident: $other_type:ty),* })?;
        $(
            $(#[doc = $text:literal])+
            $field:ident: $type:ty = $declaration:expr;
        )*
    ) => {
        $(#[doc = $about])*
        pub(super) struct $table;

        impl $table {
            $(
                pub(super) fn $field()
                -> impl $crate::options::declare::Declared<Value = $type> {
                    $declaration
                }
            )*

            pub(super) fn rows() -> Vec<$crate::options::row::Row> {
                use $crate::options::declare::Declared;
                vec![$(Self::$field().into_row(concat!($($text, "\n"),+))),*]
            }

            pub(super) fn resolve(
                typed: &clap::ArgMatches,
                situation: &$crate::options::situation::Situation<'_>,
                earlier: Option<&$config>,
                $($($other: $other_type),*)?
            ) -> $config {
                use $crate::options::declare::Declared;
                $config {
                    $(
                        $field: Self::$field().resolve(
                            typed,
                            situation,
                            earlier.map(|earlier| earlier.$field.clone()),
                        ),
                    )*
                    $($($other),*)?
                }
            }
        }
    };
}
pub(super) use options;
