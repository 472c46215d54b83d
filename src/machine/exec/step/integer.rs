//! Integer operators beyond plain arithmetic: bit counting, saturation, funnel shifts, overflow.
//!
//! Invariant: each has one definition in terms of `Values`, so the concrete and the symbolic
//! meaning cannot differ. LLVM LangRef gives the meaning; widths in bits.

use super::values::Values;
use crate::memory::Value;
use homi_ir::ops;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{FunnelOp, IntUnary, MinMaxOp, OverflowOp};

impl Values<'_> {
    fn constant(&self, value: u128) -> Value {
        Value::Concrete(value)
    }

    pub fn unary(&self, op: IntUnary, width: u32, a: Value) -> Value {
        match a {
            Value::Concrete(a) => Value::Concrete(unary_concrete(op, width, a)),
            Value::Term(_) => self.unary_symbolic(op, width, a),
        }
    }

    fn unary_symbolic(&self, op: IntUnary, width: u32, a: Value) -> Value {
        match op {
            IntUnary::Ctpop => {
                let mut sum = self.constant(0);
                for bit in 0..width {
                    let one = self.zext(self.extract(a, bit, 1), width);
                    sum = self.bin(BinOp::Add, width, sum, one);
                }
                sum
            }
            // The last bit tested that is set wins, so the scan ends at the bit that counts most.
            IntUnary::Ctlz => self.scan(width, a, 0..width, |bit| width - 1 - bit),
            IntUnary::Cttz => self.scan(width, a, (0..width).rev(), |bit| bit),
            IntUnary::Bswap => {
                let mut result = self.extract(a, 0, 8);
                for byte in 1..width / 8 {
                    let next = self.extract(a, byte * 8, 8);
                    result = self.concat(result, byte * 8, next, 8);
                }
                result
            }
            IntUnary::BitReverse => {
                let mut result = self.extract(a, 0, 1);
                for bit in 1..width {
                    let next = self.extract(a, bit, 1);
                    result = self.concat(result, bit, next, 1);
                }
                result
            }
            // Undefined operands have been replaced before.
            IntUnary::Freeze => a,
            IntUnary::Abs => {
                let negative = self.cmp(CmpOp::Slt, width, a, self.constant(0));
                let negated = self.bin(BinOp::Sub, width, self.constant(0), a);
                self.select(negative, width, negated, a)
            }
        }
    }

    fn scan(
        &self,
        width: u32,
        a: Value,
        bits: impl Iterator<Item = u32>,
        count: impl Fn(u32) -> u32,
    ) -> Value {
        let mut result = self.constant(u128::from(width));
        for bit in bits {
            let set = self.extract(a, bit, 1);
            result = self.select(set, width, self.constant(u128::from(count(bit))), result);
        }
        result
    }

    /// `to` is the width of the result of a three-way comparison; else the operands' width.
    pub fn min_max(&self, op: MinMaxOp, width: u32, to: u32, a: Value, b: Value) -> Value {
        let pick = |cmp| {
            let first = self.cmp(cmp, width, a, b);
            self.select(first, width, a, b)
        };
        let all_ones = self.constant(ops::mask(width));
        match op {
            MinMaxOp::UMin => pick(CmpOp::Ult),
            MinMaxOp::UMax => pick(CmpOp::Ugt),
            MinMaxOp::SMin => pick(CmpOp::Slt),
            MinMaxOp::SMax => pick(CmpOp::Sgt),
            MinMaxOp::UAddSat => {
                let (sum, over) = self.overflow(OverflowOp::UAdd, width, a, b);
                self.select(over, width, all_ones, sum)
            }
            MinMaxOp::USubSat => {
                let (difference, over) = self.overflow(OverflowOp::USub, width, a, b);
                self.select(over, width, self.constant(0), difference)
            }
            MinMaxOp::SAddSat | MinMaxOp::SSubSat => {
                let op = if op == MinMaxOp::SAddSat {
                    OverflowOp::SAdd
                } else {
                    OverflowOp::SSub
                };
                let (result, over) = self.overflow(op, width, a, b);
                self.select(over, width, self.signed_limit(width, a), result)
            }
            MinMaxOp::UShlSat => {
                let shifted = self.bin(BinOp::Shl, width, a, b);
                let back = self.bin(BinOp::LShr, width, shifted, b);
                let same = self.cmp(CmpOp::Eq, width, back, a);
                self.select(same, width, shifted, all_ones)
            }
            MinMaxOp::SShlSat => {
                let shifted = self.bin(BinOp::Shl, width, a, b);
                let back = self.bin(BinOp::AShr, width, shifted, b);
                let same = self.cmp(CmpOp::Eq, width, back, a);
                self.select(same, width, shifted, self.signed_limit(width, a))
            }
            MinMaxOp::UCmp | MinMaxOp::SCmp => {
                let (less, greater) = if op == MinMaxOp::UCmp {
                    (CmpOp::Ult, CmpOp::Ugt)
                } else {
                    (CmpOp::Slt, CmpOp::Sgt)
                };
                let less = self.cmp(less, width, a, b);
                let greater = self.zext(self.cmp(greater, width, a, b), to);
                self.select(less, to, self.constant(ops::mask(to)), greater)
            }
        }
    }

    /// The signed minimum if `a` is negative, else the maximum.
    fn signed_limit(&self, width: u32, a: Value) -> Value {
        let negative = self.cmp(CmpOp::Slt, width, a, self.constant(0));
        let minimum = 1u128 << (width - 1);
        self.select(
            negative,
            width,
            self.constant(minimum),
            self.constant(minimum - 1),
        )
    }

    /// The middle `width` bits of `high:low` shifted by `shift` modulo the width.
    pub fn funnel(&self, op: FunnelOp, width: u32, high: Value, low: Value, shift: Value) -> Value {
        let bits = self.constant(u128::from(width));
        let shift = self.bin(BinOp::URem, width, shift, bits);
        // Shifts by the whole width give 0 (`ops`), which is right for the other half.
        let rest = self.bin(BinOp::Sub, width, bits, shift);
        let (left, right) = match op {
            FunnelOp::Left => (shift, rest),
            FunnelOp::Right => (rest, shift),
        };
        let upper = self.bin(BinOp::Shl, width, high, left);
        let lower = self.bin(BinOp::LShr, width, low, right);
        self.bin(BinOp::Or, width, upper, lower)
    }

    /// Returns whether the processor traps at a signed division because the quotient of the least
    /// number and -1 does not fit: 1 bit. Other widths are divided in wider registers or by a
    /// function.
    pub fn quotient_overflows(&self, op: BinOp, width: u32, a: Value, b: Value) -> Value {
        if !ops::division_traps(op, width) {
            return self.constant(0);
        }
        let by_minus_one = self.cmp(CmpOp::Eq, width, b, self.constant(ops::mask(width)));
        if by_minus_one == self.constant(0) {
            return by_minus_one;
        }
        let least = self.cmp(CmpOp::Eq, width, a, self.constant(1 << (width - 1)));
        self.bin(BinOp::And, 1, least, by_minus_one)
    }

    /// The result modulo 2^width, and 1 bit that tells whether it is not the exact one.
    pub fn overflow(&self, op: OverflowOp, width: u32, a: Value, b: Value) -> (Value, Value) {
        let zero = self.constant(0);
        let sign = |value| self.cmp(CmpOp::Slt, width, value, zero);
        match op {
            OverflowOp::UAdd => {
                let sum = self.bin(BinOp::Add, width, a, b);
                (sum, self.cmp(CmpOp::Ult, width, sum, a))
            }
            OverflowOp::USub => {
                let difference = self.bin(BinOp::Sub, width, a, b);
                (difference, self.cmp(CmpOp::Ult, width, a, b))
            }
            OverflowOp::SAdd => {
                // Operands of one sign, a result of the other.
                let sum = self.bin(BinOp::Add, width, a, b);
                let one = self.bin(BinOp::Xor, width, a, sum);
                let other = self.bin(BinOp::Xor, width, b, sum);
                (sum, sign(self.bin(BinOp::And, width, one, other)))
            }
            OverflowOp::SSub => {
                let difference = self.bin(BinOp::Sub, width, a, b);
                let one = self.bin(BinOp::Xor, width, a, b);
                let other = self.bin(BinOp::Xor, width, a, difference);
                (difference, sign(self.bin(BinOp::And, width, one, other)))
            }
            OverflowOp::UMul | OverflowOp::SMul => {
                self.multiply_overflow(op == OverflowOp::SMul, width, a, b)
            }
        }
    }

    /// Returns whether a promise (a sum of `ops::NO_SIGNED_WRAP` and others) about `result = a op
    /// b` is broken: 1 bit.
    pub fn breaks_promise(
        &self,
        (op, promises): (BinOp, u8),
        width: u32,
        (a, b): (Value, Value),
        result: Value,
    ) -> Value {
        let promised = |promise| promises & promise != 0;
        if promised(ops::NON_NEGATIVE) {
            let rest = promises & !ops::NON_NEGATIVE;
            let broken = self.breaks_promise((op, rest), width, (a, b), result);
            let negative = self.cmp(CmpOp::Slt, width, result, self.constant(0));
            return self.bin(BinOp::Or, 1, broken, negative);
        }
        if promised(ops::NOT_ZERO) {
            let rest = promises & !ops::NOT_ZERO;
            let broken = self.breaks_promise((op, rest), width, (a, b), result);
            let zero = self.cmp(CmpOp::Eq, width, result, self.constant(0));
            return self.bin(BinOp::Or, 1, broken, zero);
        }
        let overflows = |op| self.overflow(op, width, a, b).1;
        let is_undone_by = |op| {
            let back = self.bin(op, width, result, b);
            self.cmp(CmpOp::Ne, width, back, a)
        };
        let (is_signed, is_unsigned): (&dyn Fn() -> Value, &dyn Fn() -> Value) = match op {
            BinOp::Add => (&|| overflows(OverflowOp::SAdd), &|| {
                overflows(OverflowOp::UAdd)
            }),
            BinOp::Sub => (&|| overflows(OverflowOp::SSub), &|| {
                overflows(OverflowOp::USub)
            }),
            BinOp::Mul => (&|| overflows(OverflowOp::SMul), &|| {
                overflows(OverflowOp::UMul)
            }),
            BinOp::Shl => (&|| is_undone_by(BinOp::AShr), &|| is_undone_by(BinOp::LShr)),
            BinOp::UDiv | BinOp::SDiv if promised(ops::EXACT) => return is_undone_by(BinOp::Mul),
            BinOp::LShr | BinOp::AShr if promised(ops::EXACT) => return is_undone_by(BinOp::Shl),
            BinOp::Or if promised(ops::DISJOINT) => {
                let common = self.bin(BinOp::And, width, a, b);
                return self.cmp(CmpOp::Ne, width, common, self.constant(0));
            }
            _ => return self.constant(0),
        };
        let mut broken = self.constant(0);
        for (promise, check) in [
            (ops::NO_SIGNED_WRAP, is_signed),
            (ops::NO_UNSIGNED_WRAP, is_unsigned),
        ] {
            if promised(promise) {
                broken = self.bin(BinOp::Or, 1, broken, check());
            }
        }
        broken
    }

    /// Returns whether `a * factor` overflows, as bounds on `a`: this spares the solver a wide
    /// multiplication.
    fn scaling_overflows(&self, is_signed: bool, width: u32, a: Value, factor: u128) -> Value {
        let beyond = |op, bound: i128| {
            let bound = self.constant(bound as u128 & ops::mask(width));
            self.cmp(op, width, a, bound)
        };
        if factor == 0 {
            return self.constant(0);
        }
        if !is_signed {
            return beyond(CmpOp::Ugt, (ops::mask(width) / factor) as i128);
        }
        let minimum = ops::signed(width, 1 << (width - 1));
        let maximum = !minimum;
        let factor = ops::signed(width, factor);
        if factor == -1 {
            return beyond(CmpOp::Eq, minimum);
        }
        let (low, high) = if factor > 0 {
            (minimum / factor, maximum / factor)
        } else {
            (maximum / factor, minimum / factor)
        };
        let below = beyond(CmpOp::Slt, low);
        let above = beyond(CmpOp::Sgt, high);
        self.bin(BinOp::Or, 1, below, above)
    }

    /// Returns whether the product of two 64-bit values overflows, without wider terms: the larger
    /// magnitude is above the limit divided by the other one. A quotient by zero is all ones, which
    /// nothing exceeds.
    fn product_overflows(&self, is_signed: bool, a: Value, b: Value) -> Value {
        let width = 64;
        let zero = self.constant(0);
        let (a, b, limit) = if is_signed {
            let negative = |value| self.cmp(CmpOp::Slt, width, value, zero);
            let (a_negative, b_negative) = (negative(a), negative(b));
            let magnitude = |value, negative| {
                let negated = self.bin(BinOp::Sub, width, zero, value);
                self.select(negative, width, negated, value)
            };
            let differ = self.bin(BinOp::Xor, 1, a_negative, b_negative);
            let most = self.constant(1 << 63);
            let limit = self.select(differ, width, most, self.constant((1 << 63) - 1));
            (magnitude(a, a_negative), magnitude(b, b_negative), limit)
        } else {
            (a, b, self.constant(ops::mask(width)))
        };
        let most = self.bin(BinOp::UDiv, width, limit, a);
        self.cmp(CmpOp::Ugt, width, b, most)
    }

    fn multiply_overflow(&self, is_signed: bool, width: u32, a: Value, b: Value) -> (Value, Value) {
        let product = self.bin(BinOp::Mul, width, a, b);
        match (a, b) {
            (Value::Concrete(factor), Value::Term(_)) => {
                return (product, self.scaling_overflows(is_signed, width, b, factor));
            }
            (Value::Term(_), Value::Concrete(factor)) => {
                return (product, self.scaling_overflows(is_signed, width, a, factor));
            }
            _ => {}
        }
        if width == 64 && !(matches!((a, b), (Value::Concrete(_), Value::Concrete(_)))) {
            return (product, self.product_overflows(is_signed, a, b));
        }
        if width <= 64 {
            // The exact product fits in twice the width.
            let wide = width * 2;
            let extend = |value| {
                if is_signed {
                    self.sext(width, value, wide)
                } else {
                    self.zext(value, wide)
                }
            };
            let exact = self.bin(BinOp::Mul, wide, extend(a), extend(b));
            let over = self.cmp(CmpOp::Ne, wide, exact, extend(product));
            return (product, over);
        }
        if let (Value::Concrete(a), Value::Concrete(b)) = (a, b) {
            let over = if is_signed {
                let exact = ops::signed(width, a).checked_mul(ops::signed(width, b));
                exact.is_none_or(|exact| {
                    ops::signed(width, exact as u128 & ops::mask(width)) != exact
                })
            } else {
                a.checked_mul(b)
                    .is_none_or(|exact| exact > ops::mask(width))
            };
            return (product, Value::Concrete(u128::from(over)));
        }
        // Without wider terms: the product overflowed if dividing it does not give the operand
        // back.
        let zero = self.constant(0);
        let nonzero = self.cmp(CmpOp::Ne, width, a, zero);
        let over = if is_signed {
            let quotient = self.bin(BinOp::SDiv, width, product, a);
            let differs = self.cmp(CmpOp::Ne, width, quotient, b);
            let minus_one = self.cmp(CmpOp::Eq, width, a, self.constant(ops::mask(width)));
            let minimum = self.constant(1 << (width - 1));
            let minimum = self.cmp(CmpOp::Eq, width, b, minimum);
            let edge = self.bin(BinOp::And, 1, minus_one, minimum);
            self.bin(BinOp::Or, 1, differs, edge)
        } else {
            let quotient = self.bin(BinOp::UDiv, width, product, a);
            self.cmp(CmpOp::Ne, width, quotient, b)
        };
        (product, self.bin(BinOp::And, 1, nonzero, over))
    }
}

