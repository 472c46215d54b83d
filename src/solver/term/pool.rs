//! The pool of hash-consed terms: one entry per distinct term, found by its structural hash.
//!
//! Invariant: an entry's operands are live entries of the same pool, and two live entries never
//! hold equal nodes. The structural hash depends on the term's shape, on the names of its objects
//! and on table contents, never on ids; so it may order operands and key caches. Entries die only
//! in `sweep`; their ids are used again, and `generation` tells holders of ids that this happened.

use super::node::{ArrayId, ArrayInfo, Byte, Node, TableId, Term};
use super::range;
use super::recent::RecentTerms;
use super::shared_arrays::SharedArrays;
use super::support::{Support, Supports};
use hashbrown::HashTable;
use homi_ir::ops::mask;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) node: Node,
    hash: u64,
    range: range::Range,
    support: u32,
    pub(super) width: u8,
    marked: bool,
    live: bool,
}

/// The elements of a table term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Table {
    pub elements: Arc<[u64]>,
    /// Bits of an element, 1 to 64.
    pub width: u32,
}

#[derive(Debug)]
struct Pool {
    entries: Vec<Entry>,
    free: Vec<u32>,
    by_hash: HashTable<u32>,
    supports: Supports,
    arrays: IndexSet<ArrayInfo>,
    tables: Vec<Option<(Table, u64)>>,
    free_tables: Vec<u32>,
    table_ids: FxHashMap<Table, TableId>,
    table_slices: FxHashMap<(TableId, u32, u32), TableId>,
    recent: Recent,
}

/// Terms looked up of late, by the low bits of their hash: states that run the same code ask for
/// the same terms again and again, and in a pool of a million terms each look-up in the table
/// misses the processor's caches.
#[derive(Debug)]
struct Recent {
    slots: Vec<(u64, u32)>,
}

impl Recent {
    /// A power of two; at 16 bytes each the slots stay within a core's second cache.
    const SLOTS: usize = 8192;

    fn new() -> Recent {
        Recent {
            slots: vec![(0, u32::MAX); Recent::SLOTS],
        }
    }

    /// The index of the entry last kept under this hash, if it is still there.
    #[inline]
    fn find(&self, hash: u64) -> Option<u32> {
        let (kept, index) = self.slots[hash as usize & (Recent::SLOTS - 1)];
        (kept == hash && index != u32::MAX).then_some(index)
    }

    #[inline]
    fn keep(&mut self, hash: u64, index: u32) {
        self.slots[hash as usize & (Recent::SLOTS - 1)] = (hash, index);
    }

    fn clear(&mut self) {
        self.slots.fill((0, u32::MAX));
    }
}

/// The pool. All methods take `&self`; a pool belongs to one thread.
#[derive(Debug)]
pub struct Terms {
    pool: RefCell<Pool>,
    pub(super) scratch: RefCell<super::scratch::Scratch>,
    pub(super) lane_cache: RefCell<super::lanes::LaneCache>,
    generation: Cell<u64>,
    collections: Cell<u64>,
    mark_stack: RefCell<Vec<Term>>,
    pub(super) recent: RecentTerms,
    /// Results of extractions and concatenations, whose rules try each other again and again on
    /// deep terms.
    pub(super) recent_pieces: RecentTerms,
    /// Entries made since the last sweep.
    made: Cell<u64>,
    /// Counted cost of evaluations and substitutions, in nanoseconds.
    walked: Cell<u64>,
    /// Names of arrays that pools share; `None` for a single pool.
    pub(super) shared_arrays: Option<SharedArrays>,
    pub(super) starts: RefCell<FxHashMap<Term, u64>>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

/// Mixes one word into a hash; the same on every machine and in every run.
#[inline(always)]
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
    let folded = (product >> 64) as u64 ^ product as u64;
    folded.rotate_left(23) ^ word.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn mix_bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    for &byte in bytes {
        hash = mix(hash, u64::from(byte) + 1);
    }
    hash
}

