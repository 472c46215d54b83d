//! Cost and new coverage of a batch, credited to the state that ran and to its forks.

use super::solver_session::SolverSession;
use super::stats::measure::Measure;
use crate::coverage::{BatchNews, Coverage, Fresh, SharedCoverage};
use homi_machine::exec::{Absent, Observer, Step};
use homi_machine::state::{Metrics, State};
use homi_report::{Answer, PendingSummary};

/// State of the counters when a batch began.
pub(super) struct Began {
    metrics: Metrics,
    /// The fingerprint of the decisions before the batch.
    pub(super) decisions: u64,
    was_unchecked: bool,
    /// Solver work before, less the work of deciding whether the state runs at all.
    work: u64,
}

impl Began {
    /// Records a state that is about to run; `work_of_arrival` is the solver work of deciding that.
    pub(super) fn with(
        state: &State,
        solver_session: &dyn SolverSession,
        work_of_arrival: u64,
    ) -> Self {
        Self {
            metrics: state.metrics,
            decisions: state.decisions.fingerprint(),
            was_unchecked: state.is_unchecked(),
            work: solver_session.effort().work - work_of_arrival,
        }
    }

    /// Instructions that the state has executed since.
    pub(super) fn executed(&self, state: &State) -> u64 {
        state.metrics.instructions - self.metrics.instructions
    }
}

/// Destinations of a batch's statistics.
pub(super) struct Accounts<'t> {
    pub(super) solver_session: &'t mut dyn SolverSession,
    pub(super) observer: &'t mut Observer,
    pub(super) coverage: &'t mut Coverage,
    pub(super) measure: &'t mut Measure,
    pub(super) pending: &'t mut PendingSummary,
    /// Coverage of other threads of the group of threads.
    pub(super) others: Option<&'t SharedCoverage>,
}

impl Accounts<'_> {
    /// Books a batch of a state. Returns what it covered first, if that is anything.
    pub(super) fn record(
        self,
        state: &mut State,
        step: &mut Step,
        began: &Began,
    ) -> Option<BatchNews> {
        if began.was_unchecked {
            self.pending.note(answer_of(step));
        }
        let work = self.solver_session.effort().work - began.work;
        state.metrics.solver_seconds += work as f64 * 1e-9;
        self.measure.record(state.frames.top().call_path, work);
        let news = self.coverage.absorb(self.observer, self.others);
        self.solver_session.note_executed(began.executed(state));
        age(state, step, news.as_ref(), began);
        if let Some(news) = &news {
            credit(news, state, step);
        }
        news
    }
}

/// Sets how long ago a state and its forks covered something. The executor counts any code as new;
/// tests, and searchers if configured, count user code only.
fn age(state: &mut State, step: &mut Step, news: Option<&BatchNews>, began: &Began) {
    let (before, executed) = (&began.metrics, began.executed(state));
    let interests = |fresh: Option<&Fresh>| fresh.is_some_and(|fresh| fresh.for_search);
    let interests_all = interests(news.map(|news| &news.shared));
    let own = |metrics: &mut Metrics, fresh: Option<&Fresh>| {
        if !interests_all && !interests(fresh) {
            metrics.instructions_since_new = match before.instructions_since_new {
                0 => 0,
                count => count + executed,
            };
        }
    };
    own(&mut state.metrics, news.map(|news| &news.own));
    let first = news.is_some_and(|news| !news.shared.is_empty() || !news.own.is_empty());
    state.metrics.covered_new = before.covered_new || first;
    let Step::Forked(siblings) = step else {
        return;
    };
    for (place, sibling) in siblings.iter_mut().enumerate() {
        let fresh = news.and_then(|news| news.of_sibling(place));
        own(&mut sibling.metrics, fresh);
        // The executor credits a sibling with any code that it is first to enter, the kernel's
        // too.
        sibling.metrics.covered_new = fresh.is_some_and(|fresh| !fresh.is_empty());
        sibling.metrics.solver_seconds = state.metrics.solver_seconds;
    }
}

/// Returns the result of the pending check of a state that ran.
fn answer_of(step: &Step) -> Answer {
    match step {
        Step::Absent(Absent::Infeasible) => Answer::Infeasible,
        Step::Absent(Absent::Unknown) => Answer::Unknown,
        Step::Continue | Step::Forked(_) | Step::Ended(_) => Answer::Feasible,
    }
}

/// Gives what a batch covered first to the paths that did, for their tests.
pub(super) fn credit(news: &BatchNews, state: &mut State, step: &mut Step) {
    if news.is_empty() {
        return;
    }
    let add = |state: &mut State, fresh: &Fresh| {
        state.covered_first.push(&fresh.sides, &fresh.segments);
    };
    add(state, &news.shared);
    if let Step::Forked(siblings) = step {
        for (place, sibling) in siblings.iter_mut().enumerate() {
            sibling.covered_first = state.covered_first.clone();
            if let Some(fresh) = news.of_sibling(place) {
                add(sibling, fresh);
            }
        }
    }
    add(state, &news.own);
}
