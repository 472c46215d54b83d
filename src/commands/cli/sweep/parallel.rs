//! Explorations of several functions at the same time.

use homi_app::sweep::{Exploration, Explored, NotExplored, explore, explore_for};
use homi_build::harness::DefinedFunction;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Limits of a sweep.
pub(super) struct Limits {
    /// Functions that are explored at the same time; `None`: one per processor.
    pub(super) jobs: Option<usize>,
    pub(super) deadline: Option<Instant>,
}

impl Limits {
    fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Calls a function for each item, on several threads.
    fn each<T: Send>(&self, items: Vec<T>, work: impl Fn(T) + Sync) {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.unwrap_or(processors).clamp(1, items.len().max(1));
        let items: Vec<Mutex<Option<T>>> =
            items.into_iter().map(|one| Mutex::new(Some(one))).collect();
        let next = AtomicUsize::new(0);
        let run = || {
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                let item = item.lock().unwrap_or_else(PoisonError::into_inner).take();
                item.into_iter().for_each(&work);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(run);
            }
        });
    }
}

/// Explores the functions, and returns the others with the reasons.
pub(super) fn explore_all(
    how: &Exploration,
    chosen: &[&DefinedFunction],
    limits: &Limits,
) -> (Vec<Explored>, Vec<NotExplored>) {
    let results = Mutex::new((Vec::new(), Vec::new()));
    limits.each(chosen.to_vec(), |function| {
        let result = if limits.is_late() {
            Err("no time was left (--max-time)".to_string())
        } else {
            explore(how, function)
        };
        let shown = match &result {
            Ok(explored) => format!("bugs: {}", explored.errors.len()),
            Err(why) => why.clone(),
        };
        eprintln!("homi: {}: {shown}", function.name);
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        match result {
            Ok(explored) => results.0.push(explored),
            Err(why) => results.1.push(NotExplored {
                function: function.clone(),
                why,
            }),
        }
    });
    let (mut explored, mut left_out) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let place = |function: &DefinedFunction| (function.file.clone(), function.line);
    explored.sort_by_key(|one: &Explored| place(&one.function));
    left_out.sort_by_key(|one: &NotExplored| place(&one.function));
    (explored, left_out)
}

/// Explores callers again, for lines of bugs in what they call.
pub(super) fn explore_again(
    how: &Exploration,
    explored: &mut [Explored],
    goals: &BTreeMap<String, BTreeSet<String>>,
    limits: &Limits,
) {
    let callers = explored.iter_mut();
    let callers = callers.filter_map(|one| Some((goals.get(&one.function.name)?, one)));
    limits.each(callers.collect(), |(lines, caller)| {
        if !limits.is_late() {
            explore_for(how, caller, lines);
            eprintln!(
                "homi: {}: again, for bugs of its callees",
                caller.function.name
            );
        }
    });
}
