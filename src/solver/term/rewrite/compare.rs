//! Rules for comparisons.
//!
//! Normal form: constants on the right of `==` and `!=`; a comparison with a constant is strict
//! (`<`); extensions and offsets around a compared term are undone on the constant, so that what
//! remains is over the bytes themselves.

use super::division::{equal_quotient, quotient_and_constant};
use super::{Node, Term, Terms};
use crate::term::range;
use homi_ir::ops::{BinOp, CmpOp, mask, signed};

type CompareRule = fn(&Terms, CmpOp, Term, Term) -> Option<Term>;

pub(in crate::term) fn rules(op: CmpOp) -> &'static [CompareRule] {
    match op {
        CmpOp::Eq | CmpOp::Ne => &[
            same_operands,
            decided_by_bounds,
            equal_bool,
            equal_offset,
            equal_zext,
            equal_sext,
            equal_concat,
            equal_ite,
            equal_or_zero,
            equal_difference,
            equal_quotient,
            equal_fitting,
        ],
        _ => &[
            same_operands,
            decided_by_bounds,
            strict_constant,
            edge_constant,
            signed_as_unsigned,
            both_zext,
            both_sext,
            zext_and_constant,
            sext_and_constant,
            offset_and_constant,
            sign_bit,
            order_of_bools,
            concat_and_constant,
            quotient_and_constant,
        ],
    }
}

/// `term` if the comparison is `==`, its negation if it is `!=`.
fn polarity(terms: &Terms, op: CmpOp, equal: Term) -> Term {
    if op == CmpOp::Eq {
        equal
    } else {
        terms.not(equal)
    }
}

// match: x cmp x   result: whether cmp is reflexive
fn same_operands(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| terms.bool(matches!(op, CmpOp::Eq | CmpOp::Ule | CmpOp::Sle)))
}

// match: x cmp y, decided by the bounds of x and y   result: true or false
fn decided_by_bounds(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    if width > 64 {
        let ((_, a_high), (b_low, _)) = (terms.range(a), terms.range(b));
        return match op {
            CmpOp::Ult | CmpOp::Eq | CmpOp::Ne if a_high < b_low => {
                Some(terms.bool(op != CmpOp::Eq))
            }
            _ => None,
        };
    }
    let answer = range::compare(op, width, terms.small_range(a), terms.small_range(b))?;
    Some(terms.bool(answer))
}

// match: x == 1, 1 bit   result: x;   match: x == 0, 1 bit   result: not x
fn equal_bool(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    if terms.width(a) != 1 {
        return None;
    }
    let c = terms.as_const(b)?;
    let equal = if c == 1 { a } else { terms.not(a) };
    Some(polarity(terms, op, equal))
}

// match: x + c == d   result: x == d-c;   match: c - x == d   result: x == c-d
// match: x ^ c == d   result: x == c^d;   match: not x == d   result: x == not d
// match: x + c == y + d   result: x + (c-d) == y
fn equal_offset(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    if let Some((y, d)) = terms.as_bin_const(BinOp::Add, b) {
        let (x, c) = terms.as_bin_const(BinOp::Add, a)?;
        let moved = terms.constant(width, c.wrapping_sub(d));
        return Some(terms.cmp(op, terms.bin(BinOp::Add, x, moved), y));
    }
    let d = terms.as_const(b)?;
    let (x, value) = match terms.node(a) {
        Node::Bin(BinOp::Add, x, c) => (x, d.wrapping_sub(terms.as_const(c)?)),
        Node::Bin(BinOp::Sub, c, x) if terms.as_const(c).is_some() => {
            (x, terms.as_const(c)?.wrapping_sub(d))
        }
        Node::Bin(BinOp::Xor, x, c) => (x, d ^ terms.as_const(c)?),
        Node::Not(x) => (x, !d),
        _ => return None,
    };
    Some(terms.cmp(op, x, terms.constant(width, value)))
}

// match: zext x == c   result: x == c, or false if c does not fit
// match: zext x == zext y   result: the narrower extended to the wider == the wider
fn equal_zext(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    if let (Some(x), Some(c)) = (terms.as_zext(a), terms.as_const(b)) {
        let inner = terms.width(x);
        let equal = if c <= mask(inner) {
            terms.eq(x, terms.constant(inner, c))
        } else {
            terms.bool(false)
        };
        return Some(polarity(terms, op, equal));
    }
    let (x, y) = narrowed_pair(terms, a, b)?;
    Some(terms.cmp(op, x, y))
}

