//! `homi run`: what was typed, and how it becomes a `RunConfig`.

use super::arguments::RunLine;
use super::learning::{Learning, LearningArgs, Usual};
use super::resume;
use super::seeds::SeedArgs;
use super::session;
use super::status::{Exit, UsageError};
use super::units;
use crate::campaign;
use crate::config::{
    BudgetConfig, CampaignKind, Clock, DistanceWeights, Heuristic, LEAST_MEMORY, LibcChoice,
    OutputConfig, ProgramConfig, RunConfig, SearchConfig, SearchScope, SolverLimits, Span,
    SymbolicConfig, TestConfig,
};
use crate::engine::Signals;
use anyhow::Context;
use clap::ArgAction;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

const BUDGET: &str = "When to stop";
const SEARCH: &str = "Search";
const PROGRAM: &str = "The program and its surroundings";
const TESTS: &str = "Tests";
const SOLVER: &str = "Solver";
const OUTPUT: &str = "Output";

/// Run a program symbolically and write tests.
///
/// The program's own arguments stand after `--`. Among them, `--sym-arg N`, `--sym-args MIN MAX N`,
/// `--sym-files NUM N`, `--sym-stdin N`, `--sym-stdout` and `--max-fail N` make inputs symbolic.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "homi run [OPTIONS] FILE.bc... [-- ARGUMENT...]\n       homi run --resume DIR [OPTIONS]"
)]
pub(super) struct RunArgs {
    /// Bitcode files (clang -c -emit-llvm), linked into one program
    #[arg(value_name = "FILE.bc", required = true)]
    inputs: Vec<PathBuf>,

    /// The program's own arguments
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,