impl Terms {
    /// An empty pool.
    pub fn new() -> Terms {
        Terms {
            pool: RefCell::new(Pool {
                entries: Vec::new(),
                free: Vec::new(),
                by_hash: HashTable::new(),
                supports: Supports::new(),
                arrays: IndexSet::new(),
                tables: Vec::new(),
                free_tables: Vec::new(),
                table_ids: FxHashMap::default(),
                table_slices: FxHashMap::default(),
                recent: Recent::new(),
            }),
            scratch: RefCell::default(),
            lane_cache: RefCell::default(),
            generation: Cell::new(0),
            collections: Cell::new(0),
            mark_stack: RefCell::default(),
            recent: RecentTerms::new(1024),
            recent_pieces: RecentTerms::new(8192),
            made: Cell::new(0),
            walked: Cell::new(0),
            shared_arrays: None,
            starts: RefCell::default(),
        }
    }

    /// The object called `name`, the `version`-th of that name on its path, of `size` bytes.
    pub fn array(&self, name: &str, version: u32, size: u32) -> ArrayId {
        let info = ArrayInfo {
            name: name.into(),
            version,
            size,
        };
        let arrays = &mut self.pool.borrow_mut().arrays;
        if let Some(shared) = &self.shared_arrays
            && !arrays.contains(&info)
        {
            shared.learn(arrays, Some(info.clone()));
        }
        ArrayId::new(arrays.insert_full(info).0)
    }

    /// Learns of the objects that other pools have made.
    pub(super) fn learn_arrays(&self) {
        if let Some(shared) = &self.shared_arrays {
            shared.learn(&mut self.pool.borrow_mut().arrays, None);
        }
    }

    /// Name, version and size of an object.
    pub fn array_info(&self, array: ArrayId) -> ArrayInfo {
        self.pool.borrow().arrays[array.index()].clone()
    }

