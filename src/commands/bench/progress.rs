//! Progress display of a study: one line per finished run, and on a terminal the state, the
//! running runs and the remaining time.

use super::plan::Study;
use super::study_run::{Key, Outcome, Row};
use homi_config::Budget;
use homi_report::LiveLine;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Progress display.
pub(super) struct Progress {
    line: LiveLine,
    shown: bool,
    jobs: usize,
    /// Expected time of a job, if its budget is a time.
    budget: Option<Duration>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Number of runs that this session runs.
    wanted: usize,
    over: usize,
    failed: usize,
    /// Sum of the times of finished runs.
    spent: Duration,
    running: Vec<(Key, Instant)>,
}

impl Progress {
    pub(super) fn new(shown: bool, study: &Study, jobs: usize) -> Self {
        let budget = match study.budget {
            Budget::Time(time) => Some(time),
            Budget::Instructions(_) | Budget::Work(_) => None,
        };
        Self {
            line: LiveLine::on_terminal(shown),
            shown,
            jobs,
            budget,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints a line for the user.
    pub(super) fn say(&self, text: &str) {
        if self.shown {
            self.line.interrupt(&format!("homi: {text}"));
        }
    }

    /// Starts the display: `all` runs in the study, `missing` still to do, `others` rows from other
    /// builds.
    pub(super) fn begin(&self, all: usize, missing: usize, others: usize) {
        self.state().wanted = missing;
        let at_a_time = format!("{} in parallel", self.jobs);
        self.say(&match all - missing {
            0 => format!("{all} runs, {at_a_time}"),
            there => format!("{all} runs, {there} finished, {missing} to run, {at_a_time}"),
        });
        if others > 0 {
            let text = "rows belong to another build, machine, budget or setting and are ignored";
            self.say(&format!("{others} {text}"));
        }
    }

    pub(super) fn begun(&self, key: &Key) {
        self.state().running.push((key.clone(), Instant::now()));
    }

    pub(super) fn over(&self, row: &Row) {
        let (over, wanted) = {
            let mut state = self.state();
            let running = std::mem::take(&mut state.running).into_iter();
            let (ended, running): (Vec<_>, Vec<_>) = running.partition(|(key, _)| *key == row.key);
            state.running = running;
            // Includes the time of the replays.
            state.spent += ended.iter().map(|(_, since)| since.elapsed()).sum();
            state.over += 1;
            state.failed += usize::from(!row.outcome.counts());
            (state.over, state.wanted)
        };
        self.say(&format!("[{over}/{wanted}] {}", row_text(row)));
    }

    /// Draws the live line.
    pub(super) fn tick(&self) {
        let state = self.state();
        let running: Vec<String> = state
            .running
            .iter()
            .map(|(key, since)| {
                format!(
                    "{} {} {} ({} s)",
                    key.subject,
                    key.configuration,
                    key.seed,
                    since.elapsed().as_secs()
                )
            })
            .collect();
        let mut line = format!("{} of {} runs", state.over, state.wanted);
        if state.failed > 0 {
            line += &format!(", {} failed", state.failed);
        }
        if let Some(left) = self.left(&state) {
            line += &format!(", {} left", rounded(left));
        }
        if !running.is_empty() {
            line += &format!("; {}", running.join(", "));
        }
        self.line.draw_cut(&line);
    }

    /// Returns the estimated remaining time; `None` if it is unknown.
    fn left(&self, state: &State) -> Option<Duration> {
        let each = match (state.over, self.budget) {
            (0, None) => return None,
            (0, Some(budget)) => budget,
            (over, _) => state.spent / u32::try_from(over).ok()?,
        };
        let gone: Duration = state
            .running
            .iter()
            .map(|(_, since)| since.elapsed().min(each))
            .sum();
        let rest = each * u32::try_from(state.wanted.saturating_sub(state.over)).ok()?;
        Some(rest.saturating_sub(gone) / u32::try_from(self.jobs).ok()?)
    }

    pub(super) fn end(&self) {
        self.line.clear();
    }
}

/// Returns the line for a finished run.
fn row_text(row: &Row) -> String {
    let key = &row.key;
    let study_run = format!("{} {} seed {}", key.subject, key.configuration, key.seed);
    if !row.outcome.counts() {
        let last = row
            .last_lines
            .last()
            .map_or(String::new(), |line| format!("; {line}"));
        return format!("{study_run}: {}: {}{last}", row.outcome.text(), row.reason);
    }
    let covered = |name: &str, covered: &Option<super::study_run::Covered>| {
        covered
            .as_ref()
            .map(|covered| format!("{name}{} of {}", covered.branches, covered.total))
    };
    let mut parts = vec![
        covered("branches ", &row.engine),
        covered("by gcov ", &row.gcov),
    ];
    parts.push(Some(counted(row.tests as usize, "test")));
    parts.push((!row.bugs.is_empty()).then(|| counted(row.bugs.len(), "bug")));
    parts.push(Some(format!("{:.1} s", row.wall_s)));
    // A used-up budget is the expected reason and is not shown.
    let is_usual = row.outcome == Outcome::Done && row.reason.starts_with("max-");
    parts.push((!is_usual).then(|| row.reason.clone()));
    parts.push(
        row.replay_failed
            .as_ref()
            .map(|why| format!("not replayed: {why}")),
    );
    format!(
        "{study_run}: {}",
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

/// Returns a number with a noun: `1 bug`, `2 bugs`.
fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// Returns a rounded time as text.
fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds < 100 => format!("{seconds} s"),
        seconds if seconds < 6000 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded() {
        let texts = [5, 130, 7200].map(|seconds| rounded(Duration::from_secs(seconds)));
        assert_eq!(texts, ["5 s", "3 min", "2.0 h"]);
    }
}
