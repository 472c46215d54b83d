//! Searchers: the choice of the state that runs next.
//!
//! Owns: the search heuristics with KLEE's formulas, interleaving, the execution tree of
//! `random-path`, the distances of `md2u`. Never: a state, a term, the clock. A searcher sees ids
//! and a `Metrics` record per state, and time only as a `Clock` argument. Data come from `engine`
//! (added, executed and removed states) and go back to it as one id.
//!
//! Every random choice uses a generator seeded by the configuration, so equal updates give equal
//! choices.

mod backward;
mod batching;
mod code_locations;
mod deepening;
pub mod distance;
mod heuristics;
mod interleaved;
mod lists;
mod random_path;
mod sum_tree;
mod weighted;

pub use heuristics::{Choice, HeuristicRow, Needs, Weight, needs_of, row_of};

use homi_config::{SearchConfig, Usage};
use homi_ir::util::dense_id;
use rand_pcg::Pcg64;
use std::time::Duration;

dense_id!(
    /// A state of the run; never used again after the state has left.
    StateId, "s");

/// Data of a state that a searcher may use.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Metrics {
    /// Forks on the path; 0 for the initial state.
    pub depth: u32,
    /// Instructions since the state last covered something new; 0 if it never did. Inherited.
    pub since_new: u64,
    /// Solver time charged to the state, in seconds, counted instead of timed. Inherited.
    pub solver_seconds: f64,
    /// Distance to the nearest uncovered instruction; 0 if none can be reached.
    pub distance: u32,
    /// Number of times that all states have executed the next instruction.
    pub point_count: u64,
    /// Instructions executed so far, by all states, in the call path of the innermost frame; with
    /// what the solver did for them if searches are to see it.
    pub call_path_count: u64,
    /// Number of the piece of code (segment) that is next.
    pub location: u32,
    /// Number that the run's caller passes to searchers; 0 if there is none.
    pub own: f64,
}

/// A state that is new to the searcher.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Added {
    pub id: StateId,
    /// The state it forked from; `None` for an initial state.
    pub parent: Option<StateId>,
    pub metrics: Metrics,
    /// The sides that both took, if it forked at a branch of the program.
    pub fork: Option<Fork>,
    /// Nobody has asked yet whether its side is possible; choosing it does.
    pub pending: bool,
    /// Its path ends as soon as it runs: the failing side of a check.
    pub ends: bool,
}

/// The sides of a branch at which a state forked, by their dense numbers (`exec::Segments::side`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fork {
    /// The side that the parent state keeps.
    pub kept: u32,
    /// The side of the new state.
    pub taken: u32,
}

/// Reason why a state that was chosen to run was removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// The state's path ended.
    Ended(StateId),
    /// The state was pending; its side is feasible, but its paths are subsumed.
    Subsumed(StateId),
    /// The state was pending, and its side is infeasible.
    Infeasible(StateId),
    /// The state was pending, and the solver timed out on its side.
    Unknown(StateId),
}

/// Work done so far in the whole run.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    pub instructions: u64,
    /// Instructions, with what the solver did in instructions' worth if searches are to see it.
    pub work: u64,
    /// Units of work as budgets count them, whatever searches are to see.
    pub counted: u64,
    pub time: Duration,
}

impl Clock {
    /// Returns the counters of budgets.
    pub fn usage(self) -> Usage {
        Usage {
            time: self.time,
            instructions: self.instructions,
            work: self.counted,
        }
    }
}

/// Events since the last update.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// The state that ran, with its metrics afterwards.
    pub current: Option<(StateId, Metrics)>,
    /// New states in the order of creation. A state may be among `added` and `removed` of one
    /// update only if it is added first.
    pub added: &'a [Added],
    pub removed: &'a [StateId],
    /// Reason why the state that ran was removed, if it was; it is among `removed`.
    pub left: Option<Left>,
    /// Branch sides, by their dense numbers, that were covered for the first time in the run.
    pub covered: &'a [u32],
    /// All branch sides of user code that the ended path took, ascending; empty unless the searcher
    /// asks for them.
    pub taken: &'a [u32],
    pub clock: Clock,
}

/// Picks states. The contract is KLEE's: every state is announced once by `added`, leaves once by
/// `removed`, and `select` returns a state that is in between.
pub trait Searcher {
    /// The state to run next; `None` only if there is no state.
    fn select(&mut self, clock: Clock) -> Option<StateId>;
    fn update(&mut self, update: &Update<'_>);
    /// Called when distances were updated: `metrics` returns any state's current numbers. KLEE
    /// keeps the weights of waiting states until they run; with many states that directs the search
    /// to code that is covered by now.
    fn reweigh(&mut self, _metrics: &mut dyn FnMut(StateId) -> Option<Metrics>) {}
    /// True if the searcher wants to know which sides a path took that has ended.
    fn wants_taken(&self) -> bool {
        false
    }
    fn is_empty(&self) -> bool;
    /// One line per searcher, outermost first, for the run's `info` file.
    fn describe(&self) -> String;
}

/// Builds what the configuration asks for. Nesting, from inside: heuristic, interleaving, batching,
/// iterative deepening (KLEE's order).
pub fn build(config: &SearchConfig) -> Box<dyn Searcher> {
    let mut bases: Vec<Box<dyn Searcher>> = config
        .heuristics
        .iter()
        .enumerate()
        .map(|(index, heuristic)| {
            let generator = generator(config.seed, index as u64);
            row_of(*heuristic).searcher(config.weights, generator)
        })
        .collect();
    let mut searcher = match bases.len() {
        1 => bases.remove(0),
        _ => Box::new(interleaved::Interleaved::new(bases)),
    };
    if config.batch_instructions != 0 || !config.batch_time.is_zero() {
        searcher = Box::new(batching::Batching::new(
            searcher,
            config.batch_instructions,
            config.batch_time,
        ));
    }
    if config.iterative_deepening {
        searcher = Box::new(deepening::Deepening::new(searcher));
    }
    searcher
}

/// The random numbers of the `index`-th heuristic.
fn generator(seed: u64, index: u64) -> Pcg64 {
    Pcg64::new(u128::from(seed), 0xa02b_dbf7_bb3c_0a7a + u128::from(index))
}

#[cfg(test)]
mod testing;
