//! One state on given bytes, to its end: what fuzzing runs and proposed inputs are run by.

use super::RunView;
use homi_machine::exec::{EarlyReason, Observer, Step, Termination};
use homi_machine::state::State;

/// Runs a state that has a model and forks nothing, for at most this many instructions and no
/// longer than the run has work left. Returns how it ended (as interrupted if its instructions were
/// not enough), or `None` if the run was interrupted.
pub fn run_concretely(
    state: &mut State,
    observer: &mut Observer,
    longest: u64,
    run: &mut dyn RunView,
) -> Option<Termination> {
    let before = observer.instructions;
    let longest = longest.min(run.work_left());
    loop {
        let executed = observer.instructions - before;
        if executed >= longest {
            return Some(Termination::Early(EarlyReason::Interrupted));
        }
        match run.execute_concretely(state, observer, longest - executed) {
            Step::Ended(ended) => return Some(ended),
            // The path has only one model; the state itself continues, without a pending check.
            Step::Forked(_) | Step::Absent(_) => {}
            Step::Continue if run.is_interrupted() => return None,
            Step::Continue => {}
        }
    }
}
