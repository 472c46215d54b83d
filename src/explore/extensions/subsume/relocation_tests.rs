//! Each kind of instruction with addresses for which it is relocatable, and with addresses for
//! which it is not.

use super::super::testing::Verdict::{Fixes, Refused, Relocatable};
use super::super::testing::{A, B, Known, RESULT, Verdict, verdict, with_start};
use super::*;
use homi_ir::program::CastOp;

/// Instruction, the values of the registers that it reads, and the expected result of the check.
type Row = (Inst, Value, Value, Verdict);

fn check(rows: impl FnOnce(&Known) -> Vec<Row>) {
    with_start(Vec::new(), |with, start, known| {
        for (number, (inst, a, b, expected)) in rows(known).into_iter().enumerate() {
            let found = verdict(with, &start, inst, (a, b));
            assert_eq!(found, expected, "row {number}: {inst:?} of {a:?} and {b:?}");
        }
    });
}

fn bin(op: BinOp) -> Inst {
    let (dst, a, b) = (RESULT, A, B);
    Inst::Bin {
        op,
        w: 64,
        dst,
        a,
        b,
    }
}

fn cmp(op: CmpOp) -> Inst {
    let (dst, a, b) = (RESULT, A, B);
    Inst::Cmp {
        op,
        w: 64,
        dst,
        a,
        b,
    }
}

/// Distance beyond an object and its guard gaps, in bytes.
const FAR: u64 = 1 << 29;

#[test]
fn sums_may_not_lead_from_one_object_to_another() {
    let sum = || bin(BinOp::Add);
    check(|k| {
        vec![
            (sum(), 3.into(), 4.into(), Relocatable),
            (sum(), k.block.into(), 8.into(), Relocatable),
            (sum(), 8.into(), k.block.into(), Relocatable),
            (sum(), k.block.into(), k.small.into(), Relocatable),
            (sum(), k.local.into(), 8.into(), Relocatable),
            (sum(), k.global.into(), FAR.into(), Relocatable),
            (sum(), k.nowhere.into(), FAR.into(), Relocatable),
            (sum(), k.block.into(), FAR.into(), Fixes(vec![k.block])),
            (sum(), FAR.into(), k.block.into(), Fixes(vec![k.block])),
            (sum(), k.local.into(), (u64::MAX << 41).into(), Refused),
            (
                sum(),
                k.block.into(),
                k.other.into(),
                Fixes(vec![k.block, k.other]),
            ),
            (sum(), k.block.into(), k.local.into(), Refused),
        ]
    });
}

#[test]
fn differences_are_of_one_object() {
    let difference = || bin(BinOp::Sub);
    check(|k| {
        vec![
            (difference(), 9.into(), 4.into(), Relocatable),
            (
                difference(),
                (k.block + 16).into(),
                (k.block + 8).into(),
                Relocatable,
            ),
            (
                difference(),
                (k.local + 16).into(),
                k.local.into(),
                Relocatable,
            ),
            (difference(), k.block.into(), 8.into(), Relocatable),
            (difference(), k.block.into(), k.small.into(), Relocatable),
            (
                difference(),
                k.block.into(),
                FAR.into(),
                Fixes(vec![k.block]),
            ),
            (
                difference(),
                k.block.into(),
                k.other.into(),
                Fixes(vec![k.block, k.other]),
            ),
            (difference(), 8.into(), k.block.into(), Fixes(vec![k.block])),
            (difference(), 8.into(), k.local.into(), Refused),
        ]
    });
}

#[test]
fn masks_keep_only_bits_below_every_alignment() {
    let mask = || bin(BinOp::And);
    check(|k| {
        vec![
            (mask(), 9.into(), 16.into(), Relocatable),
            (mask(), k.block.into(), 15.into(), Relocatable),
            (mask(), 15.into(), k.local.into(), Relocatable),
            (mask(), k.block.into(), 16.into(), Fixes(vec![k.block])),
            (
                mask(),
                (!15u64).into(),
                k.block.into(),
                Fixes(vec![k.block]),
            ),
            (mask(), k.block.into(), k.small.into(), Fixes(vec![k.block])),
            (mask(), k.local.into(), 16.into(), Refused),
            (
                mask(),
                k.block.into(),
                k.other.into(),
                Fixes(vec![k.block, k.other]),
            ),
        ]
    });
}

