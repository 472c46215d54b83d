//! The sources of states by name.

use super::{
    FromLaunch, Launch, Probes, ReplayedTest, Replays, Resumed, RootSource, SeedTest, Seeds,
    SwappedOut, Tuning,
};
use crate::config::RunConfig;
use crate::explore::sources::checkpoint::Frontier;
use crate::ir::program::Program;
use crate::machine::state::Matching;

/// Data with which the sources of a run start.
#[derive(Clone, Copy)]
pub struct RootStart<'a> {
    pub tuning: &'a Tuning,
    pub config: &'a RunConfig,
    pub program: &'a Program,
    pub launch: &'a Launch,
    /// Earlier tests that the run follows first.
    pub seeds: &'a [SeedTest],
    /// Open states of an earlier session, if the run resumes one.
    pub left_open: Option<&'a Frontier>,
    /// Tests with whose bytes the program is executed, in place of a search.
    pub replays: &'a [ReplayedTest],
    /// Several threads explore together.
    pub in_team: bool,
    /// Every path must be seen to its end exactly once.
    pub needs_every_path: bool,
}

/// One source.
#[derive(Clone, Copy)]
pub struct RootRow {
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// The source, if the run wants it.
    pub make: fn(&RootStart<'_>) -> Option<Box<dyn RootSource>>,
}

/// Every source of a run, in the order in which they are asked.
pub const ROOTS: [RootRow; 6] = [
    RootRow {
        name: "launch",
        help: "the entry state",
        make: |start| {
            let wanted = start.left_open.is_none() && start.replays.is_empty();
            wanted.then(|| -> Box<dyn RootSource> { Box::new(FromLaunch::new(start.launch)) })
        },
    },
    RootRow {
        name: "resumed",
        help: "the open states of an earlier session",
        make: |start| {
            let (tuning, state) = (start.tuning, &start.launch.state);
            start.left_open.map(|frontier| -> Box<dyn RootSource> {
                Box::new(Resumed::new(tuning, state.clone(), frontier.clone()))
            })
        },
    },
    RootRow {
        name: "replays",
        help: "the entry state with the bytes of earlier tests",
        make: |start| {
            let wanted = !start.replays.is_empty();
            wanted.then(|| -> Box<dyn RootSource> {
                let matching = matching(start.config);
                Box::new(Replays::new(start.launch, start.replays, matching))
            })
        },
    },
    RootRow {
        name: "probes",
        help: "mutated inputs, run as concrete code",
        make: |start| {
            let search = &start.config.search;
            let drawing = (search.probe_share, search.seed);
            let wanted = search.probe_share > 0.0;
            wanted.then(|| -> Box<dyn RootSource> {
                Box::new(Probes::new(
                    start.tuning,
                    start.program,
                    start.launch,
                    drawing,
                ))
            })
        },
    },
    RootRow {
        name: "seeds",
        help: "earlier tests whose paths are followed first",
        make: |start| {
            let rules = &start.config.seeds;
            let wanted = !start.seeds.is_empty();
            wanted.then(|| -> Box<dyn RootSource> {
                let seeds = Seeds::new(start.tuning, start.seeds, rules.time);
                Box::new(seeds.matching(matching(start.config)).with(rules.others))
            })
        },
    },
    RootRow {
        name: "swapped-out",
        help: "states swapped out at the memory limit",
        make: |start| {
            let wanted = !start.in_team && !start.needs_every_path;
            let (state, limit) = (&start.launch.state, start.config.budget.memory);
            wanted.then(|| -> Box<dyn RootSource> {
                Box::new(SwappedOut::new(start.tuning, state.clone(), limit))
            })
        },
    },
];

/// Returns how objects of earlier tests are matched to those of the program.
fn matching(config: &RunConfig) -> Matching {
    let by_size = config.dialect.matches_seeds_by_size();
    match (config.seeds.by_position, by_size) {
        (true, _) => Matching::ByPlace,
        (false, true) => Matching::ByNameOrSize,
        (false, false) => Matching::ByName,
    }
}

/// The sources that a run begins with.
pub fn roots_of(start: &RootStart<'_>) -> Vec<Box<dyn RootSource>> {
    ROOTS.iter().filter_map(|row| (row.make)(start)).collect()
}
