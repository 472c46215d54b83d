//! Integer intrinsics on more than 128 bits: counts of bits, minimum and maximum, overflow,
//! rotation.
//!
//! Invariant: as in `wide`; an intrinsic that is not here is an unsupported feature with its name
//! and width.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::intrinsics::{
    matches_family, min_max_operation, overflow_operation, unary_operation,
};
use super::WORD;
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, FunnelOp, Inst, IntUnary, MinMaxOp, OverflowOp, Slot};

/// Limit of a saturating operation.
enum Limit<'o> {
    Zero,
    /// The largest unsigned number.
    Largest,
    /// The largest or smallest signed number, the one with the operand's sign.
    SideOf(&'o [Slot]),
}

impl Body<'_, '_> {
    /// Lowers an intrinsic whose first operand has `width` bits, more than 128; false if `family`
    /// is none of integers.
    pub fn wide_intrinsic(
        &mut self,
        inst: Value,
        family: &str,
        width: u32,
    ) -> Result<bool, Unsupported> {
        if let Some(op) = unary_operation(family) {
            let source = self.operand(inst.operand(0))?;
            let slots = self.wide_unary(op, width, &source);
            self.define(inst, slots);
            return Ok(true);
        }
        let funnel = match () {
            () if matches_family(family, "fshl") => Some(FunnelOp::Left),
            () if matches_family(family, "fshr") => Some(FunnelOp::Right),
            () => None,
        };
        let min_max = min_max_operation(family);
        let overflow = overflow_operation(family);
        if funnel.is_none() && min_max.is_none() && overflow.is_none() {
            return Ok(false);
        }
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let slots = match (funnel, min_max, overflow) {
            (Some(op), _, _) => {
                let amount = self.operand(inst.operand(2))?;
                self.wide_funnel(op, width, [&a, &b, &amount])
            }
            (_, Some(op), _) => {
                let to = self.module.types.leaves(inst.ty())?[0].scalar.width();
                self.wide_min_max(op, width, to, [&a, &b])
            }
            (_, _, Some(op)) => {
                let (mut slots, flag) = self.wide_overflow(op, width, [&a, &b]);
                slots.push(flag);
                slots
            }
            _ => return Ok(false),
        };
        self.define(inst, slots);
        Ok(true)
    }

    fn unary(&mut self, op: IntUnary, src: Slot) -> Slot {
        let (w, dst) = (WORD, self.new_slot(WORD));
        self.emit(Inst::Unary { op, w, dst, src });
        dst
    }

    fn wide_unary(&mut self, op: IntUnary, width: u32, source: &[Slot]) -> Vec<Slot> {
        let fill = match op {
            IntUnary::Abs => CastOp::Sext,
            _ => CastOp::Zext,
        };
        let words = self.words_of(source, width, fill);
        let idle = words.len() as u32 * u32::from(WORD) - width;
        let words = match op {
            IntUnary::Freeze => words,
            IntUnary::Abs => {
                let sign = self.is_negative(&words);
                self.negated_if(sign, &words)
            }
            IntUnary::Bswap | IntUnary::BitReverse => {
                let reversed = words.iter().rev().map(|word| self.unary(op, *word));
                let reversed: Vec<Slot> = reversed.collect();
                let idle = self.int(WORD, idle.into());
                self.shift(BinOp::LShr, &reversed, idle)
            }
            IntUnary::Ctpop | IntUnary::Ctlz | IntUnary::Cttz => {
                let count = self.wide_count(op, width, &words);
                let mut counted = vec![self.int(WORD, 0); words.len()];
                counted[0] = count;
                counted
            }
        };
        self.parts_of(&words, width)
    }

    /// The number of ones, or of zeros above or below the outermost one, in a word.
    pub fn wide_count(&mut self, op: IntUnary, width: u32, words: &[Slot]) -> Slot {
        let zero = self.int(WORD, 0);
        if op == IntUnary::Ctpop {
            return words.iter().fold(zero, |sum, word| {
                let count = self.unary(op, *word);
                self.bin(BinOp::Add, WORD, sum, count)
            });
        }
        let bits = |index: usize| index as i128 * i128::from(WORD);
        let mut order: Vec<usize> = (0..words.len()).collect();
        if op == IntUnary::Cttz {
            order.reverse();
        }
        let mut result = self.int(WORD, width.into());
        for index in order {
            let before = match op {
                IntUnary::Cttz => bits(index),
                // Negative for the last word if that is not full: its count is of a whole word.
                _ => i128::from(width) - bits(index + 1),
            };
            let count = self.unary(op, words[index]);
            let before = self.int(WORD, before as u128);
            let count = self.bin(BinOp::Add, WORD, count, before);
            let found = self.cmp(CmpOp::Ne, WORD, words[index], zero);
            result = self.select(WORD, found, count, result);
        }
        result
    }

