//! When a run ends, and what one path may take.

use super::Budget;
use std::time::Duration;

/// Clock that `--max-time` and all other times of a run use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Clock {
    Wall,
    /// Processor time of all homi processes.
    Cpu,
}

impl Clock {
    /// The name that the user types.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Wall => "wall",
            Clock::Cpu => "cpu",
        }
    }
}

/// The least that a run may have as its memory limit, in bytes: what homi needs to start.
pub const LEAST_MEMORY: u64 = 64 << 20;

/// When a run ends. Zero means "no limit" everywhere.
#[derive(Clone, PartialEq, Debug)]
pub struct BudgetConfig {
    pub time: Budget,
    pub clock: Clock,
    /// Limit on the resident memory of all homi processes together, in bytes.
    pub memory: u64,
    pub tests: u64,
    /// Paths that end.
    pub runs: u64,
    pub instructions: u64,
    /// Forks on one path; deeper paths end early.
    pub depth: u64,
    /// Forks in the whole run; afterwards each state follows one side.
    pub forks: u64,
    /// Shares of the run's forks that one instruction and one call path may have, and shares of the
    /// time in the solver; 1 is no limit.
    pub fork_limit: f64,
    pub path_fork_limit: f64,
    pub solver_limit: f64,
    pub path_solver_limit: f64,
    /// Forks of the run before these shares hold.
    pub limit_delay: u64,
    /// Bytes of stack that the calls of one thread may take; beyond is a bug.
    pub stack_size: u64,
    /// Nested calls of a thread; paths with more end early.
    pub stack_frames: u32,
    /// Time to write the tests of open states once the run stops. Without one there is a clock only
    /// where the budget is a time or a number of tests, or the user wants the run to end.
    pub halt_time: Option<Duration>,
    /// Stop at the first program bug.
    pub exit_on_error: bool,
    /// Stop at the first program bug of one of these kinds.
    pub exit_on_kinds: Vec<String>,
    /// Ratio of the states that are pruned at once when the memory limit is reached (r of PRUNE_M).
    pub memory_prune_ratio: f64,
}

impl BudgetConfig {
    /// No limit but the end of the program's paths.
    pub const UNLIMITED: BudgetConfig = BudgetConfig {
        time: Budget::Time(Duration::ZERO),
        clock: Clock::Wall,
        memory: 0,
        tests: 0,
        runs: 0,
        instructions: 0,
        depth: 0,
        forks: 0,
        fork_limit: 1.0,
        path_fork_limit: 1.0,
        solver_limit: 1.0,
        path_solver_limit: 1.0,
        limit_delay: 0,
        stack_size: 0,
        stack_frames: 0,
        halt_time: None,
        exit_on_error: false,
        exit_on_kinds: Vec::new(),
        memory_prune_ratio: 0.1,
    };

    /// True if one place may have only a share of all forks, or of the time in the solver.
    pub fn limits_locations(&self) -> bool {
        let shares = [
            self.fork_limit,
            self.path_fork_limit,
            self.solver_limit,
            self.path_solver_limit,
        ];
        shares.iter().any(|share| *share < 1.0)
    }
}
