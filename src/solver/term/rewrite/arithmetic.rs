//! Rules for addition, subtraction, multiplication, division and shifts.
//!
//! Normal form: no subtraction of a constant, constants at the right end of a sum, shifts by
//! constants as concatenations and extensions (which are wires to a solver and merge with others).

use super::division::{SIGNED_CHAIN, UNSIGNED_CHAIN};
use super::{BinRule, Node, Term, Terms};
use homi_ir::ops::{BinOp, mask, signed};

pub(in crate::term) fn rules(op: BinOp) -> &'static [BinRule] {
    match op {
        BinOp::Add => &[
            add_zero,
            add_constant_chain,
            add_to_constant_high_part,
            add_constant_outwards,
            add_cancels_sub,
            add_negated,
            add_without_overlap,
        ],
        BinOp::Sub => &[
            sub_self,
            sub_constant,
            sub_zero_extended_bool,
            sub_cancels_add,
            sub_constant_outwards,
        ],
        BinOp::Mul => &[mul_trivial, mul_constant_chain, mul_power_of_two],
        BinOp::UDiv => &[
            div_one,
            udiv_power_of_two,
            udiv_small_dividend,
            udiv_narrow,
            UNSIGNED_CHAIN,
        ],
        BinOp::URem => &[
            rem_one,
            rem_of_nothing,
            urem_power_of_two,
            urem_small_dividend,
            urem_narrow,
            urem_of_sum,
            urem_of_multiple,
        ],
        BinOp::SDiv => &[div_one, sdiv_nonnegative, SIGNED_CHAIN],
        BinOp::SRem => &[rem_one, rem_of_nothing, srem_nonnegative],
        BinOp::Shl => &[shift_zero, shl_constant],
        BinOp::LShr => &[shift_zero, lshr_constant],
        BinOp::AShr => &[shift_zero, ashr_constant],
        BinOp::And | BinOp::Or | BinOp::Xor => &[],
    }
}

// match: x + 0   result: x
fn add_zero(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    terms.is_const(y, 0).then_some(x)
}

// match: (x + c) + d   result: x + (c+d);   match: (c - x) + d   result: (c+d) - x
fn add_constant_chain(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let d = terms.as_const(b)?;
    let width = terms.width(a);
    match terms.node(a) {
        Node::Bin(BinOp::Add, x, c) => {
            let sum = terms.constant(width, terms.as_const(c)?.wrapping_add(d));
            Some(terms.bin(BinOp::Add, x, sum))
        }
        Node::Bin(BinOp::Sub, c, x) => {
            let sum = terms.constant(width, terms.as_const(c)?.wrapping_add(d));
            Some(terms.bin(BinOp::Sub, sum, x))
        }
        _ => None,
    }
}

// match: concat(c, x) + d   result: zext x + (c:0 + d)
// `base | index` becomes the index again when the base is subtracted.
fn add_to_constant_high_part(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let d = terms.as_const(b)?;
    let Node::Concat(high, low) = terms.node(a) else {
        return None;
    };
    let base = terms.as_const(high)? << terms.width(low);
    let width = terms.width(a);
    let sum = terms.constant(width, base.wrapping_add(d));
    Some(terms.bin(BinOp::Add, terms.zext(low, width), sum))
}

// match: (x + c) + y   result: (x + y) + c;   likewise for y on the right
fn add_constant_outwards(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let (inner, other) = if terms.as_bin_const(BinOp::Add, a).is_some() {
        (a, b)
    } else {
        (b, a)
    };
    let (x, c) = terms.as_bin_const(BinOp::Add, inner)?;
    let sum = terms.bin(BinOp::Add, x, other);
    let c = terms.constant(terms.width(a), c);
    Some(terms.bin(BinOp::Add, sum, c))
}

// match: x + (y - x)   result: y
fn add_cancels_sub(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    for (x, difference) in [(a, b), (b, a)] {
        match terms.as_bin(BinOp::Sub, difference) {
            Some((y, subtracted)) if subtracted == x => return Some(y),
            _ => {}
        }
    }
    None
}

// match: x + (0 - y)   result: x - y
fn add_negated(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    for (x, negated) in [(a, b), (b, a)] {
        match terms.as_bin(BinOp::Sub, negated) {
            Some((zero, y)) if terms.is_const(zero, 0) => {
                return Some(terms.bin(BinOp::Sub, x, y));
            }
            _ => {}
        }
    }
    None
}

