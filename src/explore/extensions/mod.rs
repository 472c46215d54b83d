//! What runs beside the loop: subsumption by interpolants, merging, least inputs, re-execution,
//! targets.
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

use crate::explore::search::StateId;
use crate::machine::exec::{Absent, Step, Termination};
use crate::machine::state::State;
use crate::native::testcase::WriteError;
use crate::report::SubsumptionSummary;
use crate::solver::term::Term;

/// What becomes of the batch of a state that was chosen to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Batch {
    /// The state runs, unless another extension says otherwise.
    Runs,
    /// The state runs as above; that it may took the solver so much work, in nanoseconds, counted,
    /// which is its batch's.
    RunsAfter(u64),
    /// The batch is over: the state has left, or the batch was spent on it.
    Over,
    /// The state was pending, and there is no such path, or nobody knows: it leaves.
    Absent(Absent),
}

/// A batch that a state has run, before anything follows from it.
pub struct Ran<'t> {
    pub id: StateId,
    /// The fingerprint of the decisions of its path before the batch.
    pub decisions_before: u64,
    /// Instructions of the batch.
    pub instructions: u64,
    /// Siblings in it have no number yet.
    pub step: &'t mut Step,
}

/// Why a state leaves the run.
#[derive(Clone, Copy, Debug)]
pub enum Leaving<'t> {
    /// Its path came to its end, or was given up where it stood.
    Ended(&'t Termination),
    /// Nobody follows its path any more.
    Dropped,
    /// It was pending, and there is no such path, or nobody knows.
    Absent(Absent),
}

/// What the extensions of a run have come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExtensionStatistics {
    /// Present if executions began at the program's start: how many left their predicted path.
    pub divergences: Option<u64>,
    /// Present if paths were merged: how many went on as one with another.
    pub merged: Option<u64>,
    /// Present if paths that can do nothing new were not followed.
    pub subsumption: Option<SubsumptionSummary>,
}

/// Something that runs beside the loop. Each thread of a run has its own, which lives as long as
/// the run, also where that is suspended meanwhile. The hooks are called in the order of the
/// registry, `ran` in reverse: the last that was asked before a batch is the first to hear of it.
///
/// Invariant: while a hook runs that is given the run, the run has no extensions, so none hears of
/// what another one does in that moment.
pub trait Extension {
    /// A state was chosen and is about to run.
    fn before_batch(
        &mut self,
        _id: StateId,
        _run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        Ok(Batch::Runs)
    }

    /// A state has run for a batch, and is still there however that ended.
    fn ran(&mut self, _ran: &mut Ran<'_>, _run: &mut dyn ExtensionView) {}

    /// A state covered something first that no earlier run of the session has covered, or ended in
    /// a bug that is new.
    fn shows_new(&mut self, _state: &State, _run: &mut dyn ExtensionView) {}

    /// A state that no fork has made comes into the run.
    fn begun(&mut self, _state: &mut State) {}

    /// A state has split off from another one, and belongs to the run under this number.
    fn forked(&mut self, _parent: StateId, _id: StateId, _state: &State) {}

    /// The batch of this state is over; the state may have left.
    fn after_batch(
        &mut self,
        _ran: StateId,
        _run: &mut dyn ExtensionView,
    ) -> Result<(), WriteError> {
        Ok(())
    }

    /// A state leaves the run for good.
    fn left(&mut self, _state: &State, _leaving: Leaving<'_>, _run: &mut dyn ExtensionView) {}

    /// The state that runs next whatever the search would choose, if there is one.
    fn next(&mut self, _run: &mut dyn ExtensionView) -> Option<StateId> {
        None
    }

    /// The search knows of no state. True if this extension gave it some.
    fn refill(&mut self, _run: &mut dyn ExtensionView) -> bool {
        false
    }

    /// States that this extension has taken go back to the run, which stops or gives states up.
    fn release(&mut self, _run: &mut dyn ExtensionView) {}

    /// The run stops.
    fn end(&mut self, run: &mut dyn ExtensionView) {
        self.release(run);
    }

    /// The run goes on after it was suspended: statistics begin anew.
    fn resumed(&mut self) {}

    /// Memory is short: what this extension can do without goes.
    fn trim(&mut self) {}

    /// Shows every state of this extension that is not one of the run's; their terms are kept.
    fn visit_states(&self, _visit: &mut dyn FnMut(&State)) {}

    /// Shows every term of this extension that is kept beside those of states.
    fn visit_terms(&self, _visit: &mut dyn FnMut(Term)) {}

    /// Adds what this extension has come to. Asked while the run goes on, too.
    fn add_statistics(&self, _statistics: &mut ExtensionStatistics) {}
}
