//! Uses of the address of a local: where it goes within its function, and whether anything may keep
//! it.
//!
//! Idea: code that no optimizer has changed copies an address into locals and reads it again, and
//! passes it to functions whose parameters are such locals. So copies in locals that nothing else
//! touches are followed, and so are the parameters of functions. Functions that are defined
//! elsewhere keep no address, except the ones that the C library is known for.

use super::c_api::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions of the C library that keep an address which they are given.
const KEEPING: &[&str] = &[
    "atexit",
    "__cxa_atexit",
    "on_exit",
    "fmemopen",
    "hsearch",
    "insque",
    "open_memstream",
    "pthread_create",
    "pthread_setspecific",
    "putenv",
    "setbuf",
    "setbuffer",
    "setstate",
    "initstate",
    "setvbuf",
    "sigaltstack",
    "strtok",
    "strtok_r",
    "thrd_create",
    "tsearch",
    "tss_set",
];

/// Nested calls that an address is followed through.
const DEEPEST: u32 = 100;

/// Result of following an address within one function.
#[derive(Default)]
pub(super) struct Uses {
    /// The instructions that use it, or a copy.
    pub all: FxHashSet<Value>,
    /// Something may keep it.
    pub is_kept: bool,
    /// The address is merged with others at a join.
    pub is_chosen: bool,
    is_returned: bool,
    /// The locals that hold copies.
    copies: FxHashSet<Value>,
}

/// Result of following a parameter: the function may keep the address, or return it.
#[derive(Clone, Copy, Default)]
struct Fate {
    is_kept: bool,
    is_returned: bool,
}

/// Follows addresses through the functions of a module.
#[derive(Default)]
pub(super) struct Follower {
    /// Results by function and index of the parameter.
    known: FxHashMap<(Value, u32), Fate>,
    depth: u32,
}

impl Follower {
    /// Returns the uses of an address. Copies of it are followed in locals that a condition holds
    /// for.
    pub fn uses(&mut self, address: Value, may_hold: &dyn Fn(Value) -> bool) -> Uses {
        let mut uses = Uses::default();
        self.follow(address, may_hold, &mut uses);
        uses
    }

    fn follow(&mut self, address: Value, may_hold: &dyn Fn(Value) -> bool, uses: &mut Uses) {
        use LLVMOpcode as Op;
        for user in address.users() {
            if !user.is_instruction() || is_marker(user) {
                continue;
            }
            let is_new = uses.all.insert(user);
            match user.opcode() {
                Op::LLVMLoad | Op::LLVMICmp => {}
                Op::LLVMStore if user.operand(0) == address => {
                    let place = user.operand(1);
                    if !(may_hold(place) && is_only_read_and_written(place)) {
                        uses.is_kept = true;
                    } else if uses.copies.insert(place) {
                        for load in loads_of(place) {
                            uses.all.insert(load);
                            self.follow(load, may_hold, uses);
                        }
                    }
                }
                Op::LLVMStore => {}
                Op::LLVMGetElementPtr
                | Op::LLVMBitCast
                | Op::LLVMAddrSpaceCast
                | Op::LLVMSelect
                | Op::LLVMPHI => {
                    uses.is_chosen |= user.opcode() == Op::LLVMPHI;
                    if is_new {
                        self.follow(user, may_hold, uses);
                    }
                }
                Op::LLVMRet => uses.is_returned = true,
                Op::LLVMCall => {
                    let fate = self.of_call(user, address);
                    uses.is_kept |= fate.is_kept;
                    if fate.is_returned && is_new {
                        self.follow(user, may_hold, uses);
                    }
                }
                _ => uses.is_kept = true,
            }
        }
    }

    /// Returns what a call does with an address among its arguments.
    fn of_call(&mut self, call: Value, address: Value) -> Fate {
        let called = call.called_value();
        let is_known = called.kind() == LLVMValueKind::LLVMFunctionValueKind;
        if !is_known || called == address {
            return Fate {
                is_kept: true,
                is_returned: true,
            };
        }
        if called.is_declaration() {
            let name = called.name();
            return Fate {
                is_kept: KEEPING.contains(&name.as_str()),
                is_returned: call.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind,
            };
        }
        let mut fate = Fate::default();
        for index in (0..call.argument_count()).filter(|index| call.operand(*index) == address) {
            let of_parameter = self.of_parameter(called, index);
            fate.is_kept |= of_parameter.is_kept;
            fate.is_returned |= of_parameter.is_returned;
        }
        fate
    }

    fn of_parameter(&mut self, function: Value, index: u32) -> Fate {
        if let Some(known) = self.known.get(&(function, index)) {
            return *known;
        }
        let parameters = function.parameters();
        let parameter = parameters.get(index as usize).copied();
        let Some(parameter) = parameter.filter(|_| self.depth < DEEPEST) else {
            return Fate {
                is_kept: true,
                is_returned: true,
            };
        };
        // What a recursive call does is what the others do.
        self.known.insert((function, index), Fate::default());
        self.depth += 1;
        let uses = self.uses(parameter, &|_| true);
        self.depth -= 1;
        let fate = Fate {
            is_kept: uses.is_kept,
            is_returned: uses.is_returned,
        };
        self.known.insert((function, index), fate);
        fate
    }
}

/// Returns true for calls that say something about a local and use nothing of it.
pub(super) fn is_marker(inst: Value) -> bool {
    inst.opcode() == LLVMOpcode::LLVMCall && {
        let name = inst.called_value().name();
        name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.")
    }
}

/// Returns true for a local whose address goes nowhere.
fn is_only_read_and_written(place: Value) -> bool {
    let is_local = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMAlloca;
    is_local
        && place.users().into_iter().all(|user| {
            user.is_instruction()
                && match user.opcode() {
                    LLVMOpcode::LLVMLoad => true,
                    LLVMOpcode::LLVMStore => user.operand(0) != place,
                    _ => is_marker(user),
                }
        })
}

fn loads_of(place: Value) -> Vec<Value> {
    let users = place.users().into_iter();
    users
        .filter(|user| user.is_instruction() && user.opcode() == LLVMOpcode::LLVMLoad)
        .collect()
}
