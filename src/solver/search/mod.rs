//! The search layer: decides small queries by trying values, and finds least models.
//!
//! Two ways: a short one that remembers dead ends, good for automata (`staged`), and this one.
//! Bytes get values one after the other; a constraint whose last free byte is next is evaluated for
//! all values of that byte at once, others are checked by interval arithmetic. Constraints on two
//! bytes are relations (256 x 256 bits), and after every assignment the values without a partner
//! are removed until nothing changes (arc consistency). Of values that no constraint can tell apart
//! only the least is tried. Invariant: the result depends on the query's numbering and domains
//! only, and the effort is counted in operations, so a result is the same on every machine. Exact
//! when it answers.

mod staged;

use super::query::{ByteSource, Constraint, Query};
use super::tuning::Tuning;
use crate::term::{ByteSet, Relation, Terms};
use staged::StagedSearch;
use std::sync::Arc;

/// The outcome of a search.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Sat(Vec<u8>),
    Unsat,
    /// The effort was used up.
    GaveUp,
}

/// Constraint on two bytes, given as a relation and the byte numbers within the query.
struct Link {
    relation: Arc<Relation>,
    first: u32,
    second: u32,
}

struct Search<'a> {
    terms: &'a Terms,
    query: &'a Query,
    /// The values to try, by byte number, given the bytes assigned so far.
    domains: Vec<ByteSet>,
    /// Byte numbers in the order of assignment.
    order: &'a [u32],
    /// Constraints whose last byte a step assigns, by step.
    completed: Vec<Vec<usize>>,
    /// Constraints that a step touches and leaves open, by step.
    touched: Vec<Vec<usize>>,
    links: Vec<Link>,
    /// Indices of the links of each byte.
    links_of: Vec<Vec<usize>>,
    values: Vec<u8>,
    slots: Vec<(u64, u64)>,
    effort: u64,
}

/// Satisfies the query with at most `effort` operations for each way of searching. With how many
/// it took.
pub fn solve(terms: &Terms, query: &Query, effort: u64, tuning: &Tuning) -> (Found, u64) {
    let domains = representatives(terms, query);
    let mut staged = StagedSearch::new(terms, query, &domains, tuning);
    let mut used = 0;
    if let Some(staged) = &mut staged {
        let (found, operations) = staged.run(effort / tuning.search_staged_first);
        used += operations;
        if found != Found::GaveUp {
            return (found, used);
        }
    }
    let order = good_order(query, &domains);
    let (mut found, operations) = run(terms, query, domains.clone(), &order, (effort, tuning));
    used += operations;
    if found == Found::GaveUp
        && let Some(staged) = &mut staged
    {
        let (again, operations) = staged.run(effort);
        found = again;
        used += operations;
    }
    (found, used)
}

/// The model that is least in the given order of bytes (numbers, first is most significant).
pub fn least(terms: &Terms, query: &Query, order: &[u32], effort: u64, tuning: &Tuning) -> Found {
    run(
        terms,
        query,
        representatives(terms, query),
        order,
        (effort, tuning),
    )
    .0
}

/// Bounds of each byte's domain.
fn bounds(domains: &[ByteSet]) -> Vec<(u8, u8)> {
    let ends = |domain: &ByteSet| (domain.first().unwrap_or(0), domain.last().unwrap_or(0));
    domains.iter().map(ends).collect()
}

/// True if interval arithmetic on the domains refutes a constraint.
pub fn infeasible_by_bounds(query: &Query) -> bool {
    let bounds = bounds(&query.domains);
    let mut slots = Vec::new();
    let mut constraints = query.constraints.iter();
    constraints.any(|constraint| constraint.by_bounds(&bounds, &mut slots) == Some(false))
}

/// First the newest constraint: the others hold together without it, so conflicts involve it and
/// are found early. Then always the constraint with the smallest product of open domains, its small
/// domains first.
fn good_order(query: &Query, domains: &[ByteSet]) -> Vec<u32> {
    let size = |number: u32| domains[number as usize].len();
    let mut order: Vec<u32> = Vec::with_capacity(query.bytes.len());
    let mut open: Vec<Vec<u32>> = query
        .constraints
        .iter()
        .map(|constraint| constraint.free.clone())
        .collect();
    loop {
        let weight =
            |free: &Vec<u32>| -> f64 { free.iter().map(|&n| f64::from(size(n)).ln()).sum() };
        let mut candidates = open.iter().filter(|free| !free.is_empty());
        let best = if order.is_empty() {
            candidates.next_back()
        } else {
            candidates.min_by(|a, b| weight(a).total_cmp(&weight(b)))
        };
        let Some(mut chosen) = best.cloned() else {
            break;
        };
        chosen.sort_by_key(|&number| (size(number), number));
        chosen.dedup();
        for number in chosen {
            order.push(number);
            for free in &mut open {
                free.retain(|&other| other != number);
            }
        }
    }
    for number in 0..query.bytes.len() as u32 {
        if !order.contains(&number) {
            order.push(number);
        }
    }
    order
}

/// Returns the least value of each class that the constraints can tell apart, for each byte. A
/// least model consists of such values.
fn representatives(terms: &Terms, query: &Query) -> Vec<ByteSet> {
    let domains = query.domains.iter().enumerate();
    domains
        .map(|(number, domain)| {
            let programs = query.constraints.iter().filter_map(|constraint| {
                let position = constraint.position(number as u32)?;
                Some((&*constraint.program, position))
            });
            terms.representatives(domain, programs)
        })
        .collect()
}

