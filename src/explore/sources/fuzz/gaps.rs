//! Patterns: texts with gaps where anything may stand, and texts made by filling gaps with pieces
//! of other patterns.
//!
//! Idea: tokens without which an execution still covers what was new are not part of the structure
//! that led there. Gaps filled with other structures give nested inputs of a language without a
//! grammar (Blazytko et al., "GRIMOIRE", USENIX Security 2019).

use super::dictionary::{Dictionary, is_name};
use super::input::{Input, Part, Purpose};
use super::lex::tokens;
use super::needs::Needs;
use super::reduction::Reduction;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// Most patterns kept; the oldest leave.
const MOST: usize = 1024;
/// Binary logarithm of most gaps filled at once.
const MOST_STACKED: u32 = 4;
/// A gap is filled with a word, not with a pattern, with this probability.
const WORD: f64 = 0.25;

/// A piece of a pattern.
#[derive(Clone, PartialEq, Debug)]
enum Piece {
    Text(Arc<[u8]>),
    Gap,
}

/// An input of which one text has gaps.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    input: Input,
    /// Name of the object with the text.
    part: Arc<str>,
    pieces: Vec<Piece>,
}

/// The pattern of an input's longest text, made with at most `most` executions: `still_covers`
/// executes an input and returns true if it covers what this one covered first. `None` if the
/// input has no text.
pub fn generalize(
    input: &Input,
    most: usize,
    still_covers: &mut dyn FnMut(&Input) -> bool,
) -> Option<Pattern> {
    let is_text = |part: &Part| part.purpose() == Purpose::Contents && !part.written().is_empty();
    let texts = (0..input.parts.len()).filter(|number| is_text(&input.parts[*number]));
    let part = texts.max_by_key(|number| input.parts[*number].written().len())?;
    let text = input.parts[part].written().to_vec();
    let all = tokens(&text);
    let mut tried = input.clone();
    let mut needs = Needs::new(&all, part);
    needs.reduce(&mut Reduction {
        input: &mut tried,
        left: most,
        still_covers,
    });
    let pieces = pieces(&needs);
    Some(Pattern {
        part: Arc::clone(&input.parts[part].name),
        input: tried,
        pieces,
    })
}

/// Text of needed tokens, and gaps for the others and at both ends.
fn pieces(needs: &Needs<'_>) -> Vec<Piece> {
    let needed = needs.needed();
    let mut pieces = vec![Piece::Gap];
    let mut start = 0;
    while start < needed.len() {
        let run = needed[start..].iter();
        let end = start + run.take_while(|one| **one == needed[start]).count();
        if needed[start] {
            let text = needs.spelled(&|number| (start..end).contains(&number));
            pieces.push(Piece::Text(text.into()));
        } else if pieces.last() != Some(&Piece::Gap) {
            pieces.push(Piece::Gap);
        }
        start = end;
    }
    if pieces.last() != Some(&Piece::Gap) {
        pieces.push(Piece::Gap);
    }
    pieces
}

/// A bounded list of patterns.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    all: Vec<Pattern>,
}

impl Patterns {
    pub(super) fn add(&mut self, pattern: Pattern) {
        if self.all.len() == MOST {
            self.all.drain(..MOST / 2);
        }
        let is_known = |one: &Pattern| one.pieces == pattern.pieces && one.part == pattern.part;
        if !self.all.iter().any(is_known) {
            self.all.push(pattern);
        }
    }

    /// An input whose gaps are filled, some of them with pieces that have gaps, again and again;
    /// `None` without patterns.
    pub(super) fn fill(&self, dictionary: &Dictionary, generator: &mut Pcg64) -> Option<Input> {
        let pattern = self.draw(generator)?;
        let mut input = pattern.input.clone();
        let part = input.part_named(&pattern.part)?;
        let mut pieces = pattern.pieces.clone();
        for _ in 0..1u32 << generator.random_range(0..=MOST_STACKED) {
            let gaps = (0..pieces.len()).filter(|number| pieces[*number] == Piece::Gap);
            let gaps: Vec<usize> = gaps.collect();
            if gaps.is_empty() {
                break;
            }
            let gap = gaps[generator.random_range(0..gaps.len())];
            let filling = self.filling(dictionary, generator);
            pieces.splice(gap..gap + 1, filling);
            if length(&pieces) > input.parts[part].room() {
                break;
            }
        }
        input.parts[part].write(&spelled(&pieces));
        Some(input)
    }

    fn draw(&self, generator: &mut Pcg64) -> Option<&Pattern> {
        let count = self.all.len();
        (count > 0).then(|| &self.all[generator.random_range(0..count)])
    }

    /// A word, or the pieces of a pattern from one of its gaps to another one.
    fn filling(&self, dictionary: &Dictionary, generator: &mut Pcg64) -> Vec<Piece> {
        if generator.random_bool(WORD)
            && let Some(word) = dictionary.draw_any(generator)
        {
            return vec![Piece::Gap, Piece::Text(word.into()), Piece::Gap];
        }
        let Some(pattern) = self.draw(generator) else {
            return Vec::new();
        };
        let pieces = &pattern.pieces;
        let gaps = (0..pieces.len()).filter(|number| pieces[*number] == Piece::Gap);
        let gaps: Vec<usize> = gaps.collect();
        let mut any = || gaps[generator.random_range(0..gaps.len())];
        let (one, other) = (any(), any());
        if one == other {
            // One gap alone would fill nothing.
            return pieces.clone();
        }
        pieces[one.min(other)..=one.max(other)].to_vec()
    }
}

fn length(pieces: &[Piece]) -> usize {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text.len(),
        Piece::Gap => 0,
    });
    texts.sum()
}

/// The text without its gaps; words that would become one are parted by a blank.
fn spelled(pieces: &[Piece]) -> Vec<u8> {
    let mut text: Vec<u8> = Vec::new();
    for piece in pieces {
        if let Piece::Text(piece) = piece {
            let ends = text.last().is_some_and(|byte| is_name(*byte));
            if ends && piece.first().is_some_and(|byte| is_name(*byte)) {
                text.push(b' ');
            }
            text.extend_from_slice(piece);
        }
    }
    text
}
