//! Random queries: no layer may disagree with Z3, and every model must satisfy its path.
//!
//! Paths grow by random conditions; each condition is asked of the chain without SMT, with other
//! efforts, and of Z3 in this process on the unsimplified query. Seeds are fixed; for a long run
//! set HOMI_FUZZ_PATHS to the number of paths (a path asks about 20 queries), as
//! `benchmarks/bench solver-fuzz` does.

use super::query::Query;
use super::search::{self, Found};
use super::tuning::Tuning;
use super::{
    Answer, Backend, Check, Oracle, PathCondition, Solver, SolverConfig, UnknownReason, Wanted,
    Z3Backend, encode, sat,
};
use crate::term::random_tests::Generator;
use crate::term::{Model, Term, Terms};
use homi_ir::ops::float::FloatKind;
use rand::RngExt;

/// Returns whether the constraints are satisfiable, by Z3 alone.
fn by_z3(terms: &Terms, constraints: &[Term], backend: &mut Z3Backend) -> Option<bool> {
    let query = Query::of_constraints(terms, constraints);
    let words = encode::encode(terms, &query);
    match backend.solve(&words, query.bytes.len()) {
        Answer::Sat(values) => {
            let mut model = Model::new();
            for (&byte, value) in query.bytes.iter().zip(values) {
                model.set(byte, value);
            }
            for &constraint in constraints {
                assert_eq!(terms.eval(constraint, &model), 1, "Z3's model is wrong");
            }
            Some(true)
        }
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// The SAT layer must say the same, and its model must hold; false if it is unknown.
fn sat_agrees(terms: &Terms, constraints: &[Term], expected: bool, seed: u64) -> bool {
    let query = Query::of_constraints(terms, constraints);
    let words = encode::encode(terms, &query);
    let limits = sat::Limits {
        effort: SolverConfig::default().sat_effort,
        deadline: None,
        memory: u64::MAX,
    };
    match sat::solve(&words, query.bytes.len(), limits, &Tuning::default()).0 {
        Answer::Sat(values) => {
            assert!(expected, "seed {seed}: a model where Z3 sees none");
            assert!(query.holds(terms, &values), "seed {seed}: a wrong model");
        }
        Answer::Unsat => assert!(!expected, "seed {seed}: Z3 has a model"),
        Answer::Unknown(_) => return false,
    }
    true
}

/// Walks one path; returns the number of queries and how many the chain left unanswered.
fn walk(seed: u64, conditions: usize, solver: &mut Solver, z3: &mut Z3Backend) -> (u64, u64) {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, seed, 4);
    generator.hard_width = 16;
    let mut path = PathCondition::new();
    let mut model = generator.models[0].clone();
    let (mut asked, mut unknown) = (0, 0);
    for _ in 0..conditions {
        for _ in 0..4 {
            generator.grow();
        }
        let condition = generator.condition();
        for condition in [condition, terms.not(condition)] {
            let mut all: Vec<Term> = path.iter().collect();
            all.push(condition);
            let Some(expected) = by_z3(&terms, &all, z3) else {
                continue;
            };
            asked += 1;
            match solver.check(&terms, &path, &model, condition) {
                Check::Sat(found) => {
                    assert!(expected, "seed {seed}: a model where Z3 sees none");
                    assert_eq!(terms.eval(condition, &found), 1, "seed {seed}");
                    assert!(path.holds(&terms, &found), "seed {seed}");
                }
                Check::Unsat => assert!(!expected, "seed {seed}: Z3 has a model"),
                Check::Unknown(UnknownReason::Incomplete) => unknown += 1,
                Check::Unknown(reason) => panic!("seed {seed}: {reason}"),
            }
        }
        let holds = terms.eval(condition, &model) == 1;
        path.add(
            &terms,
            if holds {
                condition
            } else {
                terms.not(condition)
            },
        );
        assert!(path.holds(&terms, &model), "seed {seed}");
        let term = generator.grow().term;
        if terms.width(term) <= 64 && generator.random.random_bool(0.3) {
            let (low, high) = solver.min_max(&terms, &path, &model, term, Wanted::EXACT);
            let value = terms.eval(term, &model);
            assert!(low <= value && value <= high, "seed {seed}");
            check_bounds(&terms, &path, term, (low, high), z3);
        }
    }
    let arrays = [terms.array("input", 0, 4)];
    let canonical = solver.canonical_model(&terms, &path, &arrays, &model);
    assert!(path.holds(&terms, &canonical), "seed {seed}");
    check_least(&terms, &path, &canonical, seed);
    model = canonical;
    assert!(path.holds(&terms, &model), "seed {seed}");
    (asked, unknown)
}

/// Fails if a value outside the bounds is possible.
fn check_bounds(
    terms: &Terms,
    path: &PathCondition,
    term: Term,
    bounds: (u128, u128),
    z3: &mut Z3Backend,
) {
    use homi_ir::ops::CmpOp;
    let width = terms.width(term);
    let below = terms.cmp(CmpOp::Ult, term, terms.constant(width, bounds.0));
    let above = terms.cmp(CmpOp::Ugt, term, terms.constant(width, bounds.1));
    for outside in [below, above] {
        let mut all: Vec<Term> = path.iter().collect();
        all.push(outside);
        assert_ne!(by_z3(terms, &all, z3), Some(true));
    }
}

/// No byte of a canonical model can be lowered while the others stay.
fn check_least(terms: &Terms, path: &PathCondition, model: &Model, seed: u64) {
    for (byte, value) in model.iter() {
        for lower in 0..value {
            let mut other = model.clone();
            other.set(byte, lower);
            assert!(
                !path.holds(terms, &other),
                "seed {seed}: {byte:?} can be {lower}"
            );
        }
    }
}

/// Paths to walk for each effort.
fn paths() -> u64 {
    let wanted = std::env::var("HOMI_FUZZ_PATHS").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(30)
}

#[test]
fn no_layer_disagrees_with_z3() {
    let mut z3 = Z3Backend::new(1024);
    let (mut asked, mut unknown) = (0, 0);
    // Little effort sends queries to the later layers, much effort decides them by search.
    for (effort, first) in [(2_000, 0), (100_000, 1 << 32)] {
        let config = SolverConfig {
            search_effort: effort,
            sat_effort: 0,
            check_models: true,
            ..SolverConfig::default()
        };
        let mut solver = Solver::new(config);
        for seed in first..first + paths() {
            let (some, open) = walk(seed, 8, &mut solver, &mut z3);
            asked += some;
            unknown += open;
        }
    }
    println!("{asked} queries, {unknown} beyond the chain without SMT, no disagreement");
    assert!(asked > 500, "{asked} queries");
    assert!(unknown * 5 < asked, "{unknown} of {asked} left open");
}

/// Asks about random floating-point terms of the given formats, with a time limit each. Returns the
/// numbers of queries that Z3 answered and did not answer.
fn ask_about_floats(seed: u64, floats: &'static [FloatKind], solver: &mut Solver) -> (u64, u64) {
    let mut z3 = Z3Backend::new(2048);
    z3.set_limits(std::time::Duration::from_secs(2), 0);
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, seed, 4);
    (generator.floats, generator.hard_width) = (floats, 16);
    generator.widths = &[1, 8, 16, 32];
    let model = generator.models[0].clone();
    let path = PathCondition::new();
    let (mut answered, mut open) = (0, 0);
    for _ in 0..6 {
        generator.grow();
    }
    for _ in 0..4 {
        generator.grow();
        generator.grow();
        let condition = generator.condition();
        for condition in [condition, terms.not(condition)] {
            // `by_z3` evaluates Z3's models.
            let Some(expected) = by_z3(&terms, &[condition], &mut z3) else {
                open += 1;
                continue;
            };
            answered += 1;
            let satisfied = generator
                .models
                .iter()
                .any(|model| terms.eval(condition, model) == 1);
            assert!(
                expected || !satisfied,
                "seed {seed}: Z3 refutes what a model satisfies"
            );
            match solver.check(&terms, &path, &model, condition) {
                Check::Sat(_) => assert!(expected, "seed {seed}: a model where Z3 sees none"),
                Check::Unsat => assert!(!expected, "seed {seed}: Z3 has a model"),
                Check::Unknown(_) => {}
            }
        }
    }
    (answered, open)
}