    /// The node of a term.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        self.pool.borrow().entries[term.index()].node
    }

    /// Width of a term in bits, 1 to 128.
    #[inline]
    pub fn width(&self, term: Term) -> u32 {
        u32::from(self.pool.borrow().entries[term.index()].width)
    }

    /// The value of a constant.
    #[inline]
    pub fn as_const(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    /// A hash of the term's structure; equal in every pool, run and machine.
    #[inline]
    pub fn structural_hash(&self, term: Term) -> u64 {
        self.pool.borrow().entries[term.index()].hash
    }

    /// The sorted set of symbolic bytes that the term mentions.
    pub fn support(&self, term: Term) -> Support {
        let pool = self.pool.borrow();
        let id = pool.entries[term.index()].support;
        pool.supports.get(id).clone()
    }

    /// The only byte that the term mentions, if it mentions exactly one.
    pub fn single_byte(&self, term: Term) -> Option<Byte> {
        let pool = self.pool.borrow();
        match **pool.supports.get(pool.entries[term.index()].support) {
            [byte] => Some(byte),
            _ => None,
        }
    }

    /// Inclusive unsigned bounds that hold for every assignment.
    pub fn range(&self, term: Term) -> (u128, u128) {
        let width = self.width(term);
        if width <= 64 {
            let (low, high) = self.small_range(term);
            return (u128::from(low), u128::from(high));
        }
        match self.node(term) {
            Node::Const { value, .. } => (value, value),
            Node::Zext { term, .. } => self.range(term),
            _ => (0, mask(width)),
        }
    }

    /// Bounds of a term of at most 64 bits.
    #[inline]
    pub(super) fn small_range(&self, term: Term) -> range::Range {
        self.pool.borrow().entries[term.index()].range
    }

    /// The elements of a table and their width in bits.
    pub fn table_elements(&self, table: TableId) -> (Arc<[u64]>, u32) {
        match &self.pool.borrow().tables[table.index()] {
            Some((table, _)) => (table.elements.clone(), table.width),
            None => (Arc::from([]), 1),
        }
    }

    /// Calls `work` with direct access to the entries and tables.
    pub(super) fn with_view<T>(&self, work: impl FnOnce(View<'_>) -> T) -> T {
        let pool = self.pool.borrow();
        work(View { pool: &pool })
    }

    /// Returns the number of sweeps that freed entries; ids from an earlier generation may name
    /// other terms now.
    pub fn generation(&self) -> u64 {
        self.generation.get()
    }

    /// The number of the current (or last) mark phase, from 1; holders of shared structure use it
    /// to mark each part once.
    pub fn collection(&self) -> u64 {
        self.collections.get()
    }

    /// Live terms.
    pub fn len(&self) -> usize {
        let pool = self.pool.borrow();
        pool.entries.len() - pool.free.len()
    }

    /// True if no term exists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Terms made since the pool was made or last swept.
    pub fn made_since_sweep(&self) -> u64 {
        self.made.get()
    }

    /// Returns the cost of evaluations and substitutions so far in nanoseconds: counted, not timed,
    /// so the same in every run.
    pub fn walked(&self) -> u64 {
        self.walked.get()
    }

    pub(super) fn note_walk(&self, nanoseconds: u64) {
        self.walked.set(self.walked.get() + nanoseconds);
    }

    /// Estimated bytes that the pool occupies.
    pub fn memory(&self) -> usize {
        let pool = self.pool.borrow();
        let tables: usize = pool
            .tables
            .iter()
            .flatten()
            .map(|(table, _)| table.elements.len() * 8 + 64)
            .sum();
        pool.entries.capacity() * size_of::<Entry>()
            + pool.free.capacity() * 4
            + pool.by_hash.capacity() * 5
            + pool.supports.memory()
            + pool.table_slices.capacity() * 24
            + tables
            + self.scratch.borrow().memory()
            + self.lane_cache.borrow().memory()
    }

    pub(super) fn intern_table(&self, elements: &[u64], width: u32) -> TableId {
        let table = Table {
            elements: elements.into(),
            width,
        };
        let mut pool = self.pool.borrow_mut();
        if let Some(&id) = pool.table_ids.get(&table) {
            return id;
        }
        let mut hash = mix(0x7ab1e, u64::from(width));
        for &element in elements {
            hash = mix(hash, element);
        }
        let id = match pool.free_tables.pop() {
            Some(slot) => TableId(slot),
            None => {
                pool.tables.push(None);
                TableId::new(pool.tables.len() - 1)
            }
        };
        pool.tables[id.index()] = Some((table.clone(), hash));
        pool.table_ids.insert(table, id);
        id
    }

    /// The table whose elements are bits `low .. low + width` of another's.
    pub(super) fn slice_table(&self, table: TableId, low: u32, width: u32) -> TableId {
        let key = (table, low, width);
        if let Some(&known) = self.pool.borrow().table_slices.get(&key) {
            return known;
        }
        let (elements, _) = self.table_elements(table);
        let bits = homi_ir::ops::mask64(width);
        let sliced: Vec<u64> = elements.iter().map(|value| (value >> low) & bits).collect();
        let id = self.intern_table(&sliced, width);
        self.pool.borrow_mut().table_slices.insert(key, id);
        id
    }

    /// The entry of a node that no rule changes.
    pub(super) fn intern(&self, node: Node, width: u32) -> Term {
        let mut pool = self.pool.borrow_mut();
        let pool = &mut *pool;
        let hash = pool.hash(&node, width);
        let entries = &pool.entries;
        if let Some(index) = pool.recent.find(hash)
            && entries[index as usize].node == node
        {
            return Term::from_index(index as usize);
        }
        let found = pool
            .by_hash
            .find(hash, |&index| entries[index as usize].node == node);
        if let Some(&index) = found {
            pool.recent.keep(hash, index);
            return Term::from_index(index as usize);
        }
        let entry = Entry {
            node,
            hash,
            range: pool.range(&node, width),
            support: pool.support(&node),
            width: width as u8,
            marked: false,
            live: true,
        };
        let index = match pool.free.pop() {
            Some(index) => {
                pool.entries[index as usize] = entry;
                index
            }
            None => {
                pool.entries.push(entry);
                pool.entries.len() as u32 - 1
            }
        };
        let entries = &pool.entries;
        pool.by_hash
            .insert_unique(hash, index, |&index| entries[index as usize].hash);
        pool.recent.keep(hash, index);
        self.made.set(self.made.get() + 1);
        Term::from_index(index as usize)
    }

    /// Starts a mark phase: nothing is marked.
    pub fn begin_mark(&self) {
        self.collections.set(self.collections.get() + 1);
        for entry in &mut self.pool.borrow_mut().entries {
            entry.marked = false;
        }
    }

    /// Marks a term and everything below it.
    pub fn mark(&self, term: Term) {
        let mut pool = self.pool.borrow_mut();
        let mut stack = self.mark_stack.borrow_mut();
        stack.push(term);
        while let Some(term) = stack.pop() {
            let entry = &mut pool.entries[term.index()];
            if !entry.marked {
                entry.marked = true;
                let node = entry.node;
                node.for_each_operand(|operand| stack.push(operand));
            }
        }
    }

    /// Ends a mark phase: every term that was not marked dies, and with it every table and set of
    /// bytes that no term uses. Returns how many died. Ids of dead terms must not be used again.
    pub fn sweep(&self) -> usize {
        let mut pool = self.pool.borrow_mut();
        pool.recent.clear();
        self.starts
            .borrow_mut()
            .retain(|term, _| pool.entries[term.index()].marked);
        let died = pool.sweep();
        self.generation.set(self.generation.get() + 1);
        self.made.set(0);
        self.scratch.borrow_mut().clear();
        self.recent.clear();
        self.recent_pieces.clear();
        self.trim_lane_cache();
        died
    }
}

/// Read access to the pool without a check per access.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pool: &'a Pool,
}

