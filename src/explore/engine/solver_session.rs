//! Interface of a run to the solver in addition to the executor's `Oracle`.

use homi_ir::util::clock::Moment;
use homi_report::SolverSummary;
use homi_solver::term::{ArrayId, Model, Terms};
use homi_solver::{Oracle, PathCondition, SolverStatistics};
use std::time::Duration;

/// An oracle that can also finish tests, be timed, and give memory back.
pub trait SolverSession: Oracle {
    /// A model of the path with the least value per byte in object order; `model`, which satisfies
    /// the path, is the answer of last resort.
    fn canonical_model(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        arrays: &[ArrayId],
        model: &Model,
    ) -> Model;
    /// Queries that start later, or are under way then, are given up.
    fn set_deadline(&mut self, deadline: Option<Moment>);
    /// Queries that start once `effort().work` has come so far are given up, and so are SMT
    /// queries that would go beyond.
    fn set_work_limit(&mut self, limit: Option<u64>);
    /// Returns true if an answer since the last call is missing or worse because the run is at its
    /// end.
    fn was_cut_off(&mut self) -> bool;
    /// Reports that the run has executed further instructions.
    fn note_executed(&mut self, instructions: u64);
    /// Time spent answering so far.
    fn time(&self) -> Duration;
    fn summary(&self) -> SolverSummary;
    /// Counters since the beginning.
    fn statistics(&self) -> SolverStatistics;
    /// Bytes of this process that answers take.
    fn memory(&self) -> usize;
    /// The SMT process, if one runs.
    fn child_process(&self) -> Option<u32>;
    /// Drops what can be computed again. Called before terms are swept: no term may be held
    /// afterwards.
    fn trim(&mut self);
}
