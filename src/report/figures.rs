//! How figures of runs are declared: once, each with its type, its unit, what several runs,
//! sessions or threads come to together, and its meaning.
//!
//! Invariant: fields, sums and the guide's page of figures all come from the declarations.

use std::collections::BTreeMap;

/// Unit of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Things, as the meaning says.
    Count,
    Seconds,
    Microseconds,
    Bytes,
    Instructions,
    /// Units of work (docs/research/work.md).
    Work,
    /// A part of a whole, 0 to 1.
    Share,
    /// A word or text.
    Text,
    /// Figures that are declared in a separate group, or a list.
    Group,
}

impl Unit {
    /// The word of the guide.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Count => "count",
            Unit::Seconds => "s",
            Unit::Microseconds => "µs",
            Unit::Bytes => "bytes",
            Unit::Instructions => "instructions",
            Unit::Work => "work",
            Unit::Share => "0 to 1",
            Unit::Text => "text",
            Unit::Group => "",
        }
    }
}

/// Combination of a figure over several runs, sessions or threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Together {
    Sum,
    /// The greatest.
    Most,
    /// The last value.
    Last,
    /// No combination: the figure belongs to one run.
    Own,
}

impl Together {
    /// The word of the guide.
    pub fn name(self) -> &'static str {
        match self {
            Together::Sum => "sum",
            Together::Most => "greatest",
            Together::Last => "last",
            Together::Own => "",
        }
    }
}

/// One figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Its name wherever it is written.
    pub name: &'static str,
    pub unit: Unit,
    pub together: Together,
    /// The lines of its meaning.
    pub meaning: &'static [&'static str],
}

/// Figures that stand together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureGroup {
    /// Files with the figures, in words.
    pub place: &'static str,
    pub figures: &'static [Figure],
}

/// Figures that can be summed.
pub trait AddUp {
    /// Adds the figures of another run, session or thread.
    fn add_up(&mut self, other: &Self);
}

impl AddUp for u64 {
    fn add_up(&mut self, other: &Self) {
        *self += other;
    }
}

impl AddUp for f64 {
    fn add_up(&mut self, other: &Self) {
        *self += other;
    }
}

/// Counts by name.
impl AddUp for BTreeMap<String, u64> {
    fn add_up(&mut self, other: &Self) {
        for (name, count) in other {
            *self.entry(name.clone()).or_insert(0) += count;
        }
    }
}

impl<T: AddUp + Clone> AddUp for Option<T> {
    fn add_up(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Some(sum), Some(other)) => sum.add_up(other),
            (None, Some(_)) => self.clone_from(other),
            (_, None) => {}
        }
    }
}

/// Replaces a figure by another one if that is greater.
pub(super) fn raise<T: PartialOrd + Clone>(figure: &mut T, other: &T) {
    if *other > *figure {
        figure.clone_from(other);
    }
}

/// Declares a group of figures: a record that is written as JSON. A field has its meaning as a
/// comment, what serde is to know of it, its type, its unit (`Unit`) and what several come to
/// (`Together`).
macro_rules! figures {
    (
        $(#[$outer:meta])*
        $group:ident in $place:literal {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde($($serde:tt)+)])?
                $field:ident: $type:ty, $unit:ident, $together:ident;
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
        pub struct $group {
            $(
                $(#[doc = $meaning])+
                $(#[serde($($serde)+)])?
                pub $field: $type,
            )*
        }

        impl $group {
            /// The declarations.
            pub const FIGURES: $crate::report::FigureGroup = $crate::report::FigureGroup {
                place: $place,
                figures: &[$($crate::report::Figure {
                    name: stringify!($field),
                    unit: $crate::report::Unit::$unit,
                    together: $crate::report::Together::$together,
                    meaning: &[$($meaning),+],
                },)*],
            };

            /// Adds the figures of another run, session or thread.
            pub fn add(&mut self, other: &Self) {
                $(figures!(@together $together self other $field);)*
            }
        }

        impl $crate::report::AddUp for $group {
            fn add_up(&mut self, other: &Self) {
                self.add(other);
            }
        }
    };
    (@together Sum $self:ident $other:ident $field:ident) => {
        $crate::report::AddUp::add_up(&mut $self.$field, &$other.$field)
    };
    (@together Most $self:ident $other:ident $field:ident) => {
        $crate::report::figures::raise(&mut $self.$field, &$other.$field)
    };
    (@together Last $self:ident $other:ident $field:ident) => {
        $self.$field.clone_from(&$other.$field)
    };
    (@together Own $self:ident $other:ident $field:ident) => {};
}

pub(super) use figures;
