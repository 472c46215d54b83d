//! Configuration of the executor: symbolic values, and stubs of functions that were not linked.

/// When it is asked whether the sides of a condition that a path does not take are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Forks {
    /// At the fork, as KLEE.
    Eager,
    /// When the side is chosen.
    Lazy,
}

/// Limits on symbolic values.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolicConfig {
    /// Largest size of an allocation that stays symbolic, in bytes.
    pub size: u64,
    /// Values that an exit status may have before one represents all; 0: one always does.
    pub exit_statuses: u32,
    pub forks: Forks,
    /// Floating-point results of symbolic operands; otherwise operands are made concrete.
    pub floats: bool,
    /// Undefined values, so that what depends on one is found.
    pub undefined: bool,
    /// Memory that was never set has any value: it is symbolic from its first read on.
    pub unset_is_any: bool,
    /// Preemption bound: number of times that a thread of the program may be preempted on a path.
    pub preemptions: u32,
    /// Accesses by two threads that nothing orders are looked for.
    pub races: bool,
}

impl SymbolicConfig {
    /// Limits without options.
    pub const BASIC: SymbolicConfig = SymbolicConfig {
        size: 64 << 10,
        exit_statuses: 256,
        forks: Forks::Eager,
        floats: true,
        undefined: false,
        unset_is_any: false,
        preemptions: 0,
        races: false,
    };
}

/// Behavior of a stub.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum StubSpec {
    /// Returns any value and may write to what its arguments point to.
    Any,
    /// Returns 0.
    Zero,
    /// Returns -1 with `errno` EINVAL.
    Errno,
}

/// Stubs of functions that were not linked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubConfig {
    pub named: Vec<(String, StubSpec)>,
    /// Stub of all other missing functions.
    pub missing: Option<StubSpec>,
}
impl StubConfig {
    /// No stubs.
    pub const NONE: StubConfig = StubConfig {
        named: Vec::new(),
        missing: None,
    };

    /// Returns the stub of a function that was not linked. The last stub of a name counts.
    pub fn of(&self, function: &str) -> Option<StubSpec> {
        let mut named = self.named.iter().rev();
        let named = named.find(|(name, _)| name == function);
        named.map(|(_, stub)| *stub).or(self.missing)
    }

    /// True if no function has a stub.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && self.missing.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stub_of_a_name_counts_and_names_come_before_the_rest() {
        let stubs = StubConfig {
            named: vec![
                ("f".to_string(), StubSpec::Any),
                ("f".to_string(), StubSpec::Errno),
            ],
            missing: Some(StubSpec::Zero),
        };
        assert_eq!(stubs.of("f"), Some(StubSpec::Errno));
        assert_eq!(stubs.of("g"), Some(StubSpec::Zero));
        assert_eq!(StubConfig::NONE.of("f"), None);
    }
}
