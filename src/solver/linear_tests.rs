//! Check sums and random systems, with Z3 as the judge.

use super::solve;
use crate::query::Query;
use crate::term::{Byte, ByteSet, Model, Term, Terms};
use crate::tuning::Tuning;
use crate::{Answer, Backend, Z3Backend, encode};
use homi_ir::ops::{BinOp, CmpOp};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn solved(terms: &Terms, query: &Query) -> Option<Answer> {
    solve(terms, query, &Tuning::default())
}

fn symbols(terms: &Terms, count: u32) -> Vec<Term> {
    let array = terms.array("input", 0, count);
    (0..count)
        .map(|index| terms.symbol(Byte { array, index }))
        .collect()
}

/// The CRC-32 of bytes as a program with a table computes it.
fn crc(terms: &Terms, bytes: &[Term]) -> Term {
    let table: Vec<u64> = (0..256u64)
        .map(|index| {
            (0..8).fold(index, |value, _| {
                value >> 1 ^ if value & 1 == 1 { 0xedb8_8320 } else { 0 }
            })
        })
        .collect();
    let start = terms.constant(32, 0xffff_ffff);
    bytes.iter().fold(start, |sum, &byte| {
        let low = terms.extract(sum, 0, 8);
        let element = terms.table(&table, 32, terms.bin(BinOp::Xor, low, byte));
        let rest = terms.bin(BinOp::LShr, sum, terms.constant(32, 8));
        terms.bin(BinOp::Xor, rest, element)
    })
}

fn check(terms: &Terms, query: &Query, constraints: &[Term], answer: &Answer) {
    if let Answer::Sat(values) = answer {
        let mut model = Model::new();
        for ((&byte, &value), domain) in query.bytes.iter().zip(values).zip(&query.domains) {
            assert!(domain.contains(value));
            model.set(byte, value);
        }
        for &constraint in constraints {
            assert_eq!(terms.eval(constraint, &model), 1);
        }
    }
}

#[test]
fn a_crc_is_inverted() {
    let terms = Terms::new();
    let bytes = symbols(&terms, 6);
    let sum = crc(&terms, &bytes);
    let wanted = terms.eq_const(sum, 0x1234_5678);
    let odd = terms.eq_const(terms.extract(crc(&terms, &bytes[..3]), 0, 1), 1);
    let query = Query::of_constraints(&terms, &[odd, wanted]);
    let answer = solved(&terms, &query).expect("linear");
    assert!(matches!(answer, Answer::Sat(_)));
    check(&terms, &query, &[odd, wanted], &answer);
}

#[test]
fn bits_of_one_sum_contradict_each_other() {
    let terms = Terms::new();
    let sum = crc(&terms, &symbols(&terms, 6));
    let low = terms.extract(sum, 0, 8);
    let constraints = [
        terms.eq_const(terms.extract(sum, 0, 1), 1),
        terms.eq_const(low, 0x5a),
    ];
    let query = Query::of_constraints(&terms, &constraints);
    assert_eq!(solved(&terms, &query), Some(Answer::Unsat));
}

#[test]
fn what_is_not_linear_is_left_alone() {
    let terms = Terms::new();
    let bytes = symbols(&terms, 2);
    let sum = terms.bin(BinOp::Add, bytes[0], bytes[1]);
    let constraints = [terms.eq_const(sum, 7)];
    assert_eq!(
        solved(&terms, &Query::of_constraints(&terms, &constraints)),
        None
    );
    // Squares are not a linear map.
    let squares: Vec<u64> = (0..256u64).map(|value| value * value).collect();
    let index = terms.bin(BinOp::Xor, bytes[0], bytes[1]);
    let square = terms.table(&squares, 16, index);
    let constraints = [terms.eq_const(square, 81)];
    assert_eq!(
        solved(&terms, &Query::of_constraints(&terms, &constraints)),
        None
    );
}

#[test]
fn random_systems_agree_with_z3() {
    let mut z3 = Z3Backend::new(1024);
    let mut random = Pcg64::seed_from_u64(11);
    let (mut satisfiable, mut infeasible) = (0, 0);
    for _ in 0..200 {
        let terms = Terms::new();
        let bytes = symbols(&terms, 3);
        let constraints: Vec<Term> = (0..4)
            .map(|_| {
                let mut sum = terms.constant(8, random.random_range(0..256));
                for _ in 0..3 {
                    let mut part = bytes[random.random_range(0..3)];
                    let amount = terms.constant(8, random.random_range(0..8));
                    part = match random.random_range(0..4) {
                        0 => terms.bin(BinOp::Shl, part, amount),
                        1 => terms.bin(BinOp::AShr, part, amount),
                        2 => terms.bin(BinOp::And, part, terms.constant(8, 0x5c)),
                        _ => part,
                    };
                    sum = terms.bin(BinOp::Xor, sum, part);
                }
                let kept = terms.extract(sum, random.random_range(0..5), 3);
                let op = [CmpOp::Eq, CmpOp::Ne][usize::from(random.random_bool(0.3))];
                terms.cmp(op, kept, terms.constant(3, random.random_range(0..8)))
            })
            .filter(|term| terms.as_const(*term).is_none())
            .collect();
        if constraints.is_empty() {
            continue;
        }
        let mut first = ByteSet::EMPTY;
        for value in (0..=255u8).filter(|value| (value & 0x31).count_ones() % 2 == 1) {
            first.insert(value);
        }
        let query = Query::with_domains(&terms, &constraints, |byte| match byte.index {
            0 => first,
            _ => ByteSet::FULL,
        });
        let words = encode::encode(&terms, &query);
        let expected = z3.solve(&words, query.bytes.len());
        let Some(answer) = solved(&terms, &query) else {
            continue;
        };
        check(&terms, &query, &constraints, &answer);
        match answer {
            Answer::Unsat => {
                assert_eq!(expected, Answer::Unsat);
                infeasible += 1;
            }
            _ => satisfiable += 1,
        }
    }
    assert!(
        satisfiable > 50 && infeasible > 20,
        "{satisfiable} {infeasible}"
    );
}
