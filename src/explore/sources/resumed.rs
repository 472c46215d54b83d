//! The states that an earlier session has left open, found again by their decisions.
//!
//! All begin at the program's first state, which runs again; of each fork the sides are kept on
//! which some of them lie, and what states have in common is executed once. The depths come first,
//! so that few states are on their way at a time. The search begins once some states are there, and
//! the rest is found in parallel. Code that no test shows yet counts as newly covered again.
//!
//! Invariant: a state that is found has the same list of decisions and number of instructions, and
//! waits for the same condition; a state that is not found counts as dropped. While a state is on
//! its way, checkpoints contain it as it was read.

use super::{Next, RunView, SourceStatistics, StateSource, Tuning};
use crate::sources::checkpoint::{Collector, Frontier, NodeId, OpenState, Waits};
use homi_ir::program::Program;
use homi_machine::exec::Step;
use homi_machine::state::{ProgramPoint, Siblings, State, block_of};
use homi_native::testcase::WriteError;
use homi_report::ResumedSummary;
use rustc_hash::FxHashMap;

/// Turns that a run has to end after it was seen to be at its end.
const MOST_BATCHES: u32 = 10_000;

/// The states of an earlier session.
pub struct Resumed {
    start: Option<Box<State>>,
    frontier: Frontier,
    /// States whose decisions end at a node, by their index in the frontier.
    at_node: FxHashMap<NodeId, Vec<usize>>,
    /// For each node the least number of instructions of the states at it and below it.
    least: Vec<u64>,
    /// States whose path is being rebuilt; the last one runs next.
    rebuilding: Vec<(Box<State>, NodeId)>,
    is_found: Vec<bool>,
    /// Instructions on the clock when the search began to choose.
    search_began: Option<u64>,
    /// Times that states were asked for since the end of the run has left a query without its
    /// answer on the way to some.
    batches_since_cut: Option<u32>,
    /// Instructions for finding states since then.
    beside: u64,
    done: ResumedSummary,
    tuning: Tuning,
}

impl Resumed {
    /// `start` is the state that all begin with.
    pub fn new(tuning: &Tuning, start: State, frontier: Frontier) -> Self {
        let mut at_node: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
        let mut least = vec![u64::MAX; frontier.tree.len()];
        for (place, state) in frontier.states.iter().enumerate() {
            at_node.entry(state.node).or_default().push(place);
            let known = &mut least[state.node.index()];
            *known = (*known).min(state.instructions);
        }
        for node in (1..least.len()).rev() {
            if let Some(parent) = frontier.tree.parent(NodeId::new(node)) {
                least[parent.index()] = least[parent.index()].min(least[node]);
            }
        }
        let is_wanted = !frontier.states.is_empty();
        Self {
            start: is_wanted.then(|| Box::new(start)),
            is_found: vec![false; frontier.states.len()],
            done: ResumedSummary {
                stored: frontier.states.len() as u64,
                ..ResumedSummary::default()
            },
            at_node,
            least,
            rebuilding: Vec::new(),
            search_began: None,
            batches_since_cut: None,
            beside: 0,
            frontier,
            tuning: tuning.clone(),
        }
    }

