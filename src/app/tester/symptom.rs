//! Native symptoms of each kind of bug: texts of sanitizers, signals.
//!
//! Invariant: a kind without a row has no native symptom.

use homi_config::BugKind;
use nix::sys::signal::Signal;

/// Symptoms of one kind of bug.
struct Symptoms {
    /// Name of the kind (`BugKind::name`).
    kind: &'static str,
    /// Parts of the reports of AddressSanitizer, UndefinedBehaviorSanitizer or glibc.
    reports: &'static [&'static str],
    /// Signals that end the program.
    signals: &'static [Signal],
}

const SYMPTOMS: &[Symptoms] = &[
    Symptoms {
        kind: "abort",
        reports: &["unreachable program point"],
        signals: &[Signal::SIGABRT, Signal::SIGILL, Signal::SIGTRAP],
    },
    Symptoms {
        kind: "assert",
        reports: &["assertion `"],
        signals: &[Signal::SIGABRT],
    },
    Symptoms {
        kind: "div",
        reports: &["division by zero"],
        signals: &[Signal::SIGFPE],
    },
    Symptoms {
        kind: "overflow",
        reports: &["integer overflow", "cannot be represented"],
        signals: &[Signal::SIGFPE],
    },
    Symptoms {
        kind: "undef",
        reports: &["division by zero", "shift exponent", "outside the range"],
        signals: &[Signal::SIGFPE],
    },
    Symptoms {
        kind: "shift",
        reports: &["left shift of"],
        signals: &[],
    },
    Symptoms {
        kind: "float_cast",
        reports: &["outside the range of representable values"],
        signals: &[],
    },
    Symptoms {
        kind: "vla_bound",
        reports: &["variable length array bound"],
        signals: &[],
    },
    Symptoms {
        kind: "overshift",
        reports: &["shift exponent", "left shift of", "shift by"],
        signals: &[],
    },
    Symptoms {
        kind: "ptr",
        reports: &[
            "AddressSanitizer: heap-",
            "AddressSanitizer: stack-",
            "AddressSanitizer: global-",
            "AddressSanitizer: dynamic-stack-",
            "AddressSanitizer: SEGV",
            "AddressSanitizer: BUS",
            "AddressSanitizer: use-after-poison",
            "AddressSanitizer: unknown-crash",
            "AddressSanitizer: wild-",
            "AddressSanitizer: negative-size-param",
            "null pointer",
            "out of bounds",
            "misaligned address",
            "insufficient space",
            "address overflow",
            "overflowed to",
            "variable length array bound",
        ],
        signals: &[Signal::SIGSEGV, Signal::SIGBUS],
    },
    Symptoms {
        kind: "stack",
        reports: &["AddressSanitizer: stack-overflow"],
        signals: &[Signal::SIGSEGV, Signal::SIGBUS],
    },
    Symptoms {
        kind: "free",
        reports: &[
            "attempting free",
            "attempting double-free",
            "alloc-dealloc-mismatch",
            "bad-free",
        ],
        signals: &[Signal::SIGABRT, Signal::SIGSEGV],
    },
    Symptoms {
        kind: "read_only",
        reports: &["AddressSanitizer: SEGV", "AddressSanitizer: BUS"],
        signals: &[Signal::SIGSEGV, Signal::SIGBUS],
    },
    Symptoms {
        kind: "exec",
        reports: &["AddressSanitizer: SEGV", "incorrect function type"],
        signals: &[Signal::SIGSEGV, Signal::SIGILL, Signal::SIGBUS],
    },
    Symptoms {
        kind: "unreachable",
        reports: &["unreachable program point"],
        signals: &[Signal::SIGILL, Signal::SIGTRAP],
    },
];

/// Kinds of bugs that checks of the compiler find.
const OF_CHECKS: [&str; 7] = [
    "div",
    "float_cast",
    "overflow",
    "overshift",
    "ptr",
    "shift",
    "vla_bound",
];

fn symptoms(kind: &str) -> Option<&'static Symptoms> {
    SYMPTOMS.iter().find(|symptoms| symptoms.kind == kind)
}

/// Kinds that gcc can hide from its sanitizer: it turns `x + 1 > 0` into `x >= 0` first.
const FOLDED: [&str; 2] = ["overflow", "overshift"];

/// True if a build with sanitizers shows all bugs of a kind.
pub(super) fn has_symptoms(kind: &str) -> bool {
    !FOLDED.contains(&kind) && (is_custom(kind) || symptoms(kind).is_some())
}

/// True if the program reports bugs of this kind itself, so it aborts natively.
fn is_custom(kind: &str) -> bool {
    BugKind::ALL.iter().all(|known| known.name() != kind)
}

/// True if a report is a symptom of a kind of bug.
pub(super) fn is_reported_as(kind: &str, report: &str) -> bool {
    symptoms(kind).is_some_and(|symptoms| {
        let mut parts = symptoms.reports.iter();
        parts.any(|part| report.contains(part))
    })
}

/// True if a signal is a symptom of a kind of bug. A native program aborts where it reports an
/// error of its own.
pub(super) fn is_signaled_by(kind: &str, number: i32) -> bool {
    // A check that traps ends the program by these.
    let traps = [Signal::SIGILL as i32, Signal::SIGTRAP as i32];
    if OF_CHECKS.contains(&kind) && traps.contains(&number) {
        return true;
    }
    if is_custom(kind) {
        return number == Signal::SIGABRT as i32;
    }
    symptoms(kind).is_some_and(|symptoms| {
        let mut signals = symptoms.signals.iter();
        signals.any(|signal| *signal as i32 == number)
    })
}

/// Signals by which a process fails; it asks for the others itself.
const FAULTS: [Signal; 3] = [Signal::SIGSEGV, Signal::SIGBUS, Signal::SIGFPE];

/// True if a program may end by a signal after a bug of a kind that has no symptoms.
pub(super) fn may_end_behind(kind: &str, number: i32) -> bool {
    let is_fault = FAULTS.iter().any(|signal| *signal as i32 == number);
    symptoms(kind).is_none() && !is_custom(kind) && !is_fault
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_names_a_kind() {
        for row in SYMPTOMS {
            let is_kind = BugKind::ALL.iter().any(|kind| kind.name() == row.kind);
            assert!(is_kind, "{}", row.kind);
        }
    }

    #[test]
    fn symptoms_differ() {
        assert!(is_reported_as(
            "ptr",
            "AddressSanitizer: heap-buffer-overflow"
        ));
        assert!(!is_reported_as(
            "ptr",
            "UndefinedBehaviorSanitizer: division by zero"
        ));
        assert!(has_symptoms("reach_error") && has_symptoms("ptr"));
        assert!(!has_symptoms("overflow") && !has_symptoms("leak"));
        assert!(is_signaled_by("div", 8) && !is_signaled_by("div", 11));
        assert!(!is_signaled_by("leak", 6) && is_signaled_by("reach_error", 6));
    }
}
