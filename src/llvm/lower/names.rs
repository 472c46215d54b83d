//! Names of locals and parameters from debug information, for error reports.
//!
//! Invariant: a name is the source's or there is none; only reports depend on it.

use super::function::Body;
use crate::c_api::{Block, LLVMOpcode, Value, Variable};
use homi_ir::program::{Declared, Function, Slot};
use rustc_hash::FxHashMap;

impl Body<'_, '_> {
    /// The names of the locals that have an address in memory.
    pub(super) fn collect_variable_names(&mut self, block: Block) {
        for (address, variable) in described(block, "llvm.dbg.declare") {
            self.variables.entry(address).or_insert(variable);
        }
    }

    /// Returns the name of a local, and its type and place in the source where they are known.
    pub(super) fn declaration_of(&mut self, local: Value) -> (String, Declared) {
        let Some(variable) = self.variables.get(&local).cloned() else {
            return (local.name(), Declared::default());
        };
        let location = self.module.intern_location(variable.position.as_ref());
        let ty = variable.ty;
        (variable.name, Declared { ty, location })
    }

    /// Collects the names of parameters in registers, and of parameters that the function copies to
    /// memory at its start. A parameter's description takes precedence over the description of a
    /// local with the same value. The locals of the block must have their names.
    pub(super) fn collect_parameter_names(&mut self, block: Block) {
        let parameters = self.function.parameters();
        let values = described(block, "llvm.dbg.value");
        let mut found: Vec<(Value, String)> = values
            .map(|(value, variable)| (value, variable.name))
            .collect();
        for instruction in block.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMStore {
                let (value, address) = (instruction.operand(0), instruction.operand(1));
                let variable = self.variables.get(&address);
                found.extend(variable.map(|variable| (value, variable.name.clone())));
            }
        }
        // `byval`: the parameter is the address of the variable.
        let variables = self.variables.iter();
        found.extend(variables.map(|(address, variable)| (*address, variable.name.clone())));
        for (value, name) in found {
            if parameters.contains(&value) {
                self.parameter_names.entry(value).or_insert(name);
            }
        }
    }
}

/// Returns the function's variables that calls of a debug intrinsic describe.
fn described(block: Block, intrinsic: &str) -> impl Iterator<Item = (Value, Variable)> {
    let calls = block.instructions().filter(move |instruction| {
        instruction.opcode() == LLVMOpcode::LLVMCall
            && instruction.called_value().name() == intrinsic
            && !instruction.is_inlined()
    });
    calls.filter_map(Value::described_variable)
}

/// Gives a function's parameters the names of debug information, where it has them. A parameter of
/// several parts has its name at each.
pub(super) fn name_parameters(
    function: &mut Function,
    slots: &FxHashMap<Value, Vec<Slot>>,
    names: &FxHashMap<Value, String>,
) {
    for (value, name) in names {
        let Some(slots) = slots.get(value) else {
            continue;
        };
        for param in &mut function.params {
            if slots.contains(&param.slot) {
                param.name.clone_from(name);
            }
        }
    }
}
