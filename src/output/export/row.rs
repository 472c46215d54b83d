//! Properties of an exporter: name, occasion, destination.

use homi_report::{Listener, LiveLine, OutputFailure};
use std::path::{Path, PathBuf};

/// Occasion of an exporter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occasion {
    /// A run: its tests and bugs.
    Run,
    /// A replay: what natively built programs do with tests.
    Replay,
}

impl Occasion {
    pub(super) fn command(self) -> &'static str {
        match self {
            Occasion::Run => "homi run",
            Occasion::Replay => "homi replay",
        }
    }
}

/// Destination of exporters.
pub struct OutputDestination<'p> {
    /// The output directory.
    pub directory: &'p Path,
    /// The line on the terminal.
    pub line: &'p LiveLine,
    /// Words of the program, if an exporter needs them.
    pub words: &'p [Vec<u8>],
}

impl OutputDestination<'_> {
    /// The path of a file of the output directory.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

/// One exporter.
#[derive(Clone, Copy, Debug)]
pub struct ExporterRow {
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// The file or directory that it writes, within the output directory; a description if it
    /// writes none.
    pub output: &'static str,
    pub occasions: &'static [Occasion],
    /// True if it writes counts of the program's source, which a replay has with `--gcov` only.
    pub needs_gcov: bool,
    /// Effect on a run that can no longer write the output.
    pub on_failure: OutputFailure,
    /// Makes one.
    pub make: fn(&OutputDestination<'_>) -> Box<dyn Listener>,
}
