//! The stream of a session's events: who hears it, how it begins, what became of its listeners.
//!
//! Invariant: the stream is the session's own. What the caller listens with hears the session's
//! events too, and outlives it; the exporters end with the session.

use super::times::{Times, unix_seconds};
use super::{Caller, SessionError};
use homi_config::RunConfig;
use homi_explore::sources::fuzz::Dictionary;
use homi_ir::program::{PointerWidth, Program};
use homi_output::export;
use homi_output::export::{Occasion, OutputDestination};
use homi_report::{
    BugFound, ErrorSummary, Event, EventStream, IncompleteOutput, Listener, OutputDirectory,
    OutputFailure, SharedLog, Started,
};
use std::io;
use std::path::Path;

/// Hands events on to another stream.
struct Forward(EventStream);

impl Listener for Forward {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        self.0.emit(|| event.clone());
        Ok(())
    }
}

/// The stream of a session, which the caller and the exporters that the options name hear.
///
/// `earlier` is what earlier sessions of the directory found: the exporters of other tools hear of
/// it first.
pub(super) fn open(
    config: &RunConfig,
    (caller, program): (&Caller, &Program),
    (directory, log): (&OutputDirectory, &SharedLog),
    earlier: &[Event],
) -> Result<EventStream, SessionError> {
    let events = EventStream::default();
    if caller.events.has_listeners() {
        let forward = Forward(caller.events.clone());
        events.add("the caller's events", Box::new(forward));
    }
    let place = OutputDestination {
        directory: directory.path(),
        line: &log.lock().line.clone(),
        words: &words(config, program),
    };
    export::attach_always(&events, &place, config.dialect.writes_info());
    for name in &config.output.exports {
        let row = export::find(name, Occasion::Run)
            .map_err(|error| SessionError::Request(format!("--export {name}: {error}")))?;
        export::attach_with(row, &events, &place, earlier.to_vec());
    }
    Ok(events)
}

/// The words of the program and the tokens that the options give, if they are exported.
fn words(config: &RunConfig, program: &Program) -> Vec<Vec<u8>> {
    let is_wanted = |name: &String| name == export::DICTIONARY;
    if !config.output.exports.iter().any(is_wanted) {
        return Vec::new();
    }
    let dictionary = Dictionary::of(program).with(&config.search.dictionary);
    dictionary.tokens().to_vec()
}

/// Emits the beginning of the session; from now on the log's messages are events, too. Fails if a
/// file that the run cannot do without cannot be written.
pub(super) fn begin(
    events: &EventStream,
    (config, caller, program): (&RunConfig, &Caller, &Program),
    (directory, log): (&OutputDirectory, &SharedLog),
    times: &Times,
) -> Result<(), SessionError> {
    let absolute = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        path.display().to_string()
    };
    let inputs = config.program.inputs.iter();
    events.emit(|| {
        Event::Started(Started {
            program: program.name.clone(),
            inputs: inputs.map(|input| input.display().to_string()).collect(),
            arguments: config.program.arguments.clone(),
            homi: (caller.executable.as_ref()).map(|path| path.display().to_string()),
            command: caller.command_line.clone(),
            directory: absolute(directory.path()),
            working_directory: std::env::current_dir()
                .unwrap_or_default()
                .display()
                .to_string(),
            started_unix_s: unix_seconds(times.started),
            sources: caller
                .sources
                .iter()
                .map(|file| file.display().to_string())
                .collect(),
            property: config
                .property
                .as_ref()
                .map(|property| property.text.clone()),
            is_of_32_bits: program.pointers == PointerWidth::Bits32,
        })
    });
    log.lock().events = events.clone();
    events
        .take_missing()
        .map_or(Ok(()), |missing| Err(SessionError::Output(missing)))
}

/// Returns the findings of earlier sessions in the output directory, if this session resumes them.
pub(super) fn earlier(config: &RunConfig) -> Result<Vec<Event>, SessionError> {
    let Some(directory) = &config.resume else {
        return Ok(Vec::new());
    };
    export::earlier_findings(directory).map_err(SessionError::io(
        "cannot read findings.jsonl of the earlier sessions",
    ))
}

/// The bugs among these events, as a summary has them.
pub(super) fn bugs(events: &[Event]) -> Vec<ErrorSummary> {
    let bugs = events.iter().filter_map(|event| match event {
        Event::BugFound(bug) => Some(bug),
        _ => None,
    });
    bugs.map(BugFound::summary).collect()
}

/// The first of the outputs that could not be written and that a run must not lose; all are
/// warned of. A reader of the standard
/// output that went away is none.
pub(super) fn incomplete_output(
    events: &EventStream,
    caller: &Caller,
    log: &SharedLog,
) -> Option<IncompleteOutput> {
    let incomplete = events.take_incomplete().into_iter();
    let incomplete = events.take_missing().into_iter().chain(incomplete);
    let incomplete = incomplete.chain(caller.events.take_incomplete());
    let incomplete =
        incomplete.filter(|incomplete| incomplete.error.kind() != io::ErrorKind::BrokenPipe);
    let incomplete: Vec<IncompleteOutput> = incomplete.collect();
    for output in &incomplete {
        log.lock().warning(&output.to_string());
    }
    incomplete
        .into_iter()
        .find(|output| output.on_failure != OutputFailure::IsWarnedOf)
}
