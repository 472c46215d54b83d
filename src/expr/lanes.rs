//! Evaluation of one term for many values of one byte at once.
//!
//! Idea: a term's DAG is compiled once to a straight line of operations on slots. A run gives every
//! byte but one a fixed value and the free byte a list of up to 256 values, its lanes; operations
//! that do not depend on the free byte are computed once, the others by a loop over all lanes that
//! the compiler vectorises. Terms with operations wider than 64 bits (x87 numbers) run lane by lane, see `wide`.

use super::node::{Byte, Node, Term};
use super::pool::Terms;
use super::range;
use super::walk::PostOrder;
use super::wide::WideProgram;
use crate::ops::float::FloatFunction;
use crate::ops::{BinOp, CmpOp, eval_bin, eval_cmp, mask64, signed64};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A set of values of one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ByteSet(pub [u64; 4]);

impl ByteSet {
    pub const EMPTY: ByteSet = ByteSet([0; 4]);
    pub const FULL: ByteSet = ByteSet([u64::MAX; 4]);

    /// The set of one value.
    pub fn single(value: u8) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        set.insert(value);
        set
    }

    #[inline]
    pub fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    #[inline]
    pub fn contains(&self, value: u8) -> bool {
        self.0[usize::from(value >> 6)] >> (value & 63) & 1 != 0
    }

    #[inline]
    pub fn and(&self, other: &ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub fn or(&self, other: &ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The values that are not in the set.
    pub fn complement(&self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Number of values, 0 to 256.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The least value.
    #[inline]
    pub fn first(&self) -> Option<u8> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some((word as u32 * 64 + self.0[word].trailing_zeros()) as u8)
    }

    /// The greatest value.
    pub fn last(&self) -> Option<u8> {
        let word = self.0.iter().rposition(|&word| word != 0)?;
        Some((word as u32 * 64 + 63 - self.0[word].leading_zeros()) as u8)
    }

    /// The value, if there is exactly one.
    #[inline]
    pub fn only(&self) -> Option<u8> {
        (self.len() == 1).then(|| self.first()).flatten()
    }

    /// The values in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + use<> {
        let words = self.0;
        (0..4u32).flat_map(move |index| {
            let mut word = words[index as usize];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    (index * 64 + bit) as u8
                })
            })
        })
    }
}

/// One operation; operands are earlier slots, the result goes to the slot of its own number.
#[derive(Clone, Debug)]
enum Op {
    Const(u64),
    /// The byte at this position of `LaneProgram::bytes`.
    Byte(u32),
    Bin(BinOp, u8, u32, u32),
    Cmp(CmpOp, u8, u32, u32),
    /// Exclusive or with a mask: complement.
    Flip(u64, u32),
    /// From the given width; mask of the result.
    Sext(u8, u64, u32),
    /// Shift right, then mask.
    Extract(u8, u64, u32),
    /// Width of the low part.
    Concat(u8, u32, u32),
    Ite(u32, u32, u32),
    Table(Arc<[u64]>, u32),
    Float(FloatFunction, [u32; 3]),
}

impl Op {
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
/// How many operations on vectors cost as much as one that is done lane by lane.
pub(super) const SLOW: usize = 16;

#[derive(Clone, Copy)]
enum Operand<'a> {
    Uniform(u64),
    Varying(&'a LaneValues),
}

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

    /// Whether a run takes long: many operations, or some of more than 64 bits.
    pub fn is_costly(&self) -> bool {
        self.wide.is_some() || self.ops.len() > COSTLY
    }

