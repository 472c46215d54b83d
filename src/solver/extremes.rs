//! Least and greatest values: of a term on a path, and of the bytes of a path's model.
//!
//! Bounds of a term come from its own range, then interval arithmetic on the path's domains, then
//! for one byte from all its values, then from what the path knows already, then from a bounded
//! number of feasibility queries. They are sound at every point, so running out of effort only
//! makes them wider.

use super::backend::Answer;
use super::chain::Solver;
use super::oracle::{Check, Wanted};
use super::path::PathCondition;
use super::query::Query;
use super::search::{self, Found};
use super::statistics::Layer;
use crate::term::{ArrayId, Byte, ByteSet, Lanes, Model, Term, Terms};
use homi_ir::ops::CmpOp;

/// Sound bounds of a term, exact where the limits allow and as far as wanted.
pub(super) fn min_max(
    solver: &mut Solver,
    terms: &Terms,
    (path, model): (&PathCondition, &Model),
    term: Term,
    wanted: Wanted,
) -> (Layer, (u128, u128)) {
    if let Some(value) = terms.as_const(term) {
        return (Layer::Rewrite, (value, value));
    }
    let range = terms.range(term);
    let mut bounds = (range.0.max(wanted.within.0), range.1.min(wanted.within.1));
    if terms.width(term) <= 64 {
        let program = terms.lane_program(term);
        if !program.is_empty() {
            let domains: Vec<ByteSet> = program.bytes.iter().map(|&b| path.domain(b)).collect();
            let exact = wanted.exact_over_one_byte;
            if let Some(exact) = over_one_byte(path, &program, &domains, exact) {
                return (Layer::Domain, exact);
            }
            let limits: Vec<(u8, u8)> = domains
                .iter()
                .map(|d| (d.first().unwrap_or(0), d.last().unwrap_or(255)))
                .collect();
            let (low, high) = program.bounds(&limits, &mut Vec::new());
            bounds = (bounds.0.max(low.into()), bounds.1.min(high.into()));
        }
    }
    if let Some((proven, age)) = path.proven_bounds(terms, term) {
        bounds = (bounds.0.max(proven.0), bounds.1.min(proven.1));
        if age == 0 {
            return (Layer::Cache, bounds);
        }
    }
    if bounds.1.saturating_sub(bounds.0) <= wanted.narrow_enough && bounds.0 != bounds.1 {
        return (Layer::Bounds, bounds);
    }
    let steps = solver.config.tuning.bound_queries;
    let mut deepest = Layer::Bounds;
    let known = terms.eval(term, model);
    let mut query = |condition: Term| {
        let (layer, answer) = solver.check_quietly(terms, path, model, condition);
        deepest = deepest.max(layer);
        match answer {
            Check::Sat(found) => Some(Some(terms.eval(term, &found))),
            Check::Unsat => Some(None),
            Check::Unknown(_) => None,
        }
    };
    let width = terms.width(term);
    let at_most = |value| terms.cmp(CmpOp::Ule, term, terms.constant(width, value));
    let at_least = |value| terms.cmp(CmpOp::Uge, term, terms.constant(width, value));
    // Downwards: nothing is below `bounds.0`, `least` is taken.
    let mut least = known;
    for step in 0..steps {
        if bounds.0 >= least {
            break;
        }
        let distance = least - bounds.0;
        // First whether the bound itself is reached, which interval arithmetic often gets right.
        let middle = if step == 0 {
            bounds.0
        } else {
            bounds.0 + (distance - 1) / 2
        };
        match query(at_most(middle)) {
            Some(Some(value)) => least = value.min(middle),
            Some(None) => bounds.0 = middle + 1,
            None => break,
        }
    }
    let mut greatest = known;
    for step in 0..steps {
        if bounds.1 <= greatest {
            break;
        }
        let distance = bounds.1 - greatest;
        let middle = if step == 0 {
            bounds.1
        } else {
            bounds.1 - (distance - 1) / 2
        };
        match query(at_least(middle)) {
            Some(Some(value)) => greatest = value.max(middle),
            Some(None) => bounds.1 = middle - 1,
            None => break,
        }
    }
    (deepest, bounds)
}

