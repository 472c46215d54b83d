//! The bytes of objects that nothing was written to yet.

use super::UNINITIALISED;
use super::contents::Contents;
use homi_solver::term::Term;

/// Returns the bytes of a new object; undefined ones come from the list if there is one.
pub(super) fn fresh(undefined: Option<&[Term]>, base: u64, size: u64, fill: u8) -> Contents {
    match undefined {
        Some(bytes) if fill == UNINITIALISED => {
            // Objects start at different places of the list, so that two of them rarely look equal.
            let start = (base >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let count = bytes.len() as u64;
            Contents::symbolic(size, &|index| bytes[((start + index) % count) as usize])
        }
        _ => Contents::filled(size, fill),
    }
}
