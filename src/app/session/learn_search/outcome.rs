//! Results of a learning session: the file of weights, statistics, the last lines on the terminal.
//!
//! Invariant: the file of weights is the same for equal requests. Statistics that depend on the
//! machine, or on the distribution of trials over sessions and threads, are in `summary.json` of
//! the directory next to it.

use super::super::SessionError;
use super::worker::Stopped;
use homi_config::{LearnSearchConfig, RunConfig};
use homi_report::OutputDirectory;
use homi_strategies::weights::features::{BRANCH, Preferences, ProgramMark, Weights, WeightsFile};
use homi_strategies::weights::learn_search::{Branches, Finished, Learned, Usage};
use serde_json::json;
use std::path::PathBuf;

/// Result of learning.
#[derive(Debug)]
pub struct LearnReport {
    /// File of the weights.
    pub output: PathBuf,
    /// The directory next to the weights.
    pub directory: PathBuf,
    /// Branches that the best weights reached.
    pub branches: Branches,
    /// The round that found them.
    pub round: u32,
    /// True if the algorithm ran to its end.
    pub is_complete: bool,
    /// Cost of this session.
    pub usage: Usage,
    /// Seconds of this session.
    pub seconds: f64,
    /// The last lines on the terminal.
    pub text: String,
}

impl LearnReport {
    /// Returns the result of trials that another machine drew.
    pub(super) fn of_job(learn: &LearnSearchConfig, directory: &std::path::Path) -> Self {
        Self {
            output: learn.output.clone(),
            directory: directory.to_path_buf(),
            branches: Branches::default(),
            round: 0,
            is_complete: false,
            usage: Usage::default(),
            seconds: 0.0,
            text: String::new(),
        }
    }
}

/// Writes what was learned.
pub(super) fn conclude(
    learn: &LearnSearchConfig,
    config: &RunConfig,
    mark: ProgramMark,
    directory: &OutputDirectory,
    finished: Finished,
    stopped: Stopped,
) -> Result<LearnReport, SessionError> {
    let ended = match stopped {
        _ if finished.is_complete => "converged",
        Stopped::MaxTime => "max-time",
        Stopped::OutOfMemory => "out-of-memory",
        Stopped::AtEnd => "interrupted",
    };
    let Some(best) = finished.best.clone() else {
        return Err(match finished.failure {
            Some(error) => error.into(),
            None => SessionError::Request(nothing_ended(ended, learn)),
        });
    };
    let weights = Weights::new(&BRANCH, best.weights.to_vec())?;
    let mut file = WeightsFile::of(&weights);
    file.program = Some(mark);
    let (trials, executions) = finished.totals;
    file.statistics = json!({
        "ended": ended,
        "branches": best.branches,
        "one_run": best.branches.is_one_run(),
        "round": best.round,
        "rounds": finished.rounds.len(),
        "trials": trials,
        "executions": executions,
        "max_runs": learn.executions,
        "samples": learn.samples,
        "best": learn.best,
        "check": learn.trials,
        "seed": config.search.seed,
        "arguments": config.program.arguments,
    });
    file.history = finished
        .rounds
        .iter()
        .map(|round| round.to_value())
        .collect();
    file.write(&learn.output)?;
    let seconds = finished.time.as_secs_f64();
    let summary = json!({
        "ended": ended,
        "seconds": seconds,
        "this_session": finished.usage,
    });
    directory.write("summary.json", &format!("{summary:#}\n"))?;
    if let Some(error) = finished.failure {
        return Err(error.into());
    }
    let lines = LastLines {
        learn,
        ended,
        best: &best,
        finished: &finished,
    };
    Ok(LearnReport {
        output: learn.output.clone(),
        directory: directory.path().to_path_buf(),
        branches: best.branches,
        round: best.round,
        is_complete: finished.is_complete,
        usage: finished.usage,
        seconds,
        text: lines.text(&Preferences::of(&weights)),
    })
}

fn nothing_ended(ended: &str, learn: &LearnSearchConfig) -> String {
    match ended {
        "max-time" => format!(
            "nothing was learned: no trial of {} executions (--max-runs) ended within --max-time; \
             raise --max-time or lower --max-runs",
            learn.executions
        ),
        "out-of-memory" => {
            "nothing was learned: a single state needs more than --max-memory; raise it".to_string()
        }
        _ => "nothing was learned: the run stopped before the first trial ended; let it run longer"
            .to_string(),
    }
}

/// Data of the last lines.
struct LastLines<'t> {
    learn: &'t LearnSearchConfig,
    ended: &'t str,
    best: &'t Learned,
    finished: &'t Finished,
}

impl LastLines<'_> {
    fn text(&self, preferences: &Preferences) -> String {
        let output = self.learn.output.display();
        let why = match self.ended {
            "converged" => "the best mean no longer rises",
            "max-time" => "time limit reached",
            "out-of-memory" => "memory limit reached",
            _ => "interrupted",
        };
        let mut lines = vec![format!("learned: {why}"), self.best_line()];
        if self.best.branches.is_one_run() {
            lines.push("all trials of the best weights reached the same branches".to_string());
        }
        lines.push(self.cost_line());
        lines.extend(self.sharing_lines());
        lines.push(preferences.to_string());
        lines.push(format!("weights written to {output}"));
        if self.ended != "converged" {
            lines.push("to continue, add --resume to the same options".to_string());
        }
        let lines = lines.iter().map(|line| format!("homi: {line}\n"));
        lines.collect()
    }

    fn best_line(&self) -> String {
        let Branches {
            trials,
            mean,
            spread,
            least,
            most,
        } = self.best.branches;
        let round = self.best.round;
        format!(
            "best weights: {mean:.1} branches, the mean of {trials} trials (spread {spread:.1}, \
             from {least} to {most}), found in round {round}"
        )
    }

    fn cost_line(&self) -> String {
        let (trials, executions) = self.finished.totals;
        let usage = &self.finished.usage;
        let seconds = self.finished.time.as_secs_f64();
        let per_trial = 1_000.0 * seconds / usage.trials.max(1) as f64;
        let known = match usage.trials_known {
            0 => String::new(),
            known => format!(", {known} of them in an earlier session"),
        };
        format!(
            "{trials} trials{known}, {executions} executions, in {} whole rounds; {seconds:.1} s, \
             {per_trial:.0} ms per trial",
            self.finished.rounds.len()
        )
    }

    /// Returns the lines about shared executions.
    fn sharing_lines(&self) -> Vec<String> {
        let usage = &self.finished.usage;
        let percent = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
        let each = usage.engine_ns as f64 / usage.executions_run.max(1) as f64;
        let mut lines = vec![format!(
            "shared: {} of {} executions were run ({:.1} %), {} of {} branches were negated for \
             the first time ({:.1} %); each run took {:.1} ms",
            usage.executions_run,
            usage.executions,
            percent(usage.executions_run, usage.executions),
            usage.asked_first,
            usage.asked,
            percent(usage.asked_first, usage.asked),
            each / 1e6,
        )];
        if usage.cut > 0 {
            lines.push(format!(
                "{} trials dropped states at the memory limit and may reach fewer branches; raise \
                 --max-memory or lower --jobs",
                usage.cut
            ));
        }
        lines
    }
}