    /// Whether the program has no operations of at most 64 bits (it runs all the same).
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    fn push(&mut self, terms: &Terms, term: Term, node: &Node, slots: &FxHashMap<Term, u32>) {
        let at = |term: Term| slots.get(&term).copied().unwrap_or(0);
        let width = terms.width(term) as u8;
        let all = mask64(width.into());
        let op = match *node {
            Node::Const { value, .. } => Op::Const(value as u64),
            Node::Symbol(byte) => {
                let position = self.bytes.binary_search(&byte).unwrap_or(0);
                Op::Byte(position as u32)
            }
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
        };
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
            if lanes.vectors.len() <= used {
                lanes.vectors.push([0; 256]);
            }
            let (earlier, rest) = lanes.vectors.split_at_mut(used);
            let result = &mut rest[0];
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
                self.scalar(op, &lanes.scalars, fixed)
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

    /// Mixes into `signatures` (one per value) what the term sees of the byte at position `free`: two
    /// values with equal signatures make no difference to the term, whatever the other bytes are.
    /// False if every value must be taken as different.
    ///
    /// Idea: the term reaches the byte only through its largest parts that depend on no other byte.
    pub fn signatures(
        &self,
        lanes: &mut Lanes,
        free: usize,
        values: &[u8],
        signatures: &mut [u64],
    ) -> bool {
        if self.ops.is_empty() || self.bytes.len() > 64 {
            return false;
        }
        let own = 1u64 << free;
        let count = values.len().min(256);
        lanes.scalars.clear();
        lanes.place.clear();
        let mut used = 0;
        let mut seen = vec![false; self.ops.len()];
        let fixed = vec![0; self.bytes.len()];
        for (slot, (op, &depends)) in self.ops.iter().zip(&self.depends).enumerate() {
            // Operations on other bytes have no value here; they show which parts they use.
            if depends & !own != 0 {
                op.for_each_slot(|operand| seen[operand as usize] = true);
            }
            lanes.place.push(UNIFORM);
            if depends != own {
                let known = depends == 0;
                let value = if known {
                    self.scalar(op, &lanes.scalars, &fixed)
                } else {
                    0
                };
                lanes.scalars.push(value);
                continue;
            }
            lanes.scalars.push(0);
            if lanes.vectors.len() <= used {
                lanes.vectors.push([0; 256]);
            }
            let (earlier, rest) = lanes.vectors.split_at_mut(used);
            let result = &mut rest[0];
            let operand = |slot: u32| match lanes.place[slot as usize] {
                UNIFORM => Operand::Uniform(lanes.scalars[slot as usize]),
                place => Operand::Varying(&earlier[place as usize]),
            };
            match op {
                Op::Byte(_) => {
                    for (lane, &value) in result.iter_mut().zip(values) {
                        *lane = value.into();
                    }
                }
                _ => vector(op, operand, &mut result[..count]),
            }
            lanes.place[slot] = used as u32;
            used += 1;
        }
        // The whole term is such a part, too, if it depends on nothing else.
        if let Some(last) = seen.last_mut() {
            *last = true;
        }
        for (slot, seen) in seen.iter().enumerate() {
            if !seen || lanes.place[slot] == UNIFORM {
                continue;
            }
            // A byte that is used itself, or only extended first, is seen in full.
            let whole = match self.ops[slot] {
                Op::Byte(_) => true,
                Op::Extract(0, u64::MAX, a) => matches!(self.ops[a as usize], Op::Byte(_)),
                _ => false,
            };
            if whole {
                return false;
            }
            let values = &lanes.vectors[lanes.place[slot] as usize];
            for (signature, &value) in signatures.iter_mut().zip(values) {
                *signature = super::pool::mix(*signature, value.wrapping_add(1));
            }
        }
        true
    }

    /// Unsigned bounds of the term when each byte (same positions as `bytes`) lies within its
    /// inclusive bounds. Sound, not exact.
    pub fn bounds(&self, bytes: &[(u8, u8)], slots: &mut Vec<(u64, u64)>) -> (u64, u64) {
        slots.clear();
        for op in &self.ops {
            let of = |slot: u32| slots[slot as usize];
            let result = match op {
                Op::Const(value) => (*value, *value),
                Op::Byte(position) => {
                    let (low, high) = bytes[*position as usize];
                    (low.into(), high.into())
                }
                Op::Bin(op, width, a, b) => range::bin(*op, (*width).into(), of(*a), of(*b)),
                Op::Cmp(op, width, a, b) => {
                    match range::compare(*op, (*width).into(), of(*a), of(*b)) {
                        Some(answer) => (answer.into(), answer.into()),
                        None => (0, 1),
                    }
                }
                Op::Flip(all, a) => (all - of(*a).1, all - of(*a).0),
                Op::Sext(from, all, a) => range::sext((*from).into(), all.count_ones(), of(*a)),
                Op::Extract(low, all, a) => range::extract((*low).into(), all.count_ones(), of(*a)),
                Op::Concat(width, high, low) => {
                    let (h, l) = (of(*high), of(*low));
                    (h.0 << width | l.0, h.1 << width | l.1)
                }
                Op::Ite(c, a, b) => match of(*c) {
                    (1, _) => of(*a),
                    (_, 0) => of(*b),
                    _ => (of(*a).0.min(of(*b).0), of(*a).1.max(of(*b).1)),
                },
                Op::Table(elements, index) => table_bounds(elements, of(*index)),
                Op::Float(function, [a, ..]) => range::float(*function, of(*a)),
            };
            slots.push(result);
        }
        slots.last().copied().unwrap_or((0, u64::MAX))
    }

    fn scalar(&self, op: &Op, scalars: &[u64], fixed: &[u8]) -> u64 {
        let of = |slot: u32| scalars[slot as usize];
        match op {
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
}

fn element(elements: &[u64], index: u64) -> u64 {
    usize::try_from(index)
        .ok()
        .and_then(|index| elements.get(index).copied())
        .unwrap_or(0)
}

/// Least and greatest element within bounds of the index; a long stretch counts as unknown.
fn table_bounds(elements: &[u64], index: (u64, u64)) -> (u64, u64) {
    let length = elements.len() as u64;
    if index.1.saturating_sub(index.0) > 512 {
        return (0, elements.iter().copied().max().unwrap_or(0));
    }
    let beyond = (index.1 >= length).then_some(0);
    let reached = (index.0..length.min(index.1.saturating_add(1))).map(|at| elements[at as usize]);
    reached
        .chain(beyond)
        .fold((u64::MAX, 0), |(low, high), value| {
            (low.min(value), high.max(value))
        })
}

#[inline(always)]
fn each(a: Operand<'_>, out: &mut [u64], f: impl Fn(u64) -> u64) {
    match a {
        Operand::Uniform(a) => out.fill(f(a)),
        Operand::Varying(a) => {
            for (out, &a) in out.iter_mut().zip(a) {
                *out = f(a);
            }
        }
    }
}

#[inline(always)]
fn each_pair(a: Operand<'_>, b: Operand<'_>, out: &mut [u64], f: impl Fn(u64, u64) -> u64) {
    match (a, b) {
        (Operand::Uniform(a), b) => each(b, out, |b| f(a, b)),
        (a, Operand::Uniform(b)) => each(a, out, |a| f(a, b)),
        (Operand::Varying(a), Operand::Varying(b)) => {
            for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *out = f(a, b);
            }
        }
    }
}

/// One operation on all lanes.
fn vector<'a>(op: &Op, operand: impl Fn(u32) -> Operand<'a>, out: &mut [u64]) {
    match op {
        Op::Const(_) | Op::Byte(_) => {}
        Op::Bin(op, width, a, b) => vector_bin(*op, (*width).into(), operand(*a), operand(*b), out),
        Op::Cmp(op, width, a, b) => vector_cmp(*op, (*width).into(), operand(*a), operand(*b), out),
        Op::Flip(all, a) => each(operand(*a), out, |a| a ^ all),
        Op::Sext(from, all, a) => {
            let shift = 64 - u32::from(*from);
            each(operand(*a), out, |a| {
                ((a << shift) as i64 >> shift) as u64 & all
            });
        }
        Op::Extract(low, all, a) => each(operand(*a), out, |a| a >> low & all),
        Op::Concat(width, high, low) => {
            each_pair(operand(*high), operand(*low), out, |h, l| h << width | l);
        }
        Op::Ite(c, a, b) => match (operand(*c), operand(*a), operand(*b)) {
            (Operand::Uniform(c), a, b) => each(if c != 0 { a } else { b }, out, |x| x),
            (Operand::Varying(c), a, b) => {
                each_pair(a, Operand::Varying(c), out, |a, c| a & c.wrapping_neg());
                let read = |index: usize| match b {
                    Operand::Uniform(b) => b,
                    Operand::Varying(b) => b[index],
                };
                for (index, (out, &c)) in out.iter_mut().zip(c).enumerate() {
                    *out |= read(index) & c.wrapping_sub(1);
                }
            }
        },
        Op::Table(elements, index) => each(operand(*index), out, |index| element(elements, index)),
        Op::Float(function, slots) => {
            let operands = slots.map(operand);
            for (index, out) in out.iter_mut().enumerate() {
                let values = operands.map(|operand| match operand {
                    Operand::Uniform(value) => value.into(),
                    Operand::Varying(values) => values[index].into(),
                });
                *out = function.eval(values) as u64;
            }
        }
    }
}

fn vector_bin(op: BinOp, width: u32, a: Operand<'_>, b: Operand<'_>, out: &mut [u64]) {
    let all = mask64(width);
    match op {
        BinOp::Add => each_pair(a, b, out, |a, b| a.wrapping_add(b) & all),
        BinOp::Sub => each_pair(a, b, out, |a, b| a.wrapping_sub(b) & all),
        BinOp::Mul => each_pair(a, b, out, |a, b| a.wrapping_mul(b) & all),
        BinOp::And => each_pair(a, b, out, |a, b| a & b),
        BinOp::Or => each_pair(a, b, out, |a, b| a | b),
        BinOp::Xor => each_pair(a, b, out, |a, b| a ^ b),
        BinOp::UDiv => each_pair(a, b, out, |a, b| a.checked_div(b).unwrap_or(all)),
        BinOp::URem => each_pair(a, b, out, |a, b| a.checked_rem(b).unwrap_or(a)),
        BinOp::SDiv | BinOp::SRem | BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            each_pair(a, b, out, |a, b| {
                eval_bin(op, width, a.into(), b.into()) as u64
            });
        }
    }
}