    /// Stop after this time: 60s, 10min, 1h (a bare number is seconds); 500000i counts instructions
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = units::span, help_heading = BUDGET)]
    max_time: Span,
    /// What times count: wall, or processor (the time of homi's processes on a processor, threads
    /// added up), for equal work on a busy machine
    #[arg(long, value_name = "wall|processor", default_value = "wall", value_parser = clock, help_heading = BUDGET)]
    clock: Clock,
    /// Resident memory of all homi processes together: 2GiB, 500MiB (a bare number is MB); 0 is no
    /// limit
    ///
    /// Where the machine or the container has less room, four fifths of that room are the limit,
    /// and a warning says so. A run that takes the last of the room all the same is ended with a
    /// message, before the kernel kills it.
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = units::size, help_heading = BUDGET)]
    max_memory: u64,
    /// Stop after writing this many tests; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = BUDGET)]
    max_tests: u64,
    /// Stop after this many instructions; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = BUDGET)]
    max_instructions: u64,
    /// End paths after this many forks; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = BUDGET)]
    max_depth: u64,
    /// After this many forks follow one side only; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = BUDGET)]
    max_forks: u64,
    /// End paths with more nested calls than this
    #[arg(long, value_name = "N", default_value_t = 8192, help_heading = BUDGET)]
    max_stack_frames: u32,
    /// Keep sizes of allocations symbolic up to this; 0 makes all sizes concrete
    #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = units::size, help_heading = BUDGET)]
    max_symbolic_size: u64,
    /// Make symbolic operands of floating-point instructions concrete, one value per path
    #[arg(long, help_heading = BUDGET)]
    concrete_floats: bool,
    /// Time for the tests of open states once the run stops [default: as long as it takes if only
    /// instructions limit the run, else and after Ctrl-C 10s]. It is a clock: where it runs out,
    /// equal runs may write different tests
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = BUDGET)]
    halt_time: Option<Duration>,
    /// Stop at the first bug
    #[arg(long, help_heading = BUDGET)]
    exit_on_error: bool,

    /// Search heuristic; repeat it or give a comma list to let several take turns [default:
    /// md2u,cpicnt]
    ///
    /// dfs, bfs, random-state, random-path, covnew, md2u, depth, rp, icnt, cpicnt, qc; roundrobin
    /// is KLEE's default, random-path and covnew in turns. The weighted ones may be written
    /// nurs:NAME. The formulas are KLEE's; `depth` prefers deep states as KLEE 2.1 and later, and
    /// `rp` (2^-depth) is the "Depth" of the Homi paper and of KLEE 2.0.
    #[arg(long, value_name = "NAME", value_parser = heuristic, value_delimiter = ',', help_heading = SEARCH)]
    search: Vec<SearchName>,
    /// Seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 5489, help_heading = SEARCH)]
    seed: u64,
    /// Instructions that a chosen state runs before the next choice; 0 is no such limit
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = SEARCH)]
    batch_instructions: u64,
    /// Time that a chosen state runs at most before the next choice; 0 is no such limit [default:
    /// 5s if --max-time is a time, else 0, so that equal seeds give equal runs]
    #[arg(long, value_name = "TIME", value_parser = units::duration, help_heading = SEARCH)]
    batch_time: Option<Duration>,
    /// How often distances to uncovered code are computed anew, if something was covered (time, or
    /// instructions with suffix i) [default: 1s if --max-time is a time, else 1000000i; KLEE: 30s]
    #[arg(long, value_name = "TIME", value_parser = units::span, help_heading = SEARCH)]
    uncovered_update_interval: Option<Span>,
    /// Code that md2u and covnew want to cover: all (with libc, as KLEE) or program (the user's
    /// own)
    #[arg(long, value_name = "all|program", default_value = "all", value_parser = search_scope, help_heading = SEARCH)]
    search_scope: SearchScope,
    /// For md2u and covnew: one weight for all states at the same instruction and distance, which
    /// falls with the turns they had, or one for each state, as KLEE [default: per-place with the
    /// default search; per-state with --search, whose formulas are KLEE's]
    #[arg(long, value_name = "per-place|per-state", value_parser = distance_weights, help_heading = SEARCH)]
    distance_weights: Option<DistanceWeights>,
    /// Count what the solver does as instructions: places and call paths where questions are
    /// expensive get fewer turns, and batches end earlier [default: true with the default search;
    /// false with --search, whose formulas are KLEE's]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true, help_heading = SEARCH)]
    count_solver_work: Option<bool>,
    /// Explore with this many threads; each keeps a solver process of its own when it needs one.
    /// Not with --prune or --restart
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads, help_heading = SEARCH)]
    threads: usize,
    /// Pause states whose turn takes longer than a time that starts at 1s and doubles
    #[arg(long, help_heading = SEARCH)]
    use_iterative_deepening_time_search: bool,

    /// Instructions of probes for each one of the search; 0 is none [default: 4 with the default
    /// search, otherwise 0]
    ///
    /// A probe runs an edited input of the state that the search chose last, or of an earlier test,
    /// from start to end as concrete code. One that covers something first becomes a test. The
    /// ratio falls to a sixteenth while probes find nothing. None by default with --search,
    /// --all-tests and the --write-... options about path conditions.
    #[arg(long, value_name = "RATIO", value_parser = share, help_heading = SEARCH)]
    probe_share: Option<f64>,

    #[command(flatten)]
    seeds: SeedArgs,

    #[command(flatten)]
    learning: LearningArgs,

    /// Function to start with
    #[arg(long, value_name = "NAME", default_value = "main", help_heading = PROGRAM)]
    entry_point: String,
    /// C library: auto links musl if the program calls functions that it does not define
    #[arg(long, value_name = "auto|musl|none", default_value = "auto", value_parser = libc_choice, help_heading = PROGRAM)]
    libc: LibcChoice,
    /// Report branches, addresses, divisors and sizes that depend on an undefined value
    /// (.undef.err)
    ///
    /// Undefined are bytes of locals and of malloc that were never written, LLVM's undef and
    /// poison, and results of signed overflow. Copying them is no error. The path goes on with
    /// fixed values, as without the option.
    #[arg(long, help_heading = PROGRAM)]
    check_undef: bool,
    /// Where the libc and kernel bitcode are
    #[arg(long, value_name = "DIR", help_heading = PROGRAM)]
    runtime_dir: Option<PathBuf>,
    /// Directory whose files the program sees, read only; beside them there are some devices, /tmp,
    /// and /etc with a few accounts [default: the current directory]
    #[arg(long, value_name = "DIR", help_heading = PROGRAM)]
    run_in_dir: Option<PathBuf>,
    /// The program's environment: a file of NAME=value lines
    #[arg(long, value_name = "FILE", help_heading = PROGRAM)]
    env_file: Option<PathBuf>,

    /// Write one test per path, not only those that cover something new or show a new bug
    #[arg(long, help_heading = TESTS)]
    all_tests: bool,
    /// Write a test for every path with a bug, also for bugs shown before
    #[arg(long, help_heading = TESTS)]
    emit_all_errors: bool,
    /// Write tests of states that are open when the run stops
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set, help_heading = TESTS)]
    dump_states_on_halt: bool,
    /// Also write each test's path condition as testNNNNNN.kquery
    #[arg(long, help_heading = TESTS)]
    write_kqueries: bool,
    /// Also write each test's path condition as testNNNNNN.smt2
    #[arg(long, help_heading = TESTS)]
    write_smt2s: bool,
    /// Also write the lines that each test covers first, as testNNNNNN.cov
    #[arg(long, help_heading = TESTS)]
    write_cov: bool,
    /// Also write each test's decisions as testNNNNNN.path
    #[arg(long, help_heading = TESTS)]
    write_paths: bool,

    /// Time for one SMT question; counted in the solver's own units unless --max-time is a time, so
    /// that equal seeds give equal runs
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration, help_heading = SOLVER)]
    max_solver_time: Duration,
    /// Memory of one solver process
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = units::size, help_heading = SOLVER)]
    max_solver_memory: u64,
    /// Check every model against its path condition
    #[arg(long, help_heading = SOLVER)]
    check: bool,
    /// Write a sample of the questions to the solver to a new file, as SMT-LIB scripts separated by
    /// (reset); with --threads those of the first thread
    #[arg(long, value_name = "FILE", help_heading = SOLVER)]
    write_questions: Option<PathBuf>,

    /// Where to write; must not exist [default: homi-out-N, with the link homi-last]
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    output_dir: Option<PathBuf>,
    /// Show what the program prints instead of keeping it in the output directory
    #[arg(long, help_heading = OUTPUT)]
    show_output: bool,
    /// Print nothing while running
    #[arg(long, short, help_heading = OUTPUT)]
    quiet: bool,
    /// Exit with status 3 if bugs were found
    #[arg(long, help_heading = OUTPUT)]
    error_exit_code: bool,
    /// How often figures are added to run.stats, which `homi stats` reads; 0: at the start and the
    /// end only
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration, help_heading = OUTPUT)]
    stats_write_interval: Duration,
    /// Write what the program under test costs: run.istats (callgrind's format, for kcachegrind)
    /// and flame graphs
    ///
    /// Instructions, forks, questions and microseconds in the solver, by source line and function
    /// with calls.
    #[arg(long, help_heading = OUTPUT)]
    profile: bool,
}

