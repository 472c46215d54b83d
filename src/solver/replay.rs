//! Recorded queries through each layer alone, through the whole chain, and through Z3 without
//! any layer: for tests and benchmarks.
//!
//! A layer alone sees what it would see in the chain: the query after independence and one-byte
//! domains, in parts. It answers if it knows a solution of every part, or that one part has none.

use super::backend::{Answer, Backend};
use super::chain::SolverConfig;
use super::path::Group;
use super::query::{Prepared, Query, prepare};
use super::recording::RecordedQuery;
use super::search::Found;
use super::tuning::Tuning;
use super::{encode, guided, intervals, sat, search};
use crate::term::{Byte, ByteSet, Model, Terms};
use smallvec::smallvec;
use std::time::Duration;

/// The layers that `replay_alone` knows. `sat` and `z3` see the prepared parts, `sat alone` and `z3
/// alone` the plain assertions.
pub const REPLAYED: [&str; 10] = [
    "model",
    "domain",
    "bounds",
    "intervals",
    "guided",
    "search",
    "sat",
    "sat alone",
    "z3",
    "z3 alone",
];

/// Answer of a layer to a query, and its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// Satisfiability of the query; `None` if the layer does not know.
    pub satisfiable: Option<bool>,
    pub time: Duration,
}

/// Asks one layer of `REPLAYED`. Preparing the query counts as the layer `domain`'s time only.
/// `clock` is read before and after; where the machine is busy, a clock of the thread's own time
/// says more than the wall's.
pub fn replay_alone(
    layer: &str,
    terms: &Terms,
    query: &RecordedQuery,
    backend: &mut dyn Backend,
    clock: &dyn Fn() -> Duration,
) -> Replayed {
    let timed = |work: &mut dyn FnMut() -> Option<bool>| {
        let start = clock();
        let satisfiable = work();
        Replayed {
            satisfiable,
            time: clock().saturating_sub(start),
        }
    };
    let (path, model, condition) = (&query.path, &query.model, query.condition);
    match layer {
        "model" => timed(&mut || (terms.eval(condition, model) == 1).then_some(true)),
        "z3 alone" => {
            let (words, bytes) = whole(terms, query);
            timed(&mut || known(&backend.solve(&words, bytes)))
        }
        "sat alone" => {
            let (words, bytes) = whole(terms, query);
            timed(&mut || known(&sat::solve(&words, bytes, sat_limits(), &Tuning::default()).0))
        }
        "domain" => timed(&mut || match prepare(terms, path, model, condition) {
            Prepared::Unsat => Some(false),
            Prepared::Parts { parts, .. } => {
                let open = parts.iter().any(|part| !part.constraints.is_empty());
                (!open).then_some(true)
            }
        }),
        _ => {
            let parts = match prepare(terms, path, model, condition) {
                Prepared::Unsat => Vec::new(),
                Prepared::Parts { parts, .. } => parts,
            };
            let parts: Vec<&Query> = parts
                .iter()
                .filter(|part| !part.constraints.is_empty())
                .collect();
            if parts.is_empty() {
                return timed(&mut || None);
            }
            timed(&mut || {
                let mut all = Some(true);
                for part in &parts {
                    match of_part(layer, terms, part, backend) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => all = None,
                    }
                }
                all
            })
        }
    }
}

fn of_part(layer: &str, terms: &Terms, part: &Query, backend: &mut dyn Backend) -> Option<bool> {
    match layer {
        "bounds" => search::infeasible_by_bounds(part).then_some(false),
        "intervals" => intervals::refute(terms, part, &Tuning::default()).then_some(false),
        "guided" => {
            let mut effort = SolverConfig::default().search_effort;
            guided::solve(terms, part, &mut effort, &Tuning::default()).map(|_| true)
        }
        "search" => match searched(terms, part) {
            Found::Sat(_) => Some(true),
            Found::Unsat => Some(false),
            Found::GaveUp => None,
        },
        "sat" => {
            let words = encode::encode(terms, part);
            known(&sat::solve(&words, part.bytes.len(), sat_limits(), &Tuning::default()).0)
        }
        "z3" => known(&backend.solve(&encode::encode(terms, part), part.bytes.len())),
        _ => None,
    }
}

fn searched(terms: &Terms, part: &Query) -> Found {
    let config = SolverConfig::default();
    search::solve(terms, part, config.search_effort, &config.tuning).0
}

fn sat_limits() -> sat::Limits {
    sat::Limits {
        effort: SolverConfig::default().sat_effort,
        deadline: None,
        memory: u64::MAX,
    }
}

fn known(answer: &Answer) -> Option<bool> {
    match answer {
        Answer::Sat(_) => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// All assertions as one query, nothing taken out.
fn whole(terms: &Terms, query: &RecordedQuery) -> (Vec<u32>, usize) {
    let mut bytes: Vec<Byte> = Vec::new();
    for assertion in &query.assertions {
        bytes.extend(terms.support(*assertion).iter());
    }
    bytes.sort_unstable();
    bytes.dedup();
    let group = Group {
        domains: smallvec![ByteSet::FULL; bytes.len()],
        bytes: bytes.into(),
        constraints: query.assertions.clone(),
        changed: 0,
    };
    let whole = Query::new(terms, |_| ByteSet::FULL, &Model::new(), &group);
    (encode::encode(terms, &whole), whole.bytes.len())
}