fn vector_cmp(op: CmpOp, width: u32, a: Operand<'_>, b: Operand<'_>, out: &mut [u64]) {
    // Moving the sign bit to the top makes signed comparisons of any width those of 64 bits.
    let shift = 64 - width;
    let s = |value: u64| (value << shift) as i64;
    match op {
        CmpOp::Eq => each_pair(a, b, out, |a, b| u64::from(a == b)),
        CmpOp::Ne => each_pair(a, b, out, |a, b| u64::from(a != b)),
        CmpOp::Ult => each_pair(a, b, out, |a, b| u64::from(a < b)),
        CmpOp::Ule => each_pair(a, b, out, |a, b| u64::from(a <= b)),
        CmpOp::Ugt => each_pair(a, b, out, |a, b| u64::from(a > b)),
        CmpOp::Uge => each_pair(a, b, out, |a, b| u64::from(a >= b)),
        CmpOp::Slt => each_pair(a, b, out, |a, b| u64::from(s(a) < s(b))),
        CmpOp::Sle => each_pair(a, b, out, |a, b| u64::from(s(a) <= s(b))),
        CmpOp::Sgt => each_pair(a, b, out, |a, b| u64::from(s(a) > s(b))),
        CmpOp::Sge => each_pair(a, b, out, |a, b| u64::from(s(a) >= s(b))),
    }
}