fn unary_concrete(op: IntUnary, width: u32, a: u128) -> u128 {
    match op {
        IntUnary::Ctpop => u128::from(a.count_ones()),
        IntUnary::Ctlz => u128::from(a.leading_zeros() - (128 - width)),
        IntUnary::Cttz => u128::from(a.trailing_zeros().min(width)),
        IntUnary::Bswap => a.swap_bytes() >> (128 - width),
        IntUnary::BitReverse => a.reverse_bits() >> (128 - width),
        IntUnary::Freeze => a,
        IntUnary::Abs => ops::signed(width, a).unsigned_abs() & ops::mask(width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_solver::term::Terms;

    fn concrete(value: Value) -> u128 {
        match value {
            Value::Concrete(value) => value,
            Value::Term(_) => panic!("not concrete"),
        }
    }

    #[test]
    fn eight_bit_operators_agree_with_rust() {
        let terms = Terms::new();
        let values = Values::new(&terms);
        let v = |x: u8| Value::Concrete(u128::from(x));
        for a in 0..=255u8 {
            for b in [0u8, 1, 2, 3, 7, 8, 9, 100, 127, 128, 129, 254, 255] {
                let min_max = |op| concrete(values.min_max(op, 8, 8, v(a), v(b))) as u8;
                let (x, y) = (a as i8, b as i8);
                assert_eq!(min_max(MinMaxOp::SAddSat), x.saturating_add(y) as u8);
                assert_eq!(min_max(MinMaxOp::SSubSat), x.saturating_sub(y) as u8);
                assert_eq!(min_max(MinMaxOp::UAddSat), a.saturating_add(b));
                assert_eq!(min_max(MinMaxOp::USubSat), a.saturating_sub(b));
                assert_eq!(min_max(MinMaxOp::SMin), x.min(y) as u8);
                assert_eq!(min_max(MinMaxOp::UMax), a.max(b));
                let over = |op| {
                    let (result, over) = values.overflow(op, 8, v(a), v(b));
                    (concrete(result) as u8, concrete(over) != 0)
                };
                assert_eq!(over(OverflowOp::UAdd), a.overflowing_add(b));
                assert_eq!(over(OverflowOp::USub), a.overflowing_sub(b));
                assert_eq!(over(OverflowOp::UMul), a.overflowing_mul(b));
                let as_u8 = |(r, o): (i8, bool)| (r as u8, o);
                assert_eq!(over(OverflowOp::SAdd), as_u8(x.overflowing_add(y)));
                assert_eq!(over(OverflowOp::SSub), as_u8(x.overflowing_sub(y)));
                assert_eq!(over(OverflowOp::SMul), as_u8(x.overflowing_mul(y)));
                let funnel = |op| concrete(values.funnel(op, 8, v(a), v(b), v(b))) as u8;
                let both = u16::from(a) << 8 | u16::from(b);
                assert_eq!(funnel(FunnelOp::Left), ((both << (b % 8)) >> 8) as u8);
                assert_eq!(funnel(FunnelOp::Right), (both >> (b % 8)) as u8);
            }
            let unary = |op| concrete(values.unary(op, 8, v(a))) as u32;
            assert_eq!(unary(IntUnary::Ctpop), a.count_ones());
            assert_eq!(unary(IntUnary::Ctlz), a.leading_zeros());
            assert_eq!(unary(IntUnary::Cttz), a.trailing_zeros());
            assert_eq!(unary(IntUnary::BitReverse), u32::from(a.reverse_bits()));
            assert_eq!(unary(IntUnary::Abs), u32::from((a as i8).unsigned_abs()));
        }
    }

    #[test]
    fn broken_promises_are_those_that_do_not_hold() {
        let terms = Terms::new();
        let values = Values::new(&terms);
        let array = terms.array("x", 0, 2);
        let symbol = |index| Value::Term(terms.symbol(homi_solver::term::Byte { array, index }));
        let operators = [
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::Shl,
            BinOp::LShr,
            BinOp::AShr,
            BinOp::UDiv,
            BinOp::SDiv,
            BinOp::Or,
            BinOp::Xor,
        ];
        for op in operators {
            for promises in 0..64u8 {
                let broken = |a, b| {
                    let result = values.bin(op, 8, a, b);
                    values.breaks_promise((op, promises), 8, (a, b), result)
                };
                let symbolic = broken(symbol(0), symbol(1));
                for (a, b) in [
                    (0u8, 1u8),
                    (255, 1),
                    (128, 255),
                    (127, 2),
                    (6, 3),
                    (200, 7),
                    (64, 1),
                    (5, 2),
                ] {
                    let mut model = homi_solver::term::Model::new();
                    model.set(homi_solver::term::Byte { array, index: 0 }, a);
                    model.set(homi_solver::term::Byte { array, index: 1 }, b);
                    let (x, y) = (u128::from(a), u128::from(b));
                    let holds = ops::promises_hold(op, promises, 8, x, y);
                    let is_broken = match symbolic {
                        Value::Concrete(value) => value,
                        Value::Term(term) => terms.eval(term, &model),
                    };
                    assert_eq!(is_broken == 0, holds, "{op:?} {promises} {a} {b}");
                    let known = broken(Value::Concrete(x), Value::Concrete(y));
                    assert_eq!(concrete(known) == 0, holds, "{op:?} {promises} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn symbolic_forms_evaluate_to_the_concrete_ones() {
        let terms = Terms::new();
        let values = Values::new(&terms);
        let array = terms.array("x", 0, 2);
        let symbol = |index| Value::Term(terms.symbol(homi_solver::term::Byte { array, index }));
        let (x, y) = (symbol(0), symbol(1));
        for (a, b) in [
            (0u8, 0u8),
            (1, 255),
            (128, 127),
            (200, 9),
            (255, 255),
            (16, 3),
            (127, 1),
        ] {
            let mut model = homi_solver::term::Model::new();
            model.set(homi_solver::term::Byte { array, index: 0 }, a);
            model.set(homi_solver::term::Byte { array, index: 1 }, b);
            let eval = |value| match value {
                Value::Concrete(value) => value,
                Value::Term(term) => terms.eval(term, &model),
            };
            let (ca, cb) = (
                Value::Concrete(u128::from(a)),
                Value::Concrete(u128::from(b)),
            );
            for op in [
                IntUnary::Ctpop,
                IntUnary::Ctlz,
                IntUnary::Cttz,
                IntUnary::Bswap,
                IntUnary::BitReverse,
                IntUnary::Abs,
            ] {
                assert_eq!(
                    eval(values.unary(op, 8, x)),
                    concrete(values.unary(op, 8, ca)),
                    "{op:?} {a}"
                );
            }
            for op in [
                OverflowOp::UAdd,
                OverflowOp::SAdd,
                OverflowOp::USub,
                OverflowOp::SSub,
                OverflowOp::UMul,
                OverflowOp::SMul,
            ] {
                let (result, over) = values.overflow(op, 8, x, y);
                let (expected, expected_over) = values.overflow(op, 8, ca, cb);
                assert_eq!(eval(result), concrete(expected), "{op:?} {a} {b}");
                assert_eq!(eval(over), concrete(expected_over), "{op:?} {a} {b}");
            }
            for op in [OverflowOp::UMul, OverflowOp::SMul] {
                for factor in [0u128, 1, 2, 3, 10, 127, 128, 129, 253, 255] {
                    let factor = Value::Concrete(factor);
                    let (result, over) = values.overflow(op, 8, x, factor);
                    let (expected, expected_over) = values.overflow(op, 8, ca, factor);
                    assert_eq!(eval(result), concrete(expected), "{op:?} {a} {factor:?}");
                    assert_eq!(eval(over), concrete(expected_over), "{op:?} {a} {factor:?}");
                    let (_, swapped) = values.overflow(op, 8, factor, x);
                    assert_eq!(
                        eval(swapped),
                        concrete(expected_over),
                        "{op:?} {factor:?} {a}"
                    );
                }
            }
        }
    }

    #[test]
    fn wide_multiplication_knows_its_overflow() {
        let terms = Terms::new();
        let values = Values::new(&terms);
        let over = |op, width, a: u128, b: u128| {
            let (_, over) = values.overflow(op, width, Value::Concrete(a), Value::Concrete(b));
            concrete(over) != 0
        };
        assert!(over(OverflowOp::UMul, 65, 1 << 64, 2));
        assert!(!over(OverflowOp::UMul, 65, 1 << 63, 2));
        assert!(over(OverflowOp::SMul, 128, i128::MIN as u128, u128::MAX));
        assert!(!over(OverflowOp::SMul, 128, u128::MAX, u128::MAX));
    }
}