/// The two operands of zero extensions, brought to the wider one's width.
fn narrowed_pair(terms: &Terms, a: Term, b: Term) -> Option<(Term, Term)> {
    let (x, y) = (terms.as_zext(a)?, terms.as_zext(b)?);
    let width = terms.width(x).max(terms.width(y));
    Some((terms.zext(x, width), terms.zext(y, width)))
}

// match: sext x == c   result: x == low bits of c, or false if c is not such an extension match:
// sext x == sext y, of one width   result: x == y
fn equal_sext(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    if let (Some(x), Some(c)) = (terms.as_sext(a), terms.as_const(b)) {
        let inner = terms.width(x);
        let low = c & mask(inner);
        let equal = if signed(inner, low) == signed(width, c) {
            terms.eq(x, terms.constant(inner, low))
        } else {
            terms.bool(false)
        };
        return Some(polarity(terms, op, equal));
    }
    let (x, y) = (terms.as_sext(a)?, terms.as_sext(b)?);
    (terms.width(x) == terms.width(y)).then(|| terms.cmp(op, x, y))
}

// match: concat(x, y) == z, z a constant or a concatenation or extension split at the same bit
// result: x == high part of z & y == low part of z
fn equal_concat(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let (concat, other) = match terms.node(a) {
        Node::Concat(..) => (a, b),
        _ => (b, a),
    };
    let Node::Concat(x, y) = terms.node(concat) else {
        return None;
    };
    let (low, high) = (terms.width(y), terms.width(x));
    let splits = match terms.node(other) {
        Node::Const { .. } => true,
        Node::Concat(_, y) => terms.width(y) == low,
        Node::Zext { term, .. } => terms.width(term) <= low,
        _ => false,
    };
    splits.then(|| {
        let upper = terms.eq(x, terms.extract(other, low, high));
        let lower = terms.eq(y, terms.extract(other, 0, low));
        polarity(terms, op, terms.and(upper, lower))
    })
}

// match: ite(p, c, x) == d   result: p | x == d if c equals d, otherwise not p & x == d
// match: ite(p, x, c) == d   result: likewise with the sides exchanged
fn equal_ite(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let d = terms.as_const(b)?;
    let Node::Ite(p, x, y) = terms.node(a) else {
        return None;
    };
    let equal = match (terms.as_const(x), terms.as_const(y)) {
        (Some(c), _) if c == d => terms.or(p, terms.eq(y, b)),
        (Some(_), _) => terms.and(terms.not(p), terms.eq(y, b)),
        (_, Some(c)) if c == d => terms.or(terms.not(p), terms.eq(x, b)),
        (_, Some(_)) => terms.and(p, terms.eq(x, b)),
        _ => return None,
    };
    Some(polarity(terms, op, equal))
}

// match: x | y == 0   result: x == 0 & y == 0
fn equal_or_zero(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = terms.as_bin(BinOp::Or, a)?;
    terms.is_const(b, 0).then(|| {
        let both = terms.and(terms.eq(x, b), terms.eq(y, b));
        polarity(terms, op, both)
    })
}

// match: x == zext (low bits of x) result: x < 2^n; match: x == sext (low bits of x) result: x in
// range Products of extended operands arise so, when a multiplication is checked for overflow.
fn equal_fitting(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    for (wide, extended) in [(a, b), (b, a)] {
        let (narrow, is_signed) = match terms.node(extended) {
            Node::Zext { term, .. } => (term, false),
            Node::Sext { term, .. } => (term, true),
            _ => continue,
        };
        let inner = terms.width(narrow);
        if !matches!(terms.node(wide), Node::Bin(..)) || terms.extract(wide, 0, inner) != narrow {
            continue;
        }
        let constant = |value: u128| terms.constant(width, value & mask(width));
        let fits = if is_signed {
            let half = 1u128 << (inner - 1);
            let above = terms.cmp(CmpOp::Sle, constant(half.wrapping_neg()), wide);
            terms.and(above, terms.cmp(CmpOp::Slt, wide, constant(half)))
        } else {
            terms.cmp(CmpOp::Ult, wide, constant(1 << inner))
        };
        return Some(polarity(terms, op, fits));
    }
    None
}

