//! Evaluation of one term under one model.
//!
//! Idea: a post-order walk with an explicit stack (terms can be deep) over the term's DAG; values of
//! this walk are remembered in an array indexed by term, and an epoch number tells them from those
//! of earlier walks, so nothing is cleared or hashed.

use super::model::Model;
use super::node::{Node, Term};
use super::pool::Terms;
use crate::ops::{eval_bin, eval_cmp, mask, signed};

#[derive(Debug, Default)]
pub(super) struct Scratch {
    values: Vec<(u128, u64)>,
    epoch: u64,
    stack: Vec<Term>,
}

impl Scratch {
    pub fn clear(&mut self) {
        *self = Scratch::default();
    }

    pub fn memory(&self) -> usize {
        self.values.capacity() * size_of::<(u128, u64)>()
    }
}

impl Terms {
    /// The term's value under a model; bytes that the model lacks are 0.
    pub fn eval(&self, term: Term, model: &Model) -> u128 {
        match self.node(term) {
            Node::Const { value, .. } => return value,
            Node::Symbol(byte) => return model.get(byte).into(),
            _ => {}
        }
        let mut scratch = self.scratch.borrow_mut();
        let Scratch {
            values,
            epoch,
            stack,
        } = &mut *scratch;
        *epoch += 1;
        let epoch = *epoch;
        stack.clear();
        stack.push(term);
        // `u128::MAX` with epoch 0 never counts as known: epochs start at 1.
        let known = |values: &[(u128, u64)], term: Term| match values.get(term.index()) {
            Some(&(value, at)) if at == epoch => Some(value),
            _ => None,
        };
        while let Some(&top) = stack.last() {
            let node = self.node(top);
            let before = stack.len();
            node.for_each_operand(|operand| {
                if known(values, operand).is_none() {
                    stack.push(operand);
                }
            });
            if stack.len() > before {
                continue;
            }
            let of = |operand: Term| known(values, operand).unwrap_or(0);
            let value = self.apply(top, &node, model, of);
            if values.len() <= top.index() {
                values.resize(top.index() + 1, (0, 0));
            }
            values[top.index()] = (value, epoch);
            stack.pop();
        }
        known(values, term).unwrap_or(0)
    }

    /// The value of `node`, whose operands have the values `of`.
    fn apply(&self, term: Term, node: &Node, model: &Model, of: impl Fn(Term) -> u128) -> u128 {
        match *node {
            Node::Const { value, .. } => value,
            Node::Symbol(byte) => model.get(byte).into(),
            Node::Bin(op, a, b) => eval_bin(op, self.width(term), of(a), of(b)),
            Node::Cmp(op, a, b) => eval_cmp(op, self.width(a), of(a), of(b)).into(),
            Node::Not(a) => !of(a) & mask(self.width(term)),
            Node::Zext { term, .. } => of(term),
            Node::Sext { width, term } => {
                signed(self.width(term), of(term)) as u128 & mask(width.into())
            }
            Node::Extract { low, width, term } => of(term) >> low & mask(width.into()),
            Node::Concat(high, low) => of(high) << self.width(low) | of(low),
            Node::Ite(c, a, b) => of(if of(c) == 0 { b } else { a }),
            Node::Table(table, index) => {
                let position = usize::try_from(of(index)).unwrap_or(usize::MAX);
                self.table_element(table, position).into()
            }
        }
    }
}
