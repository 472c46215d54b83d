//! Rules for and, or, xor and complement.
//!
//! Normal form: masks of contiguous ones are extractions, operators go below extensions and
//! concatenations (so that bytes stay separate), negation of conditions goes to the comparisons.

use super::{BinRule, Node, Term, Terms};
use homi_ir::ops::{BinOp, CmpOp, mask};

pub(in crate::term) fn rules(op: BinOp) -> &'static [BinRule] {
    match op {
        BinOp::And => &[
            and_trivial,
            same_operand,
            and_opposite,
            constant_chain_and,
            absorb_and,
            and_same_comparison,
            contiguous_mask,
            split_and,
        ],
        BinOp::Or => &[
            or_trivial,
            same_operand,
            or_opposite,
            constant_chain_or,
            absorb_or,
            split_or,
        ],
        BinOp::Xor => &[
            xor_trivial,
            xor_self,
            xor_ones,
            constant_chain_xor,
            split_xor,
        ],
        _ => &[],
    }
}

type NotRule = fn(&Terms, Term) -> Option<Term>;

pub(in crate::term) const NOT: &[NotRule] = &[not_not, not_compare, not_condition, not_ite];

// match: x & 0   result: 0;   match: x & ones   result: x
fn and_trivial(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    let c = terms.as_const(y)?;
    match c {
        0 => Some(y),
        _ => (c == mask(terms.width(x))).then_some(x),
    }
}

// match: x | 0   result: x;   match: x | ones   result: ones
fn or_trivial(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    let c = terms.as_const(y)?;
    match c {
        0 => Some(x),
        _ => (c == mask(terms.width(x))).then_some(y),
    }
}

// match: x ^ 0   result: x
fn xor_trivial(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    terms.is_const(y, 0).then_some(x)
}

// match: x & x, x | x   result: x
fn same_operand(_: &Terms, x: Term, y: Term) -> Option<Term> {
    (x == y).then_some(x)
}

// match: x ^ x   result: 0
fn xor_self(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    (x == y).then(|| terms.constant(terms.width(x), 0))
}

// match: x ^ ones   result: not x
fn xor_ones(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    terms
        .is_const(y, mask(terms.width(x)))
        .then(|| terms.not(x))
}

// match: x & not x   result: 0
fn and_opposite(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    terms
        .are_opposite(x, y)
        .then(|| terms.constant(terms.width(x), 0))
}

// match: x | not x   result: ones
fn or_opposite(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    terms
        .are_opposite(x, y)
        .then(|| terms.constant(terms.width(x), u128::MAX))
}

// match: (x & c) & d   result: x & (c & d)
fn constant_chain_and(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let (x, c) = terms.as_bin_const(BinOp::And, a)?;
    let merged = c & terms.as_const(b)?;
    Some(terms.bin(BinOp::And, x, terms.constant(terms.width(a), merged)))
}

// match: (x | c) | d   result: x | (c | d)
fn constant_chain_or(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let (x, c) = terms.as_bin_const(BinOp::Or, a)?;
    let merged = c | terms.as_const(b)?;
    Some(terms.bin(BinOp::Or, x, terms.constant(terms.width(a), merged)))
}

// match: (x ^ c) ^ d   result: x ^ (c ^ d)
fn constant_chain_xor(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let (x, c) = terms.as_bin_const(BinOp::Xor, a)?;
    let merged = c ^ terms.as_const(b)?;
    Some(terms.bin(BinOp::Xor, x, terms.constant(terms.width(a), merged)))
}

// match: x & (x & y)   result: x & y;   match: x & (x | y)   result: x
fn absorb_and(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    absorb(terms, BinOp::And, BinOp::Or, a, b)
}

// match: x | (x | y)   result: x | y;   match: x | (x & y)   result: x
fn absorb_or(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    absorb(terms, BinOp::Or, BinOp::And, a, b)
}

fn absorb(terms: &Terms, same: BinOp, dual: BinOp, a: Term, b: Term) -> Option<Term> {
    for (x, other) in [(a, b), (b, a)] {
        match terms.node(other) {
            Node::Bin(op, y, z) if y == x || z == x => {
                if op == same {
                    return Some(other);
                }
                if op == dual {
                    return Some(x);
                }
            }
            _ => {}
        }
    }
    None
}

// match: x == c & x == d, c and d different   result: false
// match: x == c & x != d, c and d different   result: x == c
fn and_same_comparison(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    for (first, second) in [(a, b), (b, a)] {
        let (Node::Cmp(CmpOp::Eq, x, c), Node::Cmp(op, y, d)) =
            (terms.node(first), terms.node(second))
        else {
            continue;
        };
        let (c, d) = (terms.as_const(c)?, terms.as_const(d));
        match d {
            Some(d) if x == y && c != d => match op {
                CmpOp::Eq => return Some(terms.bool(false)),
                CmpOp::Ne => return Some(first),
                _ => {}
            },
            _ => {}
        }
    }
    None
}

