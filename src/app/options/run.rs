//! Options about the run as a whole: profile, campaign, threads.

use super::declare::{Declared, Single};
use super::error::OptionError;
use super::fill::options;
use super::option_values::{CoverageSource, GCOV, PruneValue, RestartValue};
use super::profile::Profile;
use super::requirement::Fact;
use super::row::{Form, Heading, Paths, Scope};
use super::uses::List;
use super::value::{choice, duration, flag, number_within, path};
use clap::builder::ValueParser;
use homi_config::{Budget, CampaignKind, QueryLog};
use std::path::PathBuf;
use std::time::Duration;

/// More threads than any machine of today can use for one run are a slip of the keyboard.
const MOST_THREADS: usize = 256;

/// More threads by default would leave each too little of the usual memory limit.
const MOST_USUAL_THREADS: usize = 16;

/// Least `--max-time` for which pruning is learned by default.
const LEAST_CAMPAIGN: Duration = Duration::from_secs(30);

/// Group of options that exclude each other: each determines the kind of run.
const COURSE: &str = "course";

/// Values of the options about the run as a whole.
pub(super) struct RunOptions {
    pub(super) profile: Profile,
    pub(super) threads: Option<usize>,
    pub(super) prune: Option<PruneValue>,
    pub(super) restart: Option<RestartValue>,
    pub(super) resume: Option<PathBuf>,
    pub(super) coverage: CoverageSource,
    pub(super) check: bool,
    pub(super) queries: Option<PathBuf>,
    pub(super) query_logs: Vec<QueryLog>,
    pub(super) least_query_time: Duration,
    pub(super) tuning: Vec<(String, String)>,
}

options! {
    /// The options of [`RunOptions`].
    Run fills RunOptions;

    /// Set the defaults of all options that you omit
    ///
    /// An explicit `--search` replaces the profile's searcher and nothing else.
    profile: Profile = choice("profile")
        .common()
        .default(Profile::Homi)
        .heading(Heading::Profile)
        .listing_values();

    /// Explore with N threads
    ///
    /// Each thread starts its own solver process when it needs one. The runs of a campaign
    /// (`--prune`, `--restart`) run in parallel.
    threads: Option<usize> = number_within("threads", "N", 1, MOST_THREADS)
        .common()
        .absent_means(
            "one per processor, up to 16, with --prune homi and a --max-time in wall time; 1 with \
             --profile paper, --subsume, --use-merge, --max-preemptions and in all other runs",
        )
        .heading(Heading::Search);

    /// Prune states
    ///
    /// `homi` divides the time into many short runs and learns which states to keep. `random`
    /// prunes at random in the same runs (RandomPrune in the paper), or within one run if
    /// `--restart none` is given. `none` keeps all states.
    prune: Option<PruneValue> = choice("prune")
        .absent_means(
            "homi with a --max-time of 30s or more, unless --restart, --all-tests, \
             --max-depth, --max-forks or one of the --write-... options about path conditions is \
             given; else none. With --profile klee none, with --profile paper homi",
        )
        .group(COURSE)
        .heading(Heading::Pruning);

    /// Divide the time into short runs without pruning
    ///
    /// `divide` is [Divide] in the paper. `none` does not restart.
    restart: Option<RestartValue> = choice("restart")
        .absent_means("none; --prune homi and --prune random always restart")
        .group(COURSE)
        .heading(Heading::Pruning);

    /// Resume the run in this output directory
    ///
    /// A run resumes with its open paths and its tests. A campaign resumes with its tests and what
    /// it learned. The first session determines the program, its arguments and the options that you
    /// omit. `--max-time` is the time of each session.
    ///
    /// The file `checkpoint` holds the open paths. homi writes it every 30 seconds and when the run
    /// stops.
    resume: Option<PathBuf> = path("resume", "DIR")
        .common().heading(Heading::Budget);

    /// Choose where a campaign reads the branches that a test covers
    ///
    /// `engine` uses the engine's coverage. `gcov=EXE` replays each test on a program built with
    /// gcc --coverage; the replays count toward the campaign's time.
    coverage: CoverageSource = coverage_source("coverage")
        .default(CoverageSource::Engine)
        .neutral("engine")
        .needs(Fact::LearnedPruning)
        .paths(Paths::After(GCOV))
        .heading(Heading::Pruning);

    /// Check each model against its path condition
    ///
    /// Also follow one in eight of the paths that `--subsume` skips.
    check: bool = flag("self-check").heading(Heading::Solver);

    /// Write a sample of the solver queries to a new SMT-LIB file
    ///
    /// `(reset)` separates the queries. With `--threads` the file has queries of the first thread.
    queries: Option<PathBuf> = path("write-queries", "FILE")
        .scope(Scope::Session)
        .heading(Heading::Solver);

    /// Log solver queries to files in the output directory
    ///
    /// `all` logs every query to all-queries.*, `solver` the queries of back ends to
    /// solver-queries.*. With `--threads` the logs have the queries of the first thread.
    query_logs: Vec<QueryLog> = query_logs("use-query-log")
        .scope(Scope::Session)
        .heading(Heading::Solver)
        .of_klee();

    /// Leave queries that took less time out of the query logs
    least_query_time: Duration = duration("min-query-time-to-log")
        .default(Duration::ZERO)
        .scope(Scope::Session)
        .heading(Heading::Solver)
        .of_klee();

    /// Set a constant of search, pruning, engine or solver; repeatable
    ///
    /// `--tuning help` lists the constants. They may change between versions.
    tuning: Vec<(String, String)> = settings("tuning").heading(Heading::Solver);
}

