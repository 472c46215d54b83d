//! Confirmation of bugs by native programs.
//!
//! Invariant: a bug is confirmed only if the native program fails in the same way at the same line
//! of its own code. A signal names no line.

use super::evidence::{Evidence, ReplayedTests};
use super::symptom::{has_symptoms, is_reported_as, is_signaled_by, may_end_behind};
use homi_config::{BugKind, CHECK_KINDS};
use homi_native::replay::Status;
use homi_native::replay::sandbox::Ending;
use homi_report::{ErrorConfirmation, ReplayResult};
use std::path::Path;

/// Result of the replays of a bug's test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The build that failed in the same way at the same line, and the symptom.
    Confirmed { build: &'static str, how: String },
    /// The build that failed in the same way by a signal, which names no line.
    ConfirmedBySignal { build: &'static str, how: String },
    /// The build that failed in another way or at another line.
    /// `is_kin` says that the failure is of the same kind.
    SeenAs {
        build: &'static str,
        how: String,
        is_kin: bool,
    },
    /// The program ran on as if nothing were wrong; how it ended.
    /// `is_conclusive` says that it would show the bug.
    Unseen { how: String, is_conclusive: bool },
    /// No program ran the test; `why` is the reason.
    NotReplayed { why: String },
}

/// A bug to confirm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suspect<'a> {
    /// Name of the test.
    pub(super) test: &'a str,
    /// Name of the kind of bug.
    pub(super) kind: &'a str,
    /// Message of the bug.
    pub(super) message: &'a str,
    /// `FILE:LINE` of the innermost frame in the program's code.
    pub(super) location: &'a str,
}

impl Suspect<'_> {
    /// True if the bug is of a check that gcc has not.
    fn is_unknown_to_gcc(self) -> bool {
        let only_clang = CHECK_KINDS
            .iter()
            .filter(|row| row.gcc.is_empty() && !row.engine);
        let mut rows =
            only_clang.filter(|row| row.suffixes.split(", ").any(|one| one == self.kind));
        // Signed overflow has the same kind, and gcc has its check.
        rows.any(|row| self.kind != "overflow" || row.name == self.message)
    }
}

const SANITIZED: &str = "the build with sanitizers";
const UNWATCHED: &str = "the native program";

impl Confirmation {
    /// Position in the order of preference; the first is best.
    fn rank(&self) -> u8 {
        match self {
            Confirmation::Confirmed { .. } => 0,
            Confirmation::ConfirmedBySignal { .. } => 1,
            Confirmation::SeenAs { .. } => 2,
            Confirmation::Unseen { .. } => 3,
            Confirmation::NotReplayed { .. } => 4,
        }
    }
}

impl Confirmation {
    /// Returns the confirmation as `summary.json` has it.
    pub(super) fn summary(self) -> ErrorConfirmation {
        let (result, how, refutes) = match self {
            Confirmation::Confirmed { how, .. } => (ReplayResult::Confirmed, how, false),
            Confirmation::ConfirmedBySignal { how, .. } => {
                (ReplayResult::ConfirmedBySignal, how, false)
            }
            Confirmation::SeenAs { how, is_kin, .. } => (ReplayResult::SeenOtherwise, how, !is_kin),
            Confirmation::Unseen { how, is_conclusive } => {
                (ReplayResult::Unseen, how, is_conclusive)
            }
            Confirmation::NotReplayed { why } => (ReplayResult::NotReplayed, why, false),
        };
        ErrorConfirmation {
            result,
            how,
            refutes,
        }
    }
}

