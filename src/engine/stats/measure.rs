//! Turns a state into the numbers that searchers see, computing only what the chosen heuristics
//! use.

use crate::config::{Heuristic, SearchConfig, Span, Spent};
use crate::coverage::Coverage;
use crate::engine::policies::StateNumber;
use crate::exec::{Executor, Observer};
use crate::program::flow::loop_depths;
use crate::program::{FuncId, Program};
use crate::search::distance::Distances;
use crate::search::{Metrics, Sizes, needs_of};
use crate::solver::WORK_OF_INSTRUCTION;
use crate::state::{CallPathId, State};
use rustc_hash::FxHashMap;

/// Which numbers are needed, and the tables they come from.
pub(in crate::engine) struct Measure {
    /// Present if a heuristic looks at distances.
    distances: Option<Distances>,
    interval: Span,
    /// When they are due, in the interval's unit.
    next: u64,
    /// `Coverage::progress` when the distances were computed last.
    covered_at_update: Option<u64>,
    point_counts: bool,
    call_paths: bool,
    sizes: bool,
    /// In how many loops each block of a function lies, of those that were asked for.
    loops: FxHashMap<FuncId, Vec<u32>>,
    stack: Vec<(FuncId, u32)>,
    /// Whether searches see what the solver does.
    counts_work: bool,
    /// What the solver did in each call path, and in all of them, in nanoseconds.
    work: FxHashMap<CallPathId, u64>,
    work_of_all: u64,
    /// What the run's caller wants searchers to know besides.
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
            sizes: needs.sizes,
            loops: FxHashMap::default(),
            stack: Vec::new(),
            counts_work: config.count_solver_work,
            work: FxHashMap::default(),
            work_of_all: 0,
            own,
        }
    }

    /// Whether a heuristic looks at distances.
    pub(in crate::engine) fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    /// Computes the distances anew if their interval is over and something new was covered; true if
    /// so.
    pub(in crate::engine) fn refresh(
        &mut self,
        executor: &Executor<'_>,
        observer: &Observer,
        coverage: &Coverage,
        spent: Spent,
    ) -> bool {
        let now = self.interval.reading(spent).count();
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

    /// What counts as covered has changed: the next look computes the distances.
    pub(in crate::engine) fn forget_update(&mut self) {
        self.covered_at_update = None;
    }

    /// What the solver did in this run's turns, in instructions' worth, as far as searches see it.
    pub(in crate::engine) fn solver_work(&self) -> u64 {
        self.work_of_all / WORK_OF_INSTRUCTION
    }

    /// The solver did so much work, in nanoseconds, in a turn of a state that is in this call path.
    pub(in crate::engine) fn book(&mut self, call_path: CallPathId, work: u64) {
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
        let place = executor.segments().segment(top.function, top.pc);
        let point_count = if self.point_counts {
            observer.executions(place)
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
            place,
            own: self.own.as_ref().map_or(0.0, |number| number(state)),
            sizes: match self.sizes {
                true => self.sizes_of(state, executor.program()),
                false => Sizes::default(),
            },
        }
    }

    fn sizes_of(&mut self, state: &State, program: &Program) -> Sizes {
        let mut sizes = Sizes {
            instructions: state.metrics.instructions,
            objects: state.memory.object_count(),
            symbolic_objects: state.symbolics.len() as u32,
            constraints: state.path.len() as u32,
            ..Sizes::default()
        };
        let mut depths = [0; 2];
        for (level, frame) in state.frames.iter().enumerate() {
            let terms = u64::from(frame.live_terms);
            sizes.symbolic_registers += terms;
            sizes.constant_registers += (frame.bits.len() as u64).saturating_sub(terms);
            let objects = &program.function(frame.function).frame_objects;
            sizes.objects += objects.len() as u64;
            if let Some(depth) = depths.get_mut(level) {
                // An outer frame stands behind its call.
                let pc = frame.pc.saturating_sub(u32::from(level > 0));
                *depth = self.loop_depth(program, frame.function, pc);
            }
        }
        [sizes.loop_depth, sizes.caller_loop_depth] = depths;
        sizes
    }

    /// In how many loops of its function an instruction lies.
    fn loop_depth(&mut self, program: &Program, function: FuncId, pc: u32) -> u32 {
        let body = program.function(function);
        let depths = self.loops.entry(function);
        let depths = depths.or_insert_with(|| loop_depths(program, body));
        let after = body.blocks.partition_point(|block| block.start <= pc);
        depths.get(after.saturating_sub(1)).copied().unwrap_or(0)
    }
}
