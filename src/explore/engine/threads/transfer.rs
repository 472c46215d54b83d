//! States on their way to another thread.
//!
//! Idea: a state is moved as it is, not rebuilt: nothing is executed and no solver is asked. Its
//! terms go along as a list that the other pool takes over, its call paths as lists of calls;
//! concrete memory, model, decisions and what else holds no id of a thread are shared with the
//! states that stay. So a state goes on exactly as it would have gone on where it was.

use crate::explore::engine::run::Engine;
use crate::explore::engine::turn::Changes;
use crate::explore::search::StateId;
use crate::machine::exec::CallChain;
use crate::machine::state::{CallPathId, Siblings, State};
use crate::solver::term::PortableTerms;
use std::collections::BTreeMap;

/// Some states without the thread that had them.
pub struct TransferredStates {
    states: Siblings,
    terms: PortableTerms,
    call_paths: BTreeMap<CallPathId, CallChain>,
}

impl TransferredStates {
    /// How many states they are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The states.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.states.iter().map(|state| &**state)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
}

impl Engine<'_, '_> {
    /// Hands states to a thread that waits for work, if there is one and this one can spare some.
    pub(in crate::explore::engine) fn share_work(&mut self) {
        let Some(member) = self.parts.team else {
            return;
        };
        if !member.team.is_hungry() || self.progress.states.len() < 2 {
            return;
        }
        let chosen = self.to_give_away();
        if chosen.is_empty() {
            return;
        }
        let transfer = self.pack(&chosen);
        if let Err(transfer) = member.team.offer(transfer) {
            self.adopt(*transfer);
        }
    }

    /// Sends every second state to the next thread when there are so many for the first time, so
    /// that all threads search all parts of the tree: what the first transfer held is only a part
    /// of it, perhaps a barren one.
    pub(in crate::explore::engine) fn mix(&mut self) {
        let Some(member) = self.parts.team else {
            return;
        };
        while let Some(transfer) = member.mail() {
            self.adopt(transfer);
        }
        let tuning = &self.bench.tuning.engine;
        if self.mix_at > tuning.last_mix || self.progress.states.len() < self.mix_at {
            return;
        }
        self.mix_at *= tuning.mix_factor;
        let open = self.progress.states.iter();
        let open = open.filter(|(_, state)| state.ending.is_none());
        let chosen: Vec<StateId> = open.map(|(id, _)| *id).skip(1).step_by(2).collect();
        let transfer = self.pack(&chosen);
        if let Err(transfer) = member.team.send(member.next(), transfer) {
            self.adopt(*transfer);
        }
    }

    /// Every second of the shallowest states, which have most of their paths ahead as a rule.
    fn to_give_away(&self) -> Vec<StateId> {
        let mut open: Vec<(u32, StateId)> = self
            .progress
            .states
            .iter()
            .filter(|(_, state)| state.ending.is_none())
            .map(|(id, state)| (state.metrics.depth, *id))
            .collect();
        let most = 2 * self.bench.tuning.engine.transferred_states;
        if open.len() > most {
            open.select_nth_unstable(most);
            open.truncate(most);
        }
        open.sort_unstable();
        let even = open.len() / 2 * 2;
        open[..even]
            .iter()
            .step_by(2)
            .map(|entry| entry.1)
            .collect()
    }

    pub(in crate::explore::engine) fn pack(&mut self, ids: &[StateId]) -> TransferredStates {
        self.update_search(Changes {
            removed: ids,
            ..Changes::default()
        });
        let mut states: Siblings = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(mut state) = self.progress.states.remove(id) {
                state.trim();
                states.push(state);
            }
        }
        let mut roots = Vec::new();
        let mut call_paths = BTreeMap::new();
        for state in &states {
            state.visit_terms(&mut |term| roots.push(term));
            for frame in state.all_frames() {
                let node = frame.call_path;
                let chain = || self.progress.observer.call_paths.chain(node);
                call_paths.entry(node).or_insert_with(chain);
            }
        }
        roots.sort_unstable();
        roots.dedup();
        TransferredStates {
            terms: self.bench.terms.export(roots),
            states,
            call_paths,
        }
    }

    /// Goes on with the states of another thread.
    pub(in crate::explore::engine) fn adopt(&mut self, transfer: TransferredStates) {
        let TransferredStates {
            mut states,
            terms,
            call_paths,
        } = transfer;
        let map = self.bench.terms.import(&terms);
        let own_paths = &mut self.progress.observer.call_paths;
        let call_paths: BTreeMap<CallPathId, CallPathId> = call_paths
            .into_iter()
            .map(|(node, chain)| (node, own_paths.enter_chain(&chain)))
            .collect();
        for state in &mut states {
            state.map_terms(&|term| map.of(term));
            state.for_each_frame_mut(&mut |frame| frame.call_path = call_paths[&frame.call_path]);
            debug_assert!(state.path.holds(self.bench.terms, &state.model));
        }
        self.adopted += states.len();
        self.add_states(None, states);
    }
}
