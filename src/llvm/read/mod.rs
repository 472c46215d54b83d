//! Reading: from the files that a user names to one lowered program, and the cache of programs.

pub(super) mod alias;
pub(super) mod cache;
pub(super) mod child;
pub(super) mod error;
pub(super) mod identification;
pub(super) mod inputs;
pub(super) mod load;
pub(super) mod modules;
pub(super) mod passes;
pub(super) mod print;
pub(super) mod tag;
