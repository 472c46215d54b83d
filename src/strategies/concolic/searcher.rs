//! Searcher of a concolic run: one path at a time to its end, then the strategy's next branch.
//!
//! Invariant: every live state is a waiting root, the current state, a state that runs at once, or
//! it waits at an open branch. `select` therefore returns a state while there is one.
//!
//! The failing side of a check runs as soon as it is forked, and ends; it is not a branch of the
//! path. If it continues beyond its batch, it waits like a root.

use super::decision::Decision;
use super::history::{Answer, Negation};
use super::path::{BranchRef, PathId};
use super::registry::StrategyChoice;
use super::seen::{LastPath, Seen};
use super::statistics::Statistics;
use super::strategy::{Choice, Reason, Start, Strategy};
use homi_explore::search::{Added, Clock, Left, Searcher, StateId, Update};
use homi_ir::program::Program;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Searcher of a concolic run, and the counters that it updates.
pub type Chosen = (Box<dyn Searcher>, Arc<Statistics>);

/// Returns the searcher of a strategy's choice.
///
/// `covered` are the sides, by their dense numbers, that need no coverage.
pub fn searcher(choice: &StrategyChoice, program: &Program, seed: u64, covered: &[u32]) -> Chosen {
    let strategy = (choice.row.make)(&Start {
        program,
        seed,
        argument: &choice.argument,
        weights: choice.weights.as_ref(),
    });
    StrategySearcher::chosen(strategy, covered)
}

/// State that runs now.
#[derive(Clone, Copy, Debug)]
struct Current {
    id: StateId,
    /// Negated branch; `None` for a root, and after its outcome is known.
    asked: Option<BranchRef>,
}

/// Path in progress.
#[derive(Debug)]
struct Under {
    path: PathId,
    /// Position that was negated.
    negated: Option<u32>,
    news: Vec<u32>,
}

/// Searcher that drives a strategy.
pub struct StrategySearcher {
    strategy: Box<dyn Strategy>,
    seen: Seen,
    statistics: Arc<Statistics>,
    sources: BTreeSet<StateId>,
    /// States that run before the current one continues.
    at_once: VecDeque<StateId>,
    current: Option<Current>,
    /// Path of each state that has run.
    running: FxHashMap<StateId, Under>,
}

impl StrategySearcher {
    /// Creates the searcher that drives a strategy; `covered` are sides that need no coverage.
    pub(super) fn chosen(strategy: Box<dyn Strategy>, covered: &[u32]) -> Chosen {
        let searcher = Self::new(strategy, covered);
        let statistics = Arc::clone(&searcher.statistics);
        (Box::new(searcher), statistics)
    }

    fn new(strategy: Box<dyn Strategy>, covered: &[u32]) -> Self {
        let mut seen = Seen::default();
        seen.history.cover(covered);
        Self {
            strategy,
            seen,
            statistics: Arc::default(),
            sources: BTreeSet::new(),
            at_once: VecDeque::new(),
            current: None,
            running: FxHashMap::default(),
        }
    }

    /// Returns the state of the strategy's choice, or a remaining state of a path in progress.
    fn choose(&mut self) -> Option<StateId> {
        let chosen = self.strategy.choose(&self.seen);
        debug_assert!(
            chosen.is_none_or(|choice| self.seen.paths.is_open(choice.branch)),
            "the strategy chose a branch that is not open"
        );
        let choice = match chosen.filter(|choice| self.seen.paths.is_open(choice.branch)) {
            Some(choice) => choice,
            None => Choice {
                branch: self.seen.paths.newest_open()?,
                reason: Reason::Older,
                restarted: false,
            },
        };
        let id = self.seen.paths.state_at(choice.branch)?;
        match choice.reason {
            Reason::Rule => {}
            Reason::Older => self.statistics.count(|counts| &mut counts.older),
            Reason::Skipped => self.statistics.count(|counts| &mut counts.skipped),
        }
        if choice.restarted {
            self.statistics.count(|counts| &mut counts.restarts);
        }
        if let Some(branch) = self.seen.paths.branch(choice.branch) {
            self.seen.history.choose(Negation::of(&branch));
        }
        self.current = Some(Current {
            id,
            asked: Some(choice.branch),
        });
        Some(id)
    }

    /// Records the outcome of the last chosen branch.
    fn answer(&mut self, answer: Answer) {
        let Some(at) = self.current.as_mut().and_then(|now| now.asked.take()) else {
            return;
        };
        self.statistics.count(|counts| match answer {
            Answer::Feasible => &mut counts.negations.feasible,
            Answer::Subsumed => &mut counts.negations.subsumed,
            Answer::Infeasible => &mut counts.negations.infeasible,
            Answer::Unknown => &mut counts.negations.unknown,
            Answer::Dropped => &mut counts.negations.dropped,
        });
        if answer == Answer::Infeasible {
            let side = self.seen.paths.other_side(at);
            self.seen.history.refute(side);
        }
        self.strategy.answered(at, answer);
    }

    /// Follows choices made outside this searcher: given first inputs select the states that follow
    /// them. Such a state becomes the current one, and the previous one waits like a root.
    fn note_batch(&mut self, update: &Update<'_>) {
        let ended = match update.left {
            Some(Left::Ended(id)) => Some(id),
            _ => None,
        };
        let ran = ended.or(update.current.map(|(id, _)| id));
        let Some(id) = ran.filter(|id| self.knows(*id) && !self.at_once.contains(id)) else {
            return;
        };
        if self.current.is_some_and(|now| now.id == id) {
            return;
        }
        if let Some(before) = self.current.take() {
            self.sources.insert(before.id);
        }
        self.sources.remove(&id);
        self.current = Some(Current { id, asked: None });
    }