// match: x & (ones in bits m..n)   result: zext concat(bits m..n of x, 0:m)
fn contiguous_mask(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let c = terms.as_const(b)?;
    let low = c.trailing_zeros();
    let ones = c >> low;
    if ones & ones.wrapping_add(1) != 0 {
        return None;
    }
    let bits = terms.extract(a, low, ones.count_ones());
    let placed = if low == 0 {
        bits
    } else {
        terms.concat(bits, terms.constant(low, 0))
    };
    Some(terms.zext(placed, terms.width(a)))
}

// match: x & y where both fall into a high and a low part   result: concat(high & high, low & low)
fn split_and(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    split(terms, BinOp::And, a, b)
}

// match: x | y where both fall into a high and a low part   result: concat(high | high, low | low)
fn split_or(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    split(terms, BinOp::Or, a, b)
}

// match: x ^ y where both fall into a high and a low part   result: concat(high ^ high, low ^ low)
fn split_xor(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    split(terms, BinOp::Xor, a, b)
}

fn split(terms: &Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let boundary = match (boundary(terms, a), boundary(terms, b)) {
        (Some(one), Some(other)) if one == other => one,
        (Some(one), Some(other)) => {
            // The boundary that is free for both: extensions and constants split anywhere above.
            let at = one.max(other);
            if splits_at(terms, a, at) && splits_at(terms, b, at) {
                at
            } else {
                let at = one.min(other);
                if !(splits_at(terms, a, at) && splits_at(terms, b, at)) {
                    return None;
                }
                at
            }
        }
        (Some(at), None) if terms.as_const(b).is_some() => at,
        (None, Some(at)) if terms.as_const(a).is_some() => at,
        _ => return None,
    };
    let above = terms.width(a) - boundary;
    let high = terms.bin(
        op,
        terms.extract(a, boundary, above),
        terms.extract(b, boundary, above),
    );
    let low = terms.bin(
        op,
        terms.extract(a, 0, boundary),
        terms.extract(b, 0, boundary),
    );
    Some(terms.concat(high, low))
}

/// Returns the width of a term's lower part if the term splits without new nodes.
fn boundary(terms: &Terms, term: Term) -> Option<u32> {
    match terms.node(term) {
        Node::Zext { term, .. } => Some(terms.width(term)),
        Node::Concat(_, low) => Some(terms.width(low)),
        _ => None,
    }
}

fn splits_at(terms: &Terms, term: Term, at: u32) -> bool {
    match terms.node(term) {
        Node::Const { .. } => true,
        Node::Zext { term, .. } => {
            let inner = terms.width(term);
            at >= inner || splits_at(terms, term, at)
        }
        Node::Concat(high, low) => {
            let width = terms.width(low);
            match at.cmp(&width) {
                std::cmp::Ordering::Equal => true,
                std::cmp::Ordering::Less => splits_at(terms, low, at),
                std::cmp::Ordering::Greater => splits_at(terms, high, at - width),
            }
        }
        _ => false,
    }
}

// match: not not x   result: x
fn not_not(terms: &Terms, a: Term) -> Option<Term> {
    match terms.node(a) {
        Node::Not(x) => Some(x),
        _ => None,
    }
}

// match: not (x cmp y)   result: x negated-cmp y
fn not_compare(terms: &Terms, a: Term) -> Option<Term> {
    match terms.node(a) {
        Node::Cmp(op, x, y) => Some(terms.cmp(op.negated(), x, y)),
        _ => None,
    }
}

// match: not (x & y), 1 bit result: not x | not y; match: not (x | y), 1 bit result: not x & not y
fn not_condition(terms: &Terms, a: Term) -> Option<Term> {
    if terms.width(a) != 1 {
        return None;
    }
    match terms.node(a) {
        Node::Bin(BinOp::And, x, y) => Some(terms.or(terms.not(x), terms.not(y))),
        Node::Bin(BinOp::Or, x, y) => Some(terms.and(terms.not(x), terms.not(y))),
        _ => None,
    }
}

// match: not ite(p, c, y)   result: ite(p, not c, not y), for a constant on either side
fn not_ite(terms: &Terms, a: Term) -> Option<Term> {
    match terms.node(a) {
        Node::Ite(p, x, y) if terms.as_const(x).is_some() || terms.as_const(y).is_some() => {
            Some(terms.ite(p, terms.not(x), terms.not(y)))
        }
        _ => None,
    }
}
