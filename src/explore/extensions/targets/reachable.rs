//! Code that is reachable from the program's start if every branch could go either way.
//!
//! Invariant: over-approximates reachability: an indirect call may call every function whose
//! address is taken, and a call may return.

use homi_ir::program::{BlockId, Callee, FuncId, Function, Inst, Program};

/// Reachable blocks.
pub(super) struct Reachable {
    /// True for each reachable instruction, by function and instruction.
    code: Vec<Vec<bool>>,
}

impl Reachable {
    pub(super) fn of(program: &Program) -> Self {
        let none = program.functions.iter();
        let mut reachable = Self {
            code: none
                .map(|function| vec![false; function.code.len()])
                .collect(),
        };
        let taken = (0..program.functions.len()).map(FuncId::new);
        let taken: Vec<FuncId> = taken
            .filter(|id| program.function(*id).address_taken)
            .collect();
        let mut waiting = vec![program.entry];
        waiting.extend(program.runtime_entry);
        waiting.extend(program.constructors.iter().chain(&program.destructors));
        let mut any_indirect = false;
        while let Some(id) = waiting.pop() {
            if reachable.reaches(id, 0) {
                continue;
            }
            let indirect = reachable.walk(program.function(id), id, &mut waiting);
            if indirect && !any_indirect {
                any_indirect = true;
                waiting.extend(&taken);
            }
        }
        reachable
    }

    /// True if an instruction is reachable.
    pub(super) fn reaches(&self, function: FuncId, pc: u32) -> bool {
        let code = &self.code[function.index()];
        code.get(pc as usize).copied().unwrap_or(false)
    }

    /// Marks the reachable code of a function from its start and adds its callees to `calls`.
    /// Returns true if a call is indirect.
    fn walk(&mut self, function: &Function, id: FuncId, calls: &mut Vec<FuncId>) -> bool {
        let mut indirect = false;
        let code = &mut self.code[id.index()];
        let mut waiting = vec![0usize];
        while let Some(mut pc) = waiting.pop() {
            while code.get(pc) == Some(&false) {
                code[pc] = true;
                let inst = &function.code[pc];
                if let Inst::Call { site } = inst {
                    match function.calls[*site as usize].callee {
                        Callee::Direct(callee) => calls.push(callee),
                        Callee::Indirect(_) => indirect = true,
                        Callee::Assembly { .. } => {}
                    }
                }
                if inst.is_terminator() || matches!(inst, Inst::Unsupported { .. } | Inst::Trap) {
                    let next = successors(function, inst);
                    waiting.extend(next.iter().map(|block| start(function, *block)));
                    break;
                }
                pc += 1;
            }
        }
        indirect
    }
}

/// Returns the first instruction of a block.
pub(super) fn start(function: &Function, block: BlockId) -> usize {
    function.blocks[block.index()].start as usize
}

/// Returns the blocks to which a terminator may jump, one per side if it has sides.
fn successors(function: &Function, inst: &Inst) -> Vec<BlockId> {
    match inst {
        Inst::Jump { target } => vec![*target],
        Inst::Branch {
            then, otherwise, ..
        } => vec![*then, *otherwise],
        Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. } => {
            let switch = &function.switches[*table as usize];
            let cases = switch.cases.iter().map(|case| case.1);
            let default = matches!(inst, Inst::Switch { .. }).then_some(switch.default);
            cases.chain(default).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::testing::{branch, call, call_indirect, function, program, ret, step};

    #[test]
    fn what_nothing_leads_to_is_not_reached() {
        let mut pointed = function("pointed", vec![vec![ret()]]);
        pointed.address_taken = true;
        let program = program(vec![
            function(
                "main",
                vec![
                    vec![call(1), branch(0, 1, 1)],
                    vec![ret()],
                    vec![step(), ret()],
                ],
            ),
            function("called", vec![vec![call_indirect(), ret()]]),
            function("nobody", vec![vec![ret()]]),
            pointed,
        ]);
        let reachable = Reachable::of(&program);
        let reaches = |function: usize, pc| reachable.reaches(FuncId::new(function), pc);
        assert!(reaches(0, 0) && reaches(0, 2) && !reaches(0, 3));
        assert!(reaches(1, 1) && !reaches(2, 0) && reaches(3, 0));
    }
}
