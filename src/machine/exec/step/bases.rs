//! Origins of a symbolic pointer: the constants that its term starts from.
//!
//! Idea: the term is evaluated once for each way through its choices (conditions, elements of
//! tables), with the least value in place of other unknowns, an index or a symbolic byte.
//! Invariant: a choice that occurs twice in the term is the same: a condition is true in all places
//! or in none, an index selects the same element of all its tables. The scan is bounded, so values
//! may be missed; `for_each` reports that.

use homi_ir::ops;
use homi_ir::ops::BinOp;
use homi_ir::program::PointerWidth;
use homi_solver::term::{Node, Start, TableId, Term, Terms};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};

/// Nodes and elements of tables that one scan looks at.
const SCAN_LIMIT: usize = 1 << 13;
/// Unknown numbers below this are offsets, whatever they are made of.
const SMALL: u128 = 4096;
/// Depth to which a term of conditions is searched.
const CHOICE_DEPTH: u32 = 6;
/// Two objects are never nearer than this, in bytes: an unknown number times more may lead from one
/// to another.
const LEAST_DISTANCE: u128 = 8192;

/// The first place of an index times the size of its elements may be this far from the object.
const LATEST_START: u64 = 1 << 20;

/// One value that a term starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::exec) struct Base {
    pub value: u64,
    /// True if nothing is unknown: with these choices the term has this value.
    pub exact: bool,
    /// True if the unknown part may lead far away, so the value says little.
    pub wild: bool,
    /// Some of it was chosen: by a condition, or from a table.
    pub chosen: bool,
}

impl Base {
    fn exact(value: u128) -> Base {
        Base {
            value: value as u64,
            exact: true,
            wild: false,
            chosen: false,
        }
    }

    fn as_chosen(self) -> Base {
        Base {
            chosen: true,
            ..self
        }
    }

    /// An unknown value of at least this.
    fn unknown(least: u128) -> Base {
        Base {
            value: least as u64,
            exact: false,
            wild: false,
            chosen: false,
        }
    }

    /// Returns the start of a sum, whatever its constant is.
    fn noted(start: Start) -> Base {
        let (value, wild) = match start {
            Start::At(pointer) => (pointer, false),
            Start::Several => (0, true),
        };
        Base {
            value,
            exact: false,
            wild,
            chosen: false,
        }
    }

    fn with_value(self, value: u128) -> Base {
        Base {
            value: value as u64,
            ..self
        }
    }

    /// Returns the base of a term with two parts.
    fn and(self, other: Base, value: u128) -> Base {
        Base {
            value: value as u64,
            exact: self.exact && other.exact,
            wild: self.wild || other.wild,
            chosen: self.chosen || other.chosen,
        }
    }
}

type Visit<'v> = &'v mut dyn FnMut(Base);

/// Role of a term in its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A small number of a table is an offset: unknown, but small.
    Number,
    /// A byte of a table tells which of the pointers that the table was made of it belongs to.
    Bytes,
}

/// Queries of a scan about memory.
#[derive(Clone, Copy)]
pub(in crate::exec) struct Layout<'t> {
    /// Returns true if an object contains the first address, and all addresses up to the second
    /// belong to it.
    pub near: &'t dyn Fn(u64, u64) -> bool,
    /// Returns true if an address lies in an object or in the gaps around it.
    pub owned: &'t dyn Fn(u64) -> bool,
    pub pointers: PointerWidth,
}

impl Layout<'_> {
    /// Returns true if a number may be an address: others, and their negations, are offsets.
    fn is_far(&self, number: u64) -> bool {
        match self.pointers {
            PointerWidth::Bits64 => (number as i64).unsigned_abs() >= 1 << 40,
            PointerWidth::Bits32 => (number as i32).unsigned_abs() >= 1 << 27,
        }
    }
}

/// A scan of a term.
pub(in crate::exec) struct Bases<'t> {
    terms: &'t Terms,
    layout: Layout<'t>,
    visited: Cell<usize>,
    /// Current value of each condition (0: false) or index.
    chosen: RefCell<Vec<(Term, u64)>>,
}

