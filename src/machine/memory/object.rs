//! Properties of an object, and errors of accesses to it.
//!
//! Errors carry the data of a report: the address, the object, where it was allocated and freed,
//! and the neighbors. They are boxed, so that the results of the fast paths stay small.

use super::contents::Contents;
use homi_ir::program::{FuncId, GlobalId, LocId};
use homi_solver::term::Term;
use std::fmt;
use std::sync::Arc;

/// Kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A global variable of the program.
    Global {
        constant: bool,
    },
    /// A global that is declared and defined nowhere: no access is possible until a write covers
    /// all of it.
    External,
    /// A local variable or an `alloca`.
    Stack,
    Heap,
    /// Program arguments, environment, byval copies and variadic areas.
    Argument,
    /// Made by `klee_define_fixed_object`.
    Fixed,
    /// Made by `mmap`.
    Mapping,
}

/// Place of an allocation (or free), for reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocationSite {
    /// Allocated by the engine, for this purpose.
    Engine(&'static str),
    Global(GlobalId),
    /// A call or an instruction.
    Instruction {
        function: FuncId,
        location: LocId,
    },
    /// Entry `object` of a function's frame objects.
    FrameObject {
        function: FuncId,
        object: u32,
    },
}

/// Data that all versions of an object share.
#[derive(Clone, Debug)]
pub(super) struct ObjectInfo {
    pub base: u64,
    /// Size in bytes that may be accessed without a query.
    pub size: u64,
    /// Number of bytes that are kept.
    pub capacity: u64,
    /// The size, 64 bits, if it is symbolic: between `size` and `capacity` on the state's path.
    pub symbolic_size: Option<Term>,
    pub kind: ObjectKind,
    pub site: AllocationSite,
    /// First offset and one past the last of bytes that may not be accessed; as a rule none.
    pub hole: (u64, u64),
    /// Start of the block whose bytes it shows, if it is a window.
    pub window: Option<u64>,
    /// A mapping that may not be accessed at all.
    pub hidden: bool,
}

/// An object that is not part of a frame's fixed layout.
#[derive(Clone)]
pub(super) struct Object {
    pub info: Arc<ObjectInfo>,
    pub contents: Contents,
    pub read_only: bool,
    /// `klee_mark_global`: may not be freed and outlives its frame.
    pub kept: bool,
    pub freed: Option<AllocationSite>,
}

/// Key of the object; opaque outside of `memory`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ObjectKey {
    Fixed(u64),
    Frame { frame: u64, object: u32 },
    Class { class: u8, index: u64 },
}

/// A live object as seen from outside. Valid as long as the object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectRef {
    pub base: u64,
    /// Size in bytes; if it is symbolic, what the path is known to allow.
    pub size: u64,
    /// The largest size that the object may have: its size if that is not symbolic.
    pub capacity: u64,
    /// The size as a term of 64 bits, if it is symbolic.
    pub symbolic_size: Option<Term>,
    pub kind: ObjectKind,
    pub site: AllocationSite,
    pub read_only: bool,
    /// Offsets of bytes inside that may not be accessed all the same: first, one past the last.
    pub hole: (u64, u64),
    pub(super) key: ObjectKey,
}

/// True if `bytes` bytes at an offset have one in common with a hole.
#[inline]
pub(super) fn meets(hole: (u64, u64), offset: u64, bytes: u64) -> bool {
    hole.0 < offset + bytes && offset < hole.1
}

impl ObjectRef {
    /// True if `bytes` bytes at `address` lie inside.
    #[inline]
    pub fn contains(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset <= self.size && self.size - offset >= bytes && !meets(self.hole, offset, bytes)
    }

    /// The offsets of bytes inside that may not be accessed, first and one past the last.
    pub fn forbidden(&self) -> Option<(u64, u64)> {
        (self.hole.0 < self.hole.1).then_some(self.hole)
    }

    /// True if `bytes` bytes at `address` lie inside for some size that the object may have.
    pub fn may_contain(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset <= self.capacity && self.capacity - offset >= bytes
    }
}

