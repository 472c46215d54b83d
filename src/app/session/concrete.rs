//! Concrete executions of tests: what predictions and traces of library calls run.
//!
//! Invariant: the execution with a variation has another clock, other addresses, another process
//! number and other random and uninitialized bytes than the one without.

use super::SessionError;
use super::exploration::FirstThread;
use super::standalone::first_state;
use super::world::World;
use homi_explore::sources::EntryState;
use homi_machine::exec;
use homi_machine::exec::{Console, Errno, Host, InputKind, Observer, STAT_BYTES, Step};
use homi_machine::host::ProgramArguments;
use homi_machine::state::{GivenObjects, State};
use homi_native::testcase::ktest::KTest;
use std::sync::Arc;

/// Nanoseconds by which the clock of a varied execution is ahead, for each number of its variation.
const CLOCK_STEP: u64 = 519_480_521_123_457;

/// A concrete execution of a test.
pub(super) struct ConcreteExecution<'h> {
    pub(super) state: State,
    pub(super) observer: Observer,
    host: VariedHost<'h>,
    variation: u16,
}

impl World<'_> {
    /// Returns the execution of a test before its first instruction.
    pub(super) fn begin_execution(
        &self,
        first: &mut FirstThread<'_>,
        test: &KTest,
        variation: u16,
    ) -> Result<ConcreteExecution<'_>, SessionError> {
        let (executor, _) = first.executing(variation);
        let state = first_state(executor, &self.arguments_of(test))?;
        let EntryState {
            mut state,
            observer,
        } = EntryState::new(executor, state);
        state.input.is_given = true;
        state.input.predicts = Some(variation);
        state.input.follows = Some(objects_of(test));
        state.memory.vary(variation);
        Ok(ConcreteExecution {
            state,
            observer,
            host: VariedHost::of(&self.host, variation),
            variation,
        })
    }

    /// Returns the arguments with which a test's program starts.
    pub(super) fn arguments_of(&self, test: &KTest) -> ProgramArguments {
        let mut arguments = self.arguments.clone();
        if let Some(rest) = test.args.get(1..) {
            arguments.arguments.truncate(1);
            arguments.arguments.extend_from_slice(rest);
        }
        arguments
    }
}

impl ConcreteExecution<'_> {
    /// Executes at most this many instructions.
    pub(super) fn run(
        &mut self,
        first: &mut FirstThread<'_>,
        console: &mut dyn Console,
        instructions: u64,
    ) -> Step {
        let host = &self.host;
        let world = exec::World { host, console };
        let (executor, solver) = first.executing(self.variation);
        executor.run(
            &mut self.state,
            solver,
            world,
            &mut self.observer,
            instructions,
        )
    }
}

/// Returns the objects of a test for a state that follows it.
pub(super) fn objects_of(test: &KTest) -> Arc<Vec<Arc<GivenObjects>>> {
    let objects = test.objects.iter();
    let named = objects.map(|object| (object.name_text(), object.bytes.clone()));
    Arc::new(vec![Arc::new(GivenObjects::new(named))])
}

/// The run's host, with another clock for a varied execution.
struct VariedHost<'h> {
    host: &'h dyn Host,
    /// Nanoseconds by which its clock is ahead.
    clock_shift: u64,
}

impl<'h> VariedHost<'h> {
    /// Returns the host of a prediction.
    fn of(host: &'h dyn Host, variation: u16) -> Self {
        let clock_shift = u64::from(variation) * CLOCK_STEP;
        Self { host, clock_shift }
    }
}

impl Host for VariedHost<'_> {
    fn stat(&self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        self.host.stat(path, follow)
    }

    fn read(&self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.host.read(path, length, offset)
    }

    fn readlink(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        self.host.readlink(path)
    }

    fn readdir(&self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        self.host.readdir(path, index)
    }

    fn getcwd(&self) -> Result<Vec<u8>, Errno> {
        self.host.getcwd()
    }

    fn stdin_read(&self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.host.stdin_read(length, offset)
    }

    fn stdin_kind(&self) -> InputKind {
        self.host.stdin_kind()
    }

    fn id(&self, which: u32) -> u32 {
        self.host.id(which)
    }

    fn clock_ns(&self) -> u64 {
        self.host.clock_ns() + self.clock_shift
    }
}
