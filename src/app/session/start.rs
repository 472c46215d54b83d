//! Counts the instructions that the modeled kernel and libc execute before the program's `main`.
//!
//! Invariant: the walk uses a copy of the state; the run does not see it.

use super::standalone::entry;
use homi_machine::exec::{Executor, Host, MutedConsole, Observer, Step, World};
use homi_machine::state::State;
use homi_solver::Oracle;

/// A start that takes longer is none.
const LONGEST: u64 = 1_000_000;

/// The instructions from a first state to the first one of `main`, on one path.
pub(super) fn instructions_before_main(
    executor: &Executor<'_>,
    first: &State,
    oracle: &mut dyn Oracle,
    host: &dyn Host,
) -> u64 {
    let program = executor.program();
    let (start, main) = (entry(program), program.entry);
    if start == main {
        return 0;
    }
    let mut state = first.clone();
    let mut observer = Observer::new(executor.segments(), start);
    while state.frames.top().function != main && observer.instructions < LONGEST {
        let mut console = MutedConsole;
        let world = World {
            host,
            console: &mut console,
        };
        match executor.run(&mut state, oracle, world, &mut observer, 1) {
            Step::Continue | Step::Forked(_) => {}
            Step::Ended(_) | Step::Absent(_) => return 0,
        }
    }
    observer.instructions
}
