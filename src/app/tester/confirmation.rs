//! Confirmation of bugs by native programs.
//!
//! Invariant: a bug is confirmed only if a sanitizer reported an error or a signal ended the
//! program.

use super::evidence::{Evidence, ReplayedTests};
use crate::native::replay::Status;
use crate::native::replay::sandbox::Ending;

/// Result of the replays of a bug's test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The build that confirmed the bug, and the symptom.
    Confirmed { build: &'static str, how: String },
    /// The program ran on as if nothing were wrong; how it ended.
    Unseen { how: String },
    /// No program ran the test; `why` is the reason.
    NotReplayed { why: String },
}

const SANITIZED: &str = "the build with sanitizers";
const UNWATCHED: &str = "the native program";

/// Returns the confirmation of the test with this name.
pub(super) fn confirmation(test: &str, replayed: &ReplayedTests) -> Confirmation {
    let sanitized = replayed.sanitized.get(test);
    let unwatched = replayed.unwatched.get(test);
    let shown = [(sanitized, SANITIZED), (unwatched, UNWATCHED)];
    for (evidence, build) in shown {
        if let Some(how) = evidence.and_then(fault) {
            return Confirmation::Confirmed { build, how };
        }
    }
    let hint = match sanitized {
        Some(_) => "",
        None => "; a build with -fsanitize=address,undefined may show it",
    };
    match sanitized.or(unwatched).map(|evidence| &evidence.status) {
        Some(Status::Ended(ending)) => {
            let how = match ending {
                Ending::Timeout => "it did not end in time".to_string(),
                Ending::Exit(status) => format!("it exits with status {status}{hint}"),
                Ending::Signal(number) => format!("signal {number} ends it"),
            };
            Confirmation::Unseen { how }
        }
        Some(Status::Error(why)) => Confirmation::NotReplayed { why: why.clone() },
        None => Confirmation::NotReplayed {
            why: "no native program ran it".to_string(),
        },
    }
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
    use crate::app::tester::sanitizer::SanitizerReport;

    fn ended(ending: Ending) -> Evidence {
        Evidence {
            status: Status::Ended(ending),
            report: None,
        }
    }

    fn confirmed(sanitized: Option<Evidence>, unwatched: Option<Evidence>) -> Confirmation {
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
        confirmation("t", &replayed)
    }

    #[test]
    fn a_report_or_a_signal_confirms() {
        let report = Evidence {
            report: Some(SanitizerReport {
                what: "x".to_string(),
                location: Some("a.c:1".to_string()),
            }),
            ..ended(Ending::Exit(1))
        };
        let by = |build: &'static str, how: &str| Confirmation::Confirmed {
            build,
            how: how.to_string(),
        };
        assert_eq!(confirmed(Some(report), None), by(SANITIZED, "x at a.c:1"));
        let crash = || Some(ended(Ending::Signal(8)));
        assert_eq!(
            confirmed(None, crash()),
            by(UNWATCHED, "signal SIGFPE ends it")
        );
        let exits = Some(ended(Ending::Exit(0)));
        assert_eq!(
            confirmed(exits, crash()),
            by(UNWATCHED, "signal SIGFPE ends it")
        );
    }

    #[test]
    fn an_exit_or_a_timeout_does_not() {
        let unseen = |how: &str| Confirmation::Unseen {
            how: how.to_string(),
        };
        let exit = Some(ended(Ending::Exit(3)));
        assert_eq!(confirmed(exit, None), unseen("it exits with status 3"));
        let late = Some(ended(Ending::Timeout));
        assert_eq!(confirmed(None, late), unseen("it did not end in time"));
        let hint = "it exits with status 0; a build with -fsanitize=address,undefined may show it";
        let exit = Some(ended(Ending::Exit(0)));
        assert_eq!(confirmed(None, exit), unseen(hint));
        assert!(matches!(
            confirmed(None, None),
            Confirmation::NotReplayed { .. }
        ));
    }
}
