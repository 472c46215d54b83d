//! Concrete inputs near those that the search works on, to be run from start to end at the speed of
//! concrete code.
//!
//! A path that is explored symbolically pays for every choice on its way; one that runs on given
//! bytes pays nothing, so neighbours of a state's input can be tried by the thousand. That is
//! coverage-guided fuzzing (AFL's mutations and its corpus of inputs that covered something first),
//! seeded by the states that the search chooses: hybrid fuzzing as in Driller (NDSS 2016), in one
//! process and with one map of coverage. For programs that read a language some inputs are made of
//! phrases (`phrases`); how many, and of what, is learned (`styles`, `arms`).
//!
//! Owns: inputs as bytes by object, how they are changed, which are kept. Never: running one
//! (`roots::probes`), solving. Data come from the models of states (`engine`) and the strings of
//! the program, and go back to `engine`.
//!
//! Invariant: what is drawn depends on the seed and on the calls made, never on time or addresses.

mod arms;
mod corpus;
mod input;
mod mutate;
mod phrases;
mod styles;
mod sweep;
mod syntax;
mod texts;
mod tokens;

pub use corpus::Corpus;
pub use input::Input;
pub use mutate::Mutator;
pub use styles::{Style, Styles};
pub use sweep::Sweep;
pub use tokens::Tokens;
