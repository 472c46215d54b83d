//! `summary.json`, schema 2: how a run ended, for scripts.

use super::AddUp;
use super::concolic::ConcolicSummary;
use super::learning::CampaignCosts;
use super::outcomes::{ConfirmationSummary, ErrorConfirmation, OutcomeSummary};
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
        /// Version of the schema: 2.
        schema: u32, Number, Own;
        /// File name of the program.
        program: String, Text, Own;
        /// Arguments of the program as typed.
        args: Vec<String>, Texts, Own;
        /// Search heuristics, interleaved.
        search: Vec<String>, Texts, Own;
        /// Pruning policy: `none`, `random` or `homi`.
        prune: String, Text, Own;
        /// Seed of the random choices.
        seed: u64, Number, Own;
        /// Stop reason.
        stop_reason: String, Text, Own;
        /// Seconds of the run.
        wall_s: f64, Seconds, Sum;
        /// User and system time of homi and its child processes.
        cpu_s: f64, Seconds, Sum;
        /// Instructions executed by all states.
        instructions: u64, Instructions, Sum;
        /// Paths by termination.
        paths: PathSummary, Group, Sum;
        /// Tests written.
        tests: u64, Count, Sum;
        /// Maximum number of states.
        states_peak: u64, Count, Most;
        /// Peak resident memory.
        memory_peak_bytes: u64, Bytes, Most;
        /// Coverage of user code.
        coverage: CoverageSummary, Group, Last;
        /// Statistics of the solver.
        solver: SolverSummary, Group, Sum;
        /// Bugs of the program.
        errors: Vec<ErrorSummary>, Groups, Own;
        /// Unsupported features that the run met, by location.
        unsupported: Vec<UnsupportedSummary>, Groups, Own;
        /// Number of paths that reached the exit of the program, by exit status.
        exit_statuses: BTreeMap<String, u64>, CountsByName, Sum;
        /// Number of branch sides that tests of the session covered first, by who chose the inputs:
        /// `search`, `seed`, `fuzzing`, `native fuzzing`, `sync`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        found_by: BTreeMap<String, u64>, CountsByName, Sum;
        /// Mean of |S| over the seconds of the run; a campaign of several runs excludes its first
        /// (Statistic 2 of Homi).
        #[serde(default)]
        states_mean: f64, Count, Own;
        /// Clock of the times: `wall` or `cpu`.
        #[serde(default = "wall")]
        clock: String, Text, Own;
        /// Number of exploring threads.
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
        hot_lines: Vec<HotLine>, Groups, Own;
        /// Statistics of fuzzing; present if there were fuzzing runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fuzzing: Option<FuzzingSummary>, Group, Sum;
        /// Statistics of seeds; present if there were any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seeds: Option<SeedSummary>, Group, Sum;
        /// Statistics of swapping; present if states were swapped out at the memory limit.
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
        underapproximations: Vec<UnderapproximationSummary>, Groups, Own;
        /// Model limitations that the run met, by the names in docs/guide/limits.md.
        #[serde(default)]
        model_limitations: Vec<String>, Texts, Own;
        /// Units of work of the run.
        #[serde(default)]
        work: u64, Work, Sum;
        /// Target lines; absent without targets.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        targets: Vec<TargetSummary>, Groups, Own;
        /// Outcomes of the tests; absent if none was predicted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcomes: Option<OutcomeSummary>, Group, Sum;
        /// Confirmation of the bugs by native programs; present in runs by `homi test`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confirmations: Option<ConfirmationSummary>, Group, Sum;
        /// Verdict on the property of `--property`; absent without that option.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<VerdictSummary>, Group, Own;
    }
}

