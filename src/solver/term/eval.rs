//! Evaluation of one term under one model.
//!
//! Idea: a post-order walk with an explicit stack (terms can be deep) over the term's DAG; values
//! under the model at hand are remembered in an array indexed by term, and an epoch number tells
//! them from those under earlier models, so nothing is cleared or hashed. Values wider than 64
//! bits, which are rare, are kept outside of the array. Of a choice only the side that is chosen is
//! looked at.
//!
//! Invariant: an epoch is one model. A path asks about terms that grow from each other under a
//! model that seldom changes (a pointer that a loop moves by symbolic steps), and then only what
//! was added costs something.

use super::model::Model;
use super::node::{Node, Term};
use super::pool::{Terms, View};
use super::scratch::Scratch;
use homi_ir::ops::{eval_bin, eval_cmp, mask, signed};

impl Terms {
    /// The term's value under a model; bytes that the model lacks are 0.
    pub fn eval(&self, term: Term, model: &Model) -> u128 {
        let mut scratch = self.scratch.borrow_mut();
        scratch.begin(model);
        let (value, steps) = self.with_view(|view| {
            let mut walk = Walk {
                view,
                model,
                scratch: &mut scratch,
                steps: 0,
            };
            (walk.run(term), walk.steps)
        });
        self.note_walk(CALL + STEP * steps);
        value
    }
}

/// Cost of a call, and of each step of its walk, on common processors in nanoseconds: right within
/// a factor of two or three.
const CALL: u64 = 10;
const STEP: u64 = 15;

struct Walk<'a> {
    view: View<'a>,
    model: &'a Model,
    scratch: &'a mut Scratch,
    /// Looks at terms that were not known.
    steps: u64,
}

impl Walk<'_> {
    fn run(&mut self, root: Term) -> u128 {
        if let Some(value) = self.known(root) {
            return value;
        }
        let mut stack = std::mem::take(&mut self.scratch.stack);
        stack.clear();
        stack.push(root);
        while let Some(&top) = stack.last() {
            self.steps += 1;
            let node = self.view.entry(top).node;
            let before = stack.len();
            let mut need = |operand| match self.known(operand) {
                None => {
                    stack.push(operand);
                    None
                }
                known => known,
            };
            match node {
                Node::Ite(condition, holds, fails) => {
                    if let Some(value) = need(condition) {
                        need(if value == 0 { fails } else { holds });
                    }
                }
                _ => node.for_each_operand(|operand| {
                    need(operand);
                }),
            }
            if stack.len() == before {
                let value = self.apply(top, &node);
                self.remember(top, value);
                stack.pop();
            }
        }
        self.scratch.stack = stack;
        self.of(root)
    }

    #[inline(always)]
    fn leaf(&self, term: Term) -> Option<u128> {
        match self.view.entry(term).node {
            Node::Const { value, .. } => Some(value),
            Node::Symbol(byte) => Some(self.model.get(byte).into()),
            _ => None,
        }
    }

    /// The value of a leaf, or of a term that this walk has seen.
    #[inline(always)]
    fn known(&self, term: Term) -> Option<u128> {
        if let Some(&(value, epoch)) = self.scratch.values.get(term.index())
            && epoch == self.scratch.epoch
        {
            return Some(match self.view.entry(term).width {
                0..=64 => value.into(),
                _ => self.scratch.wide.get(&term).copied().unwrap_or(0),
            });
        }
        self.leaf(term)
    }

    #[inline(always)]
    fn of(&self, term: Term) -> u128 {
        self.known(term).unwrap_or(0)
    }

    fn remember(&mut self, term: Term, value: u128) {
        let values = &mut self.scratch.values;
        if values.len() <= term.index() {
            values.resize(term.index() + 1, (0, 0));
        }
        values[term.index()] = (value as u64, self.scratch.epoch);
        if self.view.entry(term).width > 64 {
            self.scratch.wide.insert(term, value);
        }
    }

    #[inline(always)]
    fn width(&self, term: Term) -> u32 {
        self.view.entry(term).width.into()
    }

    /// The value of a node whose operands are known.
    fn apply(&self, term: Term, node: &Node) -> u128 {
        match *node {
            Node::Const { value, .. } => value,
            Node::Symbol(byte) => self.model.get(byte).into(),
            Node::Bin(op, a, b) => eval_bin(op, self.width(term), self.of(a), self.of(b)),
            Node::Cmp(op, a, b) => eval_cmp(op, self.width(a), self.of(a), self.of(b)).into(),
            Node::Not(a) => !self.of(a) & mask(self.width(term)),
            Node::Zext { term, .. } => self.of(term),
            Node::Sext { width, term } => {
                signed(self.width(term), self.of(term)) as u128 & mask(width.into())
            }
            Node::Extract { low, width, term } => self.of(term) >> low & mask(width.into()),
            Node::Concat(high, low) => self.of(high) << self.width(low) | self.of(low),
            Node::Ite(c, a, b) => self.of(if self.of(c) == 0 { b } else { a }),
            Node::Table(table, index) => {
                let position = usize::try_from(self.of(index)).unwrap_or(usize::MAX);
                self.view.table_element(table, position).into()
            }
            Node::Float(function, operands) => function.eval(operands.map(|a| self.of(a))),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::term::{Byte, Model, Terms};
    use homi_ir::ops::BinOp;

    #[test]
    fn values_are_those_of_the_model_that_is_given_last() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 2);
        let [first, second] = [0, 1].map(|index| Byte { array, index });
        let sum = terms.bin(BinOp::Add, terms.symbol(first), terms.symbol(second));
        let mut model = Model::new();
        model.set(first, 3);
        assert_eq!(terms.eval(sum, &model), 3);
        let copy = model.clone();
        // The same model, changed in place, is another one.
        model.set(second, 4);
        assert_eq!(terms.eval(sum, &model), 7);
        assert_eq!(terms.eval(sum, &copy), 3);
        // A term that was made meanwhile starts from remembered values.
        let twice = terms.bin(BinOp::Mul, sum, terms.constant(8, 2));
        assert_eq!(terms.eval(twice, &copy), 6);
        assert_eq!(terms.eval(twice, &model), 14);
    }

    #[test]
    fn what_was_not_chosen_is_found_when_another_model_chooses_it() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 3);
        let [selector, left, right] = [0, 1, 2].map(|index| Byte { array, index });
        let condition = terms.eq_const(terms.symbol(selector), 1);
        let wide = |byte| {
            let extended = terms.zext(terms.symbol(byte), 128);
            terms.bin(BinOp::Shl, extended, terms.constant(128, 100))
        };
        let choice = terms.ite(condition, wide(left), wide(right));
        let mut model = Model::new();
        model.set(left, 5);
        model.set(right, 9);
        assert_eq!(terms.eval(choice, &model), 9 << 100);
        assert_eq!(terms.eval(wide(left), &model), 5 << 100);
        model.set(selector, 1);
        assert_eq!(terms.eval(choice, &model), 5 << 100);
    }

    #[test]
    fn a_sweep_forgets_the_values_of_dead_terms() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let symbol = terms.symbol(Byte { array, index: 0 });
        let mut model = Model::new();
        model.set(Byte { array, index: 0 }, 10);
        let of = |k| terms.bin(BinOp::Add, symbol, terms.constant(8, k));
        assert_eq!(terms.eval(of(1), &model), 11);
        terms.begin_mark();
        terms.mark(symbol);
        terms.sweep();
        // It takes the place of the one that died.
        assert_eq!(terms.eval(of(2), &model), 12);
    }
}
