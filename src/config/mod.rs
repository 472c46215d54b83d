//! The options of a run as plain, validated values.
//!
//! Invariant: nothing here reads the command line, the environment or the clock. `cli` parses text
//! into these structs once; every module gets the part it needs as an argument. There are no
//! `Default` implementations, so that code that makes a configuration decides every field.

mod budgets;
mod check_kinds;
mod checks;
mod dialect;
mod execution;
mod function;
mod kind_set;
mod native;
mod property;
mod query_log;
mod target;
mod triage;
mod usage;
mod weakness;

pub use budgets::{BudgetConfig, Clock, LEAST_MEMORY};
pub use check_kinds::{CHECK_KINDS, CheckGroup, CheckKind, CheckRow};
pub use checks::{BugKind, CheckConfig};
pub use dialect::Dialect;
pub use execution::{Forks, StubConfig, StubSpec, SymbolicConfig};
pub use function::{FunctionConfig, Pointee, PointerShape, Target};
pub use kind_set::KindSet;
pub use native::NativeConfig;
pub use property::{Goal, Property};
pub use query_log::{QueryLog, QueryLogConfig};
pub use target::{TargetConfig, TargetLine};
pub use triage::{FailOn, IgnoreRule, TriageConfig};
pub use usage::{Budget, Usage};
pub use weakness::{Cwe, Severity, Weakness};

use std::path::PathBuf;
use std::time::Duration;

/// One search heuristic. The names and formulas are KLEE's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heuristic {
    Dfs,
    Bfs,
    RandomState,
    RandomPath,
    CovNew,
    Md2u,
    Depth,
    Rp,
    Icnt,
    CpIcnt,
    Qc,
}

impl Heuristic {
    /// Every heuristic with its name.
    pub const ALL: [(Heuristic, &'static str); 11] = [
        (Heuristic::Dfs, "dfs"),
        (Heuristic::Bfs, "bfs"),
        (Heuristic::RandomState, "random-state"),
        (Heuristic::RandomPath, "random-path"),
        (Heuristic::CovNew, "covnew"),
        (Heuristic::Md2u, "md2u"),
        (Heuristic::Depth, "depth"),
        (Heuristic::Rp, "rp"),
        (Heuristic::Icnt, "icnt"),
        (Heuristic::CpIcnt, "cpicnt"),
        (Heuristic::Qc, "qc"),
    ];

    /// The name that the user types.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(heuristic, _)| *heuristic == self);
        named.map_or("", |(_, name)| name)
    }
}

/// The code that searches count as worth covering. Tests always count the user's own code only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum SearchScope {
    /// All code with libc and the modeled kernel, as in KLEE.
    All,
    /// The user's own code.
    Program,
}

/// Weight of states in `md2u` and `covnew` by their distance to uncovered code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum DistanceWeights {
    /// The states at one instruction with one distance share a weight. Code is covered when control
    /// reaches it: the states that wait before it become tests in any case.
    PerLocation,
    /// Each state has its own weight, and code is covered when it is executed, as in KLEE.
    PerState,
}

/// Configuration of the search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchConfig {
    /// One heuristic, or several that take turns.
    pub heuristics: Vec<Heuristic>,
    pub seed: u64,
    /// Instructions that a chosen state runs before the next choice; 0 is no such limit.
    pub batch_instructions: u64,
    /// Time (or instructions, or work) that a chosen state runs at most before the next choice;
    /// zero is no such limit.
    pub batch_time: Budget,
    /// Code that the searchers try to cover.
    pub scope: SearchScope,
    pub weights: DistanceWeights,
    /// True if md2u, covnew, cpicnt and batches count what the solver does as instructions.
    pub count_solver_work: bool,
    /// Interval between updates of the distances to uncovered code.
    pub distance_interval: Budget,
    /// Pause a state whose turn took longer than a budget that starts at 1 s and doubles.
    pub iterative_deepening: bool,
    /// Try inputs in a native image of the program, where the budget is time.
    pub fuzz: bool,
    /// Instructions of fuzzing runs per instruction of the search; 0 disables fuzzing.
    pub fuzz_ratio: f64,
    /// Tokens for the inputs of fuzzing runs, in addition to the program's.
    pub dictionary: Vec<Vec<u8>>,
    /// A command of the shell that is asked for inputs which open branches.
    pub input_generator: Option<String>,
    /// A directory in which fuzzers exchange inputs.
    pub sync: Option<PathBuf>,
    /// Lines to reach; nothing else is worth covering then.
    pub target: Option<TargetConfig>,
}

