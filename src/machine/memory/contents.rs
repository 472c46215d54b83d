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
use super::chunk::{CHUNK_SIZE, Chunk, ChunkRef, unshare};
use super::layers::{Layer, Layers, show_all};
use crate::solver::term::Term;
use std::ops::Range;
use std::sync::Arc;

const FANOUT_BITS: u32 = 2;
pub(super) const FANOUT: usize = 1 << FANOUT_BITS;
const CHUNK: u64 = CHUNK_SIZE as u64;

#[derive(Clone)]
pub(super) enum Node {
    Fill(u8),
    Chunk(ChunkRef),
    Inner(Arc<[Node; FANOUT]>),
}

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

fn child_of(offset: u64, level: u32) -> usize {
    (offset / span(level - 1)) as usize & (FANOUT - 1)
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

    /// Returns the node of `level` that begins at `start`; `None` if its span exceeds the root's.
    fn node(&self, start: u64, level: u32) -> Option<Node> {
        let mut at = levels(self.size);
        let mut node = &self.root;
        while at > level {
            match node {
                Node::Inner(children) => node = &children[child_of(start, at)],
                other => return Some(other.clone()),
            }
            at -= 1;
        }
        (at == level).then(|| node.clone())
    }

    /// The write at a symbolic offset that made these contents, while nothing was written after it.
    pub fn update(&self) -> Option<&Update> {
        self.update.as_deref()
    }

    /// Sets the bytes to those of `update.before` after the write that `update` describes. No raw
    /// pointer into a chunk may be alive: a write through one would bypass it.
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
            show_all(Arc::make_mut(layers), offset);
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

/// Visits the parts of a node within a range in order, until `visit` says no.
fn visit_runs(
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

/// A node of a level with `size` bytes below it: of whole nodes by level, and the last chunk.
fn node_of_size(whole: &[Node], last: &Node, level: u32, size: u64) -> Node {
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

fn fill_below(node: &mut Node, level: u32, start: u64, size: u64, from: u64, to: u64, value: u8) {
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

fn share_below(node: &mut Node, level: u32, start: u64, other: &Contents, range: Range<u64>) {
    let end = start + span(level);
    if end <= range.start || range.end <= start {
        return;
    }
    if range.start <= start && end <= range.end {
        if let Some(found) = other.node(start, level) {
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
fn node_with_terms(node: &Node, map: &dyn Fn(Term) -> Term) -> Option<Node> {
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

/// Returns whether two nodes are identical.
fn is_same(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Chunk(a), Node::Chunk(b)) => Arc::ptr_eq(a, b),
        (Node::Inner(a), Node::Inner(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

fn visit_below(node: &Node, enter: &mut dyn FnMut(usize) -> bool, visit: &mut dyn FnMut(&Chunk)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::term::Terms;

    fn byte(contents: &Contents, offset: u64) -> u8 {
        match contents.piece(offset) {
            Piece::Fill(fill) => fill,
            Piece::Chunk(chunk) => chunk.bytes()[(offset % CHUNK) as usize],
        }
    }

    #[test]
    fn fills_and_writes_agree_with_a_vector() {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(3);
        for size in [1u64, 8, 255, 256, 257, 4096, 4097, 70_000] {
            let mut contents = Contents::filled(size, 0xab);
            let mut model = vec![0xabu8; size as usize];
            for step in 0..60u32 {
                let from = random.random_range(0..size);
                let to = random.random_range(from..=size);
                if step % 3 == 0 {
                    contents.fill(from, to, step as u8);
                    model[from as usize..to as usize].fill(step as u8);
                } else {
                    let at = (from % CHUNK) as usize;
                    contents.chunk_mut(from).write(at, &[step as u8]);
                    model[from as usize] = step as u8;
                }
                if step == 30 {
                    let before = contents.clone();
                    contents.fill(0, size, 1);
                    assert!(
                        (0..size).all(|offset| byte(&before, offset) == model[offset as usize])
                    );
                    contents = before;
                }
            }
            assert!((0..size).all(|offset| byte(&contents, offset) == model[offset as usize]));
        }
    }

    #[test]
    fn undefined_contents_share_their_chunks() {
        let terms = Terms::new();
        let array = terms.array("x", 0, 256);
        let symbol = |index: u64| {
            terms.symbol(crate::solver::term::Byte {
                array,
                index: index as u32,
            })
        };
        for size in [1u64, 255, 256, 257, 4096, 4097, 70_000, 1 << 30] {
            let contents = Contents::symbolic(size, &symbol);
            let term = |offset: u64| match contents.piece(offset) {
                Piece::Fill(_) => None,
                Piece::Chunk(chunk) => chunk.term((offset % CHUNK) as usize),
            };
            for offset in [0, size / 2, size - 1] {
                assert_eq!(
                    term(offset),
                    Some(symbol(offset % CHUNK)),
                    "{size} {offset}"
                );
            }
            let mut written = contents.clone();
            let (start, end) = written.chunk_bounds(size - 1);
            let zeros = vec![0; (end - start) as usize];
            written.chunk_mut(size - 1).write(0, &zeros);
            assert!(written.chunk_mut(size - 1).is_concrete(), "{size}");
            assert!(term(size - 1).is_some());
            let mut chunks = 0;
            let mut seen = std::collections::BTreeSet::new();
            contents.for_each_chunk(&mut |part| seen.insert(part), &mut |_| chunks += 1);
            assert!(chunks <= 2, "{size}");
            let other = terms.symbol(crate::solver::term::Byte { array, index: 0 });
            let moved = contents.with_terms(&|_| other).expect("it has terms");
            chunks = 0;
            moved.for_each_chunk(&mut |part| seen.insert(part), &mut |_| chunks += 1);
            assert!(chunks <= 64, "{size}: {chunks}");
        }
    }

    #[test]
    fn a_huge_object_costs_one_chunk_per_write() {
        let mut contents = Contents::filled(1 << 30, 0);
        contents.chunk_mut(123_456_789).write(1, &[5]);
        let mut chunks = 0;
        contents.for_each_chunk(&mut |_| true, &mut |_| chunks += 1);
        assert_eq!(chunks, 1);
        contents.fill(0, 1 << 30, 0);
        chunks = 0;
        contents.for_each_chunk(&mut |_| true, &mut |_| chunks += 1);
        assert_eq!(chunks, 0);
    }
}
