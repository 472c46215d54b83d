//! When a run ends, and what stays symbolic.

use super::declare::Declared;
use super::fill::options;
use super::profile::ByProfile;
use super::requirement::Fact;
use super::row::Heading;
use super::value::{budget, choice, duration, flag, number, ratio, share, size, texts};
use homi_config::{Budget, BudgetConfig, Clock, Forks, SymbolicConfig};
use std::time::Duration;

/// Reason why paths that are compared with each other have only one order of threads.
const NOT_ORDERED: &str = "an interpolant does not cover the order of threads";

options! {
    /// The options of [`BudgetConfig`].
    BudgetOptions fills BudgetConfig;

    /// Stop after this time: 60s, 10min, 1h; a bare number is seconds
    ///
    /// 500000i counts instructions and 5000000w counts work. A unit of work is an instruction, or
    /// the solver's effort in its place. Work is equal on every machine, and close to the time of a
    /// quiet one (docs/research/work.md).
    time: Budget = budget("max-time")
        .common().default(Budget::Time(Duration::ZERO));

    /// Measure times by this clock
    ///
    /// `wall` is elapsed time. `cpu` is the CPU time of all homi processes, summed over
    /// threads, for equal work on a busy machine.
    clock: Clock = choice("clock").default(Clock::Wall);

    /// Limit the resident memory of all homi processes: 2GiB, 500MiB
    ///
    /// A bare number is MB, and 0 is no limit. If the machine or the container has less memory
    /// free, four fifths of that are the limit, and homi warns. If free memory runs out all the
    /// same, homi stops with a message before the kernel kills it.
    memory: u64 = size("max-memory")
        .common().default(2 << 30);

    /// Prune this ratio of the states at random when memory reaches the limit
    ///
    /// r of PRUNE_M in the Homi paper.
    memory_prune_ratio: f64 = share("tuning memory-prune-ratio").default(0.1);

    /// Stop after writing N tests; 0 is no limit
    ///
    /// Tests of open paths are written in addition, unless `--dump-states-on-halt=false` is given.
    tests: u64 = number("max-tests", "N").default(0);

    /// Stop after N instructions; 0 is no limit
    instructions: u64 = number("max-instructions", "N").default(0);

    /// Stop after N paths have ended; 0 is no limit
    ///
    /// A path of `--concolic` is an execution.
    runs: u64 = number("max-runs", "N").default(0);

    /// End paths after N forks; 0 is no limit
    depth: u64 = number("max-depth", "N").default(0);

    /// Follow one side of each branch after N forks; 0 is no limit
    forks: u64 = number("max-forks", "N").default(0);

    /// Limit the ratio of all forks at one code location
    ///
    /// Beyond the limit, homi follows one side of the condition.
    fork_limit: f64 = ratio("max-static-fork-pct", 1.0).default(1.0).of_klee();

    /// Limit the ratio of all forks on one call path
    ///
    /// Beyond the limit, homi follows one side of the condition.
    path_fork_limit: f64 = ratio("max-static-cpfork-pct", 1.0).default(1.0).of_klee();

    /// Limit the ratio of the solver's time for one code location
    ///
    /// Beyond the limit, homi follows one side of the condition.
    solver_limit: f64 = ratio("max-static-solve-pct", 1.0).default(1.0).of_klee();

    /// Limit the ratio of the solver's time for one call path
    ///
    /// Beyond the limit, homi follows one side of the condition.
    path_solver_limit: f64 = ratio("max-static-cpsolve-pct", 1.0).default(1.0).of_klee();

    /// Apply the limits per location after N forks
    limit_delay: u64 = number("max-static-pct-check-delay", "N").default(1000).of_klee();

    /// Report a bug if a thread's stack exceeds this size; 0 is no limit
    ///
    /// homi underestimates the size of a stack.
    stack_size: u64 = size("max-stack-size").default(8 << 20);

    /// End paths with more than N nested calls; 0 is no limit
    stack_frames: u32 = number("max-stack-frames", "N")
        .by_profile(ByProfile { homi: 0, klee: 8192, paper: 8192 });

    /// Limit the time for the tests of open states after the run stops
    ///
    /// This is wall time: if it runs out, equal runs may write different tests.
    halt_time: Option<Duration> = duration("halt-time").absent_means(
        "as long as it takes if only instructions or work limit the run, else and after Ctrl-C 10s",
    );

    /// Stop at the first bug
    exit_on_error: bool = flag("exit-on-error")
        .common();

    /// Stop at the first bug of this kind, such as ptr, assert or user; repeatable
    exit_on_kinds: Vec<String> = texts("exit-on-error-type", "KIND");
}

options! {
    /// The options of [`SymbolicConfig`].
    Symbolic fills SymbolicConfig with { undefined: bool, races: bool };

    /// Keep allocation sizes symbolic up to this size; 0 concretizes all
    size: u64 = size("max-symbolic-size").default(64 << 10);

    /// Fork for each value of a symbolic exit status if it has at most N
    ///
    /// If the status has more values, homi concretizes it to one of them.
    exit_statuses: u32 = number("tuning max-exit-statuses", "N")
        .by_profile(ByProfile { homi: 256, klee: 0, paper: 0 });

    /// Choose when the other side of a branch is checked
    ///
    /// `eager` asks the solver at the branch whether the side is feasible. `lazy` asks when the
    /// searcher selects the side, which takes fewer queries. Both decide at once what needs no
    /// search, and sides that end as bugs.
    forks: Forks = choice("fork")
        .depends("eager; lazy with --concolic", |situation| {
            if situation.concolic { Forks::Lazy } else { Forks::Eager }
        })
        .heading(Heading::Search);

    /// Concretize symbolic operands of floating-point instructions
    floats: bool = flag("concrete-floats").negated();

    /// Give memory that was never set any value
    ///
    /// The first read of bytes of locals and of malloc that were never written, and LLVM's undef,
    /// make a symbolic object `undef:NAME:LINE`, where NAME is the local's name, or `heap`, and
    /// LINE the line of the read. Later reads have the same value. A replay cannot give it. On with
    /// `--property`.
    unset_is_any: bool = flag("undef-any")
        .heading(Heading::Program)
        .excludes(Fact::Undefined, "a value that was never set is any value or a bug, not both")
        .excludes(Fact::Subsume, "an interpolant does not cover it");

    /// Explore all thread schedules with at most N preemptions
    ///
    /// A thread may be preempted before its atomic accesses and before calls that synchronize
    /// (locks, conditions, semaphores, thread creation, joins). Where a thread waits, any other
    /// that can run may be next. Most bugs need 1 or 2 preemptions.
    preemptions: u32 = number("max-preemptions", "N")
        .default(0)
        .heading(Heading::Program)
        .excludes(Fact::Subsume, NOT_ORDERED);
}
