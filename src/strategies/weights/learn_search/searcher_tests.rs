//! Trials over records give the results of separate runs, even if states are lost.

use super::board::Board;
use super::journal::{Journal, Request};
use super::learning::{Learning, Next};
use super::plan::Plan;
use super::searcher::{SearcherMaker, TrialSearcher};
use super::testing::SmallEngine;
use super::trial::{Reached, TrialId};
use crate::concolic::{StrategyChoice, searcher};
use homi_ir::program::Program;
use std::collections::BTreeMap;
use std::sync::Arc;

const EXECUTIONS: u64 = 9;
const DEPTH: usize = 6;

fn refuted(node: &str) -> bool {
    node.ends_with("101") || node.ends_with("0011")
}

fn plan() -> Plan {
    Plan {
        features: 2,
        samples: 12,
        best: 3,
        trials: 4,
        seed: 5,
        resets: false,
    }
}

/// Returns a maker of strategies that choose at random; the first weight selects the strategy.
fn maker() -> SearcherMaker {
    Arc::new(|weights: &[f64], seed: u64| {
        let name = if weights[0] > 0.0 {
            "random-branch"
        } else {
            "generational"
        };
        let choice = StrategyChoice::parse(name).expect("there is such a strategy");
        searcher(&choice, &Program::empty("small.bc"), seed, &[]).0
    })
}

fn board(directory: &tempfile::TempDir) -> Arc<Board> {
    let request = Request {
        program: String::new(),
        options: Vec::new(),
        arguments: Vec::new(),
    };
    let journal = Journal::create(&directory.path().join("j"), &request).expect("a file");
    let learning = Learning::new(plan());
    let listener = Box::new(|_: &super::Progress| {});
    Arc::new(Board::new(learning, journal, listener, Arc::default()))
}

/// Returns the result of each trial with a separate engine.
fn alone() -> BTreeMap<TrialId, Reached> {
    let (mut learning, make) = (Learning::new(plan()), maker());
    let mut all = BTreeMap::new();
    while let Next::Trial(trial) = learning.take() {
        let mut searcher = make(&trial.weights, trial.seed);
        let mut engine = SmallEngine::new(DEPTH, refuted, &mut *searcher);
        while (engine.ended.len() as u64) < EXECUTIONS && engine.turn(&mut *searcher) {}
        let reached = Reached {
            branches: engine.covered.len() as u64,
            executions: engine.ended.len() as u64,
        };
        all.insert(trial.id, reached);
        learning.end(trial.id, reached);
    }
    all
}

fn journal(directory: &tempfile::TempDir) -> BTreeMap<TrialId, Reached> {
    let text = std::fs::read_to_string(directory.path().join("j")).expect("a journal");
    let lines = text.lines().skip(1).map(|line| {
        let id: TrialId = serde_json::from_str(line).expect("a trial");
        let reached: Reached = serde_json::from_str(line).expect("what it reached");
        (id, reached)
    });
    lines.collect()
}

#[test]
fn trials_over_records_reach_what_runs_of_their_own_reach() {
    let directory = tempfile::tempdir().expect("a directory");
    let board = board(&directory);
    let mut searcher = TrialSearcher::new(Arc::clone(&board), maker(), EXECUTIONS, true);
    let mut engine = SmallEngine::new(DEPTH, refuted, &mut searcher);
    while engine.turn(&mut searcher) {}
    drop(searcher);
    assert!(!board.goes_on());
    let expected = alone();
    assert_eq!(journal(&directory), expected);
    let executions: u64 = expected.values().map(|reached| reached.executions).sum();
    let board = Arc::into_inner(board).expect("nobody else holds it");
    let usage = board.finish().usage;
    assert_eq!(usage.executions, executions);
    // Each path is run once.
    assert_eq!(usage.executions_run, engine.ended.len() as u64);
    assert!(usage.executions_run < executions / 3, "{usage:?}");
}

#[test]
fn a_tree_that_dropped_states_restarts_and_nothing_changes() {
    let directory = tempfile::tempdir().expect("a directory");
    let board = board(&directory);
    let mut trees = 0;
    while board.goes_on() {
        trees += 1;
        let mut searcher = TrialSearcher::new(Arc::clone(&board), maker(), EXECUTIONS, true);
        let mut engine = SmallEngine::new(DEPTH, refuted, &mut searcher);
        let mut turns = 0;
        while engine.turn(&mut searcher) {
            turns += 1;
            // Long after its first trial.
            if turns == 60 {
                engine.give_up_half(&mut searcher);
            }
        }
    }
    assert!(trees > 1);
    assert_eq!(journal(&directory), alone());
}

#[test]
fn a_trial_that_alone_fills_the_memory_goes_on_with_what_is_left() {
    let directory = tempfile::tempdir().expect("a directory");
    let board = board(&directory);
    let mut searcher = TrialSearcher::new(Arc::clone(&board), maker(), EXECUTIONS, true);
    let mut engine = SmallEngine::new(DEPTH, refuted, &mut searcher);
    for _ in 0..12 {
        assert!(engine.turn(&mut searcher));
    }
    engine.give_up_half(&mut searcher);
    while engine.turn(&mut searcher) {}
    drop(searcher);
    assert_eq!(journal(&directory).len(), 1);
    let board = Arc::into_inner(board).expect("nobody else holds it");
    let finished = board.finish();
    assert_eq!((finished.usage.trials, finished.usage.cut), (1, 1));
    assert!(!finished.is_complete);
}
