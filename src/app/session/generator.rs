//! `--input-generator`: a command that receives requests about branches during the run.

use super::given::test_arguments;
use super::{Caller, SessionError};
use crate::config::RunConfig;
use crate::explore::engine::SourceMaker;
use crate::explore::sources::generator::Asking;
use crate::ir::program::Program;
use crate::report::SharedLog;
use std::sync::{Arc, Mutex};

/// The external command of `--input-generator`, if the run has one.
#[derive(Default)]
pub(super) struct Asked(Option<Arc<Mutex<Asking>>>);

/// Starts the command. The caller of the session gets a further source of states.
pub(super) fn start(
    config: &RunConfig,
    (caller, program): (&mut Caller, &Program),
    log: &Arc<SharedLog>,
) -> Result<Asked, SessionError> {
    let Some(command) = &config.search.ask else {
        return Ok(Asked::default());
    };
    let failed = SessionError::io(format!(
        "cannot start the command of --input-generator, {command}"
    ));
    let arguments = test_arguments(config, program);
    let asking = Asking::start(command, arguments, Arc::clone(log)).map_err(failed)?;
    let shared = Arc::clone(&asking);
    let maker: SourceMaker = Arc::new(move |start| {
        let wanted = !start.needs_every_path;
        wanted.then(|| Asking::source(&shared, start))
    });
    caller.policies.sources.push(maker);
    Ok(Asked(Some(asking)))
}

impl Asked {
    /// Logs the result of the requests.
    pub(super) fn tell(&self, log: &SharedLog) {
        let Some(asking) = &self.0 else {
            return;
        };
        let statistics = match asking.lock() {
            Ok(asking) => asking.statistics(),
            Err(poisoned) => poisoned.into_inner().statistics(),
        };
        let (requests, inputs, kept) = (statistics.requests, statistics.inputs, statistics.kept);
        let text = format!(
            "--input-generator: {requests} requests, {inputs} inputs returned and run, {kept} became tests"
        );
        log.lock().message(&text);
    }
}
