//! The third stage of a run: its output directory with log and events.
//!
//! Invariant: a run that an earlier stage refused leaves no directory. From here on, everything
//! that the run reports is in the directory, if the disk allows it.

use super::console::{Outputs, RunConsole};
use super::loaded::LoadedProgram;
use super::memory_guard::MemoryGuard;
use super::{Caller, SessionError, event_stream, input_layouts, program, strategy};
use homi_build::harness;
use homi_config::RunConfig;
use homi_machine::host::Sink;
use homi_report::{ErrorSummary, EventStream, LiveLine, Log, OutputDirectory, SharedLog};
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Most bytes kept of each of the program's outputs: all paths together may print without end.
const OUTPUT_LIMIT: u64 = 1 << 28;

/// Output directory of a run, and its listeners.
pub(super) struct RunDirectory<'r> {
    pub(super) loaded: &'r LoadedProgram<'r>,
    pub(super) directory: OutputDirectory,
    pub(super) log: Arc<SharedLog>,
    pub(super) events: EventStream,
    /// Bugs that earlier sessions in the directory found.
    pub(super) earlier_bugs: Vec<ErrorSummary>,
    outputs: Mutex<Outputs>,
    /// Ends the process before the kernel does.
    _net: Option<MemoryGuard>,
}

impl<'r> RunDirectory<'r> {
    /// Creates the directory, or opens an earlier session's, and logs how the run begins. Fails if
    /// the run cannot write.
    pub(super) fn create(loaded: &'r LoadedProgram<'r>) -> Result<Self, SessionError> {
        let (config, plan) = (&loaded.config, loaded.plan);
        let (caller, program) = (plan.caller, &loaded.program);
        let (directory, log) = output(config, caller)?;
        if let Some(harness) = &loaded.harness {
            directory.write(harness::FILE, &harness.source)?;
        }
        let resumption = loaded.resumption.as_ref();
        if let Some(warning) = resumption.and_then(|one| one.warning.as_ref()) {
            log.lock().warning(warning);
        }
        let events =
            event_stream::open(config, (caller, program), (&directory, &log), &plan.earlier)?;
        let subject = (config, caller, program);
        event_stream::begin(&events, subject, (&directory, &log), &plan.times)?;
        let end = caller.end_without_memory;
        let made = Self {
            loaded,
            _net: end.map(|end| MemoryGuard::spread(&directory, end)),
            outputs: Mutex::new(Outputs {
                stdout: sink(config, &directory, 1)?,
                stderr: sink(config, &directory, 2)?,
            }),
            directory,
            log: Arc::new(log),
            events,
            earlier_bugs: event_stream::bugs(&plan.earlier),
        };
        made.warn()?;
        Ok(made)
    }

    /// Logs the findings of the earlier stages that the user must know.
    fn warn(&self) -> Result<(), SessionError> {
        let LoadedProgram {
            plan,
            config,
            program,
            ..
        } = self.loaded;
        for text in &plan.warnings {
            self.log.lock().warning(text);
        }
        program::warn_about_program(config, program, &self.log);
        if self.loaded.has_nothing {
            self.log
                .lock()
                .message(&input_layouts::message_about_inputs(config));
        }
        if let Some(choice) = &plan.strategy {
            strategy::warn_about_weights(choice, program, &self.log)?;
        }
        Ok(())
    }

    /// A thread's console.
    pub(super) fn console(&self) -> RunConsole<'_> {
        RunConsole::new(&self.outputs, &self.log)
    }
}

/// The output directory, made or, with `--resume`, opened, and the log that is written there.
fn output(
    config: &RunConfig,
    caller: &Caller,
) -> Result<(OutputDirectory, SharedLog), SessionError> {
    let line = LiveLine::new(!config.output.quiet && !config.output.show_program_output);
    let (directory, log) = match &config.resume {
        Some(path) => {
            let directory = OutputDirectory::open(path);
            let log = Log::reopen(&directory, config.output.quiet, line);
            (directory, log)
        }
        None => {
            let directory = match &caller.directory {
                Some(made) => {
                    made.link();
                    made.clone()
                }
                None => {
                    let named = config.output.directory.as_deref();
                    OutputDirectory::create(named, Path::new("."), config.dialect.directory_stem())?
                }
            };
            let log = Log::new(&directory, config.output.quiet, line);
            (directory, log)
        }
    };
    let log = SharedLog::new(log.speaking(config.dialect));
    if caller.brief {
        log.lock().be_brief();
    }
    log.lock().report_directory(directory.path());
    Ok((directory, log))
}

/// Returns the sink of one of the program's outputs.
fn sink(
    config: &RunConfig,
    directory: &OutputDirectory,
    stream: u32,
) -> Result<Sink, SessionError> {
    let writer: Box<dyn std::io::Write + Send> = match (config.output.show_program_output, stream) {
        (true, 2) => Box::new(std::io::stderr()),
        (true, _) => Box::new(std::io::stdout()),
        (false, _) => {
            let name = if stream == 2 {
                "stderr.txt"
            } else {
                "stdout.txt"
            };
            let path = directory.file(name);
            let failed = SessionError::io(format!("cannot write {}", path.display()));
            let file = File::options()
                .write(true)
                .create(true)
                .append(config.resume.is_some())
                .truncate(config.resume.is_none())
                .open(&path)
                .map_err(failed)?;
            Box::new(file)
        }
    };
    Ok(Sink::new(writer, OUTPUT_LIMIT))
}