    /// The states on their way.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        let rebuilding = self.rebuilding.iter().map(|(state, _)| state);
        self.start.iter().chain(rebuilding).map(|state| &**state)
    }

    /// True if states are to be found now, before the search continues.
    fn is_due(&mut self, run: &dyn RunView) -> bool {
        if self.rebuilding.is_empty() {
            return false;
        }
        if self.done.found < self.tuning.resume_first as u64 {
            return true;
        }
        let now = run.clock().instructions;
        let began = *self.search_began.get_or_insert(now);
        let searched = (now - began).saturating_sub(self.beside);
        (self.beside as f64) < searched as f64 * self.tuning.resume_share
    }

    /// Continues the rebuilding of one state, to its next fork or to where it is to be.
    fn step(&mut self, run: &mut dyn RunView) {
        let Some((mut state, node)) = self.rebuilding.pop() else {
            return;
        };
        if self.arrive(&state, node) {
            self.done.found += 1;
            state.input.begins_objects = true;
            run.add_state(state);
            self.look_for_lost(run);
            return;
        }
        let before = run.clock().instructions;
        if state.pending_check.is_some() {
            match run.check_again(&mut state) {
                Some(true) => self.rebuilding.push((state, node)),
                Some(false) => self.look_for_lost(run),
                None => self.batches_since_cut = Some(0),
            }
            return;
        }
        let way = self.least[node.index()].saturating_sub(state.metrics.instructions);
        // A state that forks off within an instruction has not executed it.
        let most = way.max(1).min(run.instructions_left());
        if most == 0 {
            self.rebuilding.push((state, node));
            return;
        }
        let step = run.execute_again(&mut state, most);
        let executed = run.clock().instructions - before;
        self.done.instructions += executed;
        if self.search_began.is_some() {
            self.beside += executed;
        }
        let Some(step) = step else {
            self.batches_since_cut = Some(0);
            return;
        };
        match step {
            Step::Continue => self.go_on(state, node),
            Step::Forked(siblings) => self.fork(state, siblings, node),
            Step::Ended(_) | Step::Absent(_) => {}
        }
        self.look_for_lost(run);
    }

    /// True if the state is one of the searched ones, which then is found.
    fn arrive(&mut self, state: &State, node: NodeId) -> bool {
        let waits = Waits::of(state);
        let here = self.at_node.get(&node).into_iter().flatten();
        let found = here.copied().find(|place| {
            let goal = &self.frontier.states[*place];
            let has_come =
                waits != Waits::ForNothing || state.metrics.instructions == goal.instructions;
            !self.is_found[*place] && goal.waits == waits && has_come
        });
        found
            .inspect(|place| self.is_found[*place] = true)
            .is_some()
    }

    fn go_on(&mut self, state: Box<State>, node: NodeId) {
        if let Some(node) = self.frontier.tree.descend(node, &state.decisions) {
            self.rebuilding.push((state, node));
        }
    }

    fn fork(&mut self, state: Box<State>, siblings: Siblings, node: NodeId) {
        for state in siblings.into_iter().rev() {
            self.go_on(state, node);
        }
        self.go_on(state, node);
    }

    /// Counts the states that were not found as dropped once no state is being rebuilt. If the run
    /// ended before, they are left to another session.
    fn look_for_lost(&mut self, run: &mut dyn RunView) {
        if !self.rebuilding.is_empty() || self.batches_since_cut.is_some() {
            return;
        }
        for place in 0..self.is_found.len() {
            if !std::mem::replace(&mut self.is_found[place], true) {
                self.done.dropped += 1;
                run.note_dropped_path(point(&self.frontier.states[place], run.program()));
            }
        }
        self.frontier = Frontier::default();
        self.is_found = Vec::new();
    }
}

/// Returns the code location of a state.
fn point(state: &OpenState, program: &Program) -> ProgramPoint {
    ProgramPoint {
        function: state.function,
        block: block_of(program.function(state.function), state.pc),
        pc: state.pc,
    }
}

impl StateSource for Resumed {
    fn begin(&mut self, _run: &mut dyn RunView) -> Vec<Box<State>> {
        if let Some(mut state) = self.start.take() {
            // Nothing of it is another path's merit.
            state.input.begins_objects = true;
            self.rebuilding
                .push((state, crate::sources::checkpoint::DecisionTree::ROOT));
        }
        Vec::new()
    }

    fn before_choice(&mut self, run: &mut dyn RunView) -> Result<Next, WriteError> {
        if !self.is_due(run) || run.is_interrupted() {
            return Ok(Next::Search);
        }
        self.step(run);
        Ok(Next::Again)
    }

    fn refill(&mut self, run: &mut dyn RunView) -> bool {
        if !self.rebuilding.is_empty() {
            if !run.is_interrupted() {
                self.step(run);
            }
            return true;
        }
        let Some(batches) = &mut self.batches_since_cut else {
            return false;
        };
        *batches += 1;
        if *batches > MOST_BATCHES {
            // The run has not ended after all.
            self.batches_since_cut = None;
            self.look_for_lost(run);
        }
        true
    }

    fn waiting(&self) -> u64 {
        self.is_found.iter().filter(|is_found| !**is_found).count() as u64
    }

    fn take_down(&self, open: &mut Collector) {
        let numbered = self.frontier.states.iter().zip(&self.is_found);
        let waiting = numbered.filter(|(_, is_found)| !**is_found);
        open.adopt(&self.frontier.tree, waiting.map(|(state, _)| state));
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        self.states().for_each(visit);
    }

    fn finish(&mut self, statistics: &mut SourceStatistics) {
        statistics.resumed = Some(self.done);
    }
}
