//! Causes of divergences outside of a run: the program is loaded for the executions of one test.

use super::exploration::FirstThread;
use super::loaded::LoadedProgram;
use super::plan::Plan;
use super::world::World;
use super::{Caller, SessionError};
use crate::config::RunConfig;
use crate::native::replay::LibraryCall;
use crate::native::testcase::RunEnvironment;
use crate::native::testcase::ktest::KTest;
use crate::solver::term::Terms;
use std::path::Path;

/// Returns the cause of a divergence of `test`, which makes the library calls `native` in recorded
/// native runs; `None` if none is found.
///
/// # Errors
/// Fails if the program cannot be loaded, or the test not read.
pub fn cause_of_divergence(
    config: &RunConfig,
    caller: &Caller,
    test: &Path,
    native: &[Vec<LibraryCall>],
) -> Result<Option<String>, SessionError> {
    let recorded = test.parent().map(RunEnvironment::read);
    let recorded = recorded.and_then(Result::ok).flatten();
    let mut config = config.clone();
    if let Some(recorded) = &recorded {
        config.program.files_dir.clone_from(&recorded.directory);
    }
    let mut plan = Plan::make(&config, caller)?;
    if let Some(recorded) = recorded {
        plan.environment = recorded.environment;
    }
    let loaded = LoadedProgram::load(&plan)?;
    let world = World::of_trials(&loaded, 1)?;
    let terms = Terms::sharing(&world.arrays);
    let mut first = FirstThread {
        executor: world.executor(&terms, &caller.signals.interrupt)?,
        terms: &terms,
        solver: world.solver(&world.cache),
    };
    let test = KTest::read(test).map_err(SessionError::Seed)?;
    let found = world.cause(&mut first, &test, &[], native);
    Ok(found.map(|(cause, _)| cause))
}
