//! `--input-generator`: a command that receives requests about branches during the run.

use super::given::test_arguments;
use super::{Caller, SessionError};
use homi_config::RunConfig;
use homi_explore::engine::SourceMaker;
use homi_explore::sources::generator::GeneratorClient;
use homi_ir::program::Program;
use homi_report::SharedLog;
use std::sync::{Arc, Mutex};

/// The external command of `--input-generator`, if the run has one.
#[derive(Default)]
pub(super) struct InputGenerator(Option<Arc<Mutex<GeneratorClient>>>);

/// Starts the command. The caller of the session gets a further source of states.
pub(super) fn start(
    config: &RunConfig,
    (caller, program): (&mut Caller, &Program),
    log: &Arc<SharedLog>,
) -> Result<InputGenerator, SessionError> {
    let Some(command) = &config.search.input_generator else {
        return Ok(InputGenerator::default());
    };
    let failed = SessionError::io(format!(
        "cannot start the command of --input-generator, {command}"
    ));
    let arguments = test_arguments(config, program);
    let client = GeneratorClient::start(command, arguments, Arc::clone(log)).map_err(failed)?;
    let shared = Arc::clone(&client);
    let maker: SourceMaker = Arc::new(move |start| {
        let wanted = !start.needs_every_path;
        wanted.then(|| GeneratorClient::source(&shared, start))
    });
    caller.policies.sources.push(maker);
    Ok(InputGenerator(Some(client)))
}

impl InputGenerator {
    /// Logs the result of the requests.
    pub(super) fn report(&self, log: &SharedLog) {
        let Some(client) = &self.0 else {
            return;
        };
        let statistics = match client.lock() {
            Ok(client) => client.statistics(),
            Err(poisoned) => poisoned.into_inner().statistics(),
        };
        let (requests, inputs, kept) = (statistics.requests, statistics.inputs, statistics.kept);
        let text = format!(
            "--input-generator: {requests} requests, {inputs} inputs returned and run, {kept} became tests"
        );
        log.lock().message(&text);
    }
}
