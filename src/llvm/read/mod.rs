//! Reading: the files that a user names become LLVM modules whose branches have numbers.

pub(super) mod error;
pub(super) mod folded;
pub(super) mod identification;
pub(super) mod inputs;
pub(super) mod line;
pub(super) mod modules;
pub(super) mod tag;
