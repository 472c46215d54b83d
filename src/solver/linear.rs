//! The linear layer: decides queries whose constraints are sums modulo two of the input's bits.
//!
//! Check sums (CRCs with their tables), parities, scramblers and byte swaps compute every bit as an
//! exclusive or of input bits: a table `T` with `T[a ^ b] = T[a] ^ T[b] ^ T[0]` is such a map too.
//! Six bytes through a CRC are out of reach of a search over bytes and minutes for an SMT solver;
//! as 48 unknowns over GF(2) they are one Gaussian elimination. Invariant: a row is what its bit is
//! under every assignment; constraints that are not linear are left out, and then (or if a byte's
//! values are not an affine set) the layer refutes only. Exact when it answers, and a function of
//! the query.

use super::backend::Answer;
use super::query::{ByteSource, Query};
use super::tuning::Tuning;
use crate::term::{Byte, ByteSet, Node, PostOrder, TableId, Term, Terms};
use homi_ir::ops::{BinOp, CmpOp};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Words of a row, and so 64 times as many unknown bits.
const WORDS: usize = 8;
/// Free bytes of a query beyond which it is left to other layers.
const BYTES: usize = WORDS * 8;

/// A bit: the exclusive or of the unknowns in the mask and the constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Row {
    mask: [u64; WORDS],
    constant: bool,
}

impl Row {
    fn of(constant: bool) -> Row {
        Row {
            mask: [0; WORDS],
            constant,
        }
    }

    fn unknown(number: usize) -> Row {
        let mut row = Row::of(false);
        row.mask[number / 64] = 1 << (number % 64);
        row
    }

    fn xor(mut self, other: &Row) -> Row {
        for (word, other) in self.mask.iter_mut().zip(&other.mask) {
            *word ^= other;
        }
        self.constant ^= other.constant;
        self
    }

    fn not(mut self) -> Row {
        self.constant ^= true;
        self
    }

    fn known(&self) -> Option<bool> {
        (self.mask == [0; WORDS]).then_some(self.constant)
    }

    fn has(&self, number: usize) -> bool {
        self.mask[number / 64] >> (number % 64) & 1 == 1
    }

    fn first(&self) -> Option<usize> {
        let word = self.mask.iter().position(|word| *word != 0)?;
        Some(64 * word + self.mask[word].trailing_zeros() as usize)
    }
}

/// Equations `row = 0`, solved for one unknown each, which occurs in no other.
#[derive(Clone, Default)]
struct System {
    /// The unknown an equation is solved for, and its row.
    solved: Vec<(usize, Row)>,
}

impl System {
    /// The row with the solved unknowns replaced.
    fn reduce(&self, mut row: Row) -> Row {
        for (unknown, equation) in &self.solved {
            if row.has(*unknown) {
                row = row.xor(equation);
            }
        }
        row
    }

    /// Adds `row = 0`; false if that contradicts the others.
    fn add(&mut self, row: Row) -> bool {
        let row = self.reduce(row);
        let Some(unknown) = row.first() else {
            return !row.constant;
        };
        for (_, equation) in &mut self.solved {
            if equation.has(unknown) {
                *equation = equation.xor(&row);
            }
        }
        self.solved.push((unknown, row));
        true
    }
}

struct Reader<'a> {
    terms: &'a Terms,
    tuning: &'a Tuning,
    places: FxHashMap<Byte, ByteSource>,
    known: FxHashMap<Term, Option<Rc<[Row]>>>,
}

impl PostOrder for Reader<'_> {
    fn knows(&self, term: Term) -> bool {
        self.known.contains_key(&term)
    }

    fn visit(&mut self, term: Term, _: &Node) -> bool {
        let rows = self.compute(term);
        self.known.insert(term, rows);
        self.known.len() <= self.tuning.linear_terms
    }
}

