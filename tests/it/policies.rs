//! Policies that live outside of homi: a search heuristic with a number of its own, a pruner, a
//! test selector, a source of states and an extension, each registered through the public interface
//! and run in whole sessions. `docs/internals/adding-things.md` takes them as its examples.

use crate::support::TestDir;
use homi::app::session::{self, Caller};
use homi::config::{DistanceWeights, RunConfig};
use homi::explore::engine::{PolicyMakers, SourceMaker};
use homi::explore::extensions::{
    Batch, Extension, ExtensionMaker, ExtensionStart, ExtensionView, Leaving, Ran,
};
use homi::explore::prune::{OpenStates, Pruned, Pruner};
use homi::explore::search::{Choice, Clock, HeuristicRow, Metrics, Needs, StateId, Weight};
use homi::explore::select::{EndedPath, TestSelector, Verdict, Worth};
use homi::explore::sources::{RunView, SourceStart, StateSource};
use homi::machine::state::State;
use homi::native::testcase::WriteError;
use homi::report::Summary;
use rand_pcg::Pcg64;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Six bytes, each compared once: 64 paths, whose exit status is the number of large bytes.
const BYTES: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char in[6];
  int large = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 6; i++)
    if (in[i] > 100) large++;
  return large;
}
"#;

/// The configuration that these arguments of `homi run` ask for.
fn config(arguments: &[OsString]) -> RunConfig {
    let command = homi::app::options::augment(clap::Command::new("run"));
    let typed = command
        .try_get_matches_from(arguments)
        .expect("arguments of `homi run`");
    homi::app::options::resolve(&typed, None).expect("options that fit each other")
}

/// Runs the program with policies of the test's own.
fn run(directory: &Path, program: &Path, arguments: &[&str], policies: PolicyMakers) -> Summary {
    let mut all: Vec<OsString> = vec!["run".into(), "--quiet".into(), "--output-dir".into()];
    all.push(directory.into());
    all.extend(["--libc", "none"].map(OsString::from));
    all.extend(arguments.iter().map(OsString::from));
    all.push(program.into());
    let caller = Caller {
        policies,
        ..Caller::default()
    };
    let report = session::run(&config(&all), &caller).expect("a session");
    assert!(report.failure.is_none(), "{:?}", report.failure);
    report.summary
}

/// The program in a place of its own, run with these policies.
fn explore(arguments: &[&str], policies: PolicyMakers) -> Summary {
    let place = TestDir::new();
    let program = place.compile("bytes", BYTES);
    run(&place.path("out"), &program, arguments, policies)
}

/// States of long path conditions, which no heuristic of homi looks at.
const LONG_PATHS: HeuristicRow = HeuristicRow {
    name: "long-paths",
    help: "states of many constraints",
    choice: Choice::ByWeight(Weight {
        of: |metrics: &Metrics| (40.0 * metrics.own).exp2(),
        shared_by_location: None,
        changes_by_running: true,
        needs: Needs::NOTHING,
    }),
};

/// Heuristic that prefers states with few constraints.
const SHORT_PATHS: HeuristicRow = HeuristicRow {
    name: "short-paths",
    help: "states of few constraints",
    choice: Choice::ByWeight(Weight {
        of: |metrics: &Metrics| (-40.0 * metrics.own).exp2(),
        shared_by_location: None,
        changes_by_running: true,
        needs: Needs::NOTHING,
    }),
};

/// A heuristic that looks at the number of constraints.
fn by_constraints(row: HeuristicRow) -> PolicyMakers {
    let searcher = move |config: &RunConfig| {
        let generator = Pcg64::new(u128::from(config.search.seed), 1);
        row.searcher(DistanceWeights::PerState, generator)
    };
    PolicyMakers {
        searcher: Some(Arc::new(searcher)),
        number: Some(Arc::new(|state: &State| state.path.iter().count() as f64)),
        ..PolicyMakers::default()
    }
}