impl View<'_> {
    #[inline(always)]
    pub fn entry(&self, term: Term) -> &Entry {
        &self.pool.entries[term.index()]
    }

    /// One element of a table, 0 beyond its end.
    pub fn table_element(&self, table: TableId, position: usize) -> u64 {
        let table = self.pool.tables[table.index()].as_ref();
        table
            .and_then(|(table, _)| table.elements.get(position).copied())
            .unwrap_or(0)
    }
}

impl Pool {
    fn hash(&self, node: &Node, width: u32) -> u64 {
        let of = |term: Term| self.entries[term.index()].hash;
        let start = |kind: u64, detail: u64| mix(mix(0x5eed, kind << 16 | detail), width.into());
        match *node {
            Node::Const { value, .. } => mix(mix(start(1, 0), value as u64), (value >> 64) as u64),
            Node::Symbol(byte) => {
                let info = &self.arrays[byte.array.index()];
                let name = mix_bytes(start(2, 0), info.name.as_bytes());
                let object = mix(mix(name, info.version.into()), info.size.into());
                mix(object, byte.index.into())
            }
            Node::Bin(op, a, b) => mix(mix(start(3, op as u64), of(a)), of(b)),
            Node::Cmp(op, a, b) => mix(mix(start(4, op as u64), of(a)), of(b)),
            Node::Not(a) => mix(start(5, 0), of(a)),
            Node::Zext { term, .. } => mix(start(6, 0), of(term)),
            Node::Sext { term, .. } => mix(start(7, 0), of(term)),
            Node::Extract { low, term, .. } => mix(start(8, low.into()), of(term)),
            Node::Concat(a, b) => mix(mix(start(9, 0), of(a)), of(b)),
            Node::Ite(c, a, b) => mix(mix(mix(start(10, 0), of(c)), of(a)), of(b)),
            Node::Table(table, index) => {
                let contents = self.tables[table.index()].as_ref().map_or(0, |t| t.1);
                mix(mix(start(11, 0), contents), of(index))
            }
            Node::Float(function, [a, b, c]) => {
                let start = start(12, u64::from(function.code()));
                mix(mix(mix(start, of(a)), of(b)), of(c))
            }
        }
    }