statistics! {
    /// Fuzzing runs.
    #[derive(Copy, Eq)]
    FuzzingSummary in "`summary.json` and a line of `learning.jsonl`: `fuzzing`" {
        /// Number of fuzzing inputs run.
        runs: u64, Count, Sum;
        /// Instructions executed by fuzzing runs.
        instructions: u64, Instructions, Sum;
        /// Tests written because a fuzzing run covered something first or showed a new bug.
        tests: u64, Count, Sum;
        /// Executions of inputs in the program's native image.
        #[serde(default)]
        native_executions: u64, Count, Sum;
        /// Native executions that used up their work or time.
        #[serde(default)]
        native_hangs: u64, Count, Sum;
        /// Inputs on which the image fails and the engine does not: a divergence of homi's own.
        #[serde(default)]
        native_divergences: u64, Count, Sum;
        /// Native executions that needed something that the image lacks.
        #[serde(default)]
        native_refused: u64, Count, Sum;
    }
}

impl Summary {
    /// Returns true if the native program does something else than homi predicts on some test.
    pub fn diverges(&self) -> bool {
        let outcomes = self.outcomes.iter();
        outcomes.flat_map(|all| &all.divergences).next().is_some()
    }
}

impl HotLine {
    /// Location and function, as reports show them.
    pub fn shown(&self) -> String {
        let Self {
            location, function, ..
        } = self;
        match location.as_str() {
            "libc" | "kernel" => format!("{location}: {function}"),
            "unknown" => format!("{function} (no debug information)"),
            _ => format!("{location} ({function})"),
        }
    }
}

impl FuzzingSummary {
    /// Returns the difference to `earlier`.
    pub fn since(self, earlier: FuzzingSummary) -> Self {
        Self {
            runs: self.runs - earlier.runs,
            instructions: self.instructions - earlier.instructions,
            tests: self.tests - earlier.tests,
            native_executions: self.native_executions - earlier.native_executions,
            native_hangs: self.native_hangs - earlier.native_hangs,
            native_divergences: self.native_divergences - earlier.native_divergences,
            native_refused: self.native_refused - earlier.native_refused,
        }
    }
}

statistics! {
    /// Earlier tests that the run followed first.
    #[derive(Copy, Eq)]
    SeedSummary in "`summary.json` and a line of `learning.jsonl`: `seeds`" {
        /// Number of seeds.
        given: u64, Count, Sum;
        /// Seeds followed to the end of their path, or until they covered all their recorded branch
        /// sides.
        followed: u64, Count, Sum;
        /// Dropped: the path was concretized to a value that differs from the seed's, or the seed's
        /// bytes satisfy no side.
        dropped: u64, Count, Sum;
        /// Seeds in progress when the seeding time ended or homi dropped their state.
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
        /// States swapped out.
        out: u64, Count, Sum;
        /// States swapped in.
        r#in: u64, Count, Sum;
    }
}

statistics! {
    /// States that an earlier session left open.
    #[derive(Copy, Eq)]
    ResumedSummary in "`summary.json`: `resumed`" {
        /// States stored by the earlier session.
        stored: u64, Count, Sum;
        /// States rebuilt from their decisions.
        found: u64, Count, Sum;
        /// States that homi could not rebuild; they count as dropped paths.
        dropped: u64, Count, Sum;
        /// Instructions executed to rebuild states.
        instructions: u64, Instructions, Sum;
    }
}

statistics! {
    /// Bytes by what they are for.
    #[derive(Copy, Eq)]
    MemorySummary in "`summary.json`: `memory`" {
        /// Resident memory of all homi processes.
        resident_bytes: u64, Bytes, Last;
        /// Resident memory of the SMT process.
        smt_bytes: u64, Bytes, Last;
        /// Bytes allocated by homi; the sum of the four statistics below.
        allocated_bytes: u64, Bytes, Last;
        /// Bytes of the program and its tables, allocated before the first instruction.
        program_bytes: u64, Bytes, Last;
        /// Bytes of the term pool.
        terms_bytes: u64, Bytes, Last;
        /// Bytes of the solver cache.
        solver_cache_bytes: u64, Bytes, Last;
        /// Bytes of the states and of the engine's data: the remainder.
        states_bytes: u64, Bytes, Last;
    }
}

