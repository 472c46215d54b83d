//! `homi sweep`: each function of some files explored alone, with any parameters.
//!
//! Owns: the list of the functions, the exploration of one in a process of `homi test`, classes of
//! bugs, the table. Never: exploring in this process. Data come from LLVM's text of the files and
//! from the output directories of the explorations.
//!
//! Invariant: a function that was explored with the same program and options is not explored again,
//! so a sweep that was interrupted goes on.

mod callers;
mod class;
mod explore;
mod file;
mod findings;
mod preconditions;
mod text;

pub use callers::goals;
pub use class::{BugClass, ClassifiedBug, Explored, classify};
pub use explore::{Exploration, NotExplored, explore, explore_for};
pub use file::SweepFile;
pub use findings::write_sarif;
pub use preconditions::{Contracts, suggestion};
pub use text::{SweepResult, json, text};
