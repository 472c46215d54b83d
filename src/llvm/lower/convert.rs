//! Reinterpreting bits: bitcasts between scalars and vectors of other shapes, splitting and
//! joining.
//!
//! Invariant: little endian; part 0 holds the lowest bits. Total widths on both sides are equal.

use super::Unsupported;
use super::function::Body;
use crate::c_api::Type;
use homi_ir::ops::BinOp;
use homi_ir::program::{CastOp, Slot};

impl Body<'_, '_> {
    /// A bitcast of `sources` from one type to another of the same number of bits.
    pub fn reinterpret(
        &mut self,
        from: Type,
        to: Type,
        sources: Vec<Slot>,
    ) -> Result<Vec<Slot>, Unsupported> {
        let source: Vec<u8> = self.widths(from)?;
        let target: Vec<u8> = self.widths(to)?;
        if source == target {
            return Ok(sources);
        }
        let total = |widths: &[u8]| widths.iter().map(|width| u32::from(*width)).sum::<u32>();
        if total(&source) != total(&target) {
            return Err(Unsupported::new(format!("bitcast to {}", to.describe())));
        }
        Ok(self.rearrange(&sources, &source, &target))
    }

    fn widths(&mut self, ty: Type) -> Result<Vec<u8>, Unsupported> {
        let leaves = self.module.types.leaves(ty)?;
        Ok(leaves.iter().map(|leaf| leaf.scalar.width()).collect())
    }

    /// The bits of parts of the widths `from` as parts of the widths `to`; both have equal sums.
    pub fn rearrange(&mut self, sources: &[Slot], from: &[u8], to: &[u8]) -> Vec<Slot> {
        let mut targets = Vec::with_capacity(to.len());
        // The next bit: its part and its place there.
        let (mut index, mut low) = (0, 0);
        for &width in to {
            let mut joined: Option<Slot> = None;
            let mut filled = 0;
            while filled < width && index < sources.len() {
                let count = (from[index] - low).min(width - filled);
                let piece = self.bits(sources[index], from[index], low, count);
                let piece = self.cast(CastOp::Zext, count, width, piece);
                let piece = self.shift_left(piece, width, filled);
                joined = Some(match joined {
                    Some(other) => self.bin(BinOp::Or, width, other, piece),
                    None => piece,
                });
                filled += count;
                low += count;
                if low == from[index] {
                    (index, low) = (index + 1, 0);
                }
            }
            targets.extend(joined);
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
        let parts = vec![part; usize::from(width / part)];
        self.rearrange(&[value], &[width], &parts)
    }

    /// Parts of `part` bits as one value of `width` bits.
    pub fn join(&mut self, parts: &[Slot], part: u8, width: u8) -> Slot {
        self.rearrange(parts, &vec![part; parts.len()], &[width])[0]
    }
}
