//! Allocations that fail although there is room (`--max-malloc-fail`).
//!
//! Invariant: which call fails is an input, so that a test tells: for the n-th failure of a path a
//! symbolic number says which of its calls it is, counted from the last that failed, the first is
//! 1. Of 0 it is none. The modeled kernel's own allocations are not counted.

use super::BuiltinCall;
use crate::outcome::Termination;
use crate::state::HeapRecord;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::Origin;
use homi_solver::term::{ArrayId, Byte, Term};

/// The name of the number of the call that fails; `homi replay` knows it.
const CHOSEN_FAILURE: &str = "malloc_fail";
/// Bytes of the number of a call.
const BYTES: u32 = 4;

/// Returns whether this allocation fails; forks. Must be asked before the call changes anything.
pub(super) fn fails(call: &mut BuiltinCall<'_, '_, '_>) -> Result<bool, Termination> {
    let most = call.prepared.config.checks.malloc_failures;
    if most == 0 || is_by_kernel(call) {
        return Ok(false);
    }
    let known = call.state.record.heap.as_ref();
    let known = known.map(|heap| (heap.calls, heap.failures, heap.choice));
    let (calls, failures, choice) = known.unwrap_or_default();
    if failures == most {
        return Ok(false);
    }
    let array = match choice {
        Some(array) => array,
        None => {
            let array = call.new_array(CHOSEN_FAILURE, BYTES);
            record(call).choice = Some(array);
            array
        }
    };
    let number = calls + 1;
    let fails = if call.state.input.is_given {
        let byte = |index| call.state.model.get(Byte { array, index });
        u32::from_le_bytes(std::array::from_fn(|index| byte(index as u32))) == number
    } else {
        let is_this = is_this(call, array, number);
        call.branch_on(is_this)?
    };
    let record = record(call);
    record.calls = number;
    if fails {
        record.calls = 0;
        record.failures += 1;
        record.choice = None;
    }
    Ok(fails)
}

/// Returns the condition that the number is this one, if it is none of the earlier ones: a bound,
/// which includes the earlier ones.
fn is_this(call: &BuiltinCall<'_, '_, '_>, array: ArrayId, number: u32) -> Term {
    let terms = call.terms();
    let byte = |index| terms.symbol(Byte { array, index });
    let choice = (1..BYTES).fold(byte(0), |low, index| terms.concat(byte(index), low));
    let width = 8 * BYTES;
    let distance = terms.bin(BinOp::Sub, choice, terms.constant(width, 1));
    terms.cmp(
        CmpOp::Ule,
        distance,
        terms.constant(width, u128::from(number - 1)),
    )
}

/// Returns true if the modeled kernel is the caller of the allocation.
pub(super) fn is_by_kernel(call: &BuiltinCall<'_, '_, '_>) -> bool {
    let caller = call.state.frames.top().function;
    call.program().function(caller).origin == Origin::Runtime
}

/// The path's record of allocations, to be changed.
pub(super) fn record<'r>(call: &'r mut BuiltinCall<'_, '_, '_>) -> &'r mut HeapRecord {
    call.state.record.heap_mut()
}
