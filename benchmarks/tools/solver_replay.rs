//! Replays recorded queries (`homi run --write-queries`) through each layer of the solver
//! alone, through the whole chain, and through Z3 alone; prints a table in Markdown and fails if
//! two disagree. Times are CPU times. See benchmarks/solver.
//!
//! `cargo run --release --example solver_replay FILE.smt2...`

use homi::solver::term::Terms;
use homi::solver::{
    Check, Layer, Oracle, REPLAYED, RecordedQuery, Solver, SolverConfig, Z3Backend, read_queries,
    replay_alone,
};
use std::time::Duration;

/// Time for one query to Z3.
const LIMIT: Duration = Duration::from_secs(20);

/// CPU time of this thread, which other processes on the machine disturb less than they do the
/// wall's.
fn clock() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes one `timespec` to the pointer, which is valid for that.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Figures of one way to answer.
#[derive(Default)]
struct Line {
    satisfiable: u64,
    unsatisfiable: u64,
    times: Vec<Duration>,
}

impl Line {
    fn add(&mut self, satisfiable: Option<bool>, time: Duration) {
        self.satisfiable += u64::from(satisfiable == Some(true));
        self.unsatisfiable += u64::from(satisfiable == Some(false));
        self.times.push(time);
    }

    fn print(mut self, name: &str) {
        self.times.sort_unstable();
        let at = |share: f64| self.times[((self.times.len() - 1) as f64 * share) as usize];
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let total: Duration = self.times.iter().sum();
        println!(
            "| {name} | {} | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
            self.satisfiable + self.unsatisfiable,
            self.satisfiable,
            self.unsatisfiable,
            total.as_secs_f64() * 1e3,
            micros(at(0.5)),
            micros(at(0.9)),
            micros(at(1.0))
        );
    }
}

/// Fails if an answer contradicts the one recorded.
fn agrees(name: &str, number: usize, query: &RecordedQuery, found: Option<bool>) -> bool {
    let (Some(expected), Some(found)) = (query.satisfiable, found) else {
        return true;
    };
    if expected != found {
        println!("question {number}: {name} says {found}, recorded is {expected}");
    }
    expected == found
}

fn main() -> anyhow::Result<()> {
    let mut right = true;
    // Z3 first so that its library is loaded.
    let mut z3 = Z3Backend::new(2048);
    homi::solver::Backend::set_limits(&mut z3, LIMIT, 0);
    let mut pools = Vec::new();
    for file in std::env::args().skip(1) {
        let terms = Terms::new();
        let queries = read_queries(&terms, &std::fs::read_to_string(&file)?)
            .map_err(|error| anyhow::anyhow!("{file}: {error}"))?;
        pools.push((terms, queries));
    }
    let all = || {
        pools
            .iter()
            .flat_map(|(terms, queries)| queries.iter().map(move |query| (terms, query)))
            .enumerate()
    };
    anyhow::ensure!(all().count() > 0, "name files of recorded queries");
    println!(
        "{} queries; recorded as answered by {}\n",
        all().count(),
        Layer::ALL
            .iter()
            .map(|layer| {
                let count = all()
                    .filter(|(_, (_, one))| one.layer == layer.name())
                    .count();
                format!("{} {count}", layer.name())
            })
            .collect::<Vec<_>>()
            .join(", ")
    );
    println!("| way | answered | sat | unsat | total ms | median us | 90 % us | most us |");
    println!("|---|---|---|---|---|---|---|---|");
    for layer in REPLAYED {
        let mut line = Line::default();
        for (number, (terms, query)) in all() {
            let replayed = replay_alone(layer, terms, query, &mut z3, &clock);
            line.add(replayed.satisfiable, replayed.time);
            right &= agrees(layer, number, query, replayed.satisfiable);
        }
        line.print(layer);
    }
    let config = SolverConfig {
        check_models: true,
        time_limit: LIMIT,
        ..SolverConfig::default()
    };
    let mut solver = Solver::with_backend(config, Some(Box::new(z3)));
    for name in ["whole chain", "whole chain, again"] {
        let mut line = Line::default();
        for (number, (terms, query)) in all() {
            let start = clock();
            let (path, model) = (&query.path, &query.model);
            let answer = solver.check(terms, path, model, query.condition);
            let time = clock().saturating_sub(start);
            let satisfiable = match answer {
                Check::Sat(_) => Some(true),
                Check::Unsat => Some(false),
                Check::Unknown(reason) => {
                    println!("question {number}: {reason}");
                    None
                }
            };
            line.add(satisfiable, time);
            right &= agrees(name, number, query, satisfiable);
        }
        line.print(name);
    }
    let statistics = solver.statistics();
    println!("\n| layer of the chain, both rounds | answered | ms |\n|---|---|---|");
    for layer in Layer::ALL {
        let figures = statistics.layer(layer);
        println!(
            "| {} | {} | {:.1} |",
            layer.name(),
            figures.answered,
            figures.time.as_secs_f64() * 1e3
        );
    }
    anyhow::ensure!(right, "answers differ");
    Ok(())
}
