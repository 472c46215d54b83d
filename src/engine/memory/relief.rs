//! What happens when memory runs short: terms, caches and at last states go.

use super::process_memory;
use super::sweep::sweep_terms;
use crate::engine::pruning::Open;
use crate::engine::run::Engine;
use crate::engine::stop::StopReason;
use crate::exec::{EarlyReason, Termination};
use crate::search::StateId;
use crate::testcase::WriteError;
use rustc_hash::FxHashSet;

/// Shares of the memory limit: where relief starts, where dropping caches must get to, where giving
/// up states must get to.
const RELIEF_STARTS: f64 = 0.93;
const CACHES_SUFFICE: f64 = 0.78;
const STATES_DOWN_TO: f64 = 0.72;
/// Share of the limit from which all threads wait while one relieves memory.
const RELIEF_PRESSES: f64 = 0.96;
/// Share of the memory limit that terms must hold for a sweep under pressure: it visits every
/// state.
const TERMS_WORTH_SWEEPING: f64 = 0.08;

/// Resident bytes at which memory is relieved.
pub(in crate::engine) fn relief_starts(limit: u64) -> u64 {
    (limit as f64 * RELIEF_STARTS) as u64
}

impl Engine<'_, '_> {
    /// Frees the terms that no state can reach.
    pub(in crate::engine) fn collect_terms(&mut self) {
        sweep_terms(self.bench.terms, |visit| {
            self.progress.states.values().for_each(|state| visit(state));
            for root in &self.parts.policies.roots {
                root.visit_states(visit);
            }
            for state in &self.parts.context.other_states {
                visit(state);
            }
        });
    }

    /// Brings memory below the limit: first what can be computed again, then states.
    pub(in crate::engine) fn relieve_memory(&mut self) -> Result<Option<StopReason>, WriteError> {
        let limit = self.parts.config.budget.memory as f64;
        // One thread after the other: what the first gives up may be enough. The others go on
        // meanwhile, unless it does not give up as fast as they take.
        let _turn = match self.parts.team {
            None => None,
            Some(member) => match member.team.turn_to_relieve() {
                Some(turn) => Some(turn),
                None if (self.watch.resident() as f64) < limit * RELIEF_PRESSES => return Ok(None),
                None => Some(member.team.wait_to_relieve()),
            },
        };
        if self.parts.team.is_some() && self.watch.look() as f64 <= limit * CACHES_SUFFICE {
            return Ok(None);
        }
        self.bench.prover.trim();
        if self.bench.terms.memory() as f64 > limit * TERMS_WORTH_SWEEPING {
            self.collect_terms();
        }
        process_memory::release_freed();
        let mut resident = self.watch.look() as f64;
        if resident <= limit * CACHES_SUFFICE {
            return Ok(None);
        }
        while resident > limit * STATES_DOWN_TO {
            if self.others_have_most_states() {
                return Ok(None);
            }
            if self.progress.states.len() <= 1 {
                if resident <= limit * RELIEF_STARTS {
                    return Ok(None);
                }
                let last = self.progress.states.keys().next().copied();
                if let Some(id) = last {
                    self.end(id, &Termination::Early(EarlyReason::OutOfMemory), false)?;
                }
                return Ok(Some(StopReason::OutOfMemory));
            }
            self.give_up_share()?;
            resident = self.watch.look() as f64;
        }
        Ok(None)
    }

    /// States that would have no test if they left now.
    fn quiet_states(&self) -> impl Iterator<Item = StateId> {
        let states = self.progress.states.iter();
        states
            .filter(|(_, state)| !self.might_show(state))
            .map(|(id, _)| *id)
    }

    /// PRUNE_M of Algorithm 1: some states leave, those that can come back for a while only.
    pub(in crate::engine) fn give_up_share(&mut self) -> Result<(), WriteError> {
        let clock = self.clock();
        let swaps = self.swaps();
        let quiet: FxHashSet<StateId> = match swaps {
            true => self.quiet_states().collect(),
            false => FxHashSet::default(),
        };
        let open = Open {
            states: &self.progress.states,
            segments: self.bench.executor.segments(),
            terms: self.bench.terms,
            spared: &|_| false,
            can_return: &|id| quiet.contains(&id),
        };
        let Some(pruned) = self.progress.relief.choose(&open, clock) else {
            return Ok(());
        };
        let text = format!(
            "memory limit: {} {} of {} states",
            match swaps {
                true => "putting aside",
                false => "giving up",
            },
            pruned.states.len(),
            self.progress.states.len()
        );
        self.bench.log.lock().warning_once("memory limit", &text);
        let victims = self.swap_out(&pruned.states);
        self.end_all(&victims, EarlyReason::OutOfMemory)?;
        process_memory::release_freed();
        Ok(())
    }
}
