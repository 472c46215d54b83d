//! Second explorations: callers that were not followed to their ends go for the bugs of callees.

use super::class::{BugClass, ClassifiedBug, Explored};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the lines that each function should be explored for again: lines of bugs that need
/// values of callers, for the callers in which paths are left.
pub fn goals(all: &[Explored], bugs: &[ClassifiedBug<'_>]) -> BTreeMap<String, BTreeSet<String>> {
    let mut goals: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for bug in bugs.iter().filter(|bug| bug.class == BugClass::Needs) {
        let calls = |one: &&Explored| one.function.callees.contains(&bug.error.function);
        for caller in all.iter().filter(calls).filter(|one| !one.is_complete) {
            let lines = goals.entry(caller.function.name.clone()).or_default();
            lines.insert(bug.error.location.clone());
        }
    }
    goals
}
