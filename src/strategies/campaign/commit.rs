//! Learning from a finished run, and its records.
//!
//! Invariant: a committed run is in D, in the store and in `learning.jsonl`, whatever stopped it.

use super::arm::Arm;
use super::looping::Campaign;
use super::progress::{CampaignProgress, Ending};
use super::repeated_prefix::RepeatedPrefix;
use super::slices::Ran;
use super::task::Task;
use super::test_features::LearnedTest;
use super::worker::Worker;
use homi_config::{CampaignKind, Usage};
use homi_explore::engine::{Outcome, PathResults, PruneEvent, StopReason};
use homi_explore::prune::learn::{Event, FeatureId};
use homi_ir::util::clock::Moment;
use homi_machine::exec::Underapproximation;
use homi_native::testcase::WriteError;
use homi_report::{self as report, AddUp, CampaignCosts, PruneLine, RunLine};
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Finished run: its outcome, its duration and the time of learning.
struct Ended {
    outcome: Outcome,
    wall: Duration,
    learning: Duration,
    repeated: RepeatedPrefix,
    run_tests: u64,
    run_files: u64,
    /// Number of branches that other runs covered before this run was committed.
    known_branches: u64,
    /// Symbolic arguments of its input layout; empty for the program's given arguments.
    layout: String,
}

/// Results of learning from a run's tests.
struct Learned {
    tests: u64,
    files: u64,
    known_branches: u64,
    stored: io::Result<()>,
}

