//! Calls that lowering puts into the program's code for `--checks pointers`
//! (`llvm::lower::checked_pointers`).
//!
//! Invariant: none of these changes what the program computes.

use super::{BuiltinCall, Outcome};
use crate::memory::Value;
use crate::outcome::Termination;
use homi_ir::program::watch::RELATIONS;

/// `homi_check_relation(relation, a, b)`.
pub(super) fn relation(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let Value::Concrete(number) = call.arg(0)
        && let Some(does) = RELATIONS.get(number as usize)
    {
        let pair = (call.arg_as(1, 64), call.arg_as(2, 64));
        call.check_relation(does, pair);
    }
    Ok(Outcome::Void)
}

/// `homi_check_sum(base, sum, is_address)`; the last is 1 if accesses alone use the sum.
pub(super) fn sum(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let is_address = call.arg(2) != Value::Concrete(0);
    let (base, sum) = (call.arg_as(0, 64), call.arg_as(1, 64));
    call.check_sum(base, sum, is_address);
    Ok(Outcome::Void)
}
