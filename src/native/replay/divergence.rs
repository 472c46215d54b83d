//! Divergences: a native program that does something else than homi predicts for a test.
//!
//! Invariant: a divergence was seen in all native runs of the test, and concerns nothing that
//! differs between the first and one of the others, or between two predictions.

use super::output_mask::{MaskedOutput, varying_ranges};
use super::sandbox::Ending;
use super::session::Status;
use crate::testcase::{MAX_STORED_OUTPUT, PredictedEnd, PredictedStream, StoredOutcome, sha256};
use homi_report::{Divergence, DivergentLine};
use std::ops::Range;

/// One native run of a test.
#[derive(Clone, Copy, Debug)]
pub struct NativeRun<'a> {
    pub status: &'a Status,
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
    /// The modeled kernel's lines about files; empty if it did not see the exit.
    pub files: &'a [u8],
}

/// A repeated native run of a test.
#[derive(Clone, Debug)]
pub struct RepeatedRun {
    pub status: Status,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub files: Vec<u8>,
}

/// Result of the comparison of a native run with the prediction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Agreement {
    /// There is no prediction, or it is not compared: a bug ends the path, or the native program
    /// did not run.
    #[default]
    NotCompared,
    /// The native program does what homi predicts.
    Same,
    /// The end of the program varies from run to run.
    Unstable,
    /// The native program does something else.
    Diverges(Box<Divergence>),
}

impl Agreement {
    /// The divergence, if there is one.
    pub fn divergence(&self) -> Option<&Divergence> {
        match self {
            Agreement::Diverges(divergence) => Some(divergence),
            Agreement::NotCompared | Agreement::Same | Agreement::Unstable => None,
        }
    }

    /// True if the end of the program was compared with the prediction.
    pub fn is_compared(&self) -> bool {
        matches!(self, Agreement::Same | Agreement::Diverges(_))
    }
}

/// Characters of a line that are shown.
const LINE_SHOWN: usize = 120;

/// Number of repeated runs that a divergence must survive. A value with few alternatives, such as
/// the remainder of an address, is often the same in two runs.
const REPEATS: usize = 8;

/// Compares a native run with the prediction. `again` repeats the test while they differ, and
/// `second` returns the prediction with what varies if the test was executed once.
pub fn compare<E>(
    predicted: &StoredOutcome,
    run: NativeRun<'_>,
    again: impl FnMut() -> Result<RepeatedRun, E>,
    second: impl FnOnce() -> Option<StoredOutcome>,
) -> Result<Agreement, E> {
    if !predicted.outcome.once || is_equal(predicted, run) {
        return compare_varied(predicted, run, again);
    }
    match second() {
        Some(varied) => compare_varied(&varied, run, again),
        None => Ok(Agreement::NotCompared),
    }
}

/// True if a native run does what is predicted, without a look at what varies.
fn is_equal(predicted: &StoredOutcome, run: NativeRun<'_>) -> bool {
    let (PredictedEnd::Exit(status), Status::Ended(ending)) = (&predicted.outcome.end, run.status)
    else {
        return true;
    };
    is_predicted(*status, *ending) && differences(predicted, run, None).is_empty()
}

/// Compares a native run with a prediction that knows what varies.
fn compare_varied<E>(
    predicted: &StoredOutcome,
    run: NativeRun<'_>,
    mut again: impl FnMut() -> Result<RepeatedRun, E>,
) -> Result<Agreement, E> {
    let (PredictedEnd::Exit(status), Status::Ended(ending)) = (&predicted.outcome.end, run.status)
    else {
        return Ok(Agreement::NotCompared);
    };
    if predicted.outcome.unstable {
        return Ok(Agreement::Unstable);
    }
    let same_end = is_predicted(*status, *ending);
    let mut output = differences(predicted, run, None);
    if same_end && output.is_empty() {
        return Ok(Agreement::Same);
    }
    for _ in 0..REPEATS {
        let repeated = again()?;
        if repeated.status != *run.status {
            return Ok(Agreement::Unstable);
        }
        let repeated = NativeRun {
            status: &repeated.status,
            stdout: &repeated.stdout,
            stderr: &repeated.stderr,
            files: &repeated.files,
        };
        let mut still = differences(predicted, run, Some(repeated));
        still.retain(|line| output.iter().any(|other| other.stream == line.stream));
        output = still;
        if same_end && output.is_empty() {
            return Ok(Agreement::Same);
        }
    }
    Ok(Agreement::Diverges(Box::new(Divergence {
        test: predicted.outcome.test.clone(),
        predicted: if same_end {
            run.status.to_string()
        } else {
            format!("exit {status}")
        },
        native: run.status.to_string(),
        output,
        cause: None,
    })))
}

