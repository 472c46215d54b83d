//! Evaluation of one term for many values of one byte at once.
//!
//! Idea: a term's DAG is compiled once to a straight line of operations on slots. A run gives every
//! byte but one a fixed value and the free byte a list of up to 256 values, its lanes; operations
//! that do not depend on the free byte are computed once, the others by a loop over all lanes that
//! the compiler vectorizes. Terms with operations wider than 64 bits (x87 numbers) run lane by
//! lane, see `wide`.

mod bounds;
mod cache;
mod signatures;
mod staged;
mod vector;

pub(super) use cache::LaneCache;
pub use cache::Relation;
pub use staged::{BytePlace, StageVectors, StagedProgram};

use super::node::{Byte, Node, Term};
use super::pool::Terms;
use super::walk::PostOrder;
use super::wide::WideProgram;
use homi_ir::ops::float::FloatFunction;
use homi_ir::ops::{BinOp, CmpOp, eval_bin, eval_cmp, mask64, signed64};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use vector::{Operand, vector};

/// One operation; operands are earlier slots, the result goes to the slot with the operation's
/// number.
#[derive(Clone, Debug)]
enum Op {
    Const(u64),
    /// The byte at this position of `LaneProgram::bytes`.
    Byte(u32),
    Bin(BinOp, u8, u32, u32),
    Cmp(CmpOp, u8, u32, u32),
    /// Exclusive or with a mask: complement.
    Flip(u64, u32),
    /// Sign extension: the width extended from, the mask of the result.
    Sext(u8, u64, u32),
    /// Shift right, then mask.
    Extract(u8, u64, u32),
    /// One value above another, whose width comes first.
    Concat(u8, u32, u32),
    Ite(u32, u32, u32),
    Table(Arc<[u64]>, u32),
    Float(FloatFunction, [u32; 3]),
}

impl Op {
    /// The operation for a term whose operands have the slots that `at` says.
    fn of(
        terms: &Terms,
        term: Term,
        node: &Node,
        at: impl Fn(Term) -> u32,
        symbol: impl Fn(Byte) -> Op,
    ) -> Op {
        let width = terms.width(term) as u8;
        let all = mask64(width.into());
        match *node {
            Node::Const { value, .. } => Op::Const(value as u64),
            Node::Symbol(byte) => symbol(byte),
            Node::Bin(op, a, b) => Op::Bin(op, width, at(a), at(b)),
            Node::Cmp(op, a, b) => Op::Cmp(op, terms.width(a) as u8, at(a), at(b)),
            Node::Not(a) => Op::Flip(all, at(a)),
            Node::Zext { term, .. } => Op::Extract(0, u64::MAX, at(term)),
            Node::Sext { term, .. } => Op::Sext(terms.width(term) as u8, all, at(term)),
            Node::Extract { low, term, .. } => Op::Extract(low, all, at(term)),
            Node::Concat(high, low) => Op::Concat(terms.width(low) as u8, at(high), at(low)),
            Node::Ite(c, a, b) => Op::Ite(at(c), at(a), at(b)),
            Node::Table(table, index) => Op::Table(terms.table_elements(table).0, at(index)),
            Node::Float(function, operands) => Op::Float(function, operands.map(at)),
        }
    }

    /// Returns the operation's value, given the values of the earlier slots and of the bytes.
    fn scalar(&self, scalars: &[u64], fixed: &[u8]) -> u64 {
        let of = |slot: u32| scalars[slot as usize];
        match self {
            Op::Const(value) => *value,
            Op::Byte(position) => fixed[*position as usize].into(),
            Op::Bin(op, width, a, b) => {
                eval_bin(*op, (*width).into(), of(*a).into(), of(*b).into()) as u64
            }
            Op::Cmp(op, width, a, b) => {
                eval_cmp(*op, (*width).into(), of(*a).into(), of(*b).into()).into()
            }
            Op::Flip(all, a) => of(*a) ^ all,
            Op::Sext(from, all, a) => signed64((*from).into(), of(*a)) as u64 & all,
            Op::Extract(low, all, a) => of(*a) >> low & all,
            Op::Concat(width, high, low) => of(*high) << width | of(*low),
            Op::Ite(c, a, b) => of(if of(*c) != 0 { *a } else { *b }),
            Op::Table(elements, index) => element(elements, of(*index)),
            Op::Float(function, slots) => function.eval(slots.map(|a| of(a).into())) as u64,
        }
    }

