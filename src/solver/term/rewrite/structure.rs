//! Rules for extensions, extractions and concatenations.
//!
//! Normal form: extensions outermost, extractions innermost, concatenations lean to the right, and
//! neighboring pieces of one term are one piece.

use super::{Node, Term, Terms};
use homi_ir::ops::BinOp;

type ExtendRule = fn(&Terms, Term, u32) -> Option<Term>;
type ExtractRule = fn(&Terms, Term, u32, u32) -> Option<Term>;
type ConcatRule = fn(&Terms, Term, Term) -> Option<Term>;

pub(in crate::term) const ZEXT: &[ExtendRule] = &[zext_of_zext, zext_of_constants];

pub(in crate::term) const SEXT: &[ExtendRule] =
    &[sext_of_sext, sext_nonnegative, sext_of_constants];

pub(in crate::term) const EXTRACT: &[ExtractRule] = &[
    extract_of_extract,
    extract_of_concat,
    extract_of_zext,
    extract_of_sext,
    extract_of_ite,
    extract_of_table,
    extract_of_bitwise,
    extract_of_arithmetic,
];

pub(in crate::term) const CONCAT: &[ConcatRule] = &[
    concat_zero,
    concat_zext,
    concat_right,
    concat_constants,
    concat_neighbours,
    concat_neighbours_chain,
    concat_sign,
    concat_ites,
    concat_nots,
    concat_bitwise,
    concat_tables,
];

// match: zext (zext x)   result: zext x
fn zext_of_zext(terms: &Terms, a: Term, to: u32) -> Option<Term> {
    Some(terms.zext(terms.as_zext(a)?, to))
}

// match: zext ite(p, c, d)   result: ite(p, zext c, zext d)
fn zext_of_constants(terms: &Terms, a: Term, to: u32) -> Option<Term> {
    match terms.node(a) {
        Node::Ite(p, x, y) if terms.as_const(x).is_some() && terms.as_const(y).is_some() => {
            Some(terms.ite(p, terms.zext(x, to), terms.zext(y, to)))
        }
        _ => None,
    }
}

// match: sext (sext x)   result: sext x
fn sext_of_sext(terms: &Terms, a: Term, to: u32) -> Option<Term> {
    Some(terms.sext(terms.as_sext(a)?, to))
}

// match: sext x, x known to be non-negative   result: zext x
fn sext_nonnegative(terms: &Terms, a: Term, to: u32) -> Option<Term> {
    terms.is_nonnegative(a).then(|| terms.zext(a, to))
}

// match: sext ite(p, c, d)   result: ite(p, sext c, sext d)
fn sext_of_constants(terms: &Terms, a: Term, to: u32) -> Option<Term> {
    match terms.node(a) {
        Node::Ite(p, x, y) if terms.as_const(x).is_some() && terms.as_const(y).is_some() => {
            Some(terms.ite(p, terms.sext(x, to), terms.sext(y, to)))
        }
        _ => None,
    }
}

// match: extract (extract x)   result: extract x
fn extract_of_extract(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    match terms.node(a) {
        Node::Extract {
            low: below, term, ..
        } => Some(terms.extract(term, low + u32::from(below), width)),
        _ => None,
    }
}

// match: extract concat(x, y)   result: the piece of x, of y, or a concat of both pieces
fn extract_of_concat(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    let Node::Concat(x, y) = terms.node(a) else {
        return None;
    };
    let boundary = terms.width(y);
    Some(if low >= boundary {
        terms.extract(x, low - boundary, width)
    } else if low + width <= boundary {
        terms.extract(y, low, width)
    } else {
        let upper = terms.extract(x, 0, low + width - boundary);
        terms.concat(upper, terms.extract(y, low, boundary - low))
    })
}

// match: extract zext x   result: extract x, 0, or zext (extract x)
fn extract_of_zext(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    let x = terms.as_zext(a)?;
    let inner = terms.width(x);
    Some(if low >= inner {
        terms.constant(width, 0)
    } else if low + width <= inner {
        terms.extract(x, low, width)
    } else {
        terms.zext(terms.extract(x, low, inner - low), width)
    })
}

// match: extract sext x   result: extract x, or sext (extract x)
fn extract_of_sext(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    let x = terms.as_sext(a)?;
    let inner = terms.width(x);
    let low = low.min(inner - 1);
    Some(if low + width <= inner {
        terms.extract(x, low, width)
    } else {
        terms.sext(terms.extract(x, low, inner - low), width)
    })
}