/// Earlier tests that a run follows first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeedConfig {
    /// `.ktest` files.
    pub files: Vec<PathBuf>,
    /// Files whose bytes are the program's input.
    pub raw: Vec<PathBuf>,
    /// On the run's clock; then the search takes over.
    pub time: Option<Budget>,
    /// True if the objects of a seed match the program's objects by order, whatever their names.
    pub by_position: bool,
    /// Treatment of objects whose size differs from the program's.
    pub sizes: SeedSizes,
    /// States that are followed in addition to the seeds.
    pub others: Others,
    /// A file that says which sides paths take, as `homi klee` writes `.path` files.
    pub path: Option<PathBuf>,
    /// `.ktest` files with whose bytes the program is executed, and nothing else.
    pub replays: Vec<PathBuf>,
}

/// Treatment of a seed whose object differs in size from the program's, or is missing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum SeedSizes {
    /// Longer ones are cut, what is missing is zero.
    #[default]
    Resize,
    /// Extends with zeros; refuses longer objects.
    Extend,
    /// Longer ones are cut; shorter and missing ones are refused.
    Truncate,
    /// Both are refused.
    Exact,
}

impl SeedSizes {
    /// Returns whether paths of seeds with fewer bytes, and with more, end in a user error.
    pub fn refuses(self) -> (bool, bool) {
        match self {
            SeedSizes::Resize => (false, false),
            SeedSizes::Extend => (false, true),
            SeedSizes::Truncate => (true, false),
            SeedSizes::Exact => (true, true),
        }
    }
}

/// States that are followed in addition to the seeds' paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Others {
    /// All, once the seeds are followed.
    #[default]
    Later,
    /// No others: the run ends after the seeds, with tests of the open paths.
    Open,
    /// No others: states that no seed takes are not kept.
    Nothing,
}

/// The bytes of the first input of a concolic run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum InitialInput {
    Zeros,
    /// Random bytes, by the seed of the search.
    Random,
}

/// Bytes that one object of the first input has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenObject {
    /// The object's name, such as `A_data`; the first object of that name that the program makes.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A concolic run.
#[derive(Clone, PartialEq, Debug)]
pub struct ConcolicConfig {
    /// Strategy as typed; `concolic::StrategyChoice` reads it.
    pub strategy: String,
    /// Executions start at the program's start, not at the branch that was negated.
    pub re_execute: bool,
    /// True if an execution that diverges from a path at a branch runs the canonical input.
    pub canonical_inputs: bool,
    pub initial_input: InitialInput,
    pub given: Vec<GivenObject>,
}

/// Configuration of learning the weights of a search (`homi learn-search`).
#[derive(Clone, PartialEq, Debug)]
pub struct LearnSearchConfig {
    /// The file of weights that is written.
    pub output: PathBuf,
    /// Vectors of weights that are drawn in each round.
    pub samples: usize,
    /// Number of the best vectors that are checked.
    pub best: usize,
    /// Trials of each checked vector.
    pub trials: usize,
    /// Executions of a trial.
    pub executions: u64,
    /// Trials that run side by side; 0: one for each core.
    pub jobs: usize,
    /// Spaces about which the two best vectors disagree are made whole again.
    pub resets: bool,
    /// Trials share the executions that they have in common; else each runs its own.
    pub shares: bool,
    /// True if the session resumes an earlier one with files next to `output`.
    pub resume: bool,
    /// Options of the trials' runs, as typed, for a resumed session.
    pub run_options: Vec<String>,
}

/// Limits of the solver.
#[derive(Clone, PartialEq, Debug)]
pub struct SolverLimits {
    /// Time, or work, for one SMT query.
    pub time: Budget,
    /// Bytes of one solver process.
    pub memory: u64,
}

/// Tests to write, and additional files of each.
#[derive(Clone, PartialEq, Debug)]
pub struct TestConfig {
    /// True for one test per path instead of only tests with new coverage or a new bug.
    pub all: bool,
    /// One test per path that shows a bug, also where the same bug has been shown.
    pub all_errors: bool,
    /// Write tests of the states that are open when the run stops.
    pub dump_open: bool,
    pub kquery: bool,
    pub smt2: bool,
    pub cov: bool,
    pub path: bool,
    /// Prefer printable characters in symbolic arguments.
    pub readable: bool,
    /// The sides of symbolic two-way branches, as KLEE writes them.
    pub sym_path: bool,
    /// Predict the outcomes of tests and compare them with the native program.
    pub compare: bool,
}

/// The program and its environment.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramConfig {
    pub inputs: Vec<PathBuf>,
    /// The program's arguments as typed, without its name.
    pub arguments: Vec<String>,
    pub entry: String,
    /// Link the libc and the modeled kernel; `None` decides by what the program needs.
    pub libc: LibcChoice,
    /// Directory of `runtime.bc` and the libc bitcode, if not the default.
    pub runtime_dir: Option<PathBuf>,
    /// The directory whose files the program may read.
    pub files_dir: PathBuf,
    /// A file of `NAME=value` lines, the program's environment.
    pub env_file: Option<PathBuf>,
    /// Number of the user, and of the group, that the program runs as.
    pub user: u32,
    /// Functions that others replace, as `NAME:OTHER`.
    pub aliases: Vec<String>,
    /// A switch tests one case after the other, and forks at each.
    pub simple_switches: bool,
}

