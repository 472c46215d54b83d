//! Treatment of the sides of a choice that a state's model does not take.
//!
//! Invariant: siblings have the rule of the state that they fork from.

/// Decides whether a side is followed, when it is checked, and when it counts. By default it is
/// checked at the fork and counts if it is feasible, as in KLEE.
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
    /// The rule of concolic runs.
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
