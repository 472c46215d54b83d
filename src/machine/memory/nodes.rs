//! The nodes of the tree that an object's bytes are.
//!
//! Invariant: chunks lie on level 0 only; a node of level `n` covers `span(n)` bytes, of which the
//! last ones may lie beyond the object.

use super::chunk::{CHUNK_SIZE, Chunk, ChunkRef, unshare};
use homi_solver::term::Term;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

const FANOUT_BITS: u32 = 2;
pub(super) const FANOUT: usize = 1 << FANOUT_BITS;
pub(super) const CHUNK: u64 = CHUNK_SIZE as u64;

#[derive(Clone)]
pub(super) enum Node {
    Fill(u8),
    Chunk(ChunkRef),
    Inner(Arc<[Node; FANOUT]>),
}

impl Node {
    /// Returns true if both are one shared node, or filled with one byte.
    pub fn is_same_as(&self, other: &Node) -> bool {
        match (self, other) {
            (Node::Fill(own), Node::Fill(theirs)) => own == theirs,
            (Node::Chunk(own), Node::Chunk(theirs)) => Arc::ptr_eq(own, theirs),
            (Node::Inner(own), Node::Inner(theirs)) => Arc::ptr_eq(own, theirs),
            _ => false,
        }
    }
}

/// Bytes `start..end` of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    pub start: u64,
    pub end: u64,
    /// Common value of all bytes; `None` if chunks hold them.
    pub fill: Option<u8>,
}

pub(super) fn levels(size: u64) -> u32 {
    let mut level = 0;
    while CHUNK << (FANOUT_BITS * level) < size {
        level += 1;
    }
    level
}

/// Bytes below one node of a level.
pub(super) fn span(level: u32) -> u64 {
    CHUNK << (FANOUT_BITS * level)
}

pub(super) fn child_of(offset: u64, level: u32) -> usize {
    (offset / span(level - 1)) as usize & (FANOUT - 1)
}

/// Visits the parts of a node within a range in order, until `visit` says no.
pub(super) fn visit_runs(
    node: &Node,
    level: u32,
    start: u64,
    range: &Range<u64>,
    visit: &mut dyn FnMut(Run) -> bool,
) -> bool {
    let (first, last) = (start.max(range.start), (start + span(level)).min(range.end));
    if first >= last {
        return true;
    }
    let run = |fill| Run {
        start: first,
        end: last,
        fill,
    };
    match node {
        Node::Fill(fill) => visit(run(Some(*fill))),
        Node::Chunk(_) => visit(run(None)),
        Node::Inner(children) => children.iter().zip(0..).all(|(child, index)| {
            let start = start + index * span(level - 1);
            visit_runs(child, level - 1, start, range, visit)
        }),
    }
}

/// Visits the first offset of each chunk and fill below a node in order. Of parts that several
/// places share, it visits the first place only; `seen` has the addresses of the parts.
pub(super) fn visit_distinct(
    node: &Node,
    level: u32,
    start: u64,
    seen: &mut FxHashSet<usize>,
    visit: &mut dyn FnMut(u64),
) {
    match node {
        Node::Fill(_) => visit(start),
        Node::Chunk(chunk) => {
            if seen.insert(Arc::as_ptr(chunk).addr()) {
                visit(start);
            }
        }
        Node::Inner(children) => {
            if !seen.insert(Arc::as_ptr(children).addr()) {
                return;
            }
            for (child, index) in children.iter().zip(0..) {
                visit_distinct(
                    child,
                    level - 1,
                    start + index * span(level - 1),
                    seen,
                    visit,
                );
            }
        }
    }
}

/// A node of a level with `size` bytes below it: of whole nodes by level, and the last chunk.
pub(super) fn node_of_size(whole: &[Node], last: &Node, level: u32, size: u64) -> Node {
    if level == 0 {
        return last.clone();
    }
    let step = span(level - 1);
    Node::Inner(Arc::new(std::array::from_fn(|index| {
        let start = index as u64 * step;
        match size.checked_sub(start) {
            None | Some(0) => Node::Fill(0),
            Some(rest) if rest > step => whole[level as usize - 1].clone(),
            Some(rest) => node_of_size(whole, last, level - 1, rest),
        }
    })))
}

