//! The control flow of one function, forwards and backwards.
//!
//! Invariant: nodes are the function's blocks, and one more that follows all its ends. Ends at
//! which the program itself is over (`exit`, `abort`, a trap) lead there only if the function has
//! no other, so that a check that gives the program up makes nothing depend on it.

use super::{Edges, Flow, Node};
use crate::program::{BlockId, Callee, Function, Inst, Program};

/// A function's blocks and where control goes from them.
#[derive(Debug)]
pub struct BlockFlow {
    blocks: usize,
    after: Edges,
    before: Edges,
}

/// The graph with its edges reversed, from the end.
#[derive(Debug)]
pub struct Backwards<'f>(pub &'f BlockFlow);

impl BlockFlow {
    /// The flow of a function that has a body.
    pub fn of(program: &Program, function: &Function) -> Self {
        let blocks = function.blocks.len();
        let mut pairs: Vec<(Node, Node)> = Vec::new();
        let mut returns = Vec::new();
        let mut ends = Vec::new();
        for block in (0..blocks).map(BlockId::new) {
            if gives_up(program, function, block) {
                ends.push(block.0);
                continue;
            }
            let after = function.successors(block);
            if after.is_empty() {
                returns.push(block.0);
            }
            pairs.extend(after.iter().map(|next| (block.0, next.0)));
        }
        let ends = if returns.is_empty() { ends } else { returns };
        pairs.extend(ends.iter().map(|block| (*block, blocks as Node)));
        let all = pairs.iter().copied();
        let back = all.clone().map(|(from, to)| (to, from));
        Self {
            blocks,
            after: Edges::new(blocks + 1, all),
            before: Edges::new(blocks + 1, back),
        }
    }

    /// The node behind the ends.
    pub fn end(&self) -> Node {
        self.blocks as Node
    }
}

impl Flow for BlockFlow {
    fn node_count(&self) -> usize {
        self.blocks + 1
    }

    fn after(&self, node: Node) -> &[Node] {
        self.after.of(node)
    }

    fn before(&self, node: Node) -> &[Node] {
        self.before.of(node)
    }
}

impl Flow for Backwards<'_> {
    fn node_count(&self) -> usize {
        self.0.node_count()
    }

    fn after(&self, node: Node) -> &[Node] {
        self.0.before(node)
    }

    fn before(&self, node: Node) -> &[Node] {
        self.0.after(node)
    }
}

/// Returns true if the program is over at the end of a block, or before.
fn gives_up(program: &Program, function: &Function, block: BlockId) -> bool {
    let code = &function.code[function.block_range(block)];
    let over = |inst: &Inst| match inst {
        Inst::Unreachable | Inst::Trap | Inst::Unsupported { .. } => true,
        Inst::Call { site } => {
            let site = &function.calls[*site as usize];
            let callee = match site.callee {
                Callee::Direct(callee) => program.function(callee).noreturn,
                Callee::Indirect(_) | Callee::Assembly { .. } => false,
            };
            // A call with a landing pad continues there if the callee throws an exception.
            (site.noreturn || callee) && site.landing.is_none()
        }
        _ => false,
    };
    code.iter().any(over)
}
