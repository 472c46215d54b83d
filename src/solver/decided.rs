//! Conditions that a path has already decided, found without a query.
//!
//! Programs compute with outcomes: `args += r` moves a pointer by a comparison's result, and the
//! branch on `r` comes after it. From then on the path knows `r`, but the sum was built before. So
//! this module looks up a term's conditions in three places: one over a single byte in the byte's
//! domain, any other among the latest constraints and among the latest conditions that a solver
//! proved. The result replaces the condition, which mostly leaves a constant where bounds or a
//! query would otherwise be computed each time. A term to which constraints left one value, such as
//! the width of a `printf` that the path has chosen, is that constant from then on. Everything here
//! follows from the path alone, so a state finds the same in every run.

use super::path::PathCondition;
use crate::term::{Node, Term, Terms};
use homi_ir::ops::BinOp;

/// Constraints that are looked through, the latest first.
const LATEST: usize = 32;
/// Nodes of a term that are looked at.
const MOST_NODES: u32 = 96;

impl PathCondition {
    /// Returns whether a 1-bit term always or never holds on this path, if a lookup can tell.
    pub fn decided(&self, terms: &Terms, condition: Term) -> Option<bool> {
        let known = self.looked_up(terms, condition);
        known.or_else(|| self.decided_by_numbers(terms, condition))
    }

    fn looked_up(&self, terms: &Terms, condition: Term) -> Option<bool> {
        if let Some(byte) = terms.single_byte(condition) {
            let domain = self.domain(byte);
            let allowed = domain.and(&terms.truth_set(condition)?);
            return match allowed {
                _ if allowed.is_empty() => Some(false),
                _ if allowed == domain => Some(true),
                _ => None,
            };
        }
        let negation = terms.not(condition);
        self.latest(LATEST)
            .chain(self.proven_conditions())
            .find_map(|known| match known {
                _ if known == condition => Some(true),
                _ if known == negation => Some(false),
                _ => None,
            })
    }

    /// Returns whether a comparison holds of the constants that its terms have become.
    fn decided_by_numbers(&self, terms: &Terms, condition: Term) -> Option<bool> {
        let Node::Cmp(operator, a, b) = terms.node(condition) else {
            return None;
        };
        let (left, right) = (self.simplified(terms, a), self.simplified(terms, b));
        if (left, right) == (a, b) {
            return None;
        }
        let outcome = terms.as_const(terms.cmp(operator, left, right))?;
        Some(outcome != 0)
    }

    /// Returns the term with constants in place of conditions that this path has decided
    /// (conditions that choose between two values, or are added as numbers) and of terms that it
    /// made equal to a constant. The search enters only sums, products and choices, down to a fixed
    /// number of nodes.
    pub fn simplified(&self, terms: &Terms, term: Term) -> Term {
        let mut simplifier = Simplifier {
            path: self,
            terms,
            nodes: MOST_NODES,
        };
        simplifier.simplify(term)
    }
}

struct Simplifier<'p> {
    path: &'p PathCondition,
    terms: &'p Terms,
    /// Number of nodes that may still be visited.
    nodes: u32,
}

impl Simplifier<'_> {
    fn simplify(&mut self, term: Term) -> Term {
        if self.nodes == 0 {
            return term;
        }
        self.nodes -= 1;
        let terms = self.terms;
        if let Some(value) = self.path.number(term) {
            return terms.constant(terms.width(term), value);
        }
        match terms.node(term) {
            Node::Bin(operator, a, b) if keeps_outcomes(operator) => {
                let (left, right) = (self.simplify(a), self.simplify(b));
                if (left, right) == (a, b) {
                    return term;
                }
                terms.bin(operator, left, right)
            }
            Node::Zext { width, term: from } => match self.simplify(from) {
                same if same == from => term,
                simplified => terms.zext(simplified, width.into()),
            },
            Node::Sext { width, term: from } => match self.simplify(from) {
                same if same == from => term,
                simplified => terms.sext(simplified, width.into()),
            },
            Node::Extract {
                low,
                width,
                term: from,
            } => match self.simplify(from) {
                same if same == from => term,
                simplified => terms.extract(simplified, low.into(), width.into()),
            },
            Node::Concat(high, low) => {
                let (left, right) = (self.simplify(high), self.simplify(low));
                if (left, right) == (high, low) {
                    return term;
                }
                terms.concat(left, right)
            }
            Node::Ite(condition, a, b) => match self.path.looked_up(terms, condition) {
                Some(true) => self.simplify(a),
                Some(false) => self.simplify(b),
                None => {
                    let (left, right) = (self.simplify(a), self.simplify(b));
                    if (left, right) == (a, b) {
                        return term;
                    }
                    terms.ite(condition, left, right)
                }
            },
            Node::Cmp(..) => match self.path.looked_up(terms, term) {
                Some(outcome) => terms.bool(outcome),
                None => term,
            },
            _ => term,
        }
    }
}

