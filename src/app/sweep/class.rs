//! The class of a bug that was found in a function with any parameters.
//!
//! Invariant: a class says what is known of the callers, never how bad the bug is.

use homi_build::harness::{DefinedFunction, Precondition};
use homi_config::BugKind;
use homi_report::{BugFound, ErrorSummary, ReplayResult};
use std::collections::{BTreeMap, BTreeSet};

/// Class of a bug, by the trust in its inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BugClass {
    /// Found from `main` or a fuzz driver; or every input of its path fails, or values of one input
    /// between others that do not.
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
    /// Conditions that the exploration took for granted.
    pub preconditions: Vec<Precondition>,
    pub errors: Vec<ErrorSummary>,
    /// The errors with all that is known of them.
    pub found: Vec<BugFound>,
    /// Fingerprints of errors about what the harness chose and callers decide: null pointers, sizes
    /// of objects, numbers that are parameters, what callbacks do.
    pub about_parameters: BTreeSet<String>,
    /// Fingerprints of errors for values of one input between others that are no error.
    pub isolated: BTreeSet<String>,
    /// True if all paths were followed.
    pub is_complete: bool,
    /// True if all paths were followed to an end without a bug, and nothing stood for a callback.
    pub is_conclusive: bool,
}

impl Explored {
    /// Puts errors of another exploration in place of its own, where they are the same errors.
    pub(super) fn replace(&mut self, better: Explored, is_better: impl Fn(&ErrorSummary) -> bool) {
        let errors = better.errors.iter().filter(|error| is_better(error));
        let known: BTreeSet<_> = errors.map(key).collect();
        let replaced = self
            .errors
            .iter()
            .filter(|error| known.contains(&key(error)));
        let replaced: BTreeSet<String> = replaced.map(|one| one.fingerprint.clone()).collect();
        self.errors
            .retain(|error| !replaced.contains(&error.fingerprint));
        self.found
            .retain(|bug| !replaced.contains(&bug.fingerprint));
        self.about_parameters.retain(|one| !replaced.contains(one));
        self.isolated.retain(|one| !replaced.contains(one));
        self.add(better);
    }

    /// Adds what a second exploration of the function found.
    pub(super) fn add(&mut self, again: Explored) {
        let errors = self.errors.iter();
        let known: BTreeSet<String> = errors.map(|one| one.fingerprint.clone()).collect();
        let is_new = |fingerprint: &String| !known.contains(fingerprint);
        let errors = again.errors.into_iter();
        let errors = errors.filter(|error| is_new(&error.fingerprint));
        self.errors.extend(errors);
        let found = again.found.into_iter();
        self.found
            .extend(found.filter(|bug| is_new(&bug.fingerprint)));
        self.about_parameters.extend(again.about_parameters);
        self.isolated.extend(again.isolated);
        self.is_conclusive &= again.is_conclusive;
    }
}

/// A bug with its class.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassifiedBug<'a> {
    pub class: BugClass,
    /// The exploration that found it: of the function that has it, if that was explored.
    pub explored: &'a Explored,
    pub error: ErrorSummary,
}

/// Functions that a program begins with.
const ENTRIES: [&str; 2] = ["main", "LLVMFuzzerTestOneInput"];

/// Identity of a bug among the explorations of several functions.
fn key(error: &ErrorSummary) -> (&str, &str, &str) {
    (&error.kind, &error.message, &error.location)
}

/// Returns each bug once with its class, the most trusted first.
pub fn classify(all: &[Explored]) -> Vec<ClassifiedBug<'_>> {
    let callers = callers(all);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut bugs: Vec<(&Explored, &ErrorSummary)> = all
        .iter()
        .flat_map(|explored| explored.errors.iter().map(move |error| (explored, error)))
        .filter(|(explored, error)| !is_precondition(explored, error))
        .collect();
    bugs.sort_by_key(|(explored, error)| explored.function.name != error.function);
    for (explored, error) in bugs {
        if seen.insert(key(error)) {
            found.push(ClassifiedBug {
                class: class(all, &callers, error),
                explored,
                error: error.clone(),
            });
        }
    }
    let rank = |bug: &ClassifiedBug<'_>| {
        let callers = callers.get(bug.error.function.as_str()).map_or(0, Vec::len);
        let worst = std::cmp::Reverse((bug.error.rank, callers));
        (bug.class, worst, bug.error.location.clone())
    };
    found.sort_by_key(rank);
    found
}