/// Returns the confirmation of a bug.
pub(super) fn confirmation(suspect: Suspect<'_>, replayed: &ReplayedTests) -> Confirmation {
    let sanitized = replayed.sanitized.get(suspect.test);
    let unwatched = replayed.unwatched.get(suspect.test);
    let shown = [(sanitized, SANITIZED), (unwatched, UNWATCHED)].into_iter();
    let seen = shown.filter_map(|(evidence, build)| seen(suspect, evidence?, build));
    if let Some(best) = seen.min_by_key(Confirmation::rank) {
        return best;
    }
    let hint = match sanitized {
        Some(_) => "",
        None => "; a build with -fsanitize=address,undefined may show it",
    };
    let is_endless = suspect.kind == BugKind::Endless.name();
    match sanitized.or(unwatched).map(|evidence| &evidence.status) {
        Some(Status::Ended(Ending::Timeout)) if is_endless => Confirmation::Confirmed {
            build: if sanitized.is_some() {
                SANITIZED
            } else {
                UNWATCHED
            },
            how: "it does not end in the time of a replay".to_string(),
        },
        Some(Status::Ended(_)) if suspect.is_unknown_to_gcc() => Confirmation::NotReplayed {
            why: "gcc has no such check".to_string(),
        },
        Some(Status::Ended(ending)) => {
            let how = match ending {
                Ending::Timeout => "it did not end in time".to_string(),
                Ending::Exit(status) => format!("it exits with status {status}{hint}"),
                Ending::Signal(number) => format!("signal {number} ends it"),
            };
            let shows = is_endless || sanitized.is_some() && has_symptoms(suspect.kind);
            let is_whole = [sanitized, unwatched]
                .iter()
                .flatten()
                .all(|evidence| evidence.is_whole);
            Confirmation::Unseen {
                how,
                is_conclusive: shows && is_whole && !matches!(ending, Ending::Timeout),
            }
        }
        Some(Status::Error(why)) => Confirmation::NotReplayed { why: why.clone() },
        None => Confirmation::NotReplayed {
            why: "no native program ran it".to_string(),
        },
    }
}

/// Returns what a build's failure says about a bug; `None` if the build did not fail.
fn seen(suspect: Suspect<'_>, evidence: &Evidence, build: &'static str) -> Option<Confirmation> {
    let how = fault(evidence)?;
    if let Some(report) = &evidence.report {
        let place = report.location.as_deref();
        let is_here = place.is_some_and(|place| is_same_line(place, suspect.location));
        let is_kin = is_reported_as(suspect.kind, &report.what);
        return Some(if is_here && is_kin {
            Confirmation::Confirmed { build, how }
        } else {
            Confirmation::SeenAs { build, how, is_kin }
        });
    }
    let Status::Ended(Ending::Signal(number)) = evidence.status else {
        return None;
    };
    Some(if is_signaled_by(suspect.kind, number) {
        Confirmation::ConfirmedBySignal { build, how }
    } else if may_end_behind(suspect.kind, number) {
        return None;
    } else {
        Confirmation::SeenAs {
            build,
            how,
            is_kin: false,
        }
    })
}

/// True if two `FILE:LINE` are the same line: equal numbers, and one file's name ends the other's.
fn is_same_line(one: &str, other: &str) -> bool {
    let (Some((file, line)), Some((other_file, other_line))) =
        (one.rsplit_once(':'), other.rsplit_once(':'))
    else {
        return false;
    };
    let (file, other_file) = (Path::new(file), Path::new(other_file));
    line == other_line && (file.ends_with(other_file) || other_file.ends_with(file))
}

