//! Questions about LLVM values that marks ask (`marks`): which locals a jump may leave changed,
//! what was never set, and where the number of an address may decide something.

use crate::c_api::{Block, LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Type, Value};
use rustc_hash::FxHashSet;

/// Numbers nearer to 0 than this, on both sides, are addresses of nothing.
const PAGE: i64 = 4096;

/// The local that a store writes.
pub(super) fn stored_place(inst: Value) -> Option<Value> {
    let is_store = inst.is_instruction() && inst.opcode() == LLVMOpcode::LLVMStore;
    let place = is_store.then(|| inst.operand(1))?;
    is_local(place).then_some(place)
}

pub(super) fn is_local(value: Value) -> bool {
    value.is_instruction() && value.opcode() == LLVMOpcode::LLVMAlloca
}

/// Returns true if code that a call of `setjmp` leads to may change a local of its function: by a
/// store other than of the call's result, or by a call that gets the local's address.
pub(super) fn changes_locals_after(jump: Value) -> bool {
    let is_own = |value: Value| is_local(value) || is_part_of_local(value);
    let changes = |inst: Value| match inst.opcode() {
        LLVMOpcode::LLVMStore => {
            is_own(inst.operand(1)) && inst.operand(0) != jump && !inst.is_volatile()
        }
        LLVMOpcode::LLVMCall => {
            let name = inst.called_value().name();
            let harmless = name.starts_with("llvm.") || name.contains("jmp");
            !harmless && (0..inst.argument_count()).any(|index| is_own(inst.operand(index)))
        }
        _ => false,
    };
    let mut behind = jump.block().instructions().skip_while(|inst| *inst != jump);
    if behind.any(changes) {
        return true;
    }
    let successors = |block: Block| block.terminator().map_or(Vec::new(), Value::successors);
    let mut queue = successors(jump.block());
    let mut seen: FxHashSet<Block> = queue.iter().copied().collect();
    while let Some(block) = queue.pop() {
        if block.instructions().any(changes) {
            return true;
        }
        let next = successors(block).into_iter();
        queue.extend(next.filter(|block| seen.insert(*block)));
    }
    false
}

fn is_part_of_local(value: Value) -> bool {
    value.is_instruction()
        && value.opcode() == LLVMOpcode::LLVMGetElementPtr
        && (is_local(value.operand(0)) || is_part_of_local(value.operand(0)))
}

/// Returns true for a load that may read a part of an address: of a byte that is no scalar
/// variable, or of a number where a variable has another type.
pub(super) fn is_part_of_word(load: Value) -> bool {
    let (ty, place) = (load.ty(), load.operand(0));
    if ty.kind() != LLVMTypeKind::LLVMIntegerTypeKind || ty.int_width() >= 64 {
        return false;
    }
    let declared = match place.kind() {
        LLVMValueKind::LLVMGlobalVariableValueKind => Some(place.global_value_type()),
        _ => is_local(place).then(|| place.allocated_type()),
    };
    match declared {
        Some(declared) => declared.kind() != LLVMTypeKind::LLVMIntegerTypeKind,
        None => ty.int_width() <= 8,
    }
}

pub(super) fn is_word(ty: Type) -> bool {
    ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind && ty.int_width() == 64
}

/// Returns true for calls that only describe variables.
pub(super) fn is_debug(inst: Value) -> bool {
    inst.opcode() == LLVMOpcode::LLVMCall && inst.called_value().name().starts_with("llvm.dbg.")
}

/// Returns true if a value may be one that was never set.
pub(super) fn is_unset(value: Value, seen: &mut FxHashSet<Value>) -> bool {
    use LLVMValueKind as Kind;
    match value.kind() {
        Kind::LLVMUndefValueValueKind | Kind::LLVMPoisonValueKind => true,
        Kind::LLVMInstructionValueKind if value.opcode() == LLVMOpcode::LLVMPHI => {
            seen.insert(value)
                && value
                    .incoming()
                    .iter()
                    .any(|(from, _)| is_unset(*from, seen))
        }
        _ => false,
    }
}

/// Returns true if a format is not known, or prints an address.
pub(super) fn prints_addresses(inst: Value, index: u32) -> bool {
    if index >= inst.argument_count() {
        return true;
    }
    let format = inst.operand(index);
    let is_variable = format.kind() == LLVMValueKind::LLVMGlobalVariableValueKind;
    let text = is_variable.then(|| format.initializer()).flatten();
    let Some(text) = text.and_then(Value::const_bytes) else {
        return true;
    };
    let directives = text.split(|byte| *byte == b'%').skip(1);
    directives.into_iter().any(|directive| {
        let letter = directive.iter().find(|byte| byte.is_ascii_alphabetic());
        letter == Some(&b'p')
    })
}

/// The pointer that a number was converted from.
pub(super) fn pointer_of(value: Value) -> Option<Value> {
    let is_conversion = match value.kind() {
        LLVMValueKind::LLVMInstructionValueKind => value.opcode() == LLVMOpcode::LLVMPtrToInt,
        LLVMValueKind::LLVMConstantExprValueKind => {
            value.const_opcode() == LLVMOpcode::LLVMPtrToInt
        }
        _ => false,
    };
    is_conversion.then(|| value.operand(0))
}

/// Returns true if the number of an address may decide something, other than by a comparison or a
/// difference with another such number.
pub(super) fn number_matters(number: Value, seen: &mut FxHashSet<Value>) -> bool {
    let users = number.users();
    seen.insert(number)
        && users
            .into_iter()
            .any(|user| use_matters(user, number, seen))
}

pub(super) fn use_matters(user: Value, number: Value, seen: &mut FxHashSet<Value>) -> bool {
    use LLVMOpcode as Op;
    if !user.is_instruction() {
        return true;
    }
    let other = |position: u32| {
        let left = user.operand(0);
        if left == number {
            user.operand(position)
        } else {
            left
        }
    };
    match user.opcode() {
        Op::LLVMIntToPtr => false,
        Op::LLVMAdd => !other(1).is_constant_int() || number_matters(user, seen),
        Op::LLVMSub => {
            let (left, right) = (user.operand(0), user.operand(1));
            match (pointer_of(left), pointer_of(right)) {
                (Some(_), Some(_)) => false,
                _ => !right.is_constant_int() || number_matters(user, seen),
            }
        }
        Op::LLVMICmp => {
            let other = other(1);
            pointer_of(number).is_none_or(|_| pointer_of(other).is_none())
                && !is_beyond_addresses(user, other)
        }
        Op::LLVMPHI | Op::LLVMSelect => number_matters(user, seen),
        Op::LLVMStore => match stored_place(user) {
            Some(place) if is_word(place.allocated_type()) => {
                let users = place.users().into_iter();
                seen.insert(place)
                    && users
                        .filter(|user| stored_place(*user) != Some(place))
                        .any(|user| user.opcode() != Op::LLVMLoad || number_matters(user, seen))
            }
            // Loads of such numbers are looked at.
            _ => !is_word(number.ty()),
        },
        _ => true,
    }
}

/// Returns true if a comparison with a constant has the same result for every address.
fn is_beyond_addresses(comparison: Value, other: Value) -> bool {
    use LLVMIntPredicate as P;
    if !other.is_constant_int() || other.ty().int_width() != 64 {
        return false;
    }
    let number = other.const_u64() as i64;
    let is_signed = matches!(
        comparison.int_predicate(),
        P::LLVMIntSGT | P::LLVMIntSGE | P::LLVMIntSLT | P::LLVMIntSLE
    );
    !is_signed && (-PAGE..PAGE).contains(&number)
}