/// A `--search` word: one heuristic, or KLEE's default pair under its name in the Homi paper.
#[derive(Clone, Debug)]
enum SearchName {
    One(Heuristic),
    RoundRobin,
}

fn heuristic(text: &str) -> Result<SearchName, String> {
    if text == "roundrobin" || text == "round-robin" {
        return Ok(SearchName::RoundRobin);
    }
    let weighted = text.strip_prefix("nurs:");
    let name = weighted.unwrap_or(text);
    Heuristic::ALL
        .iter()
        .find(|(heuristic, known)| {
            *known == name && (weighted.is_none() || heuristic.is_weighted())
        })
        .map(|(heuristic, _)| SearchName::One(*heuristic))
        .ok_or_else(|| {
            let names: Vec<_> = Heuristic::ALL.iter().map(|(_, name)| *name).collect();
            format!(
                "there is no search heuristic `{text}`; known are {}",
                names.join(", ")
            )
        })
}

/// Least `--max-time` for which pruning is learned by default.
const LEAST_CAMPAIGN: Duration = Duration::from_secs(30);

/// Instructions of probes for each one of the search, if the search is homi's own.
const DEFAULT_PROBE_SHARE: f64 = 4.0;

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1000.0).contains(&share) => Ok(share),
        _ => Err("expected a ratio from 0 to 1000".to_string()),
    }
}

/// More threads than any machine of today can use for one run are a slip of the keyboard.
const MOST_THREADS: usize = 256;

