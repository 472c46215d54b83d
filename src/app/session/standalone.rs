//! A program by itself: no output directory, no host, no search. For tests, benchmarks and tools
//! that walk states themselves.
//!
//! Invariant: what runs here is what runs in a session; only what is around it is missing.

use homi_ir::program::{FuncId, Program};
use homi_machine::exec;
use homi_machine::exec::{EmptyWorld, ExecConfig, Executor, Observer, Step};
use homi_machine::host;
use homi_machine::host::{ProgramArguments, set_up};
use homi_machine::state::State;
use homi_solver::Oracle;
use homi_solver::term::Terms;
use std::sync::atomic::AtomicBool;

/// Parts that a program's executor needs.
pub struct Standalone<'p> {
    program: &'p Program,
    terms: Terms,
    config: ExecConfig,
    interrupt: AtomicBool,
}

impl<'p> Standalone<'p> {
    /// A program with the usual limits of the executor.
    pub fn of(program: &'p Program) -> Self {
        Self::with(program, ExecConfig::default())
    }

    /// A program with other limits of the executor.
    pub fn with(program: &'p Program, config: ExecConfig) -> Self {
        Self {
            program,
            terms: Terms::new(),
            config,
            interrupt: AtomicBool::new(false),
        }
    }

    /// The terms of all states of the program.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Prepares a walk. Fails if the program cannot be run at all.
    pub fn walk(&self) -> Result<Walk<'_>, exec::SetupError> {
        let executor = Executor::new(self.program, &self.terms, &self.config, &self.interrupt)?;
        let observer = Observer::new(executor.segments(), entry(self.program));
        Ok(Walk {
            executor,
            observer,
            world: EmptyWorld::default(),
        })
    }
}

/// States of one program under exploration; the caller keeps them.
pub struct Walk<'b> {
    /// Gives instructions their meaning.
    pub executor: Executor<'b>,
    /// Counts of all states together.
    pub observer: Observer,
    /// An empty host, and what the program printed.
    pub world: EmptyWorld,
}

impl Walk<'_> {
    /// The state before the first instruction of a program that asks for no arguments.
    pub fn first_state(&self) -> State {
        let entry = entry(self.executor.program());
        self.executor.initial_state(entry, &[])
    }

    /// The state before the first instruction, with arguments and environment in its memory.
    pub fn state_with(&self, arguments: &ProgramArguments) -> Result<State, host::SetupError> {
        first_state(&self.executor, arguments)
    }

    /// Runs a state until it forks, ends or has executed this many instructions.
    pub fn step(&mut self, state: &mut State, oracle: &mut dyn Oracle, instructions: u64) -> Step {
        let observer = &mut self.observer;
        let world = self.world.view();
        self.executor
            .run(state, oracle, world, observer, instructions)
    }
}

/// Returns the program's entry point: its libc's entry point, if it has a libc.
pub(super) fn entry(program: &Program) -> FuncId {
    program.runtime_entry.unwrap_or(program.entry)
}

/// The state before the first instruction, with what the kernel gives a new process in memory.
pub(super) fn first_state(
    executor: &Executor<'_>,
    arguments: &ProgramArguments,
) -> Result<State, host::SetupError> {
    let program = executor.program();
    let mut state = executor.initial_state(entry(program), &[]);
    set_up(program, &mut state, arguments)?;
    Ok(state)
}
