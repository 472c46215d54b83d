//! Operators on words of literals, lowest bit first: what `ops` says about bit vectors, as
//! circuits.
//!
//! Invariant: both operands have one width, as has the result unless it is one bit. Constant bits
//! fold while a circuit is built, so arithmetic on zero-extended bytes costs little more than on
//! bytes.

use super::gates::{FALSE, Gates, Lit, TRUE};
use homi_ir::ops::{BinOp, CmpOp};

/// The bits of a word, lowest first.
pub(super) type Word = Vec<Lit>;

impl Gates {
    pub fn word(width: u32, value: u128) -> Word {
        let bit = |index| Lit::constant(value >> index & 1 == 1);
        (0..width).map(bit).collect()
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinOp, a: &[Lit], b: &[Lit]) -> Word {
        match op {
            BinOp::Add => self.add(a, b, FALSE),
            BinOp::Sub => self.subtract(a, b).0,
            BinOp::Mul => self.multiply(a, b),
            BinOp::UDiv => self.divide(a, b).0,
            BinOp::URem => self.divide(a, b).1,
            BinOp::SDiv => {
                let (quotient, _) = self.divide_magnitudes(a, b);
                let negative = self.xor(sign(a), sign(b));
                self.negate_if(negative, &quotient)
            }
            BinOp::SRem => {
                let (_, remainder) = self.divide_magnitudes(a, b);
                self.negate_if(sign(a), &remainder)
            }
            BinOp::And => self.bitwise(a, b, Gates::and),
            BinOp::Or => self.bitwise(a, b, Gates::or),
            BinOp::Xor => self.bitwise(a, b, Gates::xor),
            BinOp::Shl => {
                let reversed: Word = a.iter().rev().copied().collect();
                let mut shifted = self.shift_right(&reversed, b, FALSE);
                shifted.reverse();
                shifted
            }
            BinOp::LShr => self.shift_right(a, b, FALSE),
            BinOp::AShr => self.shift_right(a, b, sign(a)),
        }
    }

    /// The bit `a op b`.
    pub fn compare(&mut self, op: CmpOp, a: &[Lit], b: &[Lit]) -> Lit {
        match op {
            CmpOp::Eq => self.equal(a, b),
            CmpOp::Ne => !self.equal(a, b),
            CmpOp::Ult => self.less(a, b),
            CmpOp::Uge => !self.less(a, b),
            CmpOp::Ugt => self.less(b, a),
            CmpOp::Ule => !self.less(b, a),
            CmpOp::Slt => self.less_signed(a, b),
            CmpOp::Sge => !self.less_signed(a, b),
            CmpOp::Sgt => self.less_signed(b, a),
            CmpOp::Sle => !self.less_signed(b, a),
        }
    }

    /// `a` if the bit is true, `b` otherwise.
    pub fn choose(&mut self, select: Lit, a: &[Lit], b: &[Lit]) -> Word {
        let bits = a.iter().zip(b);
        bits.map(|(&a, &b)| self.mux(select, a, b)).collect()
    }

    /// The element at an index, 0 beyond the end.
    pub fn table(&mut self, width: u32, elements: &[u64], index: &[Lit]) -> Word {
        let Some((&top, below)) = index.split_last() else {
            let first = elements.first().copied().unwrap_or(0);
            return Self::word(width, first.into());
        };
        let half = 1usize.checked_shl(below.len() as u32);
        let half = half.unwrap_or(usize::MAX).min(elements.len());
        let (low, high) = elements.split_at(half);
        if high.is_empty() {
            let inside = self.table(width, low, below);
            return self.choose(top, &Self::word(width, 0), &inside);
        }
        let (low, high) = (
            self.table(width, low, below),
            self.table(width, high, below),
        );
        self.choose(top, &high, &low)
    }

    /// Returns a literal for membership of a byte in a set of 256 bits.
    pub fn member(&mut self, byte: &[Lit], set: &[u64; 4]) -> Lit {
        self.member_between(byte, set, 0)
    }

