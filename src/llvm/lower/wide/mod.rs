//! Integers of more than 128 bits, as clang makes them of rows of bit-fields and of `_BitInt(N)`.
//!
//! Idea: a register value has parts of 64 bits, the lowest first, the last with the rest; in memory
//! each part lies where its bits lie. Carries go from part to part as comparisons, so the IR and
//! the executor know nothing of these integers. For arithmetic all parts are made 64 bits wide
//! ("words"). Invariant: an amount beyond the width is an overshift where it is one for narrower
//! integers. Promises (`nuw`, `nsw`) of these operations are not tracked.

pub(super) mod atomic;
pub(super) mod division;
pub(super) mod float;
pub(super) mod intrinsic;
pub(super) mod loops;

use super::Unsupported;
use super::function::Body;
use super::types::integer_parts;
use crate::c_api::{LLVMOpcode, LLVMTypeKind, Type};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, Slot};

/// Width of a word in bits.
pub const WORD: u8 = 64;

/// Products of more words than this are a loop: otherwise their code grows with the square.
const MOST_UNROLLED_WORDS: usize = 32;

impl Body<'_, '_> {
    /// The bits of an integer of any width as words; `fill` says what the last one is filled up
    /// with.
    pub fn words_of(&mut self, parts: &[Slot], width: u32, fill: CastOp) -> Vec<Slot> {
        let mut widths = integer_parts(width);
        let mut words = parts.to_vec();
        if let [whole] = widths[..] {
            if whole > WORD {
                widths = vec![WORD, whole - WORD];
                words = self.rearrange(parts, &[whole], &widths);
            }
        }
        if let (Some(last), Some(top)) = (words.last_mut(), widths.last()) {
            *last = self.cast(fill, *top, WORD, *last);
        }
        words
    }

    /// Returns the parts of the integer of `width` bits that has the lowest bits of `words`, which
    /// has at least this width.
    pub fn parts_of(&mut self, words: &[Slot], width: u32) -> Vec<Slot> {
        let count = width.div_ceil(WORD.into()) as usize;
        let mut parts = words[..count].to_vec();
        let top = (width - (count as u32 - 1) * u32::from(WORD)) as u8;
        parts[count - 1] = self.cast(CastOp::Trunc, WORD, top, parts[count - 1]);
        match integer_parts(width)[..] {
            [whole] if whole > WORD => self.rearrange(&parts, &[WORD, top], &[whole]),
            _ => parts,
        }
    }

