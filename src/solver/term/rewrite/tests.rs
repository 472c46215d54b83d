//! One line per rule: the term that is built and what it becomes. Both sides are built by the
//! constructors; the rule has not fired if they differ. That both mean the same is what `fuzz`
//! checks.

use crate::term::{Byte, Node, Term, Terms};
use homi_ir::ops::BinOp::*;
use homi_ir::ops::CmpOp::*;

/// Short names for building terms.
struct Builder {
    t: Terms,
}

impl Builder {
    fn new() -> Builder {
        Builder { t: Terms::new() }
    }

    /// Symbolic byte `index`.
    fn b(&self, index: u32) -> Term {
        let array = self.t.array("b", 0, 16);
        self.t.symbol(Byte { array, index })
    }

    /// A 32-bit term that no extension, extraction or concatenation rule sees through.
    fn x(&self, index: u32) -> Term {
        let wide = self.t.zext(self.b(index), 32);
        let square = self.t.bin(Mul, wide, wide);
        self.t.bin(Mul, square, square)
    }

    /// A 32-bit term that no extension, extraction or concatenation rule sees through, with values
    /// that are far from wrapping when added.
    fn n(&self, index: u32) -> Term {
        let wide = self.t.zext(self.b(index), 32);
        self.t.bin(Mul, wide, wide)
    }

    fn c(&self, value: u128) -> Term {
        self.t.constant(32, value)
    }

    fn c8(&self, value: u128) -> Term {
        self.t.constant(8, value)
    }

    fn z(&self, term: Term) -> Term {
        self.t.zext(term, 32)
    }

    fn s(&self, term: Term) -> Term {
        self.t.sext(term, 32)
    }

    /// A condition on byte `index`.
    fn p(&self, index: u32) -> Term {
        self.t.cmp(Ult, self.b(index), self.c8(77))
    }
}

macro_rules! rule {
    ($name:ident, |$b:ident| $built:expr => $expected:expr) => {
        #[test]
        fn $name() {
            let $b = Builder::new();
            let (built, expected) = ($built, $expected);
            assert_eq!(
                built,
                expected,
                "{:?} instead of {:?}",
                $b.t.node(built),
                $b.t.node(expected)
            );
        }
    };
}

rule!(add_zero, |k| k.t.bin(Add, k.x(0), k.c(0)) => k.x(0));
rule!(add_constant_chain, |k| k.t.bin(Add, k.t.bin(Add, k.x(0), k.c(3)), k.c(4))
    => k.t.bin(Add, k.x(0), k.c(7)));
rule!(add_constant_chain_sub, |k| k.t.bin(Add, k.t.bin(Sub, k.c(3), k.x(0)), k.c(4))
    => k.t.bin(Sub, k.c(7), k.x(0)));
rule!(add_constant_outwards, |k| k.t.bin(Add, k.t.bin(Add, k.x(0), k.c(3)), k.x(1))
    => k.t.bin(Add, k.t.bin(Add, k.x(0), k.x(1)), k.c(3)));
rule!(add_cancels_sub, |k| k.t.bin(Add, k.x(0), k.t.bin(Sub, k.x(1), k.x(0))) => k.x(1));
rule!(add_negated, |k| k.t.bin(Add, k.x(0), k.t.neg(k.x(1))) => k.t.bin(Sub, k.x(0), k.x(1)));
rule!(add_without_overlap, |k| k.t.bin(Add, k.t.bin(Shl, k.z(k.b(0)), k.c(8)), k.z(k.b(1)))
    => k.z(k.t.concat(k.b(0), k.b(1))));
rule!(add_to_constant_high_part, |k|
    k.t.bin(Add, k.t.concat(k.t.constant(24, 5), k.b(0)), k.c(0u128.wrapping_sub(0x500)))
    => k.z(k.b(0)));
rule!(add_to_other_high_part, |k| k.t.bin(Add, k.t.concat(k.t.constant(24, 5), k.b(0)), k.c(0x100))
    => k.t.concat(k.t.constant(24, 6), k.b(0)));
rule!(sub_self, |k| k.t.bin(Sub, k.x(0), k.x(0)) => k.c(0));
rule!(sub_constant, |k| k.t.bin(Sub, k.x(0), k.c(1)) => k.t.bin(Add, k.x(0), k.c(u128::MAX)));
rule!(sub_zero_extended_bool, |k| k.t.neg(k.z(k.p(0))) => k.s(k.p(0)));
rule!(sub_cancels_add, |k| k.t.bin(Sub, k.t.bin(Add, k.x(0), k.x(1)), k.x(0)) => k.x(1));
rule!(sub_cancels_added, |k| k.t.bin(Sub, k.x(0), k.t.bin(Add, k.x(0), k.x(1))) => k.t.neg(k.x(1)));
rule!(sub_constant_outwards, |k| k.t.bin(Sub, k.x(1), k.t.bin(Add, k.x(0), k.c(5)))
    => k.t.bin(Sub, k.t.bin(Sub, k.x(1), k.x(0)), k.c(5)));