/// For which pairs of values of its two bytes a 1-bit term holds.
#[derive(Debug)]
pub struct Relation {
    /// For each value of the first byte the values of the second.
    pub rows: Vec<ByteSet>,
    /// For each value of the second byte the values of the first.
    pub columns: Vec<ByteSet>,
}

/// Relations kept; each takes 16 KiB.
const RELATIONS: usize = 1024;
/// Operations per value of one byte above which a relation is not worth its cost.
const RELATION_OPERATIONS: usize = 2000;
/// Operations above which a program is costly.
const COSTLY: usize = 64;

/// Programs, truth sets and relations of terms, made on first use.
#[derive(Debug, Default)]
pub(super) struct LaneCache {
    relations: FxHashMap<Term, Option<Arc<Relation>>>,
    programs: FxHashMap<Term, Arc<LaneProgram>>,
    sets: FxHashMap<Term, ByteSet>,
    lanes: Lanes,
    out: Vec<u64>,
}

impl LaneCache {
    pub fn memory(&self) -> usize {
        let programs: usize = self.programs.values().map(|p| 100 + p.len() * 40).sum();
        programs
            + self.relations.len() * 16_500
            + self.programs.capacity() * 13
            + self.sets.capacity() * 37
    }
}

impl Terms {
    /// The compiled form of a term of at most 64 bits.
    pub fn lane_program(&self, term: Term) -> Arc<LaneProgram> {
        if let Some(program) = self.lane_cache.borrow().programs.get(&term) {
            return program.clone();
        }
        let program = Arc::new(LaneProgram::compile(self, term));
        let mut cache = self.lane_cache.borrow_mut();
        cache.programs.insert(term, program.clone());
        program
    }

