//! Objects come into being, change what is known of them, and die.
//!
//! Invariant: a number of a size class belongs to one live object at most, and is given out again
//! only when none is fresh; a freed object stays known as freed until then. Addresses follow from
//! the sequence of calls alone.

use super::address;
use super::contents::Contents;
use super::layout::EMPTY_LAYOUT;
use super::object::{AccessError, AccessErrorKind, AccessResult, AllocationSite, Found, FreeError};
use super::object::{Object, ObjectInfo, ObjectKey, ObjectKind, ObjectRef};
use super::undefined::fresh;
use super::{Class, Memory, UNINITIALISED};
use homi_ir::program::PointerWidth;
use homi_solver::term::Term;
use std::sync::Arc;

impl Memory {
    /// The bytes of a new object at `base`.
    fn fresh(&self, base: u64, size: u64, fill: u8) -> Contents {
        let fill = match fill {
            UNINITIALISED => UNINITIALISED ^ self.variation,
            fill => fill,
        };
        fresh(self.undefined.as_deref(), base, size, fill)
    }

    /// A new object of `size` bytes, aligned to `align` bytes (a power of two). Heap, stack and
    /// argument bytes read as 0xAB until written, others as 0. `None` if the object is larger than
    /// [`MAX_OBJECT_SIZE`] or all numbers are in use: the allocation fails as it would natively.
    pub fn allocate(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        site: AllocationSite,
    ) -> Option<u64> {
        let fill = match kind {
            ObjectKind::Heap | ObjectKind::Stack | ObjectKind::Argument => UNINITIALISED,
            ObjectKind::Global { .. }
            | ObjectKind::External
            | ObjectKind::Fixed
            | ObjectKind::Mapping => 0,
        };
        self.allocate_filled(kind, size, align, fill, site)
    }

    /// A new object whose bytes are all `fill` at first (calloc: 0; `UNINITIALISED` is undefined);
    /// otherwise what `allocate` makes.
    pub fn allocate_filled(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        fill: u8,
        site: AllocationSite,
    ) -> Option<u64> {
        let extent = (size, size, None);
        self.allocate_extent(kind, extent, align, fill, site)
    }

    /// A new object with a symbolic size (64 bits) that is at most `capacity` bytes on the state's
    /// path; otherwise what `allocate_filled` makes. Accesses beyond what the path is known to
    /// allow (nothing at first) are out of bounds until `grow`.
    pub fn allocate_symbolic(
        &mut self,
        kind: ObjectKind,
        capacity: u64,
        size: Term,
        align: u64,
        fill: u8,
        site: AllocationSite,
    ) -> Option<u64> {
        let extent = (0, capacity, Some(size));
        self.allocate_extent(kind, extent, align, fill, site)
    }

    fn allocate_extent(
        &mut self,
        kind: ObjectKind,
        (size, capacity, symbolic_size): (u64, u64, Option<Term>),
        align: u64,
        fill: u8,
        site: AllocationSite,
    ) -> Option<u64> {
        let class = self.class_with_room(capacity, align)?;
        let order = self.order_of_numbers();
        let (index, base) = loop {
            let space = &mut self.classes[usize::from(class)];
            let index = space.take_number(address::class_capacity(self.pointers, class), order)?;
            let base = address::class_address(self.pointers, class, index, align);
            // The program may have chosen these addresses itself.
            if self.fixed.is_empty() || !self.meets_fixed(base, base + capacity.max(1)) {
                break (index, base);
            }
        };
        let info = ObjectInfo {
            base,
            size,
            capacity,
            symbolic_size,
            kind,
            site,
            hole: (0, 0),
            window: None,
            hidden: false,
        };
        let contents = self.fresh(base, capacity, fill);
        let space = &mut self.classes[usize::from(class)];
        let object = Object {
            info: Arc::new(info),
            contents,
            read_only: kind == ObjectKind::Global { constant: true },
            kept: false,
            freed: None,
        };
        space.objects.insert(index, object);
        if kind == ObjectKind::Heap {
            self.heap_bytes += capacity;
        }
        Some(base)
    }

