//! Model limitations that a run met.
//!
//! A limit is not a loss of the run: it is a way in which the modeled machine is simpler than a
//! real one, described in docs/guide/limits.md. Invariant: a run names a limit only if it executed
//! a call of a function that is subject to it.

use homi_ir::program::{Callee, FuncId, Inst, Origin};
use homi_machine::exec::Executor;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Model limitation, which holds in every run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ModelLimit {
    /// Threads take turns: one order of theirs is followed.
    ThreadOrder,
    /// After a fork a path follows one process.
    OneProcess,
    /// A program that is executed in place of this one is not followed.
    Execution,
    /// The clock moves a little each time it is read.
    Clock,
    /// Allocations fail only where they are too large.
    Allocation,
    /// Signals come from the program itself only.
    Signals,
    /// Random numbers of the kernel are the same on every path.
    RandomNumbers,
    /// A name of symbolic letters never matches a file of the host.
    FileNames,
    /// A system call that Linux has is refused as by a kernel without it.
    MissingCalls,
    /// A file of the host that is not in the directory of the run is not there.
    HostFiles,
}

impl ModelLimit {
    const ALL: [ModelLimit; 10] = [
        ModelLimit::ThreadOrder,
        ModelLimit::OneProcess,
        ModelLimit::Execution,
        ModelLimit::Clock,
        ModelLimit::Allocation,
        ModelLimit::Signals,
        ModelLimit::RandomNumbers,
        ModelLimit::FileNames,
        ModelLimit::MissingCalls,
        ModelLimit::HostFiles,
    ];

    /// The name in `summary.json` and in the guide's page of limits.
    pub fn name(self) -> &'static str {
        match self {
            ModelLimit::ThreadOrder => "thread-order",
            ModelLimit::OneProcess => "one-process",
            ModelLimit::Execution => "execution",
            ModelLimit::Clock => "clock",
            ModelLimit::Allocation => "allocation",
            ModelLimit::Signals => "signals",
            ModelLimit::RandomNumbers => "random-numbers",
            ModelLimit::FileNames => "file-names",
            ModelLimit::MissingCalls => "missing-calls",
            ModelLimit::HostFiles => "host-files",
        }
    }

    /// A call of one of these functions meets the limit.
    fn functions(self) -> &'static [&'static str] {
        match self {
            ModelLimit::ThreadOrder => &["homi_thread_start"],
            ModelLimit::OneProcess => &["hk_fork"],
            ModelLimit::Execution => &["hk_execute"],
            ModelLimit::Clock => &["hk_clock_gettime", "hk_gettimeofday", "hk_time", "hk_times"],
            ModelLimit::Allocation => &[
                "malloc",
                "calloc",
                "realloc",
                "reallocarray",
                "memalign",
                "aligned_alloc",
                "posix_memalign",
                "valloc",
                "_Znwm",
                "_Znam",
            ],
            ModelLimit::Signals => &["hk_sigaction"],
            ModelLimit::RandomNumbers => &["hk_getrandom"],
            ModelLimit::FileNames => &["hk_no_such_name"],
            ModelLimit::MissingCalls => &["hk_refuse"],
            ModelLimit::HostFiles => &["hk_file_not_shown"],
        }
    }
}

/// The limits that were met where these segments were executed.
pub fn met_limits(executor: &Executor<'_>, executed: &dyn Fn(u32) -> bool) -> BTreeSet<ModelLimit> {
    let program = executor.program();
    let called = |function: FuncId, pc: u32| {
        let function = program.function(function);
        let Inst::Call { site } = function.code[pc as usize] else {
            return None;
        };
        match function.calls[site as usize].callee {
            Callee::Direct(callee) => Some(callee),
            Callee::Indirect(_) | Callee::Assembly { .. } => None,
        }
    };
    let segments = executor.segments();
    let mut direct: FxHashSet<(FuncId, bool)> = FxHashSet::default();
    for segment in (0..segments.segment_count() as u32).filter(|segment| executed(*segment)) {
        // A call is the last instruction of its segment.
        let (function, _, end) = segments.range(segment);
        let Some(callee) = called(function, end.saturating_sub(1)) else {
            continue;
        };
        let by_kernel = program.function(function).origin == Origin::Runtime;
        direct.insert((callee, by_kernel));
    }
    let meets = |limit: &ModelLimit| {
        direct.iter().any(|(callee, by_kernel)| {
            let name = program.function(*callee).name.as_str();
            // The program did not ask for the kernel's memory.
            let counts = !(*by_kernel && *limit == ModelLimit::Allocation);
            counts && limit.functions().contains(&name)
        })
    };
    ModelLimit::ALL.into_iter().filter(meets).collect()
}
