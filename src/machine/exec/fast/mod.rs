//! The fast ways to execute: frames whose operands are concrete run without looking at terms.

pub(super) mod calls;
pub(super) mod decode;
pub(super) mod frames;
pub(super) mod leaf;
pub(super) mod ops_loop;
pub(super) mod pointer_calls;
pub(super) mod segments;
