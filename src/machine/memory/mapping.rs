//! Mappings: pieces of the address space at page boundaries that may be protected, unmapped in
//! parts, and show the bytes of another object.
//!
//! Idea: a mapping is one object or several, each with one protection, so that an access knows all
//! from the object that it finds; equal neighbors are joined. A window is a mapping without bytes:
//! it shows the bytes of a block, the contents of a file, which other windows and readers of the
//! block share. Invariant: windows and blocks that windows show are never in the access cache,
//! which knows one address for a byte.

use super::Memory;
use super::address::{self, FUNCTION_BASE, NULL_PAGE, object_area};
use super::contents::{Contents, Piece};
use super::lookup::view;
use super::object::{AllocationSite, Object, ObjectInfo, ObjectKey, ObjectKind, ObjectRef};
use homi_solver::term::Terms;
use std::sync::Arc;

/// The hole of an object that has none and is not to be cached.
const NEVER_CACHED: (u64, u64) = (u64::MAX, u64::MAX);

/// Protection of a mapping.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Access {
    None,
    Read,
    Write,
}

impl Memory {
    /// Returns true if the program has mappings, or objects at addresses of its choice.
    pub fn has_mappings(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// Addresses for a mapping of `size` bytes that nothing else is given.
    pub fn reserve(&mut self, size: u64, page: u64) -> Option<u64> {
        let class = self.class_with_room(size, page)?;
        let order = self.order_of_numbers();
        let space = &mut self.classes[usize::from(class)];
        let index = space.take_number(address::class_capacity(self.pointers, class), order)?;
        Some(address::class_address(self.pointers, class, index, page))
    }

    /// Returns true if these addresses are free of objects and functions, hidden mappings included.
    pub fn is_free(&self, start: u64, size: u64) -> bool {
        let Some(end) = start
            .checked_add(size)
            .filter(|end| *end <= object_area(self.pointers).1)
        else {
            return false;
        };
        let overlaps = |object: &ObjectRef| {
            object.base < end && object.base.saturating_add(object.capacity) > start
        };
        start >= NULL_PAGE
            && (end <= FUNCTION_BASE || start >= self.end_of_functions)
            && !self.meets_fixed(start, end)
            && !self
                .objects_between(start, end)
                .any(|object| overlaps(&object))
    }

    /// Returns true if an object at a fixed address overlaps these addresses.
    pub(super) fn meets_fixed(&self, start: u64, end: u64) -> bool {
        let last = self.fixed.range(..end).next_back();
        last.is_some_and(|(_, object)| end_of(object) > start)
    }

    /// Returns true if a mapping at the address forbids some accesses.
    pub fn is_protected(&self, address: u64) -> bool {
        let piece = self.fixed.range(..=address).next_back();
        piece.is_some_and(|(_, piece)| {
            let is_mapping = piece.info.kind == ObjectKind::Mapping;
            is_mapping && end_of(piece) > address && (piece.info.hidden || piece.read_only)
        })
    }

    /// Maps zeros at addresses that are free.
    pub fn map(&mut self, start: u64, size: u64, site: AllocationSite) {
        let info = ObjectInfo {
            hole: (0, 0),
            ..mapping_info(start, size, site)
        };
        self.insert_piece(start, info, Contents::filled(size, 0), false);
        self.join_around(start);
    }

    /// Maps a window of `size` bytes at addresses that are free: it shows what lies from `bytes`
    /// on, within one block. False if no block is there.
    pub fn map_window(&mut self, start: u64, size: u64, bytes: u64, site: AllocationSite) -> bool {
        let Some(block) = self.owner(bytes).filter(|block| {
            matches!(block.key, ObjectKey::Class { .. }) && block.contains(bytes, 0)
        }) else {
            return false;
        };
        let distance = bytes - block.base;
        if start < distance {
            return false;
        }
        self.forbid(block.base, NEVER_CACHED);
        let info = ObjectInfo {
            // The address at which the block's first byte would be.
            base: start - distance,
            size: distance + size,
            capacity: distance + size,
            hole: match distance {
                0 => NEVER_CACHED,
                _ => (0, distance),
            },
            window: Some(block.base),
            ..mapping_info(start, size, site)
        };
        self.insert_piece(start, info, Contents::filled(0, 0), false);
        true
    }

    /// Gives back all pieces of mappings at these addresses.
    pub fn unmap(&mut self, terms: &Terms, start: u64, size: u64) {
        let end = start.saturating_add(size);
        self.cut(terms, start);
        self.cut(terms, end);
        for at in self.pieces(start, end) {
            self.forget_piece_at(at);
            Arc::make_mut(&mut self.fixed).remove(&at);
        }
    }

    /// Changes what may be done at these addresses: with mappings page by page, with other objects
    /// as a whole, or, where nothing may be done with a part, with that part. False if something
    /// there is no memory.
    pub fn protect(&mut self, terms: &Terms, start: u64, size: u64, access: Access) -> bool {
        let end = start.saturating_add(size);
        self.cut(terms, start);
        self.cut(terms, end);
        let pieces = self.pieces(start, end);
        let mut covered = 0;
        for at in &pieces {
            covered += self.piece_end(*at) - at;
            self.forget_piece_at(*at);
            if let Some(piece) = Arc::make_mut(&mut self.fixed).get_mut(at) {
                piece.read_only = access == Access::Read;
                Arc::make_mut(&mut piece.info).hidden = access == Access::None;
            }
        }
        for at in pieces {
            self.join_around(at);
        }
        covered == size || self.protect_others(start, end, access)
    }

    /// `protect` for addresses without a mapping.
    fn protect_others(&mut self, start: u64, end: u64, access: Access) -> bool {
        let mut is_known = false;
        for object in self.objects_between(start, end - 1).collect::<Vec<_>>() {
            let (low, high) = (
                start.max(object.base),
                end.min(object.base + object.capacity),
            );
            if object.kind == ObjectKind::Mapping || low >= high {
                continue;
            }
            is_known = true;
            let part = (low - object.base, high - object.base);
            let is_whole = part == (0, object.capacity);
            self.change(&object, |object| {
                let info = Arc::make_mut(&mut object.info);
                match access {
                    Access::None => info.hole = part,
                    _ if info.hole == part || is_whole => info.hole = (0, 0),
                    _ => {}
                }
                let constant = ObjectKind::Global { constant: true };
                if is_whole {
                    object.read_only = access == Access::Read || info.kind == constant;
                }
            });
        }
        is_known
    }

    /// Returns the view of an object at a fixed address, with the bytes that it shows.
    pub(super) fn fixed_view<'a>(
        &'a self,
        start: u64,
        object: &'a Object,
    ) -> Option<(ObjectRef, &'a Contents)> {
        let Some(block) = object.info.window else {
            return Some((view(object, ObjectKey::Fixed(start)), &object.contents));
        };
        let address::AddressRegion::Class { class, index } = address::place(self.pointers, block)
        else {
            return None;
        };
        let shown = self.class_object(class, index)?;
        shown.freed.is_none().then(|| {
            let key = ObjectKey::Class { class, index };
            (view(object, key), &shown.contents)
        })
    }

