//! Terms with operations wider than 64 bits, compiled for runs over the values of one byte.
//!
//! The programs resemble `lanes`, but have words of 128 bits and compute one lane after the other:
//! values that do not depend on the free byte are computed once, the rest for each value. x87
//! numbers have 80 bits, so conditions on `long double` are compiled here.

use super::node::{Byte, Node, Term};
use super::pool::Terms;
use super::walk::PostOrder;
use homi_ir::ops::{eval_bin, eval_cmp, mask, signed};
use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Debug)]
struct WideOp {
    node: Node,
    /// Widths of the result and of the last operand in bits.
    width: u32,
    last_width: u32,
    /// The operands' slots.
    slots: [u32; 3],
    /// The position of the byte in the program's bytes, if the node is one.
    position: u32,
    table: Option<Arc<[u64]>>,
}

/// Operations in order; operands come before users, the result is the last.
#[derive(Debug)]
pub(super) struct WideProgram {
    ops: Vec<WideOp>,
    /// For each operation the bytes it depends on (bit = position modulo 64).
    depends: Vec<u64>,
}

struct Compiler<'a> {
    terms: &'a Terms,
    bytes: &'a [Byte],
    program: WideProgram,
    slots: FxHashMap<Term, u32>,
}

impl PostOrder for Compiler<'_> {
    fn knows(&self, term: Term) -> bool {
        self.slots.contains_key(&term)
    }

    fn visit(&mut self, term: Term, node: &Node) -> bool {
        let slot = self.program.ops.len() as u32;
        self.program
            .push(self.terms, term, *node, &self.slots, self.bytes);
        self.slots.insert(term, slot);
        true
    }
}

impl WideProgram {
    /// Compiles a term. `bytes` are the bytes that the term mentions, sorted.
    pub fn compile(terms: &Terms, term: Term, bytes: &[Byte]) -> WideProgram {
        let mut compiler = Compiler {
            terms,
            bytes,
            program: WideProgram {
                ops: Vec::new(),
                depends: Vec::new(),
            },
            slots: FxHashMap::default(),
        };
        terms.post_order(term, &mut compiler);
        compiler.program
    }

    pub fn len(&self) -> usize {
        self.ops.len()
    }

    fn push(
        &mut self,
        terms: &Terms,
        term: Term,
        node: Node,
        slots: &FxHashMap<Term, u32>,
        bytes: &[Byte],
    ) {
        let mut op = WideOp {
            node,
            width: terms.width(term),
            last_width: 0,
            slots: [0; 3],
            position: 0,
            table: None,
        };
        let mut depends = 0;
        match node {
            Node::Symbol(byte) => {
                op.position = bytes.binary_search(&byte).unwrap_or(0) as u32;
                depends = 1 << (op.position % 64);
            }
            Node::Table(table, _) => op.table = Some(terms.table_elements(table).0),
            _ => {}
        }
        let mut count = 0;
        node.for_each_operand(|operand| {
            let slot = slots.get(&operand).copied().unwrap_or(0);
            op.slots[count] = slot;
            op.last_width = terms.width(operand);
            depends |= self.depends[slot as usize];
            count += 1;
        });
        self.ops.push(op);
        self.depends.push(depends);
    }

    /// Runs the program as `LaneProgram::run` does, on words of 128 bits.
    pub fn run(
        &self,
        words: &mut Vec<u128>,
        free: usize,
        values: &[u8],
        fixed: &[u8],
        out: &mut Vec<u64>,
    ) -> usize {
        let varies = |slot: usize| self.depends[slot] >> (free % 64) & 1 != 0;
        words.clear();
        for (slot, op) in self.ops.iter().enumerate() {
            let value = if varies(slot) {
                0
            } else {
                op.value(words, &|position| fixed[position])
            };
            words.push(value);
        }
        let varying: Vec<usize> = (0..self.ops.len()).filter(|&slot| varies(slot)).collect();
        for &value in values {
            let byte = |position: usize| {
                if position == free {
                    value
                } else {
                    fixed[position]
                }
            };
            for &slot in &varying {
                words[slot] = self.ops[slot].value(words, &byte);
            }
            out.push(words.last().copied().unwrap_or(0) as u64);
        }
        varying.len() * super::lanes::SLOW
    }
}

impl WideOp {
    fn value(&self, words: &[u128], byte: &dyn Fn(usize) -> u8) -> u128 {
        let [a, b, c] = self.slots;
        let of = |slot: u32| words[slot as usize];
        match self.node {
            Node::Const { value, .. } => value,
            Node::Symbol(_) => byte(self.position as usize).into(),
            Node::Bin(op, ..) => eval_bin(op, self.width, of(a), of(b)),
            Node::Cmp(op, ..) => eval_cmp(op, self.last_width, of(a), of(b)).into(),
            Node::Not(_) => !of(a) & mask(self.width),
            Node::Zext { .. } => of(a),
            Node::Sext { .. } => signed(self.last_width, of(a)) as u128 & mask(self.width),
            Node::Extract { low, .. } => of(a) >> low & mask(self.width),
            Node::Concat(..) => of(a) << self.last_width | of(b),
            Node::Ite(..) => of(if of(a) != 0 { b } else { c }),
            Node::Table(..) => {
                let index = usize::try_from(of(a)).ok();
                let elements = self.table.as_deref().unwrap_or(&[]);
                let element = index.and_then(|index| elements.get(index));
                element.map_or(0, |&element| element.into())
            }
            Node::Float(function, _) => function.eval(self.slots.map(of)),
        }
    }
}
