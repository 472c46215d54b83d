//! The rest of a path that did not end: run on with its test's bytes, to learn which branches the
//! test covers (a native replay of the test runs on too).
//!
//! Invariant: nothing of the run changes. The state is a copy, what it prints is dropped, its
//! counts go to an observer that nobody reads, and the oracle knows only one assignment, so nothing
//! forks.

use crate::exec::{Errno, Executor, Observer, STAT_BYTES, Step, Termination, World};
use crate::expr::{Model, Term, Terms};
use crate::solver::{Check, Oracle, PathCondition, Wanted};
use crate::state::State;

/// Runs tails; keeps its observer between them.
#[derive(Debug)]
pub(super) struct TailRunner {
    observer: Option<Observer>,
    /// Most instructions of one tail.
    limit: u64,
}

impl TailRunner {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            observer: None,
            limit,
        }
    }

    /// The state after going on with the bytes of `model`, whether the program ended (exit or bug),
    /// and how many instructions that took. `call_paths` is the number of call paths of the run.
    pub(super) fn run(
        &mut self,
        executor: &Executor<'_>,
        world: &mut dyn World,
        state: &State,
        model: &Model,
        call_paths: usize,
    ) -> (State, bool, u64) {
        let mut state = state.clone();
        state.model = model.clone();
        state.forking = true;
        executor.follow_model_only(&mut state);
        let entry = state.frames.top().function;
        let observer = self
            .observer
            .get_or_insert_with(|| Observer::new(executor.segments(), entry));
        observer.call_paths.pad_to(call_paths);
        observer.new_segments.clear();
        observer.new_sides.clear();
        let start = observer.instructions;
        let mut world = MutedWorld::new(world);
        let mut ended = false;
        loop {
            let before = observer.instructions;
            let Some(left) = self
                .limit
                .checked_sub(before - start)
                .filter(|left| *left > 0)
            else {
                break;
            };
            let step = executor.run(&mut state, &mut OneModel, &mut world, observer, left);
            if let Step::Ended(termination) = step {
                // Silent: the program assumes something that these bytes do not fulfil.
                ended = matches!(
                    termination,
                    Termination::Exit(_) | Termination::Bug(_) | Termination::Silent
                );
                break;
            }
            // A fork is possible only if one model is not all there is; the state itself goes on.
            if observer.instructions == before && !matches!(step, Step::Forked(_)) {
                break;
            }
        }
        (state, ended, observer.instructions - start)
    }
}

/// An oracle for which the state's model is all there is.
pub(super) struct OneModel;

impl Oracle for OneModel {
    fn check(&mut self, terms: &Terms, _: &PathCondition, model: &Model, condition: Term) -> Check {
        if terms.eval(condition, model) == 0 {
            Check::Unsat
        } else {
            Check::Sat(model.clone())
        }
    }

    fn min_max(
        &mut self,
        terms: &Terms,
        _: &PathCondition,
        model: &Model,
        term: Term,
        _: Wanted,
    ) -> (u128, u128) {
        let value = terms.eval(term, model);
        (value, value)
    }
}

/// A world in which the program prints nothing, or later.
pub(super) struct MutedWorld<'w> {
    world: &'w mut dyn World,
    /// What was said, if it is kept.
    kept: Option<Vec<Said>>,
}

/// What goes to the user.
enum Said {
    Output(u32, Vec<u8>),
    Warning(String),
    WarningOnce(String, String),
}

impl<'w> MutedWorld<'w> {
    /// Drops all that is said.
    pub(super) fn new(world: &'w mut dyn World) -> Self {
        Self { world, kept: None }
    }

    /// Keeps it until it is known whether it counts.
    pub(super) fn keeping(world: &'w mut dyn World) -> Self {
        Self {
            world,
            kept: Some(Vec::new()),
        }
    }

    /// It counts.
    pub(super) fn say(self) {
        for said in self.kept.into_iter().flatten() {
            match said {
                Said::Output(stream, bytes) => self.world.output(stream, &bytes),
                Said::Warning(text) => self.world.warning(&text),
                Said::WarningOnce(key, text) => self.world.warning_once(&key, &text),
            }
        }
    }

    fn keep(&mut self, said: impl FnOnce() -> Said) {
        if let Some(kept) = &mut self.kept {
            kept.push(said());
        }
    }
}

impl World for MutedWorld<'_> {
    fn host_stat(&mut self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        self.world.host_stat(path, follow)
    }

    fn host_read(&mut self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.world.host_read(path, length, offset)
    }

    fn host_readlink(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        self.world.host_readlink(path)
    }

    fn host_readdir(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        self.world.host_readdir(path, index)
    }

    fn host_getcwd(&mut self) -> Result<Vec<u8>, Errno> {
        self.world.host_getcwd()
    }

    fn stdin_read(&mut self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.world.stdin_read(length, offset)
    }

    fn stdin_is_file(&mut self) -> bool {
        self.world.stdin_is_file()
    }

    fn host_id(&mut self, which: u32) -> u32 {
        self.world.host_id(which)
    }

    fn clock_ns(&mut self) -> u64 {
        self.world.clock_ns()
    }

    fn output(&mut self, stream: u32, bytes: &[u8]) {
        self.keep(|| Said::Output(stream, bytes.to_vec()));
    }

    fn warning(&mut self, text: &str) {
        self.keep(|| Said::Warning(text.to_string()));
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        self.keep(|| Said::WarningOnce(key.to_string(), text.to_string()));
    }
}
