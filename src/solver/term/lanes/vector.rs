//! One operation over all lanes, in loops that the compiler vectorizes.

use super::{LaneValues, Op, element};
use homi_ir::ops::{BinOp, CmpOp, eval_bin, mask64};

/// Operand of an operation: one value for all lanes, or one for each.
#[derive(Clone, Copy)]
pub(super) enum Operand<'a> {
    Uniform(u64),
    Varying(&'a LaneValues),
}

#[inline(always)]
fn each(a: Operand<'_>, out: &mut [u64], f: impl Fn(u64) -> u64) {
    match a {
        Operand::Uniform(a) => out.fill(f(a)),
        Operand::Varying(a) => {
            for (out, &a) in out.iter_mut().zip(a) {
                *out = f(a);
            }
        }
    }
}

#[inline(always)]
fn each_pair(a: Operand<'_>, b: Operand<'_>, out: &mut [u64], f: impl Fn(u64, u64) -> u64) {
    match (a, b) {
        (Operand::Uniform(a), b) => each(b, out, |b| f(a, b)),
        (a, Operand::Uniform(b)) => each(a, out, |a| f(a, b)),
        (Operand::Varying(a), Operand::Varying(b)) => {
            for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
                *out = f(a, b);
            }
        }
    }
}

/// One operation on all lanes.
pub(super) fn vector<'a>(op: &Op, operand: impl Fn(u32) -> Operand<'a>, out: &mut [u64]) {
    match op {
        Op::Const(_) | Op::Byte(_) => {}
        Op::Bin(op, width, a, b) => vector_bin(*op, (*width).into(), operand(*a), operand(*b), out),
        Op::Cmp(op, width, a, b) => vector_cmp(*op, (*width).into(), operand(*a), operand(*b), out),
        Op::Flip(all, a) => each(operand(*a), out, |a| a ^ all),
        Op::Sext(from, all, a) => {
            let shift = 64 - u32::from(*from);
            each(operand(*a), out, |a| {
                ((a << shift) as i64 >> shift) as u64 & all
            });
        }
        Op::Extract(low, all, a) => each(operand(*a), out, |a| a >> low & all),
        Op::Concat(width, high, low) => {
            each_pair(operand(*high), operand(*low), out, |h, l| h << width | l);
        }
        Op::Ite(c, a, b) => match (operand(*c), operand(*a), operand(*b)) {
            (Operand::Uniform(c), a, b) => each(if c != 0 { a } else { b }, out, |x| x),
            (Operand::Varying(c), a, b) => {
                each_pair(a, Operand::Varying(c), out, |a, c| a & c.wrapping_neg());
                let read = |index: usize| match b {
                    Operand::Uniform(b) => b,
                    Operand::Varying(b) => b[index],
                };
                for (index, (out, &c)) in out.iter_mut().zip(c).enumerate() {
                    *out |= read(index) & c.wrapping_sub(1);
                }
            }
        },
        Op::Table(elements, index) => each(operand(*index), out, |index| element(elements, index)),
        Op::Float(function, slots) => {
            let operands = slots.map(operand);
            for (index, out) in out.iter_mut().enumerate() {
                let values = operands.map(|operand| match operand {
                    Operand::Uniform(value) => value.into(),
                    Operand::Varying(values) => values[index].into(),
                });
                *out = function.eval(values) as u64;
            }
        }
    }
}

fn vector_bin(op: BinOp, width: u32, a: Operand<'_>, b: Operand<'_>, out: &mut [u64]) {
    let all = mask64(width);
    match op {
        BinOp::Add => each_pair(a, b, out, |a, b| a.wrapping_add(b) & all),
        BinOp::Sub => each_pair(a, b, out, |a, b| a.wrapping_sub(b) & all),
        BinOp::Mul => each_pair(a, b, out, |a, b| a.wrapping_mul(b) & all),
        BinOp::And => each_pair(a, b, out, |a, b| a & b),
        BinOp::Or => each_pair(a, b, out, |a, b| a | b),
        BinOp::Xor => each_pair(a, b, out, |a, b| a ^ b),
        BinOp::UDiv => each_pair(a, b, out, |a, b| a.checked_div(b).unwrap_or(all)),
        BinOp::URem => each_pair(a, b, out, |a, b| a.checked_rem(b).unwrap_or(a)),
        BinOp::SDiv | BinOp::SRem | BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            each_pair(a, b, out, |a, b| {
                eval_bin(op, width, a.into(), b.into()) as u64
            });
        }
    }
}

fn vector_cmp(op: CmpOp, width: u32, a: Operand<'_>, b: Operand<'_>, out: &mut [u64]) {
    // Moving the sign bit to the top reduces signed comparisons of any width to 64 bits.
    let shift = 64 - width;
    let s = |value: u64| (value << shift) as i64;
    match op {
        CmpOp::Eq => each_pair(a, b, out, |a, b| u64::from(a == b)),
        CmpOp::Ne => each_pair(a, b, out, |a, b| u64::from(a != b)),
        CmpOp::Ult => each_pair(a, b, out, |a, b| u64::from(a < b)),
        CmpOp::Ule => each_pair(a, b, out, |a, b| u64::from(a <= b)),
        CmpOp::Ugt => each_pair(a, b, out, |a, b| u64::from(a > b)),
        CmpOp::Uge => each_pair(a, b, out, |a, b| u64::from(a >= b)),
        CmpOp::Slt => each_pair(a, b, out, |a, b| u64::from(s(a) < s(b))),
        CmpOp::Sle => each_pair(a, b, out, |a, b| u64::from(s(a) <= s(b))),
        CmpOp::Sgt => each_pair(a, b, out, |a, b| u64::from(s(a) > s(b))),
        CmpOp::Sge => each_pair(a, b, out, |a, b| u64::from(s(a) >= s(b))),
    }
}
