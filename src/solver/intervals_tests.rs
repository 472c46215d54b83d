//! Queries that intervals must refute, and random satisfiable ones that they must not.

use crate::query::Query;
use crate::term::random_tests::Generator;
use crate::term::{Byte, Term, Terms};
use crate::tuning::Tuning;
use homi_ir::ops::{BinOp, CmpOp};
use rand::RngExt;

fn refute(terms: &Terms, query: &Query) -> bool {
    super::refute(terms, query, &Tuning::default())
}

/// A 64-bit number of eight symbolic bytes.
fn number(terms: &Terms, name: &str) -> Term {
    let array = terms.array(name, 0, 8);
    let byte = |index| terms.symbol(Byte { array, index });
    (1..8).fold(byte(0), |low, index| terms.concat(byte(index), low))
}

struct Build {
    terms: Terms,
    t: Term,
}

impl Build {
    fn new() -> Build {
        let terms = Terms::new();
        let t = number(&terms, "t");
        Build { terms, t }
    }

    fn c(&self, value: i64) -> Term {
        self.terms.constant(64, value as u64 as u128)
    }

    fn bin(&self, op: BinOp, a: Term, value: i64) -> Term {
        self.terms.bin(op, a, self.c(value))
    }

    fn below(&self, a: Term, value: i64) -> Term {
        self.terms.cmp(CmpOp::Slt, a, self.c(value))
    }

    fn above(&self, a: Term, value: i64) -> Term {
        self.terms.cmp(CmpOp::Slt, self.c(value), a)
    }

    fn infeasible(&self, constraints: &[Term]) -> bool {
        refute(
            &self.terms,
            &Query::of_constraints(&self.terms, constraints),
        )
    }
}

#[test]
fn bounds_of_a_whole_number_meet() {
    let k = Build::new();
    let (low, high) = (k.above(k.t, -100), k.below(k.t, 100));
    assert!(!k.infeasible(&[low, high]));
    assert!(k.infeasible(&[low, high, k.below(k.t, -67_908_586)]));
    // One side of a disjunction is out, so the other one holds.
    let outside = k.terms.or(k.below(k.t, -5000), k.above(k.t, 5000));
    assert!(!k.infeasible(&[low, outside]));
    assert!(k.infeasible(&[low, k.below(k.t, 5000), outside]));
}

#[test]
fn a_printed_digit_is_never_zero() {
    let k = Build::new();
    let digit = k.bin(BinOp::SRem, k.bin(BinOp::SDiv, k.t, 1000), 10);
    let text = k.terms.extract(k.bin(BinOp::Add, digit, 48), 0, 8);
    let is_end = k.terms.eq_const(text, 0);
    assert!(k.infeasible(&[is_end]));
    let is_nine = k.terms.eq_const(text, 57);
    assert!(!k.infeasible(&[is_nine]));
}

#[test]
fn facts_about_a_result_reach_the_operand() {
    let k = Build::new();
    let moved = k.bin(BinOp::Add, k.t, -1_000_000);
    let day = k.bin(BinOp::SDiv, moved, 86_400);
    let today = k.terms.eq(day, k.c(20_000));
    assert!(!k.infeasible(&[today]));
    assert!(k.infeasible(&[today, k.below(k.t, 0)]));
    let scaled = k.bin(
        BinOp::Mul,
        k.terms.zext(k.terms.extract(k.t, 0, 16), 64),
        12,
    );
    let large = k.above(scaled, 12 * 60_000);
    let small = k.terms.extract(k.t, 0, 16);
    let small = k.terms.cmp(CmpOp::Ult, small, k.terms.constant(16, 60_000));
    assert!(k.infeasible(&[large, small]));
}

#[test]
fn what_a_model_satisfies_is_never_infeasible() {
    for seed in 0..400 {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, 4);
        let model = generator.models[0].clone();
        let mut constraints: Vec<Term> = Vec::new();
        for _ in 0..12 {
            for _ in 0..4 {
                generator.grow();
            }
            let mut condition = generator.condition();
            if generator.random.random_bool(0.5) {
                // Bounds that the model meets closely.
                let term = generator.grow().term;
                let width = terms.width(term);
                let value = terms.constant(width, terms.eval(term, &model));
                let op = [CmpOp::Ule, CmpOp::Sle, CmpOp::Uge, CmpOp::Sge, CmpOp::Eq]
                    [generator.random.random_range(0..5)];
                condition = terms.cmp(op, term, value);
            }
            let holds = terms.eval(condition, &model) == 1;
            let condition = if holds {
                condition
            } else {
                terms.not(condition)
            };
            if terms.as_const(condition).is_none() {
                constraints.push(condition);
            }
            if constraints.is_empty() {
                continue;
            }
            let infeasible = refute(&terms, &Query::of_constraints(&terms, &constraints));
            assert!(
                !infeasible,
                "seed {seed}: {} constraints",
                constraints.len()
            );
        }
    }
}

#[test]
fn a_condition_that_is_counted_is_known() {
    let k = Build::new();
    let is_zero = k.terms.eq(k.t, k.c(0));
    let nonzero = k.terms.not(is_zero);
    let count = k.terms.concat(k.terms.constant(7, 1), is_zero);
    let sum = k.terms.bin(BinOp::Add, k.terms.zext(count, 64), k.c(40));
    assert!(!k.infeasible(&[nonzero, k.below(sum, 43)]));
    assert!(k.infeasible(&[nonzero, k.above(sum, 42)]));
}
