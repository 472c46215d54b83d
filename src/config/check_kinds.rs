//! The kinds of checks that `--checks` names.
//!
//! Invariant: `CHECK_KINDS` is the only list. The values of `--checks` with their help and
//! completion, the flags of clang and gcc, and the table of the guide come from it.

/// A named set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckGroup {
    /// Checks that are on unless they are removed.
    Default,
    /// Checks for undefined behavior, as clang's group of this name.
    Undefined,
    /// Checks of integer arithmetic, as clang's group of this name.
    Integer,
    /// All checks.
    All,
}

impl CheckGroup {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        let mut rows = Self::ALL.iter();
        rows.find(|(group, ..)| *group == self)
            .map_or("", |(_, name, _)| name)
    }

    /// All groups with their names.
    pub const ALL: [(CheckGroup, &'static str, &'static str); 4] = [
        (
            CheckGroup::Default,
            "default",
            "the checks that are on unless removed",
        ),
        (
            CheckGroup::Undefined,
            "undefined",
            "undefined behavior, as `-fsanitize=undefined`",
        ),
        (
            CheckGroup::Integer,
            "integer",
            "integer arithmetic, as `-fsanitize=integer`",
        ),
        (CheckGroup::All, "all", "all checks"),
    ];
}

/// One kind of check.
#[derive(Clone, Copy, Debug)]
pub struct CheckRow {
    pub kind: CheckKind,
    /// The value of `--checks`.
    pub name: &'static str,
    /// The value of `--checks` that removes the check.
    pub removal: &'static str,
    /// Other accepted names, each with the one that removes the check.
    pub aliases: &'static [(&'static str, &'static str)],
    /// The faults that the check reports, as a noun phrase.
    pub about: &'static str,
    /// True if the engine has the check; it then works on any bitcode.
    pub engine: bool,
    /// Values of clang's `-fsanitize=` that compile the check into the bitcode; empty if clang has
    /// no such check.
    pub clang: &'static str,
    /// Values of gcc's `-fsanitize=` for the native program; empty if gcc has no such check.
    pub gcc: &'static str,
    /// Handlers of the compiled check, without the prefix that all handlers share.
    pub handlers: &'static [&'static str],
    /// Groups that have the check, other than [`CheckGroup::All`].
    pub groups: &'static [CheckGroup],
    /// True if an interpolant covers the check.
    pub subsumes: bool,
    /// Suffixes of the report files.
    pub suffixes: &'static str,
    /// Message of a report, with example values.
    pub message: &'static str,
}

/// Defaults of a row.
const ROW: CheckRow = CheckRow {
    kind: CheckKind::IntegerDivideByZero,
    name: "",
    removal: "",
    aliases: &[],
    about: "",
    engine: false,
    clang: "",
    gcc: "",
    handlers: &[],
    groups: &[],
    subsumes: true,
    suffixes: "",
    message: "",
};

macro_rules! check_kinds {
    ($(
        #[doc = $about:literal]
        $kind:ident: $name:literal $(or $alias:literal)*, {$($field:ident: $value:expr),+};
    )+) => {
        /// A kind of check.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum CheckKind {
            $(#[doc = $about] $kind,)+
        }

        /// All kinds of checks.
        // A row may have all fields.
        #[allow(clippy::needless_update)]
        pub const CHECK_KINDS: &[CheckRow] = &[$(CheckRow {
            kind: CheckKind::$kind,
            name: $name,
            removal: concat!("no-", $name),
            aliases: &[$(($alias, concat!("no-", $alias))),*],
            about: $about.trim_ascii(),
            $($field: $value,)+
            ..ROW
        }),+];
    };
}

use CheckGroup::{Default, Integer, Undefined};

