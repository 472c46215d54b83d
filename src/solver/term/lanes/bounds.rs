//! Bounds of a term when each of its bytes lies within bounds.

use super::{LaneProgram, Op};
use crate::term::range;

impl LaneProgram {
    /// Unsigned bounds of the term when each byte (same positions as `bytes`) lies within its
    /// inclusive bounds. Sound, not exact.
    pub fn bounds(&self, bytes: &[(u8, u8)], slots: &mut Vec<(u64, u64)>) -> (u64, u64) {
        slots.clear();
        for op in &self.ops {
            let of = |slot: u32| slots[slot as usize];
            let result = match op {
                Op::Const(value) => (*value, *value),
                Op::Byte(position) => {
                    let (low, high) = bytes[*position as usize];
                    (low.into(), high.into())
                }
                Op::Bin(op, width, a, b) => range::bin(*op, (*width).into(), of(*a), of(*b)),
                Op::Cmp(op, width, a, b) => {
                    match range::compare(*op, (*width).into(), of(*a), of(*b)) {
                        Some(answer) => (answer.into(), answer.into()),
                        None => (0, 1),
                    }
                }
                Op::Flip(all, a) => (all - of(*a).1, all - of(*a).0),
                Op::Sext(from, all, a) => range::sext((*from).into(), all.count_ones(), of(*a)),
                Op::Extract(low, all, a) => range::extract((*low).into(), all.count_ones(), of(*a)),
                Op::Concat(width, high, low) => {
                    let (h, l) = (of(*high), of(*low));
                    (h.0 << width | l.0, h.1 << width | l.1)
                }
                Op::Ite(c, a, b) => match of(*c) {
                    (1, _) => of(*a),
                    (_, 0) => of(*b),
                    _ => (of(*a).0.min(of(*b).0), of(*a).1.max(of(*b).1)),
                },
                Op::Table(elements, index) => table_bounds(elements, of(*index)),
                Op::Float(function, [a, ..]) => range::float(*function, of(*a)),
            };
            slots.push(result);
        }
        slots.last().copied().unwrap_or((0, u64::MAX))
    }
}

/// Least and greatest element within bounds of the index; a long stretch counts as unknown.
fn table_bounds(elements: &[u64], index: (u64, u64)) -> (u64, u64) {
    let length = elements.len() as u64;
    if index.1.saturating_sub(index.0) > 512 {
        return (0, elements.iter().copied().max().unwrap_or(0));
    }
    let beyond = (index.1 >= length).then_some(0);
    let reached = (index.0..length.min(index.1.saturating_add(1))).map(|at| elements[at as usize]);
    reached
        .chain(beyond)
        .fold((u64::MAX, 0), |(low, high), value| {
            (low.min(value), high.max(value))
        })
}