rule!(mul_zero, |k| k.t.bin(Mul, k.x(0), k.c(0)) => k.c(0));
rule!(mul_one, |k| k.t.bin(Mul, k.x(0), k.c(1)) => k.x(0));
rule!(mul_constant_chain, |k| k.t.bin(Mul, k.t.bin(Mul, k.x(0), k.c(5)), k.c(7))
    => k.t.bin(Mul, k.x(0), k.c(35)));
rule!(mul_power_of_two, |k| k.t.bin(Mul, k.x(0), k.c(8)) => k.t.bin(Shl, k.x(0), k.c(3)));
rule!(div_one, |k| k.t.bin(SDiv, k.x(0), k.c(1)) => k.x(0));
rule!(rem_one, |k| k.t.bin(SRem, k.x(0), k.c(1)) => k.c(0));
rule!(rem_of_zero, |k| k.t.bin(SRem, k.c(0), k.x(0)) => k.c(0));
rule!(rem_of_itself, |k| k.t.bin(URem, k.x(0), k.x(0)) => k.c(0));
rule!(urem_of_sum, |k| k.t.bin(URem, k.t.bin(Add, k.n(0), k.n(1)), k.n(1))
    => k.t.bin(URem, k.n(0), k.n(1)));
rule!(urem_of_sum_and_constant, |k|
    k.t.bin(URem, k.t.bin(Add, k.t.bin(Add, k.n(0), k.n(1)), k.c(7)), k.n(1))
    => k.t.bin(URem, k.t.bin(Add, k.n(0), k.c(7)), k.n(1)));
rule!(urem_of_multiple, |k|
    k.t.bin(
        URem,
        k.t.bin(Add, k.c(17), k.t.bin(Sub, k.n(0), k.t.bin(URem, k.c(17), k.n(0)))),
        k.n(0)
    )
    => k.c(0));
rule!(udiv_power_of_two, |k| k.t.bin(UDiv, k.x(0), k.c(16)) => k.t.bin(LShr, k.x(0), k.c(4)));
rule!(urem_power_of_two, |k| k.t.bin(URem, k.x(0), k.c(16)) => k.t.bin(And, k.x(0), k.c(15)));
rule!(udiv_small_dividend, |k| k.t.bin(UDiv, k.z(k.b(0)), k.c(300)) => k.c(0));
rule!(urem_small_dividend, |k| k.t.bin(URem, k.z(k.b(0)), k.c(300)) => k.z(k.b(0)));
rule!(udiv_narrow, |k| k.t.bin(UDiv, k.z(k.b(0)), k.c(10)) => k.z(k.t.bin(UDiv, k.b(0), k.c8(10))));
rule!(urem_narrow, |k| k.t.bin(URem, k.z(k.b(0)), k.c(10)) => k.z(k.t.bin(URem, k.b(0), k.c8(10))));
rule!(sdiv_nonnegative, |k| k.t.bin(SDiv, k.z(k.b(0)), k.c(10))
    => k.t.bin(UDiv, k.z(k.b(0)), k.c(10)));
rule!(srem_nonnegative, |k| k.t.bin(SRem, k.z(k.b(0)), k.c(10))
    => k.t.bin(URem, k.z(k.b(0)), k.c(10)));
rule!(shift_zero, |k| k.t.bin(AShr, k.x(0), k.c(0)) => k.x(0));
rule!(shl_constant, |k| k.t.bin(Shl, k.x(0), k.c(8))
    => k.t.concat(k.t.extract(k.x(0), 0, 24), k.c8(0)));
rule!(shl_too_far, |k| k.t.bin(Shl, k.x(0), k.c(32)) => k.c(0));
rule!(lshr_constant, |k| k.t.bin(LShr, k.x(0), k.c(8)) => k.z(k.t.extract(k.x(0), 8, 24)));
rule!(ashr_constant, |k| k.t.bin(AShr, k.x(0), k.c(40)) => k.s(k.t.extract(k.x(0), 31, 1)));

