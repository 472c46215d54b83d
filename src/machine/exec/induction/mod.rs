//! Loops without a bound: proofs that a property holds behind a loop however often it goes round.
//!
//! Idea: where a path meets a loop head, it is replaced by one general state: what the body writes
//! has any value that some invariants allow. The invariants are templates (`templates`) that hold
//! where the loop is entered, reduced to the templates that the body keeps (Flanagan, Leino:
//! "Houdini, an annotation assistant for ESC/Java", FME 2001). The body is executed by the executor
//! itself, all paths of it, so that what it writes is observed, not guessed: a byte that a round
//! changes is added to the general ones, and the body is executed again (`reduction`). If all paths
//! of the general state to the end of the program keep to the property, all paths of the path that
//! met the loop do (`proof`). Loops that the general state meets are replaced in the same way.
//! If one round is too few, the general state goes one or two rounds in which the property is
//! assumed to hold, and the first rounds of the path that met the loop are followed as they are
//! (k-induction: Sheeran, Singh, Stålmarck, FMCAD 2000).
//!
//! Owns: general states and invariants. Never: a refutation. What a general state does, the
//! program need not do.
//!
//! Invariant: a round that makes or frees objects of the heap, writes at a symbolic place, starts a
//! thread, meets an unsupported feature, or leaves out a value ends the attempt, and the path goes
//! on as if there had been none.

mod expressions;
mod general;
mod proof;
mod record;
mod reduction;
mod rounds;
mod templates;

pub use record::LoopProofs;
