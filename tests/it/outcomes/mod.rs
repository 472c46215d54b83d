//! Programs of tests/data/outcomes: homi finds each outcome that native runs have, and no other.
//!
//! An outcome is an exit status or a signal; with AddressSanitizer a report is SIGABRT. The program
//! runs natively on 400 inputs, or on all if the input is one byte. Every outcome of theirs
//! must be one of homi's tests, every test of homi must replay to what homi said of it, and homi
//! must have followed every path. What a program's header says is in `case`.

mod case;
mod explored;
mod native;

use crate::support::{TestDir, data, files_with};
use case::Case;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

/// Error in homi's results for a case: the kind, one word, and the rest of the sentence.
type Complaint = (&'static str, String);

/// Outcomes that only the first has.
fn missing(of: &BTreeSet<String>, among: &BTreeSet<String>) -> String {
    let lost: Vec<&str> = of.difference(among).map(String::as_str).collect();
    lost.join(", ")
}

fn complaints(case: &Case) -> Vec<Complaint> {
    let place = TestDir::new();
    let executable = native::compile(case, &place);
    let found = explored::explore(case, &place, &executable);
    let mut complaints = found.complaints;
    let outcomes = match case.input {
        0 => case
            .statuses
            .iter()
            .map(|status| format!("exit {status}"))
            .collect(),
        _ => native::outcomes(case, &place, &executable),
    };
    let lost = missing(&outcomes, &found.outcomes);
    if !lost.is_empty() {
        complaints.push(("lost", lost));
    }
    let extra = missing(&found.outcomes, &outcomes);
    if case.input <= 1 && !extra.is_empty() {
        complaints.push(("extra", extra));
    }
    complaints
}

/// Returns the errors of a case.
fn verdict(path: &Path) -> Option<String> {
    let case = Case::read(path);
    let complaints = complaints(&case);
    let kinds: BTreeSet<&str> = complaints.iter().map(|complaint| complaint.0).collect();
    let known: BTreeSet<&str> = case.deviations.iter().map(String::as_str).collect();
    if kinds == known {
        return None;
    }
    let name = &case.name;
    Some(if complaints.is_empty() {
        format!("{name}: the deviation {known:?} is gone; take it out of the header")
    } else {
        format!("{name}: {complaints:?}")
    })
}

#[test]
fn homi_finds_the_outcomes_of_native_runs() {
    let cases = files_with("c", &data("outcomes"));
    assert!(cases.len() >= 40, "too few cases: {}", cases.len());
    let (open, wrong) = (Mutex::new(cases), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = open.lock().expect("no panic").pop();
                    let Some(path) = next else { break };
                    let verdict = verdict(&path);
                    wrong.lock().expect("no panic").extend(verdict);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