/// C library of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum LibcChoice {
    /// musl on the modeled kernel if the program calls functions that it does not define.
    Auto,
    Musl,
    /// No library; only homi's built-in functions.
    None,
}

/// Default user that programs run as: an ordinary user, subject to permissions, even if root runs
/// homi.
pub const ORDINARY_USER: u32 = 1000;

/// Output during and after the run.
#[derive(Clone, PartialEq, Debug)]
pub struct OutputConfig {
    /// `None` picks the first free `homi-out-N` in the current directory.
    pub directory: Option<PathBuf>,
    pub show_program_output: bool,
    pub quiet: bool,
    /// Exit with status 3 if bugs were found.
    pub error_exit_code: bool,
    /// Interval between rows of `run.stats`; zero: rows at the start and the end only.
    pub stats_interval: Duration,
    /// Write what the program costs, line by line and call by call.
    pub profile: bool,
    /// Names of the exporters that write into the output directory.
    pub exports: Vec<String>,
    /// Write what happens as lines of JSON to the standard output.
    pub events: bool,
}

/// Configuration of subsumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SubsumeConfig {
    pub greedy: Greedy,
    pub form: InterpolantForm,
}

/// Configuration of merging.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MergeConfig {
    /// Paths that are far behind are not waited for.
    pub incomplete: bool,
    /// Say what is merged and what is not (KLEE's `--debug-log-merge`).
    pub logs: bool,
}

/// Greedy confirmation: exploring the other side of a fork when all paths of one side were
/// followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Greedy {
    On,
    Off,
}

/// The form of interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum InterpolantForm {
    /// The weakest condition on the values at a point for which the same paths are taken.
    Wp,
    /// The values that matter at a point, with the constraints of the path that tie them.
    Core,
}

/// `homi run`.
#[derive(Clone, PartialEq, Debug)]
pub struct RunConfig {
    pub program: ProgramConfig,
    /// Property to verify, if any.
    pub property: Option<Property>,
    /// File for the witness of the verdict.
    pub witness: Option<PathBuf>,
    /// Call of a function other than `main`.
    pub function: FunctionConfig,
    pub search: SearchConfig,
    /// Configuration of a concolic run.
    pub concolic: Option<ConcolicConfig>,
    /// Configuration of subsumption.
    pub subsume: Option<SubsumeConfig>,
    /// Configuration of merging.
    pub merge: Option<MergeConfig>,
    pub seeds: SeedConfig,
    pub budget: BudgetConfig,
    pub symbolic: SymbolicConfig,
    pub checks: CheckConfig,
    pub stubs: StubConfig,
    pub solver: SolverLimits,
    pub tests: TestConfig,
    /// Tests have inputs at the boundaries of comparisons, for tests that people keep.
    pub pins_boundaries: bool,
    pub output: OutputConfig,
    /// Choice of the bugs that make a command fail.
    pub triage: TriageConfig,
    /// Differences to KLEE.
    pub dialect: Dialect,
    /// Threads that explore together, at least 1.
    pub threads: usize,
    /// Check every model against its path condition.
    pub check: bool,
    /// Tuning constants that are not what their table says, by name.
    pub tuning: Vec<(String, String)>,
    /// A new file for a sample of the queries to the solver.
    pub queries: Option<PathBuf>,
    /// Logs of all queries.
    pub query_logs: QueryLogConfig,
    /// Configuration of a campaign of short runs.
    pub campaign: Option<CampaignConfig>,
    /// Configuration of pruning within one run.
    pub prune: Option<PruneConfig>,
    /// Output directory of the campaign to resume.
    pub resume: Option<PathBuf>,
    /// Command line, for a session that resumes this campaign.
    pub command: Option<CommandLine>,
    /// In a campaign: take B(t) from native replays on this program, built by `gcc --coverage`.
    pub gcov: Option<PathBuf>,
}

impl RunConfig {
    /// True if loops are proven by invariants: for a verdict that every path counts for, where
    /// nothing else replaces paths by others.
    pub fn generalizes_loops(&self) -> bool {
        let of_kind = |goal: &Goal| !matches!(goal, Goal::Termination | Goal::NoDataRace);
        let property = self.property.as_ref();
        let asks =
            property.is_some_and(|one| !one.asks_for_tests() && one.goals.iter().all(of_kind));
        let replaces = self.concolic.is_some() || self.subsume.is_some() || self.merge.is_some();
        let is_alone = self.threads == 1 || self.campaign.is_some();
        asks && !replaces && is_alone && self.prune.is_none()
    }
}

