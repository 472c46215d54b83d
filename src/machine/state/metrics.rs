//! Data of a state for searchers and pruning. All of it is deterministic.

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
    /// The path has become one with another: it is as long as the longer of the two.
    pub fn include(&mut self, other: &Metrics) {
        // A new field does not compile until it is thought of here.
        let Metrics {
            depth,
            instructions,
            instructions_since_new,
            covered_new,
            solver_seconds,
            concretisations,
        } = self;
        *depth = other.depth.max(*depth);
        *instructions = other.instructions.max(*instructions);
        *instructions_since_new = match (*instructions_since_new, other.instructions_since_new) {
            (0, count) | (count, 0) => count,
            (own, others) => own.min(others),
        };
        *covered_new |= other.covered_new;
        *solver_seconds = other.solver_seconds.max(*solver_seconds);
        *concretisations = other.concretisations.max(*concretisations);
    }

    /// The path covered something for the first time in the run, `instructions` before now.
    pub fn note_new(&mut self, instructions: u64) {
        self.covered_new = true;
        self.instructions_since_new = 1 + instructions;
    }
}