    /// Records that a state has run: its query is answered, and it has a path.
    fn has_run(&mut self, id: StateId) {
        if self.current.is_some_and(|now| now.id == id) {
            self.answer(Answer::Feasible);
        }
        if self.running.contains_key(&id) {
            return;
        }
        let paths = &mut self.seen.paths;
        let origin = paths.branch_of(id);
        let negated = origin.and_then(|at| paths.branch(at));
        let under = Under {
            path: paths.begin(origin),
            negated: negated.map(|branch| branch.position),
            news: Vec::new(),
        };
        self.running.insert(id, under);
    }

    /// Adds new states.
    fn add(&mut self, added: &[Added]) {
        let mut decision = Decision::default();
        for new in added {
            let parent = new.parent.filter(|id| self.knows(*id));
            let Some(parent) = parent else {
                self.sources.insert(new.id);
                continue;
            };
            self.has_run(parent);
            if new.ends {
                self.at_once.push_back(new.id);
                continue;
            }
            let joins = decision.joins(parent, new.fork);
            if let Some(under) = self.running.get(&parent) {
                self.seen.paths.meet(under.path, new.fork, new.id, joins);
            }
        }
    }

    fn knows(&self, id: StateId) -> bool {
        self.current.is_some_and(|now| now.id == id)
            || self.running.contains_key(&id)
            || self.sources.contains(&id)
            || self.at_once.contains(&id)
            || self.seen.paths.branch_of(id).is_some()
    }

    /// Credits the new coverage to the state that ran.
    fn cover(&mut self, update: &Update<'_>) {
        self.seen.history.cover(update.covered);
        let ran = update.current.map(|(id, _)| id);
        let ran = ran.or(match update.left {
            Some(Left::Ended(id)) => Some(id),
            _ => None,
        });
        let ran = ran.or(self.current.map(|now| now.id));
        if let Some(under) = ran.and_then(|id| self.running.get_mut(&id)) {
            under.news.extend(update.covered);
        }
    }

    fn left(&mut self, left: Left) {
        match left {
            Left::Ended(id) => {
                self.has_run(id);
                let current = self.current.is_some_and(|now| now.id == id);
                self.statistics.count(|counts| {
                    if current {
                        &mut counts.executions
                    } else {
                        &mut counts.side_ends
                    }
                });
            }
            Left::Subsumed(_) => self.answer(Answer::Subsumed),
            Left::Infeasible(_) => self.answer(Answer::Infeasible),
            Left::Unknown(_) => self.answer(Answer::Unknown),
        }
    }

    /// Deletes a state that is gone; its branches stay.
    fn remove(&mut self, id: StateId, ended: bool) {
        let current = self.current.is_some_and(|now| now.id == id);
        if current {
            self.answer(Answer::Dropped);
            self.current = None;
        }
        self.sources.remove(&id);
        self.at_once.retain(|other| *other != id);
        if let Some(at) = self.seen.paths.close(id) {
            self.seen.paths.release(at.path);
        }
        if let Some(under) = self.running.remove(&id) {
            self.end_path(under, current, ended);
        }
    }

    /// Records that a path has no state left. It becomes the last path if a strategy or a first
    /// input chose it, or if it has branches.
    fn end_path(&mut self, under: Under, current: bool, ended: bool) {
        if current && !ended {
            self.statistics.count(|counts| &mut counts.cut);
        }
        let met = self.seen.paths.open_in_part(under.path).next().is_some();
        if !current && !met {
            self.seen.paths.release(under.path);
            return;
        }
        if let Some(before) = self.seen.last.take() {
            self.seen.paths.release(before.id);
        }
        if current {
            self.seen.history.end_run(under.news.clone());
        }
        self.seen.last = Some(LastPath::new(under.path, under.negated, under.news));
        self.strategy.path_ended(&self.seen);
    }
}

impl Searcher for StrategySearcher {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        if let Some(id) = self.at_once.front() {
            return Some(*id);
        }
        if let Some(now) = self.current {
            return Some(now.id);
        }
        if let Some(id) = self.sources.pop_first() {
            self.current = Some(Current { id, asked: None });
            return Some(id);
        }
        self.choose()
    }

    fn update(&mut self, update: &Update<'_>) {
        self.note_batch(update);
        if let Some((id, _)) = update.current.filter(|(id, _)| self.knows(*id)) {
            self.has_run(id);
            if self.at_once.contains(&id) {
                self.at_once.retain(|waiting| *waiting != id);
                self.sources.insert(id);
            }
        }
        self.add(update.added);
        if let Some(left) = update.left {
            self.left(left);
        }
        self.cover(update);
        let ended = match update.left {
            Some(Left::Ended(id)) => Some(id),
            _ => None,
        };
        for id in update.removed {
            self.remove(*id, ended == Some(*id));
        }
    }

    fn is_empty(&self) -> bool {
        self.current.is_none()
            && self.sources.is_empty()
            && self.at_once.is_empty()
            && self.seen.paths.open_count() == 0
    }

    fn describe(&self) -> String {
        format!("concolic {}\n", self.strategy.describe())
    }
}
