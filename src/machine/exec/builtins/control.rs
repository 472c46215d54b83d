//! Built-in functions that move control: setjmp and longjmp, constructors and destructors.
//!
//! Invariant: a `jmp_buf` holds only a number; the state knows which frame and call it denotes, so
//! a jump to a frame that has returned is found out. Behind it, where glibc has them, lie a flag
//! and the signal mask that `sigsetjmp` saved; the mask is the modeled kernel's, so saving and
//! restoring it is C (runtime/glibc/jump.c), to which the built-in functions leave calls that have
//! to do with one.

use super::{BuiltinCall, Outcome};
use crate::exec::step::registers;
use crate::memory::Value;
use crate::outcome::{BugKind, Termination};
use crate::state::{CallPathId, Frame, JumpTarget};
use homi_ir::program::{FuncId, Inst, PointerWidth};

/// Returns the offset of the flag for a saved mask (32 bits), in bytes: behind eight registers on
/// x86-64, behind six on i386.
fn mask_flag(call: &BuiltinCall<'_, '_, '_>) -> u64 {
    match call.program().pointers {
        PointerWidth::Bits64 => 64,
        PointerWidth::Bits32 => 24,
    }
}

/// `setjmp(buffer)`: saves no signal mask.
pub(super) fn set_jump(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let top = call.state.frames.top();
    let target = JumpTarget {
        frame: top.serial,
        pc: top.pc,
    };
    let flag = mask_flag(call);
    let buffer = call.pointer(0, flag + 4, true)?;
    fill_buffer(call, buffer, target)?;
    call.put_bytes(buffer + flag, &[0; 4])?;
    Ok(Outcome::number(0))
}

fn fill_buffer(
    call: &mut BuiltinCall<'_, '_, '_>,
    buffer: u64,
    target: JumpTarget,
) -> Result<(), Termination> {
    let number = call.state.jump_number(target);
    call.put_bytes(buffer, &number.to_le_bytes())
}

/// `sigsetjmp(buffer, saves_mask)`.
pub(super) fn set_jump_with_mask(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let saves = call.arg_as(1, 32) != Value::Concrete(0);
    if saves && call.defined {
        Ok(Outcome::Decline)
    } else {
        set_jump(call)
    }
}

/// `homi_set_jump_of_caller(buffer)`: acts like `setjmp` in the caller of the current function,
/// right after that call.
pub(super) fn set_jump_of_caller(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let buffer = call.pointer(0, 8, true)?;
    let caller = call.state.frames.iter().nth(1);
    let target = caller
        .filter(|caller| caller.pc > 0)
        .map(|caller| JumpTarget {
            frame: caller.serial,
            pc: caller.pc - 1,
        });
    let Some(target) = target else {
        return Err(call.unsupported("sigsetjmp without a caller"));
    };
    fill_buffer(call, buffer, target)?;
    Ok(Outcome::number(0))
}

/// `siglongjmp(buffer, value)`.
pub(super) fn long_jump_with_mask(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let flag_at = mask_flag(call);
    let buffer = call.pointer(0, flag_at + 4, false)?;
    let flag = call.bytes_at(buffer + flag_at, 4)?;
    if flag != [0; 4] && call.defined {
        Ok(Outcome::Decline)
    } else {
        long_jump(call)
    }
}

pub(super) fn long_jump(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let buffer = call.pointer(0, 8, false)?;
    // 0 would look like the first return.
    let values = call.values();
    let asked = call.arg_as(1, 32);
    let zero = values.cmp(homi_ir::ops::CmpOp::Eq, 32, asked, Value::Concrete(0));
    let result = values.select(zero, 32, Value::Concrete(1), asked);
    jump(call, buffer, result)
}

/// Words of the buffer of `__builtin_setjmp`.
const WORDS: u64 = 5;

/// Returns the position of the word with the continuation: behind the first one. The compiler
/// writes that and others; 32-bit words leave room for the number, which takes two.
fn place_word(call: &BuiltinCall<'_, '_, '_>) -> (u64, u64) {
    let bytes = u64::from(call.program().pointers.bytes());
    (bytes, WORDS * bytes)
}

