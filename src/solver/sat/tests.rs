//! Circuits of every operator against `ops`, whole queries against Z3 (in `fuzz`).

use super::{Limits, solve};
use crate::backend::Answer;
use crate::encode::encode;
use crate::oracle::UnknownReason;
use crate::query::Query;
use crate::term::{Byte, Term, Terms};
use crate::tuning::Tuning;
use homi_ir::ops::{BinOp, CmpOp, eval_bin, eval_cmp, mask};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const ENOUGH: Limits = Limits {
    effort: u64::MAX,
    deadline: None,
    memory: u64::MAX,
};

fn ask(terms: &Terms, constraints: &[Term], limits: Limits) -> Answer {
    let query = Query::of_constraints(terms, constraints);
    let words = encode(terms, &query);
    let (answer, _) = solve(&words, query.bytes.len(), limits, &Tuning::default());
    if let Answer::Sat(values) = &answer {
        assert!(query.holds(terms, values), "the model is wrong");
    }
    answer
}

/// A number of `width` bits made of symbolic bytes.
fn number(terms: &Terms, name: &str, width: u32) -> Term {
    let count = width.div_ceil(8);
    let array = terms.array(name, 0, count);
    let byte = |index| terms.symbol(Byte { array, index });
    let whole = (1..count).fold(byte(0), |low, index| terms.concat(byte(index), low));
    terms.extract(whole, 0, width)
}

/// Values that carry, borrow and shift in different ways.
fn operands(width: u32, random: &mut Pcg64Mcg) -> Vec<u128> {
    let top = 1u128 << (width - 1);
    let mut values = vec![
        0,
        1,
        2,
        u128::from(width),
        u128::from(width) + 1,
        top,
        top - 1,
    ];
    values.push(mask(width));
    values.extend((0..3).map(|_| random.random::<u128>() >> random.random_range(0..128)));
    values.iter_mut().for_each(|value| *value &= mask(width));
    values
}

#[test]
fn operators_are_those_of_the_interpreter() {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    for width in [1u32, 3, 8, 13, 32, 65] {
        let terms = Terms::new();
        let (a, b) = (number(&terms, "a", width), number(&terms, "b", width));
        let is = |term: Term, value: u128| {
            terms.cmp(CmpOp::Eq, term, terms.constant(terms.width(term), value))
        };
        for x in operands(width, &mut random) {
            for y in operands(width, &mut random) {
                let fixed = [is(a, x), is(b, y)];
                let mut results: Vec<(Term, u128)> = Vec::new();
                for op in BinOp::ALL {
                    results.push((terms.bin(op, a, b), eval_bin(op, width, x, y)));
                }
                for op in CmpOp::ALL {
                    let result = eval_cmp(op, width, x, y);
                    results.push((terms.cmp(op, a, b), result.into()));
                }
                // Wrong results together: one that is possible would be found.
                let wrong = results
                    .iter()
                    .map(|&(term, value)| terms.not(is(term, value)))
                    .reduce(|x, y| terms.bin(BinOp::Or, x, y));
                let query = [&fixed[..], &[wrong.unwrap()]].concat();
                let answer = ask(&terms, &query, ENOUGH);
                assert_eq!(answer, Answer::Unsat, "{width} bits: {x:#x}, {y:#x}");
                let right = results.iter().map(|&(term, value)| is(term, value));
                let query: Vec<Term> = fixed.into_iter().chain(right).collect();
                let answer = ask(&terms, &query, ENOUGH);
                assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
            }
        }
    }
}

#[test]
fn tables_have_zeros_beyond_their_end() {
    let terms = Terms::new();
    let index = number(&terms, "index", 8);
    let elements: Vec<u64> = (0..100).map(|index| index * index % 61).collect();
    let element = terms.table(&elements, 16, index);
    for value in 0..61u128 {
        let is = terms.cmp(CmpOp::Eq, element, terms.constant(16, value));
        let high = terms.cmp(CmpOp::Ugt, index, terms.constant(8, 2));
        let possible = elements.iter().skip(3).any(|&e| u128::from(e) == value) || value == 0;
        let answer = ask(&terms, &[is, high], ENOUGH);
        assert_eq!(matches!(answer, Answer::Sat(_)), possible, "{value}");
    }
}

#[test]
fn too_many_conflicts_are_unknown() {
    let terms = Terms::new();
    let (a, b) = (number(&terms, "a", 32), number(&terms, "b", 32));
    let wide = |term| terms.zext(term, 64);
    let product = terms.bin(BinOp::Mul, wide(a), wide(b));
    // The product of two primes.
    let wanted = terms.constant(64, 2_654_435_761 * 3_266_489_917);
    let small = terms.cmp(CmpOp::Ugt, a, terms.constant(32, 1));
    let query = [terms.cmp(CmpOp::Eq, product, wanted), small];
    let limits = Limits {
        effort: 1,
        ..ENOUGH
    };
    assert_eq!(
        ask(&terms, &query, limits),
        Answer::Unknown(UnknownReason::Timeout)
    );
}

#[test]
fn equal_queries_cost_the_same() {
    let terms = Terms::new();
    let cost = |prime: u128| {
        let (a, b) = (number(&terms, "a", 16), number(&terms, "b", 16));
        let wide = |term| terms.zext(term, 32);
        let product = terms.bin(BinOp::Mul, wide(a), wide(b));
        let small = terms.cmp(CmpOp::Ugt, a, terms.constant(16, 1));
        let is = terms.cmp(CmpOp::Eq, product, terms.constant(32, prime));
        let query = Query::of_constraints(&terms, &[is, small]);
        let words = encode(&terms, &query);
        solve(&words, query.bytes.len(), ENOUGH, &Tuning::default()).1
    };
    let first = cost(50_021 * 49_999);
    assert_eq!(first, cost(50_021 * 49_999));
    assert!(first.clauses > 1_000 && first.looks > 10, "{first:?}");
}

#[test]
fn other_requests_than_queries_are_refused() {
    for words in [&[][..], &[1], &[1, 0, 8], &[1, 16, 8, 0, 0], &[0, 1, 5, 0]] {
        let (answer, _) = solve(words, 0, ENOUGH, &Tuning::default());
        let refused = Answer::Unknown(UnknownReason::BackendFailure(
            "the query is malformed".to_string(),
        ));
        assert_eq!(answer, refused, "{words:?}");
    }
}

#[test]
fn conjunctions_that_share_parts_are_taken_apart_once() {
    // Each level holds the one below twice: 2^60 ways down.
    let terms = Terms::new();
    let array = terms.array("s", 0, 121);
    let odd = |index| terms.extract(terms.symbol(Byte { array, index }), 0, 1);
    let whole = (0..60).fold(odd(0), |whole, level| {
        let left = terms.bin(BinOp::And, whole, odd(1 + 2 * level));
        let right = terms.bin(BinOp::And, whole, odd(2 + 2 * level));
        terms.bin(BinOp::And, left, right)
    });
    assert!(matches!(ask(&terms, &[whole], ENOUGH), Answer::Sat(_)));
}