/// Command line after `homi run`, as `OPTIONS FILES -- ARGUMENTS`, and its directory.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct CommandLine {
    pub arguments: Vec<String>,
    pub directory: String,
}

/// The kinds of campaigns of short runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CampaignKind {
    /// Homi: learned pruning.
    Homi,
    /// The paper's RandomPrune: random pruning, nothing learned.
    Random,
    /// The paper's [Divide]: no pruning.
    Divide,
}

impl CampaignKind {
    /// The name in `summary.json` and `learning.jsonl`.
    pub fn name(self) -> &'static str {
        match self {
            CampaignKind::Homi => "homi",
            CampaignKind::Random => "random",
            CampaignKind::Divide => "divide",
        }
    }

    /// True if states are pruned.
    pub fn prunes(self) -> bool {
        self != CampaignKind::Divide
    }
}

/// Code that the searchers of a campaign's runs treat as covered.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Debug,
    clap::ValueEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum SearchCoverage {
    /// Code that the run covered: each starts empty, as in the paper.
    #[default]
    Run,
    /// Code that any run of the campaign covered.
    Campaign,
}

/// The arguments of a program that is given none and makes nothing symbolic itself: arguments, a
/// file `A`, standard input. A single run may explore the first completely; a campaign has time for
/// more (benchmarks/studies/2026-11-27-input-layouts-by-hand).
pub fn usual_inputs(for_campaign: bool) -> &'static str {
    if for_campaign {
        "--sym-args 0 4 16 --sym-files 1 8 --sym-stdin 8"
    } else {
        "--sym-args 0 2 8 --sym-files 1 8 --sym-stdin 8"
    }
}

/// Input layouts that a campaign tries in addition to the given one.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Default,
    clap::ValueEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum InputLayouts {
    /// The program's arguments are as they were typed.
    #[default]
    Off,
    /// Other numbers and lengths of arguments, files, variables and options are tried, too.
    Auto,
    /// On for a program without arguments that makes nothing symbolic, else off.
    #[value(skip)]
    Unsaid,
    /// On, and homi chooses the first layout too, because there are no arguments.
    #[value(skip)]
    Found,
}

/// Pruning within one run that is not a campaign.
#[derive(Clone, PartialEq, Debug)]
pub struct PruneConfig {
    /// Name of the pruner, such as `random`.
    pub pruner: String,
    /// Time between two prune events.
    pub interval: Budget,
    /// Number of further states that triggers an early prune event; 0 never does.
    pub growth: usize,
    /// States of each place that stay as long as others can leave.
    pub kept: usize,
    /// Largest ratio of the states that a prune event removes, between 0 and 1.
    pub ratio_max: f64,
    /// Number of shares to choose from, equally spaced up to the largest.
    pub ratio_steps: usize,
}

/// The hyper-parameters of a campaign; names in the text of the Homi paper in brackets.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct CampaignConfig {
    pub kind: CampaignKind,
    /// Time, instructions or work between two prune events (eta_t).
    pub interval: Budget,
    /// The longest run (tau_max), in the unit of `interval`.
    pub run_max: Budget,
    /// Number of run times to choose from, equally spaced up to the longest (tau_itv).
    pub run_steps: usize,
    /// Largest ratio of the states that a prune event removes (eta_max), between 0 and 1.
    pub ratio_max: f64,
    /// Number of shares to choose from, equally spaced up to the largest (eta_itv).
    pub ratio_steps: usize,
    /// Runs after the first that explore before what was learned is used (m).
    pub explorations: u32,
    /// Number of draws; reverse exploitation takes the farthest (|U|).
    pub draws: u32,
    /// Most instructions that an unfinished path is run on to learn what its test covers.
    pub completion_instructions: u64,
    /// Go on with the run without pruning where that brings more; what it has no room for is lost.
    #[serde(default)]
    pub keep_unpruned_run: bool,
    /// Go on with the run without pruning where that brings more, or the others nothing.
    #[serde(default)]
    pub unpruned_run: bool,
    #[serde(default)]
    pub search_coverage: SearchCoverage,
    /// Follow earlier tests of the campaign at the beginning of each run.
    #[serde(default)]
    pub seed_runs: bool,
    /// Number of further states that triggers an early prune event; 0 never does.
    #[serde(default)]
    pub growth: usize,
    /// States of each place that stay as long as others can leave.
    #[serde(default)]
    pub kept: usize,
    /// Most of the budget that the run of single paths by weights may have, as a share; 0 is no
    /// such run.
    #[serde(default)]
    pub concolic_ratio: f64,
    /// Variation of the input layout between runs.
    #[serde(default)]
    pub input_layouts: InputLayouts,
}
