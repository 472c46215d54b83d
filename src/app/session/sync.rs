//! `--sync`: live exchange of inputs with the fuzzers of a directory.

use super::given::test_arguments;
use super::{Caller, SessionError};
use homi_config::RunConfig;
use homi_explore::engine::SourceMaker;
use homi_explore::sources::exchange::{Exchange, Exchanged, OWN_NAME, Seen};
use homi_ir::program::Program;
use homi_native::testcase::{Layout, QueueWriter, Target};
use homi_output::export::fuzzer_input;
use homi_report::{Event, EventStream, Listener, OutputFailure, SharedLog};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The exchange of a session, if it has one.
#[derive(Default)]
pub(super) struct LiveExchange(Option<Arc<Mutex<Exchange>>>);

/// Begins the exchange. The caller of the session gets a further source of states, and tests with
/// new coverage go to the own queue from now on.
pub(super) fn start(
    config: &RunConfig,
    (caller, program): (&mut Caller, &Program),
    (tests, events): (&Path, &EventStream),
    log: &Arc<SharedLog>,
) -> Result<LiveExchange, SessionError> {
    let Some(directory) = &config.search.sync else {
        return Ok(LiveExchange::default());
    };
    let shown = directory.display();
    let arguments = test_arguments(config, program);
    let layout = Layout::of(&arguments[1..])
        .map_err(|error| SessionError::Request(format!("--sync {shown}: {error}")))?;
    let failed = SessionError::io(format!("cannot write to {shown}, the directory of --sync"));
    let writer = QueueWriter::create(directory, OWN_NAME).map_err(failed)?;
    let target = layout.usual_target();
    if target.is_none() {
        let text = format!(
            "--sync {shown}: no input of the program is symbolic; add --sym-stdin N, or another \
             option about symbolic input, behind --"
        );
        return Err(SessionError::Request(text));
    }
    let exchange = Exchange::new(directory, layout, arguments, Arc::clone(log));
    let seen = lock(&exchange).seen();
    let listener = Box::new(OwnQueue {
        tests: tests.to_path_buf(),
        target,
        writer,
        seen,
    });
    let output = directory.join(OWN_NAME).display().to_string();
    events.add_with(output, OutputFailure::IsWarnedOf, listener);
    let shared = Arc::clone(&exchange);
    let maker: SourceMaker = Arc::new(move |start| {
        let wanted = !start.needs_every_path;
        wanted.then(|| Box::new(Exchanged::new(Arc::clone(&shared), start)) as Box<_>)
    });
    caller.policies.sources.push(maker);
    Ok(LiveExchange(Some(exchange)))
}

/// Writes tests with new coverage to the own queue, except inputs that come from a fuzzer.
struct OwnQueue {
    /// Directory of the tests.
    tests: PathBuf,
    target: Option<Target>,
    writer: QueueWriter,
    seen: Seen,
}

impl Listener for OwnQueue {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        let Event::TestWritten(test) = event else {
            return Ok(());
        };
        if test.new.is_empty() {
            return Ok(());
        }
        let file = self.tests.join(format!("{}.ktest", test.test));
        let bytes = fuzzer_input(&file, self.target.as_ref())?;
        if self.seen.contains(&bytes) {
            return Ok(());
        }
        self.writer.add(&bytes, &test.test)
    }
}

impl LiveExchange {
    /// Logs the result of the exchange.
    pub(super) fn report(&self, log: &SharedLog) {
        let Some(exchange) = &self.0 else {
            return;
        };
        let statistics = lock(exchange).statistics();
        let (read, run, kept) = (statistics.read, statistics.run, statistics.kept);
        let text = format!("--sync: {read} inputs read, {run} run, {kept} became tests");
        log.lock().message(&text);
    }
}

fn lock(exchange: &Mutex<Exchange>) -> MutexGuard<'_, Exchange> {
    exchange.lock().unwrap_or_else(PoisonError::into_inner)
}
