//! Files that a run writes at its end in addition to tests: the summary and others.

use super::exploration::{Exploration, FirstThread};
use super::explore::Explored;
use super::provisional_tests::remove_provisional;
use super::targets;
use homi_config::{Forks, RunConfig};
use homi_explore::engine::{
    CheckpointTotals, Outcome, PruneEvent, SolverSession, StopReason, underapproximation_summary,
};
use homi_ir::program::Program;
use homi_report::{CoverageSummary, MemorySummary, RunLine, SUMMARY_SCHEMA, Summary};

impl Exploration<'_> {
    /// The statistics of the run.
    pub(super) fn summary(&self, explored: &Explored, first: &FirstThread<'_>) -> Summary {
        let (solver, executor) = (&first.solver, &first.executor);
        let mut summary = summarise(
            &self.config,
            &self.loaded.program,
            &explored.outcome,
            solver,
        );
        // The outcome's time is the time on the run's clock.
        summary.wall_s = self.plan.times.began.elapsed().as_secs_f64();
        for other in &explored.other_solvers {
            summary.solver.add(other);
        }
        summary.instructions = summary.instructions.saturating_sub(self.before_main);
        if let Some(resumption) = &self.loaded.resumption {
            add_earlier(&mut summary, &resumption.checkpoint_totals);
            let mut underapproximations = explored.outcome.underapproximations.clone();
            underapproximations.add(&resumption.checkpoint_totals.underapproximations);
            let places = underapproximations.places(&self.loaded.program).into_iter();
            summary.underapproximations = places.map(underapproximation_summary).collect();
        }
        summary.states_mean = explored.states_mean;
        summary.campaign = explored.campaign.clone();
        summary.concolic = explored.concolic.clone();
        summary.memory = self.recorder.lock().memory();
        summary.hot_lines = self.recorder.lock().hot_lines(&self.loaded.program);
        summary.targets = targets::summaries(&self.config, executor, &explored.outcome);
        summary
    }

    /// Removes provisional tests of earlier sessions once every path has ended.
    pub(super) fn tidy(&self, reason: &StopReason, summary: &mut Summary) {
        if self.loaded.resumption.is_none() || !reason.is_exhausted() {
            return;
        }
        match remove_provisional(self.output.directory.path()) {
            Ok(removed) => summary.tests = summary.tests.saturating_sub(removed),
            Err(error) => {
                let text =
                    format!("cannot remove the provisional tests of an earlier session: {error}");
                self.output.log.lock().warning(&text);
            }
        }
    }

    /// Ends the files of queries and of the profile. The run is over and its tests are written: a
    /// file that is missing or incomplete is not a reason to fail.
    pub(super) fn finish_recordings(&self, first: &mut FirstThread<'_>) {
        if let Some(path) = &self.config.queries {
            let shown = path.display();
            match first.solver.finish_recording() {
                Ok(count) => self
                    .output
                    .log
                    .lock()
                    .message(&format!("{shown} has {count} queries")),
                Err(error) => {
                    let text = format!("the queries in {shown} are incomplete: {error}");
                    self.output.log.lock().warning(&text);
                }
            }
        }
        if let Err(error) = first.solver.finish_query_logs() {
            let text = format!("the query logs are incomplete: {error}");
            self.output.log.lock().warning(&text);
        }
        let segments = first.executor.segments();
        let profile = self
            .recorder
            .lock()
            .write_callgrind(&self.loaded.program, segments);
        if let Err(error) = profile {
            let text = format!("cannot write the profile: {error}");
            self.output.log.lock().warning(&text);
        }
    }
}

/// Adds the statistics of earlier sessions of the directory. Counts of paths include them already.
fn add_earlier(summary: &mut Summary, earlier: &CheckpointTotals) {
    summary.wall_s += earlier.wall_s;
    summary.cpu_s += earlier.cpu_s;
    summary.instructions += earlier.instructions;
    summary.work += earlier.work;
    summary.states_peak = summary.states_peak.max(earlier.states_peak);
    summary.solver.add(&earlier.solver);
}

