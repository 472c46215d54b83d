//! Reinterpreting bits: bitcasts between scalars and vectors of other shapes, splitting and joining.
//!
//! Invariant: little endian; part 0 holds the lowest bits. Total widths on both sides are equal.

use super::Gap;
use super::function::Body;
use crate::bitcode::llvm::Type;
use crate::ops::BinOp;
use crate::program::{CastOp, Slot};

impl Body<'_, '_> {
    /// A bitcast of `sources` from one type to another of the same number of bits.
    pub fn reinterpret(
        &mut self,
        from: Type,
        to: Type,
        sources: Vec<Slot>,
    ) -> Result<Vec<Slot>, Gap> {
        let source: Vec<u8> = self.widths(from)?;
        let target: Vec<u8> = self.widths(to)?;
        if source == target {
            return Ok(sources);
        }
        let (Some(from_width), Some(to_width)) = (source.first(), target.first()) else {
            return Ok(sources);
        };
        let total = |widths: &[u8]| widths.iter().map(|width| u32::from(*width)).sum::<u32>();
        if total(&source) != total(&target) {
            return Err(Gap::new(format!("bitcast to {}", to.describe())));
        }
        Ok(self.reshape(&sources, *from_width, *to_width))
    }

    fn widths(&mut self, ty: Type) -> Result<Vec<u8>, Gap> {
        let leaves = self.module.types.leaves(ty)?;
        Ok(leaves.iter().map(|leaf| leaf.scalar.width()).collect())
    }

    /// Parts of one width as parts of another; the total number of bits stays.
    pub fn reshape(&mut self, sources: &[Slot], from: u8, to: u8) -> Vec<Slot> {
        let total = sources.len() as u32 * u32::from(from);
        let mut targets = Vec::new();
        for start in (0..total).step_by(usize::from(to)) {
            let end = start + u32::from(to);
            let mut joined: Option<Slot> = None;
            let first = start / u32::from(from);
            let last = (end - 1) / u32::from(from);
            for index in first..=last {
                let low = index * u32::from(from);
                // Bits [from_bit, until) of the source land at `at` of the target.
                let from_bit = start.max(low) - low;
                let until = end.min(low + u32::from(from)) - low;
                let at = (low + from_bit - start) as u8;
                let piece = self.bits(
                    sources[index as usize],
                    from,
                    from_bit as u8,
                    (until - from_bit) as u8,
                );
                let piece = self.cast(CastOp::Zext, (until - from_bit) as u8, to, piece);
                let piece = self.shift_left(piece, to, at);
                joined = Some(match joined {
                    Some(other) => self.bin(BinOp::Or, to, other, piece),
                    None => piece,
                });
            }
            if let Some(slot) = joined {
                targets.push(slot);
            }
        }
        targets
    }

    /// `count` bits of a value of `width` bits, from bit `low`.
    pub fn bits(&mut self, value: Slot, width: u8, low: u8, count: u8) -> Slot {
        let mut value = value;
        if low > 0 {
            let amount = self.int(width, u128::from(low));
            value = self.bin(BinOp::LShr, width, value, amount);
        }
        self.cast(CastOp::Trunc, width, count, value)
    }

    pub fn shift_left(&mut self, value: Slot, width: u8, amount: u8) -> Slot {
        if amount == 0 {
            return value;
        }
        let amount = self.int(width, u128::from(amount));
        self.bin(BinOp::Shl, width, value, amount)
    }

    /// A value of `width` bits as parts of `part` bits.
    pub fn split(&mut self, value: Slot, width: u8, part: u8) -> Vec<Slot> {
        self.reshape(&[value], width, part)
    }

    /// Parts of `part` bits as one value of `width` bits.
    pub fn join(&mut self, parts: &[Slot], part: u8, width: u8) -> Slot {
        self.reshape(parts, part, width)[0]
    }
}
