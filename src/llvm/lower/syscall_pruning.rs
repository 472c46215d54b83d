//! System calls that a program cannot make are left out of its modeled kernel.
//!
//! Idea: libc asks the kernel through one function, which chooses by a number. Each of libc's calls
//! names its number, so the numbers that the reached code names are all that can come, and the
//! cases of the others need not be lowered, nor what only they lead to: sockets, timers, queues and
//! the like, two thirds of the kernel for most programs.
//!
//! Invariant: a number that is not known (an argument of the program's own `syscall`, a function
//! whose address is taken) brings all cases back.

use super::Lowering;
use super::function::Body;
use crate::c_api::{LLVMLinkage, LLVMOpcode, LLVMValueKind, ModuleRef, Value};
use crate::read::tag::origin_of;
use homi_ir::program::{FuncId, Origin};
use rustc_hash::{FxHashMap, FxHashSet};

/// The kernel's system-call entry (runtime/kernel/syscall.c).
const SYSCALL_ENTRY: &str = "__homi_syscall";

/// Numbers that reach the kernel.
#[derive(Default)]
pub struct ReachableSyscalls {
    /// The kernel's system-call entry and the functions that hand their own first argument on to
    /// it.
    syscall_entries: FxHashSet<Value>,
    /// The kernel's functions that choose by the number, with the count of numbers that they were
    /// lowered for.
    choosers: FxHashMap<Value, Option<usize>>,
    numbers: FxHashSet<u64>,
    /// A number that is not known may come, so any may.
    any: bool,
}

/// The first parameter of a function.
fn number_of(function: Value) -> Option<Value> {
    function.parameters().first().copied()
}

/// A direct call whose first argument is the first parameter of the function that it is in.
fn hands_on(user: Value, callee: Value) -> Option<Value> {
    if !user.is_instruction() || user.opcode() != LLVMOpcode::LLVMCall {
        return None;
    }
    let caller = user.block().function();
    let same = user.called_value() == callee
        && user.argument_count() > 0
        && number_of(caller) == Some(user.operand(0));
    same.then_some(caller)
}

impl ReachableSyscalls {
    pub fn find(module: ModuleRef) -> ReachableSyscalls {
        let mut found = ReachableSyscalls::default();
        let Some(syscall_entry) = module.function(SYSCALL_ENTRY) else {
            return found;
        };
        if syscall_entry.is_declaration() || origin_of(syscall_entry) != Origin::Runtime {
            return found;
        }
        let mut queue = vec![syscall_entry];
        while let Some(syscall_entry) = queue.pop() {
            if found.syscall_entries.insert(syscall_entry) {
                let users = syscall_entry.users().into_iter();
                queue.extend(users.filter_map(|user| hands_on(user, syscall_entry)));
            }
        }
        found.find_choosers(syscall_entry);
        found
    }

    /// The system-call entry, and functions of the kernel that only choosers call, with their own
    /// number.
    fn find_choosers(&mut self, syscall_entry: Value) {
        let mut queue = vec![syscall_entry];
        while let Some(chooser) = queue.pop() {
            if self.choosers.insert(chooser, None).is_some() {
                continue;
            }
            for block in chooser.blocks() {
                for instruction in block.instructions() {
                    if instruction.opcode() != LLVMOpcode::LLVMCall {
                        continue;
                    }
                    let callee = instruction.called_value();
                    if callee.kind() == LLVMValueKind::LLVMFunctionValueKind
                        && callee.linkage() == LLVMLinkage::LLVMInternalLinkage
                        && !callee.is_declaration()
                        && callee.users().into_iter().all(|user| {
                            hands_on(user, callee)
                                .is_some_and(|caller| self.choosers.contains_key(&caller))
                        })
                    {
                        queue.push(callee);
                    }
                }
            }
        }
    }

    /// The address of a function is known somewhere.
    pub fn note_address(&mut self, function: Value) {
        self.any |= self.syscall_entries.contains(&function);
    }

    fn note_call(&mut self, caller: Value, callee: Value, inst: Value) {
        if !self.syscall_entries.contains(&callee) {
            return;
        }
        let number = (inst.argument_count() > 0).then(|| inst.operand(0));
        match number {
            Some(number) if number.is_constant_int() => {
                self.numbers.insert(number.const_u64());
            }
            // The numbers belong to its own calls.
            Some(number)
                if self.syscall_entries.contains(&caller) && number_of(caller) == Some(number) => {}
            _ => self.any = true,
        }
    }

    /// Returns the number of a call of the kernel: `None` for other calls and for a call whose
    /// number belongs to the caller's own calls, `Some(None)` for a number that is not known.
    pub fn asked(&self, caller: Value, callee: Value, inst: Value) -> Option<Option<u64>> {
        if !self.syscall_entries.contains(&callee) || inst.argument_count() == 0 {
            return None;
        }
        let number = inst.operand(0);
        if number.is_constant_int() {
            return Some(Some(number.const_u64()));
        }
        let is_handed_on =
            self.syscall_entries.contains(&caller) && number_of(caller) == Some(number);
        (!is_handed_on).then_some(None)
    }

    /// Lowered when all else is, because only then the numbers are known.
    pub fn is_chooser(&self, function: Value) -> bool {
        self.choosers.contains_key(&function)
    }

    fn may_come(&self, number: u64) -> bool {
        self.any || self.numbers.contains(&number)
    }
}

impl Lowering<'_> {
    /// A chooser that is reached and was not lowered for all numbers known by now.
    pub fn due_chooser(&mut self) -> Option<Value> {
        let known = self.syscall_entries.numbers.len() + usize::from(self.syscall_entries.any);
        let functions = &self.functions;
        let mut due: Vec<(Value, &mut Option<usize>)> = (self.syscall_entries.choosers.iter_mut())
            .filter(|(chooser, lowered)| {
                functions.contains_key(*chooser) && **lowered != Some(known)
            })
            .map(|(chooser, lowered)| (*chooser, lowered))
            .collect();
        due.sort_by_key(|(chooser, _)| functions[chooser]);
        let (chooser, lowered) = due.into_iter().next()?;
        *lowered = Some(known);
        Some(chooser)
    }

    /// The kernel's system-call entry, for a call that has this number if it is known.
    pub(super) fn kernel_syscall_entry(&mut self, number: Option<u64>) -> Option<FuncId> {
        let syscall_entry = self.callable(SYSCALL_ENTRY)?;
        match number {
            Some(number) => {
                self.syscall_entries.numbers.insert(number);
            }
            None => self.syscall_entries.any = true,
        }
        Some(syscall_entry)
    }
}

impl Body<'_, '_> {
    pub fn note_system_call(&mut self, callee: Value, inst: Value) {
        self.module
            .syscall_entries
            .note_call(self.function, callee, inst);
    }

    /// The positions of the successors that a terminator can lead to: all but cases of system calls
    /// that none makes.
    pub fn possible_successors(&self, terminator: Value) -> Vec<usize> {
        let count = terminator.successors().len();
        let chooses = terminator.opcode() == LLVMOpcode::LLVMSwitch
            && self.module.syscall_entries.is_chooser(self.function)
            && number_of(self.function) == Some(terminator.operand(0));
        let possible = |position: &usize| {
            !chooses
                || *position == 0
                || (self.module.syscall_entries)
                    .may_come(terminator.switch_case(*position as u32).const_u64())
        };
        (0..count).filter(possible).collect()
    }
}
