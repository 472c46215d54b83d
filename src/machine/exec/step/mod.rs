//! One instruction the general way: operands may be concrete or symbolic.

pub(super) mod access;
pub(super) mod bases;
pub(super) mod bulk;
pub(super) mod call;
mod callee;
pub(super) mod control;
pub(super) mod dispatch;
pub(super) mod exact;
pub(super) mod floats;
pub(super) mod integer;
pub(super) mod registers;
pub(super) mod resolve;
pub(super) mod size;
pub(super) mod values;
pub(super) mod variadic;
pub(super) mod whole;