#[test]
fn floating_point_means_the_same_to_z3() {
    let config = SolverConfig {
        search_effort: 20_000,
        check_models: true,
        ..SolverConfig::default()
    };
    let mut solver = Solver::new(config);
    let small: &[FloatKind] = &[FloatKind::F16, FloatKind::BF16, FloatKind::F32];
    let (mut answered, mut open) = (0, 0);
    for seed in 0..paths() {
        let formats = if seed % 3 == 0 {
            &FloatKind::ALL
        } else {
            small
        };
        let (some, others) = ask_about_floats(seed, formats, &mut solver);
        answered += some;
        open += others;
    }
    println!("{answered} queries with floating point, {open} that Z3 left open, no disagreement");
    assert!(
        answered > 100 && open < answered,
        "{answered} answered, {open} open"
    );
}

#[test]
fn with_z3_in_the_chain_nothing_is_left_open() {
    let mut z3 = Z3Backend::new(1024);
    let config = SolverConfig {
        search_effort: 500,
        sat_effort: 0,
        ..SolverConfig::default()
    };
    let mut solver = Solver::with_backend(config, Some(Box::new(Z3Backend::new(1024))));
    for seed in 200..215 {
        let (asked, unknown) = walk(seed, 8, &mut solver, &mut z3);
        assert_eq!(unknown, 0, "of {asked}");
    }
    assert!(solver.statistics().smt_calls > 0);
}

