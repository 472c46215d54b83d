//! Storage locations, the subjects of interpolants. A storage location is a register of a frame or
//! the bytes of an object. In terms, an array of symbolic bytes represents it.
//!
//! Invariant: the name of a storage location has the same meaning in every state at the same point,
//! so an interpolant of one state can be tested on another. Frames are named by their depth, and
//! objects of a frame by the frame, because their addresses differ between paths. Entries name heap
//! blocks by a pointer to them.

use super::frames::FrameView;
use homi_machine::memory::{AllocationSite, ObjectRef};
use homi_machine::state::State;
use homi_solver::term::{ArrayId, Byte, Term, Terms};
use rustc_hash::FxHashMap;

/// Position of an object, in a form that is valid on other paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Region {
    /// Address that does not depend on earlier calls, such as the address of a global or a heap
    /// block.
    Absolute(u64),
    /// Offset in bytes from the start of the frame at a depth; depth 0 is the outermost frame.
    Frame { depth: u32, offset: u64 },
    /// Heap block to which a 64-bit term over storage locations points. Only entries name blocks
    /// this way; between a node and its parent, blocks are named by their addresses.
    Pointed(Term),
}

/// Storage location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum StorageLoc {
    /// Register of 64 bits, and the next register for wider values.
    Register { depth: u32, slot: u32 },
    /// Bytes of an object with this size.
    Object { region: Region, size: u32 },
}

/// Bytes of a register that holds a value of up to 128 bits.
const REGISTER_BYTES: u32 = 16;

/// Arrays that represent storage locations, and inputs that the program reads after a point.
#[derive(Debug, Default)]
pub(super) struct StorageLocs {
    arrays: FxHashMap<StorageLoc, ArrayId>,
    locs: FxHashMap<ArrayId, StorageLoc>,
    later: FxHashMap<(u32, u32), ArrayId>,
    is_later: FxHashMap<ArrayId, ()>,
}

impl StorageLocs {
    /// Returns the array that represents a storage location.
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

    /// Returns the storage location that an array represents.
    pub(super) fn loc(&self, array: ArrayId) -> Option<StorageLoc> {
        self.locs.get(&array).copied()
    }

    /// Returns the array that represents the `ordinal`-th symbolic object of a path, which is made
    /// after a point.
    pub(super) fn later_input(&mut self, terms: &Terms, ordinal: u32, size: u32) -> ArrayId {
        let array = *self
            .later
            .entry((ordinal, size))
            .or_insert_with(|| terms.array(&format!("later input {ordinal}"), 0, size));
        self.is_later.insert(array, ());
        array
    }

    /// Calls `visit` for every term that names a storage location.
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

    /// True if an array represents a storage location or a later input; false for an input of a
    /// path.
    pub(super) fn knows(&self, array: ArrayId) -> bool {
        self.locs.contains_key(&array) || self.is_later.contains_key(&array)
    }

    /// Returns the term of a byte in a state, or the byte itself if it belongs to no storage
    /// location. `None` if the state has no such storage location.
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
                    homi_machine::memory::ByteValue::Concrete(value) => {
                        Some(terms.constant(8, value.into()))
                    }
                    homi_machine::memory::ByteValue::Term(term) => Some(term),
                }
            }
        }
    }
}

/// Returns the region in which an object of a state lies.
pub(super) fn region_of(frames: &FrameView<'_>, object: &ObjectRef) -> Region {
    match object.site {
        AllocationSite::FrameObject { .. } => frames.region(object.base),
        _ => Region::Absolute(object.base),
    }
}
