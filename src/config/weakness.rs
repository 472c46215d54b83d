//! Weaknesses: what a bug is in the words of the Common Weakness Enumeration, and how severe.
//!
//! Invariant: `weaknesses` is the only list. Messages, `summary.json`, SARIF and the table of the
//! guide come from it. The kind of an access decides which weakness a bug is, never a text.

use super::BugKind;

/// How severe a bug is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Wrong in few programs.
    Note,
    /// Wrong in most programs.
    Warning,
    /// Undefined behavior, or the end of the program.
    Error,
}

impl Severity {
    /// All severities with their names, which are SARIF's levels.
    pub const ALL: [(Severity, &'static str); 3] = [
        (Severity::Note, "note"),
        (Severity::Warning, "warning"),
        (Severity::Error, "error"),
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        let mut rows = Self::ALL.iter();
        rows.find(|row| row.0 == self).map_or("", |row| row.1)
    }
}

/// Entry of the Common Weakness Enumeration, <https://cwe.mitre.org>: number and title.
pub type Cwe = (u16, &'static str);

macro_rules! weaknesses {
    ($(
        $(#[doc = $doc:literal])+
        $weakness:ident: $name:literal, $severity:ident $rank:literal
            $(, $cwe:literal $title:expr)?;
    )+) => {
        /// A weakness.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Weakness {
            $($(#[doc = $doc])+ $weakness,)+
        }

        impl Weakness {
            /// All weaknesses.
            pub const ALL: &[Weakness] = &[$(Weakness::$weakness),+];

            /// The name in `summary.json` and in the rules of SARIF.
            pub fn name(self) -> &'static str {
                match self {
                    $(Weakness::$weakness => $name,)+
                }
            }

            /// The entry of the Common Weakness Enumeration, if it has one.
            pub fn cwe(self) -> Option<Cwe> {
                match self {
                    $(Weakness::$weakness => [$(($cwe, $title),)?].first().copied(),)+
                }
            }

            /// The severity, and a rank in it from 1 to 10, higher is worse.
            pub fn severity(self) -> (Severity, u8) {
                match self {
                    $(Weakness::$weakness => (Severity::$severity, $rank),)+
                }
            }
        }
    };
}

/// Title of the entry for behavior that C does not define.
const RELIANCE: &str = "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior";

// Weakness: name, severity and rank, number and title of its CWE entry.
weaknesses! {
    /// A write before or behind an object.
    OutOfBoundsWrite: "out-of-bounds-write", Error 9, 787 "Out-of-bounds Write";
    /// A read before or behind an object.
    OutOfBoundsRead: "out-of-bounds-read", Error 7, 125 "Out-of-bounds Read";
    /// An index that its array does not have.
    ArrayIndex: "array-index", Error 7, 129 "Improper Validation of Array Index";
    /// An access at a null pointer.
    NullDereference: "null-dereference", Error 6, 476 "NULL Pointer Dereference";
    /// An access to a block of the heap that was freed.
    UseAfterFree: "use-after-free", Error 9, 416 "Use After Free";
    /// An access to a local of a function that has returned.
    UseAfterReturn: "use-after-return", Error 9, 562 "Return of Stack Variable Address";
    /// An access to a local whose block has ended.
    UseAfterScope: "use-after-scope", Error 9, 825 "Expired Pointer Dereference";
    /// An access far from any object.
    WildPointer: "wild-pointer", Error 8, 823 "Use of Out-of-range Pointer Offset";
    /// An access through a pointer that was never set, or a call through a pointer to no function.
    UninitializedPointer: "bad-pointer", Error 8, 824 "Access of Uninitialized Pointer";
    /// An access at an address that is not aligned for its type.
    Misaligned: "misaligned-access", Warning 4, 758 RELIANCE;
    /// Two ranges overlap that must not.
    Overlap: "overlapping-copy", Error 5, 475 "Undefined Behavior for Input to API";
    /// A block that is freed twice.
    DoubleFree: "double-free", Error 8, 415 "Double Free";
    /// A free of what is no block of the heap.
    FreeOfNonHeap: "free-of-non-heap", Error 8, 590 "Free of Memory not on the Heap";
    /// A free of an address inside of a block.
    FreeInside: "free-inside-block", Error 8, 761 "Free of Pointer not at Start of Buffer";
    /// A block that is freed by a function of another family.
    MismatchedFree: "mismatched-free", Error 8, 762 "Mismatched Memory Management Routines";
    /// A write to constant memory.
    ReadOnlyWrite: "read-only-write", Error 5, 758 RELIANCE;
    /// A division by zero.
    DivideByZero: "divide-by-zero", Error 5, 369 "Divide By Zero";
    /// A result above the largest value of its type.
    IntegerOverflow: "integer-overflow", Warning 5, 190 "Integer Overflow or Wraparound";
    /// A result below the least value of its type.
    IntegerUnderflow: "integer-underflow", Warning 5, 191 "Integer Underflow (Wrap or Wraparound)";
    /// A shift that C does not define.
    BadShift: "bad-shift", Warning 4, 1335 "Incorrect Bitwise Shift of Integer";
    /// A conversion that changes a number.
    LossyConversion: "lossy-conversion", Warning 4,
        681 "Incorrect Conversion between Numeric Types";
    /// Floats that give NaN or infinity.
    FloatResult: "float-result", Warning 3, 682 "Incorrect Calculation";
    /// An allocation of more bytes than there can be.
    AllocationSize: "allocation-size", Error 5,
        789 "Memory Allocation with Excessive Size Value";
    /// A pointer that a sum moves out of its object.
    PointerRange: "pointer-range", Error 5, 823 "Use of Out-of-range Pointer Offset";
    /// An order or a distance of pointers into two objects.
    PointerPair: "pointer-pair", Warning 4, 469 "Use of Pointer Subtraction to Determine Size";
    /// An array without an element.
    ArraySize: "array-size", Error 5, 131 "Incorrect Calculation of Buffer Size";
    /// Calls that need more stack than there is.
    StackExhausted: "stack-exhausted", Error 5, 674 "Uncontrolled Recursion";
    /// A block of the heap that nothing points to.
    Leak: "leak", Warning 3, 401 "Missing Release of Memory after Effective Lifetime";
    /// A decision or an address that depends on a variable which was never set.
    UninitializedVariable: "uninitialized-variable", Error 6, 457 "Use of Uninitialized Variable";
    /// Unordered accesses of two threads.
    Race: "race", Error 6,
        362 "Concurrent Execution using Shared Resource with Improper Synchronization";
    /// Threads that wait for each other.
    Deadlock: "deadlock", Error 5, 833 "Deadlock";
    /// An assertion that fails, or an error function that is called.
    Assertion: "assertion", Error 5, 617 "Reachable Assertion";
    /// A call of `abort`, or a trap.
    Abort: "abort", Warning 4;
    /// Code that the compiler was promised never runs.
    Unreachable: "unreachable-code", Error 5, 758 RELIANCE;
    /// Other behavior that C does not define.
    UndefinedBehavior: "undefined-behavior", Error 5, 758 RELIANCE;
    /// A call through a pointer to a function of another type.
    FunctionType: "function-type", Error 8,
        843 "Access of Resource Using Incompatible Type ('Type Confusion')";
    /// A loop without an end.
    EndlessLoop: "endless-loop", Note 3, 835 "Loop with Unreachable Exit Condition ('Infinite Loop')";
    /// An error of the test harness or of the program's own reports.
    Other: "other", Note 1;
}

/// Weaknesses of the kinds that the runtime reports itself, by the error file's suffix.
const REPORTED: [(&str, Weakness); 11] = [
    ("race.err", Weakness::Race),
    ("deadlock.err", Weakness::Deadlock),
    ("reach_error.err", Weakness::Assertion),
    ("implicit_truncation.err", Weakness::LossyConversion),
    ("implicit_conversion.err", Weakness::LossyConversion),
    ("invalid_load.err", Weakness::UndefinedBehavior),
    ("nullable_attribute.err", Weakness::NullDereference),
    ("function_type_mismatch.err", Weakness::FunctionType),
    ("unreachable_call.err", Weakness::Unreachable),
    ("missing_return.err", Weakness::UndefinedBehavior),
    ("invalid_builtin_use.err", Weakness::UndefinedBehavior),
];

/// Weaknesses of the compiler's checks whose kind has several, by the name of the check.
const CHECKED: [(&str, Weakness); 12] = [
    ("out-of-bounds-index", Weakness::ArrayIndex),
    ("null-pointer-use", Weakness::NullDereference),
    ("nullptr-with-offset", Weakness::NullDereference),
    ("nullptr-with-nonzero-offset", Weakness::NullDereference),
    ("nullptr-after-nonzero-offset", Weakness::WildPointer),
    ("pointer-overflow", Weakness::WildPointer),
    ("misaligned-pointer-use", Weakness::Misaligned),
    ("alignment-assumption", Weakness::Misaligned),
    ("type-mismatch", Weakness::NullDereference),
    ("cfi-check-fail", Weakness::FunctionType),
    ("cfi-bad-type", Weakness::FunctionType),
    ("shift out of bounds", Weakness::BadShift),
];

impl Weakness {
    /// Returns the weakness of a finding of the compiler's check of this name.
    pub fn of_check(name: &str, kind: &BugKind) -> Weakness {
        let mut rows = CHECKED.iter();
        rows.find(|row| row.0 == name)
            .map_or_else(|| kind.weakness(), |row| row.1)
    }
}

impl BugKind {
    /// Returns the weakness of bugs of the kind, where nothing more is known of them.
    pub fn weakness(&self) -> Weakness {
        match self {
            BugKind::Abort => Weakness::Abort,
            BugKind::Assert => Weakness::Assertion,
            BugKind::Div => Weakness::DivideByZero,
            BugKind::Overflow => Weakness::IntegerOverflow,
            BugKind::Shift | BugKind::Overshift => Weakness::BadShift,
            BugKind::FloatCast => Weakness::LossyConversion,
            BugKind::Float => Weakness::FloatResult,
            BugKind::AllocationSize => Weakness::AllocationSize,
            BugKind::VlaBound => Weakness::ArraySize,
            BugKind::PointerRange => Weakness::PointerRange,
            BugKind::PointerPair => Weakness::PointerPair,
            BugKind::Ptr => Weakness::OutOfBoundsWrite,
            BugKind::Stack => Weakness::StackExhausted,
            BugKind::Free => Weakness::FreeOfNonHeap,
            BugKind::ReadOnly => Weakness::ReadOnlyWrite,
            BugKind::Undefined => Weakness::UninitializedVariable,
            BugKind::Leak => Weakness::Leak,
            BugKind::Endless => Weakness::EndlessLoop,
            BugKind::User | BugKind::External => Weakness::Other,
            BugKind::Exec => Weakness::UninitializedPointer,
            BugKind::Unreachable => Weakness::Unreachable,
            BugKind::Reported(suffix) => {
                let mut rows = REPORTED.iter();
                rows.find(|row| row.0 == suffix)
                    .map_or(Weakness::Other, |row| row.1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn names_and_numbers_are_in_order() {
        let names: BTreeSet<&str> = Weakness::ALL.iter().map(|one| one.name()).collect();
        assert_eq!(names.len(), Weakness::ALL.len());
        for weakness in Weakness::ALL {
            let (_, rank) = weakness.severity();
            assert!((1..=10).contains(&rank), "{}", weakness.name());
            assert!(weakness.cwe().is_none_or(|(number, _)| number > 0));
        }
    }

    #[test]
    fn the_page_has_every_weakness() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/checks.md");
        let page = std::fs::read_to_string(file).expect("the page");
        for weakness in Weakness::ALL {
            let (severity, rank) = weakness.severity();
            let cwe = weakness.cwe().map_or("-".to_string(), |(number, title)| {
                format!("{number} {title}")
            });
            let (name, severity) = (weakness.name(), severity.name());
            let mut rows = page
                .lines()
                .filter(|row| row.starts_with(&format!("| `{name}` |")));
            let end = format!("| {severity} {rank} | {cwe} |");
            assert!(rows.any(|row| row.ends_with(&end)), "{name} {end}");
        }
    }

    #[test]
    fn kinds_that_the_runtime_reports_have_a_weakness() {
        let race = BugKind::Reported("race.err".to_string());
        assert_eq!(race.weakness(), Weakness::Race);
        let own = BugKind::Reported("mine.err".to_string());
        assert_eq!(own.weakness(), Weakness::Other);
    }
}
