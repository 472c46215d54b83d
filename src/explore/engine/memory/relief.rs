//! Relief at the memory limit: frees terms and caches, then removes states.

use super::process_memory;
use super::sweep::sweep_terms;
use crate::engine::life::Engine;
use crate::engine::pruning::Open;
use crate::engine::stop::StopReason;
use crate::extensions::Extension;
use crate::search::StateId;
use homi_machine::exec::{EarlyReason, Termination};
use homi_native::testcase::WriteError;
use rustc_hash::FxHashSet;

impl Engine<'_, '_> {
    /// Frees the terms that no state can reach.
    pub(in crate::engine) fn collect_terms(&mut self) {
        let own = self.run.progress.extensions.iter().map(|one| &**one);
        let others = self.run.parts.context.other_extensions.iter().copied();
        let extensions: Vec<&dyn Extension> = own.chain(others).collect();
        sweep_terms(
            self.run.bench.terms,
            |visit| {
                self.run
                    .progress
                    .states
                    .values()
                    .for_each(|state| visit(state));
                for root in &self.run.parts.policies.sources {
                    root.visit_states(visit);
                }
                for state in &self.run.parts.context.other_states {
                    visit(state);
                }
                extensions.iter().for_each(|one| one.visit_states(visit));
            },
            |visit| extensions.iter().for_each(|one| one.visit_terms(visit)),
        );
    }

    /// Brings memory below the limit: first what can be computed again, then states.
    pub(in crate::engine) fn relieve_memory(&mut self) -> Result<Option<StopReason>, WriteError> {
        let limit = self.run.parts.config.budget.memory as f64;
        let tuning = &self.run.bench.tuning.engine;
        // One thread after the other: the first may free enough. The others continue meanwhile,
        // unless they allocate faster than it frees.
        let _batch = match self.run.parts.shared_exploration {
            None => None,
            Some(member) => match member.shared_exploration.turn_to_relieve() {
                Some(batch) => Some(batch),
                None if (self.watch.resident() as f64) < limit * tuning.relief_presses => {
                    return Ok(None);
                }
                None => Some(member.shared_exploration.wait_to_relieve()),
            },
        };
        if self.run.parts.shared_exploration.is_some()
            && self.watch.look() as f64 <= limit * tuning.caches_suffice
        {
            return Ok(None);
        }
        self.run.bench.trim();
        let extensions = &mut self.run.progress.extensions;
        extensions.iter_mut().for_each(|one| one.trim());
        if self.run.bench.terms.memory() as f64 > limit * tuning.terms_share_when_short {
            self.collect_terms();
        }
        process_memory::release_freed();
        let mut resident = self.watch.look() as f64;
        if resident <= limit * tuning.caches_suffice {
            return Ok(None);
        }
        while resident > limit * tuning.states_down_to {
            if (self.run.parts.shared_exploration)
                .is_some_and(|one| one.others_have_most_states(&self.numbers()))
            {
                return Ok(None);
            }
            if self.run.progress.states.len() <= 1 {
                if resident <= limit * tuning.relief_starts {
                    return Ok(None);
                }
                let last = self.run.progress.states.keys().next().copied();
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

    /// PRUNE_M of Algorithm 1: prunes some states, temporarily if they can return.
    pub(in crate::engine) fn give_up_share(&mut self) -> Result<(), WriteError> {
        self.run.notify_extensions(|one, run| one.release(run));
        let clock = self.run.clock();
        let swaps = self.run.parts.policies.brings_back();
        let quiet: FxHashSet<StateId> = if swaps {
            // They would have no test if they left now.
            let executor = self.run.bench.executor;
            let states = self.run.progress.states.iter();
            let quiet = states.filter(|(_, state)| !self.run.parts.might_show(state, executor));
            quiet.map(|(id, _)| *id).collect()
        } else {
            FxHashSet::default()
        };
        // An execution continues to its end.
        let concolic = self.run.parts.config.concolic.as_ref();
        let executing = concolic.and_then(|_| self.run.cached.last());
        let open = Open {
            states: &self.run.progress.states,
            segments: self.run.bench.executor.segments(),
            terms: self.run.bench.terms,
            exempt: &|id| Some(id) == executing,
            can_return: &|id| quiet.contains(&id),
        };
        let Some(pruned) = self.run.progress.relief.choose(&open, clock) else {
            return Ok(());
        };
        let text = format!(
            "memory limit: {} {} of {} states",
            if swaps { "swapping out" } else { "giving up" },
            pruned.states.len(),
            self.run.progress.states.len()
        );
        self.run
            .bench
            .log
            .lock()
            .warning_once("memory limit", &text);
        let victims = self.run.swap_out(&pruned.states);
        self.end_all(&victims, EarlyReason::OutOfMemory)?;
        process_memory::release_freed();
        Ok(())
    }
}
