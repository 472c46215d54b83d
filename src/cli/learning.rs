//! Options of `homi run` about pruning and campaigns of short runs.
//!
//! Invariant: an option that would do nothing is an error, not silence.

use super::status::UsageError;
use super::units;
use crate::config::{CampaignKind, CampaignOptions, SearchCoverage, Span};
use std::path::{Path, PathBuf};

const PRUNING: &str = "Pruning and learning (Homi, FSE 2020)";

/// What was typed.
#[derive(Clone, clap::Args, Debug)]
pub(super) struct LearningArgs {
    /// Prune states: none; homi (many short runs that learn which states to keep); random (the same
    /// runs with random pruning, the paper's RandomPrune) [default: homi with the default search
    /// and a --max-time of 30s or more, unless --threads, --all-tests, --max-depth, --max-forks,
    /// --use-iterative-deepening-time-search or one of the --write-... options about path
    /// conditions is given; else none]
    #[arg(long, value_name = "none|random|homi", value_parser = prune, help_heading = PRUNING)]
    prune: Option<Prune>,
    /// Divide the time into short runs without pruning (the paper's [Divide])
    #[arg(long, value_name = "none|divide", default_value = "none", value_parser = restart, help_heading = PRUNING)]
    restart: Restart,
    /// Go on with the campaign in this output directory: what it learned, its tests. The program,
    /// its arguments and the options that are not given are those of its first session; --max-time
    /// is the time of each session
    #[arg(long, value_name = "DIR", help_heading = PRUNING)]
    resume: Option<PathBuf>,
    /// eta_t: time (or instructions, suffix i) between two prune events [default: 30s; for
    /// --max-time N below 5h 30s * N/5h, at least 1s]
    #[arg(long, value_name = "TIME", value_parser = units::span, help_heading = PRUNING)]
    prune_interval: Option<Span>,
    /// A prune event comes before that, too, once there are so many more states than after the last
    /// one; 0 is never (not in the paper) [default: 5000 with the default search; 0 with --search]
    #[arg(long, value_name = "STATES", help_heading = PRUNING)]
    prune_growth: Option<usize>,
    /// Of the states that stand at one place of the code, called the same way, so many stay as long
    /// as others can leave, those that score highest; 0 is none (not in the paper) [default: 4 with
    /// the default search; 0 with --search]
    #[arg(long, value_name = "N", help_heading = PRUNING)]
    prune_keep: Option<usize>,
    /// eta_max: largest share of the states that leaves at a prune event [default: 0.6]
    #[arg(long, value_name = "SHARE", help_heading = PRUNING)]
    prune_ratio_max: Option<f64>,
    /// eta_itv: number of shares to choose from, equally spaced up to the largest [default: 3]
    #[arg(long, value_name = "N", help_heading = PRUNING)]
    prune_ratio_steps: Option<usize>,
    /// tau_max: time (or instructions) of the longest run [default: 800s; for --max-time N below 5h
    /// 800s * N/5h, with the default search at least 10s or N/6]
    #[arg(long, value_name = "TIME", value_parser = units::span, help_heading = PRUNING)]
    run_time_max: Option<Span>,
    /// tau_itv: number of run times to choose from, equally spaced up to the longest [default: 4]
    #[arg(long, value_name = "N", help_heading = PRUNING)]
    run_time_steps: Option<usize>,
    /// m: runs after the first that explore before what was learned is used [default: 10]
    #[arg(long, value_name = "N", help_heading = PRUNING)]
    explorations: Option<u32>,
    /// Uniform draws of which reverse exploitation takes the farthest [default: 100]
    #[arg(long, value_name = "N", help_heading = PRUNING)]
    reverse_draws: Option<u32>,
    /// A path that did not end is run on with its test's bytes for at most so many instructions, to
    /// learn which branches the test covers [default: 500000]
    #[arg(long, value_name = "N", help_heading = PRUNING)]
    tail_instructions: Option<u64>,
    /// Where a campaign learns from which branches a test covers: the engine, or replays on a
    /// program built by gcc --coverage (their time counts)
    #[arg(long, value_name = "engine|gcov=EXE", default_value = "engine", value_parser = coverage, help_heading = PRUNING)]
    coverage: CoverageSource,
    /// With --prune homi: put the first run, which has no pruning, aside, and go on with it
    /// whenever it has lately found more than the pruned runs (not in the paper)
    #[arg(long, help_heading = PRUNING)]
    guard: bool,
    /// What the searches of short runs take for covered: what the run has covered so far (the
    /// paper), or what the campaign has
    #[arg(long, value_name = "run|campaign", value_parser = search_coverage, help_heading = PRUNING)]
    search_coverage: Option<SearchCoverage>,
    /// Begin each run but the first with earlier tests of the campaign, a small set that covers
    /// what all of them cover: their paths are followed, and the search goes on from the branches
    /// that they pass by (not in the paper) [default: true with the default search; false with
    /// --search, which gets the paper's algorithm]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true, help_heading = PRUNING)]
    seed_runs: Option<bool>,
    /// Share of the states that leave, at random, each time the memory limit is reached (r of
    /// PRUNE_M)
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, help_heading = PRUNING)]
    memory_prune_ratio: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Prune {
    None,
    Random,
    Homi,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Restart {
    None,
    Divide,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum CoverageSource {
    Engine,
    Gcov(PathBuf),
}

fn coverage(text: &str) -> Result<CoverageSource, String> {
    match text.strip_prefix("gcov=") {
        _ if text == "engine" => Ok(CoverageSource::Engine),
        Some(exe) if !exe.is_empty() => Ok(CoverageSource::Gcov(exe.into())),
        _ => Err("use engine or gcov=EXE".to_string()),
    }
}

fn prune(text: &str) -> Result<Prune, String> {
    match text {
        "none" => Ok(Prune::None),
        "random" => Ok(Prune::Random),
        "homi" => Ok(Prune::Homi),
        _ => Err(format!(
            "there is no pruning `{text}` (use none, random or homi)"
        )),
    }
}

fn search_coverage(text: &str) -> Result<SearchCoverage, String> {
    match text {
        "run" => Ok(SearchCoverage::Run),
        "campaign" => Ok(SearchCoverage::Campaign),
        _ => Err("use run or campaign".to_string()),
    }
}

fn restart(text: &str) -> Result<Restart, String> {
    match text {
        "none" => Ok(Restart::None),
        "divide" => Ok(Restart::Divide),
        _ => Err(format!(
            "unknown way to restart `{text}` (use none or divide)"
        )),
    }
}

/// What of the other options decides about defaults.
#[derive(Clone, Copy)]
pub(super) struct Usual {
    /// The user named the search, and wants it alone.
    pub(super) named_search: bool,
    /// What campaign it is if nothing is said about pruning and restarts.
    pub(super) campaign: Option<CampaignKind>,
}

/// The validated part of a `RunConfig`.
pub(super) struct Learning {
    pub(super) campaign: Option<CampaignOptions>,
    pub(super) resume: Option<PathBuf>,
    pub(super) memory_prune_ratio: f64,
    pub(super) gcov: Option<PathBuf>,
}

impl LearningArgs {
    /// The output directory of a campaign that is to go on as what it was: nothing is said of
    /// pruning and restarts.
    pub(super) fn resumed_as_it_was(&self) -> Option<&Path> {
        let silent = self.prune.is_none() && self.restart == Restart::None;
        self.resume.as_deref().filter(|_| silent)
    }

    pub(super) fn into_learning(self, usual: Usual) -> Result<Learning, UsageError> {
        if !(self.memory_prune_ratio > 0.0 && self.memory_prune_ratio < 1.0) {
            return Err(UsageError(
                "--memory-prune-ratio must lie between 0 and 1".to_string(),
            ));
        }
        let kind = match (self.prune, self.restart) {
            (None, Restart::None) => usual.campaign,
            (Some(Prune::None), Restart::None) => None,
            (Some(Prune::None) | None, Restart::Divide) => Some(CampaignKind::Divide),
            (Some(Prune::Random), Restart::None) => Some(CampaignKind::Random),
            (Some(Prune::Homi), Restart::None) => Some(CampaignKind::Homi),
            (Some(_), Restart::Divide) => {
                return Err(UsageError(
                    "--restart divide is the baseline without pruning; --prune homi and --prune \
                     random restart anyway"
                        .to_string(),
                ));
            }
        };
        self.refuse_useless(kind)?;
        Ok(Learning {
            campaign: kind.map(|kind| CampaignOptions {
                kind,
                own_defaults: !usual.named_search,
                interval: self.prune_interval,
                growth: self.prune_growth,
                kept: self.prune_keep,
                run_max: self.run_time_max,
                run_steps: self.run_time_steps,
                ratio_max: self.prune_ratio_max,
                ratio_steps: self.prune_ratio_steps,
                explorations: self.explorations,
                draws: self.reverse_draws,
                tail_instructions: self.tail_instructions,
                guard: self.guard,
                search_coverage: self.search_coverage,
                seed_runs: self.seed_runs,
            }),
            resume: self.resume,
            memory_prune_ratio: self.memory_prune_ratio,
            gcov: match self.coverage {
                CoverageSource::Engine => None,
                CoverageSource::Gcov(exe) => Some(exe),
            },
        })
    }

    /// Options that would do nothing.
    fn refuse_useless(&self, kind: Option<CampaignKind>) -> Result<(), UsageError> {
        let homi = kind == Some(CampaignKind::Homi);
        let prunes = homi || kind == Some(CampaignKind::Random);
        let given = [
            ("--resume", self.resume.is_some(), kind.is_some()),
            (
                "--run-time-max",
                self.run_time_max.is_some(),
                kind.is_some(),
            ),
            (
                "--run-time-steps",
                self.run_time_steps.is_some(),
                kind.is_some(),
            ),
            (
                "--tail-instructions",
                self.tail_instructions.is_some(),
                kind.is_some(),
            ),
            (
                "--search-coverage",
                self.search_coverage.is_some(),
                kind.is_some(),
            ),
            ("--seed-runs", self.seed_runs.is_some(), kind.is_some()),
            ("--prune-interval", self.prune_interval.is_some(), prunes),
            ("--prune-growth", self.prune_growth.is_some(), prunes),
            ("--prune-keep", self.prune_keep.is_some(), prunes),
            ("--prune-ratio-max", self.prune_ratio_max.is_some(), prunes),
            (
                "--prune-ratio-steps",
                self.prune_ratio_steps.is_some(),
                prunes,
            ),
            ("--explorations", self.explorations.is_some(), homi),
            ("--reverse-draws", self.reverse_draws.is_some(), homi),
            ("--guard", self.guard, homi),
            (
                "--coverage gcov",
                self.coverage != CoverageSource::Engine,
                homi,
            ),
        ];
        for (name, given, useful) in given {
            if given && !useful {
                let needs = match name {
                    "--explorations" | "--reverse-draws" | "--coverage gcov" | "--guard" => {
                        "--prune homi"
                    }
                    "--prune-interval"
                    | "--prune-growth"
                    | "--prune-keep"
                    | "--prune-ratio-max"
                    | "--prune-ratio-steps" => "--prune homi or --prune random",
                    _ => "--prune homi, --prune random or --restart divide",
                };
                return Err(UsageError(format!("{name} needs {needs}")));
            }
        }
        Ok(())
    }
}
