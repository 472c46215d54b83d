//! The inputs that are worth changing again: each covered something before any other did.

use super::input::Input;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Most inputs kept; the oldest leave.
const MOST: usize = 4096;
/// Number of latest inputs that are drawn as often as all others together: recent finds lead
/// further.
const LATEST: usize = 32;

/// A bounded list of inputs.
#[derive(Debug, Default)]
pub struct Corpus {
    inputs: Vec<Input>,
}

impl Corpus {
    pub fn add(&mut self, input: Input) {
        if input.is_empty() {
            return;
        }
        if self.inputs.len() == MOST {
            self.inputs.drain(..MOST / 2);
        }
        self.inputs.push(input);
    }

    /// The input of the fewest objects among those with a symbolic argument on the command line:
    /// least can go wrong with it.
    pub fn simplest(&self) -> Option<&Input> {
        let inputs = self.inputs.iter().filter(|input| input.has_argument());
        inputs.min_by_key(|input| input.parts.len())
    }

    /// One input, if there is any.
    pub fn draw(&self, generator: &mut Pcg64) -> Option<&Input> {
        let count = self.inputs.len();
        if count == 0 {
            return None;
        }
        let first = if generator.random_bool(0.5) {
            count.saturating_sub(LATEST)
        } else {
            0
        };
        self.inputs.get(generator.random_range(first..count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::state::SymbolicObject;
    use crate::solver::term::{ArrayId, Model};

    fn input(size: u32) -> Input {
        let object = SymbolicObject {
            array: ArrayId::new(0),
            name: "x".into(),
            size,
        };
        Input::new(&[object], &Model::new())
    }

    #[test]
    fn the_oldest_are_removed_and_all_can_be_drawn() {
        let mut corpus = Corpus::default();
        let mut generator = Pcg64::new(1, 2);
        assert!(corpus.draw(&mut generator).is_none());
        corpus.add(Input::default());
        assert!(corpus.draw(&mut generator).is_none());
        for size in 0..=MOST as u32 {
            corpus.add(input(size));
        }
        let drawn: std::collections::BTreeSet<usize> = (0..100_000)
            .filter_map(|_| corpus.draw(&mut generator))
            .map(|input| input.parts[0].bytes.len())
            .collect();
        assert_eq!(drawn.len(), MOST / 2 + 1);
        assert_eq!(drawn.first(), Some(&(MOST / 2)));
    }
}
