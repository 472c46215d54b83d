//! What each live state covered as the first of the run, until its test is written.

use crate::coverage::Fresh;
use crate::exec::Executor;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Own sides, segments and source lines that a state covered as the first of the run, in the order
/// of covering; lines as (number of the file, number of the line).
#[derive(Clone, Default, Debug)]
pub(in crate::engine) struct Credit {
    pub(in crate::engine) sides: Vec<u32>,
    pub(in crate::engine) segments: Vec<u32>,
    pub(in crate::engine) lines: BTreeSet<(u32, u32)>,
}

/// The credit of all live states of a run, by sequence number.
#[derive(Clone, Default, Debug)]
pub(in crate::engine) struct Credits(FxHashMap<u64, Credit>);

impl Credits {
    /// Adds what a state covered first; its lines only if they are wanted.
    pub(in crate::engine) fn add(
        &mut self,
        state: u64,
        fresh: &Fresh,
        lines_of: Option<&Executor<'_>>,
    ) {
        let credit = self.0.entry(state).or_default();
        credit.sides.extend(&fresh.sides);
        credit.segments.extend(&fresh.segments);
        let Some(executor) = lines_of else {
            return;
        };
        for segment in &fresh.segments {
            let (function, start, end) = executor.segments().range(*segment);
            let locations = &executor.program().function(function).locations;
            for location in &locations[start as usize..end as usize] {
                let location = executor.program().location(*location);
                if location.line != 0 {
                    credit.lines.insert((location.file, location.line));
                }
            }
        }
    }

    /// Takes out what a state covered first.
    pub(in crate::engine) fn take(&mut self, state: u64) -> Option<Credit> {
        self.0.remove(&state)
    }

    /// Puts in what a state covered first in another thread.
    pub(in crate::engine) fn put(&mut self, state: u64, credit: Credit) {
        self.0.insert(state, credit);
    }

    pub(in crate::engine) fn of(&self, state: u64) -> Option<&Credit> {
        self.0.get(&state)
    }
}
