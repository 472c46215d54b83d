//! Terms in transfer from one pool to another.
//!
//! Idea: a thread has a separate pool, because execution looks terms up all the time. Work that
//! moves to another thread takes its terms along as a list in which operands come before their
//! users; the receiving pool finds or makes each. Invariant: a term and its copy have the same
//! structure, hence the same structural hash, bounds and set of bytes. Objects (arrays) have the
//! same ids in all pools that share their names.

use super::node::{Node, TableId, Term};
use super::pool::Terms;
use super::shared_arrays::SharedArrays;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Terms without their pool.
#[derive(Debug, Default)]
pub struct PortableTerms {
    /// Every term with its node and width in bits, operands first. The ids belong to the first
    /// pool.
    nodes: Vec<(Term, Node, u32)>,
    /// Elements and their width in bits.
    tables: Vec<(TableId, Arc<[u64]>, u32)>,
    /// Start addresses of pointer sums, where recorded.
    starts: Vec<(Term, u64)>,
}

impl PortableTerms {
    /// Terms in the list.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// Map from terms of one pool to terms of another.
#[derive(Debug, Default)]
pub struct TermMap(FxHashMap<Term, Term>);

impl TermMap {
    /// The term of the receiving pool. A term that was not on the list is a bug of ours.
    pub fn of(&self, term: Term) -> Term {
        match self.0.get(&term) {
            Some(found) => *found,
            None => unreachable!("{term:?} moved without being on the list"),
        }
    }
}

impl Terms {
    /// A pool whose objects have the ids that all pools with the same list use.
    pub fn sharing(arrays: &SharedArrays) -> Terms {
        let mut terms = Terms::new();
        terms.shared_arrays = Some(arrays.clone());
        terms
    }

    /// The terms `roots` and all below them, for another pool.
    pub fn export(&self, roots: impl IntoIterator<Item = Term>) -> PortableTerms {
        let mut list = PortableTerms::default();
        let mut known: FxHashMap<Term, bool> = FxHashMap::default();
        let mut tables: FxHashMap<TableId, ()> = FxHashMap::default();
        let mut stack: Vec<Term> = Vec::new();
        for root in roots {
            stack.push(root);
            while let Some(&top) = stack.last() {
                // Seen once: its operands are above it. Seen again: they are on the list.
                match known.get(&top) {
                    Some(true) => {
                        stack.pop();
                        continue;
                    }
                    Some(false) => {
                        stack.pop();
                        let node = self.node(top);
                        if let Node::Table(table, _) = node
                            && tables.insert(table, ()).is_none()
                        {
                            let (elements, width) = self.table_elements(table);
                            list.tables.push((table, elements, width));
                        }
                        list.nodes.push((top, node, self.width(top)));
                        let start = self.noted_start(top);
                        list.starts.extend(start.map(|pointer| (top, pointer)));
                        known.insert(top, true);
                    }
                    None => {
                        known.insert(top, false);
                        self.node(top).for_each_operand(|operand| {
                            if !known.contains_key(&operand) {
                                stack.push(operand);
                            }
                        });
                    }
                }
            }
        }
        list
    }

    /// Takes terms over from another pool with the same list of objects.
    pub fn import(&self, list: &PortableTerms) -> TermMap {
        self.learn_arrays();
        let tables: FxHashMap<TableId, TableId> = list
            .tables
            .iter()
            .map(|(id, elements, width)| (*id, self.intern_table(elements, *width)))
            .collect();
        let mut map = TermMap::default();
        map.0.reserve(list.nodes.len());
        for (term, node, width) in &list.nodes {
            let own = node.moved(&|operand| map.of(operand), &|table| tables[&table]);
            let own = self.intern(own, *width);
            map.0.insert(*term, own);
        }
        for (term, pointer) in &list.starts {
            self.take_start(map.of(*term), *pointer);
        }
        map
    }
}

impl Node {
    /// Returns the node's operator over the corresponding terms and tables of another pool.
    fn moved(&self, term: &impl Fn(Term) -> Term, table: &impl Fn(TableId) -> TableId) -> Node {
        let of = term;
        match *self {
            Node::Const { .. } | Node::Symbol(_) => *self,
            Node::Bin(op, a, b) => Node::Bin(op, of(a), of(b)),
            Node::Cmp(op, a, b) => Node::Cmp(op, of(a), of(b)),
            Node::Not(a) => Node::Not(of(a)),
            Node::Zext { width, term } => Node::Zext {
                width,
                term: of(term),
            },
            Node::Sext { width, term } => Node::Sext {
                width,
                term: of(term),
            },
            Node::Extract { low, width, term } => Node::Extract {
                low,
                width,
                term: of(term),
            },
            Node::Concat(a, b) => Node::Concat(of(a), of(b)),
            Node::Ite(c, a, b) => Node::Ite(of(c), of(a), of(b)),
            Node::Table(id, index) => Node::Table(table(id), of(index)),
            Node::Float(function, operands) => Node::Float(function, operands.map(of)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Byte, smtlib};
    use homi_ir::ops::{BinOp, CmpOp};

    fn condition(terms: &Terms, name: &str, value: u128) -> Term {
        let array = terms.array(name, 0, 2);
        let byte = |index| terms.symbol(Byte { array, index });
        let table: Vec<u64> = (0..256).map(|index| index * 7 % 251).collect();
        let looked_up = terms.table(&table, 8, terms.zext(byte(0), 32));
        let sum = terms.bin(BinOp::Add, looked_up, byte(1));
        terms.cmp(CmpOp::Ult, sum, terms.constant(8, value))
    }

    #[test]
    fn a_term_taken_over_is_the_one_built_there() {
        let arrays = SharedArrays::default();
        let (first, second) = (Terms::sharing(&arrays), Terms::sharing(&arrays));
        // Different ids of terms and different first objects.
        second.constant(16, 99);
        let there_first = condition(&second, "other", 3);
        let moved = [condition(&first, "a", 10), condition(&first, "b", 20)];
        let list = first.export(moved);
        let map = second.import(&list);
        for (term, (name, value)) in moved.into_iter().zip([("a", 10), ("b", 20)]) {
            let own = map.of(term);
            assert_eq!(own, condition(&second, name, value));
            assert_eq!(second.structural_hash(own), first.structural_hash(term));
            assert_eq!(second.support(own), first.support(term));
            assert_eq!(
                smtlib::print(&second, &[own]),
                smtlib::print(&first, &[term])
            );
        }
        assert_ne!(map.of(moved[0]), there_first);
        assert_eq!(first.array("other", 0, 2), second.array("other", 0, 2));
    }

    #[test]
    fn each_term_is_on_the_list_once_and_after_its_operands() {
        let terms = Terms::new();
        let moved = [condition(&terms, "a", 10), condition(&terms, "a", 20)];
        let list = terms.export(moved.into_iter().chain(moved));
        assert!(!list.is_empty() && list.len() <= terms.len());
        let mut seen = Vec::new();
        for (term, node, _) in &list.nodes {
            node.for_each_operand(|operand| assert!(seen.contains(&operand)));
            assert!(!seen.contains(term));
            seen.push(*term);
        }
        assert!(moved.iter().all(|term| seen.contains(term)));
        assert_eq!(list.tables.len(), 1);
    }
}