/// Operators through which an address or a counter is computed from outcomes.
fn keeps_outcomes(operator: BinOp) -> bool {
    matches!(
        operator,
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Or
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Byte;
    use homi_ir::ops::CmpOp;

    fn symbol(terms: &Terms, index: u32) -> Term {
        let array = terms.array("in", 0, 8);
        terms.symbol(Byte { array, index })
    }

    #[test]
    fn a_pointer_moved_by_outcomes_is_a_number_once_they_are_decided() {
        let terms = Terms::new();
        let is = |index, value| {
            let value = terms.constant(8, value);
            terms.cmp(CmpOp::Eq, symbol(&terms, index), value)
        };
        let (plus, minus) = (is(0, 43), is(1, 45));
        let pair = terms.cmp(CmpOp::Eq, symbol(&terms, 2), symbol(&terms, 3));
        let eight = |condition| {
            let outcome = terms.zext(condition, 64);
            terms.bin(BinOp::Mul, outcome, terms.constant(64, 8))
        };
        let mut sum = terms.constant(64, 4096);
        for condition in [plus, minus, pair] {
            sum = terms.bin(BinOp::Add, sum, eight(condition));
        }
        let mut path = PathCondition::new();
        assert_eq!(path.simplified(&terms, sum), sum);
        path.add(&terms, terms.not(plus));
        path.add(&terms, minus);
        let rest = path.simplified(&terms, sum);
        assert_eq!(terms.as_const(rest), None);
        assert_eq!(terms.range(rest), (4104, 4112));
        path.add(&terms, pair);
        assert_eq!(terms.as_const(path.simplified(&terms, sum)), Some(4112));
    }

    #[test]
    fn a_proven_condition_is_remembered_with_its_negation() {
        let terms = Terms::new();
        let less = terms.cmp(CmpOp::Ult, symbol(&terms, 0), symbol(&terms, 1));
        let mut path = PathCondition::new();
        assert_eq!(path.decided(&terms, less), None);
        path.note_proven(&terms, less);
        assert_eq!(path.decided(&terms, less), Some(true));
        assert_eq!(path.decided(&terms, terms.not(less)), Some(false));
    }

    #[test]
    fn a_term_that_a_constraint_made_a_number_is_that_number() {
        let terms = Terms::new();
        let digit = |index| terms.zext(symbol(&terms, index), 32);
        let ten = terms.constant(32, 10);
        let tens = terms.bin(BinOp::Mul, digit(0), ten);
        let width = terms.bin(BinOp::Add, tens, digit(1));
        let mut path = PathCondition::new();
        path.add(&terms, terms.cmp(CmpOp::Eq, width, terms.constant(32, 27)));
        let rest = terms.bin(BinOp::Add, width, terms.constant(32, 100));
        assert_eq!(terms.as_const(path.simplified(&terms, rest)), Some(127));
        let more = terms.cmp(CmpOp::Ult, digit(2), width);
        assert_eq!(path.decided(&terms, more), None);
        let beyond = terms.cmp(CmpOp::Ult, width, terms.constant(32, 20));
        assert_eq!(path.decided(&terms, beyond), Some(false));
    }

    #[test]
    fn a_term_that_is_halved_until_one_value_is_left_is_that_number() {
        let terms = Terms::new();
        let digit = |index| terms.zext(symbol(&terms, index), 32);
        let tens = terms.bin(BinOp::Mul, digit(0), terms.constant(32, 10));
        let width = terms.bin(BinOp::Add, tens, digit(1));
        let number = |value: u32| terms.constant(32, value.into());
        let padding = terms.bin(BinOp::Add, width, number(0u32.wrapping_sub(3)));
        let mut path = PathCondition::new();
        for (operator, value) in [(CmpOp::Sgt, 3), (CmpOp::Sle, 7), (CmpOp::Sgt, 5)] {
            path.add(&terms, terms.cmp(operator, padding, number(value)));
            assert_eq!(path.simplified(&terms, width), width);
        }
        let mut proven = path.clone();
        let last = terms.cmp(CmpOp::Sle, padding, number(6));
        path.add(&terms, last);
        proven.note_proven(&terms, last);
        for path in [path, proven] {
            assert_eq!(terms.as_const(path.simplified(&terms, padding)), Some(6));
            assert_eq!(terms.as_const(path.simplified(&terms, width)), Some(9));
        }
    }

    #[test]
    fn a_choice_becomes_the_side_that_the_byte_allows() {
        let terms = Terms::new();
        let byte = symbol(&terms, 0);
        let digit = terms.cmp(CmpOp::Ult, byte, terms.constant(8, 10));
        let choice = terms.ite(digit, symbol(&terms, 1), symbol(&terms, 2));
        let mut path = PathCondition::new();
        path.add(&terms, terms.cmp(CmpOp::Ugt, byte, terms.constant(8, 20)));
        assert_eq!(path.simplified(&terms, choice), symbol(&terms, 2));
    }
}