/// The fault that a run of the program showed, if it did.
pub(super) fn fault(evidence: &Evidence) -> Option<String> {
    if let Some(report) = &evidence.report {
        let place = report.location.as_ref();
        let place = place.map_or_else(String::new, |place| format!(" at {place}"));
        return Some(format!("{}{place}", report.what));
    }
    match &evidence.status {
        status @ Status::Ended(Ending::Signal(_)) => Some(format!("{status} ends it")),
        Status::Ended(_) | Status::Error(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tester::sanitizer::SanitizerReport;

    fn ended(ending: Ending) -> Evidence {
        Evidence {
            status: Status::Ended(ending),
            report: None,
            is_whole: true,
        }
    }

    fn reported(what: &str, location: &str) -> Evidence {
        Evidence {
            report: Some(SanitizerReport {
                what: what.to_string(),
                location: Some(location.to_string()),
            }),
            ..ended(Ending::Exit(1))
        }
    }

    fn confirmed(sanitized: Option<Evidence>, unwatched: Option<Evidence>) -> Confirmation {
        confirmed_of("div", sanitized, unwatched)
    }

    fn confirmed_of(
        kind: &str,
        sanitized: Option<Evidence>,
        unwatched: Option<Evidence>,
    ) -> Confirmation {
        let named = |evidence: Option<Evidence>| {
            let pairs = evidence
                .into_iter()
                .map(|evidence| ("t".to_string(), evidence));
            pairs.collect()
        };
        let replayed = ReplayedTests {
            sanitized: named(sanitized),
            unwatched: named(unwatched),
            ..ReplayedTests::default()
        };
        let suspect = Suspect {
            test: "t",
            kind,
            message: "divide by zero",
            location: "src/a.c:7",
        };
        confirmation(suspect, &replayed)
    }

    const ZERO: &str = "UndefinedBehaviorSanitizer: division by zero";

    #[test]
    fn a_report_of_the_kind_at_the_line_confirms() {
        let how = format!("{ZERO} at a.c:7");
        let expected = Confirmation::Confirmed {
            build: SANITIZED,
            how,
        };
        assert_eq!(confirmed(Some(reported(ZERO, "a.c:7")), None), expected);
        let other_line = confirmed(Some(reported(ZERO, "a.c:8")), None);
        assert!(matches!(other_line, Confirmation::SeenAs { .. }));
        let other_kind = confirmed(Some(reported("AddressSanitizer: SEGV", "a.c:7")), None);
        assert!(matches!(other_kind, Confirmation::SeenAs { .. }));
        let other_file = confirmed(Some(reported(ZERO, "b.c:7")), None);
        assert!(matches!(other_file, Confirmation::SeenAs { .. }));
    }

    #[test]
    fn a_signal_of_the_kind_confirms_without_a_line() {
        let by_signal = |build: &'static str| Confirmation::ConfirmedBySignal {
            build,
            how: "signal SIGFPE ends it".to_string(),
        };
        let crash = || Some(ended(Ending::Signal(8)));
        assert_eq!(confirmed(None, crash()), by_signal(UNWATCHED));
        let exits = Some(ended(Ending::Exit(0)));
        assert_eq!(confirmed(exits, crash()), by_signal(UNWATCHED));
        let other = confirmed(None, Some(ended(Ending::Signal(11))));
        assert!(matches!(other, Confirmation::SeenAs { .. }));
        // A signal of the kind says more than another failure under sanitizers.
        let elsewhere = Some(reported(ZERO, "a.c:8"));
        assert_eq!(confirmed(elsewhere, crash()), by_signal(UNWATCHED));
    }

    /// A program may lose a block and abort.
    #[test]
    fn a_signal_that_the_program_chose_refutes_no_leak() {
        for (number, is_refuted) in [(4, false), (6, false), (9, false), (15, false), (11, true)] {
            let ending = ended(Ending::Signal(number));
            let refuted = confirmed_of("leak", Some(ending), None).summary().refutes;
            assert_eq!(refuted, is_refuted, "signal {number}");
        }
    }

    #[test]
    fn an_exit_or_a_timeout_does_not() {
        let unseen = |how: &str, is_conclusive| Confirmation::Unseen {
            how: how.to_string(),
            is_conclusive,
        };
        let exit = || Some(ended(Ending::Exit(3)));
        assert_eq!(
            confirmed(exit(), None),
            unseen("it exits with status 3", true)
        );
        let not_whole = Some(Evidence {
            is_whole: false,
            ..ended(Ending::Exit(3))
        });
        assert_eq!(
            confirmed(not_whole, None),
            unseen("it exits with status 3", false)
        );
        let late = Some(ended(Ending::Timeout));
        assert_eq!(
            confirmed(None, late),
            unseen("it did not end in time", false)
        );
        let hint = "it exits with status 0; a build with -fsanitize=address,undefined may show it";
        let exit = Some(ended(Ending::Exit(0)));
        assert_eq!(confirmed(None, exit), unseen(hint, false));
        assert!(matches!(
            confirmed(None, None),
            Confirmation::NotReplayed { .. }
        ));
    }
}
