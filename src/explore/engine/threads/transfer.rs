//! States on their way to another thread.
//!
//! Idea: a state is moved as it is, not rebuilt: nothing is executed and no solver is asked. Its
//! terms go along as a list that the other pool takes over, its call paths as lists of calls;
//! concrete memory, model, decisions and what else holds no id of a thread are shared with the
//! states that stay. So a state continues exactly as it would have in its former thread.

use crate::search::StateId;
use homi_machine::exec::{CallChain, CallPaths};
use homi_machine::state::{CallPathId, Siblings, State};
use homi_solver::term::{PortableTerms, Terms};
use std::collections::BTreeMap;

/// Some states without the thread that had them.
pub struct TransferredStates {
    states: Siblings,
    terms: PortableTerms,
    call_paths: BTreeMap<CallPathId, CallChain>,
}

impl TransferredStates {
    /// Returns the number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The states.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.states.iter().map(|state| &**state)
    }

    /// Returns true if the transfer is empty.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Packs states that were removed from their thread.
    pub(in crate::engine) fn pack(
        mut states: Siblings,
        from: &Terms,
        own_paths: &CallPaths,
    ) -> Self {
        let mut sources = Vec::new();
        let mut call_paths = BTreeMap::new();
        for state in &mut states {
            state.trim();
            state.visit_terms(&mut |term| sources.push(term));
            for frame in state.all_frames() {
                let node = frame.call_path;
                call_paths
                    .entry(node)
                    .or_insert_with(|| own_paths.chain(node));
            }
        }
        sources.sort_unstable();
        sources.dedup();
        Self {
            terms: from.export(sources),
            states,
            call_paths,
        }
    }

    /// Returns the states with the terms and call paths of the thread that continues them.
    pub(in crate::engine) fn unpack(self, into: &Terms, own_paths: &mut CallPaths) -> Siblings {
        let TransferredStates {
            mut states,
            terms,
            call_paths,
        } = self;
        let map = into.import(&terms);
        let call_paths: BTreeMap<CallPathId, CallPathId> = call_paths
            .into_iter()
            .map(|(node, chain)| (node, own_paths.enter_chain(&chain)))
            .collect();
        for state in &mut states {
            state.map_terms(&|term| map.of(term));
            state.for_each_frame_mut(&mut |frame| frame.call_path = call_paths[&frame.call_path]);
            debug_assert!(state.path.holds(into, &state.model));
        }
        states
    }
}

/// Returns every second of the `2 * most` shallowest states, which usually have most of their paths
/// ahead.
pub(in crate::engine) fn to_give_away(
    states: &BTreeMap<StateId, Box<State>>,
    most: usize,
) -> Vec<StateId> {
    let mut open: Vec<(u32, StateId)> = states
        .iter()
        .filter(|(_, state)| state.ending.is_none())
        .map(|(id, state)| (state.metrics.depth, *id))
        .collect();
    let most = 2 * most;
    if open.len() > most {
        open.select_nth_unstable(most);
        open.truncate(most);
    }
    open.sort_unstable();
    let even = open.len() / 2 * 2;
    let given = open[..even].iter().step_by(2);
    given.map(|entry| entry.1).collect()
}

/// Returns every second state, so that another thread searches other parts of the tree.
pub(in crate::engine) fn to_mix(states: &BTreeMap<StateId, Box<State>>) -> Vec<StateId> {
    let open = states.iter();
    let open = open.filter(|(_, state)| state.ending.is_none());
    open.map(|(id, _)| *id).skip(1).step_by(2).collect()
}