impl Campaign<'_> {
    /// Books a worker's run: learns from it and checks if the campaign ends. Returns the worker's
    /// results.
    pub(super) fn commit(
        &self,
        worker: &mut Worker<'_, '_>,
        task: Task,
        mut outcome: Outcome,
    ) -> PathResults {
        let wall = task.before.start.elapsed();
        // The deadline of the run may have set the flag again.
        if !worker.bench.signals.ask_to_stop() {
            worker
                .bench
                .signals
                .interrupt
                .store(false, Ordering::Relaxed);
        }
        let mut progress = self.visit(worker.number);
        let sources = &outcome.extras.sources;
        if let (Some(limit), Some(done)) = (task.seeds.given, sources.seeds) {
            progress.given.note(limit, done, &sources.seeds_left);
        }
        let learning = Moment::now();
        let learned = self.learn(&mut progress, worker, &task, &mut outcome);
        let ended = Ended {
            outcome,
            wall,
            learning: learning.elapsed(),
            repeated: worker.repeated.finish_run(),
            run_tests: learned.tests,
            run_files: learned.files,
            known_branches: learned.known_branches,
            layout: self.layout_text(task.arm),
        };
        let results = self.account(&mut progress, worker, &task, ended, learned.stored);
        self.wakeup.notify_all();
        results
    }

    /// True if the unpruned run is suspended between its time slices.
    pub(super) fn keeps_unpruned(&self) -> bool {
        self.options.unpruned_run || self.options.keep_unpruned_run
    }

    /// Adds the run to D and to the store, and learns.
    fn learn(
        &self,
        progress: &mut CampaignProgress<'_>,
        worker: &mut Worker<'_, '_>,
        task: &Task,
        outcome: &mut Outcome,
    ) -> Learned {
        let mut record = task.plan.record.clone();
        record.events = outcome
            .extras
            .prune_events
            .iter()
            .map(|event| Event {
                weights: event.weights.clone(),
                ratio: event.ratio_index,
            })
            .collect();
        let mut tests = worker.features.finish_run();
        worker.selector.begin_run();
        let known_conditions = progress.conditions.len();
        let own = &mut *worker.recogniser.lock();
        let numbers = own.number_in(task.before.conditions, &mut progress.conditions);
        numbers.renumber(tests.iter_mut().map(|test| &mut test.features));
        if progress.order.workers() > 1 {
            progress.show_others(worker.number, &tests);
        }
        let native = self.replay_natively(progress, &tests);
        let count = tests.len() as u64;
        let files = tests.iter().filter(|test| test.file.is_some()).count() as u64;
        let known_branches = progress.totals().branches;
        let mut line = progress.data.add_run(
            record,
            tests,
            &outcome.observer,
            &progress.conditions,
            known_conditions,
            native,
        );
        line.underapproximations = outcome.underapproximations.clone();
        let stored = progress.store.append(&line);
        if self.options.kind == CampaignKind::Homi {
            progress.data.learn(self.options);
        }
        Learned {
            tests: count,
            files,
            known_branches,
            stored,
        }
    }

    /// Books the run and writes its line of `learning.jsonl`. A failed write stops the campaign.
    fn account(
        &self,
        progress: &mut CampaignProgress<'_>,
        worker: &mut Worker<'_, '_>,
        task: &Task,
        ended: Ended,
        stored: io::Result<()>,
    ) -> PathResults {
        let (arm, before) = (task.arm, &task.before);
        let line = line(self.start, progress, worker, task, &ended);
        let mut outcome = ended.outcome;
        let paths = outcome.results.tally.paths;
        // The run is complete if no path was pruned or dropped, except at unsupported features.
        let mut whole = paths.pruned == before.pruned && paths.early == before.early;
        let sums = &mut progress.sums;
        sums.add(&line);
        sums.memory_peak = sums.memory_peak.max(outcome.memory_peak);
        sums.underapproximations.add(&outcome.underapproximations);
        sums.subsumption
            .add_up(&outcome.extras.extensions.subsumption);
        progress.pruned_runs += u64::from(task.plan.record.budget.is_some());
        let usage = Usage {
            time: before.start.elapsed(),
            instructions: outcome.instructions,
            work: outcome.work,
        };
        let usage = task.plan.span.reading(usage).amount();
        progress.order.finish(worker.number, usage);
        let mut goes_on = false;
        let waiting = match arm {
            Arm::Pruned | Arm::WithLayout(_) => None,
            Arm::ConcolicRun => worker
                .waiting
                .single
                .as_ref()
                .map(|waiting| waiting.paths()),
            Arm::Unpruned => {
                let over = self.note_part(progress, worker, task, &mut outcome, whole);
                goes_on = over == PartOver::OthersGoOn;
                whole |= over == PartOver::All;
                progress.parts.waiting()
            }
        };
        goes_on |= worker
            .waiting
            .place(arm)
            .is_some_and(|place| place.is_some());
        progress.scheduler.note(Ran {
            arm,
            new_branches: line.new_branches,
            usage,
            waiting,
        });
        let fuzzed = line.fuzzing.map_or(0, |done| done.instructions);
        let events = outcome.results.events();
        events.emit(|| report::Event::RunEnded(Box::new(line)));
        let missing = events.take_missing();
        let reason = match (stored, missing) {
            (Err(source), _) => progress.not_stored(source),
            (Ok(()), Some(missing)) => StopReason::WriteFailed(WriteError {
                path: missing.output.into(),
                source: missing.error,
            }),
            (Ok(()), None) => outcome.reason,
        };
        let executed = outcome.instructions + fuzzed;
        let has_any = |kinds: [Underapproximation; 2]| {
            let underapproximations = &outcome.observer.underapproximations;
            kinds.into_iter().any(|kind| underapproximations.has(kind))
        };
        // An earlier slice may have dropped paths.
        whole &= !has_any([Underapproximation::Memory, Underapproximation::Pruned]);
        let may_know_more = has_any([Underapproximation::Unknown, Underapproximation::SolverLimit]);
        if let Some(reason) = verdict(reason, whole, may_know_more, executed, goes_on)
            && let Some(reason) = progress.over_for_all_layouts(arm, reason)
        {
            progress.end(Ending {
                reason,
                observer: Some(outcome.observer),
            });
            self.stop_workers();
        }
        outcome.results
    }

    /// Records the state of the unpruned run's parts after a slice of one of them.
    fn note_part(
        &self,
        progress: &mut CampaignProgress<'_>,
        worker: &mut Worker<'_, '_>,
        task: &Task,
        outcome: &mut Outcome,
        whole: bool,
    ) -> PartOver {
        let mut given = worker.cut_off();
        // The run can no longer show that all paths were explored.
        if self.options.unpruned_run && !whole {
            worker.waiting.unpruned = None;
            given.clear();
            progress.parts.lose();
        }
        let waiting = worker
            .waiting
            .unpruned
            .as_ref()
            .map(|waiting| waiting.paths());
        let several = progress.parts.are_several() || !given.is_empty();
        progress
            .parts
            .note(worker.number, waiting, &task.receivers, given);
        let no_states = matches!(
            outcome.reason,
            StopReason::Exhausted(_)
                | StopReason::ExhaustedUnderapproximated
                | StopReason::NoStatesLeft
        );
        if !several || !no_states || waiting.is_some() {
            return PartOver::No;
        }
        match progress.parts.settle(&outcome.observer.underapproximations) {
            Some((reason, underapproximations)) => {
                outcome.reason = reason;
                outcome.observer.underapproximations = underapproximations;
                PartOver::All
            }
            None => PartOver::OthersGoOn,
        }
    }

    /// Returns B(t) of each test by native replay, if the option requests it. A failed replay
    /// leaves its test without branches; the first failure is reported as a warning.
    fn replay_natively(
        &self,
        progress: &mut CampaignProgress<'_>,
        tests: &[LearnedTest],
    ) -> Option<Vec<Vec<u32>>> {
        let native = progress.native.as_mut()?;
        let bytes: Vec<&[u8]> = tests
            .iter()
            .map(|test| test.ktest.as_deref().unwrap_or_default())
            .collect();
        if bytes.is_empty() {
            return Some(Vec::new());
        }
        Some(native.branches(&bytes).unwrap_or_else(|error| {
            let text = format!(
                "native replays failed, so the campaign learns nothing from their \
                 tests: {error}"
            );
            self.log.lock().warning_once("native replays", &text);
            vec![Vec::new(); tests.len()]
        }))
    }
}