fn run(
    terms: &Terms,
    query: &Query,
    domains: Vec<ByteSet>,
    order: &[u32],
    (effort, tuning): (u64, &Tuning),
) -> (Found, u64) {
    let step_of = |number: u32| order.iter().position(|&other| other == number).unwrap_or(0);
    let mut completed = vec![Vec::new(); order.len()];
    let mut touched = vec![Vec::new(); order.len()];
    let mut links = Vec::new();
    let mut links_of = vec![Vec::new(); order.len()];
    for (index, constraint) in query.constraints.iter().enumerate().rev() {
        if let [ByteSource::Free(first), ByteSource::Free(second)] = constraint.places[..]
            && links.len() < tuning.search_relations
            && pays(&domains, (first, second), constraint, tuning.search_pairs)
            && let Some(relation) = terms.relation(constraint.term)
        {
            links_of[first as usize].push(links.len());
            links_of[second as usize].push(links.len());
            links.push(Link {
                relation,
                first,
                second,
            });
            continue;
        }
        let last = constraint.free.iter().map(|&n| step_of(n)).max();
        for &number in &constraint.free {
            let step = step_of(number);
            // The newest constraint is first: it is the condition, which excludes most.
            if Some(step) == last {
                completed[step].push(index);
            } else {
                touched[step].push(index);
            }
        }
    }
    let mut search = Search {
        terms,
        query,
        values: domains.iter().map(|d| d.first().unwrap_or(0)).collect(),
        domains,
        order,
        completed,
        touched,
        links,
        links_of,
        slots: Vec::new(),
        effort,
    };
    let outcome = match search.propagate(order.to_vec()) {
        Some(true) => search.assign(0),
        other => other,
    };
    let left = search.effort;
    match outcome {
        Some(true) => (Found::Sat(search.values), effort - left),
        Some(false) => (Found::Unsat, effort - left),
        None => (Found::GaveUp, effort),
    }
}

/// True if to look up a constraint on two bytes in its relation. It depends on the query only,
/// not on which relations are known: a costly constraint is evaluated for the pairs that are tried
/// where those are fewer than `least`, since its relation is made of all 65,536.
fn pays(
    domains: &[ByteSet],
    (first, second): (u32, u32),
    constraint: &Constraint,
    least: u32,
) -> bool {
    let pairs = domains[first as usize].len() * domains[second as usize].len();
    pairs >= least || !constraint.program.is_costly()
}

impl Search<'_> {
    /// Assigns the bytes from this step on; `None` if the effort is used up.
    fn assign(&mut self, step: usize) -> Option<bool> {
        let Some(&number) = self.order.get(step) else {
            return Some(true);
        };
        let at = number as usize;
        let mut domain = self.domains[at];
        for &index in &self.completed[step] {
            let constraint = &self.query.constraints[index];
            let (allowed, cost) =
                constraint.allowed_at_cost(self.terms, number, &domain, &self.values);
            self.effort = self.effort.checked_sub(cost)?;
            domain = allowed;
            if domain.is_empty() {
                return Some(false);
            }
        }
        let before = self.domains.clone();
        for value in domain.iter() {
            self.values[at] = value;
            self.domains[at] = ByteSet::single(value);
            let fits = self.propagate(vec![number])? && !self.infeasible(step)?;
            if fits && self.assign(step + 1)? {
                return Some(true);
            }
            self.domains.copy_from_slice(&before);
        }
        Some(false)
    }

    /// Removes the values that have no partner in a link, starting from the bytes in `changed`;
    /// whether every byte keeps one.
    fn propagate(&mut self, mut changed: Vec<u32>) -> Option<bool> {
        while let Some(number) = changed.pop() {
            let domain = self.domains[number as usize];
            for &index in &self.links_of[number as usize] {
                let link = &self.links[index];
                let (other, partners) = if link.first == number {
                    (link.second, &link.relation.rows)
                } else {
                    (link.first, &link.relation.columns)
                };
                self.effort = self.effort.checked_sub(u64::from(domain.len()) * 2 + 32)?;
                let mut supported = ByteSet::EMPTY;
                for value in domain.iter() {
                    supported = supported.or(&partners[usize::from(value)]);
                }
                let old = self.domains[other as usize];
                let new = old.and(&supported);
                if new.is_empty() {
                    return Some(false);
                }
                if new != old {
                    self.domains[other as usize] = new;
                    if !changed.contains(&other) {
                        changed.push(other);
                    }
                }
            }
        }
        Some(true)
    }

    /// Returns whether a constraint left open by this step is violated.
    fn infeasible(&mut self, step: usize) -> Option<bool> {
        if self.touched[step].is_empty() {
            return Some(false);
        }
        let bounds = bounds(&self.domains);
        for &index in &self.touched[step] {
            let constraint = &self.query.constraints[index];
            let cost = constraint.program.len() as u64 * 6 + 16;
            self.effort = self.effort.checked_sub(cost)?;
            if constraint.by_bounds(&bounds, &mut self.slots) == Some(false) {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Returns the result of each search variant, for tests.
#[cfg(test)]
pub fn each_way(terms: &Terms, query: &Query, effort: u64) -> [Found; 2] {
    let tuning = &Tuning::default();
    let domains = representatives(terms, query);
    let order = good_order(query, &domains);
    [
        StagedSearch::new(terms, query, &domains, tuning)
            .map_or(Found::GaveUp, |mut staged| staged.run(effort).0),
        run(terms, query, domains, &order, (effort, tuning)).0,
    ]
}
