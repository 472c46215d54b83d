//! Data that both printers need: shared terms, objects and tables.
//!
//! Invariant: the order is a left-to-right post-order walk over the constraints, so equal
//! constraints give equal text.

use super::node::{ArrayId, Node, TableId, Term};
use super::pool::Terms;
use super::walk::PostOrder;
use indexmap::{IndexMap, IndexSet};

/// Result of a walk over constraints.
pub(super) struct Inventory {
    /// Every term, operands before users, with the number of its users (roots count as one).
    pub uses: IndexMap<Term, u32>,
    pub arrays: IndexSet<ArrayId>,
    pub tables: IndexSet<TableId>,
}

impl PostOrder for Inventory {
    fn knows(&self, term: Term) -> bool {
        self.uses.contains_key(&term)
    }

    fn visit(&mut self, term: Term, node: &Node) -> bool {
        match node {
            Node::Symbol(byte) => {
                self.arrays.insert(byte.array);
            }
            Node::Table(table, index) => {
                self.tables.insert(*table);
                // Scripts compare it with every run of elements: a name keeps tables of tables
                // small.
                self.used(*index);
            }
            _ => {}
        }
        node.for_each_operand(|operand| self.used(operand));
        self.uses.insert(term, 0);
        true
    }
}

impl Inventory {
    pub fn new(terms: &Terms, constraints: &[Term]) -> Inventory {
        let mut inventory = Inventory {
            uses: IndexMap::new(),
            arrays: IndexSet::new(),
            tables: IndexSet::new(),
        };
        for &constraint in constraints {
            terms.post_order(constraint, &mut inventory);
            inventory.used(constraint);
        }
        inventory
    }

    fn used(&mut self, term: Term) {
        if let Some(count) = self.uses.get_mut(&term) {
            *count += 1;
        }
    }

    /// The name of an object: its own, with the version appended from the second on.
    pub fn array_name(terms: &Terms, array: ArrayId) -> String {
        let info = terms.array_info(array);
        match info.version {
            0 => info.name.to_string(),
            version => format!("{}_{version}", info.name),
        }
    }
}
