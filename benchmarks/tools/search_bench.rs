//! Measures the cost of selecting a state among many: nanoseconds per batch (one selection, one
//! update with one new and one removed state) for each heuristic. `cargo run --release --example
//! search_bench [STATES] [TURNS]`

use homi::config::{Budget, DistanceWeights, Heuristic, SearchConfig, SearchScope};
use homi::explore::search::{self, Added, Clock, Metrics, StateId, Update};
use std::time::{Duration, Instant};

/// Spread over places and distances as in a run: a few hundred places, most states in few of them.
fn metrics(number: u64) -> Metrics {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    Metrics {
        depth: (mixed % 60) as u32,
        since_new: mixed % 100_000,
        solver_seconds: (mixed % 500) as f64 / 1e3,
        distance: 1 + (mixed % 40) as u32,
        point_count: 1 + mixed % 10_000,
        call_path_count: 1 + mixed % 1_000_000,
        location: (mixed % 300) as u32,
        own: 0.0,
    }
}

fn config(heuristic: Heuristic) -> SearchConfig {
    SearchConfig {
        count_solver_work: false,
        heuristics: vec![heuristic],
        seed: 1,
        batch_instructions: 0,
        batch_time: Budget::Time(Duration::ZERO),
        scope: SearchScope::All,
        weights: DistanceWeights::PerLocation,
        distance_interval: Budget::Time(Duration::from_secs(1)),
        iterative_deepening: false,
        fuzz: false,
        fuzz_ratio: 0.0,
        dictionary: Vec::new(),
        sync: None,
        target: None,
        input_generator: None,
    }
}

fn turn_cost(heuristic: Heuristic, states: u64, turns: u64) -> Duration {
    let mut searcher = search::build(&config(heuristic));
    let clock = Clock {
        instructions: 0,
        work: 0,
        counted: 0,
        time: Duration::ZERO,
    };
    let mut parent = None;
    for number in 0..states {
        let id = StateId::new(number as usize);
        let added = [Added {
            id,
            parent,
            metrics: metrics(number),
            fork: None,
            pending: false,
            ends: false,
        }];
        let current = parent.map(|parent| (parent, metrics(number / 2)));
        searcher.update(&Update {
            current,
            added: &added,
            removed: &[],
            left: None,
            covered: &[],
            taken: &[],
            clock,
        });
        parent = Some(StateId::new((number / 2) as usize));
    }
    let start = Instant::now();
    for turn in 0..turns {
        let Some(chosen) = searcher.select(clock) else {
            break;
        };
        let number = states + turn;
        let added = [Added {
            id: StateId::new(number as usize),
            parent: Some(chosen),
            metrics: metrics(number),
            fork: None,
            pending: false,
            ends: false,
        }];
        searcher.update(&Update {
            current: Some((chosen, metrics(number + 7))),
            added: &added,
            removed: &[],
            left: None,
            covered: &[],
            taken: &[],
            clock,
        });
        searcher.update(&Update {
            current: None,
            added: &[],
            removed: &[chosen],
            left: None,
            covered: &[],
            taken: &[],
            clock,
        });
    }
    start.elapsed() / turns.max(1) as u32
}

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok());
    let states = numbers.next().unwrap_or(100_000u64);
    let turns = numbers.next().unwrap_or(200_000u64);
    for (heuristic, name) in Heuristic::ALL {
        let cost = turn_cost(heuristic, states, turns);
        println!(
            "{name:12} {:6} ns per turn with {states} states",
            cost.as_nanos()
        );
    }
}
