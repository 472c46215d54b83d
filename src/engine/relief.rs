//! What happens when memory runs short: terms, caches and at last states go.

use super::aside::Aside;
use super::memory;
use super::run::Engine;
use super::stop::StopReason;
use super::suspend::Suspended;
use super::sweep::sweep_terms;
use crate::exec::{EarlyReason, Termination};
use crate::search::StateId;
use crate::testcase::WriteError;
use rand::RngExt;

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
/// States given up together: neighbours by age share memory, which only the last of them frees.
const GIVE_UP_TOGETHER: usize = 32;

/// Resident bytes at which memory is relieved.
pub(super) fn relief_starts(limit: u64) -> u64 {
    (limit as f64 * RELIEF_STARTS) as u64
}

impl Engine<'_, '_> {
    /// Frees the terms that no state can reach.
    pub(super) fn collect_terms(&mut self) {
        let campaign = self.parts.campaign.as_ref();
        let launch = campaign.map(|campaign| campaign.launch);
        let waiting = campaign.and_then(|campaign| campaign.waiting);
        let own = self.progress.states.values().map(|state| &**state);
        let probed = self.probing.iter().map(|probing| probing.start());
        let first = self.aside.iter().map(Aside::start);
        sweep_terms(
            self.bench.terms,
            own.chain(probed)
                .chain(first)
                .chain(launch)
                .chain(waiting.into_iter().flat_map(Suspended::states)),
        );
    }

    /// Brings memory below the limit: first what can be computed again, then states.
    pub(super) fn relieve_memory(&mut self) -> Result<Option<StopReason>, WriteError> {
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
        memory::release_freed();
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
                    self.end(id, &Termination::Early(EarlyReason::OutOfMemory))?;
                }
                return Ok(Some(StopReason::OutOfMemory));
            }
            self.give_up_share()?;
            resident = self.watch.look() as f64;
        }
        Ok(None)
    }

    /// PRUNE_M of Algorithm 1: its share of the states leaves.
    pub(super) fn give_up_share(&mut self) -> Result<(), WriteError> {
        let share = self.progress.states.len() as f64 * self.parts.config.budget.memory_prune_ratio;
        let most = self.progress.states.len().saturating_sub(1);
        let count = (share.floor() as usize).max(1).min(most);
        self.give_up_states(count)?;
        memory::release_freed();
        Ok(())
    }

    /// Ends `count` random states. They are drawn in groups of neighbours, because
    /// neighbours share memory that only the last of them frees.
    fn give_up_states(&mut self, count: usize) -> Result<(), WriteError> {
        let groups = self.progress.states.len().div_ceil(GIVE_UP_TOGETHER);
        let order: Vec<u64> = (0..groups)
            .map(|_| self.progress.generator.random())
            .collect();
        // First those that can come back.
        let mut victims: Vec<(bool, u64, StateId)> = self
            .progress
            .states
            .iter()
            .enumerate()
            .map(|(position, (id, state))| {
                let lost = !self.can_wait(state);
                (lost, order[position / GIVE_UP_TOGETHER], *id)
            })
            .collect();
        victims.sort_unstable();
        let text = format!(
            "memory limit: {} {count} of {} states",
            match self.aside {
                Some(_) => "putting aside",
                None => "giving up",
            },
            victims.len()
        );
        self.bench.log.lock().warning_once("memory limit", &text);
        let victims: Vec<_> = victims
            .into_iter()
            .take(count)
            .map(|victim| victim.2)
            .collect();
        let victims = self.set_aside(&victims);
        self.end_all(&victims, EarlyReason::OutOfMemory)
    }
}
