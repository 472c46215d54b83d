//! Queries about orders of numbers, with Z3 as the judge of random ones.

use super::solve;
use crate::query::Query;
use crate::term::{Byte, Model, Term, Terms};
use crate::tuning::Tuning;
use crate::{Answer, Backend, Z3Backend, encode};
use homi_ir::ops::CmpOp;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn solved(terms: &Terms, query: &Query) -> Option<Answer> {
    solve(terms, query, &Tuning::default())
}

/// A 32-bit number of four symbolic bytes.
fn number(terms: &Terms, name: &str) -> Term {
    let array = terms.array(name, 0, 4);
    let byte = |index| terms.symbol(Byte { array, index });
    (1..4).fold(byte(0), |low, index| terms.concat(byte(index), low))
}

fn model_of(query: &Query, values: &[u8]) -> Model {
    let mut model = Model::new();
    for (&byte, &value) in query.bytes.iter().zip(values) {
        model.set(byte, value);
    }
    model
}

#[test]
fn a_circle_with_a_strict_step_is_infeasible() {
    let terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| number(&terms, name));
    let circle = [
        terms.cmp(CmpOp::Ult, a, b),
        terms.cmp(CmpOp::Ule, b, c),
        terms.cmp(CmpOp::Ule, c, a),
    ];
    assert_eq!(
        solved(&terms, &Query::of_constraints(&terms, &circle)),
        Some(Answer::Unsat)
    );
}

#[test]
fn constants_bound_the_chain() {
    let terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| number(&terms, name));
    let minus = |value: u128| terms.constant(32, (1 << 32) - value);
    // -2 < a < b < c < 1 has no room, -3 < a < b < c < 1 has.
    for (low, expected) in [(2, false), (3, true)] {
        let chain = [
            terms.cmp(CmpOp::Slt, minus(low), a),
            terms.cmp(CmpOp::Slt, a, b),
            terms.cmp(CmpOp::Slt, b, c),
            terms.cmp(CmpOp::Slt, c, terms.constant(32, 1)),
        ];
        let query = Query::of_constraints(&terms, &chain);
        match solved(&terms, &query) {
            Some(Answer::Sat(values)) => {
                let model = model_of(&query, &values);
                assert!(expected);
                assert_eq!(terms.eval(a, &model), (1 << 32) - 2);
                assert_eq!(terms.eval(c, &model), 0);
            }
            answer => assert!(answer == Some(Answer::Unsat) && !expected, "{answer:?}"),
        }
    }
}

#[test]
fn other_forms_are_left_alone() {
    let terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| number(&terms, name));
    let sum = terms.bin(homi_ir::ops::BinOp::Add, a, b);
    let mixed = [terms.cmp(CmpOp::Ult, a, b), terms.cmp(CmpOp::Slt, a, b)];
    assert_eq!(solved(&terms, &Query::of_constraints(&terms, &mixed)), None);
    let added = [terms.cmp(CmpOp::Ult, sum, b)];
    assert_eq!(solved(&terms, &Query::of_constraints(&terms, &added)), None);
    // With something else in it, a query can only be refuted.
    let others = [
        terms.cmp(CmpOp::Ult, a, sum),
        terms.cmp(CmpOp::Ult, a, b),
        terms.cmp(CmpOp::Ule, b, a),
    ];
    assert_eq!(
        solved(&terms, &Query::of_constraints(&terms, &others[..2])),
        None
    );
    assert_eq!(
        solved(&terms, &Query::of_constraints(&terms, &others)),
        Some(Answer::Unsat)
    );
    // The lower half of a number is not a separate number.
    let half = terms.extract(a, 0, 16);
    let shared = [
        terms.cmp(CmpOp::Ult, a, b),
        terms.cmp(CmpOp::Ult, half, terms.extract(b, 0, 16)),
    ];
    assert_eq!(
        solved(&terms, &Query::of_constraints(&terms, &shared)),
        None
    );
}

#[test]
fn random_orders_agree_with_z3() {
    let mut z3 = Z3Backend::new(1024);
    let mut random = Pcg64::seed_from_u64(7);
    let (mut satisfiable, mut infeasible, mut declined) = (0, 0, 0);
    for _ in 0..300 {
        let terms = Terms::new();
        let numbers = ["a", "b", "c", "d"].map(|name| number(&terms, name));
        let signed = random.random_bool(0.5);
        let mut side = || match random.random_range(0..6) {
            0 => {
                let near = random.random_range(0..4u32);
                let value =
                    [near, near.wrapping_sub(2), 0x8000_0000 + near][random.random_range(0..3)];
                terms.constant(32, value.into())
            }
            _ => numbers[random.random_range(0..4)],
        };
        let pairs: Vec<(Term, Term)> = (0..7).map(|_| (side(), side())).collect();
        let constraints: Vec<Term> = pairs
            .into_iter()
            .map(|(a, b)| {
                let op = match (random.random_bool(0.5), signed) {
                    (true, false) => CmpOp::Ult,
                    (true, true) => CmpOp::Slt,
                    (false, false) => CmpOp::Ule,
                    (false, true) => CmpOp::Sle,
                };
                terms.cmp(op, a, b)
            })
            .filter(|term| terms.as_const(*term).is_none())
            .collect();
        let query = Query::of_constraints(&terms, &constraints);
        let words = encode::encode(&terms, &query);
        let expected = z3.solve(&words, query.bytes.len());
        match solved(&terms, &query) {
            Some(Answer::Sat(values)) => {
                let model = model_of(&query, &values);
                for &constraint in &constraints {
                    assert_eq!(terms.eval(constraint, &model), 1);
                }
                satisfiable += 1;
            }
            Some(answer) => {
                assert_eq!((answer, expected), (Answer::Unsat, Answer::Unsat));
                infeasible += 1;
            }
            None => declined += 1,
        }
    }
    assert!(
        satisfiable > 30 && infeasible > 30,
        "{satisfiable} {infeasible}"
    );
    assert!(declined < 200, "{declined} were left to others");
}
