//! `summary.json`, schema 2: how a run ended, for scripts.

use super::AddUp;
use super::concolic::ConcolicSummary;
use super::learning::CampaignCosts;
use super::outcomes::OutcomeSummary;
use super::pending::PendingSummary;
use super::statistics::statistics;
use super::subsumption::SubsumptionSummary;
use super::targets::TargetSummary;
use super::verdict::VerdictSummary;
use std::collections::BTreeMap;

/// The version of the layout.
pub const SUMMARY_SCHEMA: u32 = 2;

statistics! {
    /// The whole of `summary.json`.
    Summary in "`summary.json`, event `finished`" {
        /// The version of the layout: 2.
        schema: u32, Count, Own;
        /// Name of the program's file.
        program: String, Text, Own;
        /// The program's arguments as typed.
        args: Vec<String>, Text, Own;
        /// The search heuristics, in turn.
        search: Vec<String>, Text, Own;
        /// Pruning policy: `none`, `random` or `homi`.
        prune: String, Text, Own;
        /// The seed of random choices.
        seed: u64, Count, Own;
        /// Stop reason.
        stop_reason: String, Text, Own;
        /// Seconds of the run.
        wall_s: f64, Seconds, Sum;
        /// User and system time of homi and its child processes.
        cpu_s: f64, Seconds, Sum;
        /// Instructions executed by all states.
        instructions: u64, Instructions, Sum;
        /// Paths by how they ended.
        paths: PathSummary, Group, Sum;
        /// Tests written.
        tests: u64, Count, Sum;
        /// The most states at one time.
        states_peak: u64, Count, Most;
        /// The most resident memory at one time.
        memory_peak_bytes: u64, Bytes, Most;
        /// Coverage of user code.
        coverage: CoverageSummary, Group, Last;
        /// The solver's work.
        solver: SolverSummary, Group, Sum;
        /// The program's bugs.
        errors: Vec<ErrorSummary>, Group, Own;
        /// Unsupported features that the run met, by location.
        unsupported: Vec<UnsupportedSummary>, Group, Own;
        /// Paths that ran to the program's exit, by its exit status.
        exit_statuses: BTreeMap<String, u64>, Count, Sum;
        /// Mean of |S| over the seconds of the run; in a campaign, without its first run (as
        /// Statistic 2 of Homi) if there are others.
        #[serde(default)]
        states_mean: f64, Count, Own;
        /// Clock of the times: `wall` or `processor`.
        #[serde(default = "wall")]
        clock: String, Text, Own;
        /// Threads that explored.
        #[serde(default = "one")]
        threads: u64, Count, Own;
        /// Statistics of the campaign; present for a campaign.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        campaign: Option<CampaignSummary>, Group, Own;
        /// Memory by kind at the end of the run, before homi freed its states.
        #[serde(default)]
        memory: MemorySummary, Group, Last;
        /// Source lines with the most forks, and with the most solver time; most forks first.
        #[serde(default)]
        hot_lines: Vec<HotLine>, Group, Own;
        /// Present if there were fuzzing runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fuzzing: Option<FuzzingSummary>, Group, Sum;
        /// Statistics of seeds; present if there were any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seeds: Option<SeedSummary>, Group, Sum;
        /// Present if memory ran short and states were swapped out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        swapped: Option<SwappedSummary>, Group, Sum;
        /// Resumed paths; present if the session resumed open paths of an earlier session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resumed: Option<ResumedSummary>, Group, Own;
        /// Results of pending checks; present if forks were lazy.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pending: Option<PendingSummary>, Group, Sum;
        /// Statistics of the concolic run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        concolic: Option<ConcolicSummary>, Group, Sum;
        /// Statistics of subsumption; present with `--subsume`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subsumption: Option<SubsumptionSummary>, Group, Sum;
        /// Number of paths merged into another; present with `--use-merge`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        merged: Option<u64>, Count, Sum;
        /// Under-approximations of the run by code location: concretized values and dropped paths;
        /// most frequent first.
        #[serde(default)]
        underapproximations: Vec<UnderapproximationSummary>, Group, Own;
        /// Model limitations that the run met, by the names in docs/guide/limits.md.
        #[serde(default)]
        model_limitations: Vec<String>, Text, Own;
        /// Units of work that the run took; 0 in files of before it was counted.
        #[serde(default)]
        work: u64, Work, Sum;
        /// Lines that the run was to reach; absent if none were named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        targets: Vec<TargetSummary>, Group, Own;
        /// Outcomes of the tests; absent if none was predicted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcomes: Option<OutcomeSummary>, Group, Sum;
        /// Verdict on the property of `--property`; absent without that option.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<VerdictSummary>, Group, Own;
    }
}

