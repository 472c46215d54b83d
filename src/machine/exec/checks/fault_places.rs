//! Parts of a modeled kernel that handle refused accesses.

use crate::ir::program::{FuncId, GlobalId, Origin, Program};

/// The kernel's system-call entry (runtime/kernel/syscall.c).
const SYSCALL_ENTRY: &str = "__homi_syscall";
/// The kernel's variable that says what to call where an access is refused
/// (runtime/kernel/signal.c).
const ENTRY: &str = "__homi_fault_entry";

/// Functions and variables of a program's kernel about refused accesses.
#[derive(Default)]
pub struct FaultPlaces {
    pub(in crate::machine::exec) syscall_entry: Option<FuncId>,
    pub(in crate::machine::exec) entry: Option<GlobalId>,
}

impl FaultPlaces {
    pub fn find(program: &Program) -> Self {
        let globals = &program.globals;
        let entry = globals
            .iter()
            .position(|global| global.name == ENTRY && global.origin == Origin::Runtime);
        Self {
            syscall_entry: program
                .find_function(SYSCALL_ENTRY)
                .filter(|syscall_entry| program.function(*syscall_entry).is_defined()),
            entry: entry.map(GlobalId::new),
        }
    }
}
