//! The order layer: decides queries that only ask which of two numbers is less.
//!
//! A sort of seven 32-bit numbers asks whether `a < b`, `b < c` and `c <= a` go together: 28 bytes,
//! out of reach of a search over bytes, and slow as bit-vectors. Read as numbers these are
//! difference constraints: their least solution is a longest path from the lower bounds, and a
//! circle with a strict step in it has none (Bellman and Ford). Invariant: a number is a
//! concatenation of bytes that belong to no other and is compared in one signedness only, so every
//! value within its bounds can be had. Where that fails, or a constraint is of another form, the
//! layer refutes only. Exact when it answers, and a function of the query.

use super::backend::Answer;
use super::query::{ByteSource, Query};
use super::tuning::Tuning;
use crate::term::{Byte, ByteSet, Node, Term, Terms};
use homi_ir::ops::CmpOp;
use rustc_hash::FxHashMap;

/// Widest number, in bytes.
const BYTES: usize = 8;

struct Number {
    /// Least significant first.
    bytes: Vec<ByteSource>,
    /// True if the comparison is signed.
    signed: bool,
    low: i128,
    high: i128,
    /// All values between `low` and `high` can be had.
    dense: bool,
}

/// `from + unsupported <= to`, of numbers.
struct Step {
    from: usize,
    to: usize,
    unsupported: i128,
}

#[derive(Clone, Copy)]
enum Side {
    Number(usize),
    Constant(i128),
}

struct Reader<'a> {
    terms: &'a Terms,
    places: FxHashMap<Byte, ByteSource>,
    domains: &'a [ByteSet],
    numbers: Vec<Number>,
    of_term: FxHashMap<Term, usize>,
    /// The free bytes that belong to a number.
    taken: Vec<bool>,
}

impl Reader<'_> {
    /// One side of a comparison; `None` if it is not a number, or is not compared in one way only.
    fn side(&mut self, term: Term, signed: bool) -> Option<Side> {
        let width = self.terms.width(term);
        if let Some(value) = self.terms.as_const(term) {
            let wraps = signed && value >> (width - 1) & 1 == 1;
            let size = if wraps { 1i128 << width } else { 0 };
            return Some(Side::Constant(value as i128 - size));
        }
        if let Some(&known) = self.of_term.get(&term) {
            return (self.numbers[known].signed == signed).then_some(Side::Number(known));
        }
        let bytes = self.bytes(term)?;
        let free = |place: &ByteSource| match place {
            ByteSource::Free(number) => Some(*number as usize),
            ByteSource::Fixed(_) => None,
        };
        if bytes
            .iter()
            .filter_map(free)
            .any(|number| self.taken[number])
        {
            return None;
        }
        for number in bytes.iter().filter_map(free) {
            // A byte that occurs twice is not a free choice.
            if std::mem::replace(&mut self.taken[number], true) {
                return None;
            }
        }
        let (low, high, dense) = self.bounds(&bytes, signed);
        self.numbers.push(Number {
            bytes,
            signed,
            low,
            high,
            dense,
        });
        let index = self.numbers.len() - 1;
        self.of_term.insert(term, index);
        Some(Side::Number(index))
    }

    fn bytes(&self, term: Term) -> Option<Vec<ByteSource>> {
        let mut bytes = Vec::new();
        let mut pending = vec![term];
        while let Some(part) = pending.pop() {
            match self.terms.node(part) {
                Node::Symbol(byte) => bytes.push(*self.places.get(&byte)?),
                Node::Concat(high, low) => pending.extend([high, low]),
                _ => return None,
            }
            if bytes.len() > BYTES {
                return None;
            }
        }
        Some(bytes)
    }

    /// Least and greatest value of a number, and whether it can be all between.
    fn bounds(&self, bytes: &[ByteSource], signed: bool) -> (i128, i128, bool) {
        let top = bytes.len() - 1;
        let (mut low, mut high, mut dense) = (0i128, 0i128, true);
        // Above: one value. Then at most one byte with a range, below it bytes with all values.
        let mut above_is_fixed = true;
        for (position, place) in bytes.iter().enumerate().rev() {
            let domain = match *place {
                ByteSource::Free(number) => self.domains[number as usize],
                ByteSource::Fixed(value) => ByteSet::single(value),
            };
            // Signed numbers are ordered as unsigned ones with the sign bit flipped.
            let ordered = if signed && position == top {
                let [a, b, c, d] = domain.0;
                ByteSet([c, d, a, b])
            } else {
                domain
            };
            let first = ordered.first().unwrap_or(u8::MAX);
            let last = ordered.last().unwrap_or(0);
            let whole = domain.len() == u32::from(last.saturating_sub(first)) + 1;
            dense &= whole && (above_is_fixed || domain == ByteSet::FULL);
            above_is_fixed &= domain.len() == 1;
            low = low << 8 | i128::from(first);
            high = high << 8 | i128::from(last);
        }
        let offset = if signed { 1i128 << (8 * top + 7) } else { 0 };
        (low - offset, high - offset, dense)
    }

    /// Reads `less < more` or `less <= more`.
    fn comparison(&mut self, constraint: Term) -> Option<(Side, Side, i128)> {
        let (term, holds) = match self.terms.node(constraint) {
            Node::Not(inner) => (inner, false),
            _ => (constraint, true),
        };
        let Node::Cmp(op, a, b) = self.terms.node(term) else {
            return None;
        };
        let (strict, signed) = match op {
            CmpOp::Ult => (true, false),
            CmpOp::Ule => (false, false),
            CmpOp::Slt => (true, true),
            CmpOp::Sle => (false, true),
            _ => return None,
        };
        let (less, more) = if holds { (a, b) } else { (b, a) };
        let unsupported = i128::from(strict == holds);
        Some((
            self.side(less, signed)?,
            self.side(more, signed)?,
            unsupported,
        ))
    }
}

