//! How a state stands before the instruction that it executes next.

/// Whether the state was run, waits, or executes an instruction again.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// False until the state was first run.
    pub entered: bool,
    /// The observer counts it among those that wait before the segment where it stands.
    pub waits: bool,
    /// It forked off within the instruction where it stands, and executes that instruction again.
    pub executes_again: bool,
}
