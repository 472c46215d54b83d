//! Memory that a call of the program reads and changes, as far as another part of the same
//! expression may see it.
//!
//! Invariant: the answer holds for all executions of the call; what is not known counts as both.
//! Memory that the call itself allocates, and what the C library keeps for itself, are not seen.

use crate::c_api::{LLVMOpcode, LLVMValueKind, Value};
use crate::read::tag::origin_of;
use homi_ir::program::Origin;
use rustc_hash::{FxHashMap, FxHashSet};

/// Prefixes of functions whose calls see and change nothing: they give any value, or memory.
const FREE: &[&str] = &[
    "__VERIFIER_nondet_",
    "llvm.dbg.",
    "llvm.lifetime.",
    "malloc",
    "calloc",
    "__builtin_",
];
/// Functions that end the path.
const ENDS: &[&str] = &["abort", "exit", "_exit", "__VERIFIER_assume"];
/// Functions whose call is an error.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Variable that a pointer leads into.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Base {
    /// A variable of the program outside of functions.
    Global(Value),
    /// A local whose address stays in its function.
    Private,
    /// Any memory whose address is known somewhere.
    Any,
}

/// Places that are read or written.
#[derive(Clone, Default)]
pub(super) struct Access {
    globals: FxHashSet<Value>,
    any: bool,
}

impl Access {
    pub(super) fn at(base: Base) -> Self {
        let mut access = Self::default();
        access.add(base);
        access
    }

    fn add(&mut self, base: Base) {
        match base {
            Base::Global(global) => drop(self.globals.insert(global)),
            Base::Private => {}
            Base::Any => self.any = true,
        }
    }

    fn meets(&self, other: &Access) -> bool {
        let reaches = |any: bool, others: &Access| {
            let mut globals = others.globals.iter();
            any && (others.any || globals.any(|global| !is_private(*global, 0)))
        };
        !self.globals.is_disjoint(&other.globals)
            || reaches(self.any, other)
            || reaches(other.any, self)
    }
}

/// Memory that a call reads and changes.
#[derive(Clone, Default)]
pub(super) struct Effects {
    reads: Access,
    writes: Access,
    ends: bool,
    errs: bool,
}

impl Effects {
    /// Returns true if the call changes what an access sees.
    pub(super) fn changes(&self, access: &Access) -> bool {
        self.writes.meets(access)
    }

    /// Returns true if the call sees what another does.
    pub(super) fn sees(&self, other: &Effects) -> bool {
        other.changes(&self.reads)
            || other.changes(&self.writes)
            || (other.ends && self.errs)
            || (other.errs && self.ends)
    }

    fn add_unknown(&mut self) {
        self.reads.any = true;
        self.writes.any = true;
    }

    fn add(&mut self, other: &Effects) {
        for (own, others) in [
            (&mut self.reads, &other.reads),
            (&mut self.writes, &other.writes),
        ] {
            own.globals.extend(&others.globals);
            own.any |= others.any;
        }
        self.ends |= other.ends;
        self.errs |= other.errs;
    }
}

/// Effects of the functions of a program, computed when they are asked for.
#[derive(Default)]
pub struct EffectsOfCalls {
    /// Effects of functions alone, without their callees.
    own: FxHashMap<Value, (Effects, Vec<Value>)>,
    whole: FxHashMap<Value, Effects>,
}

impl EffectsOfCalls {
    /// Returns the effects of a call.
    pub(super) fn of(&mut self, call: Value) -> Effects {
        let mut found = Effects::default();
        match followed(call, &mut found) {
            Some(callee) => self.of_function(callee),
            None => found,
        }
    }

    fn of_function(&mut self, function: Value) -> Effects {
        if let Some(known) = self.whole.get(&function) {
            return known.clone();
        }
        let mut all = Effects::default();
        let mut seen = FxHashSet::default();
        let mut waiting = vec![function];
        while let Some(next) = waiting.pop() {
            if seen.insert(next) {
                let (own, callees) = self.own.entry(next).or_insert_with(|| effects_of(next));
                all.add(own);
                waiting.extend(callees.iter().copied());
            }
        }
        self.whole.insert(function, all.clone());
        all
    }
}

