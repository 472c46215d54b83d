//! Conversions between floating-point numbers and integers of more than 128 bits.
//!
//! Idea: a number is a significand of at most 128 bits and a power of two. Towards an integer the
//! significand is shifted into its place; from one its highest 127 bits are converted, the lowest
//! of them set if anything is below, so that this rounds as the whole would, and the result is
//! multiplied by a power of two. Invariant: what does not fit the format becomes an infinity; a
//! float that does not fit the integer gives any value.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use super::WORD;
use crate::c_api::{LLVMOpcode, Type};
use homi_ir::ops::{BinOp, CmpOp, mask};
use homi_ir::program::{
    CastOp, FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary, IntUnary, Slot,
};

impl Body<'_, '_> {
    /// A conversion with an integer of more than 128 bits on one side and a float on the other.
    pub fn wide_float_cast(
        &mut self,
        opcode: LLVMOpcode,
        from: Type,
        to: Type,
        sources: &[Slot],
    ) -> Result<Vec<Slot>, Unsupported> {
        if let Some(width) = self.module.types.wide(to) {
            let kind = self.module.types.scalar(from)?.float()?;
            return Ok(self.wide_from_float(kind, width, sources[0]));
        }
        let kind = self.module.types.scalar(to)?.float()?;
        let Some(width) = self
            .module
            .types
            .wide(from)
            .filter(|_| kind != FloatKind::F16)
        else {
            let (from, to) = (from.describe(), to.describe());
            return Err(Unsupported::new(format!("conversion of {from} to {to}")));
        };
        if opcode == LLVMOpcode::LLVMUIToFP {
            let words = self.words_of(sources, width, CastOp::Zext);
            return Ok(vec![self.float_from_words(kind, &words)?]);
        }
        let words = self.words_of(sources, width, CastOp::Sext);
        let sign = self.is_negative(&words);
        let words = self.negated_if(sign, &words);
        let plain = self.float_from_words(kind, &words)?;
        let negative = self.float_unary(FloatUnary::Neg, kind, plain);
        Ok(vec![self.select(kind.width() as u8, sign, negative, plain)])
    }

    /// A number without its fraction as an integer of `width` bits.
    fn wide_from_float(&mut self, kind: FloatKind, width: u32, src: Slot) -> Vec<Slot> {
        let total = kind.width() as u8;
        let exponent_bits = kind.exponent_bits() as u8;
        let exponent = self.bits(src, total, kind.stored_bits() as u8, exponent_bits);
        let exponent = self.cast(CastOp::Zext, exponent_bits, WORD, exponent);
        let stored = kind.stored_bits();
        let significand = self.bits(src, total, 0, stored as u8);
        let mut words = self.words_of(&[significand], stored, CastOp::Zext);
        let zero = self.int(WORD, 0);
        words.resize(width.div_ceil(WORD.into()) as usize, zero);
        let fraction_bits = kind.precision() - 1;
        if kind.integer_bit() == 0 {
            let bit = self.int(WORD, 1 << (fraction_bits % u32::from(WORD)));
            let word = &mut words[(fraction_bits / u32::from(WORD)) as usize];
            *word = self.bin(BinOp::Or, WORD, *word, bit);
        }
        // The exponents of 1 and of the least number whose significand is an integer.
        let one = self.int(WORD, bias(kind));
        let whole = self.int(WORD, bias(kind) + u128::from(fraction_bits));
        let up = self.bin(BinOp::Sub, WORD, exponent, whole);
        let down = self.bin(BinOp::Sub, WORD, whole, exponent);
        let large = self.shift(BinOp::Shl, &words, up);
        let small = self.shift(BinOp::LShr, &words, down);
        let is_large = self.cmp(CmpOp::Uge, WORD, exponent, whole);
        let words = self.select_words(is_large, &large, &small);
        let is_fraction = self.cmp(CmpOp::Ult, WORD, exponent, one);
        let zeros = vec![zero; words.len()];
        let words = self.select_words(is_fraction, &zeros, &words);
        let sign = self.bits(src, total, total - 1, 1);
        let words = self.negated_if(sign, &words);
        self.parts_of(&words, width)
    }

