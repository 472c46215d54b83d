//! The tokens that a text needs, found by doing without others.

use super::lex::{Token, bracketed_at, statements};
use super::reduction::Reduction;
use std::ops::Range;

/// The tokens of a text, of which some have turned out as needless.
pub(super) struct Needs<'n> {
    all: &'n [Token<'n>],
    needed: Vec<bool>,
    /// Number of the object with the text.
    part: usize,
}

impl<'n> Needs<'n> {
    pub(super) fn new(all: &'n [Token<'n>], part: usize) -> Self {
        Self {
            needed: vec![true; all.len()],
            all,
            part,
        }
    }

    /// True for each token that is needed.
    pub(super) fn needed(&self) -> &[bool] {
        &self.needed
    }

    /// Tries to do without statements, brackets, and ever shorter runs of tokens.
    pub(super) fn reduce(&mut self, reduction: &mut Reduction<'_>) {
        for range in statements(self.all) {
            self.try_without(range, reduction);
        }
        let mut place = 0;
        while let Some(inside) = bracketed_at(self.all, place) {
            self.try_without(inside.start - 1..inside.end + 1, reduction);
            self.try_without(inside.clone(), reduction);
            place = inside.start;
        }
        let mut run = self.all.len().div_ceil(4).max(1);
        loop {
            for start in (0..self.all.len()).step_by(run).rev() {
                self.try_without(start..self.all.len().min(start + run), reduction);
            }
            if run == 1 {
                break;
            }
            run = run.div_ceil(2);
        }
    }

    fn try_without(&mut self, range: Range<usize>, reduction: &mut Reduction<'_>) {
        if !self.needed[range.clone()].contains(&true) {
            return;
        }
        let rest = self.spelled(&|number| self.needed[number] && !range.contains(&number));
        if reduction.try_text(self.part, &rest) {
            self.needed[range].fill(false);
        }
    }

    /// The text of some tokens, by their numbers.
    pub(super) fn spelled(&self, is_there: &dyn Fn(usize) -> bool) -> Vec<u8> {
        let numbers = (0..self.all.len()).filter(|number| is_there(*number));
        let texts = numbers.flat_map(|number| self.all[number].text);
        texts.copied().collect()
    }
}