/// True if the error is an assertion that states what the explored function requires.
fn is_precondition(explored: &Explored, error: &ErrorSummary) -> bool {
    let function = &explored.function;
    let line = error.location.rsplit_once(':').map(|(_, line)| line);
    let line = line.and_then(|line| line.parse().ok());
    error.kind == BugKind::Assert.name()
        && error.function == function.name
        && function.asserts.iter().any(|one| Some(one.line) == line)
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
    let has_it = |explored: &&Explored| {
        let mut errors = explored.errors.iter();
        errors.any(|one| {
            key(one) == key(error) && !is_precondition(explored, one) && !is_refuted(one)
        })
    };
    let holders: Vec<&Explored> = all.iter().filter(has_it).collect();
    let is_entry = |explored: &&Explored| ENTRIES.contains(&explored.function.name.as_str());
    let is_certain = |holder: &&Explored| {
        let is_own = holder.function.name == error.function;
        let mut errors = holder.errors.iter().filter(|one| key(one) == key(error));
        let is_isolated = |one: &ErrorSummary| holder.isolated.contains(&one.fingerprint);
        errors.any(|one| one.every_input || (is_own && is_isolated(one)))
    };
    if holders.iter().any(is_certain) || holders.iter().any(is_entry) {
        return BugClass::Certain;
    }
    let entry = all.iter().filter(is_entry);
    if let Some(entry) = entry
        .into_iter()
        .find(|entry| reaches(callers, entry, error))
    {
        // The program sets what a function alone finds unset, such as global variables.
        return if entry.is_conclusive {
            BugClass::RuledOut
        } else {
            BugClass::Needs
        };
    }
    let is_passed = error.weakness == NULL && all.iter().any(|one| passes_null(one, error));
    // A caller that only passes its own parameter on shows nothing of the object behind it.
    let from_caller = |holder: &&Explored| {
        let mut errors = holder.errors.iter().filter(|one| key(one) == key(error));
        let is_shown = |one: &ErrorSummary| !holder.about_parameters.contains(&one.fingerprint);
        holder.function.name != error.function && errors.any(|one| is_passed || is_shown(one))
    };
    if holders.iter().any(from_caller) {
        return BugClass::FromCallers;
    }
    let owner = holders
        .iter()
        .find(|holder| holder.function.name == error.function);
    let known = callers.get(error.function.as_str());
    match (owner, known) {
        (Some(owner), Some(known))
            if owner.function.is_static && known.iter().all(|caller| caller.is_conclusive) =>
        {
            BugClass::RuledOut
        }
        _ => BugClass::Needs,
    }
}

/// True if the native program ran the test of an error without any failure.
fn is_refuted(error: &ErrorSummary) -> bool {
    let confirmation = error.confirmation.as_ref();
    confirmation.is_some_and(|one| one.refutes && one.result == ReplayResult::Unseen)
}

