//! Real questions, recorded by homi in runs of coreutils: the whole ladder, each layer alone and Z3
//! agree on them.
//!
//! The corpus is benchmarks/solver-corpus; `benchmarks/bench solver --record` makes it anew.

use crate::support::{files_with, root};
use homi::solver::term::{Term, Terms};
use homi::solver::{
    Check, Oracle, REPLAYED, RecordedQuestion, Solver, SolverConfig, Z3Backend, read_questions,
    replay_alone,
};
use std::fs;
use std::time::Duration;

/// Every so many-th question of the corpus is replayed here, all by `benchmarks/bench solver`.
const EVERY: usize = 3;

fn check_model(terms: &Terms, question: &RecordedQuestion, answer: &Check) -> Option<bool> {
    match answer {
        Check::Sat(model) => {
            let holds = |assertion: &Term| terms.eval(*assertion, model) == 1;
            assert!(question.assertions.iter().all(holds), "a wrong model");
            Some(true)
        }
        Check::Unsat => Some(false),
        Check::Unknown(_) => None,
    }
}

#[test]
fn every_layer_agrees_with_z3_on_recorded_questions() {
    let mut z3 = Z3Backend::new(1024);
    let clock = &|| Duration::ZERO;
    let (mut replayed, mut answered) = (0, [0; REPLAYED.len()]);
    for file in files_with("smt2", &root().join("benchmarks/solver-corpus")) {
        let text = fs::read_to_string(&file).expect("a file of the corpus");
        let terms = Terms::new();
        let questions = read_questions(&terms, &text).expect("SMT-LIB that homi has written");
        let mut ladder = Solver::with_backend(
            SolverConfig::default(),
            Some(Box::new(Z3Backend::new(1024))),
        );
        for (number, question) in questions.iter().enumerate().step_by(EVERY) {
            let at = format!("{} question {number}", file.display());
            assert!(question.path.holds(&terms, &question.model), "{at}");
            let expected = replay_alone("z3 alone", &terms, question, &mut z3, clock).satisfiable;
            let known = question.satisfiable;
            assert!(
                expected.is_none() || known.is_none() || expected == known,
                "{at}"
            );
            let (path, model) = (&question.path, &question.model);
            let answer = ladder.check(&terms, path, model, question.condition);
            let found = check_model(&terms, question, &answer);
            assert!(
                found.is_none() || expected.is_none() || found == expected,
                "{at}"
            );
            for (layer, answered) in REPLAYED.iter().zip(&mut answered) {
                let alone = replay_alone(layer, &terms, question, &mut z3, clock).satisfiable;
                assert!(
                    alone.is_none() || expected.is_none() || alone == expected,
                    "{at}: {layer} says {alone:?}"
                );
                *answered += u64::from(alone.is_some());
            }
            replayed += 1;
        }
    }
    println!("{replayed} questions, answered alone: {REPLAYED:?} {answered:?}");
    assert!(replayed > 100, "{replayed}");
    assert!(answered.iter().all(|count| *count > 0), "{answered:?}");
}
