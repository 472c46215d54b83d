//! Bit-vector terms: what a program computes from its symbolic input.
//!
//! Owns: the hash-consed pool of terms (`Terms`), the smart constructors with their named rewrite
//! rules, the evaluators, models (byte assignments), and the printers. Never: a path, a state, a
//! solver, concrete operands (callers compute those with `ops`). Data come from `memory` and `exec`
//! (constructors) and go to `solver`, `testcase` (printers) and `learn` (structure).

mod build;
mod byte_set;
mod eval;
mod fix;
mod float;
mod float_order;
pub mod kquery;
mod lanes;
mod model;
mod node;
mod pool;
mod portable;
mod printing;
mod range;
mod recent;
mod rewrite;
mod scratch;
mod shared_arrays;
pub mod smtlib;
mod smtlib_float;
pub mod smtlib_reader;
mod starts;
mod support;
mod walk;
mod wide;

#[cfg(test)]
pub(crate) mod random_tests;

pub use byte_set::ByteSet;
pub use fix::Substituted;
pub use lanes::{BytePlace, LaneProgram, Lanes, Relation, StageVectors, StagedProgram};
pub use model::Model;
pub use node::{ArrayId, ArrayInfo, Byte, Node, TableId, Term};
pub use pool::Terms;
pub use portable::{PortableTerms, TermMap};
pub use shared_arrays::SharedArrays;
pub use starts::Start;
pub use support::Support;
pub use walk::PostOrder;
