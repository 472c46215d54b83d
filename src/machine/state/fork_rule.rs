//! What becomes of the sides of a choice that a state's model does not take.
//!
//! Invariant: siblings have the rule of the state that they fork from.

/// Whether a side is followed, when it is asked for, and when it counts. The default is to ask at
/// the fork and to count what is possible, as KLEE does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForkRule {
    /// False after `klee_set_forking(0)`: symbolic branches follow the model.
    pub enabled: bool,
    /// A side is pending until its state is chosen, unless a cheap answer says that it is possible.
    pub lazy: bool,
    /// Sides that are known to be possible wait too, and are covered when their states run: so a
    /// concolic run counts what it has executed.
    pub only_executions_cover: bool,
}

impl ForkRule {
    /// That of concolic runs.
    pub const CONCOLIC: ForkRule = ForkRule {
        enabled: true,
        lazy: true,
        only_executions_cover: true,
    };
}

impl Default for ForkRule {
    fn default() -> Self {
        Self {
            enabled: true,
            lazy: false,
            only_executions_cover: false,
        }
    }
}