/// True if a native end is the predicted one; homi predicts 128 + N for signal N.
fn is_predicted(status: i32, ending: Ending) -> bool {
    match ending {
        Ending::Exit(native) => native == status,
        Ending::Signal(number) => 128 + number == status,
        Ending::Timeout => false,
    }
}

/// Returns the first differing line of each stream; `again` is a second native run.
fn differences(
    predicted: &StoredOutcome,
    run: NativeRun<'_>,
    again: Option<NativeRun<'_>>,
) -> Vec<DivergentLine> {
    let outcome = &predicted.outcome;
    let streams = [
        ("stdout", &outcome.stdout, &predicted.stdout, run.stdout),
        ("stderr", &outcome.stderr, &predicted.stderr, run.stderr),
        ("files", &outcome.files, &predicted.files, run.files),
    ];
    let repeated = again.map(|again| [again.stdout, again.stderr, again.files]);
    let mut found = Vec::new();
    for (index, (stream, prediction, stored, native)) in streams.into_iter().enumerate() {
        let masked = match repeated {
            Some(repeated) => varying_ranges(native, repeated[index]),
            None => Some(Vec::new()),
        };
        let is_unknown = stream == "files" && (stored.is_empty() || native.is_empty());
        let Some(masked) = masked.filter(|_| !prediction.unstable && !is_unknown) else {
            continue;
        };
        found.extend(difference(stream, (prediction, stored), native, &masked));
    }
    found
}

/// Returns the first differing line of a stream.
fn difference(
    stream: &'static str,
    (prediction, stored): (&PredictedStream, &[u8]),
    native: &[u8],
    masked: &[Range<u64>],
) -> Option<DivergentLine> {
    let is_cut = prediction.bytes > stored.len() as u64;
    if is_cut && prediction.masked.is_empty() && sha256(native) == prediction.sha256 {
        return None;
    }
    let compared = if is_cut {
        &native[..native.len().min(MAX_STORED_OUTPUT)]
    } else {
        native
    };
    let ours = MaskedOutput {
        bytes: stored,
        masked: &prediction.masked,
    };
    let theirs = MaskedOutput {
        bytes: compared,
        masked,
    };
    let difference = ours.first_difference(&theirs)?;
    let shown = |line: Option<Vec<u8>>| line.map(|line| shown(&line, difference.column));
    Some(DivergentLine {
        stream: stream.to_string(),
        line: difference.line as u64,
        column: difference.column as u64,
        predicted: shown(difference.first.clone()),
        native: shown(difference.second.clone()),
    })
}

/// Returns a line as text without its newline, cut around the column if it is long.
fn shown(line: &[u8], column: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    if line.len() <= LINE_SHOWN {
        return String::from_utf8_lossy(line).into_owned();
    }
    let start = column.saturating_sub(LINE_SHOWN / 2).min(line.len());
    let end = line.len().min(start + LINE_SHOWN);
    let before = if start > 0 { "..." } else { "" };
    let after = if end < line.len() { "..." } else { "" };
    let text = String::from_utf8_lossy(&line[start..end]);
    format!("{before}{text}{after}")
}

#[cfg(test)]
mod tests {
    use super::super::second_prediction::varied;
    use super::*;
    use crate::testcase::TestOutcome;