impl Reader<'_> {
    /// The bits of a term, lowest first; nothing if they are not linear.
    fn rows(&mut self, root: Term) -> Option<Rc<[Row]>> {
        if !self.terms.post_order(root, self) {
            return None;
        }
        self.known.get(&root)?.clone()
    }

    fn at(&self, term: Term) -> Option<&Rc<[Row]>> {
        self.known.get(&term)?.as_ref()
    }

    /// The rows of a term whose operands are known.
    fn compute(&self, term: Term) -> Option<Rc<[Row]>> {
        let width = self.terms.width(term) as usize;
        let zero = Row::of(false);
        Some(match self.terms.node(term) {
            Node::Const { value, .. } => (0..width)
                .map(|bit| Row::of(value >> bit & 1 == 1))
                .collect(),
            Node::Symbol(byte) => match *self.places.get(&byte)? {
                ByteSource::Free(number) => (0..8)
                    .map(|bit| Row::unknown(8 * number as usize + bit))
                    .collect(),
                ByteSource::Fixed(value) => {
                    (0..8).map(|bit| Row::of(value >> bit & 1 == 1)).collect()
                }
            },
            Node::Bin(op, a, b) => self.binary(op, self.at(a)?, self.at(b)?)?,
            Node::Cmp(CmpOp::Eq, a, b) if self.terms.width(a) == 1 => {
                [self.at(a)?[0].xor(&self.at(b)?[0]).not()].into()
            }
            Node::Cmp(CmpOp::Ne, a, b) if self.terms.width(a) == 1 => {
                [self.at(a)?[0].xor(&self.at(b)?[0])].into()
            }
            Node::Cmp(..) | Node::Float(..) => return None,
            Node::Not(a) => self.at(a)?.iter().map(|row| row.not()).collect(),
            Node::Zext { term, .. } => {
                let rows = self.at(term)?;
                (0..width)
                    .map(|bit| rows.get(bit).copied().unwrap_or(zero))
                    .collect()
            }
            Node::Sext { term, .. } => {
                let rows = self.at(term)?;
                let sign = *rows.last()?;
                (0..width)
                    .map(|bit| rows.get(bit).copied().unwrap_or(sign))
                    .collect()
            }
            Node::Extract { low, term, .. } => {
                let low = usize::from(low);
                self.at(term)?.get(low..low + width)?.into()
            }
            Node::Concat(high, low) => {
                let (high, low) = (self.at(high)?, self.at(low)?);
                low.iter().chain(high.iter()).copied().collect()
            }
            Node::Ite(condition, a, b) => {
                if self.at(condition)?[0].known()? {
                    self.at(a)?.clone()
                } else {
                    self.at(b)?.clone()
                }
            }
            Node::Table(table, index) => self.looked_up(table, width, self.at(index)?)?,
        })
    }

    fn binary(&self, op: BinOp, a: &[Row], b: &[Row]) -> Option<Rc<[Row]>> {
        let zero = Row::of(false);
        let each = |combine: &dyn Fn(&Row, &Row) -> Option<Row>| {
            a.iter().zip(b).map(|(a, b)| combine(a, b)).collect()
        };
        let amount = || {
            let bits = b.iter().enumerate();
            bits.map(|(bit, row)| Some(usize::from(row.known()?) << bit.min(32)))
                .sum::<Option<usize>>()
        };
        let width = a.len();
        match op {
            BinOp::Xor => each(&|a, b| Some(a.xor(b))),
            BinOp::And => each(&|a, b| match (a.known(), b.known()) {
                (Some(false), _) | (_, Some(false)) => Some(zero),
                (Some(true), _) => Some(*b),
                (_, Some(true)) => Some(*a),
                _ => None,
            }),
            BinOp::Or => each(&|a, b| match (a.known(), b.known()) {
                (Some(true), _) | (_, Some(true)) => Some(Row::of(true)),
                (Some(false), _) => Some(*b),
                (_, Some(false)) => Some(*a),
                _ => None,
            }),
            // Without two ones in one place there is no carry.
            BinOp::Add => each(&|a, b| match (a.known(), b.known()) {
                (Some(false), _) => Some(*b),
                (_, Some(false)) => Some(*a),
                _ => None,
            }),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let by = amount()?;
                if by >= width {
                    return None;
                }
                let rest = match op {
                    BinOp::AShr => *a.last()?,
                    _ => zero,
                };
                let moved = |bit: usize| match op {
                    BinOp::Shl => bit.checked_sub(by).map_or(zero, |from| a[from]),
                    _ => a.get(bit + by).copied().unwrap_or(rest),
                };
                Some((0..width).map(moved).collect())
            }
            _ => None,
        }
    }

    /// An element of a table that is an affine map of its index.
    fn looked_up(&self, table: TableId, width: usize, index: &[Row]) -> Option<Rc<[Row]>> {
        let bits = index
            .iter()
            .rposition(|row| row.known() != Some(false))
            .map_or(0, |last| last + 1);
        let (elements, _) = self.terms.table_elements(table);
        if bits > self.tuning.linear_index_bits || elements.len() < 1 << bits {
            return None;
        }
        let base = elements[0];
        for position in 1..1usize << bits {
            let highest = 1 << position.ilog2();
            let sum = elements[highest] ^ elements[position ^ highest] ^ base;
            if elements[position] != sum {
                return None;
            }
        }
        let result = (0..width).map(|place| {
            let bit_of = |element: u64| element >> place & 1 == 1;
            let mut row = Row::of(bit_of(base));
            for (bit, part) in index[..bits].iter().enumerate() {
                if bit_of(elements[1 << bit] ^ base) {
                    row = row.xor(part);
                }
            }
            row
        });
        Some(result.collect())
    }
}