    /// The values of its only byte for which a 1-bit term holds; nothing if it has more bytes.
    pub fn truth_set(&self, term: Term) -> Option<ByteSet> {
        self.single_byte(term)?;
        if let Some(&set) = self.lane_cache.borrow().sets.get(&term) {
            return Some(set);
        }
        let program = LaneProgram::compile(self, term);
        let set = self.holds_for(&program, 0, &ByteSet::FULL, &[0]);
        self.lane_cache.borrow_mut().sets.insert(term, set);
        Some(set)
    }

    /// The relation of a 1-bit term on exactly two bytes; nothing for other terms and for those that
    /// cost too much.
    pub fn relation(&self, term: Term) -> Option<Arc<Relation>> {
        if let Some(known) = self.lane_cache.borrow().relations.get(&term) {
            return known.clone();
        }
        let program = self.lane_program(term);
        // Operations of more than 64 bits, long doubles among them, are done one lane after the other.
        if program.bytes.len() != 2 || program.wide.is_some() {
            return None;
        }
        let relation = self.make_relation(&program).map(Arc::new);
        let mut cache = self.lane_cache.borrow_mut();
        if cache.relations.len() >= RELATIONS {
            cache.relations.clear();
        }
        cache.relations.insert(term, relation.clone());
        relation
    }

    fn make_relation(&self, program: &LaneProgram) -> Option<Relation> {
        let all: Vec<u8> = (0..=255).collect();
        let cost = |free: usize| {
            let mut cache = self.lane_cache.borrow_mut();
            let LaneCache { lanes, out, .. } = &mut *cache;
            program.run(lanes, free, &all, &[0, 0], out)
        };
        // The lanes go over the byte for which less has to be done.
        let costs = [cost(0), cost(1)];
        let free = usize::from(costs[1] <= costs[0]);
        if costs[free] > RELATION_OPERATIONS {
            return None;
        }
        let lines: Vec<ByteSet> = all
            .iter()
            .map(|&value| self.holds_for(program, free, &ByteSet::FULL, &[value, value]))
            .collect();
        let mut crossed = vec![ByteSet::EMPTY; 256];
        for (&value, line) in all.iter().zip(&lines) {
            for other in line.iter() {
                crossed[usize::from(other)].insert(value);
            }
        }
        Some(if free == 1 {
            Relation {
                rows: lines,
                columns: crossed,
            }
        } else {
            Relation {
                rows: crossed,
                columns: lines,
            }
        })
    }

    /// The values among `domain` of the byte at position `free` of the program's bytes for which a
    /// 1-bit term holds, the other bytes being `fixed`.
    pub fn holds_for(
        &self,
        program: &LaneProgram,
        free: usize,
        domain: &ByteSet,
        fixed: &[u8],
    ) -> ByteSet {
        self.holds_for_at_cost(program, free, domain, fixed).0
    }

    /// As `holds_for`, with the number of operations that it took (the same on every machine).
    pub fn holds_for_at_cost(
        &self,
        program: &LaneProgram,
        free: usize,
        domain: &ByteSet,
        fixed: &[u8],
    ) -> (ByteSet, u64) {
        let mut values = [0; 256];
        let mut count = 0;
        for value in domain.iter() {
            values[count] = value;
            count += 1;
        }
        let mut cache = self.lane_cache.borrow_mut();
        let LaneCache { lanes, out, .. } = &mut *cache;
        let used = program.run(lanes, free, &values[..count], fixed, out);
        let cost = used * (count / 2 + 16) + program.len() * 4 + 64;
        let mut set = ByteSet::EMPTY;
        for (&value, &holds) in values.iter().zip(out.iter()) {
            if holds != 0 {
                set.insert(value);
            }
        }
        (set, cost as u64)
    }