    /// The object at a fixed address that an address lies in.
    #[cold]
    pub(super) fn find_fixed(&self, address: u64) -> Option<(ObjectRef, &Contents)> {
        let (start, object) = self.fixed.range(..=address).next_back()?;
        let found = if object.info.hidden {
            None
        } else {
            self.fixed_view(*start, object)
        };
        found.filter(|(found, _)| found.contains(address, 0))
    }

    /// The hidden mapping at an address.
    pub(super) fn hidden_at(&self, address: u64) -> Option<ObjectRef> {
        let (start, object) = self.fixed.range(..=address).next_back()?;
        let is_inside = object.info.hidden && address < end_of(object);
        is_inside.then(|| view(object, ObjectKey::Fixed(*start)))
    }

    /// Bytes from an address to the end of its mapping, if `bytes` bytes reach beyond it and
    /// another mapping follows there.
    #[inline]
    pub(super) fn crossing(&self, address: u64, bytes: u64) -> Option<u64> {
        if self.fixed.is_empty() {
            None
        } else {
            self.crossing_mappings(address, bytes)
        }
    }

    #[cold]
    fn crossing_mappings(&self, address: u64, bytes: u64) -> Option<u64> {
        let (_, object) = self.fixed.range(..=address).next_back()?;
        let end = end_of(object);
        let goes_on = self.fixed.get(&end).is_some_and(|next| !next.info.hidden);
        let within = address < end && end - address < bytes && !object.info.hidden;
        (within && goes_on && object.info.kind == ObjectKind::Mapping).then(|| end - address)
    }

    /// Returns the starts of the pieces that overlap a range of pages.
    fn pieces(&self, start: u64, end: u64) -> Vec<u64> {
        let first = self.fixed.range(..start).next_back();
        let first = first.filter(|(_, object)| end_of(object) > start);
        let all = first.into_iter().chain(self.fixed.range(start..end));
        let mapped = all.filter(|(_, object)| object.info.kind == ObjectKind::Mapping);
        mapped.map(|(at, _)| *at).collect()
    }

