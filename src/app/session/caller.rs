//! Parameters of a session in addition to its options.

use super::job::SessionJob;
use super::native_comparison::NativeComparison;
use homi_explore::engine::{PolicyMakers, Signals};
use homi_report::{EventStream, OutputDirectory};
use std::path::PathBuf;

/// Parameters of the caller; the default suits a quiet user of the library.
#[derive(Clone, Default)]
pub struct Caller {
    /// The command line of the run, for the file `info`.
    pub command_line: String,
    /// Flags by which the caller interrupts and stops the run.
    pub signals: Signals,
    /// The `homi` command, which reads bitcode and runs Z3 in separate processes. Without it homi
    /// reads bitcode in this process, which a damaged file may crash, and queries that need Z3 have
    /// no answer.
    pub executable: Option<PathBuf>,
    /// Directory that caches lowered programs between runs; `None` disables the cache.
    pub cache_directory: Option<PathBuf>,
    /// Warnings to log once there is an output directory.
    pub warnings: Vec<String>,
    /// An output directory that the caller has reserved already, in place of the one that the
    /// options name.
    pub directory: Option<OutputDirectory>,
    /// The C files that the caller compiled the program from.
    pub sources: Vec<PathBuf>,
    /// Details of how the run works are written to its log and not shown.
    pub brief: bool,
    /// Policies of the caller's own.
    pub policies: PolicyMakers,
    /// The run is a piece of a larger work.
    pub job: Option<SessionJob>,
    /// Runs the tests on the native program and compares.
    pub compare: NativeComparison,
    /// Hears what happens in the run.
    pub events: EventStream,
    /// The process ends when it has seen the report, so that the program and its terms need not be
    /// freed, which takes seconds if there are many.
    pub process_ends: bool,
    /// Ends the process with a message before the kernel kills it for lack of memory. Without it
    /// homi does not watch the machine's memory.
    pub end_without_memory: Option<fn(&str) -> !>,
}
