//! Refutes queries by intervals of whole terms, propagated up and down to a fixed point.
//!
//! The bounds layer knows intervals of bytes only. Conditions on a 64-bit number of eight symbolic
//! bytes (a file's time or size being printed, an allocation's size being checked) are rarely about
//! one byte: `t < 100` and `(t / 10) % 10 + 48 == 0`. Here every term has an interval, unsigned and
//! signed. A round computes them from the operands up, then assumes each constraint and narrows
//! operands on the way down. An empty interval refutes the query; nothing else is concluded.
//! Invariant: intervals contain the term's value under every assignment that satisfies the query.

use super::query::{ByteSource, Query};
use super::tuning::Tuning;
use crate::term::{Byte, Node, Term, Terms};
use homi_ir::ops::{BinOp, CmpOp, mask};
use rustc_hash::FxHashMap;

/// Widths whose numbers, and sums of two, fit an `i128`.
const WIDEST: u32 = 120;

/// Inclusive bounds.
type Bounds = (i128, i128);

/// Possible values of a term, read as unsigned and as signed number.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Interval {
    width: u32,
    unsigned: Bounds,
    signed: Bounds,
}

fn meet(a: Bounds, b: Bounds) -> Bounds {
    (a.0.max(b.0), a.1.min(b.1))
}

