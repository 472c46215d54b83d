//! Names of option values that `config` does not define.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use homi_config::Heuristic;
use homi_explore::search::{Choice, row_of};
use std::path::PathBuf;
use std::sync::LazyLock;

/// A `--search` value: one heuristic, or KLEE's default pair under its name in the Homi paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchValue {
    One(Heuristic),
    RoundRobin,
}

impl SearchValue {
    /// The heuristics that take turns.
    pub(super) fn heuristics(&self) -> Vec<Heuristic> {
        match self {
            SearchValue::One(heuristic) => vec![*heuristic],
            SearchValue::RoundRobin => KLEE_DEFAULT.to_vec(),
        }
    }
}

/// The heuristics that KLEE lets take turns if none is named.
pub(super) const KLEE_DEFAULT: [Heuristic; 2] = [Heuristic::RandomPath, Heuristic::CovNew];

static SEARCH_VALUES: LazyLock<Vec<SearchValue>> = LazyLock::new(|| {
    let single = Heuristic::ALL.iter();
    let single = single.map(|(heuristic, _)| SearchValue::One(*heuristic));
    single.chain([SearchValue::RoundRobin]).collect()
});

impl ValueEnum for SearchValue {
    fn value_variants<'a>() -> &'a [Self] {
        &SEARCH_VALUES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            SearchValue::One(heuristic) => {
                let row = row_of(*heuristic);
                let value = PossibleValue::new(row.name).help(row.help);
                Some(match row.choice {
                    Choice::ByWeight(_) => value.alias(format!("nurs:{}", row.name)),
                    Choice::Own(_) => value,
                })
            }
            SearchValue::RoundRobin => Some(
                PossibleValue::new("roundrobin")
                    .alias("round-robin")
                    .help("random-path and covnew, interleaved (KLEE's default)"),
            ),
        }
    }
}

/// `--prune`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum PruneValue {
    None,
    Random,
    Homi,
}

/// `--restart`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum RestartValue {
    None,
    Divide,
}

/// `--coverage`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CoverageSource {
    Engine,
    Gcov(PathBuf),
}

/// Prefix of the path of `--coverage`.
pub(super) const GCOV: &str = "gcov=";

impl CoverageSource {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.strip_prefix(GCOV) {
            _ if text == "engine" => Ok(CoverageSource::Engine),
            Some(exe) if !exe.is_empty() => Ok(CoverageSource::Gcov(exe.into())),
            _ => Err("use engine or gcov=EXE".to_string()),
        }
    }

    /// Returns the value as the user types it.
    pub(super) fn show(&self) -> String {
        match self {
            CoverageSource::Engine => "engine".to_string(),
            CoverageSource::Gcov(exe) => format!("{GCOV}{}", exe.display()),
        }
    }

    /// The program that replays take branches from, if it is not the engine that says them.
    pub(super) fn program(self) -> Option<PathBuf> {
        match self {
            CoverageSource::Engine => None,
            CoverageSource::Gcov(exe) => Some(exe),
        }
    }
}