check_kinds! {
    /// divisions by zero, and quotients that do not fit
    IntegerDivideByZero: "integer-divide-by-zero" or "division", {
        engine: true,
        clang: "integer-divide-by-zero",
        gcc: "integer-divide-by-zero",
        handlers: &["divrem_overflow"],
        groups: &[Default, Undefined, Integer],
        suffixes: "div, overflow",
        message: "divide by zero: division of 7 by zero in type 'int'"
    };
    /// shifts by the width or more; by clang also left shifts that lose bits or shift below zero
    Shift: "shift" or "shift-base" or "shift-exponent", {
        engine: true,
        clang: "shift",
        gcc: "shift",
        handlers: &["shift_out_of_bounds"],
        groups: &[Default, Undefined, Integer],
        suffixes: "overshift, shift, overflow",
        message: "overshift error: shift exponent 40 is too large for 32-bit type 'int'"
    };
    /// sums, differences, products and negations that overflow
    SignedIntegerOverflow: "signed-integer-overflow" or "overflow", {
        engine: true,
        clang: "signed-integer-overflow",
        gcc: "signed-integer-overflow",
        handlers: &["add_overflow", "sub_overflow", "mul_overflow", "negate_overflow"],
        groups: &[Undefined, Integer],
        subsumes: false,
        suffixes: "overflow",
        message: "signed-integer-overflow: 2147483647 + 1 cannot be represented in type 'int'"
    };
    /// unsigned sums, differences and products that wrap around; not undefined in C
    UnsignedIntegerOverflow: "unsigned-integer-overflow", {
        clang: "unsigned-integer-overflow",
        handlers: &["add_overflow", "sub_overflow", "mul_overflow", "negate_overflow"],
        groups: &[Integer],
        suffixes: "overflow",
        message: "unsigned-integer-overflow: 4294967295 + 1 cannot be represented in type 'unsigned int'"
    };
    /// implicit conversions of integers that change the value; not undefined in C
    ImplicitConversion: "implicit-conversion", {
        clang: "implicit-conversion",
        handlers: &["implicit_conversion"],
        groups: &[Integer],
        suffixes: "implicit_truncation, implicit_conversion",
        message: "implicit-signed-integer-truncation: from type 'int' of value 300 to type 'unsigned char' changed the value to 44"
    };
    /// conversions of floats to types that they do not fit
    FloatCastOverflow: "float-cast-overflow", {
        clang: "float-cast-overflow",
        gcc: "float-cast-overflow",
        handlers: &["float_cast_overflow"],
        suffixes: "float_cast",
        message: "float-cast-overflow: 1000000000000 is outside the range of representable values of type 'int'"
    };
    /// divisions of floats by zero; infinity or NaN on all usual machines
    FloatDivideByZero: "float-divide-by-zero", {
        clang: "float-divide-by-zero",
        gcc: "float-divide-by-zero",
        handlers: &["divrem_overflow"],
        suffixes: "div",
        message: "float-divide-by-zero: division of 1 by zero in type 'double'"
    };
    /// indices outside of an array whose length is known, also of a member or a row
    Bounds: "bounds" or "array-bounds", {
        clang: "array-bounds",
        gcc: "bounds",
        handlers: &["out_of_bounds"],
        groups: &[Undefined],
        suffixes: "ptr",
        message: "out-of-bounds-index: index 5 out of bounds for type 'int[2]'"
    };
    /// accesses at addresses that are not aligned for their type
    Alignment: "alignment", {
        clang: "alignment",
        gcc: "alignment",
        handlers: &["type_mismatch_v1", "alignment_assumption"],
        groups: &[Undefined],
        suffixes: "ptr",
        message: "misaligned-pointer-use: load of misaligned address for type 'int', which requires 4 byte alignment"
    };
    /// uses of null pointers, also `&p->member`
    Null: "null", {
        clang: "null",
        gcc: "null",
        handlers: &["type_mismatch_v1"],
        groups: &[Undefined],
        suffixes: "ptr",
        message: "null-pointer-use: member access within null pointer of type 'struct s'"
    };
    /// sums of pointers that wrap around or begin at null
    PointerOverflow: "pointer-overflow", {
        clang: "pointer-overflow",
        gcc: "pointer-overflow",
        handlers: &["pointer_overflow"],
        groups: &[Undefined],
        suffixes: "ptr",
        message: "nullptr-with-nonzero-offset: offset 4 applied to null pointer"
    };
    /// variable-length arrays without an element
    VlaBound: "vla-bound", {
        clang: "vla-bound",
        gcc: "vla-bound",
        handlers: &["vla_bound_not_positive"],
        groups: &[Undefined],
        suffixes: "vla_bound, ptr",
        message: "non-positive-vla-index: variable length array bound evaluates to non-positive value -1"
    };
    /// values of `_Bool` that are neither 0 nor 1
    Bool: "bool", {
        clang: "bool",
        gcc: "bool",
        handlers: &["load_invalid_value"],
        groups: &[Undefined],
        suffixes: "invalid_load",
        message: "load invalid value: load of value 7, which is not a valid value for type '_Bool'"
    };
    /// values of an enumeration that it does not have; C++ only
    Enum: "enum", {
        clang: "enum",
        gcc: "enum",
        handlers: &["load_invalid_value"],
        groups: &[Undefined],
        suffixes: "invalid_load",
        message: "load invalid value: load of value 9, which is not a valid value for type 'color'"
    };
    /// null for parameters and results that are declared never to be null
    Nonnull: "nonnull" or "nonnull-attribute" or "returns-nonnull-attribute", {
        clang: "nonnull-attribute,returns-nonnull-attribute",
        gcc: "nonnull-attribute,returns-nonnull-attribute",
        handlers: &["nonnull_arg", "nonnull_return_v1"],
        groups: &[Undefined],
        suffixes: "nullable_attribute",
        message: "invalid-null-argument: null passed as argument 1, which is declared never to be null"
    };
    /// calls of functions through pointers of another type
    Function: "function", {
        clang: "function",
        handlers: &["function_type_mismatch"],
        groups: &[Undefined],
        suffixes: "function_type_mismatch",
        message: "function-type-mismatch: call through a pointer to a function that is no 'int (*)(int)'"
    };
    /// `__builtin_unreachable` that is reached
    Unreachable: "unreachable", {
        clang: "unreachable",
        gcc: "unreachable",
        handlers: &["builtin_unreachable"],
        groups: &[Undefined],
        suffixes: "unreachable_call",
        message: "unreachable-call"
    };
    /// functions with a result that end without one; C++ only
    Return: "return", {
        clang: "return",
        gcc: "return",
        handlers: &["missing_return"],
        groups: &[Undefined],
        suffixes: "missing_return",
        message: "missing-return"
    };
    /// zero for `__builtin_ctz` and `__builtin_clz`
    Builtin: "builtin", {
        clang: "builtin",
        gcc: "builtin",
        handlers: &["invalid_builtin"],
        groups: &[Undefined],
        suffixes: "invalid_builtin_use",
        message: "invalid-builtin-use: passing zero to ctz(), which is not a valid argument"
    };
    /// NaN from numbers, and infinity from finite numbers; not undefined in C
    Float: "float", {
        engine: true,
        subsumes: false,
        suffixes: "float",
        message: "infinity from finite numbers: 1 / 0 in type 'double'"
    };
    /// allocations of more bytes than a pointer difference can be, such as -4
    AllocationSize: "allocation-size", {
        engine: true,
        subsumes: false,
        suffixes: "allocation_size",
        message: "allocation of more than PTRDIFF_MAX bytes: 18446744073709551612 bytes, -4 as a signed number"
    };
    /// sums of pointers outside of their object, and `<`, `>` and `-` of pointers into two objects
    Pointers: "pointers", {
        engine: true,
        subsumes: false,
        suffixes: "pointer_range, pointer_pair",
        message: "pointer out of range: pointer 12 bytes past 'a' (4 bytes)"
    };
    /// heap blocks that nothing points to when the program ends
    Leak: "leak" or "leaks", {
        engine: true,
        subsumes: false,
        suffixes: "leak",
        message: "memory leak"
    };
    /// branches, addresses, divisors and sizes that depend on undefined values
    Undef: "undef", {
        engine: true,
        subsumes: false,
        suffixes: "undef",
        message: "branch on an undefined value"
    };
    /// unordered accesses of two threads to the same bytes
    Race: "race" or "races", {
        engine: true,
        subsumes: false,
        suffixes: "race",
        message: "data race"
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_found_by_the_engine_or_by_clang() {
        for row in CHECK_KINDS {
            assert!(row.engine || !row.clang.is_empty(), "{}", row.name);
            assert_eq!(
                row.clang.is_empty(),
                row.handlers.is_empty(),
                "{}",
                row.name
            );
            assert!(
                !row.message.is_empty() && !row.suffixes.is_empty(),
                "{}",
                row.name
            );
        }
    }
}
