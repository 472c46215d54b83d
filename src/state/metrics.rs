//! What searchers and pruning may know of a state. All of it is deterministic.

/// Numbers about one state; copied to the sibling at a fork.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Metrics {
    /// Number of forks on the path.
    pub depth: u32,
    /// Instructions executed on the path since the start.
    pub instructions: u64,
    /// Instructions since this path last covered something new for the whole run; 0 means never.
    pub instructions_since_new: u64,
    /// This path covered something new that no test shows yet; the engine clears it.
    pub covered_new: bool,
    /// Seconds of solver time charged to this state, counted instead of timed; the engine adds to
    /// it.
    pub solver_seconds: f64,
    /// Times a symbolic value was made concrete by choice (float operands, unbounded pointers,
    /// sizes...).
    pub concretisations: u32,
}

impl Metrics {
    /// The path covered something for the first time in the run, `instructions` before now.
    pub fn note_new(&mut self, instructions: u64) {
        self.covered_new = true;
        self.instructions_since_new = 1 + instructions;
    }
}
