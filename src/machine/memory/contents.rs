//! The bytes of one object: a persistent tree of chunks.
//!
//! Invariant: a node is a fill byte for everything below it, one chunk, or 4 nodes. An object of
//! any size starts as one fill node, so a 1 GiB object costs nothing until its first write, which
//! makes one chunk and the nodes above it. Clones share nodes; a write copies the path to its
//! chunk.
//!
//! The last write at a symbolic offset is also kept as an `Update` with the contents before it, as
//! long as nothing is written after it. The bytes alone are exact; the update lets a read at
//! another symbolic offset be one comparison of the two offsets instead of one if-then-else per
//! byte in reach.

use super::Value;
use super::chunk::{Chunk, unshare};
use super::layers::{Layer, Layers};
use super::nodes::{CHUNK, Node, Run, child_of, fill_below, levels, node_of_size, node_with_terms};
use super::nodes::{share_below, visit_below, visit_distinct, visit_runs};
use homi_solver::term::Term;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// An object's bytes.
#[derive(Clone)]
pub struct Contents {
    root: Node,
    size: u64,
    /// The write that made these contents, if it was one at a symbolic offset.
    update: Option<Arc<Update>>,
    /// Writes at symbolic offsets that not all chunks show; see `layers`.
    layers: Option<Arc<Layers>>,
}

/// A write at a symbolic offset.
pub struct Update {
    /// Offset of the write, 64 bits: one of `first`, `first + step`, ...
    pub offset: Term,
    pub first: u64,
    pub step: u64,
    /// Number of bytes written, 1 to 16.
    pub bytes: u32,
    pub value: Value,
    /// The contents before the write.
    pub before: Contents,
    /// Number of updates below this one.
    depth: u32,
}

/// Updates kept one below the other; the oldest are then read byte by byte.
const MAX_UPDATES: u32 = 64;

/// Bytes at an offset.
pub enum Piece<'a> {
    /// A piece with this concrete byte everywhere.
    Fill(u8),
    Chunk(&'a Chunk),
}

impl Contents {
    pub fn filled(size: u64, fill: u8) -> Self {
        Contents {
            root: Node::Fill(fill),
            size,
            update: None,
            layers: None,
        }
    }

    /// Returns the bytes below a node, with this size.
    pub(super) fn of_root(root: Node, size: u64) -> Self {
        Contents {
            root,
            size,
            update: None,
            layers: None,
        }
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Undefined bytes: chunks of the same 256 terms, so an object of any size costs one or two
    /// chunks until it is written. `byte(i)` is the term of the bytes at `i` modulo 256.
    pub fn symbolic(size: u64, byte: &dyn Fn(u64) -> Term) -> Self {
        let chunk = |len: u64| Node::Chunk(Chunk::symbolic((0..len).map(byte).collect()));
        if size == 0 {
            return Self::filled(0, 0);
        }
        // By level, nodes that lie in the object as a whole.
        let mut whole = vec![chunk(CHUNK.min(size))];
        for _ in 0..levels(size) {
            let below = whole[whole.len() - 1].clone();
            whole.push(Node::Inner(Arc::new(std::array::from_fn(|_| {
                below.clone()
            }))));
        }
        let last = chunk(size - (size - 1) / CHUNK * CHUNK);
        Contents {
            root: node_of_size(&whole, &last, levels(size), size),
            size,
            update: None,
            layers: None,
        }
    }

    /// First offset and one past the last offset of the chunk that `offset` lies in.
    #[inline]
    pub fn chunk_bounds(&self, offset: u64) -> (u64, u64) {
        let start = offset / CHUNK * CHUNK;
        (start, (start + CHUNK).min(self.size))
    }

    /// The chunk or fill that `offset` (below the size) lies in.
    pub fn piece(&self, offset: u64) -> Piece<'_> {
        let mut node = &self.root;
        let mut level = levels(self.size);
        loop {
            match node {
                Node::Fill(fill) => return Piece::Fill(*fill),
                Node::Chunk(chunk) => return Piece::Chunk(chunk),
                Node::Inner(children) => node = &children[child_of(offset, level)],
            }
            level -= 1;
        }
    }

    /// The chunk that `offset` lies in, made from the fill if need be and unshared.
    pub fn chunk_mut(&mut self, offset: u64) -> &mut Chunk {
        self.update = None;
        let (start, end) = self.chunk_bounds(offset);
        let mut level = levels(self.size);
        let mut node = &mut self.root;
        while level > 0 {
            if let Node::Fill(fill) = *node {
                *node = Node::Inner(Arc::new(std::array::from_fn(|_| Node::Fill(fill))));
            }
            match node {
                Node::Inner(children) => {
                    node = &mut Arc::make_mut(children)[child_of(offset, level)];
                }
                _ => unreachable!("chunks lie on level 0 only"),
            }
            level -= 1;
        }
        if let Node::Fill(fill) = *node {
            *node = Node::Chunk(Chunk::filled((end - start) as usize, fill));
        }
        match node {
            Node::Chunk(chunk) => unshare(chunk),
            _ => unreachable!("level 0 holds no inner nodes"),
        }
    }

    /// Sets the bytes `from..to` to `value`; whole subtrees become one fill node.
    pub fn fill(&mut self, from: u64, to: u64, value: u8) {
        self.update = None;
        if from < to {
            fill_below(
                &mut self.root,
                levels(self.size),
                0,
                self.size,
                from,
                to,
                value,
            );
        }
    }