    fn predicted(status: i32, stdout: &str) -> StoredOutcome {
        StoredOutcome {
            outcome: TestOutcome {
                test: "test000001".to_string(),
                end: PredictedEnd::Exit(status),
                unstable: false,
                once: false,
                stdout: PredictedStream::of(stdout.as_bytes()),
                stderr: PredictedStream::default(),
                files: PredictedStream::default(),
            },
            stdout: stdout.as_bytes().to_vec(),
            stderr: Vec::new(),
            files: Vec::new(),
        }
    }

    fn agreement(predicted: &StoredOutcome, runs: [(Ending, &str); 2]) -> Agreement {
        let [(ending, stdout), (ending_again, stdout_again)] = runs;
        let run = NativeRun {
            status: &Status::Ended(ending),
            stdout: stdout.as_bytes(),
            stderr: &[],
            files: &[],
        };
        let again = || {
            Ok::<_, ()>(RepeatedRun {
                status: Status::Ended(ending_again),
                stdout: stdout_again.as_bytes().to_vec(),
                stderr: Vec::new(),
                files: Vec::new(),
            })
        };
        let second = || None;
        compare(predicted, run, again, second).expect("a comparison")
    }

    #[test]
    fn equal_runs_agree_and_others_diverge() {
        let exit = |status| (Ending::Exit(status), "a\n");
        let outcome = predicted(1, "a\n");
        assert_eq!(agreement(&outcome, [exit(1), exit(9)]), Agreement::Same);
        assert_eq!(agreement(&outcome, [exit(2), exit(3)]), Agreement::Unstable);
        let Agreement::Diverges(found) = agreement(&outcome, [exit(2), exit(2)]) else {
            panic!("another status");
        };
        assert_eq!(found.kinds(), ["exit status"]);
        let other = (Ending::Exit(1), "b\n");
        let Agreement::Diverges(found) = agreement(&outcome, [other, other]) else {
            panic!("another output");
        };
        assert_eq!(
            found.to_string(),
            "stdout line 1: homi predicts \"a\", the native program prints \"b\""
        );
    }

    #[test]
    fn a_signal_is_its_status_and_varying_output_is_not_compared() {
        let killed = (Ending::Signal(15), "");
        assert_eq!(agreement(&predicted(143, ""), [killed; 2]), Agreement::Same);
        let runs = [(Ending::Exit(0), "pid 12\n"), (Ending::Exit(0), "pid 13\n")];
        assert_eq!(
            agreement(&predicted(0, "pid 4242\n"), runs),
            Agreement::Same
        );
    }

    #[test]
    fn the_second_prediction_is_asked_for_only_where_the_native_run_differs() {
        let once = |text| {
            let mut outcome = predicted(0, text);
            outcome.outcome.once = true;
            outcome
        };
        let compared = |native: &str, second: Option<StoredOutcome>| {
            let run = NativeRun {
                status: &Status::Ended(Ending::Exit(0)),
                stdout: native.as_bytes(),
                stderr: &[],
                files: &[],
            };
            let again = || {
                Ok::<_, ()>(RepeatedRun {
                    status: run.status.clone(),
                    stdout: run.stdout.to_vec(),
                    stderr: Vec::new(),
                    files: Vec::new(),
                })
            };
            let mut asked = false;
            let agreement = compare(&once("at 1\n"), run, again, || {
                asked = true;
                second
            });
            (agreement.expect("a comparison"), asked)
        };
        assert_eq!(compared("at 1\n", None), (Agreement::Same, false));
        assert_eq!(compared("at 2\n", None), (Agreement::NotCompared, true));
        let varied = varied(once("at 1\n"), &[once("at 7\n")]);
        let mut other = varied.clone();
        other.outcome.stdout.masked.clear();
        assert_eq!(compared("at 2\n", Some(varied)), (Agreement::Same, true));
        let (agreement, asked) = compared("at 2\n", Some(other));
        assert!(asked && agreement.divergence().is_some());
    }

    #[test]
    fn a_predicted_bug_is_not_compared() {
        let mut outcome = predicted(0, "");
        outcome.outcome.end = PredictedEnd::Bug("ptr".to_string());
        let run = (Ending::Exit(7), "");
        assert_eq!(agreement(&outcome, [run; 2]), Agreement::NotCompared);
    }
}
