//! Parts of a modelled kernel that handle refused accesses.

use crate::ir::program::{FuncId, GlobalId, Origin, Program};

/// The kernel's door (runtime/kernel/syscall.c).
const DOOR: &str = "__homi_syscall";
/// The kernel's variable that says what to call where an access is refused
/// (runtime/kernel/signal.c).
const ENTRY: &str = "__homi_fault_entry";

/// Functions and variables of a program's kernel about refused accesses.
#[derive(Default)]
pub struct FaultPlaces {
    pub(in crate::machine::exec) door: Option<FuncId>,
    pub(in crate::machine::exec) entry: Option<GlobalId>,
}

impl FaultPlaces {
    pub fn find(program: &Program) -> Self {
        let globals = &program.globals;
        let entry = globals
            .iter()
            .position(|global| global.name == ENTRY && global.origin == Origin::Runtime);
        Self {
            door: program
                .find_function(DOOR)
                .filter(|door| program.function(*door).is_defined()),
            entry: entry.map(GlobalId::new),
        }
    }
}
