//! Terminators and their edges: phis become parallel moves on edges.
//!
//! Invariant: moves of an edge run after everything else of the source block and before anything of
//! the target; an edge that needs moves and is not its source's only one gets a separate block,
//! which is not a source branch.

use super::function::{Body, phis};
use super::{Unsupported, block_number};
use crate::c_api::{Block, LLVMOpcode, Value};
use homi_ir::ops::CmpOp;
use homi_ir::program::{BlockId, BranchId, Inst, Moves, Slot, SwitchTable};

impl Body<'_, '_> {
    pub fn lower_terminator(&mut self, inst: Value, block: Block) -> Result<(), Unsupported> {
        match inst.opcode() {
            LLVMOpcode::LLVMBr if inst.is_conditional() => {
                let cond = self.scalar(inst.condition())?;
                let targets = inst.successors();
                let then = self.edge(block, targets[0])?;
                let otherwise = self.edge(block, targets[1])?;
                let branch = self.branch_id(inst);
                self.emit(Inst::Branch {
                    cond,
                    then,
                    otherwise,
                    branch,
                });
            }
            LLVMOpcode::LLVMBr => {
                let target = inst.successors()[0];
                self.jump(block, target)?;
            }
            LLVMOpcode::LLVMSwitch => self.lower_switch(inst, block)?,
            LLVMOpcode::LLVMIndirectBr => self.lower_indirect(inst, block)?,
            LLVMOpcode::LLVMRet => {
                let mut list = Vec::new();
                if inst.operand_count() == 1 {
                    let value = inst.operand(0);
                    let leaves = self.module.types.leaves(value.ty())?;
                    let slots = self.operand(value)?;
                    for (leaf, slot) in leaves.iter().zip(slots) {
                        list.push((slot, u32::from(leaf.scalar.width())));
                    }
                }
                let index = match self.returns.iter().position(|known| *known == list) {
                    Some(index) => index,
                    None => {
                        self.returns.push(list);
                        self.returns.len() - 1
                    }
                };
                self.emit(Inst::Return {
                    index: index as u32,
                });
            }
            LLVMOpcode::LLVMUnreachable => self.emit(Inst::Unreachable),
            _ => return Err(Unsupported::new(format!("terminator {}", inst.describe()))),
        }
        Ok(())
    }

    fn branch_id(&mut self, inst: Value) -> Option<BranchId> {
        let number = inst.metadata_number(self.module.branch_kind)?;
        self.module.branch_id(number as usize)
    }

    /// Moves and jump to the only successor.
    pub fn jump(&mut self, from: Block, to: Block) -> Result<(), Unsupported> {
        let moves = self.edge_moves(from, to)?;
        self.emit_moves(moves);
        let target = self.block_ids[&to];
        self.emit(Inst::Jump { target });
        Ok(())
    }

    /// The block to jump to for the edge: the target, or a new block with the edge's moves.
    pub fn edge(&mut self, from: Block, to: Block) -> Result<BlockId, Unsupported> {
        let target = self.block_ids[&to];
        let moves = self.edge_moves(from, to)?;
        if moves.is_empty() {
            return Ok(target);
        }
        let id = self.new_block();
        let saved = std::mem::replace(&mut self.current, id.index());
        self.emit_moves(moves);
        self.emit(Inst::Jump { target });
        self.current = saved;
        Ok(id)
    }

    fn edge_moves(&mut self, from: Block, to: Block) -> Result<Moves, Unsupported> {
        let mut moves = Vec::new();
        for phi in phis(to) {
            let leaves = self.module.types.leaves(phi.ty())?;
            let incoming = phi.incoming().into_iter().find(|(_, block)| *block == from);
            let Some((value, _)) = incoming else {
                return Err(Unsupported::new("phi without a value for an edge"));
            };
            let sources = self.operand(value)?;
            let destinations = self.values.get(&phi).cloned().unwrap_or_default();
            for ((leaf, src), dst) in leaves.iter().zip(sources).zip(destinations) {
                if src != dst {
                    moves.push((leaf.scalar.width(), dst, src));
                }
            }
        }
        moves.extend(self.landing_moves(from, to));
        Ok(moves)
    }

    pub fn emit_moves(&mut self, moves: Moves) {
        match moves[..] {
            [] => {}
            [(w, dst, src)] => self.emit(Inst::Move { w, dst, src }),
            _ => {
                let index = self.moves.len() as u32;
                self.moves.push(moves);
                self.emit(Inst::Moves { index });
            }
        }
    }

    fn lower_switch(&mut self, inst: Value, block: Block) -> Result<(), Unsupported> {
        if let Some(width) = self.module.types.wide(inst.operand(0).ty()) {
            return self.lower_wide_switch(inst, block, width);
        }
        let w = self.module.types.scalar(inst.operand(0).ty())?.width();
        let value = self.scalar(inst.operand(0))?;
        let (all, possible) = (inst.successors(), self.possible_successors(inst));
        let targets: Vec<Block> = possible.iter().map(|position| all[*position]).collect();
        let (ids, sides) = self.distinct_edges(block, &targets)?;
        let mut cases = Vec::with_capacity(targets.len() - 1);
        for (index, position) in possible.into_iter().enumerate().skip(1) {
            let constant = inst.switch_case(position as u32);
            cases.push((constant.const_u128(), ids[index], sides[index]));
        }
        let branch = self.branch_id(inst);
        let table = SwitchTable {
            cases,
            default: ids[0],
            default_side: sides[0],
            branch,
        };
        if self.module.roots.simple_switches {
            self.emit_tests(w, value, table)
        } else {
            let table = self.add_switch(table);
            self.emit(Inst::Switch { w, value, table });
        }
        Ok(())
    }

