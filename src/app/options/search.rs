//! Options of the searchers, of their batches, and of work that accompanies the search.

use super::declare::Declared;
use super::fill::options;
use super::option_values::{KLEE_DEFAULT, SearchValue};
use super::profile::{ByProfile, Profile};
use super::requirement::Fact;
use super::row::{Form, Heading, Scope};
use super::uses::List;
use super::value::{budget, choice, flag, number, on_or_off, path, ratio, switch, text};
use clap::builder::{EnumValueParser, StringValueParser, TypedValueParser};
use homi_config::{Budget, DistanceWeights, Heuristic, SearchConfig, SearchScope, TargetConfig};
use homi_native::testcase::dictionary_file;
use std::path::PathBuf;
use std::time::Duration;

/// Instructions of fuzzing runs for each one of the search.
const FUZZ_RATIO: f64 = 4.0;
const MAX_FUZZ_RATIO: f64 = 1000.0;

options! {
    /// The options of [`SearchConfig`].
    Search fills SearchConfig with { target: Option<TargetConfig> };

    /// Select states with this searcher; repeat, or separate by commas, to interleave
    ///
    /// The searcher decides which state runs next and nothing else; `--profile` sets what
    /// accompanies it. The weighted searchers may be written nurs:NAME. The formulas are KLEE's.
    heuristics: Vec<Heuristic> = heuristics("search")
        .common()
        .by_profile(
            ByProfile {
                homi: vec![Heuristic::Md2u, Heuristic::CpIcnt],
                klee: KLEE_DEFAULT.to_vec(),
                paper: KLEE_DEFAULT.to_vec(),
            },
            |heuristic| heuristic.name().to_string(),
        )
        .heading(Heading::Search)
        .listing_values();

    /// Set the seed of all random choices
    seed: u64 = number("seed", "N")
        .common().default(5489).heading(Heading::Search);

    /// Run a selected state for at most N instructions; 0 is no limit
    batch_instructions: u64 = number("batch-instructions", "N")
        .default(10_000)
        .heading(Heading::Search);

    /// Run a selected state for at most this time; 0 is no limit
    ///
    /// Suffix i counts instructions, w work.
    batch_time: Budget = budget("tuning batch-time")
        .depends(
            "5s if --max-time is a time, else 0, so that equal seeds give equal runs",
            |situation| Budget::Time(Duration::from_secs(if situation.timed() { 5 } else { 0 })),
        )
        .heading(Heading::Search);

    /// Recompute the distances to uncovered code at this interval
    ///
    /// They are recomputed only if code was covered since. Suffix i counts instructions, w work;
    /// 30s in KLEE.
    distance_interval: Budget = budget("tuning uncovered-update-interval")
        .depends(
            "1s if --max-time is a time, else 1000000i",
            // A run that no clock ends must not depend on one.
            |situation| {
                if situation.timed() {
                    Budget::Time(Duration::from_secs(1))
                } else {
                    Budget::Instructions(1_000_000)
                }
            },
        )
        .heading(Heading::Search);

    /// Choose the code that md2u and covnew try to cover
    ///
    /// `all` includes libc, as in KLEE; `program` is the user's code alone.
    scope: SearchScope = choice("search-scope")
        .default(SearchScope::All)
        .heading(Heading::Search);

    /// Share the weights of md2u and covnew between states
    ///
    /// `per-location` gives all states at one instruction and distance one weight, which falls with
    /// each batch they run. `per-state` gives each state its weight, as in KLEE.
    weights: DistanceWeights = choice("tuning distance-weights")
        .by_profile(ByProfile {
            homi: DistanceWeights::PerLocation,
            klee: DistanceWeights::PerState,
            paper: DistanceWeights::PerState,
        })
        .heading(Heading::Search);

    /// Count solver work as instructions
    ///
    /// Code locations and call paths with expensive queries run less often, and batches end
    /// earlier.
    count_solver_work: bool = switch("tuning count-solver-work")
        .by_profile(ByProfile {
            homi: true,
            klee: false,
            paper: false,
        })
        .heading(Heading::Search);

    /// Pause states whose batch takes longer than a time that starts at 1s and doubles
    iterative_deepening: bool = flag("use-iterative-deepening-time-search")
        .heading(Heading::Search)
        .of_klee();

    /// Fuzz beside the search
    ///
    /// homi compiles the program natively in the background, executes mutated inputs in it, and
    /// repeats inputs that take new sides of branches. With limits in work or instructions, and
    /// without clang, fuzzing runs are interpreted.
    fuzz: bool = on_or_off("fuzz")
        .default(true)
        .heading(Heading::Search);

    /// Spend this many instructions on fuzzing per instruction of the search; 0 is none
    ///
    /// A fuzzing run executes a mutated input of the state selected last, or of an earlier test, as
    /// concrete code. A run that covers something new becomes a test. The ratio falls to a
    /// sixteenth while fuzzing finds nothing.
    fuzz_ratio: f64 = ratio("fuzz-ratio", MAX_FUZZ_RATIO)
        .depends(
            "4; 0 with --profile klee or paper, with --concolic, with --all-tests and with the \
             --write-... options about path conditions, and with --subsume unless --prune or \
             --restart is given",
            |situation| match situation.profile {
                Profile::Homi if !situation.wants_paths && !situation.concolic => FUZZ_RATIO,
                _ => 0.0,
            },
        )
        .heading(Heading::Search);

    /// Use the tokens of this dictionary in fuzzing runs; repeatable
    ///
    /// The format is AFL's: a line is name="token", and \xNN is a byte. Tokens of a level
    /// (name@2="token") are used if the file is given as FILE@2 or with a higher level. homi finds
    /// the words of the program by itself; `--export dict` writes them.
    dictionary: Vec<Vec<u8>> = tokens("dict", "FILE")
        .heading(Heading::Search);

    /// Ask this command for inputs that take uncovered branch sides, and run them
    ///
    /// The command reads one JSON line per side and answers with JSON lines
    /// (docs/research/input-generators.md). Its inputs take at most a tenth of the run's
    /// instructions. Its errors never stop the run. Runs with it are not deterministic.
    input_generator: Option<String> = text("input-generator", "COMMAND")
        .excludes(Fact::Concolic, "a concolic run follows its own inputs")
        .scope(Scope::Session)
        .heading(Heading::Search);

    /// Exchange inputs with the fuzzers of this directory while the run goes on
    ///
    /// DIR is the output directory of AFL++ (afl-fuzz -M main -o DIR). homi reads the queues of
    /// all fuzzers every second and runs the inputs. Tests with new coverage go to DIR/homi/queue,
    /// which afl-fuzz reads. Runs with it are not deterministic.
    sync: Option<PathBuf> = path("sync", "DIR")
        .excludes(Fact::Concolic, "a concolic run follows its own inputs")
        .scope(Scope::Session)
        .heading(Heading::Search);
}

