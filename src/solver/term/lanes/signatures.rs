//! Values of a byte that make a difference to a term.

use super::vector::{Operand, vector};
use super::{LaneProgram, Lanes, Op, UNIFORM, next_vector};

impl LaneProgram {
    /// Mixes into `signatures` (one per value) what the term sees of the byte at position `free`:
    /// two values with equal signatures make no difference to the term, whatever the other bytes
    /// are. False if every value must be taken as different.
    ///
    /// Idea: the term reaches the byte only through its largest parts that depend on no other byte.
    pub fn signatures(
        &self,
        lanes: &mut Lanes,
        free: usize,
        values: &[u8],
        signatures: &mut [u64],
    ) -> bool {
        if self.ops.is_empty() || self.bytes.len() > 64 {
            return false;
        }
        let own = 1u64 << free;
        let count = values.len().min(256);
        lanes.scalars.clear();
        lanes.place.clear();
        let mut used = 0;
        let mut seen = vec![false; self.ops.len()];
        let fixed = vec![0; self.bytes.len()];
        for (slot, (op, &depends)) in self.ops.iter().zip(&self.depends).enumerate() {
            // Operations on other bytes have no value here; they show which parts they use.
            if depends & !own != 0 {
                op.for_each_slot(|operand| seen[operand as usize] = true);
            }
            lanes.place.push(UNIFORM);
            if depends != own {
                let known = depends == 0;
                let value = if known {
                    op.scalar(&lanes.scalars, &fixed)
                } else {
                    0
                };
                lanes.scalars.push(value);
                continue;
            }
            lanes.scalars.push(0);
            let (earlier, result) = next_vector(&mut lanes.vectors, used);
            let operand = |slot: u32| match lanes.place[slot as usize] {
                UNIFORM => Operand::Uniform(lanes.scalars[slot as usize]),
                place => Operand::Varying(&earlier[place as usize]),
            };
            match op {
                Op::Byte(_) => {
                    for (lane, &value) in result.iter_mut().zip(values) {
                        *lane = value.into();
                    }
                }
                _ => vector(op, operand, &mut result[..count]),
            }
            lanes.place[slot] = used as u32;
            used += 1;
        }
        // The whole term is such a part, too, if it depends on nothing else.
        if let Some(last) = seen.last_mut() {
            *last = true;
        }
        for (slot, seen) in seen.iter().enumerate() {
            if !seen || lanes.place[slot] == UNIFORM {
                continue;
            }
            // A byte that is used itself, or only extended first, is seen in full.
            let whole = match self.ops[slot] {
                Op::Byte(_) => true,
                Op::Extract(0, u64::MAX, a) => matches!(self.ops[a as usize], Op::Byte(_)),
                _ => false,
            };
            if whole {
                return false;
            }
            let values = &lanes.vectors[lanes.place[slot] as usize];
            for (signature, &value) in signatures.iter_mut().zip(values) {
                *signature = crate::term::pool::mix(*signature, value.wrapping_add(1));
            }
        }
        true
    }
}