/// Effects of a function's own instructions, and the functions of the program that it calls.
fn effects_of(function: Value) -> (Effects, Vec<Value>) {
    use LLVMOpcode as Op;
    let (mut found, mut callees) = (Effects::default(), Vec::new());
    for block in function.blocks() {
        let mut has_erred = false;
        for inst in block.instructions() {
            match inst.opcode() {
                Op::LLVMLoad => found.reads.add(base_of(inst.operand(0))),
                Op::LLVMStore => found.writes.add(base_of(inst.operand(1))),
                Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg => {
                    found.writes.add(base_of(inst.operand(0)));
                }
                Op::LLVMCall => {
                    let mut own = Effects::default();
                    callees.extend(followed(inst, &mut own));
                    has_erred |= own.errs;
                    // The end behind an error is the error's.
                    own.ends &= !has_erred;
                    found.add(&own);
                }
                _ => {}
            }
        }
    }
    (found, callees)
}

/// Returns the function of the program that a call enters; otherwise notes the call's effects.
fn followed(call: Value, found: &mut Effects) -> Option<Value> {
    let callee = call.called_value();
    if callee.kind() != LLVMValueKind::LLVMFunctionValueKind {
        found.add_unknown();
        return None;
    }
    let name = callee.name();
    let is_named = |names: &[&str]| names.contains(&name.as_str());
    if is_named(ERRORS) {
        found.errs = true;
    } else if is_named(ENDS) {
        found.ends = true;
    } else if !callee.is_declaration() && origin_of(callee) == Origin::Program {
        return Some(callee);
    } else if !FREE.iter().any(|prefix| name.starts_with(prefix)) {
        // Functions of libraries see what they are given.
        for index in 0..call.argument_count() {
            let argument = call.operand(index);
            if is_pointer(argument) {
                let base = base_of(argument);
                found.reads.add(base);
                found.writes.add(base);
            }
        }
    }
    None
}

fn is_pointer(value: Value) -> bool {
    value.ty().kind() == crate::c_api::LLVMTypeKind::LLVMPointerTypeKind
}

/// Returns the variable that a pointer leads into.
pub(super) fn base_of(pointer: Value) -> Base {
    use LLVMOpcode as Op;
    use LLVMValueKind as Kind;
    match pointer.kind() {
        Kind::LLVMGlobalVariableValueKind if pointer.is_constant_global() => Base::Private,
        Kind::LLVMGlobalVariableValueKind => Base::Global(pointer),
        Kind::LLVMConstantExprValueKind if pointer.const_opcode() == Op::LLVMGetElementPtr => {
            base_of(pointer.operand(0))
        }
        Kind::LLVMInstructionValueKind => match pointer.opcode() {
            Op::LLVMGetElementPtr => base_of(pointer.operand(0)),
            Op::LLVMAlloca if is_private(pointer, 0) => Base::Private,
            Op::LLVMLoad if holds_new_memory(pointer.operand(0)) => Base::Private,
            _ => Base::Any,
        },
        _ => Base::Any,
    }
}

/// Returns true for a local that has only addresses of memory that its function allocated.
fn holds_new_memory(local: Value) -> bool {
    let is_local = local.is_instruction() && local.opcode() == LLVMOpcode::LLVMAlloca;
    let is_new = |value: Value| {
        value.is_instruction()
            && value.opcode() == LLVMOpcode::LLVMCall
            && ["malloc", "calloc"].contains(&value.called_value().name().as_str())
    };
    is_local
        && is_private(local, 0)
        && local
            .users()
            .into_iter()
            .all(|user| user.opcode() != LLVMOpcode::LLVMStore || is_new(user.operand(0)))
}

/// Address computations that are followed.
const MOST_STEPS: u32 = 4;

/// Returns true if the address of a variable is used for its loads and stores alone.
fn is_private(variable: Value, steps: u32) -> bool {
    use LLVMOpcode as Op;
    variable.users().into_iter().all(|user| {
        let opcode = match user.kind() {
            LLVMValueKind::LLVMInstructionValueKind => user.opcode(),
            LLVMValueKind::LLVMConstantExprValueKind => user.const_opcode(),
            _ => return false,
        };
        match opcode {
            Op::LLVMLoad => true,
            Op::LLVMStore => user.operand(1) == variable && user.operand(0) != variable,
            Op::LLVMGetElementPtr => steps < MOST_STEPS && is_private(user, steps + 1),
            Op::LLVMCall => {
                let name = user.called_value().name();
                name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.")
            }
            _ => false,
        }
    })
}
