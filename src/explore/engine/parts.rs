//! The parts of a run: its configuration, policies and results, and its progress.

use super::completion::CompletionRunner;
use super::context::{EarlierCoverage, RunContext};
use super::lengths::PathLengths;
use super::paths::{Growth, PathResults};
use super::policies::Policies;
use super::sampling::Samples;
use super::stats::measure::Measure;
use super::stop::RunBudget;
use super::threads::shared_exploration::Member;
use super::work::WorkMeter;
use crate::coverage::{BatchNews, Coverage, Fresh, Targets};
use crate::extensions::{Extension, ExtensionStart, extensions_of};
use crate::prune::{MemoryShare, Pruner};
use crate::search;
use crate::search::{Searcher, StateId};
use homi_config::{DistanceWeights, RunConfig};
use homi_ir::util::clock::Moment;
use homi_machine::exec::{EarlyReason, Executor, Observer, Termination};
use homi_machine::state::State;
use std::collections::BTreeMap;

/// Parts that belong to one run.
pub struct Parts<'r> {
    pub results: PathResults,
    pub policies: Policies<'r>,
    pub config: &'r RunConfig,
    pub context: RunContext<'r>,
    /// The group of threads, if several threads explore.
    pub shared_exploration: Option<Member<'r>>,
}

impl Parts<'_> {
    /// The number of this thread; 0 shows the status.
    pub(super) fn thread(&self) -> usize {
        match self.shared_exploration {
            Some(member) => member.number,
            None => self.context.worker,
        }
    }

    /// Returns true if a state might have a test if it left now.
    pub(super) fn might_show(&self, state: &State, executor: &Executor<'_>) -> bool {
        let left = Termination::Early(EarlyReason::Interrupted);
        state.ending.is_some() || self.may_want(state, &left, executor)
    }

    /// Returns true if a state might have a test if it left with this termination.
    pub(super) fn may_want(
        &self,
        state: &State,
        termination: &Termination,
        executor: &Executor<'_>,
    ) -> bool {
        let selector = &*self.policies.selector;
        self.results
            .may_want(selector, state, termination, executor)
    }

    /// Returns true if a pending state would have a test if its side is feasible. `new_side` is
    /// that side if it is not covered yet.
    pub(super) fn would_show(
        &self,
        state: &mut State,
        termination: &Termination,
        executor: &Executor<'_>,
        new_side: Option<u32>,
    ) -> bool {
        let Some(side) = new_side else {
            return self.may_want(state, termination, executor);
        };
        let covered_first = state.covered_first.clone();
        state.metrics.covered_new = true;
        state.covered_first.push(&[side], &[]);
        let wanted = self.may_want(state, termination, executor);
        state.metrics.covered_new = false;
        state.covered_first = covered_first;
        wanted
    }

    /// The number of the state with a local id, different for all states of a run.
    pub(super) fn sequence(&self, id: usize) -> u64 {
        match self.shared_exploration {
            Some(member) => (id * member.shared_exploration.size() + member.number) as u64,
            None => id as u64,
        }
    }
}

/// Progress of a run: all of its data except its tools, its budget and its clock.
pub(super) struct Progress {
    pub(super) observer: Observer,
    pub(super) coverage: Coverage,
    pub(super) measure: Measure,
    pub(super) searcher: Box<dyn Searcher>,
    pub(super) states: BTreeMap<StateId, Box<State>>,
    pub(super) next_id: usize,
    pub(super) states_peak: usize,
    /// Goes on with paths that were stopped.
    pub(super) completions: CompletionRunner,
    pub(super) forks: u64,
    /// Own branch sides that were covered first since the search was last told.
    pub(super) newly_covered: Vec<u32>,
    /// Extensions of the loop.
    pub(super) extensions: Vec<Box<dyn Extension>>,
    /// Pruner for the memory limit.
    pub(super) relief: Box<dyn Pruner>,
    pub(super) stopping_bug: bool,
    pub(super) samples: Samples,
    /// Ended paths and branches when branches grew, if they are reported.
    pub(super) growth: Growth,
    /// Lengths of ended paths in instructions, if they are reported.
    pub(super) lengths: PathLengths,
}

