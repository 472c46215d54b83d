//! The solver's chain as the engine's prover.

use super::solver_session::SolverSession;
use homi_ir::util::clock::Moment;
use homi_report::{LayerDetail, LayerSummary, SolverSummary};
use homi_solver::term::{ArrayId, Model, Terms};
use homi_solver::{Layer, Oracle, PathCondition, Solver, SolverStatistics};
use std::time::Duration;

impl SolverSession for Solver {
    fn canonical_model(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        arrays: &[ArrayId],
        model: &Model,
    ) -> Model {
        Solver::canonical_model(self, terms, path, arrays, model)
    }

    fn set_deadline(&mut self, deadline: Option<Moment>) {
        Solver::set_deadline(self, deadline);
    }

    fn set_work_limit(&mut self, limit: Option<u64>) {
        Solver::set_work_limit(self, limit);
    }

    fn was_cut_off(&mut self) -> bool {
        Solver::was_cut_off(self)
    }

    fn note_executed(&mut self, instructions: u64) {
        Solver::note_executed(self, instructions);
    }

    fn time(&self) -> Duration {
        self.effort().time
    }

    fn summary(&self) -> SolverSummary {
        let statistics = self.statistics();
        let [rewrite, model, domain, cache, smt] = statistics.by_layer().map(|layer| layer.1);
        SolverSummary {
            queries: statistics.queries,
            by_layer: LayerSummary {
                rewrite,
                model,
                domain,
                cache,
                smt,
            },
            time_s: statistics.time.as_secs_f64(),
            timeouts: statistics.timeouts,
            layers: Layer::ALL
                .into_iter()
                .map(|layer| LayerDetail {
                    name: layer.name().to_string(),
                    answered: statistics.layer(layer).answered,
                    time_s: statistics.layer(layer).time.as_secs_f64(),
                })
                .collect(),
        }
    }

    fn statistics(&self) -> SolverStatistics {
        Solver::statistics(self)
    }

    fn memory(&self) -> usize {
        Solver::memory(self)
    }

    fn child_process(&self) -> Option<u32> {
        Solver::child_process(self)
    }

    fn trim(&mut self) {
        self.memory_trim();
    }
}