rule!(and_zero, |k| k.t.bin(And, k.x(0), k.c(0)) => k.c(0));
rule!(and_ones, |k| k.t.bin(And, k.x(0), k.c(u128::MAX)) => k.x(0));
rule!(or_zero, |k| k.t.bin(Or, k.x(0), k.c(0)) => k.x(0));
rule!(or_ones, |k| k.t.bin(Or, k.x(0), k.c(u128::MAX)) => k.c(u128::MAX));
rule!(xor_zero, |k| k.t.bin(Xor, k.x(0), k.c(0)) => k.x(0));
rule!(same_operand, |k| k.t.bin(Or, k.x(0), k.x(0)) => k.x(0));
rule!(xor_self, |k| k.t.bin(Xor, k.x(0), k.x(0)) => k.c(0));
rule!(xor_ones, |k| k.t.bin(Xor, k.x(0), k.c(u128::MAX)) => k.t.not(k.x(0)));
rule!(and_opposite, |k| k.t.and(k.p(0), k.t.not(k.p(0))) => k.t.bool(false));
rule!(or_opposite, |k| k.t.bin(Or, k.x(0), k.t.not(k.x(0))) => k.c(u128::MAX));
rule!(constant_chain_and, |k| k.t.bin(And, k.t.bin(And, k.x(0), k.c(0xf5)), k.c(0x3f5))
    => k.t.bin(And, k.x(0), k.c(0xf5)));
rule!(constant_chain_or, |k| k.t.bin(Or, k.t.bin(Or, k.x(0), k.c(5)), k.c(8))
    => k.t.bin(Or, k.x(0), k.c(13)));
rule!(constant_chain_xor, |k| k.t.bin(Xor, k.t.bin(Xor, k.x(0), k.c(5)), k.c(5)) => k.x(0));
rule!(absorb_and, |k| k.t.and(k.p(0), k.t.or(k.p(0), k.p(1))) => k.p(0));
rule!(absorb_or, |k| k.t.or(k.p(0), k.t.or(k.p(0), k.p(1))) => k.t.or(k.p(0), k.p(1)));
rule!(and_same_comparison, |k| k.t.and(k.t.eq_const(k.b(0), 1), k.t.eq_const(k.b(0), 2))
    => k.t.bool(false));
rule!(and_implied_comparison, |k| k.t.and(k.t.eq_const(k.b(0), 1), k.t.not(k.t.eq_const(k.b(0), 2)))
    => k.t.eq_const(k.b(0), 1));
rule!(contiguous_mask, |k| k.t.bin(And, k.x(0), k.c(0xff00))
    => k.z(k.t.concat(k.t.extract(k.x(0), 8, 8), k.c8(0))));
rule!(split_and, |k| k.t.bin(And, k.z(k.b(0)), k.c(0xfff5))
    => k.z(k.t.bin(And, k.b(0), k.c8(0xf5))));
rule!(split_or, |k| k.t.bin(Or, k.z(k.b(0)), k.z(k.b(1))) => k.z(k.t.bin(Or, k.b(0), k.b(1))));
rule!(split_xor, |k| k.t.bin(Xor, k.t.concat(k.b(0), k.b(1)), k.t.concat(k.b(2), k.b(3)))
    => k.t.concat(k.t.bin(Xor, k.b(0), k.b(2)), k.t.bin(Xor, k.b(1), k.b(3))));
rule!(not_not, |k| k.t.not(k.t.not(k.x(0))) => k.x(0));
rule!(not_compare, |k| k.t.not(k.t.cmp(Slt, k.x(0), k.x(1))) => k.t.cmp(Sle, k.x(1), k.x(0)));
rule!(not_condition, |k| k.t.not(k.t.and(k.p(0), k.p(1)))
    => k.t.or(k.t.not(k.p(0)), k.t.not(k.p(1))));
rule!(not_ite, |k| k.t.not(k.t.ite(k.p(0), k.c(5), k.x(1)))
    => k.t.ite(k.p(0), k.t.not(k.c(5)), k.t.not(k.x(1))));

rule!(same_operands, |k| k.t.cmp(Sle, k.x(0), k.x(0)) => k.t.bool(true));
rule!(decided_by_bounds, |k| k.t.cmp(Ult, k.z(k.b(0)), k.c(256)) => k.t.bool(true));
rule!(decided_by_bounds_signed, |k| k.t.cmp(Slt, k.z(k.b(0)), k.c(u128::MAX)) => k.t.bool(false));
rule!(equal_bool, |k| k.t.eq(k.p(0), k.t.bool(false)) => k.t.not(k.p(0)));
rule!(equal_offset_add, |k| k.t.eq_const(k.t.bin(Add, k.x(0), k.c(5)), 7)
    => k.t.eq_const(k.x(0), 2));
