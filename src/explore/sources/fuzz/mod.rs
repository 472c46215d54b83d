//! Concrete inputs near the search's inputs, run from start to end at the speed of concrete code.
//!
//! A path that is explored symbolically has a cost for every choice on its way; a run on given
//! bytes has none, so neighbors of a state's input can be tried by the thousand. That is
//! coverage-guided fuzzing (AFL's mutations and its corpus of inputs that covered something new),
//! seeded by the states that the searcher selects: hybrid fuzzing as in Driller (NDSS 2016), in one
//! process and with one coverage map. For programs that read a language, some mutations work on
//! tokens (`token_mutations`); how many, and of what, is learned (`styles`, `arms`).
//!
//! `stages` is the choice for executions by the thousand per second: entries of the corpus by their
//! energy, stacked edits of bytes (`havoc`) and of tokens of any language (`token_edits`), patterns
//! with gaps (`gaps`). `operands` puts what was compared with a part of an input in its place.
//! `trim` and `gaps` ask the caller for executions.
//!
//! Owns: inputs as bytes by object, their mutations, the corpus. Never: running an input
//! (`sources::fuzzing`), solving. Data come from the models of states (`engine`) and the strings of
//! the program, and go back to `engine`.
//!
//! Invariant: draws depend on the seed and on the calls made, never on time or addresses.

mod arms;
mod corpus;
mod dictionary;
mod gaps;
mod havoc;
mod input;
mod lengths;
mod lex;
mod mutate;
mod needs;
mod operands;
mod rarity;
mod reduction;
#[cfg(test)]
mod stage_tests;
mod stages;
mod styles;
mod sweep;
mod syntax;
mod texts;
mod token_edits;
mod token_mutations;
mod trim;

pub use corpus::{Corpus, EntryId};
pub use dictionary::Dictionary;
pub use gaps::{Pattern, generalize};
pub use input::Input;
pub use lengths::Lengths;
pub use mutate::Mutator;
pub use operands::Replacements;
pub use stages::{Stage, Stages, Tried};
pub use styles::{Style, Styles};
pub use sweep::Sweep;
pub use trim::trim;