/// Readable bytes of an object.
pub(super) struct Bytes<'a> {
    pub base: u64,
    /// Size in bytes that may be accessed without a query.
    pub size: u64,
    /// Offsets that may not be accessed all the same: first, one past the last.
    pub hole: (u64, u64),
    pub contents: &'a Contents,
}

/// Result of a lookup.
pub(super) enum Found<'a> {
    /// The object in whose unit the address lies (the address itself may be in a guard gap).
    Live(ObjectRef, &'a Contents),
    Freed(Option<&'a Object>),
    Nothing,
}

/// An access that the program must not make.
#[derive(Clone, PartialEq, Debug)]
pub enum AccessErrorKind {
    /// The address is in the null page.
    Null,
    /// The access is not inside any live object.
    OutOfBounds {
        /// The object in whose unit (bytes or guard gap) the address lies, if any; else the nearest
        /// ones matter.
        object: Option<ObjectRef>,
    },
    UseAfterFree {
        /// The object that was there; `None` if it is forgotten.
        object: Option<ObjectRef>,
        freed: Option<AllocationSite>,
    },
    /// The address is in the frame of a function that has returned.
    UseAfterReturn {
        /// The local that was there; `None` if it is forgotten.
        local: Option<AllocationSite>,
    },
    /// The address is in a local whose block has ended.
    UseAfterScope {
        local: Option<AllocationSite>,
    },
    ReadOnly {
        object: ObjectRef,
    },
    /// A data access to a function's code.
    Function,
    /// An access to a global that is defined nowhere: our gap, not the program's fault.
    External {
        object: ObjectRef,
    },
}

/// An access that the program must not make, with what a report needs.
#[derive(Clone, PartialEq, Debug)]
pub struct AccessError {
    pub kind: AccessErrorKind,
    pub address: u64,
    /// Size of the access in bytes.
    pub bytes: u64,
    /// The nearest live object that starts at or below the address.
    pub below: Option<ObjectRef>,
    /// The nearest live object that starts above it.
    pub above: Option<ObjectRef>,
}

impl fmt::Display for AccessError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // KLEE's messages begin with these words, on which scripts match.
        match &self.kind {
            AccessErrorKind::Null => write!(formatter, "memory error: null page access"),
            AccessErrorKind::OutOfBounds { .. } | AccessErrorKind::Function => {
                write!(formatter, "memory error: out of bound pointer")
            }
            AccessErrorKind::UseAfterFree { .. } => {
                write!(formatter, "memory error: use after free")
            }
            AccessErrorKind::UseAfterReturn { .. } => {
                write!(formatter, "memory error: use after return")
            }
            AccessErrorKind::UseAfterScope { .. } => {
                write!(formatter, "memory error: use after scope")
            }
            AccessErrorKind::ReadOnly { .. } => write!(formatter, "memory error: object read only"),
            AccessErrorKind::External { .. } => {
                write!(formatter, "access to a variable that is defined nowhere")
            }
        }
    }
}

impl std::error::Error for AccessError {}

/// The result of an access.
pub type AccessResult<T> = Result<T, Box<AccessError>>;

/// A `free` that the program must not make.
#[derive(Clone, PartialEq, Debug)]
pub enum FreeError {
    Double {
        object: Option<ObjectRef>,
        freed: Option<AllocationSite>,
    },
    /// The address is inside an object, `offset` bytes from its start.
    Interior { object: ObjectRef, offset: u64 },
    /// The object does not come from the heap.
    NotHeap { object: ObjectRef },
    /// There is no object at the address.
    Invalid(Box<AccessError>),
}

impl fmt::Display for FreeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FreeError::Double { .. } => write!(formatter, "double free"),
            FreeError::Interior { .. } | FreeError::Invalid(_) => {
                write!(formatter, "memory error: invalid pointer: free")
            }
            FreeError::NotHeap { object } => match object.kind {
                ObjectKind::Stack => write!(formatter, "free of alloca"),
                _ => write!(formatter, "free of global"),
            },
        }
    }
}

impl std::error::Error for FreeError {}