    /// The class that an object of this size gets a number in. In 32-bit programs a class of large
    /// objects is soon full; then the next one that is not.
    pub(super) fn class_with_room(&mut self, size: u64, align: u64) -> Option<u8> {
        let pointers = self.pointers;
        let mut class = address::class_for(pointers, size, align)?;
        if pointers == PointerWidth::Bits32 {
            let is_full = |class: u8| {
                let space = self.classes.get(usize::from(class));
                space.is_some_and(|space| space.is_full(address::class_capacity(pointers, class)))
            };
            while is_full(class) {
                class += 1;
                if address::class_capacity(pointers, class) == 0 {
                    return None;
                }
            }
        }
        if self.classes.len() <= usize::from(class) {
            self.classes
                .resize_with(usize::from(class) + 1, Class::default);
        }
        Some(class)
    }

    /// Returns true if there are addresses for one more object of this size in bytes.
    pub fn has_room(&self, size: u64) -> bool {
        let Some(class) = address::class_for(self.pointers, size, 1) else {
            return false;
        };
        let used = self
            .classes
            .get(usize::from(class))
            .map_or(0, |space| space.next);
        used < address::class_capacity(self.pointers, class)
    }

    /// An object of the current call (alloca, byval copy, variadic area): it dies when the call's
    /// frame is popped.
    pub fn allocate_in_frame(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        site: AllocationSite,
    ) -> Option<u64> {
        let base = self.allocate(kind, size, align, site)?;
        self.leave_with_frame(base)?;
        Some(base)
    }

    /// An allocated object dies when the current call's frame is popped.
    pub fn leave_with_frame(&mut self, base: u64) -> Option<()> {
        self.stack.dynamic_mut(&EMPTY_LAYOUT)?.push(base);
        Some(())
    }

    /// The path allows accesses to the first `size` bytes of an object with a symbolic size.
    pub fn grow(&mut self, object: &ObjectRef, size: u64) {
        self.change_info(object, |info| {
            info.size = size.clamp(info.size, info.capacity)
        });
    }

    /// The path has fixed the size of an object with a symbolic size.
    pub fn fix_size(&mut self, object: &ObjectRef, size: u64) {
        self.change_info(object, |info| {
            info.size = size.min(info.capacity);
            info.symbolic_size = None;
        });
    }

    /// The bytes of an object of a size class at these offsets (first, one past the last) may not
    /// be accessed.
    pub fn forbid(&mut self, base: u64, hole: (u64, u64)) {
        if let Ok(object) = self.locate(base) {
            self.change_info(&object, |info| info.hole = hole);
        }
    }

    fn change_info(&mut self, object: &ObjectRef, update: impl FnOnce(&mut ObjectInfo)) {
        self.change(object, |object| update(Arc::make_mut(&mut object.info)));
    }

    /// Makes a variable that is defined nowhere an ordinary one, if the access that failed at it
    /// covers all of it: what a program writes to a missing library's variable is what it reads
    /// there from then on.
    pub fn define_external(&mut self, error: &AccessError) -> bool {
        let AccessErrorKind::External { object } = &error.kind else {
            return false;
        };
        let covers = (error.address, error.bytes) == (object.base, object.size);
        if covers {
            let kind = ObjectKind::Global { constant: false };
            self.change_info(object, |info| info.kind = kind);
        }
        covers
    }

    /// Makes an object exist at an address of the program's choice (bytes read 0). False if it
    /// would overlap another object or the areas that allocation uses for others.
    pub fn define_fixed(&mut self, base: u64, size: u64, site: AllocationSite) -> bool {
        let Some(end) = base.checked_add(size) else {
            return false;
        };
        let overlaps = self
            .objects_between(base, end.saturating_sub(1))
            .next()
            .is_some();
        if overlaps {
            return false;
        }
        let info = ObjectInfo {
            base,
            size,
            capacity: size,
            symbolic_size: None,
            kind: ObjectKind::Fixed,
            site,
            hole: (0, 0),
            window: None,
            hidden: false,
        };
        let object = Object {
            info: Arc::new(info),
            contents: Contents::filled(size, 0),
            read_only: false,
            kept: true,
            freed: None,
        };
        Arc::make_mut(&mut self.fixed).insert(base, object);
        true
    }

