//! Trials of learned search that other processes perform. `learn_search` draws and evaluates them.
//!
//! Invariant: `homi learn-search` can use the journal in the output directory, so it can resume
//! there and write the weights.

use super::error::Result;
use super::file::Work;
use super::merging::Shown;
use super::state::State;
use homi_report::read_lines;
use homi_strategies::weights::learn_search::{
    EndedTrial, Learning, Next, Plan, Request, Trial, TrialId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Journal, at the path where `--output DIRECTORY/out/weights.json --resume` looks for it.
const JOURNAL: &str = "weights.json.learning/trials.jsonl";
/// Maximum number of trials per job.
const MOST: usize = 100;

/// Algorithm of learned search, with the trials received so far.
pub(super) struct Rounds {
    learning: Learning,
    known: BTreeMap<TrialId, EndedTrial>,
    /// Trials that no job has.
    waiting: Vec<Trial>,
    is_over: bool,
}

impl Rounds {
    /// Creates the algorithm from the received trials and those in progress.
    pub(super) fn new(
        plan: Plan,
        shown: &Shown,
        state: &State,
        running: &BTreeSet<TrialId>,
    ) -> Result<Self> {
        let mut known = BTreeMap::new();
        if state.lengths.contains_key(JOURNAL) {
            let path = shown.path().join(JOURNAL);
            let lines: Vec<serde_json::Value> =
                read_lines(&path).map_err(|error| super::error::failed("read", &path, &error))?;
            // The first line holds the request.
            let trials = lines.into_iter().skip(1);
            let trials = trials.filter_map(|line| serde_json::from_value(line).ok());
            known.extend(trials.map(|trial: EndedTrial| (trial.id, trial)));
        }
        let mut rounds = Self {
            learning: Learning::new(plan),
            known,
            waiting: Vec::new(),
            is_over: false,
        };
        rounds.go_on(running);
        Ok(rounds)
    }

    /// Gives the algorithm all known trials, until it needs an unknown one.
    fn go_on(&mut self, running: &BTreeSet<TrialId>) {
        loop {
            match self.learning.take() {
                Next::Over => {
                    self.is_over = true;
                    return;
                }
                Next::Wait => return,
                Next::Trial(trial) => match self.known.get(&trial.id) {
                    Some(ended) => self.learning.end(trial.id, ended.reached),
                    None if running.contains(&trial.id) => {}
                    None => self.waiting.push(trial),
                },
            }
        }
    }

    /// Takes trials for `jobs` jobs.
    pub(super) fn issue(&mut self, jobs: usize) -> Vec<Work> {
        if jobs == 0 {
            return Vec::new();
        }
        let each = self.waiting.len().div_ceil(jobs).clamp(1, MOST);
        let mut works = Vec::new();
        while !self.waiting.is_empty() && works.len() < jobs {
            let rest = self.waiting.split_off(each.min(self.waiting.len()));
            let trials = std::mem::replace(&mut self.waiting, rest);
            works.push(Work::Trials { trials });
        }
        works
    }

    /// Takes the trials of a result.
    pub(super) fn take(
        &mut self,
        shown: &Shown,
        state: &mut State,
        (request, trials): (&Request, &[EndedTrial]),
    ) -> Result<()> {
        if !state.lengths.contains_key(JOURNAL) {
            shown.add_lines(state, JOURNAL, [request])?;
        }
        shown.add_lines(state, JOURNAL, trials)?;
        for trial in trials {
            self.known.insert(trial.id, *trial);
            self.learning.end(trial.id, trial.reached);
        }
        // Trials in progress were taken from the algorithm before.
        self.go_on(&BTreeSet::new());
        Ok(())
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}