    fn range(&self, node: &Node, width: u32) -> range::Range {
        if width > 64 {
            return (0, u64::MAX);
        }
        let of = |term: Term| self.entries[term.index()].range;
        let width_of = |term: Term| u32::from(self.entries[term.index()].width);
        match *node {
            Node::Const { value, .. } => (value as u64, value as u64),
            Node::Bin(op, a, b) => range::bin(op, width, of(a), of(b)),
            Node::Not(a) => {
                let (low, high) = of(a);
                let max = homi_ir::ops::mask64(width);
                (max - high, max - low)
            }
            Node::Zext { term, .. } => of(term),
            Node::Sext { term, .. } => range::sext(width_of(term), width, of(term)),
            Node::Extract { low, term, .. } if width_of(term) <= 64 => {
                range::extract(low.into(), width, of(term))
            }
            Node::Concat(high, low) => {
                let shift = width_of(low);
                let (h, l) = (of(high), of(low));
                (h.0 << shift | l.0, h.1 << shift | l.1)
            }
            Node::Ite(_, a, b) => (of(a).0.min(of(b).0), of(a).1.max(of(b).1)),
            Node::Table(table, index) => self.table_range(table, of(index)),
            Node::Float(function, [a, ..]) => range::float(function, of(a)),
            Node::Cmp(..) | Node::Symbol(_) | Node::Extract { .. } => range::full(width),
        }
    }

    fn table_range(&self, table: TableId, index: range::Range) -> range::Range {
        let Some((table, _)) = &self.tables[table.index()] else {
            return (0, u64::MAX);
        };
        let length = table.elements.len() as u64;
        let (first, last) = (index.0.min(length), index.1.min(length));
        // The element at `length` represents all indices beyond the end.
        let beyond = (index.1 >= length).then_some(0);
        let reached = &table.elements[first as usize..(last + 1).min(length).max(first) as usize];
        let values = reached.iter().copied().chain(beyond);
        values.fold((u64::MAX, 0), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    }

    fn support(&mut self, node: &Node) -> u32 {
        if let Node::Symbol(byte) = *node {
            return self.supports.single(byte);
        }
        let mut union = 0;
        node.for_each_operand(|operand| {
            let other = self.entries[operand.index()].support;
            union = self.supports.union(union, other);
        });
        union
    }

    fn sweep(&mut self) -> usize {
        let mut died = 0;
        let mut used_supports = vec![false; self.supports.len()];
        let mut used_tables = vec![false; self.tables.len()];
        self.free.clear();
        for (index, entry) in self.entries.iter_mut().enumerate() {
            if entry.marked {
                used_supports[entry.support as usize] = true;
                if let Node::Table(table, _) = entry.node {
                    used_tables[table.index()] = true;
                }
            } else {
                died += usize::from(entry.live);
                entry.live = false;
                self.free.push(index as u32);
            }
        }
        // Low ids first, so that what is used next lies together.
        self.free.reverse();
        let entries = &self.entries;
        self.by_hash.retain(|index| entries[*index as usize].marked);
        let renamed = self.supports.retain(&used_supports);
        for entry in self.entries.iter_mut().filter(|entry| entry.marked) {
            entry.support = renamed[entry.support as usize];
        }
        for (index, table) in self.tables.iter_mut().enumerate() {
            if !used_tables[index] && table.take().is_some() {
                self.free_tables.push(index as u32);
            }
        }
        self.table_ids.retain(|_, id| used_tables[id.index()]);
        self.table_slices
            .retain(|key, id| used_tables[key.0.index()] && used_tables[id.index()]);
        while self.entries.last().is_some_and(|entry| !entry.marked) {
            self.entries.pop();
        }
        let length = self.entries.len() as u32;
        self.free.retain(|&index| index < length);
        self.entries.shrink_to(self.entries.len() * 2);
        self.free.shrink_to_fit();
        self.by_hash
            .shrink_to_fit(|&index| self.entries[index as usize].hash);
        died
    }
}