/// State of a worker's part of the unpruned run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PartOver {
    /// The part continues, or it is the whole run.
    No,
    /// The part is over; other parts continue, or one dropped paths.
    OthersGoOn,
    /// All parts are over.
    All,
}

/// Returns the reason why the campaign ends after a run; `None` if it continues. `whole`: the run
/// dropped no path except at unsupported features. `may_know_more`: the solver may answer timed-out
/// queries with more time. `goes_on`: the run was suspended, or other workers continue parts of it.
fn verdict(
    reason: StopReason,
    whole: bool,
    may_know_more: bool,
    executed: u64,
    goes_on: bool,
) -> Option<StopReason> {
    match reason {
        StopReason::Exhausted(_)
        | StopReason::ExhaustedUnderapproximated
        | StopReason::NoStatesLeft
            if goes_on =>
        {
            None
        }
        StopReason::Exhausted(_) => Some(reason),
        // The next run would concretize at the same code locations.
        StopReason::ExhaustedUnderapproximated if !may_know_more => Some(reason),
        // The next run would meet the same unsupported features.
        StopReason::NoStatesLeft if whole && !may_know_more => Some(reason),
        StopReason::MaxInstructions
        | StopReason::MaxTests
        | StopReason::MaxRuns
        | StopReason::TargetsReached
        | StopReason::SeedsFollowed
        | StopReason::InputSizeMismatch(_)
        | StopReason::Interrupted
        | StopReason::ErrorFound
        | StopReason::WriteFailed(_) => Some(reason),
        StopReason::ExhaustedUnderapproximated
        | StopReason::NoStatesLeft
        | StopReason::MaxTime
        | StopReason::OutOfMemory => match executed {
            // A slice may execute nothing, for example after it took over states.
            0 if goes_on => None,
            // A run that executes nothing would repeat forever.
            0 if reason.is_exhausted() => Some(reason),
            0 => Some(StopReason::NoStatesLeft),
            _ => None,
        },
    }
}