// match: x + y where no bit can be 1 in both   result: x | y
fn add_without_overlap(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let pieces = |term| matches!(terms.node(term), Node::Zext { .. } | Node::Concat(..));
    let both = pieces(a) && (pieces(b) || terms.as_const(b).is_some());
    (both && possible_ones(terms, a, 4) & possible_ones(terms, b, 4) == 0)
        .then(|| terms.bin(BinOp::Or, a, b))
}

/// The bits that may be 1, as far as extensions, concatenations and bounds show.
fn possible_ones(terms: &Terms, term: Term, depth: u32) -> u128 {
    match terms.node(term) {
        Node::Const { value, .. } => value,
        Node::Zext { term, .. } => possible_ones(terms, term, depth),
        Node::Concat(high, low) if depth > 0 => {
            let high = possible_ones(terms, high, depth - 1);
            high << terms.width(low) | possible_ones(terms, low, depth - 1)
        }
        _ => match terms.range(term).1 {
            0 => 0,
            high => u128::MAX >> high.leading_zeros(),
        },
    }
}

// match: x - x   result: 0
fn sub_self(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| terms.constant(terms.width(a), 0))
}

// match: x - c   result: x + (-c)
fn sub_constant(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let c = terms.as_const(b)?;
    let negated = terms.constant(terms.width(a), c.wrapping_neg());
    Some(terms.bin(BinOp::Add, a, negated))
}

// match: 0 - zext x, x of 1 bit   result: sext x
fn sub_zero_extended_bool(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let x = terms.as_zext(b)?;
    let matches = terms.is_const(a, 0) && terms.width(x) == 1;
    matches.then(|| terms.sext(x, terms.width(a)))
}

// match: (x + y) - x result: y; match: x - (x + y) result: -y; match: x - (x - y) result: y
fn sub_cancels_add(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    if let Some((x, y)) = terms.as_bin(BinOp::Add, a) {
        if x == b {
            return Some(y);
        }
        if y == b {
            return Some(x);
        }
    }
    match terms.node(b) {
        Node::Bin(BinOp::Add, x, y) if x == a => Some(terms.neg(y)),
        Node::Bin(BinOp::Add, x, y) if y == a => Some(terms.neg(x)),
        Node::Bin(BinOp::Sub, x, y) if x == a => Some(y),
        _ => None,
    }
}

// match: (x + c) - y   result: (x - y) + c;   match: x - (y + c)   result: (x - y) + (-c)
fn sub_constant_outwards(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let (difference, c) = if let Some((x, c)) = terms.as_bin_const(BinOp::Add, a) {
        (terms.bin(BinOp::Sub, x, b), c)
    } else {
        let (y, c) = terms.as_bin_const(BinOp::Add, b)?;
        (terms.bin(BinOp::Sub, a, y), c.wrapping_neg())
    };
    let c = terms.constant(width, c);
    Some(terms.bin(BinOp::Add, difference, c))
}

// match: x * 0   result: 0;   match: x * 1   result: x
fn mul_trivial(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    match terms.as_const(y)? {
        0 => Some(y),
        1 => Some(x),
        _ => None,
    }
}

// match: (x * c) * d   result: x * (c*d)
fn mul_constant_chain(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let d = terms.as_const(b)?;
    let (x, c) = terms.as_bin_const(BinOp::Mul, a)?;
    let product = terms.constant(terms.width(a), c.wrapping_mul(d));
    Some(terms.bin(BinOp::Mul, x, product))
}

// match: x * 2^n   result: x << n
fn mul_power_of_two(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let c = terms.as_const(b)?;
    c.is_power_of_two().then(|| {
        let n = terms.constant(terms.width(a), c.trailing_zeros().into());
        terms.bin(BinOp::Shl, a, n)
    })
}

// match: x / 1   result: x
fn div_one(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    // A constant 1 of 1 bit is -1 when signed; the quotient is x all the same.
    terms.is_const(y, 1).then_some(x)
}

// match: x rem 1   result: 0
fn rem_one(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    terms
        .is_const(y, 1)
        .then(|| terms.constant(terms.width(x), 0))
}

// match: x udiv 2^n   result: x >> n
fn udiv_power_of_two(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let c = terms.as_const(b)?;
    c.is_power_of_two().then(|| {
        let n = terms.constant(terms.width(a), c.trailing_zeros().into());
        terms.bin(BinOp::LShr, a, n)
    })
}

// match: x urem 2^n   result: x & (2^n - 1)
fn urem_power_of_two(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let c = terms.as_const(b)?;
    c.is_power_of_two().then(|| {
        let ones = terms.constant(terms.width(a), c - 1);
        terms.bin(BinOp::And, a, ones)
    })
}

// match: 0 rem y, x rem x   result: 0
fn rem_of_nothing(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    (a == b || terms.is_const(a, 0)).then(|| terms.constant(terms.width(a), 0))
}

