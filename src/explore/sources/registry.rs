//! The sources of states by name.

use super::{
    EntryState, FromEntryState, Fuzzing, ReplayedTest, Replays, Resumed, SeedTest, Seeds,
    StateSource, SwappedOut, Tuning,
};
use crate::sources::checkpoint::Frontier;
use homi_config::RunConfig;
use homi_ir::program::Program;
use homi_machine::state::Matching;
use homi_native::image::Image;
use std::sync::Arc;

/// Data with which the sources of a run start.
#[derive(Clone, Copy)]
pub struct SourceStart<'a> {
    pub tuning: &'a Tuning,
    pub config: &'a RunConfig,
    pub program: &'a Program,
    pub entry_state: &'a EntryState,
    /// The native image in which fuzzing runs are tried first, if there can be one.
    pub image: Option<&'a Arc<Image>>,
    /// Earlier tests that the run follows first.
    pub seeds: &'a [SeedTest],
    /// Open states of an earlier session, if the run resumes one.
    pub left_open: Option<&'a Frontier>,
    /// Tests with whose bytes the program is executed, in place of a search.
    pub replays: &'a [ReplayedTest],
    /// Several threads explore together.
    pub in_threads: bool,
    /// Every path must be seen to its end exactly once.
    pub needs_every_path: bool,
}

/// One source.
#[derive(Clone, Copy)]
pub struct SourceRow {
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// The source, if the run wants it.
    pub make: fn(&SourceStart<'_>) -> Option<Box<dyn StateSource>>,
}

/// Every source of a run, in the order in which they are asked.
pub const SOURCES: [SourceRow; 6] = [
    SourceRow {
        name: "entry-state",
        help: "the entry state",
        make: |start| {
            let wanted = start.left_open.is_none() && start.replays.is_empty();
            wanted.then(|| -> Box<dyn StateSource> {
                Box::new(FromEntryState::new(start.entry_state))
            })
        },
    },
    SourceRow {
        name: "resumed",
        help: "the open states of an earlier session",
        make: |start| {
            let (tuning, state) = (start.tuning, &start.entry_state.state);
            start.left_open.map(|frontier| -> Box<dyn StateSource> {
                Box::new(Resumed::new(tuning, state.clone(), frontier.clone()))
            })
        },
    },
    SourceRow {
        name: "replays",
        help: "the entry state with the bytes of earlier tests",
        make: |start| {
            let wanted = !start.replays.is_empty();
            wanted.then(|| -> Box<dyn StateSource> {
                let matching = matching(start.config);
                Box::new(Replays::new(start.entry_state, start.replays, matching))
            })
        },
    },
    SourceRow {
        name: "fuzzing",
        help: "mutated inputs, run as concrete code",
        make: |start| {
            let search = &start.config.search;
            let drawing = (search.fuzz_ratio, search.seed);
            let wanted = search.fuzz && search.fuzz_ratio > 0.0;
            wanted.then(|| -> Box<dyn StateSource> {
                let (program, entry_state) = (start.program, start.entry_state);
                let mut fuzzing =
                    Fuzzing::new(start.tuning, program, entry_state, drawing, start.image)
                        .with_tokens(&search.dictionary);
                fuzzing.note_seeds(start.seeds);
                Box::new(fuzzing)
            })
        },
    },
    SourceRow {
        name: "seeds",
        help: "earlier tests whose paths are followed first",
        make: |start| {
            let rules = &start.config.seeds;
            let wanted = !start.seeds.is_empty();
            wanted.then(|| -> Box<dyn StateSource> {
                let seeds = Seeds::new(start.tuning, start.seeds, rules.time);
                Box::new(seeds.matching(matching(start.config)).with(rules.others))
            })
        },
    },
    SourceRow {
        name: "swapped-out",
        help: "states swapped out at the memory limit",
        make: |start| {
            let wanted = !start.in_threads && !start.needs_every_path;
            let (state, limit) = (&start.entry_state.state, start.config.budget.memory);
            wanted.then(|| -> Box<dyn StateSource> {
                Box::new(SwappedOut::new(start.tuning, state.clone(), limit))
            })
        },
    },
];

/// Returns how objects of earlier tests are matched to the program's objects.
fn matching(config: &RunConfig) -> Matching {
    let by_size = config.dialect.matches_seeds_by_size();
    match (config.seeds.by_position, by_size) {
        (true, _) => Matching::ByPosition,
        (false, true) => Matching::ByNameOrSize,
        (false, false) => Matching::ByName,
    }
}

/// The sources that a run begins with.
pub fn sources_of(start: &SourceStart<'_>) -> Vec<Box<dyn StateSource>> {
    SOURCES.iter().filter_map(|row| (row.make)(start)).collect()
}