rule!(equal_offset_sub, |k| k.t.eq_const(k.t.bin(Sub, k.c(9), k.x(0)), 7)
    => k.t.eq_const(k.x(0), 2));
rule!(equal_offset_xor, |k| k.t.eq_const(k.t.bin(Xor, k.x(0), k.c(5)), 7)
    => k.t.eq_const(k.x(0), 2));
rule!(equal_offset_not, |k| k.t.eq_const(k.t.not(k.x(0)), 0) => k.t.eq_const(k.x(0), u128::MAX));
rule!(equal_offset_both, |k| k.t.eq(k.t.bin(Add, k.x(0), k.c(5)), k.t.bin(Add, k.x(1), k.c(5)))
    => k.t.eq(k.x(0), k.x(1)));
rule!(equal_zext, |k| k.t.eq_const(k.z(k.b(0)), 65) => k.t.eq_const(k.b(0), 65));
rule!(equal_zext_both, |k| k.t.eq(k.z(k.b(0)), k.z(k.b(1))) => k.t.eq(k.b(0), k.b(1)));
rule!(equal_sext, |k| k.t.eq_const(k.s(k.b(0)), 0xffff_ff80) => k.t.eq_const(k.b(0), 0x80));
rule!(equal_sext_impossible, |k| k.t.eq_const(k.s(k.b(0)), 0x80) => k.t.bool(false));
rule!(equal_sext_both, |k| k.t.eq(k.s(k.b(0)), k.s(k.b(1))) => k.t.eq(k.b(0), k.b(1)));
rule!(equal_concat, |k| k.t.eq_const(k.t.concat(k.b(0), k.b(1)), 0x102)
    => k.t.and(k.t.eq_const(k.b(0), 1), k.t.eq_const(k.b(1), 2)));
rule!(equal_ite, |k| k.t.eq_const(k.t.ite(k.p(0), k.c(5), k.x(1)), 5)
    => k.t.or(k.p(0), k.t.eq_const(k.x(1), 5)));
rule!(equal_ite_other, |k| k.t.eq_const(k.t.ite(k.p(0), k.c(5), k.x(1)), 6)
    => k.t.and(k.t.not(k.p(0)), k.t.eq_const(k.x(1), 6)));
rule!(equal_or_zero, |k| k.t.eq_const(k.t.bin(Or, k.x(0), k.x(1)), 0)
    => k.t.and(k.t.eq_const(k.x(0), 0), k.t.eq_const(k.x(1), 0)));
rule!(equal_difference, |k| k.t.eq_const(k.t.bin(Sub, k.x(0), k.x(1)), 0)
    => k.t.eq(k.x(0), k.x(1)));
rule!(strict_constant, |k| k.t.cmp(Ule, k.x(0), k.c(6)) => k.t.cmp(Ult, k.x(0), k.c(7)));
rule!(edge_constant_least, |k| k.t.cmp(Ult, k.x(0), k.c(1)) => k.t.eq_const(k.x(0), 0));
rule!(edge_constant_not_least, |k| k.t.cmp(Ult, k.c(0), k.x(0))
    => k.t.not(k.t.eq_const(k.x(0), 0)));
rule!(edge_constant_greatest, |k| k.t.cmp(Slt, k.x(0), k.c(0x7fff_ffff))
    => k.t.not(k.t.eq_const(k.x(0), 0x7fff_ffff)));
rule!(signed_as_unsigned, |k| k.t.cmp(Slt, k.z(k.b(0)), k.t.bin(URem, k.x(0), k.c(100)))
    => k.t.cmp(Ult, k.z(k.b(0)), k.t.bin(URem, k.x(0), k.c(100))));
rule!(both_zext, |k| k.t.cmp(Ult, k.z(k.b(0)), k.z(k.b(1))) => k.t.cmp(Ult, k.b(0), k.b(1)));
rule!(both_sext, |k| k.t.cmp(Slt, k.s(k.b(0)), k.s(k.b(1))) => k.t.cmp(Slt, k.b(0), k.b(1)));
rule!(zext_and_constant, |k| k.t.cmp(Ult, k.z(k.b(0)), k.c(10)) => k.t.cmp(Ult, k.b(0), k.c8(10)));
rule!(offset_and_constant, |k| k.t.cmp(Ult, k.t.bin(Add, k.n(0), k.c(5)), k.c(12))
    => k.t.cmp(Ult, k.n(0), k.c(7)));