/// Returns the statistics of a finished run.
fn line(
    start: Moment,
    progress: &CampaignProgress<'_>,
    worker: &Worker<'_, '_>,
    task: &Task,
    ended: &Ended,
) -> RunLine {
    let (plan, before) = (&task.plan, &task.before);
    let (outcome, data) = (&ended.outcome, &progress.data);
    let (results, samples) = (&outcome.results, &outcome.extras.samples);
    let text = |id: &FeatureId| progress.conditions.condition(*id).to_string();
    let events = outcome.extras.prune_events.iter();
    let events: Vec<PruneLine> = events.map(PruneEvent::line).collect();
    let started = before.start.saturating_duration_since(start);
    let totals = progress.totals();
    let fuzzing = worker.fuzzing_done();
    RunLine {
        run: before.number + 1,
        policy: plan.name.to_string(),
        symbolic_args: ended.layout.clone(),
        thread: worker.number as u64,
        budget: plan.span.amount(),
        budget_unit: plan.span.unit().to_string(),
        started_s: started.as_secs_f64(),
        wall_s: ended.wall.as_secs_f64(),
        stop_reason: outcome.reason.name().to_string(),
        instructions: outcome.instructions,
        work: outcome.work,
        features: plan.record.features.iter().map(text).collect(),
        good_tests: data.good as u64,
        data_tests: data.data.tests.len() as u64,
        run_tests: ended.run_tests,
        run_files: ended.run_files,
        new_branches: totals.branches - ended.known_branches,
        branches: totals.branches,
        branches_total: totals.branches_total,
        states_each_second: samples.iter().map(|sample| sample.states as u64).collect(),
        branches_each_second: samples.iter().map(|sample| sample.branches).collect(),
        branches_by_execution: Vec::new(),
        states_peak: outcome.states_peak,
        states_pruned: results.tally.paths.pruned - before.pruned,
        repeated: ended.repeated.line(),
        seeds: outcome.extras.sources.seeds,
        fuzzing: fuzzing.map(|done| done.since(before.fuzzing)),
        costs: CampaignCosts {
            // The sum of no numbers is -0.0.
            selection_s: events.iter().map(|event| event.selection_s).sum::<f64>() + 0.0,
            pruning_s: events.iter().map(|event| event.pruning_s).sum::<f64>() + 0.0,
            learning_s: ended.learning.as_secs_f64(),
            completion_instructions: results.tally.completion_instructions - before.completions,
        },
        prune_events: events,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the campaign ends after a run without states.
    fn without_states(whole: bool, may_know_more: bool, executed: u64, goes_on: bool) -> bool {
        let reason = StopReason::NoStatesLeft;
        verdict(reason, whole, may_know_more, executed, goes_on).is_some()
    }

    #[test]
    fn a_run_without_states_ends_the_campaign_if_the_next_would_end_alike() {
        assert!(without_states(true, false, 9, false));
        assert!(!without_states(false, false, 9, false), "it made room");
        assert!(!without_states(true, true, 9, false), "the solver gave up");
        assert!(
            !without_states(true, false, 9, true),
            "others go on with parts"
        );
        assert!(without_states(false, true, 0, false), "endless others");
        let slice = |goes_on| verdict(StopReason::MaxTime, true, false, 0, goes_on).is_some();
        assert!(!slice(true) && slice(false), "it has taken states over");
        let underapproximations = || StopReason::ExhaustedUnderapproximated;
        assert!(verdict(underapproximations(), true, false, 9, false).is_some());
        assert!(verdict(underapproximations(), true, true, 9, false).is_none());
        assert!(verdict(underapproximations(), true, false, 9, true).is_none());
    }
}