#[test]
fn other_operators_need_the_number() {
    check(|k| {
        let mut rows = vec![(bin(BinOp::Or), 3.into(), 4.into(), Relocatable)];
        for op in [BinOp::Or, BinOp::Xor, BinOp::Mul, BinOp::LShr, BinOp::URem] {
            rows.push((bin(op), k.block.into(), 1.into(), Fixes(vec![k.block])));
            rows.push((bin(op), 1.into(), k.local.into(), Refused));
        }
        rows
    });
}

#[test]
fn equality_and_order_differ() {
    check(|k| {
        let both = || Fixes(vec![k.block, k.other]);
        vec![
            (cmp(CmpOp::Eq), k.block.into(), k.other.into(), Relocatable),
            (cmp(CmpOp::Ne), k.block.into(), k.other.into(), Relocatable),
            (cmp(CmpOp::Ult), k.block.into(), k.other.into(), both()),
            (cmp(CmpOp::Slt), k.block.into(), k.other.into(), both()),
            (cmp(CmpOp::Ule), k.block.into(), k.local.into(), Refused),
        ]
    });
}

#[test]
fn pointer_arithmetic_stays_within_its_object() {
    let add = |iw, scale, offset| {
        let (dst, base, index) = (RESULT, A, B);
        Inst::PtrAdd {
            iw,
            dst,
            base,
            index,
            scale,
            offset,
        }
    };
    let by = |offset| Inst::PtrOffset {
        dst: RESULT,
        base: A,
        offset,
    };
    let minus_one = u64::from(u32::MAX);
    check(|k| {
        vec![
            (add(64, 8, 4), k.block.into(), 2.into(), Relocatable),
            (add(32, 8, 0), k.block.into(), minus_one.into(), Relocatable),
            (add(64, 8, 0), k.block.into(), k.small.into(), Relocatable),
            (
                add(64, 8, 0),
                k.block.into(),
                minus_one.into(),
                Fixes(vec![k.block]),
            ),
            (
                add(64, 1, i32::MAX),
                k.block.into(),
                0.into(),
                Fixes(vec![k.block]),
            ),
            (
                add(64, 8, 0),
                k.block.into(),
                k.other.into(),
                Fixes(vec![k.block, k.other]),
            ),
            (
                add(64, 8, 0),
                8.into(),
                k.other.into(),
                Fixes(vec![k.other]),
            ),
            (by(8), k.block.into(), 0.into(), Relocatable),
            (by(8), k.local.into(), 0.into(), Relocatable),
            (by(i32::MAX), k.global.into(), 0.into(), Relocatable),
            (by(i32::MAX), k.block.into(), 0.into(), Fixes(vec![k.block])),
        ]
    });
}

#[test]
fn what_is_not_named_needs_the_number() {
    let unary = |op| Inst::Unary {
        op,
        w: 64,
        dst: RESULT,
        src: A,
    };
    let cut = Inst::Cast {
        op: CastOp::Trunc,
        from: 64,
        to: 32,
        dst: RESULT,
        src: A,
    };
    check(|k| {
        vec![
            (
                unary(IntUnary::Freeze),
                k.local.into(),
                0.into(),
                Relocatable,
            ),
            (unary(IntUnary::Ctpop), 5.into(), 0.into(), Relocatable),
            (
                unary(IntUnary::Ctpop),
                k.block.into(),
                0.into(),
                Fixes(vec![k.block]),
            ),
            (cut, k.global.into(), 0.into(), Relocatable),
            (cut, k.block.into(), 0.into(), Fixes(vec![k.block])),
            (cut, k.local.into(), 0.into(), Refused),
        ]
    });
}

#[test]
fn a_fixed_block_is_a_number() {
    with_start(Vec::new(), |with, start, known| {
        let mut subpath = Subpath::new(&start, &start.model);
        super::super::testing::put(&mut subpath.state, 0, known.block);
        assert!(subpath.fix(known.block + 8));
        subpath.facts.fixed.clear();
        let function = with
            .executor
            .program()
            .function(homi_ir::program::FuncId(0));
        let product = bin(BinOp::Mul);
        assert_eq!(subpath.check(with, function, &product), Ok(()));
        assert!(subpath.facts.fixed.is_empty());
    });
}
