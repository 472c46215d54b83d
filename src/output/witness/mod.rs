//! Witnesses of verdicts: files that tell a validator why a property holds or is violated, in the
//! format of SV-COMP, version 2.0 (Ayaziova et al., "Software Verification Witnesses 2.0", SPIN
//! 2024). <https://gitlab.com/sosy-lab/benchmarking/sv-witnesses>
//!
//! Owns: the text of a witness, and which waypoints of an execution it names. Never: the execution,
//! which `app::session` traces.
//!
//! Invariant: a waypoint whose position in the source is not certain is left out. A missing one
//! makes a witness weaker, a wrong one makes it invalid.

mod document;
mod invariant;
pub use nondet::is_input;
pub use reading::{NamedInput, NamedViolation, read_violation};

mod nondet;
mod reading;
mod source;
mod waypoint;

use homi_report::SourceLocation;
use invariant::stated;
use source::SourceFiles;
use std::collections::BTreeSet;
use std::path::PathBuf;
use waypoint::{Waypoint, input, target};

/// The verification task of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Source files, as they were given.
    pub files: Vec<PathBuf>,
    /// Text of the property file.
    pub specification: String,
    pub is_of_32_bits: bool,
    /// Seconds since 1970.
    pub created_unix_s: u64,
}

/// A call of a function `__VERIFIER_nondet_...` and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputCall {
    pub function: String,
    /// Position of the function's name.
    pub position: SourceLocation,
    /// Bits of the result.
    pub value: u128,
    /// Width of the result in bits.
    pub width: u32,
}

/// An execution that violates the property.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Violation {
    /// Inputs in the order of the calls, up to the violation.
    pub inputs: Vec<InputCall>,
    /// Position of the violation.
    pub target: SourceLocation,
}

/// Returns the witness of a violation; `None` if its position is not in the task's files.
pub fn violation_witness(task: &Task, violation: &Violation) -> Option<String> {
    let files = SourceFiles::read(&task.files);
    let target = target(&files, &violation.target)?;
    let inputs = violation.inputs.iter();
    let inputs: Vec<Waypoint> = inputs.filter_map(|call| input(&files, call)).collect();
    Some(document::violation(task, &inputs, &target))
}

/// Invariants of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// Position at the loop's head, as the compiler has it.
    pub position: SourceLocation,
    /// Expressions of C that hold whenever control is there.
    pub conjuncts: BTreeSet<String>,
}

/// Returns the witness of a program without violations, with the invariants whose loops are found
/// in the task's files. Without any, a validator proves the program anew.
pub fn correctness_witness(task: &Task, invariants: &[LoopInvariant]) -> String {
    let files = SourceFiles::read(&task.files);
    let invariants = invariants.iter();
    let stated: Vec<LoopInvariant> = invariants.filter_map(|one| stated(&files, one)).collect();
    document::correctness(task, &stated)
}

#[cfg(test)]
mod tests;
