//! Circles: sets of nodes each of which leads to every other.

use std::collections::{BTreeMap, BTreeSet};

/// The strongly connected components of more than one node, largest first.
///
/// A node is in the component of another if each reaches the other, so the closure is computed by
/// a search from every node; a module has some sixty files at most.
pub fn circles<N: Ord + Clone>(edges: &BTreeSet<(N, N)>) -> Vec<BTreeSet<N>> {
    let mut next: BTreeMap<&N, Vec<&N>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let reached = |start: &N| {
        let mut seen: BTreeSet<N> = BTreeSet::new();
        let mut open: Vec<&N> = vec![start];
        while let Some(node) = open.pop() {
            for to in next.get(node).into_iter().flatten() {
                if seen.insert((*to).clone()) {
                    open.push(to);
                }
            }
        }
        seen
    };
    let all: BTreeMap<&N, BTreeSet<N>> = next.keys().map(|node| (*node, reached(node))).collect();
    let mut found: BTreeSet<BTreeSet<N>> = BTreeSet::new();
    for (node, ahead) in &all {
        let mutual = ahead.iter().filter(|other| {
            let back = all.get(other);
            back.is_some_and(|back| back.contains(*node))
        });
        let circle: BTreeSet<N> = mutual.cloned().collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    let mut found: Vec<BTreeSet<N>> = found.into_iter().collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

#[test]
fn circles_are_found_with_their_length() {
    let edges = |pairs: &[(&'static str, &'static str)]| pairs.iter().copied().collect();
    assert!(circles::<&str>(&edges(&[("a", "b"), ("a", "c"), ("b", "c")])).is_empty());
    let found = circles(&edges(&[
        ("a", "b"),
        ("b", "c"),
        ("c", "d"),
        ("d", "b"),
        ("e", "e"),
    ]));
    assert_eq!(found, [BTreeSet::from(["b", "c", "d"])]);
}