/// A run outside of a campaign as a line of `learning.jsonl`.
pub(super) fn run_line(config: &RunConfig, outcome: &Outcome) -> RunLine {
    let samples = &outcome.extras.samples;
    RunLine {
        run: 1,
        policy: config
            .prune
            .as_ref()
            .map_or("none", |prune| prune.pruner.as_str())
            .to_string(),
        budget: config.budget.time.amount(),
        budget_unit: config.budget.time.unit().to_string(),
        wall_s: outcome.wall.as_secs_f64(),
        stop_reason: outcome.reason.name().to_string(),
        instructions: outcome.instructions,
        work: outcome.work,
        run_tests: outcome.results.tests(),
        run_files: outcome.results.tests(),
        new_branches: outcome.totals.branches,
        branches: outcome.totals.branches,
        branches_total: outcome.totals.branches_total,
        states_each_second: samples.iter().map(|sample| sample.states as u64).collect(),
        branches_each_second: samples.iter().map(|sample| sample.branches).collect(),
        branches_by_execution: outcome.extras.growth.clone(),
        states_peak: outcome.states_peak,
        states_pruned: outcome.results.tally.paths.pruned,
        prune_events: outcome
            .extras
            .prune_events
            .iter()
            .map(PruneEvent::line)
            .collect(),
        ..RunLine::default()
    }
}

pub(super) fn mean(numbers: &[u64]) -> f64 {
    numbers.iter().sum::<u64>() as f64 / numbers.len().max(1) as f64
}

pub(super) fn summarise(
    config: &RunConfig,
    program: &Program,
    outcome: &Outcome,
    solver_session: &dyn SolverSession,
) -> Summary {
    let heuristics = config.search.heuristics.iter();
    Summary {
        schema: SUMMARY_SCHEMA,
        program: program.name.clone(),
        args: config.program.arguments.clone(),
        search: heuristics.map(|one| one.name().to_string()).collect(),
        prune: match config.campaign.as_ref().map(|campaign| campaign.kind) {
            Some(kind) if kind.prunes() => kind.name(),
            Some(_) => "none",
            None => config.prune.as_ref().map_or("none", |prune| &prune.pruner),
        }
        .to_string(),
        seed: config.search.seed,
        stop_reason: outcome.reason.name().to_string(),
        wall_s: outcome.wall.as_secs_f64(),
        cpu_s: outcome.cpu_seconds,
        instructions: outcome.instructions,
        paths: outcome.results.tally.paths,
        tests: outcome.results.tests(),
        states_peak: outcome.states_peak,
        memory_peak_bytes: outcome.memory_peak,
        coverage: CoverageSummary {
            branches: outcome.totals.branches,
            branches_total: outcome.totals.branches_total,
            instructions: outcome.totals.instructions,
            instructions_total: outcome.totals.instructions_total,
        },
        solver: solver_session.summary(),
        errors: outcome.results.errors(),
        unsupported: outcome.results.tally.unsupported(program),
        exit_statuses: outcome
            .results
            .tally
            .exit_statuses
            .iter()
            .map(|(status, count)| (status.to_string(), *count))
            .collect(),
        found_by: outcome.results.found_by(),
        states_mean: 0.0,
        clock: config.budget.clock.name().to_string(),
        threads: config.threads as u64,
        campaign: None,
        memory: MemorySummary::default(),
        hot_lines: Vec::new(),
        fuzzing: outcome.extras.sources.fuzzing,
        seeds: outcome.extras.sources.seeds,
        resumed: outcome.extras.sources.resumed,
        swapped: outcome
            .extras
            .sources
            .swapped_out
            .filter(|swapped| swapped.out != 0),
        pending: (config.symbolic.forks == Forks::Lazy).then_some(outcome.results.tally.pending),
        concolic: None,
        subsumption: outcome.extras.extensions.subsumption.clone(),
        merged: outcome.extras.extensions.merged,
        underapproximations: outcome
            .underapproximations
            .places(program)
            .into_iter()
            .map(underapproximation_summary)
            .collect(),
        model_limitations: outcome
            .limits
            .iter()
            .map(|limit| limit.name().to_string())
            .collect(),
        work: outcome.work,
        targets: Vec::new(),
        outcomes: None,
        confirmations: None,
        verdict: None,
    }
}
