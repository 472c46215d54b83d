//! Paths that a fork parts and that meet again soon become one (`--merge auto`).
//!
//! Idea: a state that has come to a meeting stays among the run's states, and nothing is chosen by
//! the search before those that are on the way to it have come, have ended or are given up. So the
//! search sees a merge as one of two states leaving. Invariant: a group is looked at before the
//! next choice, and no state is kept from going on for longer.

use super::merging::Uniting;
use super::run::Engine;
use super::turn::Changes;
use crate::merge::Apart;
use crate::search::StateId;
use crate::state::{Opening, State};
use crate::testcase::WriteError;
use std::sync::Arc;

/// Turns of states on the way that the first to come waits for.
const TURNS: u32 = 24;

/// The meetings of a run.
pub(super) struct Meetings {
    uniting: Uniting,
    groups: Vec<Group>,
    logs: bool,
}

/// The states that have come to one meeting.
struct Group {
    opening: Arc<Opening>,
    /// With the instructions that each had executed: one that has more has gone on.
    arrived: Vec<(StateId, u64)>,
    /// Turns that others may still take until they come.
    turns: u32,
}

impl Meetings {
    pub(super) fn new(logs: bool) -> Self {
        Self {
            uniting: Uniting::default(),
            groups: Vec::new(),
            logs,
        }
    }

    /// States that have become one with another.
    pub(super) fn merged(&self) -> u64 {
        self.uniting.merged
    }
}

impl Engine<'_, '_> {
    /// The state that ran may have come to a meeting.
    pub(super) fn meet_after_turn(&mut self) -> Result<(), WriteError> {
        let Some(ran) = self.last else {
            return Ok(());
        };
        let state = self.progress.states.get_mut(&ran);
        let merges = state.and_then(|state| state.merges.as_mut());
        let Some(opening) = merges.and_then(|merges| merges.take_closed()) else {
            return Ok(());
        };
        let Some(mut meetings) = self.progress.meetings.take() else {
            return Ok(());
        };
        let met = self.meet(&mut meetings, ran, opening);
        self.progress.meetings = Some(meetings);
        met
    }

    fn meet(
        &mut self,
        meetings: &mut Meetings,
        id: StateId,
        opening: Arc<Opening>,
    ) -> Result<(), WriteError> {
        let groups = &mut meetings.groups;
        let known = groups
            .iter()
            .position(|group| Arc::ptr_eq(&group.opening, &opening));
        let at = known.unwrap_or_else(|| {
            groups.push(Group {
                opening: Arc::clone(&opening),
                arrived: Vec::new(),
                turns: TURNS,
            });
            groups.len() - 1
        });
        let others = groups[at].arrived.clone();
        let mut became = None;
        for (place, other) in others.into_iter().enumerate() {
            if self.becomes_one(meetings, other, id, &opening)? {
                became = Some((place, other.0));
                break;
            }
        }
        let stands = became.map_or(id, |(_, first)| first);
        let Some(state) = self.progress.states.get(&stands) else {
            return Ok(());
        };
        let now = (stands, state.metrics.instructions);
        let arrived = &mut meetings.groups[at].arrived;
        match became {
            Some((place, _)) => arrived[place] = now,
            None => arrived.push(now),
        }
        Ok(())
    }

    /// Makes a state that has come first stand for one that has come now, if they can be one.
    fn becomes_one(
        &mut self,
        meetings: &mut Meetings,
        (first, executed): (StateId, u64),
        second: StateId,
        opening: &Arc<Opening>,
    ) -> Result<bool, WriteError> {
        // Whoever gives the run a state has plans for it.
        let roots = &self.parts.policies.roots;
        if roots
            .iter()
            .any(|root| root.holds(first) || root.holds(second))
        {
            return Ok(false);
        }
        let states = &mut self.progress.states;
        let now = states.get(&first).map(|state| state.metrics.instructions);
        if now != Some(executed) {
            return Ok(false);
        }
        let (Some(mut own), Some(mut theirs)) = (states.remove(&first), states.remove(&second))
        else {
            return Ok(false);
        };
        let united = self.unite(&mut meetings.uniting, &mut own, &mut theirs, opening);
        let is_one = matches!(united, Ok(Ok(())));
        self.progress.states.insert(first, own);
        if !is_one {
            self.progress.states.insert(second, theirs);
        }
        let apart = match united? {
            Ok(()) => {
                meetings.uniting.merged += 1;
                self.update_search(Changes {
                    removed: &[second],
                    ..Changes::default()
                });
                None
            }
            Err(apart) => Some(apart),
        };
        if meetings.logs {
            self.log_meeting((first, second), apart);
        }
        Ok(is_one)
    }

    fn log_meeting(&mut self, (first, second): (StateId, StateId), apart: Option<Apart>) {
        self.log_merge(&match apart {
            None => format!("{second} goes on as {first}"),
            Some(apart) => format!("{second} and {first}: {apart}"),
        });
    }

    /// The state that runs next because one that has come to a meeting waits for it. Meetings that
    /// nobody is on the way to any more are forgotten.
    pub(super) fn hurried_to_meeting(&mut self) -> Option<StateId> {
        let meetings = self.progress.meetings.as_mut()?;
        while let Some(group) = meetings.groups.last_mut() {
            // Besides the group only states hold their opening.
            let some = Arc::strong_count(&group.opening) > 1 && group.turns > 0;
            let on_the_way = |state: &State| {
                let merges = state.merges.as_ref();
                merges.is_some_and(|merges| merges.has_open(&group.opening))
            };
            let mut states = self.progress.states.iter().rev();
            let found = states.find(|(_, state)| some && on_the_way(state));
            if let Some((id, _)) = found {
                group.turns -= 1;
                return Some(*id);
            }
            meetings.groups.pop();
        }
        None
    }
}