    /// Takes over the bytes `from..to` of other contents at the same offsets: both are multiples of
    /// a chunk's size, and neither contents end before `to`. Nodes are shared, so a copy costs what
    /// lies at its two ends. No raw pointer into a chunk of either may be alive.
    pub fn share(&mut self, other: &Contents, from: u64, to: u64) {
        debug_assert!(from % CHUNK == 0 && to % CHUNK == 0 && to <= self.size.min(other.size));
        self.update = None;
        if from < to {
            let other = (&other.root, levels(other.size));
            share_below(&mut self.root, levels(self.size), 0, other, from..to);
        }
    }

    /// The runs that the bytes `from..to` consist of, if they are not more than `most`.
    pub fn runs(&self, from: u64, to: u64, most: usize) -> Option<Vec<Run>> {
        let mut runs: Vec<Run> = Vec::new();
        let complete = visit_runs(&self.root, levels(self.size), 0, &(from..to), &mut |run| {
            match runs.last_mut() {
                Some(last) if last.fill == run.fill => last.end = run.end,
                _ => runs.push(run),
            }
            runs.len() <= most
        });
        complete.then_some(runs)
    }

    /// Returns the first offsets of chunks and fills, in order; of parts that several places share,
    /// the first place's only.
    pub fn distinct_parts(&self) -> Vec<u64> {
        let mut starts = Vec::new();
        let visit = &mut |start| {
            if start < self.size {
                starts.push(start);
            }
        };
        let seen = &mut FxHashSet::default();
        visit_distinct(&self.root, levels(self.size), 0, seen, visit);
        starts
    }

    /// The write at a symbolic offset that made these contents, while nothing was written after it.
    pub fn update(&self) -> Option<&Update> {
        self.update.as_deref()
    }

    /// Sets the bytes to `update.before` with the write that `update` describes. No raw pointer
    /// into a chunk may be alive: a write through one would bypass it.
    pub fn set_update(&mut self, mut update: Update) {
        update.depth = update
            .before
            .update
            .as_ref()
            .map_or(0, |below| below.depth + 1);
        if update.depth < MAX_UPDATES {
            self.update = Some(Arc::new(update));
        }
    }

    /// Writes above the chunks.
    pub fn layers(&self) -> Option<&Layers> {
        self.layers.as_deref()
    }

    /// Adds a write above all others. As for `set_update`, no raw pointer into a chunk may be
    /// alive.
    pub fn add_layer(&mut self, layer: Layer) {
        self.update = None;
        Arc::make_mut(self.layers.get_or_insert_default()).push(layer);
    }

    /// Says that the chunk of an offset shows all layers.
    pub fn show_layers(&mut self, offset: u64) {
        if let Some(layers) = &mut self.layers {
            Arc::make_mut(layers).show_all(offset);
        }
    }

    /// Visits every chunk, each shared node once (`enter` gets addresses of nodes and chunks).
    pub fn for_each_chunk(
        &self,
        enter: &mut dyn FnMut(usize) -> bool,
        visit: &mut dyn FnMut(&Chunk),
    ) {
        visit_below(&self.root, enter, visit);
    }

    /// Visits every term, each shared part once.
    pub fn for_each_term(&self, enter: &mut dyn FnMut(usize) -> bool, visit: &mut dyn FnMut(Term)) {
        self.for_each_chunk(enter, &mut |chunk| {
            chunk.terms().iter().copied().for_each(&mut *visit);
        });
        if let Some(update) = &self.update
            && enter(Arc::as_ptr(update) as usize)
        {
            visit(update.offset);
            if let Value::Term(term) = update.value {
                visit(term);
            }
            update.before.for_each_term(enter, visit);
        }
        if let Some(layers) = &self.layers {
            layers.for_each_term(enter, visit);
        }
    }

    /// Returns the contents with mapped terms; `None` if they have no terms.
    pub fn with_terms(&self, map: &dyn Fn(Term) -> Term) -> Option<Contents> {
        let root = node_with_terms(&self.root, map);
        if root.is_none() && self.update.is_none() && self.layers.is_none() {
            return None;
        }
        let layers = self.layers.as_ref();
        let layers = layers.map(|layers| Arc::new(layers.with_terms(map)));
        let update = self.update.as_ref().map(|update| {
            let Update {
                offset,
                first,
                step,
                bytes,
                value,
                before,
                depth,
            } = &**update;
            Arc::new(Update {
                offset: map(*offset),
                first: *first,
                step: *step,
                bytes: *bytes,
                value: match *value {
                    Value::Term(term) => Value::Term(map(term)),
                    Value::Concrete(value) => Value::Concrete(value),
                },
                before: before.with_terms(map).unwrap_or_else(|| before.clone()),
                depth: *depth,
            })
        });
        Some(Contents {
            root: root.unwrap_or_else(|| self.root.clone()),
            size: self.size,
            update,
            layers,
        })
    }
}

impl Update {
    pub fn new(
        offset: Term,
        (first, step): (u64, u64),
        bytes: u32,
        value: Value,
        before: Contents,
    ) -> Self {
        Self {
            offset,
            first,
            step,
            bytes,
            value,
            before,
            depth: 0,
        }
    }

    /// True if a read of `bytes` at one of the offsets `first`, `first + step`, ... either hits
    /// exactly what the write wrote or nothing of it.
    pub fn answers(&self, first: u64, step: u64, bytes: u32) -> bool {
        let distance = u64::from(bytes);
        bytes == self.bytes
            && step % distance == 0
            && self.step % distance == 0
            && first % distance == self.first % distance
    }
}

#[cfg(test)]
#[path = "contents_tests.rs"]
mod tests;
