//! The class of a bug that was found in a function with any parameters.
//!
//! Invariant: a class says what is known of the callers, never how bad the bug is.

use homi_build::harness::DefinedFunction;
use homi_report::ErrorSummary;
use std::collections::{BTreeMap, BTreeSet};

/// Class of a bug, by the trust in its inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BugClass {
    /// Found from `main` or a fuzz driver, or on a path on which every input fails.
    Certain,
    /// Found from a caller in the same files, too.
    FromCallers,
    /// Needs values that no caller is shown to pass.
    Needs,
    /// All callers were followed to their ends without the bug.
    RuledOut,
}

impl BugClass {
    /// All classes with their names.
    pub const ALL: [(BugClass, &'static str); 4] = [
        (BugClass::Certain, "certain"),
        (BugClass::FromCallers, "from-callers"),
        (BugClass::Needs, "needs"),
        (BugClass::RuledOut, "ruled-out"),
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        let mut rows = Self::ALL.iter();
        rows.find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// True if a bug of the class makes the command fail.
    pub fn fails(self) -> bool {
        matches!(self, BugClass::Certain | BugClass::FromCallers)
    }
}

/// Result of the exploration of one function.
#[derive(Clone, PartialEq, Debug)]
pub struct Explored {
    pub function: DefinedFunction,
    pub errors: Vec<ErrorSummary>,
    /// True if all paths were followed.
    pub is_complete: bool,
}

/// Functions that a program begins with.
const ENTRIES: [&str; 2] = ["main", "LLVMFuzzerTestOneInput"];

/// Identity of a bug among the explorations of several functions.
fn key(error: &ErrorSummary) -> (&str, &str, &str) {
    (&error.kind, &error.message, &error.location)
}

/// Returns each bug once with its class and the function that it was found in first: the one that
/// has it, if that was explored.
pub fn classify(all: &[Explored]) -> Vec<(BugClass, &Explored, &ErrorSummary)> {
    let callers = callers(all);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let own_first =
        |explored: &&Explored, error: &ErrorSummary| explored.function.name != error.function;
    let mut bugs: Vec<(&Explored, &ErrorSummary)> = all
        .iter()
        .flat_map(|explored| explored.errors.iter().map(move |error| (explored, error)))
        .collect();
    bugs.sort_by_key(|(explored, error)| own_first(explored, error));
    for (explored, error) in bugs {
        if seen.insert(key(error)) {
            found.push((class(all, &callers, error), explored, error));
        }
    }
    found.sort_by(|a, b| {
        let severity = |error: &ErrorSummary| std::cmp::Reverse(error.rank);
        (a.0, severity(a.2), &a.2.location).cmp(&(b.0, severity(b.2), &b.2.location))
    });
    found
}

/// Returns the explored callers of each function.
fn callers(all: &[Explored]) -> BTreeMap<&str, Vec<&Explored>> {
    let mut callers: BTreeMap<&str, Vec<&Explored>> = BTreeMap::new();
    for explored in all {
        for callee in &explored.function.callees {
            callers.entry(callee).or_default().push(explored);
        }
    }
    callers
}

fn class(
    all: &[Explored],
    callers: &BTreeMap<&str, Vec<&Explored>>,
    error: &ErrorSummary,
) -> BugClass {
    let same = |explored: &&Explored| explored.errors.iter().any(|one| key(one) == key(error));
    let holders: Vec<&Explored> = all.iter().filter(same).collect();
    let is_entry = |explored: &&Explored| ENTRIES.contains(&explored.function.name.as_str());
    let mut errors = holders.iter().flat_map(|holder| &holder.errors);
    let is_certain = errors.any(|one| key(one) == key(error) && one.every_input);
    if is_certain || holders.iter().any(is_entry) {
        return BugClass::Certain;
    }
    let entry = all.iter().filter(is_entry);
    if let Some(entry) = entry
        .into_iter()
        .find(|entry| reaches(callers, entry, error))
    {
        // The program sets what a function alone finds unset, such as global variables.
        return if entry.is_complete {
            BugClass::RuledOut
        } else {
            BugClass::Needs
        };
    }
    let is_passed = error.weakness != NULL || all.iter().any(|one| passes_null(one, error));
    let from_caller = |holder: &&Explored| holder.function.name != error.function;
    if is_passed && holders.iter().any(from_caller) {
        return BugClass::FromCallers;
    }
    let owner = holders
        .iter()
        .find(|holder| holder.function.name == error.function);
    let known = callers.get(error.function.as_str());
    match (owner, known) {
        (Some(owner), Some(known))
            if owner.function.is_static && known.iter().all(|caller| caller.is_complete) =>
        {
            BugClass::RuledOut
        }
        _ => BugClass::Needs,
    }
}

/// Weakness of an access through a null pointer.
const NULL: &str = "null-dereference";

/// True if a function passes a null pointer to the function of a bug.
fn passes_null(explored: &Explored, error: &ErrorSummary) -> bool {
    explored.function.gets_null.contains(&error.function)
}

/// True if an entry calls the function of a bug, itself or through others.
fn reaches(
    callers: &BTreeMap<&str, Vec<&Explored>>,
    entry: &Explored,
    error: &ErrorSummary,
) -> bool {
    let mut seen = BTreeSet::from([error.function.as_str()]);
    let mut open = vec![error.function.as_str()];
    while let Some(function) = open.pop() {
        for caller in callers.get(function).into_iter().flatten() {
            if seen.insert(&caller.function.name) {
                open.push(&caller.function.name);
            }
        }
    }
    seen.contains(entry.function.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explored(name: &str, callees: &[&str], bugs: &[(&str, &str, bool)]) -> Explored {
        let error = |(function, location, every_input): &(&str, &str, bool)| ErrorSummary {
            kind: "ptr".to_string(),
            function: (*function).to_string(),
            location: (*location).to_string(),
            every_input: *every_input,
            ..ErrorSummary::default()
        };
        Explored {
            function: DefinedFunction {
                name: name.to_string(),
                file: "a.c".to_string(),
                line: 1,
                is_static: name.starts_with('s'),
                callees: callees.iter().map(|one| (*one).to_string()).collect(),
                gets_null: BTreeSet::new(),
            },
            errors: bugs.iter().map(error).collect(),
            is_complete: true,
        }
    }

    #[test]
    fn callers_decide_the_class() {
        let all = [
            explored("s1", &[], &[("s1", "a.c:1", false), ("s1", "a.c:2", false)]),
            explored("f", &["s1"], &[("s1", "a.c:1", false)]),
            explored("g", &[], &[("g", "a.c:3", false), ("g", "a.c:4", true)]),
            explored("main", &["h"], &[("main", "a.c:5", false)]),
            explored("h", &["k"], &[("k", "a.c:6", false)]),
            explored("k", &[], &[("k", "a.c:6", false)]),
        ];
        let found = classify(&all);
        let places: Vec<(BugClass, &str, &str)> = found
            .iter()
            .map(|one| (one.0, one.1.function.name.as_str(), one.2.location.as_str()))
            .collect();
        let expected = [
            (BugClass::Certain, "g", "a.c:4"),
            (BugClass::Certain, "main", "a.c:5"),
            (BugClass::FromCallers, "s1", "a.c:1"),
            (BugClass::Needs, "g", "a.c:3"),
            (BugClass::RuledOut, "s1", "a.c:2"),
            (BugClass::RuledOut, "k", "a.c:6"),
        ];
        assert_eq!(places, expected);
    }
}