// match: extract ite(p, x, y), x or y a constant   result: ite(p, extract x, extract y)
fn extract_of_ite(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    match terms.node(a) {
        Node::Ite(p, x, y) if terms.as_const(x).is_some() || terms.as_const(y).is_some() => {
            let (x, y) = (terms.extract(x, low, width), terms.extract(y, low, width));
            Some(terms.ite(p, x, y))
        }
        _ => None,
    }
}

// match: extract table[x]   result: (table of extracted elements)[x]
fn extract_of_table(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    match terms.node(a) {
        Node::Table(table, index) => {
            let sliced = terms.slice_table(table, low, width);
            let (elements, width) = terms.table_elements(sliced);
            Some(terms.table(&elements, width, index))
        }
        _ => None,
    }
}

// match: extract (x op y), extract (not x), bitwise, operands that extraction makes simpler
// result: extract x op extract y
fn extract_of_bitwise(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    match terms.node(a) {
        Node::Not(x) => Some(terms.not(terms.extract(x, low, width))),
        Node::Bin(op @ (BinOp::And | BinOp::Or | BinOp::Xor), x, y) => {
            let simpler = absorbs_extract(terms, x, low, 3) || absorbs_extract(terms, y, low, 3);
            simpler.then(|| {
                let (x, y) = (terms.extract(x, low, width), terms.extract(y, low, width));
                terms.bin(op, x, y)
            })
        }
        _ => None,
    }
}

// match: low bits of x + y, x - y, x * y, where operands get simpler
// result: low bits of x op low bits of y
fn extract_of_arithmetic(terms: &Terms, a: Term, low: u32, width: u32) -> Option<Term> {
    match terms.node(a) {
        Node::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), x, y) if low == 0 => {
            let simpler = absorbs_extract(terms, x, 0, 3) && absorbs_extract(terms, y, 0, 3);
            simpler.then(|| {
                let (x, y) = (terms.extract(x, 0, width), terms.extract(y, 0, width));
                terms.bin(op, x, y)
            })
        }
        _ => None,
    }
}

/// True if an extraction of bits from `low` on disappears into the term's operands, looking `depth`
/// levels down.
fn absorbs_extract(terms: &Terms, term: Term, low: u32, depth: u32) -> bool {
    match terms.node(term) {
        Node::Const { .. }
        | Node::Zext { .. }
        | Node::Sext { .. }
        | Node::Extract { .. }
        | Node::Concat(..)
        | Node::Table(..) => true,
        Node::Not(x) if depth > 0 => absorbs_extract(terms, x, low, depth - 1),
        Node::Bin(op, x, y) if depth > 0 => {
            let passes = match op {
                BinOp::And | BinOp::Or | BinOp::Xor => true,
                BinOp::Add | BinOp::Sub | BinOp::Mul => low == 0,
                _ => false,
            };
            passes
                && absorbs_extract(terms, x, low, depth - 1)
                && absorbs_extract(terms, y, low, depth - 1)
        }
        _ => false,
    }
}

// match: concat(0, x)   result: zext x
fn concat_zero(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    let width = terms.width(high) + terms.width(low);
    terms.is_const(high, 0).then(|| terms.zext(low, width))
}

// match: concat(zext x, y)   result: zext concat(x, y)
fn concat_zext(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    let x = terms.as_zext(high)?;
    let width = terms.width(high) + terms.width(low);
    Some(terms.zext(terms.concat(x, low), width))
}

// match: concat(concat(x, y), z)   result: concat(x, concat(y, z))
fn concat_right(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    match terms.node(high) {
        Node::Concat(x, y) => Some(terms.concat(x, terms.concat(y, low))),
        _ => None,
    }
}

// match: concat(c, concat(d, x))   result: concat(cd, x)
fn concat_constants(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    terms.as_const(high)?;
    match terms.node(low) {
        Node::Concat(d, x) if terms.as_const(d).is_some() => {
            Some(terms.concat(terms.concat(high, d), x))
        }
        _ => None,
    }
}

/// The extraction that covers two pieces, if they are neighbors in the same term. The lower piece
/// may have been simplified when it was extracted, so it is compared with extracting it again.
fn joined(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    let Node::Extract {
        low: at, term: x, ..
    } = terms.node(high)
    else {
        return None;
    };
    let width = terms.width(low);
    let below = u32::from(at).checked_sub(width)?;
    (terms.extract(x, below, width) == low)
        .then(|| terms.extract(x, below, terms.width(high) + width))
}

