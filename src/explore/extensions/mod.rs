//! What runs beside the loop: subsumption by interpolants, merging, targets.

pub mod merge;
pub mod subsume;
pub mod targets;