// match: x - y == 0, x ^ y == 0   result: x == y
fn equal_difference(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    match terms.node(a) {
        Node::Bin(BinOp::Sub | BinOp::Xor, x, y) if terms.is_const(b, 0) => {
            Some(terms.cmp(op, x, y))
        }
        _ => None,
    }
}

// match: x <= c result: x < c+1 (true at the top); match: c <= x result: c-1 < x (true at the
// bottom)
fn strict_constant(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let (strict, top, bottom) = match op {
        CmpOp::Ule => (CmpOp::Ult, mask(width), 0),
        CmpOp::Sle => (CmpOp::Slt, mask(width) >> 1, 1 << (width - 1)),
        _ => return None,
    };
    if let Some(c) = terms.as_const(b) {
        return Some(if c == top {
            terms.bool(true)
        } else {
            terms.cmp(strict, a, terms.constant(width, c.wrapping_add(1)))
        });
    }
    let c = terms.as_const(a)?;
    Some(if c == bottom {
        terms.bool(true)
    } else {
        terms.cmp(strict, terms.constant(width, c.wrapping_sub(1)), b)
    })
}

// match: x < bottom, top < x   result: false
// match: x < bottom+1   result: x == bottom;   match: top-1 < x   result: x == top
// match: x < top   result: x != top;   match: bottom < x   result: x != bottom
fn edge_constant(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let (top, bottom) = match op {
        CmpOp::Ult => (mask(width), 0),
        CmpOp::Slt if width > 1 => (mask(width) >> 1, 1 << (width - 1)),
        _ => return None,
    };
    if let Some(c) = terms.as_const(b) {
        return match c {
            _ if c == bottom => Some(terms.bool(false)),
            _ if c == bottom + 1 => Some(terms.eq(a, terms.constant(width, bottom))),
            _ if c == top => Some(terms.cmp(CmpOp::Ne, a, b)),
            _ => None,
        };
    }
    match terms.as_const(a)? {
        c if c == top => Some(terms.bool(false)),
        c if c == top - 1 => Some(terms.eq(b, terms.constant(width, top))),
        c if c == bottom => Some(terms.cmp(CmpOp::Ne, b, a)),
        _ => None,
    }
}

// match: x <signed y, both known to be non-negative   result: x <unsigned y
fn signed_as_unsigned(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let unsigned = match op {
        CmpOp::Slt => CmpOp::Ult,
        CmpOp::Sle => CmpOp::Ule,
        _ => return None,
    };
    let both = terms.is_nonnegative(a) && terms.is_nonnegative(b);
    both.then(|| terms.cmp(unsigned, a, b))
}

// match: zext x <unsigned zext y   result: the same on the wider of the two widths
fn both_zext(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    if !matches!(op, CmpOp::Ult | CmpOp::Ule) {
        return None;
    }
    let (x, y) = narrowed_pair(terms, a, b)?;
    Some(terms.cmp(op, x, y))
}

// match: sext x < sext y, of one width, signed or not   result: x < y
fn both_sext(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let (x, y) = (terms.as_sext(a)?, terms.as_sext(b)?);
    (terms.width(x) == terms.width(y)).then(|| terms.cmp(op, x, y))
}

// match: zext x <unsigned c, c <unsigned zext x result: x < c, c < x (bounds have decided the rest)
fn zext_and_constant(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    if op != CmpOp::Ult {
        return None;
    }
    if let (Some(x), Some(c)) = (terms.as_zext(a), terms.as_const(b)) {
        let inner = terms.width(x);
        return (c <= mask(inner)).then(|| terms.cmp(op, x, terms.constant(inner, c)));
    }
    let (c, y) = (terms.as_const(a)?, terms.as_zext(b)?);
    let inner = terms.width(y);
    (c <= mask(inner)).then(|| terms.cmp(op, terms.constant(inner, c), y))
}

