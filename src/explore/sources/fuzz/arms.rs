//! A choice among alternatives that draws the recently successful ones more often.
//!
//! Invariant: every alternative is drawn again and again; draws depend on the recorded successes
//! and on the generator alone.

use rand::RngExt;
use rand_pcg::Pcg64;

/// Draws, and finds among them, that each alternative begins with.
const PRIOR_DRAWS: f64 = 10.0;
const PRIOR_FINDS: f64 = 1.0;
/// Share of the draws that is uniform.
const UNIFORM: f64 = 0.2;
/// Draws for each alternative after which what was noted counts half, by default.
const MEMORY: f64 = 200.0;

#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    draws: f64,
    finds: f64,
}

impl Arm {
    fn rate(self) -> f64 {
        (self.finds + PRIOR_FINDS) / (self.draws + PRIOR_DRAWS)
    }
}

/// The alternatives, by number.
#[derive(Debug, Default)]
pub(super) struct Arms {
    arms: Vec<Arm>,
    draws: f64,
    /// Draws for each alternative after which what was noted counts half.
    memory: f64,
}

impl Arms {
    pub(super) fn new(count: usize) -> Self {
        Self::with_memory(count, MEMORY)
    }

    /// Creates alternatives whose notes count half after `memory` draws of each.
    pub(super) fn with_memory(count: usize, memory: f64) -> Self {
        Self {
            arms: vec![Arm::default(); count],
            draws: 0.0,
            memory,
        }
    }

    /// An alternative; `None` if there is none.
    pub(super) fn draw(&self, generator: &mut Pcg64) -> Option<usize> {
        if self.arms.is_empty() {
            return None;
        }
        if generator.random_bool(UNIFORM) {
            return Some(generator.random_range(0..self.arms.len()));
        }
        let total: f64 = self.arms.iter().map(|arm| arm.rate()).sum();
        let mut rest = generator.random_range(0.0..total);
        let chosen = self.arms.iter().position(|arm| {
            rest -= arm.rate();
            rest < 0.0
        });
        // The last one if rounding leaves a rest.
        Some(chosen.unwrap_or(self.arms.len() - 1))
    }

    /// Something was made with this alternative; it led to something or not.
    pub(super) fn note(&mut self, chosen: usize, found: bool) {
        if let Some(arm) = self.arms.get_mut(chosen) {
            arm.draws += 1.0;
            arm.finds += f64::from(u8::from(found));
            self.draws += 1.0;
        }
        if self.draws > self.memory * self.arms.len() as f64 {
            self.draws /= 2.0;
            for arm in &mut self.arms {
                arm.draws /= 2.0;
                arm.finds /= 2.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_is_drawn_more_often_and_nothing_dies_out() {
        let mut generator = Pcg64::new(1, 2);
        assert_eq!(Arms::default().draw(&mut generator), None);
        let mut arms = Arms::new(4);
        let mut drawn = [0; 4];
        for step in 0..8_000 {
            let chosen = arms.draw(&mut generator).expect("an alternative");
            let good = if step < 4_000 { 1 } else { 2 };
            arms.note(chosen, chosen == good && step % 4 == 0);
            if step % 4_000 == 0 {
                drawn = [0; 4];
            }
            drawn[chosen] += 1;
        }
        assert!(drawn[2] > 2_000, "{drawn:?}");
        assert!(drawn.iter().all(|count| *count > 150), "{drawn:?}");
    }
}