    /// The integer of a floating-point number, where numbers that do not fit become the nearest
    /// integer that does, and a NaN becomes 0.
    pub fn wide_saturated(
        &mut self,
        kind: FloatKind,
        width: u32,
        src: Slot,
        is_signed: bool,
    ) -> Vec<Slot> {
        let total = kind.width() as u8;
        let exponent_bits = kind.exponent_bits() as u8;
        let exponent = self.bits(src, total, kind.stored_bits() as u8, exponent_bits);
        let exponent = self.cast(CastOp::Zext, exponent_bits, WORD, exponent);
        // The least exponent that does not fit, at most infinity's exponent.
        let beyond = bias(kind) + u128::from(width) - u128::from(is_signed);
        let beyond = self.int(WORD, beyond.min(mask(kind.exponent_bits())));
        let is_large = self.cmp(CmpOp::Uge, WORD, exponent, beyond);
        let sign = self.bits(src, total, total - 1, 1);
        let is_nan = self.float_cmp(FloatCmp::Uno, kind, src, src);
        let parts = self.wide_from_float(kind, width, src);
        let words = self.words_of(&parts, width, CastOp::Zext);
        let count = words.len();
        let zeros = vec![self.int(WORD, 0); count];
        let top_bits = width - (count as u32 - 1) * u32::from(WORD);
        let mut most = vec![self.int(WORD, u128::MAX); count];
        let mut least = zeros.clone();
        most[count - 1] = self.int(WORD, mask(top_bits - u32::from(is_signed)));
        if is_signed {
            least[count - 1] = self.int(WORD, 1 << (top_bits - 1));
        }
        let bound = self.select_words(sign, &least, &most);
        let mut words = self.select_words(is_large, &bound, &words);
        if !is_signed {
            words = self.select_words(sign, &zeros, &words);
        }
        let words = self.select_words(is_nan, &zeros, &words);
        self.parts_of(&words, width)
    }

    /// The floating-point number next to an unsigned integer of three or more words.
    fn float_from_words(&mut self, kind: FloatKind, words: &[Slot]) -> Result<Slot, Unsupported> {
        let (w, double) = (kind.width() as u8, 2 * WORD);
        let bits = words.len() as u32 * u32::from(WORD);
        let leading = self.wide_count(IntUnary::Ctlz, bits, words);
        let shifted = self.shift(BinOp::Shl, words, leading);
        let (rest, top) = shifted.split_at(words.len() - 2);
        let zero = self.int(WORD, 0);
        let mut below = rest
            .iter()
            .fold(zero, |all, word| self.bin(BinOp::Or, WORD, all, *word));
        // A bit of room, so that rounding up does not leave the format.
        let one = self.int(WORD, 1);
        let lost = self.bin(BinOp::And, WORD, top[0], one);
        below = self.bin(BinOp::Or, WORD, below, lost);
        let is_inexact = self.cmp(CmpOp::Ne, WORD, below, zero);
        let is_inexact = self.cast(CastOp::Zext, 1, double, is_inexact);
        let top = self.rearrange(top, &[WORD, WORD], &[double])[0];
        let one = self.int(double, 1);
        let top = self.bin(BinOp::LShr, double, top, one);
        let top = self.bin(BinOp::Or, double, top, is_inexact);
        let number = self.emit_float_cast(
            FloatCastOp::FromUnsigned,
            Scalar::Int(double),
            Scalar::Float(kind),
            top,
        )?;
        // 2 to the power of what `top` was shifted by; the largest exponent encodes infinity.
        let without_shift = u128::from(bits) + 1 - u128::from(double) + bias(kind);
        let without_shift = self.int(WORD, without_shift);
        let exponent = self.bin(BinOp::Sub, WORD, without_shift, leading);
        let largest = self.int(WORD, mask(kind.exponent_bits()));
        let fits = self.cmp(CmpOp::Ult, WORD, exponent, largest);
        let exponent = self.select(WORD, fits, exponent, largest);
        let scale = self.resize(WORD, w, exponent);
        let scale = self.shift_left(scale, w, kind.stored_bits() as u8);
        let integer_bit = self.int(w, kind.integer_bit());
        let scale = self.bin(BinOp::Or, w, scale, integer_bit);
        Ok(self.float(FloatOp::Mul, kind, number, scale))
    }
}

/// The exponent field of numbers from 1 to 2.
fn bias(kind: FloatKind) -> u128 {
    mask(kind.exponent_bits() - 1)
}
