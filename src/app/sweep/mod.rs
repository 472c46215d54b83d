//! `homi sweep`: each function of some files explored alone, with any parameters.
//!
//! Owns: the list of the functions, the exploration of one in a process of `homi test`, classes of
//! bugs, the table. Never: exploring in this process. Data come from LLVM's text of the files and
//! from the output directories of the explorations.
//!
//! Invariant: a function whose directory has a summary is not explored again, so a sweep that was
//! interrupted goes on.

mod class;
mod explore;
mod text;

pub use class::{BugClass, Explored, classify};
pub use explore::{Exploration, NotExplored, explore};
pub use text::{SweepResult, json, text};
