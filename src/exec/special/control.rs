//! Specials that move control: setjmp and longjmp, constructors and destructors.
//!
//! Invariant: a `jmp_buf` holds only a number; the state knows which frame and call it stands for, so a
//! jump to a frame that has returned is found out.

use super::{Entry, Outcome, SpecialCall, always};
use crate::exec::outcome::{BugKind, Termination};
use crate::exec::registers;
use crate::memory::Value;
use crate::program::{FuncId, Inst};
use crate::state::{CallPathId, Frame, JumpTarget};

pub(super) const TABLE: &[Entry] = &[
    always("setjmp", set_jump),
    always("_setjmp", set_jump),
    always("__setjmp", set_jump),
    always("sigsetjmp", set_jump),
    always("__sigsetjmp", set_jump),
    always("longjmp", long_jump),
    always("_longjmp", long_jump),
    always("siglongjmp", long_jump),
    always("__longjmp_chk", long_jump),
    always("__homi_run_constructors", run_constructors),
    always("__homi_run_destructors", run_destructors),
];

fn set_jump(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let buffer = call.pointer(0, 8, true)?;
    let top = call.state.frames.top();
    let target = JumpTarget {
        frame: top.serial,
        pc: top.pc,
    };
    let number = call.state.jump_number(target);
    call.put_bytes(buffer, &number.to_le_bytes())?;
    Ok(Outcome::number(0))
}

fn long_jump(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let buffer = call.pointer(0, 8, false)?;
    let number = call.bytes_at(buffer, 8)?;
    let number = number
        .iter()
        .rev()
        .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
    let target = call.state.jump_targets.get(&number).copied();
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
    // 0 would look like the first return.
    let values = call.values();
    let asked = call.arg_as(1, 32);
    let zero = values.cmp(crate::ops::CmpOp::Eq, 32, asked, Value::Concrete(0));
    let result = values.select(zero, 32, Value::Concrete(1), asked);
    while call.state.frames.top().serial != target.frame {
        call.state.frames.pop();
        call.state.memory.pop_frame();
    }
    let function = call.context.function();
    let Inst::Call { site } = function.code[target.pc as usize] else {
        return Err(call.gap("longjmp to something that is no call"));
    };
    call.context.frame().pc = target.pc + 1;
    if let Some((slot, width)) = function.calls[site as usize].results.first() {
        let result = values.resize(result, 32, *width);
        registers::write(call.context.frame(), *slot, *width, result);
    }
    call.context.enter_segment();
    Ok(Outcome::Jumped)
}

fn run_constructors(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let functions = &call.program().constructors;
    run_all(call, functions)
}

fn run_destructors(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let functions = &call.program().destructors;
    run_all(call, functions)
}

/// Pushes a frame for each function so that they run one after the other and then return here. C
/// compilers may give constructors argc, argv and envp; they are passed on.
fn run_all(
    call: &mut SpecialCall<'_, '_, '_>,
    functions: &[FuncId],
) -> Result<Outcome, Termination> {
    let arguments: Vec<Value> = call.args.iter().map(|argument| argument.0).collect();
    let executor = call.executor;
    let defined = |function: &&FuncId| {
        let function = **function;
        let broken = executor.broken[function.index()].is_some();
        executor.program.function(function).is_defined() && !broken
    };
    let functions: Vec<FuncId> = functions.iter().filter(defined).copied().collect();
    call.context.advance();
    if functions.is_empty() {
        call.context.enter_segment();
        return Ok(Outcome::Jumped);
    }
    for function in functions.iter().rev() {
        let mut frame = Frame::new(*function, &executor.templates[function.index()]);
        let top = call.state.frames.top();
        let (parent, site): (CallPathId, u32) = (top.call_path, top.pc);
        frame.call_path = call.observer.call_paths.enter(parent, site, *function);
        frame.stack_base = call
            .state
            .memory
            .push_frame(&executor.layouts[function.index()]);
        let params = &executor.program.function(*function).params;
        for (param, value) in params.iter().zip(&arguments) {
            registers::write(&mut frame, param.slot, param.width, *value);
        }
        call.state.frames.push(frame);
    }
    call.context.enter_segment();
    Ok(Outcome::Jumped)
}