statistics! {
    /// Fuzzing runs.
    #[derive(Copy, Eq)]
    FuzzingSummary in "`summary.json` and a line of `learning.jsonl`: `fuzzing`" {
        /// Inputs that were run.
        runs: u64, Count, Sum;
        /// Instructions that they executed.
        instructions: u64, Instructions, Sum;
        /// Tests written because a fuzzing run covered something first or showed a new bug.
        tests: u64, Count, Sum;
    }
}

impl FuzzingSummary {
    /// Returns the difference to `earlier`.
    pub fn since(self, earlier: FuzzingSummary) -> Self {
        Self {
            runs: self.runs - earlier.runs,
            instructions: self.instructions - earlier.instructions,
            tests: self.tests - earlier.tests,
        }
    }
}

statistics! {
    /// Earlier tests that the run followed first.
    #[derive(Copy, Eq)]
    SeedSummary in "`summary.json` and a line of `learning.jsonl`: `seeds`" {
        /// Tests that were there to be followed.
        given: u64, Count, Sum;
        /// Seeds followed to the end of their path, or until they covered all their recorded branch
        /// sides.
        followed: u64, Count, Sum;
        /// Dropped: the path was concretized to a value that differs from the seed's, or the seed's
        /// bytes satisfy no side.
        dropped: u64, Count, Sum;
        /// Still being followed when the seeding time ended or homi dropped their state.
        unfinished: u64, Count, Sum;
        /// Seeds from the user with an object of a different size than in the program, or with a
        /// missing object.
        size_mismatches: u64, Count, Sum;
    }
}

statistics! {
    /// States that left memory for a while.
    #[derive(Copy, Eq)]
    SwappedSummary in "`summary.json`: `swapped`" {
        /// States that left.
        out: u64, Count, Sum;
        /// States that came back.
        r#in: u64, Count, Sum;
    }
}

statistics! {
    /// States that an earlier session left open.
    #[derive(Copy, Eq)]
    ResumedSummary in "`summary.json`: `resumed`" {
        /// States that the session began with.
        stored: u64, Count, Sum;
        /// States that were found again by their decisions.
        found: u64, Count, Sum;
        /// States that homi did not find again; they count as dropped paths.
        dropped: u64, Count, Sum;
        /// Instructions for finding them.
        instructions: u64, Instructions, Sum;
    }
}

statistics! {
    /// Bytes by what they are for.
    #[derive(Copy, Eq)]
    MemorySummary in "`summary.json`: `memory`" {
        /// Resident memory of all homi processes.
        resident_bytes: u64, Bytes, Last;
        /// Resident, of the SMT process.
        smt_bytes: u64, Bytes, Last;
        /// Given out by homi's allocator; the four below are its parts.
        allocated_bytes: u64, Bytes, Last;
        /// The program and its tables: what was allocated before the first instruction.
        program_bytes: u64, Bytes, Last;
        /// The pool of terms.
        terms_bytes: u64, Bytes, Last;
        /// The solver's cache.
        solver_cache_bytes: u64, Bytes, Last;
        /// The rest: states, and what the engine knows of them.
        states_bytes: u64, Bytes, Last;
    }
}

statistics! {
    /// Forks, queries and solver time of one source line.
    HotLine in "`summary.json`: `hot_lines`" {
        /// `file:line`.
        location: String, Text, Own;
        /// The function of the line.
        function: String, Text, Own;
        /// Forks at the line.
        forks: u64, Count, Sum;
        /// Queries to the solver's chain.
        queries: u64, Count, Sum;
        /// Seconds of the solver for the line.
        solver_s: f64, Seconds, Sum;
    }
}

fn wall() -> String {
    "wall".to_string()
}

fn one() -> u64 {
    1
}

statistics! {
    /// A campaign of short runs.
    CampaignSummary in "`summary.json`: `campaign`" {
        /// `homi`, `random` or `divide`.
        kind: String, Text, Own;
        /// Runs of all sessions.
        runs: u64, Count, Last;
        /// Runs of this session by policy.
        policies: BTreeMap<String, u64>, Count, Sum;
        /// Tests that were learned from: |D|.
        data_tests: u64, Count, Last;
        /// Tests that Extract chose: |GoodT|.
        good_tests: u64, Count, Last;
        /// The number of core conditions seen.
        features_seen: u64, Count, Last;
        /// How often states were pruned.
        prune_events: u64, Count, Sum;
        /// Instructions that each run but the first saves because it starts after the start-up.
        startup_instructions: u64, Instructions, Own;
        /// Ratio of the instructions of later runs that repeat subpaths of earlier runs.
        repeated_instruction_ratio: f64, Ratio, Own;
        /// Share of the later runs' time that re-walked what earlier runs had walked.
        repeated_time_ratio: f64, Ratio, Own;
        /// Seconds of solver time within the re-walks.
        repeated_solver_s: f64, Seconds, Sum;
        /// Seconds of the re-walks.
        repeated_s: f64, Seconds, Sum;
        /// True if homi could not remember every subpath, so the ratios are lower bounds.
        repeated_is_lower_bound: bool, Count, Own;
        /// Costs of the runs apart from exploration; these fields are inlined into `campaign`.
        #[serde(flatten)]
        costs: CampaignCosts, Group, Sum;
    }
}