    fn wide_funnel(
        &mut self,
        op: FunnelOp,
        width: u32,
        [high, low, amount]: [&[Slot]; 3],
    ) -> Vec<Slot> {
        let [high, low, amount] =
            [high, low, amount].map(|parts| self.words_of(parts, width, CastOp::Zext));
        let known: Option<Vec<u128>> = amount.iter().map(|word| self.known_int(*word)).collect();
        let amount = match known {
            Some(known) => {
                let bits = u128::from(width);
                let rest = (known.iter().rev()).fold(0, |rest, word| ((rest << 64) | word) % bits);
                self.int(WORD, rest)
            }
            None if width.is_power_of_two() => {
                let low_bits = self.int(WORD, u128::from(width) - 1);
                self.bin(BinOp::And, WORD, amount[0], low_bits)
            }
            None => {
                let mut bits = vec![self.int(WORD, 0); amount.len()];
                bits[0] = self.int(WORD, width.into());
                self.quotient(BinOp::URem, width, &amount, &bits)[0]
            }
        };
        // The other amount less 1, so that both are below the width.
        let last = self.int(WORD, u128::from(width) - 1);
        let complement = self.bin(BinOp::Sub, WORD, last, amount);
        let (left, right) = match op {
            FunnelOp::Left => (amount, complement),
            FunnelOp::Right => (complement, amount),
        };
        let one = self.int(WORD, 1);
        let mut upper = self.shift(BinOp::Shl, &high, left);
        let mut lower = self.shift(BinOp::LShr, &low, right);
        match op {
            FunnelOp::Left => lower = self.shift(BinOp::LShr, &lower, one),
            FunnelOp::Right => upper = self.shift(BinOp::Shl, &upper, one),
        }
        let pairs = upper.into_iter().zip(lower);
        let words: Vec<Slot> = pairs
            .map(|(a, b)| self.bin(BinOp::Or, WORD, a, b))
            .collect();
        self.parts_of(&words, width)
    }

    fn wide_min_max(
        &mut self,
        op: MinMaxOp,
        width: u32,
        to: u8,
        [a, b]: [&[Slot]; 2],
    ) -> Vec<Slot> {
        let op = match op {
            MinMaxOp::UMin => CmpOp::Ult,
            MinMaxOp::UMax => CmpOp::Ugt,
            MinMaxOp::SMin => CmpOp::Slt,
            MinMaxOp::SMax => CmpOp::Sgt,
            MinMaxOp::UCmp => return vec![self.wide_order(CmpOp::Ult, width, to, [a, b])],
            MinMaxOp::SCmp => return vec![self.wide_order(CmpOp::Slt, width, to, [a, b])],
            MinMaxOp::UAddSat => return self.saturated(OverflowOp::UAdd, width, [a, b]),
            MinMaxOp::SAddSat => return self.saturated(OverflowOp::SAdd, width, [a, b]),
            MinMaxOp::USubSat => return self.saturated(OverflowOp::USub, width, [a, b]),
            MinMaxOp::SSubSat => return self.saturated(OverflowOp::SSub, width, [a, b]),
            MinMaxOp::UShlSat => return self.saturated_shift(false, width, [a, b]),
            MinMaxOp::SShlSat => return self.saturated_shift(true, width, [a, b]),
        };
        let cond = self.wide_cmp(op, width, a, b);
        let [a, b] = [a, b].map(|parts| self.words_of(parts, width, CastOp::Zext));
        let words = self.select_words(cond, &a, &b);
        self.parts_of(&words, width)
    }

    /// -1, 0 or 1 in `to` bits, as `a` is less than, equal to or greater than `b`.
    fn wide_order(&mut self, less: CmpOp, width: u32, to: u8, [a, b]: [&[Slot]; 2]) -> Slot {
        let below = self.wide_cmp(less, width, a, b);
        let above = self.wide_cmp(less, width, b, a);
        let above = self.cast(CastOp::Zext, 1, to, above);
        let minus_one = self.int(to, u128::MAX);
        self.select(to, below, minus_one, above)
    }