/// Names of query logs, with commas or by giving the option again.
fn query_logs(long: &'static str) -> List<QueryLog, QueryLog> {
    let parser = |text: &str| {
        let found = QueryLog::ALL.into_iter().find(|log| log.name() == text);
        found.ok_or_else(|| {
            let known = QueryLog::ALL.map(QueryLog::name);
            format!("it must be one of {}", known.join(", "))
        })
    };
    let form = Form::List("LOG".to_string(), Some(','));
    List::new(long, form, ValueParser::new(parser), |log| vec![*log])
}

/// `NAME=VALUE`, one for each use.
fn settings(long: &'static str) -> List<(String, String), (String, String)> {
    let parser = |text: &str| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_string(), value.to_string())),
        None => Err("expected NAME=VALUE".to_string()),
    };
    let form = Form::List("NAME=VALUE".to_string(), None);
    List::new(long, form, ValueParser::new(parser), |setting| {
        vec![setting.clone()]
    })
}

/// Processors that this process may use.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn coverage_source(long: &'static str) -> Single<CoverageSource> {
    let form = Form::Value("engine|gcov=EXE".to_string());
    let parser = ValueParser::new(CoverageSource::parse);
    Single::new(long, form, parser, CoverageSource::show)
}

/// Facts that decide whether a run is a campaign if neither `--prune` nor `--restart` is given.
#[derive(Clone, Copy)]
pub(super) struct Usual {
    pub(super) total: Budget,
    /// Kind of the resumed campaign, which does not change.
    pub(super) earlier: Option<CampaignKind>,
    /// The user wants all paths within bounds, or the search alone.
    pub(super) search_alone: bool,
}

/// Kinds of pruning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// One run without pruning.
    Plain,
    /// One run with random pruning.
    RandomOnce,
    Campaign(CampaignKind),
}

impl RunOptions {
    /// Pruning needs time to pay; who bounds paths wants all within the bounds.
    pub(super) fn course(&self, usual: Usual) -> Result<Course, OptionError> {
        use {PruneValue as Prune, RestartValue as Restart};
        match (self.prune, self.restart) {
            (None, None) => Ok(self.usual_course(usual)),
            (None | Some(Prune::None), Some(Restart::None)) | (Some(Prune::None), None) => {
                Ok(Course::Plain)
            }
            (None | Some(Prune::None), Some(Restart::Divide)) => {
                Ok(Course::Campaign(CampaignKind::Divide))
            }
            (Some(Prune::Random), None) => Ok(Course::Campaign(CampaignKind::Random)),
            (Some(Prune::Homi), None) => Ok(Course::Campaign(CampaignKind::Homi)),
            (Some(Prune::Random), Some(Restart::None)) => Ok(Course::RandomOnce),
            (Some(Prune::Homi), Some(Restart::None)) => Err(OptionError(
                "--prune homi needs several runs to learn; leave out --restart none, or use \
                 --prune random, which can prune within one run"
                    .to_string(),
            )),
            (Some(Prune::Homi | Prune::Random), Some(Restart::Divide)) => Err(OptionError(
                "--restart divide runs without pruning; leave it out, since --prune homi and \
                 --prune random restart"
                    .to_string(),
            )),
        }
    }

    /// Returns the number of exploring threads. By default it is the number of CPUs in timed
    /// campaigns of homi, whose runs can be concurrent and may differ between machines, and
    /// otherwise one.
    pub(super) fn threads(&self, course: Course, total: Budget, one_thread: bool) -> usize {
        let side_by_side = course == Course::Campaign(CampaignKind::Homi)
            && self.profile == Profile::Homi
            && total.is_timed()
            && !one_thread;
        match (self.threads, side_by_side) {
            (Some(threads), _) => threads,
            (None, true) => processors().min(MOST_USUAL_THREADS),
            (None, false) => 1,
        }
    }

    /// True if the user said what prunes, and when.
    pub(super) fn says_course(&self) -> bool {
        self.prune.is_some() || self.restart.is_some()
    }

    fn usual_course(&self, usual: Usual) -> Course {
        let long = matches!(usual.total, Budget::Time(time) if time >= LEAST_CAMPAIGN);
        let kind = match (usual.earlier, self.profile) {
            (Some(kind), _) => Some(kind),
            // The resumed run is a single run.
            (None, _) if self.resume.is_some() => None,
            (None, Profile::Paper) => Some(CampaignKind::Homi),
            (None, Profile::Klee) => None,
            (None, Profile::Homi) => (long && !usual.search_alone).then_some(CampaignKind::Homi),
        };
        kind.map_or(Course::Plain, Course::Campaign)
    }
}
