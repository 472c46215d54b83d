//! Interpolation: paths that can only repeat explored behavior are skipped.
//!
//! *Boosting Concolic Testing via Interpolation* (FSE'13): when all paths below a program point are
//! explored, homi computes an interpolant, the reason why no other behavior is possible there.
//! Later paths through the same point that satisfy it are skipped. Half and full nodes make this
//! sound for any search order.
//!
//! Owns: the execution tree, interpolants, the table of entries and the test against it. Never:
//! selects states, writes tests or output. The hooks of an extension (`subsuming`) receive forks,
//! ends, and states that are about to run from a point; `exec` re-executes subpaths.
//!
//! Invariant: every path of a subsumed state matches an explored path below its subsumer, with
//! respect to control flow and failures.

mod abstract_address;
mod account;
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

pub use reasons::Reason;
pub use subsuming::Subsuming;