// match: concat(bits m..n of x, bits k..m of x)   result: bits k..n of x
fn concat_neighbours(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    joined(terms, high, low)
}

// match: concat(bits m..n of x, concat(bits k..m of x, y))   result: concat(bits k..n of x, y)
fn concat_neighbours_chain(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    match terms.node(low) {
        Node::Concat(x, y) => Some(terms.concat(joined(terms, high, x)?, y)),
        _ => None,
    }
}

// Words are stored as bytes: extraction goes into operators, so concatenation has to bring the
// bytes of one word together again. The rules below undo what extraction does byte by byte.

// match: concat(sext (top bit of x), x)   result: sext x
fn concat_sign(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    let sign = terms.as_sext(high)?;
    let width = terms.width(low);
    (terms.width(sign) == 1 && terms.extract(low, width - 1, 1) == sign)
        .then(|| terms.sext(low, width + terms.width(high)))
}

// match: concat(ite(p, x, y), ite(p, z, v))   result: ite(p, concat(x, z), concat(y, v))
fn concat_ites(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    match (terms.node(high), terms.node(low)) {
        (Node::Ite(p, x, y), Node::Ite(q, z, v)) if p == q => {
            Some(terms.ite(p, terms.concat(x, z), terms.concat(y, v)))
        }
        _ => None,
    }
}

// match: concat(not x, not y)   result: not concat(x, y)
fn concat_nots(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    match (terms.node(high), terms.node(low)) {
        (Node::Not(x), Node::Not(y)) => Some(terms.not(terms.concat(x, y))),
        _ => None,
    }
}

/// Operands below bitwise operators up to which concatenation goes into them.
const MOST_OPERANDS: u32 = 12;

fn is_bitwise(op: BinOp) -> bool {
    matches!(op, BinOp::And | BinOp::Or | BinOp::Xor)
}

/// True if the operators of bitwise terms have no more operands than are left; each takes one.
fn has_few_operands(terms: &Terms, term: Term, left: &mut u32) -> bool {
    match terms.node(term) {
        Node::Bin(op, x, y) if is_bitwise(op) => {
            has_few_operands(terms, x, left) && has_few_operands(terms, y, left)
        }
        _ if *left == 0 => false,
        _ => {
            *left -= 1;
            true
        }
    }
}

// match: concat(x op y, z op v), bitwise, where concat(x, z) and concat(y, v) are simpler
// result: concat(x, z) op concat(y, v)
fn concat_bitwise(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    let (Node::Bin(op, x, y), Node::Bin(other, z, v)) = (terms.node(high), terms.node(low)) else {
        return None;
    };
    if op != other || !is_bitwise(op) {
        return None;
    }
    // Each level tries two pairings of two pieces: without a limit, rounds of a hash take longer
    // each.
    let mut operands = MOST_OPERANDS;
    if !has_few_operands(terms, high, &mut operands) || !has_few_operands(terms, low, &mut operands)
    {
        return None;
    }
    for (z, v) in [(z, v), (v, z)] {
        let (left, right) = (terms.concat(x, z), terms.concat(y, v));
        let simpler = |term| !matches!(terms.node(term), Node::Concat(..) | Node::Zext { .. });
        if simpler(left) && simpler(right) {
            return Some(terms.bin(op, left, right));
        }
    }
    None
}

// match: concat(table[x], other table[x]), together at most 64 bits   result: (table of pairs)[x]
fn concat_tables(terms: &Terms, high: Term, low: Term) -> Option<Term> {
    let (Node::Table(first, x), Node::Table(second, y)) = (terms.node(high), terms.node(low))
    else {
        return None;
    };
    let ((upper, upper_width), (lower, lower_width)) =
        (terms.table_elements(first), terms.table_elements(second));
    if x != y || upper_width + lower_width > 64 {
        return None;
    }
    let element = |elements: &[u64], at: usize| elements.get(at).copied().unwrap_or(0);
    let elements: Vec<u64> = (0..upper.len().max(lower.len()))
        .map(|at| element(&upper, at) << lower_width | element(&lower, at))
        .collect();
    Some(terms.table(&elements, upper_width + lower_width, x))
}
