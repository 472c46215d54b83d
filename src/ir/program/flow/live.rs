//! Registers of a function that hold a value which is read after a call.
//!
//! Invariant: a register is live if some path from the call reads it before it is written; its
//! width is the width of the read.

use crate::program::{Access, BlockId, Function, Slot};

/// A width that reads do not agree on.
const DISPUTED: u8 = u8::MAX;

/// Returns the registers that are live across the call before instruction `pc`, with the width of
/// each in bits, without the registers of the call's results. `None` if reads do not agree on a
/// width.
pub fn live_across_call(function: &Function, pc: u32) -> Option<Vec<(Slot, u32)>> {
    let call = pc.checked_sub(1)? as usize;
    let block = block_with(function, call)?;
    let mut live = live_from(function, block, call + 1);
    function.visit_operands(function.code.get(call)?, &mut |access, _, slot| {
        if access == Access::Write {
            live[slot.index()] = 0;
        }
    });
    with_widths(&live)
}

/// The registers that are live before instruction `pc`, with the width of each in bits. Nothing if
/// reads do not agree on a width.
pub fn live_before(function: &Function, pc: u32) -> Option<Vec<(Slot, u32)>> {
    let block = block_with(function, pc as usize)?;
    with_widths(&live_from(function, block, pc as usize))
}

/// Returns the block that contains an instruction.
fn block_with(function: &Function, position: usize) -> Option<BlockId> {
    let block = function
        .blocks
        .partition_point(|block| block.start as usize <= position);
    Some(BlockId::new(block.checked_sub(1)?))
}

/// Returns the live registers before an instruction of a block; the position may be behind its
/// last.
fn live_from(function: &Function, block: BlockId, position: usize) -> Vec<u8> {
    let entries = live_at_entries(function);
    let mut live = after_block(function, block, &entries);
    for position in (position..function.block_range(block).end).rev() {
        step_back(function, position, &mut live);
    }
    live
}

fn with_widths(live: &[u8]) -> Option<Vec<(Slot, u32)>> {
    let all = live.iter().enumerate().filter(|(_, width)| **width != 0);
    all.map(|(slot, width)| (*width != DISPUTED).then(|| (Slot(slot as u32), u32::from(*width))))
        .collect()
}

/// Returns, by block, the width of each register that is live at the block's beginning; 0 if it is
/// not.
fn live_at_entries(function: &Function) -> Vec<Vec<u8>> {
    let blocks = function.blocks.len();
    let mut entries = vec![vec![0; function.slots as usize]; blocks];
    loop {
        let mut changed = false;
        for index in (0..blocks).rev() {
            let block = BlockId::new(index);
            let mut live = after_block(function, block, &entries);
            for position in function.block_range(block).rev() {
                step_back(function, position, &mut live);
            }
            changed |= live != entries[index];
            entries[index] = live;
        }
        if !changed {
            return entries;
        }
    }
}

/// Returns the live registers at the end of a block.
fn after_block(function: &Function, block: BlockId, entries: &[Vec<u8>]) -> Vec<u8> {
    let mut live = vec![0; function.slots as usize];
    for next in function.successors(block) {
        for (own, others) in live.iter_mut().zip(&entries[next.index()]) {
            *own = agreed(*own, *others);
        }
    }
    live
}

fn agreed(one: u8, other: u8) -> u8 {
    match (one, other) {
        (0, width) | (width, 0) => width,
        _ if one == other => one,
        _ => DISPUTED,
    }
}

/// Computes the live registers before an instruction from the live registers after it.
fn step_back(function: &Function, position: usize, live: &mut [u8]) {
    let inst = &function.code[position];
    function.visit_operands(inst, &mut |access, _, slot| {
        if access == Access::Write {
            live[slot.index()] = 0;
        }
    });
    function.visit_operands(inst, &mut |access, width, slot| {
        if access == Access::Read {
            let place = &mut live[slot.index()];
            *place = agreed(*place, width as u8);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{BlockInfo, CallSite, Callee, FuncId, Inst, LocId};

    #[test]
    fn what_is_read_after_the_call_is_live_and_its_result_is_not() {
        let mut function = Function::declaration("f");
        function.slots = 5;
        let slot = Slot;
        function.calls.push(CallSite {
            callee: Callee::Direct(FuncId(0)),
            args: vec![(slot(0), 8)],
            byval: vec![None],
            variadic_from: None,
            arg_classes: Vec::new(),
            results: vec![(slot(1), 32)],
            noreturn: false,
            landing: None,
        });
        function.code = vec![
            Inst::Move {
                w: 16,
                dst: slot(4),
                src: slot(3),
            },
            Inst::Call { site: 0 },
            Inst::Move {
                w: 32,
                dst: slot(4),
                src: slot(1),
            },
            Inst::Move {
                w: 64,
                dst: slot(4),
                src: slot(2),
            },
        ];
        function.locations = vec![LocId(0); 4];
        function.blocks = vec![BlockInfo { start: 0 }];
        assert_eq!(live_across_call(&function, 2), Some(vec![(slot(2), 64)]));
    }
}