statistics! {
    /// Forks, queries and solver time of one source line.
    HotLine in "`summary.json`: `hot_lines`" {
        /// `file:line`; `libc` or `kernel` for their functions, `unknown` for user code without
        /// debug information.
        location: String, Text, Own;
        /// Function of the line.
        function: String, Text, Own;
        /// Forks at the line.
        forks: u64, Count, Sum;
        /// Queries to the solver chain.
        queries: u64, Count, Sum;
        /// Solver time for the line.
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
        policies: BTreeMap<String, u64>, CountsByName, Sum;
        /// Tests in the campaign data: |D|.
        data_tests: u64, Count, Last;
        /// Tests selected by Extract: |GoodT|.
        good_tests: u64, Count, Last;
        /// Number of core conditions seen.
        features_seen: u64, Count, Last;
        /// Number of prune events.
        prune_events: u64, Count, Sum;
        /// Instructions of the start-up, which every run except the first skips.
        startup_instructions: u64, Instructions, Own;
        /// Ratio of the instructions of later runs that repeat subpaths of earlier runs.
        repeated_instruction_ratio: f64, Ratio, Own;
        /// Ratio of the time of later runs that repeats subpaths of earlier runs.
        repeated_time_ratio: f64, Ratio, Own;
        /// Solver time on repeated subpaths.
        repeated_solver_s: f64, Seconds, Sum;
        /// Time on repeated subpaths.
        repeated_s: f64, Seconds, Sum;
        /// True if homi could not remember every subpath, so the ratios are lower bounds.
        repeated_is_lower_bound: bool, Boolean, Own;
        /// Costs of the runs apart from exploration; these fields are inlined into `campaign`.
        #[serde(flatten)]
        costs: CampaignCosts, Group, Sum;
    }
}

statistics! {
    /// Paths by termination.
    #[derive(Copy, Eq)]
    PathSummary in "`summary.json`: `paths`" {
        /// Paths that reached the end of the program.
        completed: u64, Count, Sum;
        /// Completed paths without a test: by `klee_silent_exit`, or because an assumption cannot
        /// hold. Absent if there are none.
        #[serde(default, skip_serializing_if = "is_zero")]
        silent: u64, Count, Sum;
        /// Stopped paths: at a limit, or at the end of the run.
        early: u64, Count, Sum;
        /// Paths with a bug.
        error: u64, Count, Sum;
        /// Pruned paths.
        pruned: u64, Count, Sum;
        /// Paths that reached an unsupported feature.
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
        /// Branch sides in total.
        branches_total: u64, Count, Last;
        /// Instructions executed at least once.
        instructions: u64, Instructions, Last;
        /// Instructions in total.
        instructions_total: u64, Instructions, Last;
    }
}

statistics! {
    /// Statistics of the solver.
    SolverSummary in "`summary.json`: `solver`" {
        /// Queries to the solver chain.
        queries: u64, Count, Sum;
        /// Queries by the group of layers that answered them.
        by_layer: LayerSummary, Group, Sum;
        /// Time in the solver chain.
        time_s: f64, Seconds, Sum;
        /// Queries that timed out.
        timeouts: u64, Count, Sum;
        /// Layers of the solver chain, top down.
        #[serde(default)]
        layers: Vec<LayerDetail>, Groups, Sum;
    }
}

statistics! {
    /// One layer of the solver's chain.
    LayerDetail in "`summary.json`: `solver`: `layers`" {
        /// Name of the layer.
        name: String, Text, Own;
        /// Queries answered by the layer.
        answered: u64, Count, Sum;
        /// Time in the layer, with unanswered queries.
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
        /// Conditions simplified to a constant; not counted as queries.
        rewrite: u64, Count, Sum;
        /// Queries answered by the model of the state.
        model: u64, Count, Sum;
        /// Queries answered by the layers domain, bounds, order, guided, linear and search.
        domain: u64, Count, Sum;
        /// Queries answered by the cache.
        cache: u64, Count, Sum;
        /// Queries answered by the SAT or the SMT solver.
        smt: u64, Count, Sum;
    }
}

