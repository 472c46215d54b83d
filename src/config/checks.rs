//! The kinds of bugs, and the checks of a run.
//!
//! Invariant: `bug_kinds` is the only list of the kinds, with their names and texts. A new check is
//! a row in `check_kinds`, its own file in `machine::exec::checks`, and a call in that module's
//! `mod.rs`.

use super::check_kinds::{CheckGroup, CheckKind};
use super::kind_set::KindSet;

macro_rules! bug_kinds {
    ($(
        $(#[doc = $doc:literal])+
        $kind:ident: $name:literal, $suffix:literal, $about:literal;
    )+) => {
        /// Kinds of program bugs.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum BugKind {
            $($(#[doc = $doc])+ $kind,)+
            /// `klee_report_error` with this suffix.
            Reported(String),
        }

        impl BugKind {
            /// All kinds that homi finds itself.
            pub const ALL: &[BugKind] = &[$(BugKind::$kind),+];

            /// The part of the error file's name after the test's number:
            /// `test000001.<suffix>`; KLEE's names.
            pub fn suffix(&self) -> &str {
                match self {
                    $(BugKind::$kind => $suffix,)+
                    BugKind::Reported(suffix) => suffix,
                }
            }

            /// One sentence that says what bugs of the kind are, for a report.
            pub fn about(&self) -> &str {
                match self {
                    $(BugKind::$kind => $about,)+
                    BugKind::Reported(_) => "The program reports an error of its own.",
                }
            }

            /// The kind's name in `summary.json`, in exports and for verdicts.
            pub fn name(&self) -> &str {
                match self {
                    $(BugKind::$kind => $name,)+
                    BugKind::Reported(suffix) => suffix.trim_end_matches(".err"),
                }
            }
        }
    };
}

// Kind: name, suffix of the error file, and what such bugs are.
bug_kinds! {
    /// `abort()`, a trap.
    Abort: "abort", "abort.err", "The program calls abort or meets a trap.";
    /// A failed `assert` or `klee_assert`.
    Assert: "assert", "assert.err", "An assertion fails.";
    /// Division or remainder by zero.
    Div: "div", "div.err", "A number is divided by zero.";
    /// A result that does not fit: the least number divided by -1, and sums and products where they
    /// are checked.
    Overflow: "overflow", "overflow.err", "A result does not fit its type.";
    /// A left shift of a number below zero.
    Shift: "shift", "shift.err", "A number below zero is shifted to the left.";
    /// A conversion of a float to a type that it does not fit.
    FloatCast: "float_cast", "float_cast.err",
        "A float is converted to a type that it does not fit.";
    /// NaN or infinity that an operation makes of other numbers.
    Float: "float", "float.err", "An operation on finite numbers gives NaN or infinity.";
    /// An allocation of more bytes than a pointer difference can be.
    AllocationSize: "allocation_size", "allocation_size.err",
        "More bytes are allocated than a pointer difference can be.";
    /// A sum of a pointer and a number that is outside of the pointer's object.
    PointerRange: "pointer_range", "pointer_range.err",
        "A pointer is moved out of its object.";
    /// A comparison for order, or a difference, of pointers into two objects.
    PointerPair: "pointer_pair", "pointer_pair.err",
        "Pointers into two objects are compared for order or subtracted.";
    /// A variable-length array without an element.
    VlaBound: "vla_bound", "vla_bound.err", "A variable-length array has no element.";
    /// A shift by the width or more.
    Overshift: "overshift", "overshift.err", "A number is shifted by its width or more.";
    /// Null, out-of-bounds or use-after-free access.
    Ptr: "ptr", "ptr.err", "Memory outside of a live object is accessed.";
    /// Calls that need more stack than there is.
    Stack: "stack", "stack.err", "Calls and locals take more memory than the stack has.";
    /// Double or invalid free.
    Free: "free", "free.err",
        "What is no block of the heap is freed, or a block is freed twice.";
    /// Write to constant memory.
    ReadOnly: "read_only", "read_only.err", "Constant memory is written.";
    /// A branch, an address or the like that depends on an undefined value.
    Undefined: "undef", "undef.err", "A decision or an address depends on an undefined value.";
    /// A block of the heap that nothing points to at the program's end.
    Leak: "leak", "leak.err", "Nothing points to a block of the heap when the program ends.";
    /// A loop whose state repeats.
    Endless: "endless", "endless.err", "The state at a loop repeats, so the program does not end.";
    /// Misuse of a `klee_*` function.
    User: "user", "user.err", "A function of the test harness is used wrongly.";
    /// A call through an invalid function pointer.
    Exec: "exec", "exec.err", "A function is called through a pointer to none.";
    /// A function is called that is defined nowhere, where that counts as the program's fault.
    External: "external", "external.err", "A function is called that is defined nowhere.";
    /// Control reached a point the compiler was promised it never would.
    Unreachable: "unreachable", "exec.err",
        "Code that the compiler was promised never runs is reached.";
}

/// Optional checks, and the library functions that may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckConfig {
    /// The kinds of checks that are on.
    pub on: KindSet,
    /// The kinds that the user named.
    pub named: KindSet,
    /// The kinds that a property needs.
    pub needed: KindSet,
    /// Calls of the malloc family that may fail on a path.
    pub malloc_failures: u32,
    /// True if a failed `klee_assume` ends a path without a report.
    pub silent_assume: bool,
}

impl CheckConfig {
    /// The checks of a run whose options were not read from a command line.
    pub const BASIC: CheckConfig = CheckConfig {
        on: KindSet::of_group(CheckGroup::Default),
        named: KindSet::NONE,
        needed: KindSet::NONE,
        malloc_failures: 0,
        silent_assume: false,
    };

    /// True if a kind of check is on.
    #[inline]
    pub const fn has(&self, kind: CheckKind) -> bool {
        self.on.has(kind)
    }

    /// Returns the kinds that bitcode is compiled with.
    pub const fn compiled(&self) -> KindSet {
        self.named.union(self.needed)
    }

    /// Turns a kind of check on that a property needs.
    pub fn ask_for(&mut self, kind: CheckKind) {
        self.on = self.on.with(kind);
        self.needed = self.needed.with(kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn kinds_have_names_of_their_own_and_suffixes_of_error_files() {
        let names: BTreeSet<&str> = BugKind::ALL.iter().map(BugKind::name).collect();
        assert_eq!(names.len(), BugKind::ALL.len());
        for kind in BugKind::ALL {
            assert!(kind.suffix().ends_with(".err") && kind.about().ends_with('.'));
        }
        let own = BugKind::Reported("deadlock.err".to_string());
        assert_eq!((own.name(), own.suffix()), ("deadlock", "deadlock.err"));
    }
}