statistics! {
    /// Paths by how they ended.
    #[derive(Copy, Eq)]
    PathSummary in "`summary.json`: `paths`" {
        /// Paths that reached the program's end.
        completed: u64, Count, Sum;
        /// Completed paths without a test: by `klee_silent_exit`, or because an assumption cannot
        /// hold. Absent if there are none.
        #[serde(default, skip_serializing_if = "is_zero")]
        silent: u64, Count, Sum;
        /// Paths that a limit or the end of the run stopped.
        early: u64, Count, Sum;
        /// Paths with a bug.
        error: u64, Count, Sum;
        /// Paths that pruning took.
        pruned: u64, Count, Sum;
        /// Paths that met something homi cannot do.
        unsupported: u64, Count, Sum;
    }
}

/// True if the count is zero, so that the field is left out.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl PathSummary {
    /// Paths that are over.
    pub fn total(&self) -> u64 {
        self.completed + self.early + self.error + self.pruned + self.unsupported
    }
}

statistics! {
    /// Coverage of the program's own code, by all paths (also those without a test).
    #[derive(Copy, Eq)]
    CoverageSummary in "`summary.json`: `coverage`" {
        /// Branch sides covered.
        branches: u64, Count, Last;
        /// Branch sides.
        branches_total: u64, Count, Last;
        /// Instructions that were executed.
        instructions: u64, Instructions, Last;
        /// Instructions.
        instructions_total: u64, Instructions, Last;
    }
}

statistics! {
    /// The solver's work.
    SolverSummary in "`summary.json`: `solver`" {
        /// Queries to the solver's chain.
        queries: u64, Count, Sum;
        /// Queries by the group of layers that answered them.
        by_layer: LayerSummary, Group, Sum;
        /// Seconds in the chain.
        time_s: f64, Seconds, Sum;
        /// Queries given up for lack of time.
        timeouts: u64, Count, Sum;
        /// Every layer of the chain, top down.
        #[serde(default)]
        layers: Vec<LayerDetail>, Group, Sum;
    }
}

statistics! {
    /// One layer of the solver's chain.
    LayerDetail in "`summary.json`: `solver`: `layers`" {
        /// Its name.
        name: String, Text, Own;
        /// Queries that it answered.
        answered: u64, Count, Sum;
        /// Seconds in it, whether or not it answered.
        time_s: f64, Seconds, Sum;
    }
}

/// Layers in the same order.
impl AddUp for Vec<LayerDetail> {
    fn add_up(&mut self, other: &Self) {
        for (own, other) in self.iter_mut().zip(other) {
            own.add(other);
        }
    }
}

statistics! {
    /// Queries by the layers that answered them.
    #[derive(Copy, Eq)]
    LayerSummary in "`summary.json`: `solver`: `by_layer`" {
        /// Conditions that turned out constant; not counted as queries.
        rewrite: u64, Count, Sum;
        /// Answered by the state's model.
        model: u64, Count, Sum;
        /// Answered by the layers domain, bounds, order, guided, linear and search.
        domain: u64, Count, Sum;
        /// Answered by the cache.
        cache: u64, Count, Sum;
        /// Answered by the SAT solver or by SMT.
        smt: u64, Count, Sum;
    }
}

statistics! {
    /// A bug of the program.
    #[derive(Eq)]
    ErrorSummary in "`summary.json`: `errors`" {
        /// The kind, as in the name of the test's `.err` file.
        kind: String, Text, Own;
        /// The message of the `.err` file.
        message: String, Text, Own;
        /// `file:line`.
        location: String, Text, Own;
        /// Name of the first test that shows it, without suffix; empty if no test does.
        test: String, Text, Own;
    }
}

statistics! {
    /// Something homi could not do.
    #[derive(Eq)]
    UnsupportedSummary in "`summary.json`: `unsupported`" {
        /// Description of the feature.
        what: String, Text, Own;
        /// `file:line`.
        location: String, Text, Own;
        /// Paths that ended so.
        count: u64, Count, Sum;
    }
}

