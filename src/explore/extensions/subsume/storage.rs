//! Places of a state: what an interpolant is about. A place is a register of a frame or the bytes
//! of an object, and stands in terms as an array of symbolic bytes of its own.
//!
//! Invariant: the name of a place means the same in every state that stands at the same point, so
//! an interpolant that was found for one can be asked of another. Frames are named by their depth
//! and objects of a frame by the frame, because their addresses differ from path to path; entries
//! name blocks of the heap by a pointer to them.

use super::frames::FrameView;
use crate::machine::memory::{AllocationSite, ObjectRef};
use crate::machine::state::State;
use crate::solver::term::{ArrayId, Byte, Term, Terms};
use rustc_hash::FxHashMap;

/// Where an object lies, told so that it holds for other paths too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Region {
    /// At an address that does not depend on the calls before: a global, a block of the heap.
    Absolute(u64),
    /// So many bytes after the start of the frame at a depth; 0 is the outermost.
    Frame { depth: u32, offset: u64 },
    /// In the block of the heap that this term over places, 64 bits, leads to. Only entries name
    /// blocks so: between a node and its parent they are told by their addresses.
    Pointed(Term),
}

/// A place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum StorageLoc {
    /// A register of 64 bits, and the next one for wider values.
    Register { depth: u32, slot: u32 },
    /// The bytes of an object of this size.
    Object { region: Region, size: u32 },
}

/// Bytes of a register that holds a value of up to 128 bits.
const REGISTER_BYTES: u32 = 16;

/// The arrays that stand for places, and for inputs that a program reads after a point.
#[derive(Debug, Default)]
pub(super) struct StorageLocs {
    arrays: FxHashMap<StorageLoc, ArrayId>,
    locs: FxHashMap<ArrayId, StorageLoc>,
    later: FxHashMap<(u32, u32), ArrayId>,
    is_later: FxHashMap<ArrayId, ()>,
}

impl StorageLocs {
    /// The array that stands for a place.
    pub(super) fn array(&mut self, terms: &Terms, loc: StorageLoc) -> ArrayId {
        if let Some(&array) = self.arrays.get(&loc) {
            return array;
        }
        let (name, size) = match loc {
            StorageLoc::Register { depth, slot } => {
                (format!("register {slot} of frame {depth}"), REGISTER_BYTES)
            }
            StorageLoc::Object { region, size } => match region {
                Region::Absolute(base) => (format!("object at {base:#x}"), size),
                Region::Frame { depth, offset } => {
                    (format!("object at {offset} of frame {depth}"), size)
                }
                Region::Pointed(pointer) => {
                    (format!("block that {} leads to", pointer.index()), size)
                }
            },
        };
        let array = terms.array(&name, 0, size);
        self.arrays.insert(loc, array);
        self.locs.insert(array, loc);
        array
    }

    /// The place that an array stands for.
    pub(super) fn loc(&self, array: ArrayId) -> Option<StorageLoc> {
        self.locs.get(&array).copied()
    }

    /// The array that stands for the `ordinal`-th symbolic object of a path, made after a point.
    pub(super) fn later_input(&mut self, terms: &Terms, ordinal: u32, size: u32) -> ArrayId {
        let array = *self
            .later
            .entry((ordinal, size))
            .or_insert_with(|| terms.array(&format!("later input {ordinal}"), 0, size));
        self.is_later.insert(array, ());
        array
    }

    /// Calls `visit` for every term that a place is told by.
    pub(super) fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        for loc in self.arrays.keys() {
            if let StorageLoc::Object {
                region: Region::Pointed(pointer),
                ..
            } = loc
            {
                visit(*pointer);
            }
        }
    }

    /// Whether an array stands for a place or a later input, and is no input of a path.
    pub(super) fn knows(&self, array: ArrayId) -> bool {
        self.locs.contains_key(&array) || self.is_later.contains_key(&array)
    }

    /// The term of a byte in a state; the byte itself if it belongs to no place. Nothing if the
    /// state has no such place.
    pub(super) fn value(
        &self,
        terms: &Terms,
        (state, frames): (&State, &FrameView<'_>),
        byte: Byte,
    ) -> Option<Term> {
        let Some(loc) = self.loc(byte.array) else {
            return Some(terms.symbol(byte));
        };
        match loc {
            StorageLoc::Register { depth, slot } => {
                frames.register_byte(terms, depth, slot, byte.index)
            }
            StorageLoc::Object { region, size } => {
                let base = frames.address(region)?;
                let object = state.memory.object_at(base)?;
                if object.base != base || object.capacity != u64::from(size) {
                    return None;
                }
                let at = base + u64::from(byte.index);
                match state.memory.read_byte(terms, at).ok()? {
                    crate::machine::memory::ByteValue::Concrete(value) => {
                        Some(terms.constant(8, value.into()))
                    }
                    crate::machine::memory::ByteValue::Term(term) => Some(term),
                }
            }
        }
    }
}

/// The region in which an object of a state lies.
pub(super) fn region_of(frames: &FrameView<'_>, object: &ObjectRef) -> Region {
    match object.site {
        AllocationSite::FrameObject { .. } => frames.region(object.base),
        _ => Region::Absolute(object.base),
    }
}