    /// `left op right` on integers of `width` bits.
    pub fn wide_operation(
        &mut self,
        op: BinOp,
        width: u32,
        left: &[Slot],
        right: &[Slot],
    ) -> Vec<Slot> {
        if matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) {
            let operands = left.iter().zip(right).zip(integer_parts(width));
            let parts = operands.map(|((a, b), part)| self.bin(op, part, *a, *b));
            return parts.collect();
        }
        let fill = match op {
            BinOp::AShr | BinOp::SDiv | BinOp::SRem => CastOp::Sext,
            _ => CastOp::Zext,
        };
        let a = self.words_of(left, width, fill);
        let words = match op {
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let amount = self.words_of(right, width, CastOp::Zext);
                if !self.is_optimised {
                    self.check_amount(width, &amount);
                }
                self.shift(op, &a, amount[0])
            }
            _ => {
                let b = self.words_of(right, width, fill);
                match op {
                    BinOp::Add | BinOp::Sub => self.sum(op, &a, &b).0,
                    BinOp::Mul => self.wide_product(&a, &b),
                    _ => self.quotient(op, width, &a, &b),
                }
            }
        };
        self.parts_of(&words, width)
    }

    /// Sum or difference of words, and whether it wrapped (1 bit): the carry or the borrow.
    pub fn sum(&mut self, op: BinOp, a: &[Slot], b: &[Slot]) -> (Vec<Slot>, Slot) {
        let mut carry = self.int(1, 0);
        let mut words = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let first = self.bin(op, WORD, a, b);
            let carry_word = self.cast(CastOp::Zext, 1, WORD, carry);
            let second = self.bin(op, WORD, first, carry_word);
            // A sum that is less than a part has wrapped; a difference has if it took more than
            // there was.
            let (wrapped, again) = match op {
                BinOp::Add => (self.below(first, a), self.below(second, first)),
                _ => (self.below(a, b), self.below(first, carry_word)),
            };
            carry = self.bin(BinOp::Or, 1, wrapped, again);
            words.push(second);
        }
        (words, carry)
    }

    /// `a < b` of words, unsigned (1 bit).
    fn below(&mut self, a: Slot, b: Slot) -> Slot {
        if a == b || self.known_int(b) == Some(0) {
            return self.int(1, 0);
        }
        self.cmp(CmpOp::Ult, WORD, a, b)
    }

    /// The low half of a product, word by word as on paper.
    pub fn wide_product(&mut self, a: &[Slot], b: &[Slot]) -> Vec<Slot> {
        if a.len() > MOST_UNROLLED_WORDS {
            return self.looped_product(a, b);
        }
        let zero = self.int(WORD, 0);
        let mut result = vec![zero; a.len()];
        for (low, &factor) in a.iter().enumerate() {
            if self.known_int(factor) == Some(0) {
                continue;
            }
            let mut carry = zero;
            for (&other, place) in b.iter().zip(low..a.len()) {
                if place + 1 == a.len() {
                    let product = self.bin(BinOp::Mul, WORD, factor, other);
                    let sum = self.bin(BinOp::Add, WORD, product, carry);
                    result[place] = self.bin(BinOp::Add, WORD, result[place], sum);
                } else {
                    let sum = self.product_and_sum(factor, other, result[place], carry);
                    [result[place], carry] = sum;
                }
            }
        }
        result
    }

    /// `a * b + c + d`, which fits two words: the low and the high one.
    pub fn product_and_sum(&mut self, a: Slot, b: Slot, c: Slot, d: Slot) -> [Slot; 2] {
        let double = 2 * WORD;
        let [a, b, c, d] = [a, b, c, d].map(|word| self.cast(CastOp::Zext, WORD, double, word));
        let product = self.bin(BinOp::Mul, double, a, b);
        let sum = self.bin(BinOp::Add, double, product, c);
        let sum = self.bin(BinOp::Add, double, sum, d);
        [0, WORD].map(|low| self.bits(sum, double, low, WORD))
    }

    /// Words shifted by an amount (the lowest word of it) below their number of bits; beyond it the
    /// result is any. Zeros come in, for `AShr` the sign of the last word.
    pub fn shift(&mut self, op: BinOp, words: &[Slot], amount: Slot) -> Vec<Slot> {
        let fill = match op {
            BinOp::AShr => self.sign_of(words),
            _ => self.int(WORD, 0),
        };
        if let Some(known) = self.known_int(amount) {
            let bits = words.len() as u128 * u128::from(WORD);
            let known = known.min(bits - 1) as usize;
            let moved = move_words(op, words, known / usize::from(WORD), fill);
            let rest = (known % usize::from(WORD)) as u128;
            if rest == 0 {
                return moved;
            }
            let amounts = [rest, u128::from(WORD) - rest - 1].map(|bits| self.int(WORD, bits));
            return self.shift_within_words(op, &moved, amounts, fill);
        }
        let mut moved = words.to_vec();
        for bit in 0..usize::BITS {
            let distance = 1usize << bit;
            if distance >= words.len() {
                break;
            }
            let taken = self.bits(amount, WORD, (6 + bit) as u8, 1);
            let further = move_words(op, &moved, distance, fill);
            for (word, further) in moved.iter_mut().zip(further) {
                *word = self.select(WORD, taken, further, *word);
            }
        }
        let low_bits = self.int(WORD, u128::from(WORD) - 1);
        let rest = self.bin(BinOp::And, WORD, amount, low_bits);
        let complement = self.bin(BinOp::Xor, WORD, rest, low_bits);
        let complement = self.bin(BinOp::And, WORD, complement, low_bits);
        self.shift_within_words(op, &moved, [rest, complement], fill)
    }

    /// Words shifted by less than a word; `amounts` are the amount and 63 less the amount.
    fn shift_within_words(
        &mut self,
        op: BinOp,
        words: &[Slot],
        amounts: [Slot; 2],
        fill: Slot,
    ) -> Vec<Slot> {
        let [amount, complement] = amounts;
        let (here, back) = match op {
            BinOp::Shl => (BinOp::Shl, BinOp::LShr),
            _ => (BinOp::LShr, BinOp::Shl),
        };
        let neighbours = move_words(op, words, 1, fill);
        let pairs = words.iter().zip(neighbours);
        let shifted = pairs.map(|(&word, neighbour)| {
            let own = self.shift_word(here, word, amount);
            // A shift by 64 less the amount in two steps: neither is by 64 if the amount is 0.
            let part = match self.known_int(complement) {
                Some(known) => {
                    let whole = self.int(WORD, known + 1);
                    self.shift_word(back, neighbour, whole)
                }
                None => {
                    let one = self.int(WORD, 1);
                    let step = self.shift_word(back, neighbour, one);
                    self.shift_word(back, step, complement)
                }
            };
            self.bin(BinOp::Or, WORD, own, part)
        });
        shifted.collect()
    }

    fn shift_word(&mut self, op: BinOp, word: Slot, amount: Slot) -> Slot {
        match self.known_int(word) {
            Some(0) => word,
            _ => self.bin(op, WORD, word, amount),
        }
    }

    /// A word of the sign of the last word.
    pub fn sign_of(&mut self, words: &[Slot]) -> Slot {
        let Some(&last) = words.last() else {
            return self.int(WORD, 0);
        };
        if let Some(known) = self.known_int(last) {
            return self.int(WORD, ((known as i64) >> 63) as u128);
        }
        let amount = self.int(WORD, u128::from(WORD) - 1);
        self.bin(BinOp::AShr, WORD, last, amount)
    }

    /// An overshift if the amount is not below the width: a shift in the IR that is by too much
    /// exactly then.
    fn check_amount(&mut self, width: u32, amount: &[Slot]) {
        let mut limit = vec![self.int(WORD, 0); amount.len()];
        limit[0] = self.int(WORD, width.into());
        let fine = self.less(false, amount, &limit);
        if self.known_int(fine) == Some(1) {
            return;
        }
        let (good, bad) = (self.int(8, 0), self.int(8, 0xff));
        let amount = self.select(8, fine, good, bad);
        self.bin(BinOp::Shl, 8, good, amount);
    }

    /// `a op b` of integers of `width` bits (1 bit).
    pub fn wide_cmp(&mut self, op: CmpOp, width: u32, a: &[Slot], b: &[Slot]) -> Slot {
        let (op, negated) = match op {
            CmpOp::Ne | CmpOp::Uge | CmpOp::Sge | CmpOp::Ule | CmpOp::Sle => (op.negated(), true),
            _ => (op, false),
        };
        let is_signed = matches!(op, CmpOp::Slt | CmpOp::Sgt);
        let fill = if is_signed {
            CastOp::Sext
        } else {
            CastOp::Zext
        };
        let (a, b) = (self.words_of(a, width, fill), self.words_of(b, width, fill));
        let result = match op {
            CmpOp::Eq => self.equal(&a, &b),
            CmpOp::Ugt | CmpOp::Sgt => self.less(is_signed, &b, &a),
            _ => self.less(is_signed, &a, &b),
        };
        if negated { self.not(result) } else { result }
    }

    pub fn not(&mut self, truth: Slot) -> Slot {
        let one = self.int(1, 1);
        self.bin(BinOp::Xor, 1, truth, one)
    }

    pub fn equal(&mut self, a: &[Slot], b: &[Slot]) -> Slot {
        let mut result = self.int(1, 1);
        for (a, b) in a.iter().zip(b) {
            let same = self.cmp(CmpOp::Eq, WORD, *a, *b);
            result = self.bin(BinOp::And, 1, result, same);
        }
        result
    }

    /// `a < b` of words; `is_signed` is about the last one.
    pub fn less(&mut self, is_signed: bool, a: &[Slot], b: &[Slot]) -> Slot {
        let mut result = self.int(1, 0);
        for (index, (&a_word, &b_word)) in a.iter().zip(b).enumerate() {
            let less = if is_signed && index + 1 == a.len() {
                self.cmp(CmpOp::Slt, WORD, a_word, b_word)
            } else {
                self.below(a_word, b_word)
            };
            let same = self.cmp(CmpOp::Eq, WORD, a_word, b_word);
            let lower = self.bin(BinOp::And, 1, same, result);
            result = self.bin(BinOp::Or, 1, less, lower);
        }
        result
    }

    /// `cond ? a : b` for values of several words, word by word.
    pub fn select_words(&mut self, cond: Slot, a: &[Slot], b: &[Slot]) -> Vec<Slot> {
        let pairs = a.iter().zip(b);
        pairs
            .map(|(a, b)| self.select(WORD, cond, *a, *b))
            .collect()
    }

    /// A cast that is not a bitcast and has an integer of more than 128 bits on at least one side.
    pub fn wide_convert(
        &mut self,
        opcode: LLVMOpcode,
        from: Type,
        to: Type,
        sources: &[Slot],
    ) -> Result<Vec<Slot>, Unsupported> {
        let fill = match opcode {
            LLVMOpcode::LLVMSExt => CastOp::Sext,
            LLVMOpcode::LLVMZExt
            | LLVMOpcode::LLVMTrunc
            | LLVMOpcode::LLVMPtrToInt
            | LLVMOpcode::LLVMIntToPtr => CastOp::Zext,
            _ => return self.wide_float_cast(opcode, from, to, sources),
        };
        let (from_width, to_width) = (self.integer_width(from)?, self.integer_width(to)?);
        let mut words = self.words_of(sources, from_width, fill);
        let beyond = match fill {
            CastOp::Sext => self.sign_of(&words),
            _ => self.int(WORD, 0),
        };
        let count = to_width.div_ceil(WORD.into()) as usize;
        words.resize(count.max(words.len()), beyond);
        Ok(self.parts_of(&words, to_width))
    }

    fn integer_width(&mut self, ty: Type) -> Result<u32, Unsupported> {
        match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => Ok(ty.int_width()),
            _ => Ok(self.module.types.scalar(ty)?.width().into()),
        }
    }
}

/// Words moved by whole words in the direction of a shift.
fn move_words(op: BinOp, words: &[Slot], distance: usize, fill: Slot) -> Vec<Slot> {
    let source = |index: usize| match op {
        BinOp::Shl => index.checked_sub(distance),
        _ => Some(index + distance),
    };
    let word = |index| source(index).and_then(|source| words.get(source).copied());
    (0..words.len())
        .map(|index| word(index).unwrap_or(fill))
        .collect()
}