    fn piece_end(&self, at: u64) -> u64 {
        self.fixed.get(&at).map_or(at, end_of)
    }

    fn forget_piece_at(&self, at: u64) {
        self.forget_object(at, self.piece_end(at) - at);
    }

    fn insert_piece(&mut self, start: u64, info: ObjectInfo, contents: Contents, read_only: bool) {
        let object = Object {
            info: Arc::new(info),
            contents,
            read_only,
            kept: true,
            freed: None,
        };
        Arc::make_mut(&mut self.fixed).insert(start, object);
    }

    /// Makes two pieces of one in whose middle an address lies.
    fn cut(&mut self, terms: &Terms, address: u64) {
        let Some((&start, object)) = self.fixed.range(..address).next_back() else {
            return;
        };
        let end = end_of(object);
        if end <= address || object.info.kind != ObjectKind::Mapping {
            return;
        }
        self.settle(terms, start, end - start);
        self.forget_piece_at(start);
        let Some(object) = Arc::make_mut(&mut self.fixed).remove(&start) else {
            return;
        };
        for (from, to) in [(start, address), (address, end)] {
            let mut info = (*object.info).clone();
            let mut contents = object.contents.clone();
            match info.window {
                Some(_) => {
                    let distance = from - info.base;
                    info.size = to - info.base;
                    info.capacity = info.size;
                    if distance > 0 {
                        info.hole = (0, distance);
                    }
                }
                None => {
                    contents = Contents::filled(to - from, 0);
                    contents.take_over(0, &object.contents, (from - start, to - start));
                    info.base = from;
                    info.size = to - from;
                    info.capacity = info.size;
                }
            }
            self.insert_piece(from, info, contents, object.read_only);
        }
    }

    /// Makes one piece of a piece and its neighbors if they are alike.
    fn join_around(&mut self, at: u64) {
        let before = self.fixed.range(..at).next_back().map(|(start, _)| *start);
        if let Some(before) = before {
            self.join(before, at);
            self.join(before, self.piece_end(before));
        }
        self.join(at, self.piece_end(at));
    }

    fn join(&mut self, first: u64, second: u64) {
        let (Some(a), Some(b)) = (self.fixed.get(&first), self.fixed.get(&second)) else {
            return;
        };
        let is_plain = |object: &Object| {
            object.info.kind == ObjectKind::Mapping
                && object.info.window.is_none()
                && object.contents.layers().is_none()
        };
        let alike = a.read_only == b.read_only && a.info.hidden == b.info.hidden;
        if first == second || end_of(a) != second || !alike || !is_plain(a) || !is_plain(b) {
            return;
        }
        let size = end_of(b) - first;
        let mut contents = Contents::filled(size, 0);
        contents.take_over(0, &a.contents, (0, second - first));
        contents.take_over(second - first, &b.contents, (0, end_of(b) - second));
        let (read_only, mut info) = (a.read_only, (*a.info).clone());
        info.size = size;
        info.capacity = size;
        self.forget_piece_at(first);
        self.forget_piece_at(second);
        Arc::make_mut(&mut self.fixed).remove(&second);
        self.insert_piece(first, info, contents, read_only);
    }
}

impl Contents {
    /// Takes the bytes of a range of another, both at multiples of a chunk, to an offset.
    fn take_over(&mut self, at: u64, other: &Contents, (from, to): (u64, u64)) {
        for run in other.runs(from, to, usize::MAX).unwrap_or_default() {
            let target = at + run.start - from;
            if let Some(fill) = run.fill {
                self.fill(target, target + run.end - run.start, fill);
                continue;
            }
            let mut offset = run.start;
            while offset < run.end {
                let (start, end) = other.chunk_bounds(offset);
                if let Piece::Chunk(chunk) = other.piece(offset) {
                    let target = self.chunk_mut(at + start - from);
                    let length = (end - start) as usize;
                    target.write(0, &chunk.bytes()[..length]);
                    chunk.for_each_term(0, length, &mut |index, term| {
                        target.set_term(index, term);
                    });
                }
                offset = end;
            }
        }
    }
}

fn end_of(object: &Object) -> u64 {
    object.info.base + object.info.capacity
}

fn mapping_info(base: u64, size: u64, site: AllocationSite) -> ObjectInfo {
    ObjectInfo {
        base,
        size,
        capacity: size,
        symbolic_size: None,
        kind: ObjectKind::Mapping,
        site,
        hole: (0, 0),
        window: None,
        hidden: false,
    }
}
