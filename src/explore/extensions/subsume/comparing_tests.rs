//! Comparisons with a result that does not depend on where blocks lie, and comparisons without this
//! property.

use super::super::testing::Verdict::{Fixes, Refused, Relocatable};
use super::super::testing::{A, B, Known, RESULT, Verdict, put, register, verdict, with_start};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::Inst;
use homi_machine::memory::Value;
use homi_solver::term::{Term, Terms};

/// Terms that a row may compare.
struct Compared<'k> {
    known: &'k Known,
    /// One of two addresses, selected by an input.
    either: &'k dyn Fn(u64, u64) -> Value,
    /// Address plus an input.
    plus: &'k dyn Fn(u64, Term) -> Value,
    /// Variable of a register that held a block's address or null.
    hides: Value,
}

type Row = (Value, Value, Verdict);

fn check(op: CmpOp, rows: impl FnOnce(&Compared<'_>) -> Vec<Row>) {
    with_start(Vec::new(), |with, mut start, known| {
        let terms: &Terms = with.terms;
        let either = |a, b| {
            let (a, b) = (terms.constant(64, a), terms.constant(64, b));
            terms.ite(known.choice, a, b)
        };
        let number = |value: u64| u128::from(value);
        let choice = |a, b| Value::Term(either(number(a), number(b)));
        let plus = |base, added| {
            Value::Term(terms.bin(BinOp::Add, terms.constant(64, number(base)), added))
        };
        put(&mut start, 8, choice(known.block, 0));
        let rows = rows(&Compared {
            known,
            either: &choice,
            plus: &plus,
            hides: register(with, 8).into(),
        });
        for (index, (a, b, expected)) in rows.into_iter().enumerate() {
            let (w, dst) = (64, RESULT);
            let (one, other) = (A, B);
            let inst = Inst::Cmp {
                op,
                w,
                dst,
                a: one,
                b: other,
            };
            assert_eq!(
                verdict(with, &start, inst, (a, b)),
                expected,
                "{op:?}, row {index}"
            );
        }
    });
}

#[test]
fn equality() {
    check(CmpOp::Eq, |c| {
        let k = c.known;
        let (block, both) = (|| Fixes(vec![k.block]), || Fixes(vec![k.block, k.other]));
        vec![
            // Numbers.
            (3.into(), k.small.into(), Relocatable),
            (k.global.into(), k.nowhere.into(), Relocatable),
            // Two addresses.
            (k.block.into(), k.other.into(), Relocatable),
            (k.block.into(), (k.block + 8).into(), Relocatable),
            (k.block.into(), k.local.into(), Relocatable),
            (k.block.into(), (c.either)(k.other, 0), Relocatable),
            ((c.either)(k.block, k.global), k.other.into(), Relocatable),
            ((c.either)(k.block, k.nowhere), k.other.into(), both()),
            // An address and a number that no block can have as its address, or that one can have.
            (k.block.into(), 0.into(), Relocatable),
            (0.into(), k.block.into(), Relocatable),
            (k.block.into(), k.global.into(), Relocatable),
            (k.block.into(), k.nowhere.into(), block()),
            (k.nowhere.into(), k.block.into(), block()),
            (k.local.into(), k.nowhere.into(), Refused),
            (k.block.into(), k.small.into(), block()),
            ((c.either)(k.block, 0), 0.into(), Relocatable),
            ((c.either)(k.block, k.nowhere), 0.into(), block()),
            // An address and an input.
            ((c.plus)(k.block, k.small), 0.into(), Relocatable),
            ((c.plus)(k.block, k.wide), 0.into(), block()),
            ((c.plus)(k.block, k.small), k.global.into(), block()),
            (
                (c.plus)(k.block, k.small),
                (k.block + 8).into(),
                Relocatable,
            ),
            ((c.plus)(k.block, k.small), k.other.into(), both()),
            // Variables.
            (c.hides, 0.into(), Relocatable),
            (c.hides, k.global.into(), block()),
        ]
    });
}

#[test]
fn order() {
    check(CmpOp::Ult, |c| {
        let k = c.known;
        let (block, both) = (|| Fixes(vec![k.block]), || Fixes(vec![k.block, k.other]));
        vec![
            (3.into(), k.small.into(), Relocatable),
            (k.block.into(), (k.block + 8).into(), Relocatable),
            (k.block.into(), k.other.into(), both()),
            // Outside of the object area, or inside.
            (k.block.into(), 5.into(), Relocatable),
            ((1u64 << 63).into(), k.block.into(), Relocatable),
            (k.block.into(), k.global.into(), block()),
            (k.global.into(), k.block.into(), block()),
            (k.block.into(), k.small.into(), block()),
            (k.local.into(), k.global.into(), Refused),
            ((c.either)(k.block, k.other), 5.into(), Relocatable),
            ((c.either)(k.block, 0), 5.into(), Relocatable),
            ((c.either)(k.block, k.nowhere), 5.into(), block()),
            // A sum that may wrap around, and one that does not.
            (
                (c.plus)(k.block, k.small),
                (k.block + 8).into(),
                Relocatable,
            ),
            ((c.plus)(k.block, k.wide), (k.block + 8).into(), block()),
            ((c.plus)(k.block, k.small), 5.into(), Relocatable),
            ((c.plus)(k.block, k.wide), 5.into(), block()),
            (
                (c.plus)(k.block, k.small),
                (c.plus)(k.other, k.small),
                both(),
            ),
            // Variables.
            (c.hides, c.hides, block()),
            (c.hides, 5.into(), block()),
        ]
    });
}
