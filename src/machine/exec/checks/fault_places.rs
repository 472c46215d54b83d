//! Parts of a modeled kernel that handle refused accesses and calls of abort.

use homi_ir::program::{FuncId, Global, GlobalId, Origin, Program};

/// The kernel's system-call entry (runtime/kernel/syscall.c).
const SYSCALL_ENTRY: &str = "__homi_syscall";
/// The kernel's variable that says what to call where an access is refused
/// (runtime/kernel/signal.c).
const ENTRY: &str = "__homi_fault_entry";
/// The kernel's variable that says if the program handles SIGABRT (runtime/kernel/signal.c).
const ABORT_HANDLED: &str = "__homi_abort_handled";

/// Functions and variables of a program's kernel about refused accesses and calls of abort.
#[derive(Default)]
pub struct FaultPlaces {
    pub(in crate::exec) syscall_entry: Option<FuncId>,
    pub(in crate::exec) entry: Option<GlobalId>,
    pub(in crate::exec) abort_handled: Option<GlobalId>,
}

impl FaultPlaces {
    pub fn find(program: &Program) -> Self {
        let globals = &program.globals;
        let variable = |name: &str| {
            let of_kernel =
                |global: &Global| global.name == name && global.origin == Origin::Runtime;
            globals.iter().position(of_kernel).map(GlobalId::new)
        };
        Self {
            syscall_entry: program
                .find_function(SYSCALL_ENTRY)
                .filter(|syscall_entry| program.function(*syscall_entry).is_defined()),
            entry: variable(ENTRY),
            abort_handled: variable(ABORT_HANDLED),
        }
    }
}