/// `__builtin_setjmp(words)`.
pub(super) fn set_jump_in_words(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let top = call.state.frames.top();
    let target = JumpTarget {
        frame: top.serial,
        pc: top.pc,
    };
    let (place, size) = place_word(call);
    let buffer = call.pointer(0, size, true)?;
    fill_buffer(call, buffer + place, target)?;
    Ok(Outcome::number(0))
}

/// `__builtin_longjmp(words, 1)`.
pub(super) fn long_jump_in_words(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let (place, size) = place_word(call);
    let buffer = call.pointer(0, size, false)?;
    jump(call, buffer + place, Value::Concrete(1))
}

/// `homi_resume(buffer)`: continues after the call that filled the buffer, which returns 0.
pub(super) fn resume(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let buffer = call.pointer(0, 8, false)?;
    jump(call, buffer, Value::Concrete(0))
}

/// Goes on behind the call whose number lies at `buffer`; it returns the 32 bits of `result`.
fn jump(
    call: &mut BuiltinCall<'_, '_, '_>,
    buffer: u64,
    result: Value,
) -> Result<Outcome, Termination> {
    let number = call.bytes_at(buffer, 8)?;
    let number = number
        .iter()
        .rev()
        .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    let target = call.state.jumps.get(number);
    let live = |target: &JumpTarget| {
        let mut frames = call.state.frames.iter();
        frames.any(|frame| frame.serial == target.frame)
    };
    let Some(target) = target.filter(live) else {
        return Err(call.bug(
            BugKind::User,
            "longjmp to a jmp_buf that no live function has set",
        ));
    };
    let values = call.values();
    while call.state.frames.top().serial != target.frame {
        call.state.frames.pop();
        call.state.memory.pop_frame();
    }
    let function = call.context.function();
    let Inst::Call { site } = function.code[target.pc as usize] else {
        return Err(call.unsupported("longjmp to a frame that is not active"));
    };
    call.context.frame().pc = target.pc + 1;
    let site = &function.calls[site as usize];
    for (slot, width) in &site.results[site.returned()..] {
        registers::write(call.context.frame(), *slot, *width, Value::Concrete(0));
    }
    if let Some((slot, width)) = site.results[..site.returned()].first() {
        let result = values.resize(result, 32, *width);
        registers::write(call.context.frame(), *slot, *width, result);
    }
    call.context.enter_segment();
    Ok(Outcome::Jumped)
}

pub(super) fn run_constructors(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let functions = &call.program().constructors;
    run_all(call, functions)
}

pub(super) fn run_destructors(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let functions = &call.program().destructors;
    run_all(call, functions)
}

/// Pushes a frame for each function so that they run one after the other and then return here. C
/// compilers may give constructors argc, argv and envp; they are passed on.
fn run_all(
    call: &mut BuiltinCall<'_, '_, '_>,
    functions: &[FuncId],
) -> Result<Outcome, Termination> {
    let (arguments, values) = (call.args.to_vec(), call.values());
    let prepared = call.prepared;
    let defined = |function: &&FuncId| {
        let function = **function;
        let broken = prepared.broken[function.index()].is_some();
        prepared.program.function(function).is_defined() && !broken
    };
    let functions: Vec<FuncId> = functions.iter().filter(defined).copied().collect();
    call.context.advance();
    if functions.is_empty() {
        call.context.enter_segment();
        return Ok(Outcome::Jumped);
    }
    for function in functions.iter().rev() {
        let mut frame = Frame::new(*function, &prepared.templates[function.index()]);
        let top = call.state.frames.top();
        let (parent, site): (CallPathId, u32) = (top.call_path, top.pc);
        let stack_end = top.stack_end + u64::from(prepared.stack_bytes[function.index()]);
        frame.stack_end = stack_end;
        frame.call_path = call.observer.call_paths.enter(parent, site, *function);
        frame.stack_base = call
            .state
            .memory
            .push_frame(&prepared.layouts[function.index()]);
        let params = &prepared.program.function(*function).params;
        for (param, (value, width)) in params.iter().zip(&arguments) {
            let value = values.resize(*value, *width, param.width);
            registers::write(&mut frame, param.slot, param.width, value);
        }
        call.state.frames.push(frame);
    }
    call.context.enter_segment();
    Ok(Outcome::Jumped)
}
