//! The learner of Homi (FSE'20, sections 3.1 and 3.2), which learns from the tests of earlier runs.
//!
//! Owns: the language of core branch conditions and how a term becomes one, Extract (greedy set
//! cover), FGenerator, PGenerator with equations (1) to (3), the three samplings, the sample
//! spaces. Never: a state, the clock, a file, the order of runs. Everything is a pure function of
//! its arguments; random numbers come from generators of the callers. Data come from `campaign`
//! (tests with their features, branches and provenance) and go back to it as probabilities, and to
//! `prune` as weights.

mod extract;
mod features;
mod generate;
mod language;
mod normalise;
mod sample;
mod spaces;

pub use extract::extract;
pub use features::{FeatureId, Recogniser, Renumbering, SharedRecogniser};
pub use generate::{
    Data, Event, Probabilities, RunRecord, TestRecord, WeightDistribution, generate_features,
    generate_probabilities,
};
pub use language::{Condition, Connective, Equation, LValue};
pub use normalise::normalise;
pub use sample::{Policy, choose_policy, draw_index, sample_weights};
pub use spaces::{DiscreteSpace, PAPER, Paper, scaled};