statistics! {
    /// An under-approximation at one code location.
    #[derive(Eq)]
    UnderapproximationSummary in "`summary.json`: `underapproximations`" {
        /// Such as `address`, `size` or `unsupported`; the guide's page on outputs lists all.
        kind: String, Text, Own;
        /// `file:line` in the user's code; function and instruction where the line is not known.
        location: String, Text, Own;
        /// How often.
        count: u64, Count, Sum;
        /// The value that was taken the first time, or what was lost.
        example: String, Text, Own;
        /// `values`: the paths went on; `paths`: they are over, or a test is missing.
        lost: String, Text, Own;
        /// Description.
        what: String, Text, Own;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_exactly_these_fields_in_this_order() {
        let summary = Summary {
            schema: SUMMARY_SCHEMA,
            program: "a.bc".to_string(),
            args: Vec::new(),
            search: vec!["dfs".to_string()],
            prune: "none".to_string(),
            seed: 1,
            stop_reason: "exhausted".to_string(),
            wall_s: 0.5,
            cpu_s: 0.25,
            instructions: 10,
            paths: PathSummary::default(),
            tests: 0,
            states_peak: 1,
            memory_peak_bytes: 2,
            coverage: CoverageSummary {
                branches: 0,
                branches_total: 0,
                instructions: 0,
                instructions_total: 0,
            },
            solver: SolverSummary::default(),
            errors: vec![ErrorSummary {
                kind: "ptr".to_string(),
                message: "m".to_string(),
                location: "a.c:1".to_string(),
                test: "test000001".to_string(),
            }],
            unsupported: vec![UnsupportedSummary {
                what: "w".to_string(),
                location: "a.c:2".to_string(),
                count: 3,
            }],
            exit_statuses: BTreeMap::from([("0".to_string(), 4)]),
            states_mean: 1.5,
            clock: wall(),
            threads: 2,
            campaign: None,
            memory: MemorySummary {
                resident_bytes: 7,
                ..MemorySummary::default()
            },
            hot_lines: vec![HotLine {
                location: "a.c:4".to_string(),
                function: "f".to_string(),
                forks: 5,
                queries: 6,
                solver_s: 0.5,
            }],
            fuzzing: None,
            seeds: None,
            swapped: None,
            resumed: None,
            pending: None,
            concolic: None,
            subsumption: None,
            merged: None,
            underapproximations: vec![UnderapproximationSummary {
                kind: "size".to_string(),
                location: "a.c:5".to_string(),
                count: 6,
                example: "7".to_string(),
                lost: "values".to_string(),
                what: "a size".to_string(),
            }],
            model_limitations: vec!["clock".to_string()],
            work: 30,
            verdict: None,
            targets: Vec::new(),
        };
        let expected = concat!(
            r#"{"schema":2,"program":"a.bc","args":[],"search":["dfs"],"prune":"none","seed":1,"#,
            r#""stop_reason":"exhausted","wall_s":0.5,"cpu_s":0.25,"instructions":10,"#,
            r#""paths":{"completed":0,"early":0,"error":0,"pruned":0,"unsupported":0},"tests":0,"#,
            r#""states_peak":1,"memory_peak_bytes":2,"#,
            r#""coverage":{"branches":0,"branches_total":0,"instructions":0,"instructions_total":0},"#,
            r#""solver":{"queries":0,"by_layer":{"rewrite":0,"model":0,"domain":0,"cache":0,"smt":0},"#,
            r#""time_s":0.0,"timeouts":0,"layers":[]},"#,
            r#""errors":[{"kind":"ptr","message":"m","location":"a.c:1","test":"test000001"}],"#,
            r#""unsupported":[{"what":"w","location":"a.c:2","count":3}],"exit_statuses":{"0":4},"#,
            r#""states_mean":1.5,"clock":"wall","threads":2,"#,
            r#""memory":{"resident_bytes":7,"smt_bytes":0,"allocated_bytes":0,"program_bytes":0,"#,
            r#""terms_bytes":0,"solver_cache_bytes":0,"states_bytes":0},"#,
            r#""hot_lines":[{"location":"a.c:4","function":"f","forks":5,"queries":6,"solver_s":0.5}],"#,
            r#""underapproximations":[{"kind":"size","location":"a.c:5","count":6,"example":"7","#,
            r#""lost":"values","what":"a size"}],"model_limitations":["clock"],"work":30}"#
        );
        assert_eq!(serde_json::to_string(&summary).unwrap(), expected);
    }
}
