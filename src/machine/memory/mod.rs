//! The address space of one state: objects, their bytes, who may touch what.
//!
//! Owns: addresses, allocation and freeing, stack frames, concrete bytes with their symbolic
//! overlay, bounds checks. Never: asks a solver, forks, decides what an error means. Data come from
//! `exec` (values to store) and go back to it (values read, typed errors).
//!
//! A [`Memory`] is a value: cloning it shares everything, a write copies one path of nodes and one
//! chunk of at most 256 bytes. Equal sequences of calls give equal addresses.

mod access;
mod address;
mod allocation;
mod block_locals;
mod bulk;
mod bytes;
mod cache;
mod calls;
mod chunk;
mod contents;
mod layers;
mod layout;
mod lookup;
mod mapping;
mod merge;
mod merge_bytes;
mod narrow;
mod nodes;
mod object;
mod radix;
mod ranges;
mod repetition;
mod returned;
mod settling;
mod sparse;
mod stack;
mod symbolic;
mod terms;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod traces;
mod undefined;
mod variation;

pub use address::{
    FUNCTION_BASE, FUNCTION_STRIDE, MAX_OBJECT_SIZE, NULL_PAGE, function_address, function_at,
    object_area,
};
pub use bulk::ranges_overlap;
pub use bytes::ByteValue;
pub use calls::dynamic_stack_bytes;
pub use layout::FrameLayout;
pub use mapping::Access;
pub use merge::Unlike;
pub use object::{
    AccessError, AccessErrorKind, AccessResult, AllocationSite, FreeError, ObjectKind, ObjectRef,
};
pub use repetition::ByteChange;
pub use stack::{STACK_BYTES_OF_32_BITS, max_stacks, native_stack_top};
pub use symbolic::{known_step, value_byte};

use cache::AccessCache;
use homi_ir::program::PointerWidth;
use homi_solver::term::Term;
use object::Object;
use radix::Radix;
use stack::Stack;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Value of uninitialized heap and stack bytes, as in KLEE.
pub const UNINITIALISED: u8 = 0xab;

/// A value of a width known from context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number; its bits above the width are zero.
    Concrete(u128),
    Term(Term),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Concrete(number.into())
    }
}

impl From<Term> for Value {
    fn from(term: Term) -> Self {
        Value::Term(term)
    }
}

/// The objects of a size class by number.
#[derive(Clone, Default)]
struct Class {
    objects: Radix<Object>,
    /// Numbers below have been given out.
    next: u64,
    /// Start of the search for a freed number when all are in use.
    reuse: u64,
}

/// The address space of one state.
#[derive(Default)]
pub struct Memory {
    /// Width of the address space.
    pointers: PointerWidth,
    classes: Vec<Class>,
    /// Flips bits of [`UNINITIALISED`] in fresh bytes; 0 but in a test's second prediction.
    variation: u8,
    /// The stack of the thread that runs.
    stack: Stack,
    running: u32,
    /// The stacks of the other threads, by number.
    parked: BTreeMap<u32, Stack>,
    /// Objects at addresses that the program chose and mappings, by their first address.
    fixed: Arc<BTreeMap<u64, Object>>,
    /// Bytes of live heap objects.
    heap_bytes: u64,
    /// Terms of 8 bits for uninitialized bytes, if they are tracked.
    undefined: Option<Arc<[Term]>>,
    /// One past the last address of a function, for addresses that the program chooses.
    end_of_functions: u64,
    /// Some object has, or had, layers.
    layered: bool,
    cache: OnceCell<Box<AccessCache>>,
}

// SAFETY: the only parts that are not `Send` are the raw pointers in the access cache; they point
// into chunks that this very value keeps alive and that travel with it (or into statics).
unsafe impl Send for Memory {}

impl Clone for Memory {
    fn clone(&self) -> Self {
        if let Some(cache) = self.cache.get() {
            cache.take_back_writes();
        }
        Memory {
            pointers: self.pointers,
            classes: self.classes.clone(),
            variation: self.variation,
            stack: self.stack.clone(),
            running: self.running,
            parked: self.parked.clone(),
            fixed: self.fixed.clone(),
            heap_bytes: self.heap_bytes,
            undefined: self.undefined.clone(),
            end_of_functions: self.end_of_functions,
            layered: self.layered,
            cache: OnceCell::new(),
        }
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Memory")
            .field("heap_bytes", &self.heap_bytes)
            .field("depth", &self.stack.depth())
            .finish_non_exhaustive()
    }
}

impl Memory {
    pub fn new(pointers: PointerWidth) -> Self {
        Self {
            pointers,
            stack: Stack::new(pointers, 0),
            ..Self::default()
        }
    }

    pub fn pointers(&self) -> PointerWidth {
        self.pointers
    }

    /// Drops what only makes a running state faster; for states that wait.
    pub fn trim(&mut self) {
        self.cache.take();
    }

    /// Copies the access cache of `other`, unless it is large, if neither address space was written
    /// since one of them was cloned from the other.
    pub fn copy_cache(&mut self, other: &Memory) {
        if self.cache.get().is_none()
            && let Some(cache) = other.cache.get()
            && self.is_same_as(other)
        {
            // Nobody may write what two address spaces share, so `other` holds no writable entry.
            if let Some(copy) = cache.small_copy() {
                let _ = self.cache.set(copy);
            }
        }
    }

    /// True only if both hold the very same nodes, so that every piece of the one is a piece of the
    /// other.
    fn is_same_as(&self, other: &Memory) -> bool {
        let mut classes = self.classes.iter().zip(&other.classes);
        self.classes.len() == other.classes.len()
            && classes.all(|(own, others)| own.objects.is_same_as(&others.objects))
            && self.stack.is_same_as(&other.stack)
            && self.parked.is_empty()
            && other.parked.is_empty()
            && Arc::ptr_eq(&self.fixed, &other.fixed)
    }

    /// Bytes of live heap objects.
    pub fn heap_bytes(&self) -> u64 {
        self.heap_bytes
    }

    /// From now on uninitialized bytes are some of these terms (a list that is not empty), not
    /// [`UNINITIALISED`].
    pub fn track_undefined(&mut self, bytes: Arc<[Term]>) {
        self.undefined = Some(bytes);
    }

    /// Functions lie below this address.
    pub fn keep_for_functions(&mut self, end: u64) {
        self.end_of_functions = end;
    }

    fn forget_object(&self, base: u64, size: u64) {
        if let Some(cache) = self.cache.get() {
            cache.forget_object(base, size);
        }
    }
}
