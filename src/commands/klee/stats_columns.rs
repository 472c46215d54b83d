//! Columns of `klee-stats`: KLEE's names for the statistics in `run.stats`, and derived columns.

use super::stats::{Number, Record};

/// Displayed names, in their order, with the internal ones.
pub(super) const LEGEND: [(&str, &str); 55] = [
    ("Instrs", "Instructions"),
    ("Time(s)", "WallTime"),
    ("ICov(%)", "ICov"),
    ("BCov(%)", "BCov"),
    ("ICount", "ICount"),
    ("TSolver(%)", "RelSolverTime"),
    ("ICovered", "CoveredInstructions"),
    ("IUncovered", "UncoveredInstructions"),
    ("Branches", "NumBranches"),
    ("FullBranches", "FullBranches"),
    ("PartialBranches", "PartialBranches"),
    ("ExternalCalls", "ExternalCalls"),
    ("TUser(s)", "UserTime"),
    ("TResolve(s)", "ResolveTime"),
    ("TResolve(%)", "RelResolveTime"),
    ("TCex(s)", "CexCacheTime"),
    ("TCex(%)", "RelCexCacheTime"),
    ("TQuery(s)", "QueryTime"),
    ("TSolver(s)", "SolverTime"),
    ("States", "States"),
    ("ActiveStates", "NumStates"),
    ("MaxActiveStates", "MaxStates"),
    ("AvgActiveStates", "AvgStates"),
    ("InhibitedForks", "InhibitedForks"),
    ("Queries", "Queries"),
    ("SolverQueries", "SolverQueries"),
    ("SolverQueryConstructs", "NumQueryConstructs"),
    ("AvgSolverQuerySize", "AvgQC"),
    ("QCacheMisses", "QueryCacheMisses"),
    ("QCacheHits", "QueryCacheHits"),
    ("QCexCacheMisses", "QueryCexCacheMisses"),
    ("QCexCacheHits", "QueryCexCacheHits"),
    ("Allocations", "Allocations"),
    ("Mem(MiB)", "MallocUsage"),
    ("MaxMem(MiB)", "MaxMem"),
    ("AvgMem(MiB)", "AvgMem"),
    ("BrConditional", "BranchesConditional"),
    ("BrIndirect", "BranchesIndirect"),
    ("BrSwitch", "BranchesSwitch"),
    ("BrCall", "BranchesCall"),
    ("BrMemOp", "BranchesMemOp"),
    ("BrResolvePointer", "BranchesResolvePointer"),
    ("BrAlloc", "BranchesAlloc"),
    ("BrRealloc", "BranchesRealloc"),
    ("BrFree", "BranchesFree"),
    ("BrGetVal", "BranchesGetVal"),
    ("TermExit", "TerminationExit"),
    ("TermEarly", "TerminationEarly"),
    ("TermSolverErr", "TerminationSolverError"),
    ("TermProgrErr", "TerminationProgramError"),
    ("TermUserErr", "TerminationUserError"),
    ("TermExecErr", "TerminationExecutionError"),
    ("TermEarlyAlgo", "TerminationEarlyAlgorithm"),
    ("TermEarlyUser", "TerminationEarlyUser"),
    ("TFork(s)", "ForkTime"),
];

/// Relative times that the legend lacks.
const RELATIVE: [(&str, &str); 2] = [("TFork(%)", "RelForkTime"), ("TUser(%)", "RelUserTime")];

/// Returns the displayed name of a column.
pub(super) fn shown_name(internal: &str) -> &str {
    let known = LEGEND.iter().chain(&RELATIVE);
    known
        .clone()
        .find(|(_, name)| *name == internal)
        .map_or(internal, |(shown, _)| shown)
}

/// Set of displayed columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Set {
    #[default]
    Usual,
    More,
    All,
    AbsoluteTimes,
    RelativeTimes,
}

const USUAL: &[&str] = &[
    "Instructions",
    "WallTime",
    "ICov",
    "BCov",
    "ICount",
    "RelSolverTime",
];
const MORE: &[&str] = &[
    "Instructions",
    "WallTime",
    "ICov",
    "BCov",
    "ICount",
    "RelSolverTime",
    "NumStates",
    "MaxStates",
    "MallocUsage",
    "MaxMem",
];
const ABSOLUTE: &[&str] = &[
    "WallTime",
    "UserTime",
    "SolverTime",
    "CexCacheTime",
    "ForkTime",
    "ResolveTime",
];
const RELATIVE_TIMES: &[&str] = &[
    "WallTime",
    "RelUserTime",
    "RelSolverTime",
    "RelCexCacheTime",
    "RelForkTime",
    "RelResolveTime",
];

impl Set {
    /// Returns the columns of the set that a run has.
    pub(super) fn chosen(self, record: &Record) -> Record {
        let mut record = extended(record.clone());
        let names = match self {
            Set::All => return record,
            Set::Usual => USUAL,
            Set::More => MORE,
            Set::AbsoluteTimes => ABSOLUTE,
            Set::RelativeTimes => RELATIVE_TIMES,
        };
        record.retain(|name, _| names.contains(&name.as_str()));
        record
    }
}

/// Converts times to seconds and memory to MiB, and adds derived columns.
fn extended(mut record: Record) -> Record {
    const MICROSECONDS: [&str; 7] = [
        "UserTime",
        "WallTime",
        "QueryTime",
        "SolverTime",
        "CexCacheTime",
        "ForkTime",
        "ResolveTime",
    ];
    for (names, unit) in [(&MICROSECONDS[..], 1e6), (&["MallocUsage"][..], 1048576.0)] {
        for name in names {
            if let Some(number) = record.get_mut(*name) {
                *number = Number::Real(number.value() / unit);
            }
        }
    }
    let get = |record: &Record, name: &str| record.get(name).map(|number| number.value());
    if let (Some(covered), Some(uncovered)) = (
        get(&record, "CoveredInstructions"),
        get(&record, "UncoveredInstructions"),
    ) {
        let all = covered + uncovered;
        record.insert("ICount".to_string(), Number::Whole(all as i64));
        let share = if all > 0.0 {
            100.0 * covered / all
        } else {
            0.0
        };
        record.insert("ICov".to_string(), Number::Real(share));
    }
    if let (Some(full), Some(partial), Some(all)) = (
        get(&record, "FullBranches"),
        get(&record, "PartialBranches"),
        get(&record, "NumBranches"),
    ) {
        let share = if all == 0.0 {
            1.0
        } else {
            (2.0 * full + partial) / (2.0 * all)
        };
        record.insert("BCov".to_string(), Number::Real(100.0 * share));
    }
    if let Some(wall) = get(&record, "WallTime").filter(|wall| *wall > 0.0) {
        for name in [
            "SolverTime",
            "CexCacheTime",
            "ForkTime",
            "ResolveTime",
            "UserTime",
        ] {
            if let Some(time) = get(&record, name) {
                record.insert(format!("Rel{name}"), Number::Real(100.0 * time / wall));
            }
        }
    }
    record
}
