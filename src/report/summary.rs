//! `summary.json`, schema 1: how a run ended, for scripts.

use super::concolic::ConcolicSummary;
use super::pending::PendingSummary;
use super::subsumption::SubsumptionSummary;
use super::targets::TargetSummary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole of `summary.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The version of the layout: 1.
    pub schema: u32,
    pub program: String,
    pub args: Vec<String>,
    pub search: Vec<String>,
    pub prune: String,
    pub seed: u64,
    pub stop_reason: String,
    pub wall_s: f64,
    /// User and system time of homi and its child processes.
    pub cpu_s: f64,
    pub instructions: u64,
    pub paths: PathSummary,
    pub tests: u64,
    pub states_peak: u64,
    pub memory_peak_bytes: u64,
    pub coverage: CoverageSummary,
    pub solver: SolverSummary,
    pub errors: Vec<ErrorSummary>,
    pub gaps: Vec<GapSummary>,
    /// Paths that ran to the program's exit, by its exit status. An addition to schema 1, at its
    /// end.
    pub exit_statuses: BTreeMap<String, u64>,
    /// Mean of |S| over the seconds of the run; in a campaign, without its first run (as Figure 2
    /// of Homi) if there are others.
    #[serde(default)]
    pub states_mean: f64,
    /// What times count: `wall` or `processor`.
    #[serde(default = "wall")]
    pub clock: String,
    /// Threads that explored.
    #[serde(default = "one")]
    pub threads: u64,
    /// Present for a campaign of short runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<CampaignSummary>,
    /// Memory by kind when the run ended, before its states were given up.
    #[serde(default)]
    pub memory: MemorySummary,
    /// The source lines that forked most, and those that the solver spent most time for; most forks
    /// first.
    #[serde(default)]
    pub hot_lines: Vec<HotLine>,
    /// Present if there were probes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probes: Option<ProbeSummary>,
    /// Present if there were seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedSummary>,
    /// Present if memory ran short and states were put aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<AsideSummary>,
    /// Present if forks were lazy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingSummary>,
    /// Present for a concolic run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concolic: Option<ConcolicSummary>,
    /// Present if paths that can do nothing new were not followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subsumption: Option<SubsumptionSummary>,
    /// Present with `--use-merge`: paths that went on as one with another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<u64>,
    /// Where one value stands for several and where paths were lost; most frequent first.
    #[serde(default)]
    pub narrowed: Vec<NarrowedSummary>,
    /// Standing limits of the model that the run met, by their names in the guide.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Units of work that the run took (docs/guide/work.md); 0 in files of before it was counted.
    #[serde(default)]
    pub work: u64,
    /// Lines that the run was to reach; absent if none were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetSummary>,
}

/// Concrete runs of inputs near those of the search's states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProbeSummary {
    pub runs: u64,
    pub instructions: u64,
    /// Tests written because a probe covered something first or showed a new bug.
    pub tests: u64,
}

impl ProbeSummary {
    /// What was done since `earlier`.
    pub fn since(self, earlier: ProbeSummary) -> Self {
        Self {
            runs: self.runs - earlier.runs,
            instructions: self.instructions - earlier.instructions,
            tests: self.tests - earlier.tests,
        }
    }
}

/// Earlier tests that the run was told to follow first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeedSummary {
    pub given: u64,
    /// Followed to the end of their paths, or until they had covered all that they are known to
    /// cover.
    pub followed: u64,
    /// Left because a path had to fix a value (an address, say) that another seed has differently,
    /// or because their bytes satisfy no side.
    pub dropped: u64,
    /// Still on their way when their time was over or their state was given up.
    pub unfinished: u64,
}

/// States that left memory for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AsideSummary {
    pub put_aside: u64,
    pub brought_back: u64,
}

/// Bytes by what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MemorySummary {
    /// Resident, of all of homi's processes.
    pub resident_bytes: u64,
    /// Resident, of the SMT process.
    pub smt_bytes: u64,
    /// Given out by homi's allocator; the four below are its parts.
    pub allocated_bytes: u64,
    /// The program and its tables: what was allocated before the first instruction.
    pub program_bytes: u64,
    pub terms_bytes: u64,
    pub solver_cache_bytes: u64,
    /// The rest: states, and what the engine knows of them.
    pub states_bytes: u64,
}

/// What one source line cost in choices.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HotLine {
    /// `file:line`.
    pub location: String,
    pub function: String,
    pub forks: u64,
    /// Questions to the solver's ladder.
    pub questions: u64,
    pub solver_s: f64,
}

fn wall() -> String {
    "wall".to_string()
}

fn one() -> u64 {
    1
}

/// A campaign of short runs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CampaignSummary {
    /// `homi`, `random` or `divide`.
    pub kind: String,
    pub runs: u64,
    /// Runs by policy.
    pub policies: BTreeMap<String, u64>,
    /// |D|, |GoodT| and the number of core conditions seen.
    pub data_tests: u64,
    pub good_tests: u64,
    pub features_seen: u64,
    pub prune_events: u64,
    /// Instructions that each run but the first saves because it starts after the start-up.
    pub start_up_instructions: u64,
    /// Shares of the later runs' instructions and time that re-walked what earlier runs had walked.
    pub rewalk_instruction_share: f64,
    pub rewalk_time_share: f64,
    /// Seconds of solver time within the re-walks, and seconds of the re-walks.
    pub rewalk_solver_s: f64,
    pub rewalk_s: f64,
    /// Too much ground to remember: the shares are lower bounds.
    pub rewalk_is_lower_bound: bool,
    /// Seconds spent scoring and choosing states, and taking them out with their tests.
    pub choosing_s: f64,
    pub removing_s: f64,
    /// Seconds of learning between runs (Extract, generators, sweeping).
    pub learning_s: f64,
    /// Instructions run to find B(t) of unfinished paths.
    pub tail_instructions: u64,
}

/// Paths by how they ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PathSummary {
    pub completed: u64,
    pub early: u64,
    pub error: u64,
    pub pruned: u64,
    pub gap: u64,
}

impl PathSummary {
    /// Paths that are over.
    pub fn total(&self) -> u64 {
        self.completed + self.early + self.error + self.pruned + self.gap
    }

    /// Adds the paths of another thread.
    pub fn add(&mut self, other: PathSummary) {
        let PathSummary {
            completed,
            early,
            error,
            pruned,
            gap,
        } = other;
        self.completed += completed;
        self.early += early;
        self.error += error;
        self.pruned += pruned;
        self.gap += gap;
    }
}

/// Coverage of the program's own code, by all paths (also those without a test).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverageSummary {
    pub branches: u64,
    pub branches_total: u64,
    pub instructions: u64,
    pub instructions_total: u64,
}

/// The solver's work.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SolverSummary {
    pub questions: u64,
    pub by_layer: LayerSummary,
    pub time_s: f64,
    pub timeouts: u64,
    /// Every step of the ladder, in order.
    #[serde(default)]
    pub layers: Vec<LayerDetail>,
}

impl SolverSummary {
    /// Adds the work of another thread's solver.
    pub fn add(&mut self, other: &SolverSummary) {
        self.questions += other.questions;
        self.time_s += other.time_s;
        self.timeouts += other.timeouts;
        let LayerSummary {
            rewrite,
            model,
            domain,
            cache,
            smt,
        } = other.by_layer;
        self.by_layer.rewrite += rewrite;
        self.by_layer.model += model;
        self.by_layer.domain += domain;
        self.by_layer.cache += cache;
        self.by_layer.smt += smt;
        for (own, other) in self.layers.iter_mut().zip(&other.layers) {
            own.answered += other.answered;
            own.time_s += other.time_s;
        }
    }
}

/// One step of the solver's ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LayerDetail {
    pub name: String,
    /// Questions that it answered.
    pub answered: u64,
    /// Time in it, whether or not it answered.
    pub time_s: f64,
}

/// Questions by the layer that answered them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayerSummary {
    pub rewrite: u64,
    pub model: u64,
    pub domain: u64,
    pub cache: u64,
    pub smt: u64,
}

/// A bug of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorSummary {
    pub kind: String,
    pub message: String,
    /// `file:line`.
    pub location: String,
    /// Name of the first test that shows it, without suffix.
    pub test: String,
}

/// Something homi could not do, and on how many paths.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GapSummary {
    pub what: String,
    pub location: String,
    pub count: u64,
}

/// What the run no longer followed from one place on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NarrowedSummary {
    /// Such as `address`, `size` or `gap`; the guide lists all.
    pub kind: String,
    /// `file:line` in the user's code; function and instruction where the line is not known.
    pub location: String,
    pub count: u64,
    /// The value that was taken the first time, or what was lost.
    pub example: String,
    /// `values`: the paths went on; `paths`: they are over, or a test is missing.
    pub lost: String,
    /// What it was, in words.
    pub what: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_exactly_these_fields_in_this_order() {
        let summary = Summary {
            schema: 1,
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
            gaps: vec![GapSummary {
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
                questions: 6,
                solver_s: 0.5,
            }],
            probes: None,
            seeds: None,
            aside: None,
            pending: None,
            concolic: None,
            subsumption: None,
            merged: None,
            narrowed: vec![NarrowedSummary {
                kind: "size".to_string(),
                location: "a.c:5".to_string(),
                count: 6,
                example: "7".to_string(),
                lost: "values".to_string(),
                what: "a size".to_string(),
            }],
            limits: vec!["clock".to_string()],
            work: 30,
            targets: Vec::new(),
        };
        let expected = concat!(
            r#"{"schema":1,"program":"a.bc","args":[],"search":["dfs"],"prune":"none","seed":1,"#,
            r#""stop_reason":"exhausted","wall_s":0.5,"cpu_s":0.25,"instructions":10,"#,
            r#""paths":{"completed":0,"early":0,"error":0,"pruned":0,"gap":0},"tests":0,"#,
            r#""states_peak":1,"memory_peak_bytes":2,"#,
            r#""coverage":{"branches":0,"branches_total":0,"instructions":0,"instructions_total":0},"#,
            r#""solver":{"questions":0,"by_layer":{"rewrite":0,"model":0,"domain":0,"cache":0,"smt":0},"#,
            r#""time_s":0.0,"timeouts":0,"layers":[]},"#,
            r#""errors":[{"kind":"ptr","message":"m","location":"a.c:1","test":"test000001"}],"#,
            r#""gaps":[{"what":"w","location":"a.c:2","count":3}],"exit_statuses":{"0":4},"#,
            r#""states_mean":1.5,"clock":"wall","threads":2,"#,
            r#""memory":{"resident_bytes":7,"smt_bytes":0,"allocated_bytes":0,"program_bytes":0,"#,
            r#""terms_bytes":0,"solver_cache_bytes":0,"states_bytes":0},"#,
            r#""hot_lines":[{"location":"a.c:4","function":"f","forks":5,"questions":6,"solver_s":0.5}],"#,
            r#""narrowed":[{"kind":"size","location":"a.c:5","count":6,"example":"7","#,
            r#""lost":"values","what":"a size"}],"limits":["clock"],"work":30}"#
        );
        assert_eq!(serde_json::to_string(&summary).unwrap(), expected);
    }
}