/// The tokens of dictionaries, one file for each use.
fn tokens(long: &'static str, name: &str) -> List<Tokens, Vec<u8>> {
    let parser = StringValueParser::new().try_map(|text| read_tokens(&text));
    let form = Form::List(name.to_string(), None);
    List::new(long, form, parser.into(), |tokens| tokens.0.clone())
}

/// The tokens of one file.
#[derive(Clone, PartialEq, Debug)]
struct Tokens(Vec<Vec<u8>>);

/// Reads a dictionary; a number behind an @ is the level of its tokens.
fn read_tokens(text: &str) -> Result<Tokens, String> {
    let level = text.rsplit_once('@');
    let level = level.and_then(|(file, level)| Some((file, level.parse().ok()?)));
    let (file, level) = level.unwrap_or((text, 0));
    let bytes = std::fs::read(file).map_err(|error| format!("cannot read the file: {error}"))?;
    let tokens = dictionary_file::parse(&bytes, level);
    tokens.map(Tokens).map_err(|error| error.to_string())
}

fn heuristics(long: &'static str) -> List<SearchValue, Heuristic> {
    let form = Form::List("NAME".to_string(), Some(','));
    List::new(
        long,
        form,
        EnumValueParser::<SearchValue>::new().into(),
        SearchValue::heuristics,
    )
}