rule!(constant_and_offset_signed, |k|
    k.t.cmp(Slt, k.c(1), k.t.bin(Add, k.n(0), k.c(0u128.wrapping_sub(8))))
    => k.t.cmp(Ult, k.c(9), k.n(0)));
rule!(offset_beyond_constant, |k|
    k.t.cmp(Slt, k.t.bin(Add, k.n(0), k.c(5)), k.c(0u128.wrapping_sub(70000)))
    => k.t.bool(false));
rule!(sext_and_constant, |k| k.t.cmp(Slt, k.s(k.b(0)), k.c(10)) => k.t.cmp(Slt, k.b(0), k.c8(10)));
rule!(sext_and_great_constant, |k| k.t.cmp(Slt, k.s(k.b(0)), k.c(200)) => k.t.bool(true));
rule!(sign_bit, |k| k.t.cmp(Slt, k.x(0), k.c(0)) => k.t.extract(k.x(0), 31, 1));
rule!(order_of_bools, |k| k.t.cmp(Ult, k.p(0), k.p(1)) => k.t.and(k.t.not(k.p(0)), k.p(1)));
rule!(below_round_constant, |k| k.t.cmp(Ult, k.t.concat(k.b(0), k.b(1)), k.t.constant(16, 0x300))
    => k.t.cmp(Ult, k.b(0), k.c8(3)));

rule!(zext_of_zext, |k| k.t.zext(k.t.zext(k.b(0), 16), 32) => k.z(k.b(0)));
rule!(zext_of_constants, |k| k.z(k.t.ite(k.p(0), k.c8(3), k.c8(4)))
    => k.t.ite(k.p(0), k.c(3), k.c(4)));
rule!(sext_of_sext, |k| k.t.sext(k.t.sext(k.b(0), 16), 32) => k.s(k.b(0)));
rule!(sext_nonnegative, |k| k.t.sext(k.t.zext(k.b(0), 16), 32) => k.z(k.b(0)));
rule!(sext_of_constants, |k| k.s(k.t.ite(k.p(0), k.c8(0x83), k.c8(4)))
    => k.t.ite(k.p(0), k.c(0xffff_ff83), k.c(4)));
rule!(extract_of_extract, |k| k.t.extract(k.t.extract(k.x(0), 8, 16), 4, 8)
    => k.t.extract(k.x(0), 12, 8));
rule!(extract_of_concat, |k| k.t.extract(k.t.concat(k.b(0), k.b(1)), 8, 8) => k.b(0));
rule!(extract_across_concat, |k| k.t.extract(k.t.concat(k.b(0), k.b(1)), 4, 8)
    => k.t.concat(k.t.extract(k.b(0), 0, 4), k.t.extract(k.b(1), 4, 4)));
rule!(extract_of_zext, |k| k.t.extract(k.z(k.b(0)), 0, 16) => k.t.zext(k.b(0), 16));
rule!(extract_above_zext, |k| k.t.extract(k.z(k.b(0)), 16, 8) => k.c8(0));
rule!(extract_of_sext, |k| k.t.extract(k.s(k.b(0)), 20, 1) => k.t.extract(k.b(0), 7, 1));
rule!(extract_of_ite, |k| k.t.extract(k.t.ite(k.p(0), k.c(0x105), k.x(1)), 0, 8)
    => k.t.ite(k.p(0), k.c8(5), k.t.extract(k.x(1), 0, 8)));
rule!(extract_of_table, |k| k.t.extract(k.t.table(&[0x100, 0x2ff, 0x3ff], 16, k.b(0)), 8, 8)
    => k.t.table(&[1, 2, 3], 8, k.b(0)));
rule!(extract_of_bitwise, |k| k.t.extract(k.t.bin(Or, k.z(k.b(0)), k.x(1)), 0, 8)
    => k.t.bin(Or, k.b(0), k.t.extract(k.x(1), 0, 8)));
rule!(extract_of_arithmetic, |k| k.t.extract(k.t.bin(Add, k.z(k.b(0)), k.z(k.b(1))), 0, 8)
    => k.t.bin(Add, k.b(0), k.b(1)));
rule!(concat_zero, |k| k.t.concat(k.t.constant(24, 0), k.b(0)) => k.z(k.b(0)));
rule!(concat_zext, |k| k.t.concat(k.t.zext(k.b(0), 24), k.b(1)) => k.z(k.t.concat(k.b(0), k.b(1))));
rule!(concat_right, |k| k.t.concat(k.t.concat(k.b(0), k.b(1)), k.b(2))
    => k.t.concat(k.b(0), k.t.concat(k.b(1), k.b(2))));
