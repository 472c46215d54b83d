//! Weights of branches: the features that they score, and how they are learned (ICSE'18).

pub mod features;
pub mod learn_search;
