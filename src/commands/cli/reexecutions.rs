//! Executions in the engine of the tests that a replay runs: for causes of divergences, and for
//! what varies between executions.

use super::session::caller;
use homi_app::options;
use homi_app::session::{Caller, Reexecution};
use homi_explore::engine::Signals;
use homi_native::replay::{Explainer, SecondPrediction};
use homi_native::testcase::{RunEnvironment, StoredOutcome};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Programs of the runs whose tests are replayed, by output directory.
pub(super) struct Reexecutions {
    /// The native program, if it has embedded bitcode.
    exe: Option<PathBuf>,
    caller: Caller,
    programs: Mutex<BTreeMap<PathBuf, Option<Arc<Reexecution>>>>,
}

impl Reexecutions {
    /// Prepares executions for a replay on `exe`.
    pub(super) fn of(exe: &Path, has_bitcode: bool) -> anyhow::Result<Self> {
        Ok(Self {
            exe: has_bitcode.then(|| exe.to_path_buf()),
            caller: caller("", &Signals::default())?,
            programs: Mutex::default(),
        })
    }

    /// Returns the search for causes of divergences.
    pub(super) fn explainer(self: &Arc<Self>) -> Explainer {
        let all = Arc::clone(self);
        Explainer::new(move |test, calls| all.program(test)?.cause(test, calls))
    }

    /// Returns the maker of second predictions. Without the program of the run, it makes none.
    pub(super) fn second(self: &Arc<Self>) -> SecondPrediction {
        let all = Arc::clone(self);
        SecondPrediction::new(move |test: &Path, known: &StoredOutcome| {
            all.program(test)?.second_prediction(test, known)
        })
    }

    /// Returns the program of the run that made a test: the run's inputs, or the native program
    /// with its bitcode if they are gone.
    fn program(&self, test: &Path) -> Option<Arc<Reexecution>> {
        let directory = test.parent().unwrap_or(Path::new("."));
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let known = programs.entry(directory.to_path_buf());
        let program = known.or_insert_with(|| {
            let recorded = RunEnvironment::read(directory).ok().flatten();
            let inputs = recorded.iter().flat_map(|run| &run.inputs).cloned();
            let inputs: Vec<PathBuf> = inputs.collect();
            let are_there = !inputs.is_empty() && inputs.iter().all(|input| input.exists());
            let inputs = if are_there {
                inputs
            } else {
                vec![self.exe.clone()?]
            };
            let words = inputs.into_iter().map(PathBuf::into_os_string);
            let config = options::parse(words.chain([OsString::from("--quiet")])).ok()?;
            let program = Reexecution::new(config, self.caller.clone(), recorded);
            Some(Arc::new(program))
        });
        program.clone()
    }
}