statistics! {
    /// A bug of the program.
    #[derive(Eq)]
    ErrorSummary in "`summary.json`: `errors`" {
        /// Kind of bug, as in the name of the test's `.err` file.
        kind: String, Text, Own;
        /// Message in the `.err` file.
        message: String, Text, Own;
        /// `file:line`.
        location: String, Text, Own;
        /// Column in that line, from 1; 0 if it is not known.
        #[serde(default)]
        column: u64, Count, Own;
        /// Operands of a check with the values of the test, in words; empty if there are none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        values: String, Text, Own;
        /// Name of the first test that triggers the bug, without suffix; empty if there is none.
        test: String, Text, Own;
        /// Innermost function of the program on the stack; empty if there is none.
        #[serde(default)]
        function: String, Text, Own;
        /// Weakness: more exact than the kind, such as `out-of-bounds-write`.
        #[serde(default)]
        weakness: String, Text, Own;
        /// Number of the weakness in the Common Weakness Enumeration; 0 if it has none.
        #[serde(default)]
        cwe: u64, Number, Own;
        /// `error`, `warning` or `note`.
        #[serde(default)]
        severity: String, Text, Own;
        /// Rank of the weakness, 1 to 10; higher is worse.
        #[serde(default)]
        rank: u64, Number, Own;
        /// Digest that stays the same while lines move and files are renamed.
        #[serde(default)]
        fingerprint: String, Text, Own;
        /// True if every input of the path fails, false if the path goes on for others.
        #[serde(default)]
        every_input: bool, Boolean, Own;
        /// Mark of a decision on the path that native programs need not share; empty if there is
        /// none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        decided: String, Text, Own;
        /// Result of a baseline and of suppressions; absent without them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        triage: Option<ErrorTriage>, Group, Own;
        /// Replay of the test; present in runs by `homi test`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confirmation: Option<ErrorConfirmation>, Group, Own;
    }
}

impl ErrorSummary {
    /// The message, with the values of the test if there are some.
    pub fn full_message(&self) -> String {
        match self.values.as_str() {
            "" => self.message.clone(),
            values => format!("{}: {values}", self.message),
        }
    }
}

statistics! {
    /// A bug beside a baseline and suppressions.
    #[derive(Eq)]
    ErrorTriage in "`summary.json`: `errors`: `triage`" {
        /// `new` or `unchanged` beside the baseline; empty without one.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        baseline: String, Text, Own;
        /// `source` for a comment, `config` for `homi.toml`; empty if nothing suppresses the bug.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        suppressed_in: String, Text, Own;
        /// Reason that the suppression gives.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String, Text, Own;
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
        /// Number of paths that ended at the feature.
        count: u64, Count, Sum;
    }
}

statistics! {
    /// An under-approximation at one code location.
    #[derive(Eq)]
    UnderapproximationSummary in "`summary.json`: `underapproximations`" {
        /// Kind, such as `address`, `size` or `unsupported`; `docs/reference/file-formats.md` lists
        /// all.
        kind: String, Text, Own;
        /// `file:line` in user code; function and instruction if the line is unknown.
        location: String, Text, Own;
        /// Number of occurrences.
        count: u64, Count, Sum;
        /// First concretized value, or description of the dropped path.
        example: String, Text, Own;
        /// `values`: the paths continued with one value; `paths`: paths were dropped, or a test is
        /// missing.
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
                column: 2,
                values: "v".to_string(),
                test: "test000001".to_string(),
                function: "f".to_string(),
                weakness: "out-of-bounds-write".to_string(),
                cwe: 787,
                severity: "error".to_string(),
                rank: 9,
                fingerprint: "00ff".to_string(),
                every_input: true,
                decided: String::new(),
                triage: None,
                confirmation: None,
            }],
            unsupported: vec![UnsupportedSummary {
                what: "w".to_string(),
                location: "a.c:2".to_string(),
                count: 3,
            }],
            exit_statuses: BTreeMap::from([("0".to_string(), 4)]),
            found_by: BTreeMap::new(),
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
            outcomes: None,
            confirmations: None,
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
            r#""errors":[{"kind":"ptr","message":"m","location":"a.c:1","column":2,"values":"v","#,
            r#""test":"test000001","function":"f","weakness":"out-of-bounds-write","cwe":787,"severity":"error","#,
            r#""rank":9,"fingerprint":"00ff","every_input":true}],"#,
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
