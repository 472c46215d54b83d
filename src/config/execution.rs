//! What the executor is told: what stays symbolic, what is checked, what stands for functions that
//! were not linked.

/// When it is asked whether the sides of a condition that a path does not take are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Forks {
    /// At the fork, as KLEE.
    Eager,
    /// When the side is chosen.
    Lazy,
}

/// What stays symbolic.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolicConfig {
    /// Sizes of allocations up to so many bytes.
    pub size: u64,
    /// Values that an exit status may have before one stands for all; 0: one always does.
    pub exit_statuses: u32,
    pub forks: Forks,
    /// Floating-point results of symbolic operands; otherwise operands are made concrete.
    pub floats: bool,
    /// Undefined values, so that what depends on one is found.
    pub undefined: bool,
    /// How often a thread of the program may be interrupted on a path where it need not be.
    pub preemptions: u32,
    /// Accesses by two threads that nothing orders are looked for.
    pub races: bool,
}

impl SymbolicConfig {
    /// What stays symbolic where no options were read.
    pub const BASIC: SymbolicConfig = SymbolicConfig {
        size: 64 << 10,
        exit_statuses: 256,
        forks: Forks::Eager,
        floats: true,
        undefined: false,
        preemptions: 0,
        races: false,
    };
}

/// What is looked for beside what always is, and what may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckConfig {
    /// Blocks of the heap that nothing points to at the end.
    pub leaks: bool,
    /// Arithmetic that overflows although the compiler was promised that it does not.
    pub overflow: bool,
    /// Allocations that may fail on a path although there is room.
    pub malloc_failures: u32,
    /// Divisors that are 0, and quotients that do not fit.
    pub division: bool,
    /// Shifts by the width or more.
    pub shifts: bool,
    /// A path ends without a word where `klee_assume` cannot hold.
    pub silent_assume: bool,
}

impl CheckConfig {
    /// What is checked where no options were read.
    pub const BASIC: CheckConfig = CheckConfig {
        leaks: false,
        overflow: false,
        malloc_failures: 0,
        division: true,
        shifts: true,
        silent_assume: false,
    };
}

/// What a stub does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum StubWord {
    /// Returns any value and may write to what its arguments point to.
    Any,
    /// Returns 0.
    Zero,
    /// Returns -1 with `errno` EINVAL.
    Errno,
}

/// What stands for functions that were not linked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubConfig {
    pub named: Vec<(String, StubWord)>,
    /// Of all others that are missing.
    pub missing: Option<StubWord>,
}
impl StubConfig {
    /// Nothing stands for a function that was not linked.
    pub const NONE: StubConfig = StubConfig {
        named: Vec::new(),
        missing: None,
    };

    /// What stands for a function that was not linked. The last stub of a name counts.
    pub fn of(&self, function: &str) -> Option<StubWord> {
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
                ("f".to_string(), StubWord::Any),
                ("f".to_string(), StubWord::Errno),
            ],
            missing: Some(StubWord::Zero),
        };
        assert_eq!(stubs.of("f"), Some(StubWord::Errno));
        assert_eq!(stubs.of("g"), Some(StubWord::Zero));
        assert_eq!(StubConfig::NONE.of("f"), None);
    }
}