fn hull(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

impl Interval {
    fn full(width: u32) -> Interval {
        let width = width.min(WIDEST + 1);
        let half = 1i128 << (width - 1);
        Interval {
            width,
            unsigned: (0, half + (half - 1)),
            signed: (-half, half - 1),
        }
    }

    fn size(self) -> i128 {
        1i128 << self.width
    }

    fn of_unsigned(width: u32, bounds: Bounds) -> Interval {
        let mut interval = Interval::full(width);
        interval.unsigned = meet(interval.unsigned, bounds);
        interval.agree()
    }

    fn of_signed(width: u32, bounds: Bounds) -> Interval {
        let mut interval = Interval::full(width);
        interval.signed = meet(interval.signed, bounds);
        interval.agree()
    }

    fn boolean(value: Option<bool>) -> Interval {
        match value {
            Some(value) => Interval::of_unsigned(1, (i128::from(value), i128::from(value))),
            None => Interval::full(1),
        }
    }

    /// The numbers `bounds` taken modulo 2^width, if they do not run across the reading's ends.
    fn wrapped(width: u32, bounds: Bounds) -> Interval {
        let full = Interval::full(width);
        let size = full.size();
        if bounds.1 - bounds.0 >= size {
            return full;
        }
        let into = |window: Bounds| {
            let turns = (bounds.0 - window.0).div_euclid(size) * size;
            let moved = (bounds.0 - turns, bounds.1 - turns);
            if moved.1 <= window.1 { moved } else { window }
        };
        Interval {
            unsigned: into(full.unsigned),
            signed: into(full.signed),
            ..full
        }
        .agree()
    }

    /// Each reading narrows the other where they cover the same half.
    fn agree(mut self) -> Interval {
        let (half, size) = (self.size() / 2, self.size());
        for _ in 0..2 {
            if self.unsigned.1 < half {
                self.signed = meet(self.signed, self.unsigned);
            } else if self.unsigned.0 >= half {
                let moved = (self.unsigned.0 - size, self.unsigned.1 - size);
                self.signed = meet(self.signed, moved);
            }
            if self.signed.0 >= 0 {
                self.unsigned = meet(self.unsigned, self.signed);
            } else if self.signed.1 < 0 {
                let moved = (self.signed.0 + size, self.signed.1 + size);
                self.unsigned = meet(self.unsigned, moved);
            }
        }
        self
    }

    fn meet(self, other: Interval) -> Interval {
        Interval {
            unsigned: meet(self.unsigned, other.unsigned),
            signed: meet(self.signed, other.signed),
            ..self
        }
        .agree()
    }

    fn hull(self, other: Interval) -> Interval {
        Interval {
            unsigned: hull(self.unsigned, other.unsigned),
            signed: hull(self.signed, other.signed),
            ..self
        }
    }

    fn is_empty(self) -> bool {
        self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1
    }

    fn only(self) -> Option<i128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    fn truth(self) -> Option<bool> {
        self.only().map(|value| value != 0)
    }
}

/// The least and the greatest of `f` at the corners; `None` if one cannot be computed.
fn corners(a: Bounds, b: Bounds, f: impl Fn(i128, i128) -> Option<i128>) -> Option<Bounds> {
    let values = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
    Some((*values.iter().min()?, *values.iter().max()?))
}

/// All ones up to the highest bit of a number that is not negative.
fn fill(value: i128) -> i128 {
    if value <= 0 {
        0
    } else {
        (u128::MAX >> (value as u128).leading_zeros()) as i128
    }
}

/// The bits that may be 1.
fn ones(interval: Interval) -> i128 {
    interval.only().unwrap_or(fill(interval.unsigned.1))
}

/// Remainders of `a` by a divisor of at most `largest` (positive) in size.
fn remainder(a: Bounds, b: Bounds) -> Option<Bounds> {
    if b.0 <= 0 {
        return None;
    }
    if b.0 == b.1 && a.0 / b.0 == a.1 / b.0 && (a.0 >= 0) == (a.1 >= 0) {
        return Some((a.0 % b.0, a.1 % b.0));
    }
    let most = b.1 - 1;
    let low = if a.0 < 0 { a.0.max(-most) } else { 0 };
    let high = if a.1 > 0 { a.1.min(most) } else { 0 };
    Some((low, high))
}

fn forward_bin(op: BinOp, a: Interval, b: Interval) -> Interval {
    let width = a.width;
    let full = Interval::full(width);
    let both = |f: &dyn Fn(i128, i128) -> Option<i128>| {
        let unsigned = corners(a.unsigned, b.unsigned, f);
        let signed = corners(a.signed, b.signed, f);
        let wrapped = |bounds: Option<Bounds>| match bounds {
            Some(bounds) => Interval::wrapped(width, bounds),
            None => full,
        };
        wrapped(unsigned).meet(wrapped(signed))
    };
    match op {
        BinOp::Add => both(&|x, y| x.checked_add(y)),
        BinOp::Sub => both(&|x, y| x.checked_sub(y)),
        BinOp::Mul => both(&|x, y| x.checked_mul(y).filter(|product| product.abs() < 1 << 126)),
        BinOp::UDiv => {
            let (x, y) = (a.unsigned, b.unsigned);
            let high = if y.0 > 0 { x.1 / y.0 } else { full.unsigned.1 };
            let low = if y.1 > 0 { x.0 / y.1 } else { full.unsigned.1 };
            Interval::of_unsigned(width, (low, high))
        }
        BinOp::SDiv if b.signed.0 > 0 || b.signed.1 < 0 => {
            let quotients = corners(a.signed, b.signed, |x, y| Some(x / y));
            quotients.map_or(full, |bounds| Interval::wrapped(width, bounds))
        }
        BinOp::URem => match remainder(a.unsigned, b.unsigned) {
            Some(bounds) => Interval::of_unsigned(width, bounds),
            None => Interval::of_unsigned(width, (0, a.unsigned.1)),
        },
        BinOp::SRem => match remainder(a.signed, b.signed) {
            Some(bounds) => Interval::of_signed(width, bounds),
            None => full,
        },
        BinOp::And => {
            let bounds = match (a.only(), b.only()) {
                (Some(x), Some(y)) => (x & y, x & y),
                _ => (0, a.unsigned.1.min(b.unsigned.1)),
            };
            Interval::of_unsigned(width, bounds)
        }
        // Without a common bit a disjunction is a sum.
        BinOp::Or if ones(a) & ones(b) == 0 => both(&|x, y| x.checked_add(y)),
        BinOp::Or => {
            let low = a.unsigned.0.max(b.unsigned.0);
            Interval::of_unsigned(width, (low, fill(a.unsigned.1 | b.unsigned.1)))
        }
        BinOp::Xor => Interval::of_unsigned(width, (0, fill(a.unsigned.1 | b.unsigned.1))),
        BinOp::LShr => Interval::of_unsigned(width, (0, a.unsigned.1)),
        BinOp::SDiv | BinOp::Shl | BinOp::AShr => full,
    }
}

fn forward_cmp(op: CmpOp, a: Interval, b: Interval) -> Option<bool> {
    let below = |x: Bounds, y: Bounds| match () {
        () if x.1 < y.0 => Some(true),
        () if x.0 >= y.1 => Some(false),
        () => None,
    };
    match op {
        CmpOp::Eq | CmpOp::Ne => {
            let apart = |x: Bounds, y: Bounds| x.1 < y.0 || y.1 < x.0;
            let equal = if apart(a.unsigned, b.unsigned) || apart(a.signed, b.signed) {
                Some(false)
            } else {
                (a.only()? == b.only()?).then_some(true)
            };
            equal.map(|equal| equal == (op == CmpOp::Eq))
        }
        CmpOp::Ult => below(a.unsigned, b.unsigned),
        CmpOp::Ule => below(b.unsigned, a.unsigned).map(|less| !less),
        CmpOp::Slt => below(a.signed, b.signed),
        CmpOp::Sle => below(b.signed, a.signed).map(|less| !less),
        _ => None,
    }
}

/// An interval became empty: the query has no solution.
struct Infeasible;

struct Propagation<'a> {
    terms: &'a Terms,
    /// Operands before the terms that use them.
    order: Vec<Term>,
    position: FxHashMap<Term, usize>,
    intervals: Vec<Interval>,
    changed: bool,
    /// Elements of a table that are looked at.
    elements: i128,
}