#[test]
fn a_heuristic_with_a_number_of_its_own_chooses() {
    let long = explore(&[], by_constraints(LONG_PATHS));
    let short = explore(&[], by_constraints(SHORT_PATHS));
    assert_eq!((long.paths.completed, short.paths.completed), (64, 64));
    // One path after the other, or all of them side by side.
    assert!(long.states_peak <= 8, "{}", long.states_peak);
    assert!(short.states_peak >= 32, "{}", short.states_peak);
}

/// Keeps at most N states; prunes those with the most forks.
struct AtMost(usize);

impl Pruner for AtMost {
    fn is_due(&mut self, _clock: Clock, states: usize) -> bool {
        states > self.0
    }

    fn choose(&mut self, open: &dyn OpenStates, _clock: Clock) -> Option<Pruned> {
        let depth = |id: &StateId| open.metrics(*id).map(|metrics| metrics.depth);
        let mut states = open.candidates();
        states.sort_by_key(depth);
        let leaving = states.split_off(self.0.min(states.len()));
        Some(Pruned {
            states: leaving,
            ..Pruned::default()
        })
    }
}

#[test]
fn a_pruner_removes_states_of_a_single_run() {
    let policies = PolicyMakers {
        pruner: Some(Arc::new(|_: &RunConfig| Box::new(AtMost(4)))),
        ..PolicyMakers::default()
    };
    let summary = explore(&["--search", "bfs"], policies);
    assert!(summary.states_peak <= 8, "{}", summary.states_peak);
    assert!(summary.paths.pruned > 0 && summary.paths.completed < 64);
    assert_eq!(summary.stop_reason, "no-states-left");
}

/// A test for each path that ends with an odd status.
struct OddStatuses;

impl TestSelector for OddStatuses {
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict {
        match path.exit_status() {
            Some(status) if status % 2 == 1 => Verdict {
                test: Worth::Always,
                describes_bug: false,
            },
            _ => Verdict::NOTHING,
        }
    }

    fn may_want(&self, path: &EndedPath<'_>) -> bool {
        path.exit_status().is_none_or(|status| status % 2 == 1)
    }
}

#[test]
fn a_selector_says_which_paths_become_tests() {
    let policies = PolicyMakers {
        selector: Some(Arc::new(|_: &RunConfig| Box::new(OddStatuses))),
        ..PolicyMakers::default()
    };
    let summary = explore(&[], policies);
    // 6 paths with one large byte, 20 with three, 6 with five.
    assert_eq!((summary.paths.completed, summary.tests), (64, 32));
}

/// Restarts the program when no states are left, up to N times.
struct Again {
    start: State,
    times: u32,
}

impl StateSource for Again {
    fn refill(&mut self, run: &mut dyn RunView) -> bool {
        if self.times == 0 {
            return false;
        }
        self.times -= 1;
        run.add_state(Box::new(self.start.clone()));
        true
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        visit(&self.start);
    }
}

#[test]
fn a_source_gives_a_run_states() {
    let again: SourceMaker = Arc::new(|start: &SourceStart<'_>| {
        Some(Box::new(Again {
            start: start.entry_state.state.clone(),
            times: 2,
        }))
    });
    let policies = PolicyMakers {
        sources: vec![again],
        ..PolicyMakers::default()
    };
    let summary = explore(&[], policies);
    assert_eq!(summary.paths.completed, 3 * 64);
    assert_eq!(summary.stop_reason, "exhausted");
}

#[test]
fn policies_of_the_callers_own_serve_the_runs_of_a_campaign() {
    let policies = PolicyMakers {
        selector: Some(Arc::new(|_: &RunConfig| Box::new(OddStatuses))),
        ..by_constraints(LONG_PATHS)
    };
    let arguments = ["--restart", "divide", "--max-time", "100000i"];
    let summary = explore(&arguments, policies);
    // The first run follows every path, so it is the last.
    assert_eq!(summary.paths.completed, 64);
    assert_eq!(summary.tests, 32);
}

/// Events of a run that an extension received.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Heard {
    batches_begun: u64,
    batches_over: u64,
    forks: u64,
    ends: u64,
    run_over: bool,
}

/// Runs the state that split off last, whatever the search would choose.
struct NewestFirst {
    open: Vec<StateId>,
    heard: Arc<Mutex<Heard>>,
}