/// True if the condition compares more than bytes; those are what the other layers are good at.
fn is_wide(terms: &Terms, condition: Term) -> bool {
    match terms.node(condition) {
        Node::Not(inner) => is_wide(terms, inner),
        Node::Cmp(op, a, _) => !matches!(op, CmpOp::Eq | CmpOp::Ne) && terms.width(a) > 8,
        _ => false,
    }
}

/// The answer, if the newest constraint compares numbers and the others tell enough.
pub fn solve(terms: &Terms, query: &Query, tuning: &Tuning) -> Option<Answer> {
    if !is_wide(terms, query.constraints.last()?.term) {
        return None;
    }
    let mut reader = Reader {
        terms,
        places: FxHashMap::default(),
        domains: &query.domains,
        numbers: Vec::new(),
        of_term: FxHashMap::default(),
        taken: vec![false; query.bytes.len()],
    };
    for constraint in &query.constraints {
        let bytes = constraint.program.bytes.iter().copied();
        let places = constraint.places.iter().copied();
        reader.places.extend(bytes.zip(places));
    }
    let mut steps = Vec::new();
    let mut complete = true;
    for (age, constraint) in query.constraints.iter().rev().enumerate() {
        match reader.comparison(constraint.term) {
            Some((Side::Number(from), Side::Number(to), unsupported)) => steps.push(Step {
                from,
                to,
                unsupported,
            }),
            Some((Side::Number(less), Side::Constant(value), unsupported)) => {
                let number = &mut reader.numbers[less];
                number.high = number.high.min(value - unsupported);
            }
            Some((Side::Constant(value), Side::Number(more), unsupported)) => {
                let number = &mut reader.numbers[more];
                number.low = number.low.max(value + unsupported);
            }
            Some((Side::Constant(_), Side::Constant(_), _)) => {}
            None if age == 0 => return None,
            None => complete = false,
        }
        if reader.numbers.len() > tuning.order_numbers {
            return None;
        }
    }
    let numbers = &reader.numbers;
    let Some(values) = least(numbers, &steps) else {
        return Some(Answer::Unsat);
    };
    let is_sat = complete && numbers.iter().all(|number| number.dense);
    is_sat.then(|| Answer::Sat(spread(query, numbers, &values)))
}

/// The least values within the bounds; `None` if there are none.
fn least(numbers: &[Number], steps: &[Step]) -> Option<Vec<i128>> {
    if numbers.iter().any(|number| number.low > number.high) {
        return None;
    }
    let mut values: Vec<i128> = numbers.iter().map(|number| number.low).collect();
    // Without a circle that raises, as many rounds as numbers settle everything.
    for _ in 0..=numbers.len() {
        let mut changed = false;
        for step in steps {
            let least = values[step.from] + step.unsupported;
            if values[step.to] < least {
                if least > numbers[step.to].high {
                    return None;
                }
                values[step.to] = least;
                changed = true;
            }
        }
        if !changed {
            return Some(values);
        }
    }
    None
}

/// The query's bytes, given the values of the numbers.
fn spread(query: &Query, numbers: &[Number], values: &[i128]) -> Vec<u8> {
    let mut bytes = query.current.clone();
    for (number, &value) in numbers.iter().zip(values) {
        for (position, place) in number.bytes.iter().enumerate() {
            if let ByteSource::Free(byte) = *place {
                bytes[byte as usize] = (value >> (8 * position)) as u8;
            }
        }
    }
    bytes
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