rule!(concat_constants, |k| k.t.concat(k.c8(1), k.t.concat(k.c8(2), k.b(0)))
    => k.t.concat(k.t.constant(16, 0x102), k.b(0)));
rule!(concat_neighbours, |k| k.t.concat(k.t.extract(k.x(0), 16, 16), k.t.extract(k.x(0), 0, 16))
    => k.x(0));
rule!(concat_neighbours_chain, |k|
    k.t.concat(k.t.extract(k.x(0), 24, 8), k.t.concat(k.t.extract(k.x(0), 16, 8), k.b(0)))
    => k.t.concat(k.t.extract(k.x(0), 16, 16), k.b(0)));

rule!(concat_sign, |k| k.t.concat(k.t.sext(k.t.extract(k.b(0), 7, 1), 24), k.b(0)) => k.s(k.b(0)));
rule!(concat_ites, |k| k.t.concat(k.t.ite(k.p(0), k.b(0), k.b(1)), k.t.ite(k.p(0), k.b(2), k.b(3)))
    => k.t.ite(k.p(0), k.t.concat(k.b(0), k.b(2)), k.t.concat(k.b(1), k.b(3))));
rule!(concat_nots, |k| k.t.concat(k.t.not(k.b(0)), k.t.not(k.b(1)))
    => k.t.not(k.t.concat(k.b(0), k.b(1))));
rule!(concat_tables, |k| k.t.concat(k.t.table(&[1, 2], 8, k.b(0)), k.t.table(&[3, 4, 5], 8, k.b(0)))
    => k.t.table(&[0x103, 0x204, 5], 16, k.b(0)));

rule!(ite_same, |k| k.t.ite(k.p(0), k.x(0), k.x(0)) => k.x(0));
rule!(ite_not, |k| k.t.ite(k.t.not(k.t.extract(k.b(0), 3, 1)), k.x(0), k.x(1))
    => k.t.ite(k.t.extract(k.b(0), 3, 1), k.x(1), k.x(0)));
rule!(ite_of_bools, |k| k.t.ite(k.p(0), k.p(1), k.t.bool(false)) => k.t.and(k.p(0), k.p(1)));
rule!(ite_extended_condition, |k| k.t.ite(k.p(0), k.c(1), k.c(0)) => k.z(k.p(0)));
rule!(ite_extended_ones, |k| k.t.ite(k.p(0), k.c(u128::MAX), k.c(0)) => k.s(k.p(0)));
rule!(ite_nested, |k| k.t.ite(k.p(0), k.t.ite(k.p(0), k.x(0), k.x(1)), k.x(2))
    => k.t.ite(k.p(0), k.x(0), k.x(2)));
rule!(ite_nested_same, |k| k.t.ite(k.p(0), k.x(0), k.t.ite(k.p(1), k.x(0), k.x(1)))
    => k.t.ite(k.t.or(k.p(0), k.p(1)), k.x(0), k.x(1)));
rule!(ite_of_zext, |k| k.t.ite(k.p(0), k.z(k.b(0)), k.c(200))
    => k.z(k.t.ite(k.p(0), k.b(0), k.c8(200))));
rule!(table_zext, |k| k.t.table(&[4, 5, 6], 8, k.z(k.b(0))) => k.t.table(&[4, 5, 6], 8, k.b(0)));
rule!(table_shortened, |k| k.t.table(&[3; 300].map(|e| e), 8, k.b(0)) => k.c8(3));
rule!(table_constant_index, |k| k.t.table(&[4, 5, 6], 8, k.c(2)) => k.c8(6));
rule!(table_beyond_the_end, |k| k.t.table(&[4, 5, 6], 8, k.c(3)) => k.c8(0));

