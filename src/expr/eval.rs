//! Evaluation of one term under one model.
//!
//! Idea: a post-order walk with an explicit stack (terms can be deep) over the term's DAG; values of
//! this walk are remembered in an array indexed by term, and an epoch number tells them from those
//! of earlier walks, so nothing is cleared or hashed. Values wider than 64 bits, which are rare, are
//! kept beside the array.

use super::model::Model;
use super::node::{Node, Term};
use super::pool::{Terms, View};
use crate::ops::{eval_bin, eval_cmp, mask, signed};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Value and epoch by term.
    values: Vec<(u64, u32)>,
    wide: FxHashMap<Term, u128>,
    epoch: u32,
    stack: Vec<Term>,
}

impl Scratch {
    pub fn clear(&mut self) {
        *self = Scratch::default();
    }

    pub fn memory(&self) -> usize {
        self.values.capacity() * size_of::<(u64, u32)>()
    }
}

impl Terms {
    /// The term's value under a model; bytes that the model lacks are 0.
    pub fn eval(&self, term: Term, model: &Model) -> u128 {
        let mut scratch = self.scratch.borrow_mut();
        if scratch.epoch == u32::MAX {
            scratch.clear();
        }
        self.with_view(|view| {
            Walk {
                view,
                model,
                scratch: &mut scratch,
            }
            .run(term)
        })
    }
}

struct Walk<'a> {
    view: View<'a>,
    model: &'a Model,
    scratch: &'a mut Scratch,
}

impl Walk<'_> {
    fn run(&mut self, root: Term) -> u128 {
        if let Some(value) = self.leaf(root) {
            return value;
        }
        self.scratch.epoch += 1;
        self.scratch.wide.clear();
        let mut stack = std::mem::take(&mut self.scratch.stack);
        stack.clear();
        stack.push(root);
        while let Some(&top) = stack.last() {
            let node = self.view.entry(top).node;
            let before = stack.len();
            node.for_each_operand(|operand| {
                if self.known(operand).is_none() {
                    stack.push(operand);
                }
            });
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
