//! Reactions of the searcher to single updates.

use super::searcher::searcher;
use super::testing::nothing;
use super::{Statistics, StrategyChoice};
use homi_explore::search::{Added, Clock, Fork, Left, Metrics, Searcher, StateId, Update};
use homi_ir::program::Program;
use std::sync::Arc;

/// Returns a searcher with `bfs` and one root, state 0, which is its current state.
fn begun() -> (Box<dyn Searcher>, Arc<Statistics>) {
    let choice = StrategyChoice::parse("bfs").unwrap();
    let (mut searcher, statistics) = searcher(&choice, &Program::empty("none.bc"), 1, &[]);
    let root = added(0, None, None, false);
    add(&mut *searcher, None, &[root]);
    assert_eq!(searcher.select(Clock::default()), Some(StateId(0)));
    (searcher, statistics)
}

fn added(id: u32, parent: Option<u32>, sides: Option<(u32, u32)>, pending: bool) -> Added {
    Added {
        id: StateId(id),
        parent: parent.map(StateId),
        metrics: Metrics::default(),
        fork: sides.map(|(kept, taken)| Fork { kept, taken }),
        pending,
        ends: false,
    }
}

/// Returns the failing side of a check.
fn failing(id: u32, parent: u32) -> Added {
    Added {
        ends: true,
        ..added(id, Some(parent), None, false)
    }
}

fn add(searcher: &mut dyn Searcher, current: Option<u32>, added: &[Added]) {
    searcher.update(&Update {
        current: current.map(|id| (StateId(id), Metrics::default())),
        added,
        ..nothing()
    });
}

fn end(searcher: &mut dyn Searcher, id: u32) {
    searcher.update(&Update {
        removed: &[StateId(id)],
        left: Some(Left::Ended(StateId(id))),
        ..nothing()
    });
}

fn selected(searcher: &mut dyn Searcher) -> Option<u32> {
    searcher.select(Clock::default()).map(|id| id.0)
}

#[test]
fn one_state_runs_to_the_end_of_its_path() {
    let (mut searcher, statistics) = begun();
    add(
        &mut *searcher,
        Some(0),
        &[added(1, Some(0), Some((0, 1)), true)],
    );
    add(
        &mut *searcher,
        Some(0),
        &[added(2, Some(0), Some((2, 3)), true)],
    );
    add(&mut *searcher, Some(0), &[]);
    assert_eq!(selected(&mut *searcher), Some(0));
    end(&mut *searcher, 0);
    // Chosen and queried; the state continues only after the answer.
    assert_eq!(selected(&mut *searcher), Some(1));
    assert_eq!(statistics.tally().negations.feasible, 0);
    add(&mut *searcher, Some(1), &[]);
    assert_eq!(statistics.tally().negations.feasible, 1);
    assert_eq!(selected(&mut *searcher), Some(1));
    end(&mut *searcher, 1);
    assert_eq!(selected(&mut *searcher), Some(2));
    end(&mut *searcher, 2);
    assert_eq!(selected(&mut *searcher), None);
    assert!(searcher.is_empty());
    let tally = statistics.tally();
    assert_eq!((tally.executions, tally.negations.feasible), (3, 2));
}

#[test]
fn the_failing_side_of_a_check_runs_at_once() {
    let (mut searcher, statistics) = begun();
    add(&mut *searcher, Some(0), &[failing(1, 0)]);
    assert_eq!(selected(&mut *searcher), Some(1));
    end(&mut *searcher, 1);
    assert_eq!(selected(&mut *searcher), Some(0));
    end(&mut *searcher, 0);
    assert_eq!(selected(&mut *searcher), None);
    let tally = statistics.tally();
    assert_eq!(
        (tally.executions, tally.side_ends, tally.negations.feasible),
        (1, 1, 0)
    );
}

#[test]
fn a_choice_of_a_value_waits_though_it_is_known_to_be_possible() {
    let (mut searcher, statistics) = begun();
    add(&mut *searcher, Some(0), &[added(1, Some(0), None, false)]);
    assert_eq!(selected(&mut *searcher), Some(0));
    end(&mut *searcher, 0);
    assert_eq!(selected(&mut *searcher), Some(1));
    end(&mut *searcher, 1);
    assert_eq!(selected(&mut *searcher), None);
    let tally = statistics.tally();
    assert_eq!(
        (tally.executions, tally.side_ends, tally.negations.feasible),
        (2, 0, 1)
    );
}

#[test]
fn a_failing_side_that_goes_on_after_all_waits_as_a_root() {
    let (mut searcher, statistics) = begun();
    add(&mut *searcher, Some(0), &[failing(1, 0)]);
    assert_eq!(selected(&mut *searcher), Some(1));
    add(
        &mut *searcher,
        Some(1),
        &[added(2, Some(1), Some((4, 5)), true)],
    );
    assert_eq!(selected(&mut *searcher), Some(0));
    end(&mut *searcher, 0);
    assert_eq!(selected(&mut *searcher), Some(1));
    end(&mut *searcher, 1);
    assert_eq!(selected(&mut *searcher), Some(2));
    end(&mut *searcher, 2);
    assert_eq!(selected(&mut *searcher), None);
    let tally = statistics.tally();
    assert_eq!(
        (tally.executions, tally.side_ends, tally.negations.feasible),
        (3, 0, 1)
    );
}

#[test]
fn roots_run_before_branches_oldest_first() {
    let (mut searcher, _) = begun();
    add(
        &mut *searcher,
        Some(0),
        &[added(1, Some(0), Some((0, 1)), true)],
    );
    let sources = [added(2, None, None, false), added(3, None, None, false)];
    add(&mut *searcher, None, &sources);
    // A state whose parent is unknown is also a root.
    add(
        &mut *searcher,
        None,
        &[added(4, Some(99), Some((0, 1)), true)],
    );
    assert_eq!(selected(&mut *searcher), Some(0));
    for next in [2, 3, 4, 1] {
        let now = searcher.select(Clock::default()).unwrap();
        end(&mut *searcher, now.0);
        assert_eq!(selected(&mut *searcher), Some(next));
    }
}

#[test]
fn a_run_that_ends_from_outside_is_not_counted() {
    let (mut searcher, statistics) = begun();
    add(
        &mut *searcher,
        Some(0),
        &[added(1, Some(0), Some((0, 1)), true)],
    );
    let remove = |searcher: &mut dyn Searcher, id| {
        searcher.update(&Update {
            removed: &[StateId(id)],
            ..nothing()
        });
    };
    remove(&mut *searcher, 0);
    assert_eq!(selected(&mut *searcher), Some(1));
    remove(&mut *searcher, 1);
    assert_eq!(selected(&mut *searcher), None);
    let tally = statistics.tally();
    assert_eq!(
        (tally.executions, tally.cut, tally.negations.dropped),
        (0, 1, 1)
    );
}

#[test]
fn it_names_itself_with_its_strategy() {
    let choice = StrategyChoice::parse("dfs:7").unwrap();
    let (searcher, _) = searcher(&choice, &Program::empty("none.bc"), 1, &[]);
    assert_eq!(searcher.describe(), "concolic dfs:7\n");
}