// match: x + c < d, d < x + c, where the sum never wraps by the bounds of x result: x < d-c, d-c <
// x, or true or false A loop that counts to a symbolic number compares it with another sum each
// time; so they are bounds of one term.
fn offset_and_constant(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let (sum, constant, constant_left) = match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(constant)) => (a, constant, false),
        (Some(constant), None) => (b, constant, true),
        _ => return None,
    };
    let (x, offset) = terms.as_bin_const(BinOp::Add, sum)?;
    if width > 64 {
        return None;
    }
    let (low, high) = terms.range(x);
    let (first, last, moved) = match op {
        CmpOp::Ult => {
            let (low, high, modulus) = (low as i128, high as i128, 1i128 << width);
            let offset = match offset as i128 {
                offset if high + offset < modulus => offset,
                offset if low + offset >= modulus => offset - modulus,
                _ => return None,
            };
            (0, modulus - 1, constant as i128 - offset)
        }
        CmpOp::Slt => {
            let half = 1i128 << (width - 1);
            let (low, high) = (signed(width, low), signed(width, high));
            let offset = signed(width, offset);
            if low > high || low + offset < -half || high + offset >= half {
                return None;
            }
            (-half, half - 1, signed(width, constant) - offset)
        }
        _ => return None,
    };
    if moved < first || moved > last {
        return Some(terms.bool((moved < first) == constant_left));
    }
    let moved = terms.constant(width, moved as u128 & mask(width));
    Some(if constant_left {
        terms.cmp(op, moved, x)
    } else {
        terms.cmp(op, x, moved)
    })
}

// match: sext x <signed c, c <signed sext x, c in the range of x   result: x < c, c < x
// match: the same with c outside   result: true or false
fn sext_and_constant(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    if op != CmpOp::Slt {
        return None;
    }
    let width = terms.width(a);
    let (constant, x) = match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(c)) => (signed(width, c), terms.as_sext(a)?),
        (Some(c), None) => (signed(width, c), terms.as_sext(b)?),
        _ => return None,
    };
    let constant_left = terms.as_const(a).is_some();
    let inner = terms.width(x);
    let top = (mask(inner) >> 1) as i128;
    if constant > top {
        return Some(terms.bool(!constant_left));
    }
    if constant < -top - 1 {
        return Some(terms.bool(constant_left));
    }
    let narrow = terms.constant(inner, constant as u128);
    Some(if constant_left {
        terms.cmp(op, narrow, x)
    } else {
        terms.cmp(op, x, narrow)
    })
}

// match: x <signed 0   result: top bit of x;   match: -1 <signed x   result: not (top bit of x)
fn sign_bit(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    if op != CmpOp::Slt {
        return None;
    }
    let width = terms.width(a);
    if terms.is_const(b, 0) {
        return Some(terms.extract(a, width - 1, 1));
    }
    terms
        .is_const(a, mask(width))
        .then(|| terms.not(terms.extract(b, width - 1, 1)))
}

// match: x < y, 1 bit   result: not x & y (unsigned), x & not y (signed), with equality for <=
fn order_of_bools(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    if terms.width(a) != 1 {
        return None;
    }
    Some(match op {
        CmpOp::Ult => terms.and(terms.not(a), b),
        CmpOp::Ule => terms.or(terms.not(a), b),
        CmpOp::Slt => terms.and(a, terms.not(b)),
        CmpOp::Sle => terms.or(a, terms.not(b)),
        _ => return None,
    })
}

// match: concat(x, y) < concat(c, 0), concat(c, ones) < concat(x, y), y any   result: x < c, c < x
// match: concat(x, d) < concat(c, k), concat(c, k) < concat(x, d)   result: a bound on x
fn concat_and_constant(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let weak = match op {
        CmpOp::Ult => CmpOp::Ule,
        CmpOp::Slt => CmpOp::Sle,
        _ => return None,
    };
    let (concat, value, is_below) = match terms.as_const(b) {
        Some(value) => (a, value, true),
        None => (b, terms.as_const(a)?, false),
    };
    let Node::Concat(x, y) = terms.node(concat) else {
        return None;
    };
    let low = terms.width(y);
    let bound = terms.constant(terms.width(x), value >> low);
    let value = value & mask(low);
    // Whether equal high parts still compare as asked.
    let ties_count = match (terms.as_const(y), is_below) {
        (Some(d), true) => d < value,
        (Some(d), false) => value < d,
        (None, true) if value == 0 => false,
        (None, false) if value == mask(low) => false,
        (None, _) => return None,
    };
    let op = if ties_count { weak } else { op };
    Some(if is_below {
        terms.cmp(op, x, bound)
    } else {
        terms.cmp(op, bound, x)
    })
}
