//! Choice between byte-level and token-level mutations by their success on the program.
//!
//! Idea: no constant decides whether a program reads a language. Each style gets a share of the
//! fuzzing instructions by its recent finds per instruction, and a least share.
//!
//! Invariant: a draw depends on the recorded finds and on the generator alone.

use rand::RngExt;
use rand_pcg::Pcg64;

/// A way of changing an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Characters, tokens and signs (`mutate`).
    Edits,
    /// Token mutations of small languages (`token_mutations`).
    TokenMutations,
}

/// Share of the fuzzing runs' instructions that each style has at least.
const LEAST: f64 = 0.03;
/// Prior of each style: one branch in this many instructions.
const PRIOR: f64 = 1e6;
/// Factor by which token-level mutations must find more to get half, unless the program seems to
/// read a language: byte-level mutations find some of the same.
const HANDICAP: f64 = 3.0;
/// Number of instructions after which finds count half.
const MEMORY: f64 = 32e6;

/// Fuzzing runs of one style, their instructions, and the branches that they covered first; the
/// latest count most.
#[derive(Clone, Copy, Debug, Default)]
struct Yield {
    fuzzing: f64,
    instructions: f64,
    branches: f64,
}

impl Yield {
    fn rate(self) -> f64 {
        (self.branches + 1.0) / (self.instructions + PRIOR)
    }

    /// Instructions of one fuzzing run.
    fn cost(self) -> f64 {
        (self.instructions + 1.0) / (self.fuzzing + 1.0)
    }

    fn note(&mut self, instructions: u64, branches: usize) {
        self.fuzzing += 1.0;
        self.instructions += instructions as f64;
        self.branches += branches as f64;
        if self.instructions > MEMORY {
            self.fuzzing /= 2.0;
            self.instructions /= 2.0;
            self.branches /= 2.0;
        }
    }
}

/// Finds of each style.
#[derive(Debug)]
pub struct Styles {
    handicap: f64,
    edits: Yield,
    token_mutations: Yield,
}

impl Styles {
    pub fn new(reads_language: bool) -> Self {
        Self {
            handicap: if reads_language { 1.0 } else { HANDICAP },
            edits: Yield::default(),
            token_mutations: Yield::default(),
        }
    }

    /// Returns the odds of token mutations: above 1 if they get more than half, else below.
    fn odds(&self) -> f64 {
        (self.token_mutations.rate() / self.edits.rate() / self.handicap).powi(2)
    }

    /// True if token mutations have more than half.
    pub fn prefer_token_mutations(&self) -> bool {
        self.odds() > 1.0
    }

    /// The style of the next fuzzing run.
    pub fn draw(&self, generator: &mut Pcg64) -> Style {
        let odds = self.odds();
        let share = (odds / (1.0 + odds)).clamp(LEAST, 1.0 - LEAST);
        // Of the instructions: the style with the longer fuzzing runs has fewer of them.
        let token_mutations = share / self.token_mutations.cost();
        let share = token_mutations / (token_mutations + (1.0 - share) / self.edits.cost());
        if generator.random_bool(share) {
            Style::TokenMutations
        } else {
            Style::Edits
        }
    }

    /// Records the instructions and new branches of a fuzzing run.
    pub fn note(&mut self, style: Style, instructions: u64, branches: usize) {
        match style {
            Style::Edits => self.edits.note(instructions, branches),
            Style::TokenMutations => self.token_mutations.note(instructions, branches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Token mutations among a thousand draws.
    fn token_mutations(styles: &Styles) -> usize {
        let mut generator = Pcg64::new(3, 5);
        let draws = (0..1000).map(|_| styles.draw(&mut generator));
        draws
            .filter(|style| *style == Style::TokenMutations)
            .count()
    }

    #[test]
    fn the_style_that_finds_more_is_drawn_more_often_and_neither_dies_out() {
        assert!((400..600).contains(&token_mutations(&Styles::new(true))));
        let mut styles = Styles::new(false);
        assert!((60..140).contains(&token_mutations(&styles)));
        for number in 0..10_000 {
            styles.note(Style::Edits, 100_000, usize::from(number % 10 == 0));
            styles.note(Style::TokenMutations, 100_000, 0);
        }
        assert!((10..60).contains(&token_mutations(&styles)));
        for _ in 0..1_000 {
            styles.note(Style::Edits, 100_000, 0);
            styles.note(Style::TokenMutations, 100_000, 1);
        }
        assert!(
            (920..990).contains(&token_mutations(&styles)),
            "what was earlier is forgotten"
        );
    }
}
