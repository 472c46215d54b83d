//! Which state runs next, for how long, and what runs beside the search.

use super::declare::Declared;
use super::fill::options;
use super::profile::{ByProfile, Profile};
use super::requirement::Fact;
use super::row::{Form, Heading, Scope};
use super::uses::List;
use super::value::{flag, number, ratio, span, switch, text, word};
use super::words::{KLEE_DEFAULT, SearchWord};
use crate::config::{AimConfig, DistanceWeights, Heuristic, SearchConfig, SearchScope, Span};
use clap::builder::EnumValueParser;
use std::time::Duration;

/// Instructions of probes for each one of the search.
const PROBE_SHARE: f64 = 4.0;
const MOST_PROBES: f64 = 1000.0;

options! {
    /// The options of [`SearchConfig`].
    Search fills SearchConfig with { aim: Option<AimConfig> };

    /// Search heuristic; repeat it or give a comma list to let several take turns
    ///
    /// It says which state runs next and nothing else: what goes with the search is for --profile.
    /// The weighted ones may be written nurs:NAME. The formulas are KLEE's.
    heuristics: Vec<Heuristic> = heuristics("search")
        .common("Search heuristics, which take turns")
        .by_profile(
            ByProfile {
                homi: vec![Heuristic::Md2u, Heuristic::CpIcnt],
                klee: KLEE_DEFAULT.to_vec(),
                paper: KLEE_DEFAULT.to_vec(),
            },
            |heuristic| heuristic.name().to_string(),
        )
        .heading(Heading::Search)
        .listing_words();

    /// Seed of every random choice
    seed: u64 = number("seed", "N")
        .common("Seed of every random choice").default(5489).heading(Heading::Search);

    /// Instructions that a chosen state runs before the next choice; 0 is no such limit
    batch_instructions: u64 = number("batch-instructions", "N")
        .default(10_000)
        .heading(Heading::Search);

    /// Time that a chosen state runs at most before the next choice (suffix i: instructions, w:
    /// work); 0 is no such limit
    batch_time: Span = span("tuning batch-time")
        .depends(
            "5s if --max-time is a time, else 0, so that equal seeds give equal runs",
            |situation| Span::Time(Duration::from_secs(if situation.timed() { 5 } else { 0 })),
        )
        .heading(Heading::Search);

    /// How often distances to uncovered code are computed anew, if something was covered (time;
    /// suffix i: instructions, w: work); KLEE's is 30s
    distance_interval: Span = span("tuning uncovered-update-interval")
        .depends(
            "1s if --max-time is a time, else 1000000i",
            // A run that no clock ends must not depend on one.
            |situation| match situation.timed() {
                true => Span::Time(Duration::from_secs(1)),
                false => Span::Instructions(1_000_000),
            },
        )
        .heading(Heading::Search);

    /// Code that md2u and covnew want to cover: all (with libc, as KLEE) or program (the user's
    /// own)
    scope: SearchScope = word("search-scope")
        .default(SearchScope::All)
        .heading(Heading::Search);

    /// For md2u and covnew: one weight for all states at the same instruction and distance, which
    /// falls with the turns they had, or one for each state, as KLEE
    weights: DistanceWeights = word("tuning distance-weights")
        .by_profile(ByProfile {
            homi: DistanceWeights::PerPlace,
            klee: DistanceWeights::PerState,
            paper: DistanceWeights::PerState,
        })
        .heading(Heading::Search);

    /// Count what the solver does as instructions: places and call paths where questions are
    /// expensive get fewer turns, and batches end earlier
    count_solver_work: bool = switch("tuning count-solver-work")
        .by_profile(ByProfile {
            homi: true,
            klee: false,
            paper: false,
        })
        .heading(Heading::Search);

    /// Pause states whose turn takes longer than a time that starts at 1s and doubles
    iterative_deepening: bool = flag("use-iterative-deepening-time-search")
        .heading(Heading::Search)
        .hidden();

    /// Instructions of probes for each one of the search; 0 is none
    ///
    /// A probe runs an edited input of the state that the search chose last, or of an earlier test,
    /// from start to end as concrete code. One that covers something first becomes a test. The
    /// ratio falls to a sixteenth while probes find nothing.
    probe_share: f64 = ratio("probe-share", MOST_PROBES)
        .depends(
            "4; 0 with --profile klee or paper, with --concolic, with --all-tests and with the \
             --write-... options about path conditions, and with --subsume unless --prune or \
             --restart is given",
            |situation| match situation.profile {
                Profile::Homi if !situation.wants_paths && !situation.concolic => PROBE_SHARE,
                _ => 0.0,
            },
        )
        .heading(Heading::Search);

    /// Ask this command for inputs that take branch sides which no path takes, and run them
    ///
    /// It gets a line of JSON for each side and answers with lines of JSON; the guide's page on
    /// asking has the fields. What it says costs at most a tenth of the run's instructions, and
    /// what it does wrong never stops the run, which need not be the same twice then.
    ask: Option<String> = text("ask", "COMMAND")
        .excludes(Fact::Concolic, "a concolic run follows inputs of its own")
        .scope(Scope::Session)
        .heading(Heading::Search);
}

fn heuristics(long: &'static str) -> List<SearchWord, Heuristic> {
    let form = Form::List("NAME".to_string(), Some(','));
    List::new(
        long,
        form,
        EnumValueParser::<SearchWord>::new().into(),
        SearchWord::heuristics,
    )
}
