//! Constants in a term that may be addresses.
//!
//! Invariant: an address that was added to a term is found even if rewriting has split it. An
//! address whose low bits are zero and a narrow number become a concatenation, so a constant
//! narrower than 64 bits is read at its position, with the constant bits below it.

use super::subpath::Equipment;
use homi_ir::ops::BinOp;
use homi_solver::term::{Node, Term, Terms};
use rustc_hash::FxHashSet;

/// Part of a 64-bit number: the number of bits below it, and the constant ones among them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Position {
    shift: u32,
    low: u64,
}

impl Position {
    /// Returns the number with this value at the position and zeros above it.
    fn number(self, value: u128) -> u64 {
        (value << self.shift) as u64 | self.low
    }

    /// Returns the position of the part above `low`, which begins at this position. Wide terms
    /// consist of 64-bit numbers, one above the other.
    fn above(self, terms: &Terms, low: Term) -> Self {
        let shift = self.shift + terms.width(low);
        let bits = constant_bits(terms, low);
        if shift < 64 {
            let low = self.number(bits);
            return Self { shift, low };
        }
        // The part above begins in the next number, which the upper bits of `low` share.
        let (shift, width) = (shift % 64, terms.width(low));
        let bits = bits.checked_shr(width - shift).unwrap_or(0) as u64;
        let low = bits & ((1 << shift) - 1);
        Self { shift, low }
    }
}

/// Adds the constants of a term that fill 64 bits or are the upper part of such a number, and the
/// elements of its tables.
pub(super) fn constants(with: &Equipment<'_, '_>, root: Term, found: &mut Vec<u64>) {
    let terms = with.terms;
    let mut seen = FxHashSet::default();
    let mut work = vec![(root, Position::default())];
    while let Some((term, at)) = work.pop() {
        if !seen.insert((term, at)) {
            continue;
        }
        match terms.node(term) {
            Node::Const { width, value } => {
                if width == 64 || at.shift > 0 {
                    found.push(at.number(value));
                }
            }
            Node::Table(table, index) => {
                let (elements, width) = terms.table_elements(table);
                if width == 64 || at.shift > 0 {
                    found.extend(
                        elements
                            .iter()
                            .map(|element| at.number(u128::from(*element))),
                    );
                }
                work.push((index, Position::default()));
            }
            Node::Concat(high, low) => {
                work.push((high, at.above(terms, low)));
                work.push((low, at));
            }
            Node::Bin(op, a, b) if keeps_position(op) => work.extend([(a, at), (b, at)]),
            Node::Not(part) | Node::Zext { term: part, .. } | Node::Sext { term: part, .. } => {
                work.push((part, at));
            }
            Node::Ite(condition, a, b) => {
                work.extend([(condition, Position::default()), (a, at), (b, at)]);
            }
            node => node.for_each_operand(|operand| work.push((operand, Position::default()))),
        }
    }
}

/// Returns the address that begins a concatenation, with zeros for the variable bits below it, and
/// the part below it.
pub(super) fn address_and_rest(terms: &Terms, term: Term) -> Option<(u64, Term)> {
    let Node::Concat(high, low) = terms.node(term) else {
        return None;
    };
    let value = terms.as_const(high)?;
    Some((Position::default().above(terms, low).number(value), low))
}

/// True if an operation computes each bit of the result from operand bits at the same position, and
/// carries.
fn keeps_position(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Add | BinOp::Sub | BinOp::And | BinOp::Or | BinOp::Xor
    )
}

/// Returns the constant bits of a constant or of a concatenation with constants; other bits are
/// zero.
fn constant_bits(terms: &Terms, term: Term) -> u128 {
    match terms.node(term) {
        Node::Const { value, .. } => value,
        Node::Concat(high, low) => {
            constant_bits(terms, high) << terms.width(low) | constant_bits(terms, low)
        }
        _ => 0,
    }
}
