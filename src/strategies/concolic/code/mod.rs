//! Static facts about a program's branch sides: features of the code, the function of each side,
//! the successors.
//!
//! Invariant: computed once per program and never changed, so all runs of a program can share it.
//! An inlined branch is described by its copies in its own function, or by all copies if that
//! function is gone.

mod functions;
mod shape;
#[cfg(test)]
mod tests;

pub use functions::FunctionTable;

use super::dominators::Dominators;
use super::graph::SideGraph;
use crate::weights::features::CodeFacts;
use homi_ir::program::{BlockId, BranchId, BranchKind, Function, Inst, Program};
use homi_machine::exec::Segments;
use shape::{BlockFacts, Shape};

/// Static facts about branch sides.
#[derive(Debug)]
pub struct BranchCode {
    facts: Vec<CodeFacts>,
    functions: FunctionTable,
    pub(super) graph: SideGraph,
    pub(super) dominators: Dominators,
}

impl BranchCode {
    /// Computes the facts of a program.
    pub fn of(program: &Program) -> Self {
        let segments = Segments::new(program);
        let graph = SideGraph::new(program);
        Self {
            facts: facts(program, &segments),
            functions: FunctionTable::of(program, &segments),
            dominators: Dominators::new(&graph),
            graph,
        }
    }

    /// Returns the facts of a side; all false for no side.
    pub fn facts(&self, side: Option<u32>) -> CodeFacts {
        let facts = side.and_then(|side| self.facts.get(side as usize));
        facts.copied().unwrap_or_default()
    }

    /// Returns the functions of user code and their sides.
    pub fn functions(&self) -> &FunctionTable {
        &self.functions
    }
}

fn facts(program: &Program, segments: &Segments) -> Vec<CodeFacts> {
    let mut facts = vec![CodeFacts::default(); segments.side_count()];
    let main = program.functions.get(program.entry.index());
    for (index, site) in program.branches.iter().enumerate() {
        for side in 0..site.sides {
            let number = segments.side(BranchId::new(index), side);
            facts[number as usize] = CodeFacts {
                in_main: main.is_some_and(|main| main.name == site.function),
                external_call: site.condition.external_call,
                integer: site.condition.integer,
                string: site.condition.string,
                pointer: site.condition.pointer,
                local: site.condition.local,
                ..CodeFacts::default()
            };
        }
    }
    let mut reader = Reader {
        program,
        segments,
        facts,
        at_home: vec![false; program.branches.len()],
    };
    reader.read_functions(true);
    reader.read_functions(false);
    reader.facts
}

struct Reader<'p> {
    program: &'p Program,
    segments: &'p Segments,
    facts: Vec<CodeFacts>,
    /// Branches found in their own function.
    at_home: Vec<bool>,
}

impl Reader<'_> {
    /// Reads all functions: branches in their own function if `home`, else the others.
    fn read_functions(&mut self, home: bool) {
        for function in &self.program.functions {
            let blocks: Vec<(BlockId, BranchId)> = self.branches(function, home).collect();
            if blocks.is_empty() {
                continue;
            }
            let shape = Shape::of(self.program, function);
            for (block, branch) in blocks {
                self.at_home[branch.index()] |= home;
                self.add(function, block, branch, shape.block(block));
            }
        }
    }

    fn branches(
        &self,
        function: &Function,
        home: bool,
    ) -> impl Iterator<Item = (BlockId, BranchId)> {
        let blocks = (0..function.blocks.len()).map(BlockId::new);
        blocks.filter_map(move |block| {
            let last = function.code[function.block_range(block)].last()?;
            let branch = function.branch_of(last)?;
            let own = self.program.branch(branch).function == function.name;
            let wanted = if home {
                own
            } else {
                !self.at_home[branch.index()]
            };
            wanted.then_some((block, branch))
        })
    }

    /// Adds the facts of one copy of a branch.
    fn add(&mut self, function: &Function, block: BlockId, branch: BranchId, here: BlockFacts) {
        let Some(last) = function.code[function.block_range(block)].last() else {
            return;
        };
        let is_switch = self.program.branch(branch).kind == BranchKind::Switch;
        for (side, target, default) in sides(function, last) {
            let number = self.segments.side(branch, side) as usize;
            let Some(facts) = self.facts.get_mut(number) else {
                continue;
            };
            facts.nested |= here.nested;
            facts.in_loop_body |= here.in_loop_body;
            if let Some(stays) = &here.loop_condition {
                let stays = stays.contains(&target);
                facts.stays_in_loop |= stays;
                facts.leaves_loop |= !stays;
            }
            facts.takes_default |= is_switch && default;
        }
        if is_switch {
            for side in 0..self.program.branch(branch).sides {
                let number = self.segments.side(branch, side) as usize;
                let facts = &mut self.facts[number];
                facts.takes_case = !facts.takes_default;
            }
        }
    }
}

/// Returns the sides of a branch with their targets; the flag is true for the default of a switch.
fn sides(function: &Function, last: &Inst) -> Vec<(u32, BlockId, bool)> {
    match last {
        Inst::Branch {
            then, otherwise, ..
        } => vec![(0, *then, false), (1, *otherwise, false)],
        Inst::Switch { table, .. } => {
            let table = &function.switches[*table as usize];
            let cases = table.cases.iter().map(|case| (case.2, case.1, false));
            let default = (table.default_side, table.default, true);
            cases.chain([default]).collect()
        }
        Inst::IndirectBranch { table, .. } => {
            let table = &function.switches[*table as usize];
            let cases = table.cases.iter().map(|case| (case.2, case.1, false));
            cases.collect()
        }
        _ => Vec::new(),
    }
}
