//! Paths that trials have executed, as records of the events of each state that ran.
//!
//! Invariant: a record depends only on its state's path and branch (executions have canonical
//! inputs), so a repeated request for a branch needs no execution. Records refer to states by the
//! ids of the engine that ran them, and live as long as the engine.

use homi_explore::search::{Added, Fork, Left, Metrics, StateId, Update};
use rustc_hash::FxHashMap;

/// Marks a missing parent.
const NONE: u32 = u32::MAX;

/// Forked state.
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

    /// Returns the state as a searcher's update describes it.
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

/// Event of a state that ran.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Event {
    /// States were forked at one decision.
    Forked(Box<[Split]>),
    /// The state was removed.
    Left(Left),
    /// The state was dropped for lack of memory.
    Dropped,
}

/// All events of a state.
#[derive(Debug, Default)]
struct Record {
    events: Vec<Event>,
    /// Sides that its path took and its ancestors did not take.
    sides: Box<[u32]>,
}

/// Records of one engine.
#[derive(Debug, Default)]
pub(super) struct Tree {
    root: Option<Split>,
    /// Parent of each state.
    parents: Vec<u32>,
    records: FxHashMap<StateId, Record>,
    /// Scratch: sides that ancestors took.
    before: Vec<bool>,
}

impl Tree {
    /// Returns the initial state of the program.
    pub(super) fn root(&self) -> Option<Split> {
        self.root
    }

    /// Returns the next event of a state for a reader at index `place`; `None` if it is unknown.
    pub(super) fn event(&self, id: StateId, place: usize) -> Option<&Event> {
        self.records.get(&id)?.events.get(place)
    }

    /// Returns the sides that a path took and its ancestors did not take.
    pub(super) fn sides(&self, id: StateId) -> &[u32] {
        self.records.get(&id).map_or(&[], |record| &record.sides)
    }

    /// Records the engine's update about the state that runs.
    pub(super) fn on_event(&mut self, running: Option<StateId>, update: &Update<'_>) {
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

    /// Records that a state was dropped.
    pub(super) fn lose(&mut self, id: StateId) {
        self.records
            .entry(id)
            .or_default()
            .events
            .push(Event::Dropped);
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

    /// Returns the sides of a path that none of its ancestors took.
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

/// Marks a number; returns false if it was already marked.
pub(super) fn mark(marks: &mut Vec<bool>, number: u32) -> bool {
    let place = number as usize;
    if marks.len() <= place {
        marks.resize(place + 1, false);
    }
    !std::mem::replace(&mut marks[place], true)
}
