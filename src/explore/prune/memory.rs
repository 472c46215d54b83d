//! PRUNE_M of Algorithm 1: what leaves when memory is short, at random.
//!
//! States are drawn in groups of neighbors by age, because neighbors share memory that only the
//! last of them frees. States that can return are pruned first.

use super::{OpenStates, Pruned, Pruner};
use crate::search::{Clock, StateId};
use rand::RngExt;
use rand_pcg::Pcg64;

/// States given up together.
const TOGETHER: usize = 32;
/// Stream of the generator, different from the streams of other random choices with the same seed.
const STREAM: u128 = 0x5851_f42d_4c95_7f2d;

/// Prunes a fixed share of the states whenever it is asked.
#[derive(Clone, Debug)]
pub struct MemoryShare {
    /// Ratio of the states that is pruned at once, above 0 and below 1.
    share: f64,
    generator: Pcg64,
}

impl MemoryShare {
    pub fn new(share: f64, seed: u64) -> Self {
        Self {
            share,
            generator: Pcg64::new(u128::from(seed), STREAM),
        }
    }
}

impl Pruner for MemoryShare {
    /// Always: who asks has seen that memory is short.
    fn is_due(&mut self, _clock: Clock, _states: usize) -> bool {
        true
    }

    /// Prunes at least one state and keeps at least one.
    fn choose(&mut self, open: &dyn OpenStates, _clock: Clock) -> Option<Pruned> {
        let candidates = open.candidates();
        let most = candidates.len().saturating_sub(1);
        let wanted = (candidates.len() as f64 * self.share).floor() as usize;
        let count = wanted.max(1).min(most);
        let groups = candidates.len().div_ceil(TOGETHER);
        let order: Vec<u64> = (0..groups).map(|_| self.generator.random()).collect();
        let mut victims: Vec<(bool, u64, StateId)> = candidates
            .into_iter()
            .enumerate()
            .map(|(position, id)| (!open.can_return(id), order[position / TOGETHER], id))
            .collect();
        victims.sort_unstable();
        let states = victims.into_iter().take(count).map(|victim| victim.2);
        Some(Pruned {
            states: states.collect(),
            ratio: self.share,
            ..Pruned::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Open, clock};
    use super::*;

    #[test]
    fn a_ratio_of_states_is_pruned_and_one_stays() {
        let mut pruner = MemoryShare::new(0.1, 7);
        let mut left = |count| {
            let pruned = pruner.choose(&Open { count }, clock(0, 0)).unwrap();
            pruned.states.len()
        };
        assert_eq!((left(1), left(2), left(9), left(100)), (0, 1, 1, 10));
    }

    #[test]
    fn neighbours_leave_together() {
        let mut pruner = MemoryShare::new(0.32, 7);
        let pruned = pruner.choose(&Open { count: 100 }, clock(0, 0)).unwrap();
        let first = pruned.states[0].index() / TOGETHER;
        let whole = pruned.states.iter().take(TOGETHER.min(100 % TOGETHER));
        assert!(whole.clone().all(|id| id.index() / TOGETHER == first));
    }
}
