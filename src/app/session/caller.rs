//! What a session is given besides its options.

use super::piece::Piece;
use crate::explore::engine::{PolicyMakers, Signals};
use crate::report::{EventStream, OutputDirectory};
use std::path::PathBuf;

/// What the caller of a session has to say; the default is a quiet library user.
#[derive(Clone, Default)]
pub struct Caller {
    /// How the run was asked for, for the file `info`.
    pub command_line: String,
    /// Flags by which the caller interrupts and stops the run.
    pub signals: Signals,
    /// The `homi` command, of which processes of their own read bitcode and ask Z3. Without it
    /// bitcode is read in this process, which a damaged file may crash, and questions that need Z3
    /// stay without answer.
    pub executable: Option<PathBuf>,
    /// Where programs as lowered are kept between runs; none keeps nothing.
    pub cache_directory: Option<PathBuf>,
    /// What the user is to be warned of once there is an output directory.
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
    pub piece: Option<Piece>,
    /// Hears what happens in the run.
    pub events: EventStream,
    /// The process ends when it has seen the report, so that the program and its terms need not be
    /// freed, which takes seconds if there are many.
    pub process_ends: bool,
    /// Ends the process with a word before the kernel kills it for want of memory. Without it
    /// nobody watches the machine's memory.
    pub end_without_memory: Option<fn(&str) -> !>,
}