    /// The least value of `domain` of each class of values that none of the programs (with the byte's
    /// position in each) can tell apart.
    pub fn representatives<'a>(
        &self,
        domain: &ByteSet,
        programs: impl Iterator<Item = (&'a LaneProgram, usize)>,
    ) -> ByteSet {
        let values: Vec<u8> = domain.iter().collect();
        let mut signatures = vec![0x5eed; values.len()];
        let mut cache = self.lane_cache.borrow_mut();
        for (program, free) in programs {
            if !program.signatures(&mut cache.lanes, free, &values, &mut signatures) {
                return *domain;
            }
        }
        let mut seen = FxHashSet::default();
        let mut representatives = ByteSet::EMPTY;
        for (&value, signature) in values.iter().zip(signatures) {
            if seen.insert(signature) {
                representatives.insert(value);
            }
        }
        representatives
    }

    /// Forgets compiled forms and truth sets; they are made again when needed.
    pub fn trim_lane_cache(&self) {
        *self.lane_cache.borrow_mut() = LaneCache::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_sets_behave_like_sets() {
        let mut set = ByteSet::EMPTY;
        for value in [0u8, 63, 64, 200, 255] {
            set.insert(value);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 200, 255]);
        assert_eq!(
            (set.first(), set.last(), set.len()),
            (Some(0), Some(255), 5)
        );
        assert_eq!(set.and(&ByteSet::single(64)).only(), Some(64));
        assert!(set.and(&set.complement()).is_empty());
    }

    #[test]
    fn a_relation_lists_the_pairs_for_which_a_term_holds() {
        let terms = Terms::new();
        let array = terms.array("a", 0, 2);
        let byte = |index| terms.symbol(Byte { array, index });
        // A flag per value, set for byte 1, read at byte 0: whether they are equal (but never 0).
        let mut found = terms.bool(false);
        for value in 1..256u128 {
            let here = terms.eq_const(byte(0), value);
            let set = terms.eq_const(byte(1), value);
            found = terms.ite(here, terms.or(set, terms.bool(false)), found);
        }
        let relation = terms.relation(found).unwrap();
        for value in 0..=255u8 {
            let expected = match value {
                0 => ByteSet::EMPTY,
                _ => ByteSet::single(value),
            };
            assert_eq!(relation.rows[usize::from(value)], expected);
            assert_eq!(relation.columns[usize::from(value)], expected);
        }
        let order = terms.cmp(CmpOp::Ult, byte(0), byte(1));
        let relation = terms.relation(order).unwrap();
        assert_eq!(relation.rows[200].first(), Some(201));
        assert_eq!(relation.columns[200].last(), Some(199));
    }

    #[test]
    fn values_that_no_term_tells_apart_have_one_representative() {
        let terms = Terms::new();
        let array = terms.array("a", 0, 2);
        let byte = |index| terms.symbol(Byte { array, index });
        let count = |term, value| terms.zext(terms.eq_const(term, value), 32);
        let points = [count(byte(0), 43), count(byte(0), 45), count(byte(1), 43)];
        let sum = points
            .into_iter()
            .reduce(|a, b| terms.bin(BinOp::Add, a, b));
        let condition = terms.cmp(CmpOp::Ult, sum.unwrap(), terms.constant(32, 2));
        let program = terms.lane_program(condition);
        let full = ByteSet::FULL;
        let found = |free| terms.representatives(&full, [(&*program, free)].into_iter());
        assert_eq!(found(0).iter().collect::<Vec<_>>(), [0, 43]);
        assert_eq!(found(1).iter().collect::<Vec<_>>(), [0, 43]);
        let order = terms.lane_program(terms.cmp(CmpOp::Ult, byte(0), byte(1)));
        let found = terms.representatives(&full, [(&*order, 0)].into_iter());
        assert_eq!(found, full);
    }

    #[test]
    fn a_class_test_has_its_truth_set() {
        let terms = Terms::new();
        let array = terms.array("a", 0, 1);
        let byte = terms.symbol(Byte { array, index: 0 });
        let offset = terms.bin(BinOp::Sub, terms.zext(byte, 32), terms.constant(32, 0x30));
        let digit = terms.cmp(CmpOp::Ult, offset, terms.constant(32, 10));
        let set = terms.truth_set(digit).unwrap();
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            (b'0'..=b'9').collect::<Vec<_>>()
        );
    }
}