impl<'t> Bases<'t> {
    pub fn new(terms: &'t Terms, layout: Layout<'t>) -> Bases<'t> {
        Bases {
            terms,
            layout,
            visited: Cell::new(0),
            chosen: RefCell::new(Vec::new()),
        }
    }

    /// Calls `visit` for every value that a term of at most 64 bits may start from; false if some
    /// may have been missed. For `base + index` (also written as `base | index`) that is `base`,
    /// for `c ? p + 1 : q` it is `p + 1` and `q`, and for `p + ((c ? q + 3 : q + 4) - q)` it is
    /// `p + 3` and `p + 4`, never `q`. A pointer that has been in memory may be a concatenation in
    /// which only some bytes are choices.
    pub fn for_each(&self, term: Term, visit: Visit<'_>) -> bool {
        self.scan(term, Role::Number, visit);
        self.visited.get() <= SCAN_LIMIT
    }

    /// An address in the one object that a sum of an address and a bounded offset stays in: what
    /// most terms are, and what costs no scan.
    pub fn one_object(&self, term: Term) -> Option<u64> {
        if let Some(Start::At(pointer)) = self.terms.start(term) {
            return Some(pointer);
        }
        let Node::Bin(BinOp::Add, a, b) = self.terms.node(term) else {
            return None;
        };
        let (base, offset) = self.near_offset(a, b)?;
        Some(base.wrapping_add(offset))
    }

    fn scan_table(&self, table: TableId, index: Term, visit: Visit<'_>) {
        let (elements, _) = self.terms.table_elements(table);
        self.choose(index, elements.len() as u64, &mut |at| {
            let element = elements.get(at as usize).copied().unwrap_or(0);
            visit(Base::exact(element.into()).as_chosen());
        });
    }

    fn scan(&self, term: Term, role: Role, visit: Visit<'_>) {
        if !self.count() {
            return;
        }
        let terms = self.terms;
        let (node, width) = (terms.node(term), terms.width(term));
        if width == 64
            && let Some(start) = terms.start(term)
        {
            return visit(Base::noted(start));
        }
        // Most nodes are understood, and their range would take longer than they do.
        let least = || terms.range(term).0;
        match node {
            Node::Const { value, .. } => visit(Base::exact(value)),
            _ if width == 1 => self.choose(term, 2, &mut |value| {
                visit(Base::exact(value.into()).as_chosen());
            }),
            Node::Ite(condition, a, b) => {
                self.choose(condition, 2, &mut |side| {
                    let chosen = if side == 0 { b } else { a };
                    self.scan(chosen, role, &mut |base| visit(base.as_chosen()));
                });
            }
            _ if width > 64 || (terms.range(term).1 < SMALL && !is_choice(terms, term, role)) => {
                visit(Base::unknown(least()));
            }
            Node::Bin(op, a, b) => self.scan_operation(term, (op, a, b), role, visit),
            Node::Not(a) => self.scan(a, role, &mut |base| {
                visit(base.with_value(!u128::from(base.value) & ops::mask(width)));
            }),
            Node::Zext { term: inner, .. } => self.scan(inner, role, visit),
            Node::Sext { term: inner, .. } => {
                let from = terms.width(inner);
                self.scan(inner, role, &mut |base| {
                    let value = ops::signed(from, base.value.into()) as u128;
                    visit(base.with_value(value & ops::mask(width)));
                });
            }
            Node::Extract {
                low, term: inner, ..
            } if terms.width(inner) <= 64 => self.scan(inner, role, &mut |base| {
                visit(base.with_value(u128::from(base.value) >> low & ops::mask(width)));
            }),
            Node::Concat(high, low) => {
                let shift = terms.width(low);
                self.scan(high, Role::Bytes, &mut |high| {
                    if !high.exact {
                        // A number that is read from input, or an index times a power of two.
                        return visit(Base::unknown(least()));
                    }
                    let low_part = low;
                    self.scan(low, Role::Bytes, &mut |low| {
                        let value = u128::from(high.value) << shift | u128::from(low.value);
                        let mut base = high.and(low, value);
                        // An index behind an aligned address; else any part of a number.
                        base.wild |= !low.exact
                            && terms.range(low_part).1 >= LEAST_DISTANCE
                            && !self.is_address(base);
                        visit(base);
                    });
                });
            }
            Node::Table(table, index) => self.scan_table(table, index, visit),
            Node::Symbol(_) | Node::Cmp(..) | Node::Extract { .. } | Node::Float(..) => {
                visit(Base::unknown(least()));
            }
        }
    }

    fn scan_operation(
        &self,
        term: Term,
        (op, a, b): (BinOp, Term, Term),
        role: Role,
        visit: Visit<'_>,
    ) {
        let width = self.terms.width(term);
        let terms = self.terms;
        if op == BinOp::Add
            && let Some((base, offset)) = self.near_offset(a, b)
        {
            return visit(Base::unknown(base.wrapping_add(offset).into()));
        }
        let factor = || terms.as_const(a).or(terms.as_const(b));
        let (is_understood, may_lead_far) = match op {
            BinOp::Add | BinOp::Sub | BinOp::And | BinOp::Or | BinOp::Xor => (true, false),
            BinOp::Mul => (true, factor().is_none_or(is_far)),
            BinOp::Shl => match terms.as_const(b) {
                Some(shift) => (true, shift >= u128::from(LEAST_DISTANCE.ilog2())),
                None => (false, false),
            },
            _ => (terms.as_const(b).is_some(), false),
        };
        if !is_understood {
            return visit(Base::unknown(terms.range(term).0));
        }
        let is_bitwise = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor);
        let may_scramble = |term: Term, base: Base| {
            is_bitwise && !base.exact && terms.range(term).1 >= SMALL && !self.is_address(base)
        };
        let (left, right) = (a, b);
        self.scan(a, role, &mut |a| {
            self.scan(b, role, &mut |b| {
                let scrambles = may_scramble(left, a) || may_scramble(right, b);
                // A distance that is not known is taken for none.
                let subtracted = if op == BinOp::Sub && !b.exact {
                    0
                } else {
                    b.value.into()
                };
                let value = ops::eval_bin(op, width, a.value.into(), subtracted);
                let mut base = a.and(b, value);
                let leads_astray = self.leads_astray((left, a), (right, b));
                base.wild |= (may_lead_far && !base.exact) || scrambles || leads_astray;
                if op == BinOp::Add
                    && let Some(started) = self.started(a, b)
                    && !(self.layout.near)(started, base.value)
                {
                    visit(base.with_value(started.into()));
                    if !self.leads_in_front(started, base) {
                        visit(base);
                    }
                    return;
                }
                visit(base);
            });
        });
    }

    /// Returns true if a sum of a far value outside all objects and an unknown number may be in any
    /// object: the value alone is not an address that the number is an offset from.
    fn leads_astray(&self, left: (Term, Base), right: (Term, Base)) -> bool {
        let (known, (unknown, least)) = match (left.1.exact, right.1.exact) {
            (true, false) => (left.1.value, right),
            (false, true) => (right.1.value, left),
            _ => return false,
        };
        let owned = self.layout.owned;
        // An index need not start at 0.
        let starts_late = least.value < LATEST_START && owned(known.wrapping_add(least.value));
        self.layout.is_far(known)
            && self.terms.range(unknown).1 >= LEAST_DISTANCE
            && !owned(known)
            && !starts_late
    }

    /// The address that a distance which is not known is added to. With the least of the distance
    /// it may be in another object by accident: `table + 28 * (digit - '0')` leads in front of the
    /// table, `table + 28 * (99 - digit)` behind it. A distance with choices in it means what it
    /// says, and so may any other (of a buffer from the one that it was moved from), so what the
    /// sum is counts beside it.
    fn started(&self, one: Base, other: Base) -> Option<u64> {
        let (known, distance) = match (one.exact, other.exact) {
            (true, false) => (one.value, other),
            (false, true) => (other.value, one),
            _ => return None,
        };
        ((self.layout.owned)(known) && !distance.chosen).then_some(known)
    }

    /// Returns true if a sum is an address in front of its start, and of no object.
    fn leads_in_front(&self, started: u64, sum: Base) -> bool {
        sum.value < started && !self.is_address(sum)
    }

    /// Returns true if a value lies in an object, so that its unknown part is an offset.
    fn is_address(&self, base: Base) -> bool {
        (self.layout.near)(base.value, base.value)
    }

    /// The parts of a sum of an address and an offset that stays in its object, at its least.
    fn near_offset(&self, a: Term, b: Term) -> Option<(u64, u64)> {
        let terms = self.terms;
        let (base, offset) = match (terms.as_const(a), terms.as_const(b)) {
            (Some(base), _) => (base as u64, b),
            (_, Some(base)) => (base as u64, a),
            _ => return None,
        };
        let (low, high) = terms.range(offset);
        let end = base.checked_add(u64::try_from(high).ok()?)?;
        let low = low as u64;
        (self.layout.near)(base + low, end).then_some((base, low))
    }

    /// Calls `visit` with each choice from 0 to `count - 1`, or with the one that has been made
    /// already.
    fn choose(&self, selector: Term, count: u64, visit: &mut dyn FnMut(u64)) {
        let made = self.chosen.borrow().iter().find_map(|choice| {
            let (other, made) = *choice;
            (other == selector).then_some(made)
        });
        if let Some(made) = made {
            return visit(made);
        }
        if let Node::Not(inner) = self.terms.node(selector)
            && count == 2
        {
            return self.choose(inner, 2, &mut |side| visit(1 - side));
        }
        for choice in 0..count {
            if !self.count() {
                return;
            }
            self.chosen.borrow_mut().push((selector, choice));
            visit(choice);
            self.chosen.borrow_mut().pop();
        }
    }

    fn count(&self) -> bool {
        self.visited.set(self.visited.get() + 1);
        self.visited.get() <= SCAN_LIMIT
    }
}

