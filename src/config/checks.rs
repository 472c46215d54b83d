//! The kinds of bugs, and the checks that an option turns on or off.
//!
//! Invariant: the two tables are the only lists. `BugKind` with its names and texts comes from
//! `bug_kinds`; `CheckConfig`, its defaults, the options of `homi run` and their help come from
//! `check_table`. So a new check is a row here, its own file in `machine::exec::checks`, and a call
//! in that module's `mod.rs`.

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

/// Hands all checks that have an option to the macro `$take`, as rows of `field: form("option")`
/// and what the check finds.
///
/// The form says the type of the field, its default and how it is typed: `flag` is off unless
/// given, `switch` is on unless given `false`, `count` is a number that is 0 unless given.
/// `help common` lists the option in the short help. `without Subsume` refuses the option together
/// with subsumption, for a check that an interpolant does not cover.
macro_rules! check_table {
    ($take:ident) => {
        $take! {
            /// Report heap blocks that nothing points to when the program ends
            ///
            /// Kind of error: leak, with the stack of the allocation. A pointer into a block
            /// counts, as for LeakSanitizer. Locals of all calls stay in memory for it.
            leaks: flag("check-leaks"), finds [Leak], help common, without Subsume;

            /// Report sums, differences, products and shifts that overflow
            ///
            /// Kind of error: overflow. Checked are operations that the compiler was promised not
            /// to overflow: signed ones in C. The program needs no special build. A location is
            /// reported once per path, which continues with the processor's result.
            overflow: flag("check-overflow"), finds [Overflow], help common, without Subsume;

            /// Let up to N calls of the malloc family fail on a path
            ///
            /// malloc, calloc, realloc, and functions that allocate through them. Any of the calls
            /// may fail, whatever memory is left.
            malloc_failures: count("max-malloc-fail"), finds [], without Subsume;

            /// Report divisions by zero and quotients that do not fit
            ///
            /// Kinds of error: div, overflow. Without the check they have the result of SMT-LIB.
            division: switch("check-div-zero"), finds [Div, Overflow];

            /// Report shifts by the width of the operand or more
            ///
            /// Kind of error: overshift. Without the check the result is zero, or the sign in all
            /// bits.
            shifts: switch("check-overshift"), finds [Overshift];

            /// End a path without a bug report if klee_assume cannot hold
            silent_assume: flag("silent-assume"), finds [];
        }
    };
}
pub(crate) use check_table;

/// The type of a check's field, by the form of its option.
macro_rules! check_type {
    (flag) => {
        bool
    };
    (switch) => {
        bool
    };
    (count) => {
        u32
    };
}
pub(crate) use check_type;

macro_rules! check_default {
    (flag) => {
        false
    };
    (switch) => {
        true
    };
    (count) => {
        0
    };
}

/// A check that an option turns on or off.
#[derive(Clone, Copy, Debug)]
pub struct CheckRow {
    /// The long option, without dashes.
    pub option: &'static str,
    /// The kinds of bugs that the check finds.
    pub finds: &'static [BugKind],
    /// The option's help.
    pub help: &'static str,
}

macro_rules! configuration {
    ($(
        $(#[doc = $text:literal])+
        $name:ident: $form:ident($option:literal), finds [$($kind:ident),*]
            $(, help $common:ident)? $(, without $without:ident)?;
    )+) => {
        /// Optional checks, and the library functions that may fail.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct CheckConfig {
            $($(#[doc = $text])+ pub $name: check_type!($form),)+
        }

        impl CheckConfig {
            /// The checks of a run whose options were not read from a command line.
            pub const BASIC: CheckConfig = CheckConfig {
                $($name: check_default!($form),)+
            };

            /// Returns the long option, without dashes, and the value of each check.
            pub fn settings(&self) -> [(&'static str, String); CHECKS.len()] {
                [$(($option, self.$name.to_string())),+]
            }
        }

        /// All checks that have an option.
        pub const CHECKS: &[CheckRow] = &[$(CheckRow {
            option: $option,
            finds: &[$(BugKind::$kind),*],
            help: concat!($($text, "\n"),+),
        }),+];
    };
}
check_table!(configuration);

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

    #[test]
    fn help_of_a_check_names_the_kinds_that_it_finds() {
        for check in CHECKS {
            for kind in check.finds {
                let kind = kind.name();
                assert!(check.help.contains(kind), "--{}: {kind}", check.option);
            }
        }
    }
}