/// Sets the bytes `from..to` to `value`; whole subtrees become one fill node.
pub(super) fn fill_below(
    node: &mut Node,
    level: u32,
    start: u64,
    size: u64,
    from: u64,
    to: u64,
    value: u8,
) {
    let end = (start + span(level)).min(size);
    if from <= start && end <= to {
        *node = Node::Fill(value);
        return;
    }
    if let Node::Fill(fill) = *node {
        if fill == value {
            return;
        }
        *node = if level == 0 {
            Node::Chunk(Chunk::filled((end - start) as usize, fill))
        } else {
            Node::Inner(Arc::new(std::array::from_fn(|_| Node::Fill(fill))))
        };
    }
    match node {
        Node::Chunk(chunk) => {
            let (low, high) = (from.max(start) - start, to.min(end) - start);
            unshare(chunk).fill(low as usize, high as usize, value);
        }
        Node::Inner(children) => {
            let step = span(level - 1);
            let children = Arc::make_mut(children);
            let first = from.max(start) - start;
            let last = to.min(end) - start - 1;
            for index in first / step..=last / step {
                let child = &mut children[index as usize];
                fill_below(
                    child,
                    level - 1,
                    start + index * step,
                    size,
                    from,
                    to,
                    value,
                );
            }
        }
        Node::Fill(_) => {}
    }
}

/// Returns the node of `level` that begins at `start`, below a root of level `top`; `None` if its
/// span exceeds the root's.
fn node_at((root, top): (&Node, u32), start: u64, level: u32) -> Option<Node> {
    let mut at = top;
    let mut node = root;
    while at > level {
        match node {
            Node::Inner(children) => node = &children[child_of(start, at)],
            other => return Some(other.clone()),
        }
        at -= 1;
    }
    (at == level).then(|| node.clone())
}

/// Takes over the bytes of a range from below another root, given with its level.
pub(super) fn share_below(
    node: &mut Node,
    level: u32,
    start: u64,
    other: (&Node, u32),
    range: Range<u64>,
) {
    let end = start + span(level);
    if end <= range.start || range.end <= start {
        return;
    }
    if range.start <= start && end <= range.end {
        if let Some(found) = node_at(other, start, level) {
            *node = found;
            return;
        }
    }
    if let Node::Fill(fill) = *node {
        *node = Node::Inner(Arc::new(std::array::from_fn(|_| Node::Fill(fill))));
    }
    let Node::Inner(children) = node else {
        return; // A chunk lies in the range or outside: both are multiples of its size.
    };
    for (child, index) in Arc::make_mut(children).iter_mut().zip(0..) {
        let step = span(level - 1);
        share_below(child, level - 1, start + index * step, other, range.clone());
    }
}

/// A node with other terms in place of those below it; nothing if there are none.
pub(super) fn node_with_terms(node: &Node, map: &dyn Fn(Term) -> Term) -> Option<Node> {
    match node {
        Node::Fill(_) => None,
        Node::Chunk(chunk) => chunk.with_terms(map).map(Node::Chunk),
        Node::Inner(children) => {
            let mut changed: [Option<Node>; FANOUT] = [const { None }; FANOUT];
            for index in 0..FANOUT {
                // Neighbours that are shared stay so.
                let again = index > 0 && is_same(&children[index - 1], &children[index]);
                changed[index] = if again {
                    changed[index - 1].clone()
                } else {
                    node_with_terms(&children[index], map)
                };
            }
            if changed.iter().all(Option::is_none) {
                return None;
            }
            let mut children = children.clone();
            for (child, changed) in Arc::make_mut(&mut children).iter_mut().zip(changed) {
                if let Some(changed) = changed {
                    *child = changed;
                }
            }
            Some(Node::Inner(children))
        }
    }
}

/// Returns true if two nodes are identical.
fn is_same(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Chunk(a), Node::Chunk(b)) => Arc::ptr_eq(a, b),
        (Node::Inner(a), Node::Inner(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// Visits every chunk, each shared node once (`enter` gets addresses of nodes and chunks).
pub(super) fn visit_below(
    node: &Node,
    enter: &mut dyn FnMut(usize) -> bool,
    visit: &mut dyn FnMut(&Chunk),
) {
    match node {
        Node::Fill(_) => {}
        Node::Chunk(chunk) => {
            if enter(Arc::as_ptr(chunk).cast::<u8>() as usize) {
                visit(chunk);
            }
        }
        Node::Inner(children) => {
            if enter(Arc::as_ptr(children) as usize) {
                for child in children.iter() {
                    visit_below(child, enter, visit);
                }
            }
        }
    }
}