/// Bounds of a term with one free byte; if they are to be exact, one that no constraint ties to
/// others.
fn over_one_byte(
    path: &PathCondition,
    program: &crate::term::LaneProgram,
    domains: &[ByteSet],
    exact: bool,
) -> Option<(u128, u128)> {
    let mut free = domains
        .iter()
        .enumerate()
        .filter(|(_, d)| d.only().is_none());
    let position = match (free.next(), free.next()) {
        (Some((position, _)), None) => position,
        (None, _) => 0,
        _ => return None,
    };
    let tied = path
        .group(program.bytes[position])
        .is_some_and(|group| !group.constraints.is_empty());
    if exact && tied {
        return None;
    }
    let fixed: Vec<u8> = domains
        .iter()
        .map(|domain| domain.first().unwrap_or(0))
        .collect();
    let values: Vec<u8> = domains[position].iter().collect();
    let mut out = Vec::new();
    program.run(&mut Lanes::default(), position, &values, &fixed, &mut out);
    let low = out.iter().min()?;
    Some((u128::from(*low), u128::from(*out.iter().max()?)))
}

impl Solver {
    /// A model of the path that is canonical: bytes in the order of `arrays` (then index) are as
    /// small as those before them allow. `model` satisfies the path; where the effort is too small
    /// for the least model, its bytes are lowered one at a time instead. The result depends on path
    /// and model only.
    pub fn canonical_model(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        arrays: &[ArrayId],
        model: &Model,
    ) -> Model {
        let rank = |byte: &Byte| {
            let position = arrays.iter().position(|&array| array == byte.array);
            (position.unwrap_or(usize::MAX), *byte)
        };
        let mut result = Model::new();
        for group in path.groups() {
            if self.is_late() {
                for &byte in group.bytes.iter() {
                    result.set(byte, model.get(byte));
                }
                continue;
            }
            let mut query = Query::new(terms, |byte| path.domain(byte), model, group);
            let mut order: Vec<u32> = (0..query.bytes.len() as u32).collect();
            order.sort_by_key(|&number| rank(&query.bytes[number as usize]));
            let values = self.least_values(terms, &mut query, &order);
            for (&byte, value) in query.bytes.iter().zip(values) {
                result.set(byte, value);
            }
        }
        if self.config.check_models && !path.holds(terms, &result) {
            return model.clone();
        }
        result
    }

    /// Values for the query's bytes, least in the given order as far as the effort goes. The
    /// query's current values satisfy it.
    fn least_values(&mut self, terms: &Terms, query: &mut Query, order: &[u32]) -> Vec<u8> {
        let firsts = query.domains.iter().map(|d| d.first().unwrap_or(0));
        if query.constraints.is_empty() {
            return firsts.collect();
        }
        let effort = self.config.search_effort;
        match search::least(terms, query, order, effort, &self.config.tuning) {
            Found::Sat(values) => return values,
            Found::Unsat => return query.current.clone(),
            Found::GaveUp => {}
        }
        let domains = query.domains.clone();
        let mut queries = self.config.tuning.canonical_queries;
        for &number in order {
            let at = number as usize;
            lower(terms, query, number);
            // Whether an even lower value is possible when later bytes change too.
            while queries > 0 && !self.is_late() {
                let value = query.current[at];
                let mut below = ByteSet::EMPTY;
                query.domains[at]
                    .iter()
                    .filter(|&v| v < value)
                    .for_each(|v| below.insert(v));
                if below.is_empty() {
                    break;
                }
                queries -= 1;
                let kept = std::mem::replace(&mut query.domains[at], below);
                match self.solve_exactly(terms, query).1 {
                    Answer::Sat(values) => {
                        query.domains[at] = kept;
                        query.current = values;
                        lower(terms, query, number);
                    }
                    Answer::Unsat | Answer::Unknown(_) => {
                        query.domains[at] = kept;
                        break;
                    }
                }
            }
            query.domains[at] = ByteSet::single(query.current[at]);
        }
        // The last lowered byte may allow a lower first byte.
        query.domains = domains;
        for _ in 0..self.config.tuning.canonical_rounds {
            let before = query.current.clone();
            order.iter().for_each(|&number| lower(terms, query, number));
            if query.current == before {
                break;
            }
        }
        query.current.clone()
    }
}

/// Gives one byte the least value that all constraints allow while the others stay.
fn lower(terms: &Terms, query: &mut Query, number: u32) {
    let mut domain = query.domains[number as usize];
    for constraint in &query.constraints {
        if constraint.free.contains(&number) {
            domain = constraint.allowed(terms, number, &domain, &query.current);
        }
    }
    if let Some(value) = domain.first() {
        query.current[number as usize] = value.min(query.current[number as usize]);
    }
}
