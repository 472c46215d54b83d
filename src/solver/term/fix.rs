//! Terms with constants in place of one object's bytes, or with other terms in place of bytes.
//!
//! Invariant: the result is what the constructors give for the same operators over the replaced
//! operands, so it has the value of the original under every model that gives the bytes the values
//! of their replacements.

use super::node::{ArrayId, Byte, Node, Term};
use super::pool::Terms;
use super::walk::PostOrder;
use rustc_hash::FxHashMap;

/// Replacements of the visited terms.
struct Fixer<'t> {
    terms: &'t Terms,
    array: ArrayId,
    value: &'t dyn Fn(u32) -> u8,
    done: FxHashMap<Term, Term>,
}

impl PostOrder for Fixer<'_> {
    fn knows(&self, term: Term) -> bool {
        self.done.contains_key(&term) || !self.terms.mentions(term, self.array)
    }

    fn visit(&mut self, term: Term, node: &Node) -> bool {
        let of = |operand: Term| self.done.get(&operand).copied().unwrap_or(operand);
        let fixed = match node {
            Node::Symbol(byte) => self.terms.constant(8, (self.value)(byte.index).into()),
            _ => self.terms.rebuilt(*node, term, &of),
        };
        self.terms.carry_start(term, fixed);
        self.done.insert(term, fixed);
        true
    }
}

/// Replacements of visited terms: the same bytes have the same terms for all of them.
#[derive(Debug, Default)]
pub struct Substituted {
    done: FxHashMap<Term, Term>,
}

/// Puts terms in place of bytes.
struct Substituter<'t> {
    terms: &'t Terms,
    value: &'t mut dyn FnMut(Byte) -> Term,
    done: &'t mut FxHashMap<Term, Term>,
}

impl PostOrder for Substituter<'_> {
    fn knows(&self, term: Term) -> bool {
        self.done.contains_key(&term)
    }

    fn visit(&mut self, term: Term, node: &Node) -> bool {
        let of = |operand: Term| self.done.get(&operand).copied().unwrap_or(operand);
        let put = match node {
            Node::Symbol(byte) => (self.value)(*byte),
            _ => self.terms.rebuilt(*node, term, &of),
        };
        self.terms.carry_start(term, put);
        self.done.insert(term, put);
        true
    }
}

/// Cost of a substitution, and of each term made by it, on common processors in nanoseconds: right
/// within a factor of two or three.
const CALL: u64 = 20;
const TERM: u64 = 150;

impl Terms {
    /// The term with the term `value(byte)` of 8 bits in place of each byte. `known` has what was
    /// found for earlier terms with the same `value`, and gets what is found.
    pub fn substitute(
        &self,
        root: Term,
        known: &mut Substituted,
        value: &mut dyn FnMut(Byte) -> Term,
    ) -> Term {
        let before = known.done.len();
        let mut substituter = Substituter {
            terms: self,
            value,
            done: &mut known.done,
        };
        self.post_order(root, &mut substituter);
        let made = known.done.len() - before;
        self.note_walk(CALL + TERM * made as u64);
        known.done.get(&root).copied().unwrap_or(root)
    }

    /// True if the term depends on a byte of the object, as far as its structure tells.
    pub fn mentions(&self, term: Term, array: ArrayId) -> bool {
        let support = self.support(term);
        support
            .binary_search_by_key(&array, |byte| byte.array)
            .is_ok()
    }

    /// The term with byte `index` of the object being `value(index)`.
    pub fn fix_array(&self, root: Term, array: ArrayId, value: &dyn Fn(u32) -> u8) -> Term {
        let mut fixer = Fixer {
            terms: self,
            array,
            value,
            done: FxHashMap::default(),
        };
        self.post_order(root, &mut fixer);
        fixer.done.get(&root).copied().unwrap_or(root)
    }

    /// Rebuilds `term`, whose node is `node`, over other operands.
    fn rebuilt(&self, node: Node, term: Term, of: &dyn Fn(Term) -> Term) -> Term {
        match node {
            Node::Const { .. } | Node::Symbol(_) => term,
            Node::Bin(op, a, b) => self.bin(op, of(a), of(b)),
            Node::Cmp(op, a, b) => self.cmp(op, of(a), of(b)),
            Node::Not(a) => self.not(of(a)),
            Node::Zext { width, term } => self.zext(of(term), width.into()),
            Node::Sext { width, term } => self.sext(of(term), width.into()),
            Node::Extract { low, width, term } => self.extract(of(term), low.into(), width.into()),
            Node::Concat(high, low) => self.concat(of(high), of(low)),
            Node::Ite(condition, a, b) => self.ite(of(condition), of(a), of(b)),
            Node::Table(table, index) => {
                let (elements, width) = self.table_elements(table);
                self.table(&elements, width, of(index))
            }
            Node::Float(function, operands) => {
                // Operands beyond the arity repeat the first, which has been replaced.
                self.float(function, operands.map(of))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::random_tests::Generator;
    use crate::term::{Byte, Model};

    #[test]
    fn a_term_over_other_terms_has_the_value_under_theirs() {
        for seed in 0..40 {
            let terms = Terms::new();
            let mut generator = Generator::new(&terms, seed, 3);
            let list: Vec<Term> = (0..60).map(|_| generator.condition()).collect();
            let other = terms.array("other", 0, 256);
            let stands = |byte: Byte| {
                let index = (byte.index * 7 + byte.array.0) % 256;
                let symbol = terms.symbol(Byte {
                    array: other,
                    index,
                });
                terms.bin(homi_ir::ops::BinOp::Add, symbol, terms.constant(8, 3))
            };
            let mut known = Substituted::default();
            let mut outside = Model::new();
            for index in 0..256 {
                let value = (index * 31 + seed as u32) as u8;
                outside.set(
                    Byte {
                        array: other,
                        index,
                    },
                    value,
                );
            }
            for term in list {
                let mut inside = Model::new();
                for byte in terms.support(term).iter() {
                    inside.set(*byte, terms.eval(stands(*byte), &outside) as u8);
                }
                let put = terms.substitute(term, &mut known, &mut |byte| stands(byte));
                assert_eq!(terms.eval(put, &outside), terms.eval(term, &inside));
            }
        }
    }

    #[test]
    fn a_fixed_term_has_the_value_under_the_fixed_bytes() {
        for seed in 0..40 {
            let terms = Terms::new();
            let mut generator = Generator::new(&terms, seed, 3);
            let list: Vec<Term> = (0..60).map(|_| generator.condition()).collect();
            for term in list {
                let Some(byte) = terms.support(term).first().copied() else {
                    continue;
                };
                let value = |index: u32| (index * 37 + seed as u32) as u8;
                let fixed = terms.fix_array(term, byte.array, &value);
                assert!(!terms.mentions(fixed, byte.array));
                for other in [0u8, 1, 200] {
                    let mut model = Model::new();
                    for byte in terms.support(term).iter() {
                        model.set(*byte, other.wrapping_add(byte.index as u8));
                    }
                    let mut inside = model.clone();
                    for index in 0..terms.array_info(byte.array).size {
                        let array = byte.array;
                        inside.set(Byte { array, index }, value(index));
                    }
                    assert_eq!(terms.eval(fixed, &model), terms.eval(term, &inside));
                }
            }
        }
    }
}
