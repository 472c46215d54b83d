//! When a run ends, and what stays symbolic.

use super::declare::Declared;
use super::fill::options;
use super::profile::ByProfile;
use super::requirement::Fact;
use super::row::Heading;
use super::value::{duration, flag, number, ratio, share, size, span, texts, word};
use crate::config::{BudgetConfig, Clock, Forks, Span, SymbolicConfig};
use std::time::Duration;

/// Why paths that are compared with each other have one order of threads only.
const NOT_ORDERED: &str = "what is known of a path says nothing of the order of threads";

options! {
    /// The options of [`BudgetConfig`].
    Budget fills BudgetConfig;

    /// Stop after this time: 60s, 10min, 1h (a bare number is seconds); 500000i counts
    /// instructions, 5000000w units of work
    ///
    /// A unit of work is an instruction, or what the solver does in its place: equal on every
    /// machine, and about what time would be on a quiet one (docs/research/work.md).
    time: Span = span("max-time")
        .common("Stop after this time: 60s, 10min, 1h").default(Span::Time(Duration::ZERO));

    /// What times count: wall, or processor (the time of homi's processes on a processor, threads
    /// added up), for equal work on a busy machine
    clock: Clock = word("clock").default(Clock::Wall);

    /// Resident memory of all homi processes together: 2GiB, 500MiB (a bare number is MB); 0 is no
    /// limit
    ///
    /// Where the machine or the container has less room, four fifths of that room are the limit,
    /// and a warning says so. A run that takes the last of the room all the same is ended with a
    /// message, before the kernel kills it.
    memory: u64 = size("max-memory")
        .common("Memory of all homi processes: 2GiB, 500MiB").default(2 << 30);

    /// Share of the states that leave, at random, each time the memory limit is reached (r of
    /// PRUNE_M in the Homi paper)
    memory_prune_ratio: f64 = share("tuning memory-prune-ratio").default(0.1);

    /// Stop after writing this many tests, and then write those of open paths
    /// (--dump-states-on-halt=false: none); 0 is no limit
    tests: u64 = number("max-tests", "N").default(0);

    /// Stop after this many instructions; 0 is no limit
    instructions: u64 = number("max-instructions", "N").default(0);

    /// Stop after so many paths have come to an end, the executions of --concolic; 0 is no limit
    runs: u64 = number("max-runs", "N").default(0);

    /// End paths after this many forks; 0 is no limit
    depth: u64 = number("max-depth", "N").default(0);

    /// After this many forks follow one side only; 0 is no limit
    forks: u64 = number("max-forks", "N").default(0);

    /// Follow one side of a condition whose place has had more than this share of all forks
    fork_share: f64 = ratio("max-static-fork-pct", 1.0).default(1.0).hidden();

    /// The same of forks on one call path
    path_fork_share: f64 = ratio("max-static-cpfork-pct", 1.0).default(1.0).hidden();

    /// The same of one place's time in the solver
    solver_share: f64 = ratio("max-static-solve-pct", 1.0).default(1.0).hidden();

    /// The same of one call path's time in the solver
    path_solver_share: f64 = ratio("max-static-cpsolve-pct", 1.0).default(1.0).hidden();

    /// Forks of the run before these shares hold
    share_delay: u64 = number("max-static-pct-check-delay", "N").default(1000).hidden();

    /// Stack that a thread's calls may take before that is a bug; 0 is no limit. What they take is
    /// estimated from below
    stack_size: u64 = size("max-stack-size").default(8 << 20);

    /// End paths with more nested calls than this; 0 is no limit
    stack_frames: u32 = number("max-stack-frames", "N")
        .by_profile(ByProfile { homi: 0, klee: 8192, paper: 8192 });

    /// Time for the tests of open states once the run stops. It is a clock: where it runs out,
    /// equal runs may write different tests
    halt_time: Option<Duration> = duration("halt-time").absent_means(
        "as long as it takes if only instructions or work limit the run, else and after Ctrl-C 10s",
    );

    /// Stop at the first bug
    exit_on_error: bool = flag("exit-on-error")
        .common("Stop at the first bug");

    /// Stop at the first bug of this kind, such as ptr, assert or user; repeatable
    exit_on_kinds: Vec<String> = texts("exit-on-error-type", "KIND");
}

options! {
    /// The options of [`SymbolicConfig`].
    Symbolic fills SymbolicConfig;

    /// Keep sizes of allocations symbolic up to this; 0 makes all sizes concrete
    size: u64 = size("max-symbolic-size").default(64 << 10);

    /// End one path for each value of a symbolic exit status if it has so many at most; else the
    /// status is one of them
    exit_statuses: u32 = number("tuning max-exit-statuses", "N")
        .by_profile(ByProfile { homi: 256, klee: 0, paper: 0 });

    /// What becomes of the sides of a condition that a path does not take: eager asks at once
    /// whether they are possible, lazy when they are chosen
    ///
    /// Lazy asks fewer questions. What needs no search is asked at once in both, and so are the
    /// sides that end as bugs.
    forks: Forks = word("fork")
        .depends("eager; lazy with --concolic", |situation| match situation.concolic {
            true => Forks::Lazy,
            false => Forks::Eager,
        })
        .heading(Heading::Search);

    /// Make symbolic operands of floating-point instructions concrete, one value per path
    floats: bool = flag("concrete-floats").negated();

    /// Report branches, addresses, divisors and sizes that depend on an undefined value
    /// (.undef.err)
    ///
    /// Undefined are bytes of locals and of malloc that were never written, LLVM's undef and
    /// poison, and results of signed overflow. Copying them is no error. The path goes on with
    /// fixed values, as without the option.
    undefined: bool = flag("check-undef")
        .common("Report what depends on undefined values").heading(Heading::Program);

    /// Follow all orders of the program's threads in which they are interrupted at most N times
    /// where they need not wait
    ///
    /// A thread may be interrupted before its atomic accesses and before calls that synchronise
    /// (locks, conditions, semaphores, threads that begin, joins). Where one waits, any other that
    /// can run may be next. Few orders suffice for most bugs: 1 or 2.
    preemptions: u32 = number("preempt", "N")
        .default(0)
        .heading(Heading::Program)
        .excludes(Fact::Subsume, NOT_ORDERED);

    /// Report accesses of two threads to the same bytes, of which one writes, that nothing orders
    /// (.race.err)
    ///
    /// What orders is the beginning and the joining of threads, locks, conditions, semaphores,
    /// barriers and atomics. The report names both places; the path goes on.
    races: bool = flag("check-races")
        .heading(Heading::Program)
        .excludes(Fact::Subsume, NOT_ORDERED);
}