    /// Calls `visit` with the slot of each operand.
    fn for_each_slot(&self, mut visit: impl FnMut(u32)) {
        match *self {
            Op::Const(_) | Op::Byte(_) => {}
            Op::Flip(_, a) | Op::Sext(_, _, a) | Op::Extract(_, _, a) | Op::Table(_, a) => visit(a),
            Op::Bin(_, _, a, b) | Op::Cmp(_, _, a, b) | Op::Concat(_, a, b) => {
                visit(a);
                visit(b);
            }
            Op::Ite(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
            Op::Float(function, slots) => {
                slots[..function.arity()].iter().for_each(|&a| visit(a));
            }
        }
    }
}

/// A term compiled for runs over the values of one of its bytes.
#[derive(Debug)]
pub struct LaneProgram {
    /// The bytes that the term mentions, sorted.
    pub bytes: Vec<Byte>,
    /// Empty if the term has operations wider than 64 bits.
    ops: Vec<Op>,
    /// The operations if some are wider than 64 bits.
    wide: Option<WideProgram>,
    /// For each operation the bytes it depends on (bit = position modulo 64).
    depends: Vec<u64>,
}

type LaneValues = [u64; 256];

/// Memory for runs, reused.
#[derive(Debug, Default)]
pub struct Lanes {
    scalars: Vec<u64>,
    vectors: Vec<LaneValues>,
    /// The slot's vector, or `UNIFORM` when all lanes have the scalar.
    place: Vec<u32>,
    needed: Vec<bool>,
    wide: Vec<u128>,
}

const UNIFORM: u32 = u32::MAX;
/// Operations above which a program is costly.
const COSTLY: usize = 64;
/// Number of vector operations that cost as much as one operation lane by lane.
pub(super) const SLOW: usize = 16;

struct Compiler<'a> {
    terms: &'a Terms,
    program: LaneProgram,
    slots: FxHashMap<Term, u32>,
}

impl PostOrder for Compiler<'_> {
    fn knows(&self, term: Term) -> bool {
        self.slots.contains_key(&term)
    }

    /// Ends the compilation at a term of more than 64 bits.
    fn visit(&mut self, term: Term, node: &Node) -> bool {
        if self.terms.width(term) > 64 {
            return false;
        }
        let slot = self.program.ops.len() as u32;
        self.program.push(self.terms, term, node, &self.slots);
        self.slots.insert(term, slot);
        true
    }
}

impl LaneProgram {
    /// Compiles a term of at most 64 bits.
    pub fn compile(terms: &Terms, term: Term) -> LaneProgram {
        let mut compiler = Compiler {
            terms,
            program: LaneProgram {
                bytes: terms.support(term).to_vec(),
                ops: Vec::new(),
                wide: None,
                depends: Vec::new(),
            },
            slots: FxHashMap::default(),
        };
        let is_narrow = terms.post_order(term, &mut compiler);
        let mut program = compiler.program;
        if !is_narrow {
            program.ops.clear();
            program.depends.clear();
            program.wide = Some(WideProgram::compile(terms, term, &program.bytes));
        }
        program
    }

    /// Number of operations, a measure of a run's cost.
    pub fn len(&self) -> usize {
        let wide = self.wide.as_ref().map_or(0, WideProgram::len);
        self.ops.len().max(wide).max(1)
    }

    /// True if a run takes long: many operations, or some of more than 64 bits.
    pub fn is_costly(&self) -> bool {
        self.wide.is_some() || self.ops.len() > COSTLY
    }

    /// True if the program has no operations of at most 64 bits (it runs all the same).
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    fn push(&mut self, terms: &Terms, term: Term, node: &Node, slots: &FxHashMap<Term, u32>) {
        let at = |term: Term| slots.get(&term).copied().unwrap_or(0);
        let op = Op::of(terms, term, node, at, |byte| {
            let position = self.bytes.binary_search(&byte).unwrap_or(0);
            Op::Byte(position as u32)
        });
        let mut depends = match op {
            Op::Byte(position) => 1 << (position % 64),
            _ => 0,
        };
        node.for_each_operand(|operand| depends |= self.depends[at(operand) as usize]);
        self.ops.push(op);
        self.depends.push(depends);
    }

