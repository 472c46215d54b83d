//! Division of integers of more than 128 bits: a loop over the dividend's bits.
//!
//! Idea: the remainder takes one bit of the dividend after another and gives the divisor away where
//! it can. The number of turns is the width, whatever the values are, so symbolic operands do not
//! fork. Invariant: a divisor of 0 is a division by zero of the program, found before the loop.

use super::super::function::Body;
use super::WORD;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, Slot};

impl Body<'_, '_> {
    /// `a op b` of words, filled up as the operator's sign asks; `op` is a division.
    pub fn quotient(&mut self, op: BinOp, width: u32, a: &[Slot], b: &[Slot]) -> Vec<Slot> {
        self.check_divisor(b);
        let is_signed = matches!(op, BinOp::SDiv | BinOp::SRem);
        let wants_rest = matches!(op, BinOp::URem | BinOp::SRem);
        if !is_signed {
            let (quotient, rest) = self.long_division(width, a, b);
            return if wants_rest { rest } else { quotient };
        }
        let (a_sign, b_sign) = (self.is_negative(a), self.is_negative(b));
        let a = self.negated_if(a_sign, a);
        let b = self.negated_if(b_sign, b);
        let (quotient, rest) = self.long_division(width, &a, &b);
        if wants_rest {
            return self.negated_if(a_sign, &rest);
        }
        let sign = self.bin(BinOp::Xor, 1, a_sign, b_sign);
        self.negated_if(sign, &quotient)
    }

    /// A division by zero if all words are 0: one in the IR that is by zero exactly then.
    fn check_divisor(&mut self, words: &[Slot]) {
        let zero = self.int(WORD, 0);
        let bits = (words.iter()).fold(zero, |a, b| self.bin(BinOp::Or, WORD, a, *b));
        let fine = self.cmp(CmpOp::Ne, WORD, bits, zero);
        if self.known_int(fine) == Some(1) {
            return;
        }
        let fine = self.cast(CastOp::Zext, 1, 8, fine);
        let dividend = self.int(8, 0);
        self.bin(BinOp::UDiv, 8, dividend, fine);
    }

    pub fn is_negative(&mut self, words: &[Slot]) -> Slot {
        let sign = self.sign_of(words);
        self.cast(CastOp::Trunc, WORD, 1, sign)
    }

    /// The words or, where `cond` holds, their negative.
    pub fn negated_if(&mut self, cond: Slot, words: &[Slot]) -> Vec<Slot> {
        let zeros = vec![self.int(WORD, 0); words.len()];
        let (negative, _) = self.sum(BinOp::Sub, &zeros, words);
        self.select_words(cond, &negative, words)
    }

    /// Quotient and remainder of unsigned words that have at most `width` bits.
    fn long_division(&mut self, width: u32, a: &[Slot], b: &[Slot]) -> (Vec<Slot>, Vec<Slot>) {
        let count = a.len();
        // The dividend's first bit to the top: it leaves there as the quotient enters below.
        let idle = count as u32 * u32::from(WORD) - width;
        let idle = self.int(WORD, idle.into());
        let start = self.shift(BinOp::Shl, a, idle);
        let mut words = start;
        words.resize(2 * count, self.int(WORD, 0));
        let mut quotient = self.counted_loop(width.into(), words, |body, words| {
            let (quotient, rest) = words.split_at(count);
            let (mut quotient, rest) = body.division_step(quotient, rest, b);
            quotient.extend(rest);
            quotient
        });
        let rest = quotient.split_off(count);
        (quotient, rest)
    }

    /// The step of a long division for one bit of the dividend, which is in the upper bits of
    /// `quotient`.
    fn division_step(
        &mut self,
        quotient: &[Slot],
        rest: &[Slot],
        divisor: &[Slot],
    ) -> (Vec<Slot>, Vec<Slot>) {
        let one = self.int(WORD, 1);
        let overflows = self.is_negative(rest);
        let bit = self.is_negative(quotient);
        let bit = self.cast(CastOp::Zext, 1, WORD, bit);
        let mut rest = self.shift(BinOp::Shl, rest, one);
        rest[0] = self.bin(BinOp::Or, WORD, rest[0], bit);
        let mut quotient = self.shift(BinOp::Shl, quotient, one);
        let (less, borrow) = self.sum(BinOp::Sub, &rest, divisor);
        let fits = self.not(borrow);
        let fits = self.bin(BinOp::Or, 1, overflows, fits);
        let bit = self.cast(CastOp::Zext, 1, WORD, fits);
        quotient[0] = self.bin(BinOp::Or, WORD, quotient[0], bit);
        (quotient, self.select_words(fits, &less, &rest))
    }
}