/// Conditions as a number, such as a mask, a factor or a byte of either, or a byte of a table:
/// nothing else is unknown in it.
fn is_choice(terms: &Terms, term: Term, role: Role) -> bool {
    is_made_of_choices(terms, term, role, CHOICE_DEPTH)
}

fn is_made_of_choices(terms: &Terms, term: Term, role: Role, depth: u32) -> bool {
    if terms.width(term) == 1 {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let is = |term| is_made_of_choices(terms, term, role, depth);
    match terms.node(term) {
        Node::Const { .. } => true,
        Node::Table(..) => role == Role::Bytes,
        Node::Zext { term, .. } | Node::Sext { term, .. } | Node::Not(term) => is(term),
        Node::Bin(BinOp::And | BinOp::Or | BinOp::Xor, a, b) | Node::Concat(a, b) => is(a) && is(b),
        Node::Ite(_, a, b) => is(a) && is(b),
        _ => false,
    }
}

/// Returns true if a factor is as large as the distance of two objects, in either direction.
fn is_far(factor: u128) -> bool {
    let factor = factor as u64 as i64;
    u128::from(factor.unsigned_abs()) >= LEAST_DISTANCE
}

/// Calls `visit` for every constant of this width in a term and its tables.
pub(in crate::exec) fn scan_constants(
    terms: &Terms,
    root: Term,
    bits: u8,
    mut visit: impl FnMut(u128),
) {
    let mut seen = FxHashSet::default();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        if seen.len() > SCAN_LIMIT || !seen.insert(term) {
            continue;
        }
        let node = terms.node(term);
        match node {
            Node::Const { width, value } if width == bits => visit(value),
            Node::Table(table, _) => {
                let (elements, width) = terms.table_elements(table);
                if width == u32::from(bits) {
                    elements.iter().for_each(|value| visit(u128::from(*value)));
                }
            }
            _ => {}
        }
        node.for_each_operand(|operand| work.push(operand));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_solver::term::Byte;

    const NOWHERE: Layout = Layout {
        near: &|_, _| false,
        owned: &|_| false,
        pointers: PointerWidth::Bits64,
    };

    fn bases(terms: &Terms, term: Term) -> Vec<u64> {
        let mut found = Vec::new();
        Bases::new(terms, NOWHERE).for_each(term, &mut |base| found.push(base.value));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn bytes_of_one_choice_are_chosen_together() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 2);
        let index = terms.symbol(Byte { array, index: 0 });
        let other = terms.symbol(Byte { array, index: 1 });
        let pointers = [0x11223344u64, 0x55667788, 0x99aabbcc];
        let byte = |shift: u64| {
            let elements: Vec<u64> = pointers.iter().map(|p| p >> shift & 0xff).collect();
            terms.table(&elements, 8, index)
        };
        let low = terms.concat(byte(8), byte(0));
        let high = terms.concat(byte(24), byte(16));
        let pointer = terms.zext(terms.concat(high, low), 64);
        let offset = terms.zext(other, 64);
        let sum = terms.bin(BinOp::Add, pointer, offset);
        assert_eq!(bases(&terms, sum), pointers);
    }

    #[test]
    fn bytes_that_do_not_merge_are_chosen_together() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let index = terms.symbol(Byte { array, index: 0 });
        let pointers = [0x1122u64, 0x3344, 0x5566];
        let byte = |shift: u64| {
            let elements: Vec<u64> = pointers.iter().map(|p| p >> shift & 0xff).collect();
            terms.table(&elements, 8, index)
        };
        let pointer = terms.concat(byte(8), terms.not(byte(0)));
        assert_eq!(bases(&terms, pointer), [0x11dd, 0x33bb, 0x5599]);
    }

    #[test]
    fn a_sum_that_no_object_owns_may_lead_anywhere() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 4);
        let byte = |index| terms.symbol(Byte { array, index });
        let number = terms.concat(terms.concat(byte(2), byte(1)), byte(0));
        let sum = |base| {
            let base = terms.constant(64, base);
            terms.bin(BinOp::Add, terms.zext(number, 64), base)
        };
        let owned = |address| (0x400_1000_0000..0x400_1000_0100).contains(&address);
        let layout = Layout {
            near: &|low, high| owned(low) && owned(high),
            owned: &owned,
            pointers: PointerWidth::Bits64,
        };
        let is_wild = |term| {
            let mut wild = false;
            Bases::new(&terms, layout).for_each(term, &mut |base| wild |= base.wild);
            wild
        };
        assert!(is_wild(sum(0x400_0000_0000)));
        assert!(!is_wild(sum(0x400_1000_0000)), "an index");
        assert!(!is_wild(sum(64)), "the offset of a part of an element");
    }

    #[test]
    fn a_mask_without_choice_may_lead_anywhere() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let symbol = terms.zext(terms.symbol(Byte { array, index: 0 }), 64);
        let negated = terms.bin(BinOp::Sub, terms.constant(64, 0), symbol);
        let masked = |mask, pointer| terms.bin(BinOp::And, mask, terms.constant(64, pointer));
        let chosen = masked(negated, 0x7_1234_5670);
        let other = masked(terms.not(negated), 0x3_7777_1230);
        let either = terms.bin(BinOp::Or, chosen, other);
        let mut wild = false;
        Bases::new(&terms, NOWHERE).for_each(either, &mut |base| wild |= base.wild);
        assert!(wild);
    }

    #[test]
    fn a_condition_is_the_same_everywhere() {
        let terms = Terms::new();
        let array = terms.array("in", 0, 1);
        let symbol = terms.symbol(Byte { array, index: 0 });
        let condition = terms.eq_const(symbol, 7);
        let of = |a, b| terms.ite(condition, terms.constant(8, a), terms.constant(8, b));
        let pointer = terms.concat(of(0x10, 0x20), of(0x30, 0x40));
        assert_eq!(bases(&terms, pointer), [0x1030, 0x2040]);
    }
}
