//! Edges between the branch sides of a program, read from its code.
//!
//! Invariant: a block leads to the first blocks of its callees and to its terminator's branch. A
//! terminator that is not a source branch leads to its targets. A branch leads to its sides, and a
//! side to its target blocks, in every inlined copy. Code after a call that does not return has no
//! edges.

use homi_ir::program::flow::Node;
use homi_ir::program::{BlockId, BranchId, CallSite, Callee, Function, Inst, Origin, Program};
use homi_machine::exec::Segments;

/// Edges of a graph of sides.
#[derive(Debug)]
pub(super) struct Icfg {
    pub(super) sides: u32,
    pub(super) nodes: usize,
    pub(super) pairs: Vec<(Node, Node)>,
    /// Sides of user code.
    pub(super) own: Vec<u32>,
    /// Node of the entry function's first block, if it has one.
    pub(super) entry: Option<Node>,
    /// Node of the first block of each function.
    pub(super) first_block: Vec<Node>,
}

impl Icfg {
    pub(super) fn of(program: &Program) -> Self {
        let mut builder = Builder::new(program);
        builder.add_branches();
        builder.add_functions();
        let entry = program.runtime_entry.unwrap_or(program.entry).index();
        let function = program.functions.get(entry);
        let entry = function
            .filter(|function| function.is_defined())
            .map(|_| builder.first_block[entry]);
        Self {
            sides: builder.segments.side_count() as u32,
            nodes: builder.indirect as usize + 1,
            pairs: builder.edges,
            own: builder.own,
            first_block: builder.first_block,
            entry,
        }
    }
}

struct Builder<'p> {
    program: &'p Program,
    segments: Segments,
    /// Node of the first block of each function.
    first_block: Vec<Node>,
    indirect: Node,
    edges: Vec<(Node, Node)>,
    own: Vec<u32>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program) -> Self {
        let segments = Segments::new(program);
        let mut next = (segments.side_count() + program.branches.len()) as Node;
        let mut first_block = Vec::with_capacity(program.functions.len());
        for function in &program.functions {
            first_block.push(next);
            next += function.blocks.len() as Node;
        }
        Self {
            program,
            segments,
            first_block,
            indirect: next,
            edges: Vec::new(),
            own: Vec::new(),
        }
    }

    fn site(&self, branch: BranchId) -> Node {
        self.segments.side_count() as Node + branch.0
    }

    fn add_branches(&mut self) {
        for (index, branch) in self.program.branches.iter().enumerate() {
            let id = BranchId::new(index);
            for side in 0..branch.sides {
                let side = self.segments.side(id, side);
                self.edges.push((self.site(id), side));
                if branch.origin == Origin::Program {
                    self.own.push(side);
                }
            }
        }
    }

    fn add_functions(&mut self) {
        for (index, function) in self.program.functions.iter().enumerate() {
            if function.address_taken && function.is_defined() {
                self.edges.push((self.indirect, self.first_block[index]));
            }
            for block in (0..function.blocks.len()).map(BlockId::new) {
                self.add_block(index, function, block);
            }
        }
    }

    fn add_block(&mut self, index: usize, function: &Function, block: BlockId) {
        let node = self.first_block[index] + block.0;
        for inst in &function.code[function.block_range(block)] {
            if let Inst::Call { site } = inst
                && !self.add_call(node, &function.calls[*site as usize])
            {
                return;
            }
        }
        let Some(last) = function.code[function.block_range(block)].last() else {
            return;
        };
        let first = self.first_block[index];
        let Some(branch) = function.branch_of(last) else {
            let targets = function.successors(block);
            self.edges
                .extend(targets.iter().map(|target| (node, first + target.0)));
            return;
        };
        self.edges.push((node, self.site(branch)));
        let mut add = |side: u32, target: BlockId| {
            let side = self.segments.side(branch, side);
            self.edges.push((side, first + target.0));
        };
        match last {
            Inst::Branch {
                then, otherwise, ..
            } => {
                add(0, *then);
                add(1, *otherwise);
            }
            Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. } => {
                let table = &function.switches[*table as usize];
                table.cases.iter().for_each(|case| add(case.2, case.1));
                if matches!(last, Inst::Switch { .. }) {
                    add(table.default_side, table.default);
                }
            }
            _ => {}
        }
    }

    /// Adds the edges into a call's callees; returns false if control does not return.
    fn add_call(&mut self, node: Node, site: &CallSite) -> bool {
        // An exception continues at the landing pad.
        let lands = site.landing.is_some();
        let returns = match site.callee {
            Callee::Direct(callee) => {
                let function = self.program.function(callee);
                if function.is_defined() {
                    self.edges.push((node, self.first_block[callee.index()]));
                }
                !site.noreturn && !function.noreturn
            }
            Callee::Indirect(_) => {
                self.edges.push((node, self.indirect));
                !site.noreturn
            }
            Callee::Assembly { .. } => !site.noreturn,
        };
        returns || lands
    }
}
