//! Stages: the ways in which an entry of the corpus is changed, and which of them finds more.
//!
//! Made for executions by the thousand per second, where rare finds pay; `styles` chooses for
//! interpreted fuzzing runs.
//!
//! Invariant: choices depend on recorded finds and on the generator, never on time.

use super::arms::Arms;
use super::corpus::{Corpus, EntryId};
use super::gaps::{Pattern, Patterns};
use super::havoc::{self, Sources};
use super::input::{Input, Purpose};
use super::mutate::Mutator;
use super::texts::choose_text;
use super::token_edits::TokenEdits;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Inputs of each stage after which finds count half.
const MEMORY: f64 = 20_000.0;
/// A change of the input's other objects is added with this probability.
const OTHERS: f64 = 0.1;
/// A splice is not edited with this probability.
const SPLICE_ALONE: f64 = 0.25;
/// The text to change is drawn among all contents, not mostly among arguments, with this
/// probability.
const ANY_TEXT: f64 = 0.5;

/// A way of changing an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A few edits of characters, tokens and signs (`mutate`).
    Edits,
    /// Stacked edits of bytes (`havoc`).
    Havoc,
    /// The beginning of one text and the end of another, then stacked edits.
    Splice,
    /// Edits of tokens (`token_edits`).
    Tokens,
    /// Calls, statements and blocks of the program's own tokens (`token_mutations`).
    TokenMutations,
    /// Patterns with filled gaps (`gaps`).
    Gaps,
}

/// All stages, in the order of their arms.
const STAGES: [Stage; 6] = [
    Stage::Edits,
    Stage::Havoc,
    Stage::Splice,
    Stage::Tokens,
    Stage::TokenMutations,
    Stage::Gaps,
];

/// An input to execute, and where it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    pub input: Input,
    pub stage: Stage,
    pub entry: EntryId,
}

/// The finds of all stages, and the patterns.
#[derive(Debug)]
pub struct Stages {
    arms: Arms,
    patterns: Patterns,
}

impl Default for Stages {
    fn default() -> Self {
        Self {
            arms: Arms::with_memory(STAGES.len(), MEMORY),
            patterns: Patterns::default(),
        }
    }
}

impl Stages {
    /// Adds a pattern whose gaps are filled later.
    pub fn add_pattern(&mut self, pattern: Pattern) {
        self.patterns.add(pattern);
    }

    /// The next input to execute: a changed entry of the corpus; `None` if that is empty.
    pub fn next(
        &self,
        corpus: &mut Corpus,
        mutator: &mut Mutator,
        generator: &mut Pcg64,
    ) -> Option<Tried> {
        let stage = STAGES[self.arms.draw(generator)?];
        self.make(stage, corpus, mutator, generator)
    }

    /// An input of a given stage, or of `Stage::Edits` where that one has nothing to work on.
    pub(super) fn make(
        &self,
        stage: Stage,
        corpus: &mut Corpus,
        mutator: &mut Mutator,
        generator: &mut Pcg64,
    ) -> Option<Tried> {
        let entry = corpus.choose(generator)?;
        let mut input = corpus.input(entry)?.clone();
        let donor = corpus.draw(generator);
        let is_made = match stage {
            Stage::Edits => false,
            Stage::TokenMutations => mutator.apply_token_mutations(&mut input, donor, generator),
            Stage::Gaps => match self.patterns.fill(mutator.dictionary(), generator) {
                Some(filled) => {
                    input = filled;
                    true
                }
                None => false,
            },
            Stage::Havoc | Stage::Splice | Stage::Tokens => {
                change_text(stage, &mut input, donor, mutator, generator)
            }
        };
        let stage = if is_made { stage } else { Stage::Edits };
        if !is_made || generator.random_bool(OTHERS) {
            mutator.mutate(&mut input, donor, generator);
        }
        Some(Tried {
            input,
            stage,
            entry,
        })
    }

    /// Records an execution; `found` is the input as its path had it if it covered something first.
    pub fn note(
        &mut self,
        tried: &Tried,
        found: Option<&Input>,
        corpus: &mut Corpus,
        mutator: &mut Mutator,
    ) {
        if let Some(arm) = STAGES.iter().position(|stage| *stage == tried.stage) {
            self.arms.note(arm, found.is_some());
        }
        if tried.stage == Stage::TokenMutations {
            mutator.note_token_mutations(found);
        }
        corpus.note_try(tried.entry, found.is_some());
    }
}

/// Changes one text of the input; false if it has none.
fn change_text(
    stage: Stage,
    input: &mut Input,
    donor: Option<&Input>,
    mutator: &Mutator,
    generator: &mut Pcg64,
) -> bool {
    let Some(chosen) = choose(input, generator) else {
        return false;
    };
    let donor = donor.and_then(|donor| {
        let chosen = choose(donor, generator)?;
        Some(donor.parts[chosen].written())
    });
    let part = &mut input.parts[chosen];
    let dictionary = mutator.dictionary();
    let text = if stage == Stage::Tokens {
        TokenEdits::new(dictionary, donor).edit(part.written(), generator)
    } else {
        let mut bytes = part.written().to_vec();
        if let (Stage::Splice, Some(donor)) = (stage, donor) {
            havoc::splice(&mut bytes, donor, generator);
        }
        let room = part.room();
        let sources = Sources {
            dictionary,
            donor,
            room,
        };
        if stage == Stage::Havoc || !generator.random_bool(SPLICE_ALONE) {
            havoc::edit(&mut bytes, sources, generator);
        }
        bytes
    };
    part.write(&text);
    true
}

/// The number of one of the input's contents.
fn choose(input: &Input, generator: &mut Pcg64) -> Option<usize> {
    if !generator.random_bool(ANY_TEXT) {
        return choose_text(input, generator);
    }
    let contents = (0..input.parts.len()).filter(|number| {
        let part = &input.parts[*number];
        part.purpose() == Purpose::Contents && part.room() > 0
    });
    let contents: Vec<usize> = contents.collect();
    (!contents.is_empty()).then(|| contents[generator.random_range(0..contents.len())])
}