/// Adds what all values of a byte have in common; whether that is all there is to say, `None` for a
/// contradiction.
fn add_domain(system: &mut System, number: usize, domain: &ByteSet) -> Option<bool> {
    if *domain == ByteSet::FULL {
        return Some(true);
    }
    let base = domain.first()?;
    let mut equations = 0;
    for mask in 1..=255u8 {
        let parity = |value: u8| (value & mask).count_ones() & 1;
        let expected = parity(base);
        if domain.iter().any(|value| parity(value) != expected) {
            continue;
        }
        let mut row = Row::of(expected == 1);
        for bit in (0..8).filter(|bit| mask >> bit & 1 == 1) {
            row = row.xor(&Row::unknown(8 * number + bit));
        }
        equations += 1;
        if !system.add(row) {
            return None;
        }
    }
    // 2^k - 1 masks leave a space of 2^(8-k) values.
    Some(domain.len() * (equations + 1) == 256)
}

/// The answer, if the newest constraint is linear and the others tell enough.
pub fn solve(terms: &Terms, query: &Query, tuning: &Tuning) -> Option<Answer> {
    if query.bytes.len() > BYTES {
        return None;
    }
    let mut reader = Reader {
        terms,
        tuning,
        places: FxHashMap::default(),
        known: FxHashMap::default(),
    };
    for constraint in &query.constraints {
        let bytes = constraint.program.bytes.iter().copied();
        let places = constraint.places.iter().copied();
        reader.places.extend(bytes.zip(places));
    }
    let mut system = System::default();
    let mut complete = true;
    // Of numbers that differ, the exclusive or.
    let mut different: Vec<Vec<Row>> = Vec::new();
    for (age, constraint) in query.constraints.iter().rev().enumerate() {
        match equations(&mut reader, constraint.term) {
            Some((rows, true)) => {
                if rows.into_iter().any(|row| !system.add(row)) {
                    return Some(Answer::Unsat);
                }
            }
            Some((rows, false)) => different.push(rows),
            None if age == 0 => return None,
            None => complete = false,
        }
    }
    for (number, domain) in query.domains.iter().enumerate() {
        match add_domain(&mut system, number, domain) {
            Some(exact) => complete &= exact,
            None => return Some(Answer::Unsat),
        }
    }
    let mut chose = false;
    for rows in different {
        let rows: Vec<Row> = rows.into_iter().map(|row| system.reduce(row)).collect();
        if rows.iter().all(|row| row.known() == Some(false)) {
            // After a choice for another disequality nothing is proven.
            return (!chose).then_some(Answer::Unsat);
        }
        if !rows.iter().any(|row| row.known() == Some(true)) {
            let open = rows.iter().find(|row| row.known().is_none())?;
            chose = true;
            system.add(open.not());
        }
    }
    complete.then(|| Answer::Sat(values(query, &system)))
}

/// Returns the equations of a constraint: all of them are 0 (true), or one of them is 1 (false).
fn equations(reader: &mut Reader, constraint: Term) -> Option<(Vec<Row>, bool)> {
    let (term, holds) = match reader.terms.node(constraint) {
        Node::Not(inner) => (inner, false),
        _ => (constraint, true),
    };
    if let Node::Cmp(op @ (CmpOp::Eq | CmpOp::Ne), a, b) = reader.terms.node(term) {
        let (a, b) = (reader.rows(a)?, reader.rows(b)?);
        let mut rows: Vec<Row> = a.iter().zip(b.iter()).map(|(a, b)| a.xor(b)).collect();
        let mut equal = (op == CmpOp::Eq) == holds;
        if let ([row], false) = (&mut rows[..], equal) {
            (*row, equal) = (row.not(), true);
        }
        return Some((rows, equal));
    }
    let row = reader.rows(constraint)?[0];
    Some((vec![row.not()], true))
}

/// The query's bytes with the unknowns 0 that the equations leave open (not as the state's model
/// has them: the answer is remembered for other states).
fn values(query: &Query, system: &System) -> Vec<u8> {
    let mut values = vec![0u8; query.bytes.len()];
    for (unknown, row) in &system.solved {
        values[unknown / 8] |= u8::from(row.constant) << (unknown % 8);
    }
    values
}

#[cfg(test)]
#[path = "linear_tests.rs"]
mod tests;
