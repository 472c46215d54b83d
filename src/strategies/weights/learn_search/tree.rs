//! The paths that trials have executed, as records: what came of each state that was run.
//!
//! Invariant: a record depends on its state's path and branch alone (executions have least inputs),
//! so whoever asks for that branch again needs no execution. Records refer to states by the ids of
//! the engine that ran them, and live as long as it.

use crate::explore::search::{Added, Fork, Left, Metrics, StateId, Update};
use rustc_hash::FxHashMap;

/// What stands for no parent.
const NONE: u32 = u32::MAX;

/// A state that split off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Split {
    pub(super) id: StateId,
    fork: Option<Fork>,
    pending: bool,
    ends: bool,
}

impl Split {
    fn of(added: &Added) -> Self {
        Self {
            id: added.id,
            fork: added.fork,
            pending: added.pending,
            ends: added.ends,
        }
    }

    /// As a searcher hears of it.
    pub(super) fn added(&self, parent: Option<StateId>) -> Added {
        Added {
            id: self.id,
            parent,
            metrics: Metrics::default(),
            fork: self.fork,
            pending: self.pending,
            ends: self.ends,
        }
    }
}

/// What happened to a state that ran.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Event {
    /// States split off at one decision.
    Forked(Box<[Split]>),
    /// It left.
    Left(Left),
    /// It was given up for want of memory.
    Lost,
}

/// All that happened to a state.
#[derive(Debug, Default)]
struct Record {
    events: Vec<Event>,
    /// Sides that its path took, of those that the paths before did not take.
    sides: Box<[u32]>,
}

/// The records of one engine.
#[derive(Debug, Default)]
pub(super) struct Tree {
    root: Option<Split>,
    /// By state: the one it split off from.
    parents: Vec<u32>,
    records: FxHashMap<StateId, Record>,
    /// Scratch: sides taken by the paths before.
    before: Vec<bool>,
}

impl Tree {
    /// The state that the program begins with.
    pub(super) fn root(&self) -> Option<Split> {
        self.root
    }

    /// The event of a state that a reader comes to next, if it is known.
    pub(super) fn event(&self, id: StateId, place: usize) -> Option<&Event> {
        self.records.get(&id)?.events.get(place)
    }

    /// Sides that a path took and the paths before it did not.
    pub(super) fn sides(&self, id: StateId) -> &[u32] {
        self.records.get(&id).map_or(&[], |record| &record.sides)
    }

    /// Takes in what the engine tells of the state that runs.
    pub(super) fn hear(&mut self, running: Option<StateId>, update: &Update<'_>) {
        let mut splits = Vec::new();
        for added in update.added {
            let split = Split::of(added);
            match added.parent {
                None => self.root = Some(split),
                Some(_) => splits.push(split),
            }
            self.note_parent(added);
        }
        let Some(running) = running else {
            return;
        };
        if let Some(Left::Ended(id)) = update.left {
            let sides = self.new_sides(id, update.taken);
            self.records.entry(id).or_default().sides = sides;
        }
        let events = &mut self.records.entry(running).or_default().events;
        if !splits.is_empty() {
            events.push(Event::Forked(splits.into()));
        }
        events.extend(update.left.map(Event::Left));
    }

    /// A state is given up.
    pub(super) fn lose(&mut self, id: StateId) {
        self.records.entry(id).or_default().events.push(Event::Lost);
    }

    fn note_parent(&mut self, added: &Added) {
        let place = added.id.index();
        if self.parents.len() <= place {
            self.parents.resize(place + 1, NONE);
        }
        self.parents[place] = added.parent.map_or(NONE, |parent| parent.0);
    }

    fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.parents.get(id.index()).copied()?;
        (parent != NONE).then_some(StateId(parent))
    }

    /// Those of a path's sides that no path took from which it split off, or they from others.
    fn new_sides(&mut self, id: StateId, taken: &[u32]) -> Box<[u32]> {
        let mut before = std::mem::take(&mut self.before);
        before.fill(false);
        let mut next = self.parent(id);
        while let Some(earlier) = next {
            for &side in self.sides(earlier) {
                mark(&mut before, side);
            }
            next = self.parent(earlier);
        }
        let is_new = |side: &u32| !before.get(*side as usize).copied().unwrap_or(false);
        let new = taken.iter().copied().filter(is_new).collect();
        self.before = before;
        new
    }
}

/// Marks a number; false if it was marked before.
pub(super) fn mark(marks: &mut Vec<bool>, number: u32) -> bool {
    let place = number as usize;
    if marks.len() <= place {
        marks.resize(place + 1, false);
    }
    !std::mem::replace(&mut marks[place], true)
}