fn threads(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(0) => Err("a run needs at least 1 thread".to_string()),
        Ok(count) if count <= MOST_THREADS => Ok(count),
        Ok(_) => Err(format!("at most {MOST_THREADS} threads")),
        Err(_) => Err(format!("expected a number from 1 to {MOST_THREADS}")),
    }
}

fn distance_weights(text: &str) -> Result<DistanceWeights, String> {
    match text {
        "per-place" => Ok(DistanceWeights::PerPlace),
        "per-state" => Ok(DistanceWeights::PerState),
        _ => Err("expected per-place or per-state".to_string()),
    }
}

fn clock(text: &str) -> Result<Clock, String> {
    [Clock::Wall, Clock::Processor]
        .into_iter()
        .find(|clock| clock.name() == text)
        .ok_or_else(|| format!("unknown clock `{text}` (use wall or processor)"))
}

fn search_scope(text: &str) -> Result<SearchScope, String> {
    match text {
        "all" => Ok(SearchScope::All),
        "program" => Ok(SearchScope::Program),
        _ => Err(format!("unknown scope `{text}` (use all or program)")),
    }
}

fn libc_choice(text: &str) -> Result<LibcChoice, String> {
    match text {
        "auto" => Ok(LibcChoice::Auto),
        "musl" => Ok(LibcChoice::Musl),
        "none" => Ok(LibcChoice::None),
        _ => Err(format!(
            "unknown C library `{text}` (use auto, musl or none)"
        )),
    }
}

impl RunArgs {
    /// Validates what was typed.
    fn into_config(self) -> Result<RunConfig, UsageError> {
        let learning = self.learning.clone().into_learning(self.usual()?)?;
        let seeds = self.seeds.clone().into_config(self.max_time)?;
        let search = self.search_config();
        self.refuse_contradictions(&learning, &search)?;
        Ok(RunConfig {
            search,
            seeds,
            budget: self.budget(learning.memory_prune_ratio),
            symbolic: SymbolicConfig {
                size: self.max_symbolic_size,
                floats: !self.concrete_floats,
                undefined: self.check_undef,
            },
            solver: SolverLimits {
                time: self.max_solver_time,
                memory: self.max_solver_memory,
            },
            tests: TestConfig {
                all: self.all_tests,
                all_errors: self.emit_all_errors,
                dump_open: self.dump_states_on_halt,
                kquery: self.write_kqueries,
                smt2: self.write_smt2s,
                cov: self.write_cov,
                path: self.write_paths,
            },
            program: ProgramConfig {
                inputs: self.inputs,
                arguments: self.arguments,
                entry: self.entry_point,
                libc: self.libc,
                runtime_dir: self.runtime_dir,
                files_dir: self.run_in_dir.unwrap_or_else(|| PathBuf::from(".")),
                env_file: self.env_file,
            },
            output: OutputConfig {
                directory: self.output_dir,
                show_program_output: self.show_output,
                quiet: self.quiet,
                error_exit_code: self.error_exit_code,
                stats_interval: self.stats_write_interval,
                profile: self.profile,
            },
            threads: self.threads,
            check: self.check,
            questions: self.write_questions,
            campaign: learning.campaign,
            resume: learning.resume,
            command: None,
            gcov: learning.gcov,
        })
    }

    fn refuse_contradictions(
        &self,
        learning: &Learning,
        search: &SearchConfig,
    ) -> Result<(), UsageError> {
        if search.batch_instructions == 0 && search.batch_time.is_zero() {
            return Err(UsageError(
                "--batch-instructions and --batch-time cannot both be 0".to_string(),
            ));
        }
        if self.max_memory != 0 && self.max_memory < LEAST_MEMORY {
            return Err(UsageError(format!(
                "--max-memory of {} bytes is less than homi needs to start (64 MiB)",
                self.max_memory
            )));
        }
        if learning.resume.is_some() && self.output_dir.is_some() {
            return Err(UsageError(
                "--resume goes on in its own directory; --output-dir cannot be given with it"
                    .to_string(),
            ));
        }
        if self.threads > 1 && learning.campaign.is_some() {
            return Err(UsageError(
                "--threads cannot be combined with --prune, --restart or --resume: what a campaign learns from a run \
                 depends on the order of its paths"
                    .to_string(),
            ));
        }
        Ok(())
    }

