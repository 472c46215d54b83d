//! Tests that people keep: cases of a program as directories of plain files, which a shell script
//! runs without homi.
//!
//! Owns: the form of a case, what natively executed programs show for it, the directory, the
//! script. Never: the choice of cases, their names, building programs. Data come from
//! `replay::Inputs` and from native runs in the sandbox, and go to a directory.
//!
//! Invariant: an expectation is what every native run shows. Whatever differs between runs of one
//! build is not in it, and a case whose builds differ has none.

mod builds;
mod case;
mod directory;
mod escaped;
mod expectation;
mod outside;
mod reading;
mod recorder;
mod shrink;

pub use builds::Builds;
pub use case::{Case, CaseFile};
pub use directory::{Bug, KeptCase, RUN_SCRIPT, digest_of, is_unchanged, kept_in, write};
pub use expectation::{End, Expectation, Tree};
pub use reading::read;
pub use recorder::{Ran, Recorder, Refusal};
pub use shrink::shrink;