    /// Returns a literal for membership of a byte in a set, for the values that start at `first`
    /// and differ in the given low bits.
    fn member_between(&mut self, bits: &[Lit], set: &[u64; 4], first: usize) -> Lit {
        let has = |value: usize| set[value / 64] >> (value % 64) & 1 == 1;
        let count = 1 << bits.len();
        let whole = has(first);
        if (first..first + count).all(|value| has(value) == whole) {
            return Lit::constant(whole);
        }
        let Some((&top, below)) = bits.split_last() else {
            return Lit::constant(whole);
        };
        let low = self.member_between(below, set, first);
        let high = self.member_between(below, set, first + count / 2);
        self.mux(top, high, low)
    }

    fn bitwise(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        gate: impl Fn(&mut Gates, Lit, Lit) -> Lit,
    ) -> Word {
        let bits = a.iter().zip(b);
        bits.map(|(&a, &b)| gate(self, a, b)).collect()
    }

    fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            sum.push(self.xor(differ, carry));
            carry = self.mux(differ, carry, a);
        }
        sum
    }

    /// The difference, and whether it did not borrow: `a >= b`.
    fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
        let mut carry = TRUE;
        let mut difference = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, !b);
            difference.push(self.xor(differ, carry));
            carry = self.mux(differ, carry, a);
        }
        (difference, carry)
    }

    /// `-a` if the bit is true.
    fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        let zero = Self::word(a.len() as u32, 0);
        self.add(&flipped, &zero, condition)
    }

    /// Shifted copies of one operand, added where the other has a bit. The one with more constant
    /// zeros chooses.
    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let zeros = |word: &[Lit]| word.iter().filter(|&&bit| bit == FALSE).count();
        let (added, chooser) = if zeros(a) > zeros(b) { (b, a) } else { (a, b) };
        let width = a.len();
        let mut product = Self::word(width as u32, 0);
        for (shift, &bit) in chooser.iter().enumerate() {
            if bit == FALSE {
                continue;
            }
            let row: Word = added[..width - shift]
                .iter()
                .map(|&other| self.and(bit, other))
                .collect();
            let sum = self.add(&product[shift..], &row, FALSE);
            product.truncate(shift);
            product.extend(sum);
        }
        product
    }

    /// Quotient and remainder by long division; by zero all ones and the dividend, as SMT-LIB has
    /// it.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut quotient = vec![FALSE; width];
        // One bit more than the operands: twice the remainder may not fit.
        let divisor: Word = b.iter().copied().chain([FALSE]).collect();
        let mut remainder = vec![FALSE; width + 1];
        for index in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, a[index]);
            let (difference, fits) = self.subtract(&remainder, &divisor);
            quotient[index] = fits;
            remainder = self.choose(fits, &difference, &remainder);
        }
        remainder.truncate(width);
        (quotient, remainder)
    }

    fn divide_magnitudes(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let (a, b) = (self.negate_if(sign(a), a), self.negate_if(sign(b), b));
        self.divide(&a, &b)
    }

    /// Bits move down by the amount, `fill` comes in; amounts of the width or more leave `fill`
    /// only.
    fn shift_right(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
        let mut word = a.to_vec();
        let mut beyond = FALSE;
        for (stage, &bit) in amount.iter().enumerate() {
            let distance = 1usize.checked_shl(stage as u32).unwrap_or(usize::MAX);
            if distance >= a.len() {
                beyond = self.or(beyond, bit);
                continue;
            }
            let moved: Word = (distance..a.len() + distance)
                .map(|index| word.get(index).copied().unwrap_or(fill))
                .collect();
            word = self.choose(bit, &moved, &word);
        }
        let emptied = vec![fill; a.len()];
        self.choose(beyond, &emptied, &word)
    }

    fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut all = TRUE;
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            all = self.and(all, !differ);
        }
        all
    }

    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = FALSE;
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.mux(differ, b, less);
        }
        less
    }

    /// Unsigned order with the signs turned round.
    fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let turned = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less(&turned(a), &turned(b))
    }
}

fn sign(word: &[Lit]) -> Lit {
    word.last().copied().unwrap_or(FALSE)
}
