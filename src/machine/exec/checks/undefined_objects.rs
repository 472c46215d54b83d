//! The objects whose bytes represent undefined values, and addresses outside of their objects.

use homi_solver::term::{ArrayId, Byte, Term, Terms};
use std::sync::Arc;

/// Different undefined bytes. Two that are the same byte by chance compare as equal, so that a use
/// of both may go unreported.
pub(in crate::exec) const BYTES: u32 = 4096;

/// The object whose bytes are undefined values; no program can name it so.
pub(in crate::exec) fn object(terms: &Terms) -> ArrayId {
    terms.array("\0undefined", 0, BYTES)
}

/// The object whose bytes were never set, where each read of some makes them input.
pub(in crate::exec) fn unset(terms: &Terms) -> ArrayId {
    terms.array("\0unset", 0, BYTES)
}

/// The object whose bytes mark addresses that left their object: an access there is out of bounds,
/// which is the better message, so it looks at these last (`Context::resolve`).
pub(in crate::exec) fn escaped(terms: &Terms) -> ArrayId {
    terms.array("\0escaped", 0, 8)
}

/// The bytes of one of these objects as terms.
pub(in crate::exec) fn bytes(terms: &Terms, array: ArrayId) -> Arc<[Term]> {
    (0..BYTES)
        .map(|index| terms.symbol(Byte { array, index }))
        .collect()
}