#[test]
fn with_sat_in_the_chain_little_is_left_open() {
    let mut z3 = Z3Backend::new(1024);
    let config = SolverConfig {
        search_effort: 500,
        check_models: true,
        ..SolverConfig::default()
    };
    let mut solver = Solver::new(config);
    let (mut asked, mut unknown) = (0, 0);
    for seed in 300..300 + paths() {
        let (some, open) = walk(seed, 8, &mut solver, &mut z3);
        asked += some;
        unknown += open;
    }
    assert!(solver.statistics().layer(super::Layer::Sat).answered > 20);
    assert!(unknown * 50 < asked, "{unknown} of {asked}");
}

#[test]
fn circuits_say_what_z3_says() {
    let mut z3 = Z3Backend::new(1024);
    let (mut asked, mut unknown) = (0, 0);
    for seed in 0..4 * paths() {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, 6);
        generator.hard_width = 16;
        for _ in 0..12 {
            generator.grow();
        }
        for _ in 0..3 {
            let mut constraints: Vec<Term> = (0..3).map(|_| generator.condition()).collect();
            for _ in 0..2 {
                if let Some(expected) = by_z3(&terms, &constraints, &mut z3) {
                    asked += 1;
                    unknown += u64::from(!sat_agrees(&terms, &constraints, expected, seed));
                }
                constraints[2] = terms.not(constraints[2]);
            }
        }
    }
    println!("{asked} queries, {unknown} too hard for the SAT layer, no disagreement");
    assert!(asked > 300 && unknown * 50 < asked, "{unknown} of {asked}");
}

#[test]
fn a_search_that_answers_is_exact() {
    let mut z3 = Z3Backend::new(1024);
    let mut answered = 0;
    for seed in 0..60 {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, 2);
        generator.hard_width = 16;
        for _ in 0..20 {
            generator.grow();
        }
        let constraints: Vec<Term> = (0..3).map(|_| generator.condition()).collect();
        let query = Query::of_constraints(&terms, &constraints);
        let expected = by_z3(&terms, &constraints, &mut z3);
        let [staged, propagating] = search::each_way(&terms, &query, 100_000_000);
        assert_ne!(propagating, Found::GaveUp, "seed {seed}: two bytes");
        // Operations above 64 bits are not for the staged search.
        answered += u32::from(staged != Found::GaveUp);
        for found in [staged, propagating] {
            match found {
                Found::Sat(_) => assert_ne!(expected, Some(false), "seed {seed}"),
                Found::Unsat => assert_ne!(expected, Some(true), "seed {seed}"),
                Found::GaveUp => {}
            }
        }
    }
    assert!(answered > 20, "only {answered} staged searches answered");
}

#[test]
fn scripts_mean_what_the_terms_mean() {
    let mut z3 = Z3Backend::new(1024);
    let mut compared = 0;
    for seed in 500..540 {
        let terms = Terms::new();
        let mut generator = Generator::new(&terms, seed, 3);
        generator.hard_width = 16;
        if seed >= 530 {
            generator.floats = &[FloatKind::F16, FloatKind::F32, FloatKind::X87];
        }
        for _ in 0..25 {
            generator.grow();
        }
        let constraints: Vec<Term> = (0..3).map(|_| generator.condition()).collect();
        let script = crate::term::smtlib::print(&terms, &constraints);
        let expected = by_z3(&terms, &constraints, &mut z3);
        let found = super::smt::z3::check_text(&script);
        if let (Some(expected), Some(found)) = (expected, found) {
            assert_eq!(found, expected, "seed {seed}: {script}");
            compared += 1;
        }
    }
    assert!(compared > 30, "only {compared} scripts were compared");
}
