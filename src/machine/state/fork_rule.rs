//! What becomes of the sides of a choice that a state's model does not take.
//!
//! Invariant: siblings have the rule of the state that they fork from.

/// When a side is asked for, and when it counts. The default is to ask at the fork and to count
/// what is possible, as KLEE does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ForkRule {
    /// A side is pending until its state is chosen, unless a cheap answer says that it is possible.
    pub lazy: bool,
    /// Sides that are known to be possible wait too, and are covered when their states run: so a
    /// concolic run counts what it has executed.
    pub only_executions_cover: bool,
}

impl ForkRule {
    /// That of concolic runs.
    pub const CONCOLIC: ForkRule = ForkRule {
        lazy: true,
        only_executions_cover: true,
    };
}