    fn search_config(&self) -> SearchConfig {
        // A run that no clock ends must not depend on one.
        let (batch_time, interval) = if self.max_time.is_timed() {
            (Duration::from_secs(5), Span::Time(Duration::from_secs(1)))
        } else {
            (Duration::ZERO, Span::Instructions(1_000_000))
        };
        let plain = !self.search.is_empty() || self.wants_paths();
        let default_share = if plain { 0.0 } else { DEFAULT_PROBE_SHARE };
        SearchConfig {
            heuristics: self.heuristics(),
            seed: self.seed,
            batch_instructions: self.batch_instructions,
            batch_time: self.batch_time.unwrap_or(batch_time),
            scope: self.search_scope,
            weights: self
                .distance_weights
                .unwrap_or(match self.search.is_empty() {
                    true => DistanceWeights::PerPlace,
                    false => DistanceWeights::PerState,
                }),
            count_solver_work: self.count_solver_work.unwrap_or(self.search.is_empty()),
            distance_interval: self.uncovered_update_interval.unwrap_or(interval),
            iterative_deepening: self.use_iterative_deepening_time_search,
            probe_share: self.probe_share.unwrap_or(default_share),
        }
    }

    /// Whether the user wants every path, or path conditions: the search alone, once.
    fn wants_paths(&self) -> bool {
        self.all_tests || self.write_kqueries || self.write_smt2s || self.write_paths
    }

    /// A campaign that is resumed is what it was. Otherwise: pruning needs time to pay; who bounds
    /// paths wants all within the bounds.
    fn usual(&self) -> Result<Usual, UsageError> {
        let long = matches!(self.max_time, Span::Time(time) if time >= LEAST_CAMPAIGN);
        let bounded = self.max_depth != 0 || self.max_forks != 0;
        let named_search = !self.search.is_empty();
        let prunes = long
            && !named_search
            && !bounded
            && !self.wants_paths()
            && !self.use_iterative_deepening_time_search
            && self.threads == 1;
        let campaign = match self.learning.resumed_as_it_was() {
            Some(directory) => {
                let header = campaign::read_header(directory);
                let header = header.map_err(|error| UsageError(error.to_string()))?;
                Some(header.campaign.kind)
            }
            None => prunes.then_some(CampaignKind::Homi),
        };
        Ok(Usual {
            named_search,
            campaign,
        })
    }

    /// The heuristics that take turns.
    fn heuristics(&self) -> Vec<Heuristic> {
        if self.search.is_empty() {
            return vec![Heuristic::Md2u, Heuristic::CpIcnt];
        }
        let names = self.search.iter();
        names
            .flat_map(|name| match name {
                SearchName::One(heuristic) => vec![*heuristic],
                SearchName::RoundRobin => vec![Heuristic::RandomPath, Heuristic::CovNew],
            })
            .collect()
    }

    fn budget(&self, memory_prune_ratio: f64) -> BudgetConfig {
        BudgetConfig {
            time: self.max_time,
            clock: self.clock,
            memory: self.max_memory,
            tests: self.max_tests,
            instructions: self.max_instructions,
            depth: self.max_depth,
            forks: self.max_forks,
            stack_frames: self.max_stack_frames,
            halt_time: self.halt_time,
            exit_on_error: self.exit_on_error,
            memory_prune_ratio,
        }
    }
}

/// `line` is what `args` were parsed from.
pub(super) fn execute(args: RunArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let mut config = args.into_config()?;
    config.command = resume::kept(line);
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut words = vec!["homi run".to_string()];
    words.extend(
        line.words()
            .iter()
            .map(|word| word.to_string_lossy().into_owned()),
    );
    session::run(&config, &words.join(" "), &signals)
}

