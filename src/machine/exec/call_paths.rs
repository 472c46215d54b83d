//! The tree of call paths: chains of calls by which control reached a function.
//!
//! Invariant: a node, once made, keeps its number, and a recursive call makes none.

use crate::state::CallPathId;
use homi_ir::program::FuncId;
use rustc_hash::FxHashMap;

/// A node of the call-path tree.
#[derive(Clone, Debug)]
pub struct CallPathNode {
    pub parent: CallPathId,
    /// Code index of the call in the caller.
    pub site: u32,
    pub function: FuncId,
    /// Instructions that all states executed in this node.
    pub instructions: u64,
}

/// The tree of call paths. Node 0 is the outermost activation.
#[derive(Clone, Debug)]
pub struct CallPaths {
    nodes: Vec<CallPathNode>,
    children: FxHashMap<(CallPathId, u32, FuncId), CallPathId>,
    /// Direct-mapped cache of `children`.
    recent: Vec<(CallPathId, u32, FuncId, CallPathId)>,
}

/// A call path without ids: code index of the call in the caller, and callee, outermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallChain(Vec<(u32, FuncId)>);

impl CallChain {
    /// Code index of each call in its caller, and the callee, outermost first.
    pub fn calls(&self) -> &[(u32, FuncId)] {
        &self.0
    }
}

const RECENT: usize = 512;

impl CallPaths {
    /// A tree with the outermost activation only.
    pub fn new(entry: FuncId) -> Self {
        Self {
            nodes: vec![CallPathNode {
                parent: CallPathId(0),
                site: u32::MAX,
                function: entry,
                instructions: 0,
            }],
            children: FxHashMap::default(),
            recent: vec![(CallPathId(0), u32::MAX, FuncId(0), CallPathId(0)); RECENT],
        }
    }

    /// The node for a call made in `parent` from code index `site`. A recursive call folds onto the
    /// nearest ancestor with the same site and callee, as KLEE's call paths do.
    #[inline]
    pub fn enter(&mut self, parent: CallPathId, site: u32, callee: FuncId) -> CallPathId {
        let slot = (parent.0.wrapping_mul(31) ^ site.wrapping_mul(7) ^ callee.0) as usize % RECENT;
        let recent = self.recent[slot];
        if (recent.0, recent.1, recent.2) == (parent, site, callee) {
            return recent.3;
        }
        let node = self.find_or_make(parent, site, callee);
        self.recent[slot] = (parent, site, callee, node);
        node
    }

    fn find_or_make(&mut self, parent: CallPathId, site: u32, callee: FuncId) -> CallPathId {
        if let Some(node) = self.children.get(&(parent, site, callee)) {
            return *node;
        }
        // A site is a code index, which means something together with its function only.
        let caller = self.nodes[parent.index()].function;
        let mut ancestor = parent;
        loop {
            let node = &self.nodes[ancestor.index()];
            let called_from = self.nodes[node.parent.index()].function;
            if (node.site, node.function, called_from) == (site, callee, caller) {
                break;
            }
            if ancestor == node.parent {
                self.nodes.push(CallPathNode {
                    parent,
                    site,
                    function: callee,
                    instructions: 0,
                });
                ancestor = CallPathId::new(self.nodes.len() - 1);
                break;
            }
            ancestor = node.parent;
        }
        self.children.insert((parent, site, callee), ancestor);
        ancestor
    }

    /// The calls from the outermost activation to a node: what names it in every thread.
    pub fn chain(&self, mut node: CallPathId) -> CallChain {
        let mut calls = Vec::new();
        while node.index() != 0 {
            let found = &self.nodes[node.index()];
            calls.push((found.site, found.function));
            node = found.parent;
        }
        calls.reverse();
        CallChain(calls)
    }

    /// The node that a chain names, made if need be.
    pub fn enter_chain(&mut self, chain: &CallChain) -> CallPathId {
        let calls = chain.0.iter();
        calls.fold(CallPathId(0), |node, (site, callee)| {
            self.enter(node, *site, *callee)
        })
    }

    /// Instructions executed in a node so far (nurs:cpicnt's CP).
    pub fn instructions(&self, node: CallPathId) -> u64 {
        self.nodes[node.index()].instructions
    }

    #[inline(always)]
    pub fn add_instructions(&mut self, node: CallPathId, count: u64) {
        self.nodes[node.index()].instructions += count;
    }

    pub fn node(&self, node: CallPathId) -> &CallPathNode {
        &self.nodes[node.index()]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds empty nodes until there are `count`: for an observer whose counts are not read, but
    /// which must know every node that a state names.
    pub fn pad_to(&mut self, count: usize) {
        let root = self.nodes[0].clone();
        if self.nodes.len() < count {
            self.nodes.resize(count, root);
        }
    }

    /// Always false: the root is there from the start.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_names_the_same_call_path_in_another_tree() {
        let (mut a, mut b) = (CallPaths::new(FuncId(0)), CallPaths::new(FuncId(0)));
        b.enter(CallPathId(0), 9, FuncId(9));
        let outer = a.enter(CallPathId(0), 1, FuncId(1));
        let inner = a.enter(outer, 2, FuncId(1));
        // Further recursion folds onto the ancestor.
        assert_eq!(a.enter(inner, 2, FuncId(1)), inner);
        for node in [CallPathId(0), outer, inner] {
            let moved = b.enter_chain(&a.chain(node));
            assert_eq!(b.chain(moved), a.chain(node));
        }
        let count = b.len();
        b.enter_chain(&a.chain(inner));
        assert_eq!(b.len(), count);
    }
}