    /// A switch as tests of one case after the other. These are not branches of the program: each
    /// ends in the switch itself, with a known case.
    fn emit_tests(&mut self, w: u8, value: Slot, table: SwitchTable) {
        let saved = self.current;
        for case in &table.cases {
            let (holds, fails) = (self.new_block(), self.new_block());
            let test = self.add_switch(SwitchTable {
                cases: vec![(case.0, holds, 0)],
                default: fails,
                default_side: 1,
                branch: None,
            });
            self.emit(Inst::Switch {
                w,
                value,
                table: test,
            });
            self.current = holds.index();
            let known = self.int(w, case.0);
            let only = self.add_switch(SwitchTable {
                cases: vec![*case],
                ..table.clone()
            });
            self.emit(Inst::Switch {
                w,
                value: known,
                table: only,
            });
            self.current = fails.index();
        }
        let none = self.add_switch(SwitchTable {
            cases: Vec::new(),
            ..table
        });
        self.emit(Inst::Switch {
            w,
            value,
            table: none,
        });
        self.current = saved;
    }

    /// The end of `asm goto`: to the label of the first jump whose condition holds, or behind the
    /// statement. That is not a branch of the program's.
    pub fn jump_from_assembly(&mut self, inst: Value) -> Result<(), Unsupported> {
        let (block, targets) = (inst.block(), inst.successors());
        let jumps = std::mem::take(&mut self.jumps);
        if jumps.is_empty() {
            return self.jump(block, targets[0]);
        }
        let (ids, sides) = self.distinct_edges(block, &targets)?;
        let w = 32;
        let mut value = self.int(w, 0);
        for (condition, label) in jumps.into_iter().rev() {
            let number = self.int(w, label as u128 + 1);
            value = self.select(w, condition, number, value);
        }
        let cases = (1..targets.len()).map(|index| (index as u128, ids[index], sides[index]));
        let table = SwitchTable {
            cases: cases.collect(),
            default: ids[0],
            default_side: sides[0],
            branch: None,
        };
        let table = self.add_switch(table);
        self.emit(Inst::Switch { w, value, table });
        Ok(())
    }

    /// A switch on an integer of more than 128 bits: on the number of the case that it equals.
    fn lower_wide_switch(
        &mut self,
        inst: Value,
        block: Block,
        width: u32,
    ) -> Result<(), Unsupported> {
        let w = 32;
        let value = self.operand(inst.operand(0))?;
        let targets = inst.successors();
        let (ids, sides) = self.distinct_edges(block, &targets)?;
        let mut number = self.int(w, 0);
        let mut cases = Vec::with_capacity(targets.len() - 1);
        for index in 1..targets.len() {
            let constant = self.operand(inst.switch_case(index as u32))?;
            let is_case = self.wide_cmp(CmpOp::Eq, width, &value, &constant);
            let this = self.int(w, index as u128);
            number = self.select(w, is_case, this, number);
            cases.push((index as u128, ids[index], sides[index]));
        }
        let branch = self.branch_id(inst);
        let table = self.add_switch(SwitchTable {
            cases,
            default: ids[0],
            default_side: sides[0],
            branch,
        });
        self.emit(Inst::Switch {
            w,
            value: number,
            table,
        });
        Ok(())
    }

    fn lower_indirect(&mut self, inst: Value, block: Block) -> Result<(), Unsupported> {
        let value = self.scalar(inst.operand(0))?;
        let targets = inst.successors();
        let (ids, sides) = self.distinct_edges(block, &targets)?;
        let mut cases: Vec<(u128, BlockId, u32)> = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            let number = block_number(self.function, *target)
                .ok_or_else(|| Unsupported::new("computed goto to another function"))?;
            if !cases.iter().any(|case| case.0 == number) {
                cases.push((number, ids[index], sides[index]));
            }
        }
        let branch = self.branch_id(inst);
        let table = self.add_switch(SwitchTable {
            default: ids.first().copied().unwrap_or(BlockId(0)),
            default_side: 0,
            cases,
            branch,
        });
        self.emit(Inst::IndirectBranch { value, table });
        Ok(())
    }

    fn add_switch(&mut self, table: SwitchTable) -> u32 {
        self.switches.push(table);
        (self.switches.len() - 1) as u32
    }

    /// For each successor the block to go to and its side: distinct targets in order of first
    /// mention.
    fn distinct_edges(
        &mut self,
        from: Block,
        targets: &[Block],
    ) -> Result<(Vec<BlockId>, Vec<u32>), Unsupported> {
        let mut known: rustc_hash::FxHashMap<Block, (BlockId, u32)> = Default::default();
        let mut ids = Vec::with_capacity(targets.len());
        let mut sides = Vec::with_capacity(targets.len());
        for target in targets {
            let (id, side) = match known.get(target) {
                Some(found) => *found,
                None => {
                    let entry = (self.edge(from, *target)?, known.len() as u32);
                    known.insert(*target, entry);
                    entry
                }
            };
            ids.push(id);
            sides.push(side);
        }
        Ok((ids, sides))
    }
}