/// Ctrl-C (or a request to terminate) once stops the run, which then writes its tests; twice ends
/// homi.
fn install_signals() -> std::io::Result<Signals> {
    let signals = Signals::default();
    for signal in [SIGINT, SIGTERM] {
        // In this order: the second signal finds the flag set by the first.
        flag::register_conditional_shutdown(signal, 1, Arc::clone(&signals.stop_requested))?;
        flag::register(signal, Arc::clone(&signals.stop_requested))?;
        flag::register(signal, Arc::clone(&signals.interrupt))?;
    }
    Ok(signals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CampaignConfig;
    use clap::Parser;

    #[derive(Parser)]
    struct Wrapper {
        #[command(flatten)]
        run: RunArgs,
    }

    fn config(words: &[&str]) -> Result<RunConfig, String> {
        let words = std::iter::once(&"run").chain(words);
        Wrapper::try_parse_from(words)
            .map_err(|error| error.to_string())?
            .run
            .into_config()
            .map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let config = config(&["a.bc"]).unwrap();
        assert_eq!(
            config.search.heuristics,
            [Heuristic::Md2u, Heuristic::CpIcnt]
        );
        assert_eq!(config.budget.memory, 2 << 30);
        assert_eq!(config.search.batch_instructions, 10_000);
        assert!(config.budget.time.is_zero());
        // Without a time limit nothing depends on time.
        assert!(!config.budget.time.is_timed() && config.search.batch_time.is_zero());
        assert_eq!(
            config.search.distance_interval,
            Span::Instructions(1_000_000)
        );
    }

    #[test]
    fn named_searches_count_turns_and_instructions_only() {
        let counts = |words: &[&str]| config(words).unwrap().search.count_solver_work;
        assert!(counts(&["a.bc"]));
        assert!(!counts(&["a.bc", "--search", "md2u,cpicnt"]));
        assert!(counts(&["a.bc", "--prune", "homi", "--max-time", "1h"]));
        assert!(counts(&["a.bc", "--search", "md2u", "--count-solver-work"]));
        assert!(!counts(&["a.bc", "--count-solver-work=false"]));
    }

    #[test]
    fn named_searches_have_klees_weights() {
        let weights = |words: &[&str]| config(words).unwrap().search.weights;
        assert_eq!(weights(&["a.bc"]), DistanceWeights::PerPlace);
        let named = ["a.bc", "--search", "md2u"];
        assert_eq!(weights(&named), DistanceWeights::PerState);
        let chosen = ["--distance-weights", "per-place"];
        let chosen = [&named[..], &chosen].concat();
        assert_eq!(weights(&chosen), DistanceWeights::PerPlace);
    }

    /// The hyper-parameters of the campaign that the options ask for.
    fn resolved(config: &RunConfig) -> Option<CampaignConfig> {
        let options = config.campaign.as_ref()?;
        Some(campaign::resolve(options, config.budget.time, None).unwrap())
    }

    #[test]
    fn campaigns_with_a_named_search_are_the_papers() {
        let campaign = |words: &[&str]| {
            let all = [&["a.bc", "--prune", "homi", "--max-time", "1h"], words].concat();
            let config = config(&all).unwrap();
            let campaign = resolved(&config).unwrap();
            let probes = config.search.probe_share > 0.0;
            let rules = (campaign.growth, campaign.kept);
            (campaign.seed_runs, rules, probes)
        };
        assert_eq!(campaign(&[]), (true, (5000, 4), true));
        assert_eq!(campaign(&["--search", "md2u"]), (false, (0, 0), false));
        let seeds = ["--search", "md2u", "--seed-runs"];
        assert_eq!(campaign(&seeds), (true, (0, 0), false));
        let growth = ["--search", "md2u", "--prune-growth", "9"];
        assert_eq!(campaign(&growth), (false, (9, 0), false));
        assert_eq!(campaign(&["--seed-runs=false"]), (false, (5000, 4), true));
        assert_eq!(campaign(&["--prune-keep", "0"]), (true, (5000, 0), true));
    }

    #[test]
    fn a_run_with_time_learns_to_prune_unless_it_is_to_do_something_else() {
        let campaign = |words: &[&str]| resolved(&config(words).unwrap());
        let minute = |words: &[&str]| campaign(&[&["a.bc", "--max-time", "60s"], words].concat());
        let kind = minute(&[]).map(|campaign| (campaign.kind, campaign.reserve));
        assert_eq!(kind, Some((crate::config::CampaignKind::Homi, true)));
        let plain = [
            &["--prune", "none"][..],
            &["--search", "md2u"],
            &["--threads", "2"],
            &["--all-tests"],
            &["--write-kqueries"],
            &["--write-smt2s"],
            &["--write-paths"],
            &["--max-depth", "9"],
            &["--max-forks", "9"],
            &["--use-iterative-deepening-time-search"],
        ];
        for words in plain {
            assert_eq!(minute(words), None, "{words:?}");
        }
        assert_eq!(campaign(&["a.bc"]), None);
        assert_eq!(campaign(&["a.bc", "--max-time", "29s"]), None);
        assert_eq!(campaign(&["a.bc", "--max-time", "60000000000i"]), None);
        // The paper's algorithm has no run in reserve, and the guard is one of its own.
        let reserve = |words: &[&str]| minute(words).map(|campaign| campaign.reserve);
        assert_eq!(
            reserve(&["--prune", "homi", "--search", "md2u"]),
            Some(false)
        );
        assert_eq!(reserve(&["--guard"]), Some(false));
        assert_eq!(reserve(&["--prune", "random"]), Some(false));
    }

    #[test]
    fn a_time_limit_brings_timed_batches() {
        let config = config(&["a.bc", "--max-time", "60s"]).unwrap();
        assert_eq!(config.search.batch_time, Duration::from_secs(5));
        let second = Span::Time(Duration::from_secs(1));
        assert_eq!(config.search.distance_interval, second);
    }

    #[test]
    fn options_that_would_do_nothing_are_refused() {
        let refused = |words: &[&str], part: &str| {
            let mut all = vec!["a.bc"];
            all.extend(words);
            let message = config(&all).unwrap_err();
            assert!(message.contains(part), "{words:?}: {message}");
        };
        refused(&["--prune", "some"], "some");
        refused(&["--prune-interval", "3s"], "--prune homi or");
        refused(&["--prune-growth", "3"], "--prune homi or");
        refused(&["--prune-keep", "3"], "--prune homi or");
        refused(
            &["--explorations", "3", "--prune", "random"],
            "--prune homi",
        );
        refused(
            &["--prune-ratio-max", "0.5", "--restart", "divide"],
            "needs",
        );
        refused(&["--prune", "homi", "--restart", "divide"], "baseline");
        refused(&["--resume", "x"], "cannot read x/");
        refused(&["--resume", "x", "--prune", "none"], "--resume needs");
        refused(
            &["--resume", "x", "--prune", "homi", "--output-dir", "y"],
            "--output-dir",
        );
        refused(&["--memory-prune-ratio", "0"], "between 0 and 1");
        refused(&["--threads", "0"], "at least 1");
        refused(&["--threads", "100000"], "at most 256");
        refused(&["--threads", "2.5"], "from 1 to 256");
        refused(&["--threads", "2", "--prune", "homi"], "--prune");
        refused(&["--threads", "2", "--restart", "divide"], "--restart");
        let fine = config(&["a.bc", "--prune", "homi", "--max-time", "1h"]).unwrap();
        let kind = fine.campaign.map(|campaign| campaign.kind);
        assert_eq!(kind, Some(crate::config::CampaignKind::Homi));
    }

    #[test]
    fn search_names() {
        let parsed = |list: &[&str]| {
            let mut words = vec!["a.bc"];
            for name in list {
                words.extend(["--search", name]);
            }
            config(&words).map(|config| config.search.heuristics)
        };
        assert_eq!(parsed(&["nurs:md2u"]), Ok(vec![Heuristic::Md2u]));
        assert_eq!(
            parsed(&["dfs,covnew", "rp"]),
            Ok(vec![Heuristic::Dfs, Heuristic::CovNew, Heuristic::Rp])
        );
        assert_eq!(
            parsed(&["roundrobin"]),
            Ok(vec![Heuristic::RandomPath, Heuristic::CovNew])
        );
        assert!(parsed(&["nurs:dfs"]).unwrap_err().contains("nurs:dfs"));
        assert!(parsed(&["best"]).is_err());
    }

    #[test]
    fn contradictions_are_refused() {
        assert!(config(&["a.bc", "--batch-instructions", "0", "--batch-time", "0"]).is_err());
        assert!(config(&["a.bc", "--max-memory", "1MiB"]).is_err());
        assert!(config(&[]).is_err());
    }
}
