//! Rules for if-then-else and tables.
//!
//! Normal form: conditions are not negated, 1-bit selections are and/or, tables are as short and as
//! narrow as the index allows.

use super::{Node, Term, Terms};
use homi_ir::ops::mask;

type IteRule = fn(&Terms, Term, Term, Term) -> Option<Term>;

pub(in crate::term) const ITE: &[IteRule] = &[
    ite_same,
    ite_not,
    ite_of_bools,
    ite_extended_condition,
    ite_nested,
    ite_of_zext,
];

// match: ite(p, x, x)   result: x
fn ite_same(_: &Terms, _: Term, x: Term, y: Term) -> Option<Term> {
    (x == y).then_some(x)
}

// match: ite(not p, x, y)   result: ite(p, y, x)
fn ite_not(terms: &Terms, p: Term, x: Term, y: Term) -> Option<Term> {
    match terms.node(p) {
        Node::Not(p) => Some(terms.ite(p, y, x)),
        _ => None,
    }
}

// match: ite(p, x, y), 1 bit, x or y a constant or p   result: the same with and, or
fn ite_of_bools(terms: &Terms, p: Term, x: Term, y: Term) -> Option<Term> {
    if terms.width(x) != 1 {
        return None;
    }
    if terms.is_const(x, 1) || x == p {
        return Some(terms.or(p, y));
    }
    if terms.is_const(x, 0) {
        return Some(terms.and(terms.not(p), y));
    }
    if terms.is_const(y, 1) {
        return Some(terms.or(terms.not(p), x));
    }
    (terms.is_const(y, 0) || y == p).then(|| terms.and(p, x))
}

// match: ite(p, 1, 0)   result: zext p;   match: ite(p, ones, 0)   result: sext p
// match: ite(p, 0, 1)   result: zext not p;   match: ite(p, 0, ones)   result: sext not p
fn ite_extended_condition(terms: &Terms, p: Term, x: Term, y: Term) -> Option<Term> {
    let width = terms.width(x);
    let (c, d) = (terms.as_const(x)?, terms.as_const(y)?);
    match (c, d) {
        (1, 0) => Some(terms.zext(p, width)),
        (0, 1) => Some(terms.zext(terms.not(p), width)),
        (_, 0) if c == mask(width) => Some(terms.sext(p, width)),
        (0, _) if d == mask(width) => Some(terms.sext(terms.not(p), width)),
        _ => None,
    }
}

// match: ite(p, ite(p, x, y), z) result: ite(p, x, z); match: ite(p, x, ite(p, y, z)) result:
// ite(p, x, z) match: ite(p, x, ite(q, x, y)) result: ite(p | q, x, y)
fn ite_nested(terms: &Terms, p: Term, a: Term, b: Term) -> Option<Term> {
    match terms.node(a) {
        Node::Ite(q, x, _) if q == p => return Some(terms.ite(p, x, b)),
        _ => {}
    }
    match terms.node(b) {
        Node::Ite(q, _, z) if q == p => Some(terms.ite(p, a, z)),
        Node::Ite(q, x, y) if x == a => Some(terms.ite(terms.or(p, q), x, y)),
        _ => None,
    }
}

// match: ite(p, zext x, zext y), or a small constant for one   result: zext ite(p, x, y)
fn ite_of_zext(terms: &Terms, p: Term, a: Term, b: Term) -> Option<Term> {
    let inner = match (terms.as_zext(a), terms.as_zext(b)) {
        (Some(x), Some(y)) => terms.width(x).max(terms.width(y)),
        (Some(x), None) => terms.width(x),
        (None, Some(y)) => terms.width(y),
        (None, None) => return None,
    };
    let fits = |term: Term| {
        terms.as_zext(term).is_some() || terms.as_const(term).is_some_and(|c| c <= mask(inner))
    };
    (fits(a) && fits(b)).then(|| {
        let (x, y) = (terms.extract(a, 0, inner), terms.extract(b, 0, inner));
        terms.zext(terms.ite(p, x, y), terms.width(a))
    })
}

// match: table[zext x]   result: table[x]
// match: table with elements beyond the bounds of the index   result: without them
// match: table of equal elements for every possible index   result: the element
pub(in crate::term) fn table(
    terms: &Terms,
    elements: &[u64],
    element_width: u32,
    index: Term,
) -> Option<Term> {
    if let Some(x) = terms.as_zext(index) {
        return Some(terms.table(elements, element_width, x));
    }
    let (low, high) = terms.range(index);
    let length = elements.len() as u128;
    if high.saturating_add(1) < length {
        return Some(terms.table(&elements[..high as usize + 1], element_width, index));
    }
    let reached = &elements[low.min(length) as usize..];
    let first = reached.first().copied().unwrap_or(0);
    let beyond_fits = high < length || first == 0;
    (beyond_fits && reached.iter().all(|&element| element == first))
        .then(|| terms.constant(element_width, first.into()))
}