    /// Evaluates the term with the byte at position `free` of `bytes` taking each of `values` (at
    /// most 256) in turn and the others their value in `fixed` (same positions as `bytes`).
    /// Writes one result per value. Returns the number of operations that had to be done for every
    /// value: a selection whose condition does not depend on the free byte needs one side only.
    pub fn run(
        &self,
        lanes: &mut Lanes,
        free: usize,
        values: &[u8],
        fixed: &[u8],
        out: &mut Vec<u64>,
    ) -> usize {
        out.clear();
        if let Some(wide) = &self.wide {
            return wide.run(&mut lanes.wide, free, values, fixed, out);
        }
        let count = values.len().min(256);
        let varies = |slot: usize| self.depends[slot] >> (free % 64) & 1 != 0;
        self.run_uniform(lanes, &varies, fixed);
        self.mark_needed(lanes, &varies);
        let (mut used, mut slow) = (0, 0);
        for (slot, op) in self.ops.iter().enumerate() {
            if !lanes.needed[slot] || !varies(slot) {
                continue;
            }
            if let Some(chosen) = self.chosen(lanes, &varies, op) {
                lanes.place[slot] = lanes.place[chosen as usize];
                lanes.scalars[slot] = lanes.scalars[chosen as usize];
                continue;
            }
            let (earlier, result) = next_vector(&mut lanes.vectors, used);
            let operand = |slot: u32| match lanes.place[slot as usize] {
                UNIFORM => Operand::Uniform(lanes.scalars[slot as usize]),
                place => Operand::Varying(&earlier[place as usize]),
            };
            match op {
                Op::Byte(position) if *position as usize == free => {
                    for (lane, &value) in result.iter_mut().zip(values) {
                        *lane = value.into();
                    }
                }
                // Another byte of the same dependence bit: the same in all lanes.
                Op::Byte(position) => result[..count].fill(fixed[*position as usize].into()),
                _ => vector(op, operand, &mut result[..count]),
            }
            slow += usize::from(matches!(op, Op::Float(..)));
            lanes.place[slot] = used as u32;
            used += 1;
        }
        match lanes.place.last() {
            Some(&UNIFORM) | None => {
                let value = lanes.scalars.last().copied().unwrap_or(0);
                out.resize(count, value);
            }
            Some(&place) => out.extend_from_slice(&lanes.vectors[place as usize][..count]),
        }
        used + slow * SLOW
    }

    /// Computes what is the same in all lanes.
    fn run_uniform(&self, lanes: &mut Lanes, varies: &impl Fn(usize) -> bool, fixed: &[u8]) {
        lanes.scalars.clear();
        lanes.place.clear();
        lanes.place.resize(self.ops.len(), UNIFORM);
        for (slot, op) in self.ops.iter().enumerate() {
            let value = if varies(slot) {
                0
            } else {
                op.scalar(&lanes.scalars, fixed)
            };
            lanes.scalars.push(value);
        }
    }

    /// Marks the operations that the result needs, from the last one backwards.
    fn mark_needed(&self, lanes: &mut Lanes, varies: &impl Fn(usize) -> bool) {
        lanes.needed.clear();
        lanes.needed.resize(self.ops.len(), false);
        if let Some(last) = lanes.needed.last_mut() {
            *last = true;
        }
        for (slot, op) in self.ops.iter().enumerate().rev() {
            if !lanes.needed[slot] || !varies(slot) {
                continue;
            }
            match self.chosen(lanes, varies, op) {
                Some(chosen) => lanes.needed[chosen as usize] = true,
                None => op.for_each_slot(|operand| lanes.needed[operand as usize] = true),
            }
        }
    }

    /// The side of a selection that all lanes take.
    fn chosen(&self, lanes: &Lanes, varies: &impl Fn(usize) -> bool, op: &Op) -> Option<u32> {
        match *op {
            Op::Ite(c, a, b) if !varies(c as usize) => {
                Some(if lanes.scalars[c as usize] != 0 { a } else { b })
            }
            _ => None,
        }
    }
}

/// The vectors of earlier slots, and one for the next result.
fn next_vector(vectors: &mut Vec<LaneValues>, used: usize) -> (&[LaneValues], &mut LaneValues) {
    if vectors.len() <= used {
        vectors.push([0; 256]);
    }
    let (earlier, rest) = vectors.split_at_mut(used);
    (earlier, &mut rest[0])
}

fn element(elements: &[u64], index: u64) -> u64 {
    usize::try_from(index)
        .ok()
        .and_then(|index| elements.get(index).copied())
        .unwrap_or(0)
}