impl Progress {
    /// The progress of a run that has no state yet and has seen what `observer` has. `entry_state`
    /// is the state that the program begins with, if the run begins with one.
    pub(super) fn new(
        executor: &Executor<'_>,
        config: &RunConfig,
        policies: &mut Policies<'_>,
        targets: Option<Targets>,
        mut observer: Observer,
        entry_state: Option<&State>,
    ) -> Self {
        let program = executor.program();
        if config.search.weights == DistanceWeights::PerState {
            observer.count_waiting();
        }
        // A strategy sees paths, not the numbers of states.
        let heuristics = match config.concolic {
            Some(_) => &[][..],
            None => &config.search.heuristics,
        };
        Self {
            observer,
            coverage: coverage(executor, config, targets),
            measure: Measure::new(program, &config.search, heuristics, policies.number.take()),
            searcher: policies
                .searcher
                .take()
                .unwrap_or_else(|| search::build(&config.search)),
            states: BTreeMap::new(),
            next_id: 0,
            states_peak: 0,
            completions: CompletionRunner::default(),
            forks: 0,
            newly_covered: Vec::new(),
            extensions: extensions_of(
                &ExtensionStart {
                    config,
                    entry_state,
                },
                &policies.extensions,
            ),
            relief: Box::new(MemoryShare::new(
                config.budget.memory_prune_ratio,
                config.search.seed,
            )),
            stopping_bug: false,
            samples: Samples::default(),
            growth: Growth::default(),
            lengths: PathLengths::default(),
        }
    }

    /// Removes the aims that earlier runs reached, and marks their coverage as known to searches,
    /// if it is to be.
    pub(super) fn know_earlier(&mut self, earlier: &EarlierCoverage<'_>) {
        self.coverage.reach_targets(earlier.segments);
        if earlier.known_to_searches {
            let (segments, sides) = (earlier.segments.clone(), earlier.sides.clone());
            self.coverage.set_known(segments, sides);
            self.measure.forget_update();
        }
    }

    /// Returns true if a side is of user code and not covered.
    pub(super) fn is_new_side(&self, side: u32) -> bool {
        self.coverage.is_user_side(side) && !self.observer.sides.contains(side)
    }

    /// Returns the states that remain only to show bugs.
    pub(super) fn showing_bugs(&self) -> Vec<StateId> {
        let states = self.states.iter();
        let bugs = states.filter(|(_, state)| state.ending.is_some());
        bugs.map(|(id, _)| *id).collect()
    }

    /// Returns the coverage that is new since the last call, for all threads of the group of
    /// threads, if there is one.
    pub(super) fn absorb_coverage(&mut self, shared_exploration: Option<Member<'_>>) -> Fresh {
        let others = shared_exploration.map(|member| &member.shared_exploration.coverage);
        let news = self.coverage.absorb(&mut self.observer, others);
        news.map(BatchNews::of_one_path).unwrap_or_default()
    }
}

/// Returns what counts as covered, and what searchers try to cover.
fn coverage(executor: &Executor<'_>, config: &RunConfig, targets: Option<Targets>) -> Coverage {
    let (program, segments) = (executor.program(), executor.segments());
    let mut coverage = Coverage::new(program, segments, config.search.scope);
    coverage.record_answers(&executor.exec_config().side_answers);
    if let Some(targets) = targets {
        coverage.set_targets(targets);
    }
    coverage
}

/// Data with which a run, or a slice of one, begins.
pub(super) struct Beginning {
    pub(super) budget: RunBudget,
    pub(super) deadline: Option<Moment>,
    /// Time on the run's clock counts from here.
    pub(super) start: Moment,
    /// Work of earlier slices other than instructions.
    pub(super) work: WorkMeter,
}

impl Beginning {
    /// A run that begins at `start`, with these instructions on its clock.
    pub(super) fn anew(config: &RunConfig, start: Moment, instructions: u64) -> Self {
        let budget = RunBudget::new(&config.budget, instructions);
        Self {
            deadline: budget.time().map(|time| start + time),
            budget,
            start,
            work: WorkMeter::default(),
        }
    }
}
