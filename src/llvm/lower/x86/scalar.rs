//! x86's scalar instructions that bitcode names: CRC-32C, bit fields, scattered bits, sums with a
//! carry.
//!
//! Invariant: as in `x86`.

use super::super::Unsupported;
use super::super::function::Body;
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, Slot};

/// The polynomial of CRC-32C, its lowest power in the highest bit.
const CASTAGNOLI: u128 = 0x82f6_3b78;

impl Body<'_, '_> {
    /// The parts of `x86.SET.NAME`; `None` if it is none of these.
    pub fn x86_scalar(
        &mut self,
        inst: Value,
        set: &str,
        name: &str,
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        let is_scalar =
            matches!(set, "addcarry" | "subborrow" | "bmi") || name.starts_with("crc32.");
        if !is_scalar {
            return Ok(None);
        }
        let w = self.module.types.lane(inst.operand(1).ty())?.width();
        let a = self.scalar(inst.operand(0))?;
        let b = self.scalar(inst.operand(1))?;
        let slots = match (set, name) {
            ("addcarry" | "subborrow", _) => {
                let c = self.scalar(inst.operand(2))?;
                let op = match set {
                    "addcarry" => BinOp::Add,
                    _ => BinOp::Sub,
                };
                self.with_carry(op, w, a, [b, c])
            }
            ("bmi", "bextr.32" | "bextr.64") => vec![self.bit_field(w, a, b)],
            ("bmi", "bzhi.32" | "bzhi.64") => vec![self.low_part(w, a, b)],
            ("bmi", "pext.32" | "pext.64") => vec![self.gathered_bits(w, a, b)],
            ("bmi", "pdep.32" | "pdep.64") => vec![self.scattered_bits(w, a, b)],
            (_, _) if name.starts_with("crc32.") => {
                let from = self.module.types.lane(inst.operand(0).ty())?.width();
                let crc = self.resize(from, 32, a);
                let crc = self.checksum(crc, w, b);
                vec![self.resize(32, from, crc)]
            }
            _ => return Ok(None),
        };
        Ok(Some(slots))
    }

    /// The carry (8 bits) and the sum or difference of two numbers and a carry, which is one unless
    /// it is 0.
    fn with_carry(&mut self, op: BinOp, w: u8, carry: Slot, operands: [Slot; 2]) -> Vec<Slot> {
        let double = 2 * w;
        let zero = self.int(8, 0);
        let carry = self.cmp(CmpOp::Ne, 8, carry, zero);
        let carry = self.cast(CastOp::Zext, 1, double, carry);
        let [a, b] = operands.map(|operand| self.cast(CastOp::Zext, w, double, operand));
        let result = self.bin(op, double, a, b);
        let result = self.bin(op, double, result, carry);
        let out = self.bits(result, double, w, 1);
        vec![
            self.cast(CastOp::Zext, 1, 8, out),
            self.cast(CastOp::Trunc, double, w, result),
        ]
    }

    /// The bits of `a` below the number in `b`'s lowest byte.
    fn low_part(&mut self, w: u8, a: Slot, b: Slot) -> Slot {
        let count = self.bits(b, w, 0, 8);
        let count = self.cast(CastOp::Zext, 8, w, count);
        self.below_bit(w, a, count)
    }

    fn below_bit(&mut self, w: u8, a: Slot, count: Slot) -> Slot {
        let bits = self.int(w, w.into());
        let fits = self.cmp(CmpOp::Ult, w, count, bits);
        let zero = self.int(w, 0);
        let amount = self.select(w, fits, count, zero);
        let ones = self.int(w, u128::MAX);
        let above = self.bin(BinOp::Shl, w, ones, amount);
        let mask = self.bin(BinOp::Xor, w, above, ones);
        let low = self.bin(BinOp::And, w, a, mask);
        self.select(w, fits, low, a)
    }

    /// BEXTR: `b` has the first bit's place in its lowest byte and the number of bits in the next.
    fn bit_field(&mut self, w: u8, a: Slot, b: Slot) -> Slot {
        let [start, count] = [0, 8].map(|low| {
            let byte = self.bits(b, w, low, 8);
            self.cast(CastOp::Zext, 8, w, byte)
        });
        let bits = self.int(w, w.into());
        let fits = self.cmp(CmpOp::Ult, w, start, bits);
        let zero = self.int(w, 0);
        let amount = self.select(w, fits, start, zero);
        let moved = self.bin(BinOp::LShr, w, a, amount);
        let moved = self.select(w, fits, moved, zero);
        self.below_bit(w, moved, count)
    }

    /// PEXT: the bits of `a` where `mask` has ones, moved together.
    fn gathered_bits(&mut self, w: u8, a: Slot, mask: Slot) -> Slot {
        let one = self.int(w, 1);
        let (mut result, mut place) = (self.int(w, 0), one);
        for bit in 0..w {
            let taken = self.bits(mask, w, bit, 1);
            let is_set = self.bits(a, w, bit, 1);
            let both = self.bin(BinOp::And, 1, taken, is_set);
            let with = self.bin(BinOp::Or, w, result, place);
            result = self.select(w, both, with, result);
            let next = self.bin(BinOp::Shl, w, place, one);
            place = self.select(w, taken, next, place);
        }
        result
    }

    /// PDEP: the lowest bits of `a` at the places where `mask` has ones.
    fn scattered_bits(&mut self, w: u8, a: Slot, mask: Slot) -> Slot {
        let one = self.int(w, 1);
        let (mut result, mut rest) = (self.int(w, 0), a);
        for bit in 0..w {
            let taken = self.bits(mask, w, bit, 1);
            let is_set = self.bits(rest, w, 0, 1);
            let both = self.bin(BinOp::And, 1, taken, is_set);
            let both = self.cast(CastOp::Zext, 1, w, both);
            let part = self.shift_left(both, w, bit);
            result = self.bin(BinOp::Or, w, result, part);
            let next = self.bin(BinOp::LShr, w, rest, one);
            rest = self.select(w, taken, next, rest);
        }
        result
    }

    /// The checksum (32 bits) after the bytes of a number.
    fn checksum(&mut self, mut crc: Slot, w: u8, data: Slot) -> Slot {
        let polynomial = self.int(32, CASTAGNOLI);
        let one = self.int(32, 1);
        for low in (0..w).step_by(8) {
            let byte = self.bits(data, w, low, 8);
            let byte = self.cast(CastOp::Zext, 8, 32, byte);
            crc = self.bin(BinOp::Xor, 32, crc, byte);
            for _ in 0..8 {
                let falls_out = self.bits(crc, 32, 0, 1);
                let moved = self.bin(BinOp::LShr, 32, crc, one);
                let reduced = self.bin(BinOp::Xor, 32, moved, polynomial);
                crc = self.select(32, falls_out, reduced, moved);
            }
        }
        crc
    }
}
