//! Interpolation: paths that can only do what followed paths have done are not followed.
//!
//! *Boosting Concolic Testing via Interpolation* (FSE'13): when all below a point of a path has
//! been followed to its end, the reason why nothing else was possible there, an interpolant, lets
//! later paths through the same point be skipped. Half and full nodes make that sound for any order
//! of search.
//!
//! Owns: the tree of paths, interpolants, the table of entries and the test against it. Never:
//! which state runs next, tests, output. Data come from the run through the hooks of an extension
//! (`subsuming`): forks, ends, and states that are about to run on from a point; subpaths of paths
//! are executed once more by `exec`.
//!
//! Invariant: a subsumed state has no path that the followed ones below its subsumer do not have,
//! as far as control and failures go.

mod abstract_address;
mod annotating;
mod arcs;
mod backoff;
mod blocks;
mod builtins;
mod candidate;
mod comparing;
mod confirmation;
mod confirming;
mod constants;
mod core;
mod entry;
mod fixing;
mod frames;
mod interpolant;
mod lookup;
mod matching;
mod oracle;
mod point;
mod prepare;
mod reach;
mod reasons;
mod relocatable;
mod relocation;
mod settling;
mod statistics;
mod storage;
mod subpath;
mod subsuming;
mod subsumption;
#[cfg(test)]
mod testing;
mod texts;
mod tree;
mod weakest;
mod words;

#[cfg(test)]
pub(crate) use reasons::Reason;
pub use subsuming::Subsuming;
