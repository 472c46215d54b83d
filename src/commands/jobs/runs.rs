//! Runs of a campaign that other processes perform: inputs of the next jobs, and their results.
//! `campaign` owns the learner.
//!
//! Invariant: D and its file in the output directory equal a campaign's, with the runs in the
//! order of their results.

use super::error::{JobError, Result, failed, request};
use super::file::{SeedFile, Work};
use super::merging::{Kept, Shown};
use super::state::State;
use super::text::Bytes;
use homi_config::{RunConfig, Usage};
use homi_report::{Summary, read_lines};
use homi_strategies::campaign;
use homi_strategies::campaign::{AssignedRun, RunIssuer, StoredRun};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Names of a campaign's files.
const DATA: &str = "learning-data.jsonl";
const LINES: &str = "learning.jsonl";

/// Creates the learner of a job directory from the runs received so far.
pub(super) fn issuer(config: &RunConfig, shown: &Shown, state: &State) -> Result<RunIssuer> {
    let Some(options) = &config.campaign else {
        return request("the options of the job directory do not start a campaign".to_string());
    };
    let runs = if state.lengths.contains_key(DATA) {
        let stored = campaign::read(shown.path());
        stored
            .map_err(|error| JobError::Request(error.to_string()))?
            .runs
    } else {
        Vec::new()
    };
    Ok(RunIssuer::new(options.clone(), config.search.seed, &runs))
}

/// Draws the next run; `None` if the campaign is over or its budget is used up.
pub(super) fn issue(
    config: &RunConfig,
    issuer: &mut RunIssuer,
    shown: &Shown,
    state: &State,
) -> Result<Option<Work>> {
    let total = config.budget.time;
    if state.ended.is_some() || (!total.is_zero() && state.usage >= total.amount()) {
        return Ok(None);
    }
    let mut tests = Vec::new();
    for (name, known, shows) in issuer.tests_to_follow() {
        let path = shown.path().join(format!("{name}.ktest"));
        let bytes = fs::read(&path).map_err(|error| failed("read", &path, &error))?;
        tests.push(SeedFile {
            test: Bytes(bytes),
            known,
            shows,
        });
    }
    Ok(Some(Work::Run {
        run: Box::new(issuer.issue(state.next - 1)),
        tests,
    }))
}

/// Adds a received run to D.
pub(super) fn take(
    issuer: &mut RunIssuer,
    shown: &Shown,
    state: &mut State,
    (assigned, run): (&AssignedRun, &StoredRun),
    (directory, kept): (&Path, &Kept),
) -> Result<()> {
    if !state.lengths.contains_key(DATA) {
        let path = directory.join(DATA);
        let text = fs::read_to_string(&path).map_err(|error| failed("read", &path, &error))?;
        let header: Option<Value> = text
            .lines()
            .next()
            .and_then(|line| serde_json::from_str(line).ok());
        let Some(header) = header else {
            return request(format!(
                "{} is truncated: its header is missing; run the job again",
                path.display()
            ));
        };
        shown.add_lines(state, DATA, [header])?;
    }
    let taken = issuer.take(assigned, run.clone(), |test| {
        kept.names.0.get(test).cloned()
    });
    shown.add_lines(state, DATA, [taken])?;
    let path = directory.join(LINES);
    let lines: Vec<Value> = read_lines(&path).map_err(|error| failed("read", &path, &error))?;
    shown.add_lines(state, LINES, lines)
}

/// Records the budget that a run used, and if it explored all paths.
pub(super) fn note_end(config: Option<&RunConfig>, state: &mut State, summary: &Summary) {
    let usage = Usage {
        time: Duration::from_secs_f64(summary.wall_s.max(0.0)),
        instructions: summary.instructions,
        work: summary.work,
    };
    let span = config.map(|config| config.budget.time);
    state.usage += span.map_or(0.0, |span| span.reading(usage).amount());
    if ["exhausted", "exhausted-underapproximated"].contains(&summary.stop_reason.as_str()) {
        state.reason = Some(summary.stop_reason.clone());
    }
}

/// Returns the reason why the campaign is over; `None` if it continues.
pub(super) fn ended(config: Option<&RunConfig>, state: &State) -> Option<String> {
    let total = config?.budget.time;
    let is_spent = !total.is_zero() && state.usage >= total.amount();
    let by_budget = is_spent.then(|| "max-time".to_string());
    state.reason.clone().or(by_budget)
}