impl Propagation<'_> {
    fn at(&self, term: Term) -> Interval {
        match self.position.get(&term) {
            Some(position) => self.intervals[*position],
            None => Interval::full(self.terms.width(term)),
        }
    }

    fn forward(&self, term: Term) -> Interval {
        let width = self.terms.width(term);
        if width > WIDEST {
            return Interval::full(width);
        }
        match self.terms.node(term) {
            Node::Const { value, .. } => {
                Interval::of_unsigned(width, (value as i128, value as i128))
            }
            Node::Symbol(_) => Interval::full(width),
            Node::Bin(op, a, b) => forward_bin(op, self.at(a), self.at(b)),
            Node::Cmp(op, a, b) if self.terms.width(a) <= WIDEST => {
                Interval::boolean(forward_cmp(op, self.at(a), self.at(b)))
            }
            Node::Cmp(..) => Interval::full(1),
            Node::Not(a) => {
                let (low, high) = self.at(a).unsigned;
                let all = mask(width) as i128;
                Interval::of_unsigned(width, (all - high, all - low))
            }
            Node::Zext { term, .. } => Interval::of_unsigned(width, self.at(term).unsigned),
            Node::Sext { term, .. } => Interval::of_signed(width, self.at(term).signed),
            Node::Extract { low, term, .. } => self.extraction(u32::from(low), width, term),
            Node::Concat(high, low) => {
                let (high, low, shift) = (self.at(high), self.at(low), self.terms.width(low));
                let join = |upper: Bounds| {
                    let (least, most) = low.unsigned;
                    ((upper.0 << shift) + least, (upper.1 << shift) + most)
                };
                Interval::of_unsigned(width, join(high.unsigned))
                    .meet(Interval::of_signed(width, join(high.signed)))
            }
            Node::Ite(condition, x, y) => match self.at(condition).truth() {
                Some(true) => self.at(x),
                Some(false) => self.at(y),
                None => self.at(x).hull(self.at(y)),
            },
            Node::Table(table, index) => self.looked_up(table, width, index),
            Node::Float(..) => {
                let (low, high) = self.terms.range(term);
                Interval::of_unsigned(width, (low as i128, high as i128))
            }
        }
    }

    fn extraction(&self, low: u32, width: u32, term: Term) -> Interval {
        if self.terms.width(term) > WIDEST {
            return Interval::full(width);
        }
        let of = |bounds: Bounds| Interval::wrapped(width, (bounds.0 >> low, bounds.1 >> low));
        let inner = self.at(term);
        of(inner.unsigned).meet(of(inner.signed))
    }

    fn looked_up(&self, table: crate::term::TableId, width: u32, index: Term) -> Interval {
        let (first, last) = self.at(index).unsigned;
        if last - first >= self.elements {
            return Interval::full(width);
        }
        let (elements, _) = self.terms.table_elements(table);
        let values = (first..=last).map(|position| {
            let element = elements.get(position as usize).copied();
            i128::from(element.unwrap_or(0))
        });
        let bounds = values.fold((i128::MAX, 0), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        Interval::of_unsigned(width, bounds)
    }

    /// One pass from operands to results.
    fn up(&mut self) -> Result<(), Infeasible> {
        for position in 0..self.order.len() {
            let interval = self.forward(self.order[position]);
            let met = self.intervals[position].meet(interval);
            if met.is_empty() {
                return Err(Infeasible);
            }
            self.intervals[position] = met;
        }
        Ok(())
    }

    /// `term` lies in `interval` as well; narrows its operands.
    fn narrow(&mut self, term: Term, interval: Interval, depth: u32) -> Result<(), Infeasible> {
        let Some(&position) = self.position.get(&term) else {
            return Ok(());
        };
        let before = self.intervals[position];
        if before.width > WIDEST || interval.width != before.width {
            return Ok(());
        }
        let met = before.meet(interval);
        if met.is_empty() {
            return Err(Infeasible);
        }
        if met == before {
            return Ok(());
        }
        self.intervals[position] = met;
        self.changed = true;
        match depth.checked_sub(1) {
            Some(depth) => self.narrow_operands(term, met, depth),
            None => Ok(()),
        }
    }

    fn narrow_operands(&mut self, term: Term, is: Interval, depth: u32) -> Result<(), Infeasible> {
        let width = is.width;
        match self.terms.node(term) {
            Node::Zext { term, .. } => {
                let inner = self.terms.width(term);
                self.narrow(term, Interval::of_unsigned(inner, is.unsigned), depth)
            }
            Node::Sext { term, .. } => {
                let inner = self.terms.width(term);
                self.narrow(term, Interval::of_signed(inner, is.signed), depth)
            }
            Node::Not(inner) if width > 1 => {
                let all = mask(width) as i128;
                let bounds = (all - is.unsigned.1, all - is.unsigned.0);
                self.narrow(inner, Interval::of_unsigned(width, bounds), depth)
            }
            Node::Concat(high, low) => {
                let (above, shift) = (self.terms.width(high), self.terms.width(low));
                let upper = |bounds: Bounds| (bounds.0 >> shift, bounds.1 >> shift);
                let interval = Interval::of_unsigned(above, upper(is.unsigned))
                    .meet(Interval::of_signed(above, upper(is.signed)));
                self.narrow(high, interval, depth)?;
                let Some(fixed) = self.at(high).only() else {
                    return Ok(());
                };
                let below = |bound: i128| bound - (fixed << shift);
                let bounds = (below(is.unsigned.0), below(is.unsigned.1));
                self.narrow(low, Interval::of_unsigned(shift, bounds), depth)
            }
            Node::Bin(op, a, b) if width > 1 => self.narrow_factors(op, (a, b), is, depth),
            _ if width == 1 => match is.truth() {
                Some(value) => self.assume(term, value, depth),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn narrow_factors(
        &mut self,
        op: BinOp,
        (a, b): (Term, Term),
        is: Interval,
        depth: u32,
    ) -> Result<(), Infeasible> {
        let width = is.width;
        let wrapped = |f: &dyn Fn(Bounds) -> Bounds| {
            Interval::wrapped(width, f(is.unsigned)).meet(Interval::wrapped(width, f(is.signed)))
        };
        let (left, right) = (self.at(a), self.at(b));
        match (op, left.only(), right.only()) {
            (BinOp::Add, _, Some(c)) => {
                self.narrow(a, wrapped(&|(low, high)| (low - c, high - c)), depth)
            }
            (BinOp::Sub, Some(c), _) => {
                self.narrow(b, wrapped(&|(low, high)| (c - high, c - low)), depth)
            }
            (BinOp::Mul, _, Some(c)) if c > 0 => {
                let (low, high) = is.unsigned;
                let most = left.unsigned.1.checked_mul(c);
                if most.is_none_or(|most| most >= is.size()) {
                    return Ok(());
                }
                let bounds = ((low + c - 1) / c, high / c);
                self.narrow(a, Interval::of_unsigned(width, bounds), depth)
            }
            (BinOp::UDiv, _, Some(c)) if c > 0 => {
                let (low, high) = is.unsigned;
                let bounds = match (low.checked_mul(c), (high + 1).checked_mul(c)) {
                    (Some(first), Some(beyond)) => (first, beyond - 1),
                    _ => return Ok(()),
                };
                self.narrow(a, Interval::of_unsigned(width, bounds), depth)
            }
            (BinOp::SDiv, _, Some(c)) if right.signed.0 > 0 && right.signed.0 == c => {
                let first = |value: i128| {
                    if value > 0 {
                        value.checked_mul(c)
                    } else {
                        (value - 1).checked_mul(c)?.checked_add(1)
                    }
                };
                let (low, high) = is.signed;
                let bounds = match (first(low), first(high + 1)) {
                    (Some(first), Some(beyond)) => (first, beyond - 1),
                    _ => return Ok(()),
                };
                self.narrow(a, Interval::of_signed(width, bounds), depth)
            }
            _ => Ok(()),
        }
    }

    /// The 1-bit term is `value`.
    fn assume(&mut self, term: Term, value: bool, depth: u32) -> Result<(), Infeasible> {
        let Some(depth) = depth.checked_sub(1) else {
            return Ok(());
        };
        self.narrow(term, Interval::boolean(Some(value)), 0)?;
        match self.terms.node(term) {
            Node::Not(inner) => self.assume(inner, !value, depth),
            Node::Bin(BinOp::And, a, b) if value => {
                self.assume(a, true, depth)?;
                self.assume(b, true, depth)
            }
            Node::Bin(BinOp::Or, a, b) if !value => {
                self.assume(a, false, depth)?;
                self.assume(b, false, depth)
            }
            // One operand must decide if the other one cannot.
            Node::Bin(BinOp::And | BinOp::Or, a, b) => {
                if self.now(a) == Some(!value) {
                    self.assume(b, value, depth)
                } else if self.now(b) == Some(!value) {
                    self.assume(a, value, depth)
                } else {
                    Ok(())
                }
            }
            Node::Cmp(op, a, b) => self.assume_cmp(op, (a, b), value, depth),
            Node::Extract { low, term, .. } if u32::from(low) + 1 == self.terms.width(term) => {
                let inner = self.terms.width(term);
                if inner > WIDEST {
                    return Ok(());
                }
                let (least, most) = Interval::full(inner).signed;
                let bounds = if value { (least, -1) } else { (0, most) };
                self.narrow(term, Interval::of_signed(inner, bounds), depth)
            }
            _ => Ok(()),
        }
    }

    /// Returns the value of a 1-bit term that the current intervals of its operands imply.
    fn now(&self, term: Term) -> Option<bool> {
        self.at(term).meet(self.forward(term)).truth()
    }

    fn assume_cmp(
        &mut self,
        op: CmpOp,
        (a, b): (Term, Term),
        value: bool,
        depth: u32,
    ) -> Result<(), Infeasible> {
        let width = self.terms.width(a);
        if width > WIDEST {
            return Ok(());
        }
        let equal = match op {
            CmpOp::Eq => value,
            CmpOp::Ne => !value,
            _ => {
                // The negation of a < b is b <= a.
                let (strict, signed) = match op {
                    CmpOp::Ult => (true, false),
                    CmpOp::Ule => (false, false),
                    CmpOp::Slt => (true, true),
                    CmpOp::Sle => (false, true),
                    _ => return Ok(()),
                };
                let (less, more) = if value { (a, b) } else { (b, a) };
                return self.assume_order((less, more), strict == value, signed, depth);
            }
        };
        let (left, right) = (self.at(a), self.at(b));
        if equal {
            self.narrow(a, right, depth)?;
            return self.narrow(b, self.at(a), depth);
        }
        for (term, interval, other) in [(a, left, right), (b, right, left)] {
            if let Some(excluded) = other.only() {
                let trim = |bounds: Bounds, excluded: i128| {
                    let low = bounds.0 + i128::from(bounds.0 == excluded);
                    let high = bounds.1 - i128::from(bounds.1 == excluded);
                    (low, high)
                };
                let trimmed = Interval {
                    unsigned: trim(interval.unsigned, excluded),
                    signed: trim(interval.signed, other.signed.0),
                    ..interval
                };
                self.narrow(term, trimmed, depth)?;
            }
        }
        Ok(())
    }

    /// `less` is below `more`, or equal to it unless the order is strict.
    fn assume_order(
        &mut self,
        (less, more): (Term, Term),
        strict: bool,
        signed: bool,
        depth: u32,
    ) -> Result<(), Infeasible> {
        let unsupported = i128::from(strict);
        let (a, b) = (self.at(less), self.at(more));
        let width = a.width;
        let full = Interval::full(width);
        if signed {
            let below = (full.signed.0, b.signed.1 - unsupported);
            self.narrow(less, Interval::of_signed(width, below), depth)?;
            let above = (a.signed.0 + unsupported, full.signed.1);
            self.narrow(more, Interval::of_signed(width, above), depth)
        } else {
            let below = (0, b.unsigned.1 - unsupported);
            self.narrow(less, Interval::of_unsigned(width, below), depth)?;
            let above = (a.unsigned.0 + unsupported, full.unsigned.1);
            self.narrow(more, Interval::of_unsigned(width, above), depth)
        }
    }
}

/// The query's terms, operands before users; `None` if there are more than `most`.
fn postorder(terms: &Terms, query: &Query, most: usize) -> Option<Vec<Term>> {
    let mut order = Vec::new();
    let mut entered: rustc_hash::FxHashSet<Term> = rustc_hash::FxHashSet::default();
    let mut pending: Vec<(Term, bool)> = Vec::new();
    for constraint in &query.constraints {
        pending.push((constraint.term, false));
        while let Some((term, is_done)) = pending.pop() {
            if is_done {
                order.push(term);
                continue;
            }
            if !entered.insert(term) {
                continue;
            }
            if entered.len() > most {
                return None;
            }
            pending.push((term, true));
            terms
                .node(term)
                .for_each_operand(|operand| pending.push((operand, false)));
        }
    }
    Some(order)
}

/// Returns the interval of a byte with this domain.
fn byte_interval(query: &Query, place: ByteSource) -> Interval {
    match place {
        ByteSource::Fixed(value) => Interval::of_unsigned(8, (value.into(), value.into())),
        ByteSource::Free(number) => {
            let domain = &query.domains[number as usize];
            let mut signed: Bounds = (127, -128);
            for value in domain.iter() {
                signed = hull(signed, (i128::from(value as i8), i128::from(value as i8)));
            }
            let ends = (domain.first().unwrap_or(0), domain.last().unwrap_or(255));
            Interval::of_unsigned(8, (ends.0.into(), ends.1.into()))
                .meet(Interval::of_signed(8, signed))
        }
    }
}

/// True if the query has no solution, as far as intervals show.
pub fn refute(terms: &Terms, query: &Query, tuning: &Tuning) -> bool {
    let Some(order) = postorder(terms, query, tuning.interval_terms) else {
        return false;
    };
    let mut bytes: FxHashMap<Byte, Interval> = FxHashMap::default();
    for constraint in &query.constraints {
        for (&byte, &place) in constraint.program.bytes.iter().zip(&constraint.places) {
            bytes
                .entry(byte)
                .or_insert_with(|| byte_interval(query, place));
        }
    }
    let intervals = order.iter().map(|&term| match terms.node(term) {
        Node::Symbol(byte) => bytes.get(&byte).copied().unwrap_or(Interval::full(8)),
        _ => Interval::full(terms.width(term)),
    });
    let intervals = intervals.collect();
    let position = order.iter().enumerate();
    let position = position.map(|(position, term)| (*term, position)).collect();
    let mut propagation = Propagation {
        terms,
        order,
        position,
        intervals,
        changed: true,
        elements: tuning.interval_elements.into(),
    };
    let depth = tuning.interval_depth;
    let mut rounds = || -> Result<(), Infeasible> {
        for _ in 0..tuning.interval_rounds {
            propagation.up()?;
            propagation.changed = false;
            for constraint in &query.constraints {
                propagation.assume(constraint.term, true, depth)?;
                // A sum of conditions may count the opposite.
                let opposite = terms.not(constraint.term);
                propagation.narrow(opposite, Interval::boolean(Some(false)), depth)?;
            }
            if !propagation.changed {
                break;
            }
        }
        Ok(())
    };
    rounds().is_err()
}

#[cfg(test)]
#[path = "intervals_tests.rs"]
mod tests;
