//! The functions of the software verification competition (SV-COMP), by which its programs get
//! inputs, for native programs: the engine has them in its runtime.
//!
//! Invariant: all of them are weak, so a program that defines one keeps its own.

/// Prefix of the functions of SV-COMP.
pub(super) const PREFIX: &str = "__VERIFIER_";

/// The file that defines them.
pub(super) const FILE: &str = "homi-verifier.c";

/// Prefix of the functions that make an input.
pub(super) const MAKERS: &str = "__VERIFIER_nondet_";

/// C source that defines them.
pub(super) const SOURCE: &str = include_str!("../../../runtime/kernel/verification.c");