/// True if the sum of the terms' greatest values and a constant fits their width.
fn never_wraps(terms: &Terms, a: Term, b: Term, constant: u128) -> bool {
    let sum = terms.range(a).1.checked_add(terms.range(b).1);
    let sum = sum.and_then(|sum| sum.checked_add(constant));
    sum.is_some_and(|sum| sum <= mask(terms.width(a)))
}

// match: (x + y) urem y, (x + y + c) urem y, where the sum never wraps result: x urem y, (x + c)
// urem y
fn urem_of_sum(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let (sum, constant) = terms.as_bin_const(BinOp::Add, a).unwrap_or((a, 0));
    let (x, y) = terms.as_bin(BinOp::Add, sum)?;
    let rest = match b {
        _ if y == b => x,
        _ if x == b => y,
        _ => return None,
    };
    never_wraps(terms, x, y, constant).then(|| {
        let constant = terms.constant(terms.width(a), constant);
        terms.bin(BinOp::URem, terms.bin(BinOp::Add, rest, constant), b)
    })
}

// match: ((y - x urem y) + x) urem y, where the sum never wraps   result: 0
// So programs find the next tabulator: what they find is a multiple of the distance.
fn urem_of_multiple(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let (p, q) = terms.as_bin(BinOp::Add, a)?;
    let is_multiple = |unsupported: Term, x: Term| {
        terms.as_bin(BinOp::Sub, unsupported) == Some((b, terms.bin(BinOp::URem, x, b)))
            && never_wraps(terms, b, x, 0)
    };
    (is_multiple(p, q) || is_multiple(q, p)).then(|| terms.constant(terms.width(a), 0))
}

// match: x udiv y, x below y by their bounds   result: 0
fn udiv_small_dividend(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    (terms.range(a).1 < terms.range(b).0).then(|| terms.constant(terms.width(a), 0))
}

// match: x urem y, x below y by their bounds   result: x
fn urem_small_dividend(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    (terms.range(a).1 < terms.range(b).0).then_some(a)
}

// match: zext x udiv c, 0 < c, c fits the width of x   result: zext (x udiv c)
fn udiv_narrow(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    narrow_unsigned(terms, BinOp::UDiv, a, b)
}

// match: zext x urem c, 0 < c, c fits the width of x   result: zext (x urem c)
fn urem_narrow(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    narrow_unsigned(terms, BinOp::URem, a, b)
}

fn narrow_unsigned(terms: &Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (x, c) = (terms.as_zext(a)?, terms.as_const(b)?);
    let inner = terms.width(x);
    (c != 0 && c <= mask(inner)).then(|| {
        let narrow = terms.bin(op, x, terms.constant(inner, c));
        terms.zext(narrow, terms.width(a))
    })
}

// match: x sdiv y, both known to be non-negative   result: x udiv y
fn sdiv_nonnegative(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let both = terms.is_nonnegative(a) && terms.is_nonnegative(b);
    both.then(|| terms.bin(BinOp::UDiv, a, b))
}

// match: x srem y, both known to be non-negative   result: x urem y
fn srem_nonnegative(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let both = terms.is_nonnegative(a) && terms.is_nonnegative(b);
    both.then(|| terms.bin(BinOp::URem, a, b))
}

// match: x shift 0   result: x;   match: 0 shift y   result: 0
fn shift_zero(terms: &Terms, x: Term, y: Term) -> Option<Term> {
    (terms.is_const(y, 0) || terms.is_const(x, 0)).then_some(x)
}

// match: x << c   result: concat(low w-c bits of x, 0:c), or 0 if c >= w
fn shl_constant(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let amount = terms.as_const(b)?;
    if amount >= u128::from(width) {
        return Some(terms.constant(width, 0));
    }
    let amount = amount as u32;
    let kept = terms.extract(a, 0, width - amount);
    Some(terms.concat(kept, terms.constant(amount, 0)))
}

// match: x >> c   result: zext (high w-c bits of x), or 0 if c >= w
fn lshr_constant(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let amount = terms.as_const(b)?;
    if amount >= u128::from(width) {
        return Some(terms.constant(width, 0));
    }
    let amount = amount as u32;
    Some(terms.zext(terms.extract(a, amount, width - amount), width))
}

// match: x >>signed c   result: sext (high w-c bits of x), at least the top bit
fn ashr_constant(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let amount = terms.as_const(b)?.min(u128::from(width - 1)) as u32;
    debug_assert!(signed(width, 0) == 0);
    Some(terms.sext(terms.extract(a, amount, width - amount), width))
}
