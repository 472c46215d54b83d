//! A run, stage by stage: plan, loaded program, output directory, world, exploration, report.
//!
//! Invariant: each stage is made from the one before and knows no later one. Nothing is written
//! before the program is loaded.

use super::directory::RunDirectory;
use super::exploration::{Exploration, FirstThread};
use super::loaded::LoadedProgram;
use super::plan::Plan;
use super::world::World;
use super::{Caller, Report, SessionError};
use homi_config::RunConfig;
use homi_solver::term::Terms;
use std::mem::forget;

/// Performs a run. Fails if it cannot start; whatever ends it later is in the report.
pub fn run(config: &RunConfig, caller: &Caller) -> Result<Report, SessionError> {
    let plan = Plan::make(config, caller)?;
    let loaded = LoadedProgram::load(&plan)?;
    let output = RunDirectory::create(&loaded)?;
    let world = World::open(&output)?;
    let terms = Terms::sharing(&world.arrays);
    let (mut first, start) = FirstThread::begin(&output, &world, &terms)?;
    let exploration = Exploration::begin(&output, &world, &mut first, &start)?;
    let explored = exploration.explore_and_check(&mut first, start)?;
    let report = Report::of(&exploration, explored, &mut first);
    drop(exploration);
    if caller.process_ends {
        // The end of the process frees them in no time.
        first.forget();
        forget(terms);
        drop((world, output));
        forget(loaded);
    }
    Ok(report)
}