impl NewestFirst {
    fn note(&self, note: impl FnOnce(&mut Heard)) {
        note(&mut self.heard.lock().expect("a lock"));
    }
}

impl Extension for NewestFirst {
    fn before_batch(
        &mut self,
        id: StateId,
        run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        assert!(run.state(id).is_some());
        self.note(|heard| heard.batches_begun += 1);
        Ok(Batch::Runs)
    }

    fn forked(&mut self, parent: StateId, id: StateId, _state: &State) {
        assert_ne!(parent, id);
        self.open.push(id);
        self.note(|heard| heard.forks += 1);
    }

    fn after_batch(&mut self, _: StateId, _run: &mut dyn ExtensionView) -> Result<(), WriteError> {
        self.note(|heard| heard.batches_over += 1);
        Ok(())
    }

    fn left(&mut self, _state: &State, leaving: Leaving<'_>, _run: &mut dyn ExtensionView) {
        assert!(matches!(leaving, Leaving::Ended(_)), "{leaving:?}");
        self.note(|heard| heard.ends += 1);
    }

    fn next(&mut self, run: &mut dyn ExtensionView) -> Option<StateId> {
        while let Some(id) = self.open.last().copied() {
            if run.state(id).is_some() {
                return Some(id);
            }
            self.open.pop();
        }
        None
    }

    fn end(&mut self, _run: &mut dyn ExtensionView) {
        self.note(|heard| heard.run_over = true);
    }
}

#[test]
fn an_extension_hears_of_the_run_and_chooses_in_place_of_the_search() {
    let heard = Arc::new(Mutex::new(Heard::default()));
    let shared = Arc::clone(&heard);
    let make = move |_: &ExtensionStart<'_>| -> Option<Box<dyn Extension>> {
        Some(Box::new(NewestFirst {
            open: Vec::new(),
            heard: Arc::clone(&shared),
        }))
    };
    let policies = PolicyMakers {
        extensions: vec![Arc::new(make)],
        ..PolicyMakers::default()
    };
    let alone = explore(&["--search", "bfs"], PolicyMakers::default());
    let summary = explore(&["--search", "bfs"], policies);
    assert_eq!((alone.paths.completed, summary.paths.completed), (64, 64));
    assert!(alone.states_peak >= 16, "{}", alone.states_peak);
    assert!(summary.states_peak <= 8, "{}", summary.states_peak);
    let heard = *heard.lock().expect("a lock");
    assert_eq!((heard.forks, heard.ends), (63, 64));
    assert!(heard.batches_begun >= 127, "{heard:?}");
    assert_eq!(
        (heard.batches_over, heard.run_over),
        (heard.batches_begun, true)
    );
}

/// Notes each hook of a turn with a name of its own.
struct Named {
    name: char,
    heard: Arc<Mutex<Vec<(char, u64)>>>,
}

impl Named {
    fn note(&self, instructions: u64) {
        let mut heard = self.heard.lock().expect("a lock");
        heard.push((self.name, instructions));
    }
}

impl Extension for Named {
    fn before_batch(
        &mut self,
        _id: StateId,
        _run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        self.note(0);
        Ok(Batch::Runs)
    }

    fn ran(&mut self, ran: &mut Ran<'_>, run: &mut dyn ExtensionView) {
        assert!(run.state(ran.id).is_some());
        self.note(ran.instructions);
    }
}

#[test]
fn what_came_of_a_batch_is_heard_in_reverse_order() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let named = |name: char| -> ExtensionMaker {
        let heard = Arc::clone(&heard);
        Arc::new(move |_: &ExtensionStart<'_>| {
            let heard = Arc::clone(&heard);
            Some(Box::new(Named { name, heard }))
        })
    };
    let policies = PolicyMakers {
        extensions: vec![named('a'), named('b')],
        ..PolicyMakers::default()
    };
    explore(&[], policies);
    let heard = heard.lock().expect("a lock");
    assert!(heard.len() >= 4 * 64, "{}", heard.len());
    for batch in heard.chunks(4) {
        let names: String = batch.iter().map(|(name, _)| name).collect();
        assert_eq!(names, "abba");
        assert_eq!(batch[2].1, batch[3].1);
    }
}
