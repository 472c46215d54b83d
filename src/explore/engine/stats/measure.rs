//! Turns a state into the numbers that searchers see, computing only what the chosen heuristics
//! use.

use crate::coverage::Coverage;
use crate::engine::policies::StateNumber;
use crate::search::distance::Distances;
use crate::search::{Metrics, needs_of};
use homi_config::{Budget, Heuristic, SearchConfig, Usage};
use homi_ir::program::{FuncId, Program};
use homi_machine::exec::{Executor, Observer};
use homi_machine::state::{CallPathId, State};
use homi_solver::WORK_OF_INSTRUCTION;
use rustc_hash::FxHashMap;

/// Numbers that searchers need, and the tables they come from.
pub(in crate::engine) struct Measure {
    /// Distances to uncovered code, if a heuristic needs them.
    distances: Option<Distances>,
    interval: Budget,
    /// When they are due, in the interval's unit.
    next: u64,
    /// `Coverage::progress` when the distances were computed last.
    covered_at_update: Option<u64>,
    point_counts: bool,
    call_paths: bool,
    stack: Vec<(FuncId, u32)>,
    /// True if searchers see solver work.
    counts_work: bool,
    /// Solver work of each call path, and of all, in nanoseconds.
    work: FxHashMap<CallPathId, u64>,
    work_of_all: u64,
    /// Number that the run's caller passes to searchers.
    own: Option<StateNumber>,
}

impl Measure {
    /// The numbers that `heuristics` look at.
    pub(in crate::engine) fn new(
        program: &Program,
        config: &SearchConfig,
        heuristics: &[Heuristic],
        own: Option<StateNumber>,
    ) -> Self {
        let needs = needs_of(heuristics);
        Self {
            distances: needs.distance.then(|| Distances::new(program)),
            interval: config.distance_interval,
            next: 0,
            covered_at_update: None,
            point_counts: needs.point_count,
            call_paths: needs.call_path_count,
            stack: Vec::new(),
            counts_work: config.count_solver_work,
            work: FxHashMap::default(),
            work_of_all: 0,
            own,
        }
    }

    /// Returns true if a heuristic needs distances.
    pub(in crate::engine) fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    /// Updates the distances if their interval is over and new code was covered. Returns true if it
    /// did.
    pub(in crate::engine) fn refresh(
        &mut self,
        executor: &Executor<'_>,
        observer: &Observer,
        coverage: &Coverage,
        usage: Usage,
    ) -> bool {
        let now = self.interval.reading(usage).count();
        let due = now >= self.next;
        let Some(distances) = self.distances.as_mut().filter(|_| due) else {
            return false;
        };
        self.next = now.saturating_add(self.interval.count().max(1));
        let covered = coverage.progress() + observer.begun_late();
        if self.covered_at_update == Some(covered) {
            return false;
        }
        self.covered_at_update = Some(covered);
        let segments = executor.segments();
        distances.update(executor.program(), |function, pc| {
            coverage.is_done(segments, observer, (function, pc))
        });
        true
    }

    /// Forgets the coverage of the last update: the next query recomputes the distances.
    pub(in crate::engine) fn forget_update(&mut self) {
        self.covered_at_update = None;
    }

    /// Returns the solver work of this run's batches in instructions, as far as searchers see it.
    pub(in crate::engine) fn solver_work(&self) -> u64 {
        self.work_of_all / WORK_OF_INSTRUCTION
    }

    /// Adds solver work, in nanoseconds, of a batch of a state in this call path.
    pub(in crate::engine) fn record(&mut self, call_path: CallPathId, work: u64) {
        if self.counts_work && work > 0 {
            self.work_of_all += work;
            *self.work.entry(call_path).or_default() += work;
        }
    }

    /// The numbers of one state.
    pub(in crate::engine) fn of(
        &mut self,
        state: &State,
        executor: &Executor<'_>,
        observer: &Observer,
    ) -> Metrics {
        let top = state.frames.top();
        let distance = match &self.distances {
            None => 0,
            Some(distances) => {
                self.stack.clear();
                self.stack
                    .extend(state.frames.iter().map(|frame| (frame.function, frame.pc)));
                distances.of_state(self.stack.iter().rev().copied())
            }
        };
        let location = executor.segments().segment(top.function, top.pc);
        let point_count = if self.point_counts {
            observer.executions(location)
        } else {
            0
        };
        let call_path_count = if self.call_paths {
            let work = self.work.get(&top.call_path).copied().unwrap_or(0);
            observer.call_paths.instructions(top.call_path) + work / WORK_OF_INSTRUCTION
        } else {
            0
        };
        Metrics {
            depth: state.metrics.depth,
            since_new: state.metrics.instructions_since_new,
            solver_seconds: state.metrics.solver_seconds,
            distance,
            point_count,
            call_path_count,
            location,
            own: self.own.as_ref().map_or(0.0, |number| number(state)),
        }
    }
}