#[test]
fn a_word_stored_as_bytes_and_loaded_again_is_itself() {
    let k = Builder::new();
    let product = k.t.bin(Mul, k.z(k.b(0)), k.z(k.b(1)));
    let words = [
        k.x(0),
        product,
        k.t.bin(Add, product, k.c(0x0130_0007)),
        k.t.bin(Add, k.t.bin(Mul, product, k.c(10)), k.s(k.b(2))),
        k.t.bin(Sub, k.z(k.b(0)), k.s(k.b(1))),
        k.t.bin(UDiv, k.x(0), k.x(1)),
        k.s(k.b(0)),
        k.s(k.t.bin(Add, k.b(0), k.c8(1))),
        k.z(k.p(0)),
        k.s(k.p(0)),
        k.t.ite(k.p(0), k.c(0x1234_5678), k.x(1)),
        k.t.not(k.x(0)),
        k.t.not(k.s(k.b(0))),
        k.t.bin(Or, k.x(0), k.c(0x0102_0304)),
        k.t.bin(Xor, k.x(0), k.x(1)),
        k.t.table(&[0x0123_4567, 0x89ab_cdef, 77], 32, k.b(0)),
        k.t.bin(LShr, k.x(0), k.c(5)),
        k.t.bin(Shl, k.x(0), k.c(5)),
        k.t.bin(Shl, k.x(0), k.x(1)),
    ];
    for word in words {
        let mut loaded = k.t.extract(word, 0, 8);
        for byte in 1..4 {
            loaded = k.t.concat(k.t.extract(word, 8 * byte, 8), loaded);
        }
        assert_eq!(
            loaded,
            word,
            "{:?} became {:?}",
            k.t.node(word),
            k.t.node(loaded)
        );
    }
}

#[test]
fn decimal_digits_of_a_byte_stay_small() {
    // (b - '0') * 10 as strtol computes it, truncated: nothing wider than needed remains.
    let k = Builder::new();
    let digit = k.t.bin(Sub, k.s(k.b(0)), k.c(48));
    let scaled = k.t.bin(Mul, digit, k.c(10));
    let low = k.t.extract(scaled, 0, 8);
    let expected = k.t.bin(Mul, k.t.bin(Sub, k.b(0), k.c8(48)), k.c8(10));
    assert_eq!(low, expected);
    assert!(matches!(k.t.node(low), Node::Bin(Mul, _, _)));
}

rule!(concat_below_constant, |k| k.t.cmp(Ult, k.t.concat(k.x(0), k.c8(5)), k.t.constant(40, 0x1206))
    => k.t.cmp(Ule, k.x(0), k.c(0x12)));
rule!(concat_above_constant, |k| k.t.cmp(Slt, k.t.constant(40, 0x1206), k.t.concat(k.x(0), k.c8(5)))
    => k.t.cmp(Slt, k.c(0x12), k.x(0)));
rule!(udiv_chain, |k| k.t.bin(UDiv, k.t.bin(UDiv, k.x(0), k.c(10)), k.c(10))
    => k.t.bin(UDiv, k.x(0), k.c(100)));
rule!(udiv_chain_too_large, |k| k.t.bin(UDiv, k.t.bin(UDiv, k.x(0), k.c(70_001)), k.c(70_001))
    => k.c(0));
rule!(sdiv_chain, |k| k.t.bin(SDiv, k.t.bin(SDiv, k.x(0), k.c(10)), k.c(10))
    => k.t.bin(SDiv, k.x(0), k.c(100)));
rule!(equal_quotient_zero, |k| k.t.eq(k.t.bin(UDiv, k.x(0), k.c(10)), k.c(0))
    => k.t.cmp(Ult, k.x(0), k.c(10)));
rule!(equal_quotient, |k| k.t.eq(k.t.bin(UDiv, k.x(0), k.c(10)), k.c(7)) =>
    k.t.and(k.t.cmp(Ule, k.c(70), k.x(0)), k.t.cmp(Ult, k.x(0), k.c(80))));
rule!(equal_signed_quotient, |k| k.t.eq(k.t.bin(SDiv, k.x(0), k.c(10)), k.c(0)) =>
    k.t.and(k.t.cmp(Sle, k.t.neg(k.c(9)), k.x(0)), k.t.cmp(Slt, k.x(0), k.c(10))));
rule!(quotient_and_constant, |k| k.t.cmp(Ult, k.t.bin(UDiv, k.x(0), k.c(10)), k.c(7))
    => k.t.cmp(Ult, k.x(0), k.c(70)));
rule!(constant_and_quotient, |k| k.t.cmp(Slt, k.t.neg(k.c(3)), k.t.bin(SDiv, k.x(0), k.c(10))) =>
    k.t.cmp(Slt, k.t.neg(k.c(30)), k.x(0)));
rule!(equal_fitting, |k| {
    let wide = |term| k.t.zext(term, 64);
    let exact = k.t.bin(Mul, wide(k.x(0)), wide(k.x(1)));
    k.t.eq(exact, wide(k.t.bin(Mul, k.x(0), k.x(1))))
} => {
    let wide = |term| k.t.zext(term, 64);
    let exact = k.t.bin(Mul, wide(k.x(0)), wide(k.x(1)));
    k.t.cmp(Ult, exact, k.t.constant(64, 1 << 32))
});