    /// Frees a heap object (`site` is the place of the call). Null is for the caller to handle.
    pub fn free(&mut self, address: u64, site: AllocationSite) -> Result<(), FreeError> {
        let object = match self.find(address) {
            Found::Live(object, _) => object,
            Found::Freed(object) => {
                return Err(FreeError::Double {
                    object: object.map(|object| self.freed_view(object)),
                    freed: object.and_then(|object| object.freed),
                });
            }
            Found::Nothing => return Err(FreeError::Invalid(self.access_error(address, 0))),
        };
        if !object.contains(address, 0) {
            return Err(FreeError::Invalid(self.access_error(address, 0)));
        }
        let kept = match object.key {
            ObjectKey::Class { class, index } => {
                self.class_object(class, index).is_some_and(|o| o.kept)
            }
            _ => true,
        };
        if object.kind != ObjectKind::Heap || kept {
            return Err(FreeError::NotHeap { object });
        }
        if address != object.base {
            let offset = address - object.base;
            return Err(FreeError::Interior { object, offset });
        }
        self.heap_bytes -= object.capacity;
        self.retire(&object, site);
        Ok(())
    }

    /// Ends the life of an object of a size class; its number stays known as freed.
    pub(super) fn retire(&mut self, object: &ObjectRef, site: AllocationSite) {
        let ObjectKey::Class { class, index } = object.key else {
            return;
        };
        self.forget_object(object.base, object.capacity);
        let space = &mut self.classes[usize::from(class)];
        if let Some(old) = space.objects.get(index) {
            let mut info = old.info.clone();
            if info.symbolic_size.is_some() {
                // A buried object is not looked at when terms are marked.
                Arc::make_mut(&mut info).symbolic_size = None;
            }
            let buried = Object {
                info,
                contents: Contents::filled(0, 0),
                read_only: true,
                kept: false,
                freed: Some(site),
            };
            space.objects.bury(index, buried);
        }
    }

    /// `klee_mark_global`: the object may not be freed and outlives its frame.
    pub fn mark_global(&mut self, base: u64) -> AccessResult<()> {
        let object = self.locate(base)?;
        self.change(&object, |object| object.kept = true);
        Ok(())
    }

    /// Changes the metadata of an object; objects of a frame's fixed layout have none.
    pub(super) fn change(&mut self, object: &ObjectRef, update: impl FnOnce(&mut Object)) {
        self.forget_object(object.base, object.capacity);
        let target = match object.key {
            ObjectKey::Class { class, index } => {
                self.classes[usize::from(class)].objects.get_mut(index)
            }
            ObjectKey::Fixed(base) => Arc::make_mut(&mut self.fixed).get_mut(&base),
            ObjectKey::Frame { .. } => None,
        };
        if let Some(target) = target {
            update(target);
        }
    }
}

impl Class {
    /// Returns true if all numbers of a class belong to live objects.
    fn is_full(&self, capacity: u64) -> bool {
        let is_live = |index| {
            let object = self.objects.get(index);
            object.is_some_and(|object| object.freed.is_none())
        };
        self.next >= capacity && (0..capacity).all(is_live)
    }

    /// Returns a number for a new object: a fresh one, else one whose object was freed longest ago
    /// (about). With a variation the distances and the order of fresh ones vary
    /// (`order_of_numbers`).
    pub(super) fn take_number(&mut self, capacity: u64, order: Option<u64>) -> Option<u64> {
        if self.next < capacity {
            let number = self.next;
            self.next = (number + 1 + u64::from(order.is_some())).min(capacity);
            let other = number ^ order.unwrap_or_default();
            return Some(if other < capacity { other } else { number });
        }
        for _ in 0..capacity {
            let index = self.reuse;
            self.reuse = (self.reuse + 1) % capacity;
            if self
                .objects
                .get(index)
                .is_none_or(|object| object.freed.is_some())
            {
                return Some(index);
            }
        }
        None
    }
}