    /// The result modulo 2^width, and whether it is another number (1 bit).
    fn wide_overflow(
        &mut self,
        op: OverflowOp,
        width: u32,
        [a, b]: [&[Slot]; 2],
    ) -> (Vec<Slot>, Slot) {
        let fill = match op {
            OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => CastOp::Sext,
            _ => CastOp::Zext,
        };
        // With room for the whole result.
        let room = match op {
            OverflowOp::UMul | OverflowOp::SMul => 2,
            _ => 1,
        };
        let [a, b] = [a, b].map(|parts| {
            let mut words = self.words_of(parts, width, fill);
            let count = match room {
                2 => 2 * words.len(),
                _ => words.len() + 1,
            };
            let beyond = match fill {
                CastOp::Sext => self.sign_of(&words),
                _ => self.int(WORD, 0),
            };
            words.resize(count, beyond);
            words
        });
        let exact = match op {
            OverflowOp::UAdd | OverflowOp::SAdd => self.sum(BinOp::Add, &a, &b).0,
            OverflowOp::USub | OverflowOp::SSub => self.sum(BinOp::Sub, &a, &b).0,
            OverflowOp::UMul | OverflowOp::SMul => self.wide_product(&a, &b),
        };
        let parts = self.parts_of(&exact, width);
        let mut kept = self.words_of(&parts, width, fill);
        let beyond = match fill {
            CastOp::Sext => self.sign_of(&kept),
            _ => self.int(WORD, 0),
        };
        kept.resize(exact.len(), beyond);
        let same = self.equal(&kept, &exact);
        let overflow = self.not(same);
        (parts, overflow)
    }

    /// The result of an operation, or the number next to it that fits.
    fn saturated(&mut self, op: OverflowOp, width: u32, operands: [&[Slot]; 2]) -> Vec<Slot> {
        let (parts, overflow) = self.wide_overflow(op, width, operands);
        let limit = match op {
            OverflowOp::USub => Limit::Zero,
            OverflowOp::SAdd | OverflowOp::SSub => Limit::SideOf(operands[0]),
            _ => Limit::Largest,
        };
        self.limited(width, overflow, &parts, limit)
    }

    /// `a` shifted to the left, or the number next to the result that fits.
    fn saturated_shift(
        &mut self,
        is_signed: bool,
        width: u32,
        [a, amount]: [&[Slot]; 2],
    ) -> Vec<Slot> {
        let (back, limit) = if is_signed {
            (BinOp::AShr, Limit::SideOf(a))
        } else {
            (BinOp::LShr, Limit::Largest)
        };
        let parts = self.wide_operation(BinOp::Shl, width, a, amount);
        let restored = self.wide_operation(back, width, &parts, amount);
        let overflow = self.wide_cmp(CmpOp::Ne, width, &restored, a);
        self.limited(width, overflow, &parts, limit)
    }

    /// A result of `width` bits, or the limit where it overflows.
    fn limited(
        &mut self,
        width: u32,
        overflow: Slot,
        parts: &[Slot],
        limit: Limit<'_>,
    ) -> Vec<Slot> {
        let result = self.words_of(parts, width, CastOp::Zext);
        let side = match limit {
            Limit::SideOf(operand) => Some(self.words_of(operand, width, CastOp::Sext)),
            _ => None,
        };
        let ones = self.int(WORD, u128::MAX);
        let sign_bit = self.int(WORD, 1 << ((width - 1) % u32::from(WORD)));
        let mut limits = Vec::with_capacity(result.len());
        for index in 0..result.len() {
            let is_top = index + 1 == result.len();
            let word = match (&limit, &side) {
                (Limit::Largest, _) => ones,
                (_, Some(side)) => {
                    // The largest number is the smallest one's complement; a negative operand means
                    // the smallest.
                    let sign = self.sign_of(side);
                    let largest = self.bin(BinOp::Xor, WORD, sign, ones);
                    if is_top {
                        self.bin(BinOp::Xor, WORD, largest, sign_bit)
                    } else {
                        largest
                    }
                }
                _ => self.int(WORD, 0),
            };
            limits.push(word);
        }
        let words = self.select_words(overflow, &limits, &result);
        self.parts_of(&words, width)
    }
}