#[test]
fn quotient_rules_agree_with_division_on_all_small_values() {
    let k = Builder::new();
    let x = k.b(0);
    for divisor in 1..=255u128 {
        for value in [
            0u128, 1, 2, 3, 11, 12, 13, 25, 126, 127, 128, 129, 131, 200, 253, 254, 255,
        ] {
            let (c, v) = (k.c8(divisor), k.c8(value));
            for division in [UDiv, SDiv] {
                let quotient = k.t.bin(division, x, c);
                let conditions = [Eq, Ne, Ult, Ule, Slt, Sle]
                    .into_iter()
                    .flat_map(|op| [(op, quotient, v, false), (op, v, quotient, true)]);
                for (op, a, b, swapped) in conditions {
                    let term = k.t.cmp(op, a, b);
                    for byte in 0..=255u8 {
                        let mut model = crate::term::Model::new();
                        let array = k.t.array("b", 0, 16);
                        model.set(Byte { array, index: 0 }, byte);
                        let q = homi_ir::ops::eval_bin(division, 8, byte.into(), divisor);
                        let (left, right) = if swapped { (value, q) } else { (q, value) };
                        let expected = homi_ir::ops::eval_cmp(op, 8, left, right);
                        assert_eq!(
                            k.t.eval(term, &model) == 1,
                            expected,
                            "{byte} {division:?} {divisor} {op:?} {value}, swapped {swapped}"
                        );
                    }
                }
            }
        }
    }
}

/// Rules that hold only where a sum does not wrap, against arithmetic on numbers, near every wrap
/// of 8 bits.
#[test]
fn sums_that_may_wrap_mean_the_same() {
    let k = Builder::new();
    let mut model = crate::term::Model::new();
    let array = k.t.array("b", 0, 16);
    let low = k.t.bin(And, k.b(0), k.c8(15));
    let parts = [
        low,
        k.t.bin(Or, low, k.c8(0x40)),
        k.t.bin(Or, low, k.c8(0x78)),
        k.t.bin(Or, low, k.c8(0xf0)),
    ];
    let edges = [
        0u128, 1, 7, 16, 0x38, 0x7f, 0x80, 0x88, 0xb0, 0xc0, 0xf0, 0xff,
    ];
    for (&part, &offset) in parts
        .iter()
        .flat_map(|part| edges.iter().map(move |edge| (part, edge)))
    {
        let sum = k.t.bin(Add, part, k.c8(offset));
        for (op, &edge) in [Ult, Slt, Ule, Sle]
            .into_iter()
            .flat_map(|op| edges.iter().map(move |edge| (op, edge)))
        {
            let (right, left) = (k.t.cmp(op, sum, k.c8(edge)), k.t.cmp(op, k.c8(edge), sum));
            for value in 0..16 {
                model.set(Byte { array, index: 0 }, value);
                let number = k.t.eval(part, &model).wrapping_add(offset) & 255;
                assert_eq!(
                    k.t.eval(right, &model) == 1,
                    homi_ir::ops::eval_cmp(op, 8, number, edge),
                    "{op:?} {number} {edge}"
                );
                assert_eq!(
                    k.t.eval(left, &model) == 1,
                    homi_ir::ops::eval_cmp(op, 8, edge, number),
                    "{op:?} {edge} {number}"
                );
            }
        }
    }
    for (&x, &y) in parts.iter().flat_map(|x| parts.iter().map(move |y| (x, y))) {
        let y = k.t.bin(Xor, y, k.t.zext(k.t.extract(k.b(1), 0, 3), 8));
        let rem = |a: Term| k.t.bin(URem, a, y);
        let next = k.t.bin(Add, x, k.t.bin(Sub, y, rem(x)));
        let sum = k.t.bin(Add, k.t.bin(Add, x, y), k.c8(3));
        let (of_next, of_sum) = (rem(next), rem(sum));
        for (first, second) in (0..16).flat_map(|first| (0..8).map(move |second| (first, second))) {
            model.set(Byte { array, index: 0 }, first);
            model.set(Byte { array, index: 1 }, second);
            let of = |term| k.t.eval(term, &model);
            let modulo = |a: u128| if of(y) == 0 { a } else { a % of(y) };
            let wanted = |a: u128| modulo(a & 255);
            assert_eq!(of(of_sum), wanted(of(x) + of(y) + 3));
            assert_eq!(
                of(of_next),
                wanted((of(x) + of(y)).wrapping_sub(modulo(of(x))))
            );
        }
    }
}