/// Weakness of an access through a null pointer.
pub(super) const NULL: &str = "null-dereference";

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
    use homi_build::harness::Assertion;
    use homi_report::ErrorConfirmation;

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
                ..DefinedFunction::default()
            },
            errors: bugs.iter().map(error).collect(),
            preconditions: Vec::new(),
            found: Vec::new(),
            about_parameters: BTreeSet::new(),
            isolated: BTreeSet::new(),
            is_complete: true,
            is_conclusive: bugs.is_empty(),
        }
    }

    #[test]
    fn callers_decide_the_class() {
        let all = [
            explored("s1", &[], &[("s1", "a.c:1", false), ("s1", "a.c:2", false)]),
            explored("f", &["s1"], &[("s1", "a.c:1", false)]),
            explored("s2", &[], &[("s2", "a.c:7", false)]),
            explored("e", &["s2"], &[]),
            explored("g", &[], &[("g", "a.c:3", false), ("g", "a.c:4", true)]),
            explored("main", &["h"], &[("main", "a.c:5", false)]),
            explored("h", &["k"], &[("k", "a.c:6", false)]),
            explored("k", &[], &[("k", "a.c:6", false)]),
        ];
        let found = classify(&all);
        let places: Vec<(BugClass, &str, &str)> = found
            .iter()
            .map(|one| {
                let function = one.explored.function.name.as_str();
                (one.class, function, one.error.location.as_str())
            })
            .collect();
        let expected = [
            (BugClass::Certain, "g", "a.c:4"),
            (BugClass::Certain, "main", "a.c:5"),
            (BugClass::FromCallers, "s1", "a.c:1"),
            (BugClass::Needs, "s1", "a.c:2"),
            (BugClass::Needs, "k", "a.c:6"),
            (BugClass::Needs, "g", "a.c:3"),
            (BugClass::RuledOut, "s2", "a.c:7"),
        ];
        assert_eq!(places, expected);
    }

    #[test]
    fn an_assertion_about_parameters_is_a_bug_of_callers_only() {
        let mut all = [
            explored("f", &[], &[("f", "a.c:2", false)]),
            explored("g", &["f"], &[]),
        ];
        all[0].function.asserts = vec![Assertion {
            line: 2,
            expression: "x > 0".to_string(),
        }];
        all[0].errors[0].kind = BugKind::Assert.name().to_string();
        assert_eq!(classify(&all).len(), 0);
        all[1].errors = all[0].errors.clone();
        assert_eq!(classify(&all)[0].class, BugClass::FromCallers);
    }

    #[test]
    fn an_object_of_a_caller_that_is_passed_on_shows_nothing() {
        let mut all = [
            explored("f", &[], &[("f", "a.c:2", false)]),
            explored("g", &["f"], &[("f", "a.c:2", false)]),
        ];
        assert_eq!(classify(&all)[0].class, BugClass::FromCallers);
        all[1].about_parameters = BTreeSet::from([String::new()]);
        assert_eq!(classify(&all)[0].class, BugClass::Needs);
    }

    #[test]
    fn values_between_others_and_replays_decide() {
        let mut all = [
            explored("f", &[], &[("f", "a.c:2", false)]),
            explored("g", &["f"], &[]),
        ];
        all[0].isolated = BTreeSet::from([String::new()]);
        assert_eq!(classify(&all)[0].class, BugClass::Certain);
        all[0].errors[0].confirmation = Some(ErrorConfirmation {
            result: ReplayResult::Unseen,
            how: String::new(),
            refutes: true,
        });
        assert_eq!(classify(&all)[0].class, BugClass::Needs);
        all.swap(0, 1);
        all[0].errors = all[1].errors.clone();
        all[0].errors[0].confirmation = None;
        all[0].isolated = std::mem::take(&mut all[1].isolated);
        assert_eq!(classify(&all)[0].class, BugClass::FromCallers);
    }

    #[test]
    fn a_better_error_replaces_the_same_one() {
        let mut first = explored("f", &[], &[("f", "a.c:2", false), ("f", "a.c:3", false)]);
        first.about_parameters = BTreeSet::from(["1".to_string()]);
        first.errors[0].fingerprint = "1".to_string();
        let mut better = explored("f", &[], &[("f", "a.c:2", true), ("f", "a.c:3", true)]);
        better.errors[0].fingerprint = "1".to_string();
        first.replace(better, |error| error.location == "a.c:2");
        assert!(first.about_parameters.is_empty());
        let certain = first.errors.iter().filter(|error| error.every_input);
        assert_eq!(certain.count(), 1);
    }

    #[test]
    fn a_second_exploration_adds_what_is_new() {
        let mut first = explored("g", &["f"], &[]);
        let again = explored("g", &["f"], &[("f", "a.c:2", false)]);
        let about_parameters = BTreeSet::from([String::new()]);
        first.add(Explored {
            about_parameters,
            ..again.clone()
        });
        let callee = explored("f", &[], &[("f", "a.c:2", false)]);
        assert_eq!(first.errors, again.errors);
        assert!(!first.is_conclusive);
        assert_eq!(classify(&[callee, first])[0].class, BugClass::Needs);
    }
}
