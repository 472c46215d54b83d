//! Status of a state before its next instruction.

/// Execution status of a state: run before, waiting, or executing an instruction again.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// False until the state was first run.
    pub entered: bool,
    /// True if the observer counts the state as waiting before its segment.
    pub waits: bool,
    /// True if it forked off within its current instruction, and executes that instruction again.
    pub executes_again: bool,
}
