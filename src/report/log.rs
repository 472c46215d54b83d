//! Messages and warnings of a run: to the terminal, and to `messages.txt` and `warnings.txt`.
//!
//! Invariant: a failure to write a message never stops a run; the first one is shown, then the file
//! is given up.

use super::reported_bug::ReportedBug;
use super::{Event, EventStream, Level, LiveLine, Message, OutputDirectory};
use homi_config::Dialect;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Destination of messages.
pub struct Log {
    messages: Option<File>,
    warnings: Option<File>,
    seen: BTreeSet<String>,
    quiet: bool,
    dialect: Dialect,
    /// Details of how the run works are written, not shown.
    brief: bool,
    /// The live line that messages must not tear apart.
    pub line: LiveLine,
    /// Stream that also gets the messages.
    pub events: EventStream,
}

impl Log {
    pub fn new(directory: &OutputDirectory, quiet: bool, line: LiveLine) -> Self {
        Self {
            messages: File::create(directory.file("messages.txt")).ok(),
            warnings: File::create(directory.file("warnings.txt")).ok(),
            seen: BTreeSet::new(),
            quiet,
            dialect: Dialect::homi(),
            brief: false,
            line,
            events: EventStream::default(),
        }
    }

    /// Returns a log without output.
    pub fn muted() -> Self {
        Self {
            messages: None,
            warnings: None,
            seen: BTreeSet::new(),
            quiet: true,
            dialect: Dialect::homi(),
            brief: true,
            line: LiveLine::default(),
            events: EventStream::default(),
        }
    }

    /// Reopens the log of a resumed campaign and appends to it.
    pub fn reopen(directory: &OutputDirectory, quiet: bool, line: LiveLine) -> Self {
        let open = |name: &str| {
            let path = directory.file(name);
            File::options().append(true).create(true).open(path).ok()
        };
        Self {
            messages: open("messages.txt"),
            warnings: open("warnings.txt"),
            seen: BTreeSet::new(),
            quiet,
            dialect: Dialect::homi(),
            brief: false,
            line,
            events: EventStream::default(),
        }
    }

    /// Has this dialect from now on.
    pub fn speaking(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    fn show(&self, line: &str) {
        if !self.quiet {
            self.line.interrupt(line);
        }
    }

    /// Reports a message to the user.
    pub fn message(&mut self, text: &str) {
        let line = format!("{}: {text}", self.dialect.speaker());
        self.show(&line);
        append(&mut self.messages, &line);
        self.emit(Level::Note, text);
    }

    /// Reports the location of the run's files.
    pub fn report_directory(&mut self, path: &Path) {
        if self.dialect.quotes_directory() {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
            self.message(&format!("output directory is \"{}\"", absolute.display()));
        } else {
            self.message(&format!("output directory is {}", path.display()));
        }
    }

    /// Reports a bug.
    pub fn bug(&mut self, bug: ReportedBug<'_>) {
        for text in bug.lines(&self.dialect) {
            self.message(&text);
        }
    }

    fn emit(&self, level: Level, text: &str) {
        self.events.emit(|| {
            Event::Message(Message {
                level,
                text: text.to_string(),
            })
        });
    }

    /// Stops the display of details.
    pub fn be_brief(&mut self) {
        self.brief = true;
    }

    /// Reports a detail of the run's work, if details are shown.
    pub fn detail(&mut self, text: &str) {
        if !self.dialect.reports_details() {
            return;
        }
        let line = format!("homi: {text}");
        if !self.brief {
            self.show(&line);
        }
        append(&mut self.messages, &line);
    }

    /// Warns the user.
    pub fn warning(&mut self, text: &str) {
        self.warn("WARNING", text);
    }

    fn warn(&mut self, how: &str, text: &str) {
        let line = format!("{}: {how}: {text}", self.dialect.speaker());
        self.show(&line);
        append(&mut self.warnings, &line);
        self.emit(Level::Warning, text);
    }

    /// Warns the user unless a warning with this key was given before.
    pub fn warning_once(&mut self, key: &str, text: &str) {
        if self.seen.insert(key.to_string()) {
            self.warn(self.dialect.once_warning(), text);
        }
    }
}

/// A log that threads share: one line at a time.
pub struct SharedLog(Mutex<Log>);

impl SharedLog {
    pub fn new(log: Log) -> Self {
        Self(Mutex::new(log))
    }

    /// Locks the log to write a line or two. The holder must not lock it again.
    pub fn lock(&self) -> MutexGuard<'_, Log> {
        // The log of a thread that panicked is still valid.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn append(file: &mut Option<File>, line: &str) {
    if let Some(open) = file
        && let Err(error) = writeln!(open, "{line}")
    {
        eprintln!("homi: WARNING: cannot write to the run's log: {error}");
        *file = None;
    }
}
