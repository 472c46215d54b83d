//! Real queries, recorded by homi in runs of coreutils: the whole chain, each layer alone and Z3
//! agree on them.
//!
//! The corpus is benchmarks/solver-corpus; `benchmarks/bench solver --record` makes it anew.

use crate::support::{files_with, root};
use homi::solver::term::{Term, Terms};
use homi::solver::{
    Check, Oracle, REPLAYED, RecordedQuery, Solver, SolverConfig, Z3Backend, read_queries,
    replay_alone,
};
use std::fs;
use std::time::Duration;

/// Interval of the replayed queries of the corpus; `benchmarks/bench solver` replays all.
const EVERY: usize = 3;

fn check_model(terms: &Terms, query: &RecordedQuery, answer: &Check) -> Option<bool> {
    match answer {
        Check::Sat(model) => {
            let holds = |assertion: &Term| terms.eval(*assertion, model) == 1;
            assert!(query.assertions.iter().all(holds), "a wrong model");
            Some(true)
        }
        Check::Unsat => Some(false),
        Check::Unknown(_) => None,
    }
}

#[test]
fn every_layer_agrees_with_z3_on_recorded_queries() {
    let mut z3 = Z3Backend::new(1024);
    let clock = &|| Duration::ZERO;
    let (mut replayed, mut answered) = (0, [0; REPLAYED.len()]);
    for file in files_with("smt2", &root().join("benchmarks/solver-corpus")) {
        let text = fs::read_to_string(&file).expect("a file of the corpus");
        let terms = Terms::new();
        let queries = read_queries(&terms, &text).expect("SMT-LIB that homi has written");
        let mut chain = Solver::with_backend(
            SolverConfig::default(),
            Some(Box::new(Z3Backend::new(1024))),
        );
        for (number, query) in queries.iter().enumerate().step_by(EVERY) {
            let at = format!("{} query {number}", file.display());
            assert!(query.path.holds(&terms, &query.model), "{at}");
            let expected = replay_alone("z3 alone", &terms, query, &mut z3, clock).satisfiable;
            let known = query.satisfiable;
            assert!(
                expected.is_none() || known.is_none() || expected == known,
                "{at}"
            );
            let (path, model) = (&query.path, &query.model);
            let answer = chain.check(&terms, path, model, query.condition);
            let found = check_model(&terms, query, &answer);
            assert!(
                found.is_none() || expected.is_none() || found == expected,
                "{at}"
            );
            for (layer, answered) in REPLAYED.iter().zip(&mut answered) {
                let alone = replay_alone(layer, &terms, query, &mut z3, clock).satisfiable;
                assert!(
                    alone.is_none() || expected.is_none() || alone == expected,
                    "{at}: {layer} says {alone:?}"
                );
                *answered += u64::from(alone.is_some());
            }
            replayed += 1;
        }
    }
    println!("{replayed} queries, answered alone: {REPLAYED:?} {answered:?}");
    assert!(replayed > 100, "{replayed}");
    assert!(answered.iter().all(|count| *count > 0), "{answered:?}");
}
