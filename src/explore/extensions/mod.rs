//! Extensions of the exploration loop: subsumption by interpolants, merging, canonical inputs,
//! re-execution, targets.
//!
//! An extension implements [`Extension`], whose hooks the loop calls, and has a row in
//! [`EXTENSIONS`]. It sees a narrow view of the run ([`ExtensionView`]), never the engine.

mod canonical_inputs;
pub mod merge;
mod re_execution;
mod registry;
pub mod subsume;
pub mod targets;
mod view;

pub use registry::{EXTENSIONS, ExtensionMaker, ExtensionRow, ExtensionStart, extensions_of};
pub use view::{ExtensionView, Lent};

use crate::search::StateId;
use homi_machine::exec::{Absent, Step, Termination};
use homi_machine::state::State;
use homi_native::testcase::WriteError;
use homi_report::SubsumptionSummary;
use homi_solver::term::Term;

/// Decision on the batch of a selected state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Batch {
    /// The state runs, unless another extension decides otherwise.
    Runs,
    /// The state runs as with `Runs`, after solver work, in nanoseconds of counted work, that
    /// counts as work of its batch.
    RunsAfter(u64),
    /// The batch is over: the state has been removed, or the batch was spent on it.
    Over,
    /// The pending side of the state is infeasible or unknown: the state is removed.
    Absent(Absent),
}

/// Result of a batch, before the engine handles it.
pub struct Ran<'t> {
    pub id: StateId,
    /// Fingerprint of the path's decisions before the batch.
    pub decisions_before: u64,
    /// Number of instructions of the batch.
    pub instructions: u64,
    /// Step that ended the batch; siblings in it have no number yet.
    pub step: &'t mut Step,
}

/// Reason why a state is removed from the run.
#[derive(Clone, Copy, Debug)]
pub enum Leaving<'t> {
    /// Its path ended, or was dropped at its position.
    Ended(&'t Termination),
    /// Its path is not explored any further.
    Dropped,
    /// Its pending side was infeasible or unknown.
    Absent(Absent),
}

/// Statistics of the extensions of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExtensionStatistics {
    /// Executions that left their predicted path; `None` without re-execution.
    pub divergences: Option<u64>,
    /// States that were merged into others; `None` without merging.
    pub merged: Option<u64>,
    /// Statistics of subsumption; `None` without it.
    pub subsumption: Option<SubsumptionSummary>,
}

/// Extension of the exploration loop. Each thread of a run has its instance, which lives as long as
/// the run, including suspensions. The loop calls the hooks in the order of the registry, but `ran`
/// in reverse order.
///
/// Invariant: while a hook that receives the run executes, the run has no extensions, so no
/// extension observes the effects of another one at that time.
pub trait Extension {
    /// Decides whether a selected state runs.
    fn before_batch(
        &mut self,
        _id: StateId,
        _run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        Ok(Batch::Runs)
    }

    /// Inspects a batch that a state has run; the state still exists, however the batch ended.
    fn ran(&mut self, _ran: &mut Ran<'_>, _run: &mut dyn ExtensionView) {}

    /// Inspects a state that covered code that no earlier run of the session covered, or ended in a
    /// new bug.
    fn shows_new(&mut self, _state: &State, _run: &mut dyn ExtensionView) {}

    /// Inspects a state that enters the run without a fork.
    fn begun(&mut self, _state: &mut State) {}

    /// Inspects a state that was forked from another one and has this number in the run.
    fn forked(&mut self, _parent: StateId, _id: StateId, _state: &State) {}

    /// Runs after the batch of a state, which may have been removed.
    fn after_batch(
        &mut self,
        _ran: StateId,
        _run: &mut dyn ExtensionView,
    ) -> Result<(), WriteError> {
        Ok(())
    }

    /// Inspects a state that is removed from the run for good.
    fn left(&mut self, _state: &State, _leaving: Leaving<'_>, _run: &mut dyn ExtensionView) {}

    /// Returns the state that runs next, if this extension overrides the searcher.
    fn next(&mut self, _run: &mut dyn ExtensionView) -> Option<StateId> {
        None
    }

    /// Gives states to the searcher, which has none left. Returns true if there were some.
    fn refill(&mut self, _run: &mut dyn ExtensionView) -> bool {
        false
    }

    /// Returns the states that this extension has taken to the run, which stops or drops states.
    fn release(&mut self, _run: &mut dyn ExtensionView) {}

    /// Runs when the run stops.
    fn end(&mut self, run: &mut dyn ExtensionView) {
        self.release(run);
    }

    /// Resets the statistics when the run resumes after a suspension.
    fn resumed(&mut self) {}

    /// Frees memory that this extension does not need.
    fn trim(&mut self) {}

    /// Visits every state of this extension that is not among the run's states; their terms are
    /// kept.
    fn visit_states(&self, _visit: &mut dyn FnMut(&State)) {}

    /// Visits every other term that this extension keeps.
    fn visit_terms(&self, _visit: &mut dyn FnMut(Term)) {}

    /// Adds the statistics of this extension, at the end of the run or during it.
    fn add_statistics(&self, _statistics: &mut ExtensionStatistics) {}
}
