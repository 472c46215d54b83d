//! The address space of one state: objects, their bytes, who may touch what.
//!
//! Owns: addresses, allocation and freeing, stack frames, concrete bytes with their symbolic overlay,
//! bounds checks. Never: asks a solver, forks, decides what an error means. Data come from `exec`
//! (values to store) and go back to it (values read, typed errors).
//!
//! A [`Memory`] is a value: cloning it shares everything, a write copies one path of nodes and one
//! chunk of at most 256 bytes. Equal sequences of calls give equal addresses.

mod access;
mod address;
mod bulk;
mod cache;
mod chunk;
mod contents;
mod layers;
mod object;
mod radix;
mod stack;
mod symbolic;
#[cfg(test)]
mod tests;

pub use access::ByteValue;
pub use address::{ADDRESS_LIMIT, MAX_OBJECT_SIZE, NULL_PAGE, function_address, function_at};
pub use bulk::ranges_overlap;
pub use object::{
    AccessError, AccessErrorKind, AccessResult, AllocationSite, FreeError, ObjectKind, ObjectRef,
};
pub use stack::{FrameLayout, MAX_STACKS};
pub use symbolic::value_byte;

use crate::expr::Term;
use address::Place;
use cache::AccessCache;
use contents::Contents;
use object::{Object, ObjectInfo, ObjectKey};
use radix::Radix;
use stack::{Frame, Stack, stack_of};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// What uninitialised heap and stack bytes read as, as in KLEE.
pub const UNINITIALISED: u8 = 0xab;

/// A value of a width known from context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Bits above the width are zero.
    Concrete(u128),
    Term(Term),
}

static EMPTY_LAYOUT: LazyLock<Arc<FrameLayout>> =
    LazyLock::new(|| FrameLayout::new(crate::program::FuncId(0), &[]));

/// The objects of a size class by number.
#[derive(Clone, Default)]
struct Class {
    objects: Radix<Object>,
    /// Numbers below have been given out.
    next: u64,
    /// Where to look for a freed number when all have been given out.
    reuse: u64,
}

/// The address space of one state.
#[derive(Default)]
pub struct Memory {
    classes: Vec<Class>,
    /// Of the thread that runs.
    stack: Stack,
    running: u32,
    /// Of the other threads, by number.
    parked: BTreeMap<u32, Stack>,
    /// Objects at addresses that the program chose, by base.
    fixed: Arc<BTreeMap<u64, Object>>,
    /// Bytes of live heap objects.
    heap_bytes: u64,
    /// What uninitialised bytes are, if it is tracked which bytes are: terms of 8 bits that mean nothing else.
    undefined: Option<Arc<[Term]>>,
    /// Some object has, or had, layers.
    layered: bool,
    cache: OnceCell<Box<AccessCache>>,
}

// SAFETY: the only parts that are not `Send` are the raw pointers in the access cache; they point into
// chunks that this very value keeps alive and that travel with it (or into statics).
unsafe impl Send for Memory {}

impl Clone for Memory {
    fn clone(&self) -> Self {
        if let Some(cache) = self.cache.get() {
            cache.take_back_writes();
        }
        Memory {
            classes: self.classes.clone(),
            stack: self.stack.clone(),
            running: self.running,
            parked: self.parked.clone(),
            fixed: self.fixed.clone(),
            heap_bytes: self.heap_bytes,
            undefined: self.undefined.clone(),
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

/// Where bytes may be read.
struct Bytes<'a> {
    base: u64,
    /// Bytes that may be accessed without a question.
    size: u64,
    contents: &'a Contents,
}

/// What an address leads to.
enum Found<'a> {
    /// The object in whose unit the address lies (the address itself may be in a guard gap).
    Live(ObjectRef, &'a Contents),
    Freed(Option<&'a Object>),
    Nothing,
}

impl Memory {
    pub fn new() -> Self {
        Self::default()
    }

    /// Drops what only makes a running state faster; for states that wait.
    pub fn trim(&mut self) {
        self.cache.take();
    }

    /// Makes the first accesses fast if nothing was written on either side since this address space was cloned
    /// from the other, or the other way round.
    pub fn warm_from(&mut self, other: &Memory) {
        if self.cache.get().is_none()
            && let Some(cache) = other.cache.get()
            && self.is_same_as(other)
        {
            // Nobody may write what two address spaces share, so `other` holds no writable entry.
            let _ = self.cache.set(Box::new((**cache).clone()));
        }
    }

    /// True only if both hold the very same nodes, so that every piece of the one is a piece of the other.
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

    /// From now on uninitialised bytes are some of these terms (a list that is not empty), not [`UNINITIALISED`].
    pub fn track_undefined(&mut self, bytes: Arc<[Term]>) {
        self.undefined = Some(bytes);
    }

    /// The bytes of a new object at `base`.
    fn fresh(&self, base: u64, size: u64, fill: u8) -> Contents {
        fresh(self.undefined.as_deref(), base, size, fill)
    }

    // ---- allocation ----

    /// A new object of `size` bytes, aligned to `align` bytes (a power of two). Heap, stack and argument
    /// bytes read as 0xAB until written, others as 0. `None` if the object is larger than
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
            ObjectKind::Global { .. } | ObjectKind::External | ObjectKind::Fixed => 0,
        };
        self.allocate_filled(kind, size, align, fill, site)
    }

    /// The same with the bytes all `fill` at first (calloc: 0; `UNINITIALISED` is undefined).
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

    /// The same with a symbolic size (64 bits) that is at most `capacity` on the state's path. Accesses
    /// beyond what the path is known to allow (nothing at first) are out of bounds until `grow`.
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
        let class = address::class_for(capacity, align)?;
        if self.classes.len() <= usize::from(class) {
            self.classes
                .resize_with(usize::from(class) + 1, Class::default);
        }
        let space = &mut self.classes[usize::from(class)];
        let index = space.take_number(address::class_capacity(class))?;
        let base = address::class_address(class, index, align);
        let info = ObjectInfo {
            base,
            size,
            capacity,
            symbolic_size,
            kind,
            site,
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

    /// An object of the current call (alloca, byval copy, variadic area): it dies when the call's frame is popped.
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

    fn change_info(&mut self, object: &ObjectRef, update: impl FnOnce(&mut ObjectInfo)) {
        self.change(object, |object| update(Arc::make_mut(&mut object.info)));
    }

    /// Makes a variable that is defined nowhere an ordinary one, if the access that failed at it covers all of
    /// it: what a program writes to a missing library's variable is what it reads there from then on.
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

    /// Makes an object exist at an address of the program's choice (bytes read 0). False if it would overlap
    /// the null page, another object or the areas that allocation uses for others.
    pub fn define_fixed(&mut self, base: u64, size: u64, site: AllocationSite) -> bool {
        let Some(end) = base.checked_add(size) else {
            return false;
        };
        let overlaps = self
            .objects_between(base, end.saturating_sub(1))
            .next()
            .is_some();
        if base < NULL_PAGE || overlaps {
            return false;
        }
        let info = ObjectInfo {
            base,
            size,
            capacity: size,
            symbolic_size: None,
            kind: ObjectKind::Fixed,
            site,
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
    fn retire(&mut self, object: &ObjectRef, site: AllocationSite) {
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

    /// Forbids or allows writes to the object at `base`.
    pub fn set_read_only(&mut self, base: u64, read_only: bool) -> AccessResult<()> {
        let object = self.locate(base)?;
        self.change(&object, |object| object.read_only = read_only);
        Ok(())
    }

    /// `klee_mark_global`: the object may not be freed and outlives its frame.
    pub fn mark_global(&mut self, base: u64) -> AccessResult<()> {
        let object = self.locate(base)?;
        self.change(&object, |object| object.kept = true);
        Ok(())
    }

    /// Changes the metadata of an object; objects of a frame's fixed layout have none.
    fn change(&mut self, object: &ObjectRef, update: impl FnOnce(&mut Object)) {
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

    // ---- frames ----

    /// Enters a call. Frame object `i` lies at the returned address plus `layout.offset(i)`.
    #[inline]
    pub fn push_frame(&mut self, layout: &Arc<FrameLayout>) -> u64 {
        self.stack.push(layout, self.undefined.as_deref())
    }

    /// The same for a call without frame objects.
    #[inline(always)]
    pub fn push_empty_frame(&mut self) -> u64 {
        self.stack.push_empty()
    }

    /// Leaves a call: all objects of its frame die.
    #[inline]
    pub fn pop_frame(&mut self) {
        if let Some(frame) = self.stack.pop() {
            self.drop_objects(&frame);
        }
    }

    /// The objects of a frame that has left the stack die.
    fn drop_objects(&mut self, frame: &Frame) {
        let base = frame.address();
        for &(offset, size) in &frame.layout.objects {
            self.forget_object(base + offset, size);
        }
        self.retire_dynamic(&frame.dynamic);
    }

    /// Number of frames pushed and not popped.
    pub fn frame_depth(&self) -> u32 {
        self.stack.depth()
    }

    /// Goes on with the stack of another thread, empty if it has none yet; `number` is less than
    /// `MAX_STACKS`. The objects of a stack that waits stay accessible.
    pub fn switch_stack(&mut self, number: u32) {
        let next = self.parked.remove(&number);
        let next = next.unwrap_or_else(|| Stack::new(number));
        let last = std::mem::replace(&mut self.stack, next);
        self.parked.insert(self.running, last);
        self.running = number;
    }

    /// All objects of the running thread's calls die, as when they return.
    pub fn drop_calls(&mut self) {
        while self.stack.depth() > 0 {
            self.pop_frame();
        }
        self.stack.clear();
    }

    fn stacks(&self) -> impl Iterator<Item = &Stack> {
        std::iter::once(&self.stack).chain(self.parked.values())
    }

    fn stack_at(&self, address: u64) -> Option<&Stack> {
        match stack_of(address) {
            number if number == self.running => Some(&self.stack),
            number => self.parked.get(&number),
        }
    }

    /// A token for the current call's dynamic objects (llvm.stacksave).
    pub fn stack_save(&self) -> u64 {
        self.stack.dynamic().len() as u64
    }

    /// Frees the current call's dynamic objects made since `stack_save` gave this token.
    pub fn stack_restore(&mut self, token: u64) {
        let kept = usize::try_from(token).unwrap_or(usize::MAX);
        if self.stack.dynamic().len() <= kept {
            return;
        }
        if let Some(dynamic) = self.stack.dynamic_mut(&EMPTY_LAYOUT) {
            let gone = dynamic.split_off(kept);
            self.retire_dynamic(&gone);
        }
    }

    fn retire_dynamic(&mut self, addresses: &[u64]) {
        for &address in addresses {
            if let Ok(object) = self.locate(address) {
                let ObjectKey::Class { class, index } = object.key else {
                    continue;
                };
                if self.class_object(class, index).is_some_and(|o| !o.kept) {
                    self.retire(&object, AllocationSite::Engine("return"));
                }
            }
        }
    }

    // ---- looking up ----

    fn class_object(&self, class: u8, index: u64) -> Option<&Object> {
        self.classes.get(usize::from(class))?.objects.get(index)
    }

    fn find(&self, address: u64) -> Found<'_> {
        if !self.fixed.is_empty() {
            if let Some((_, object)) = self.fixed.range(..=address).next_back() {
                let object_ref = view(object, ObjectKey::Fixed(object.info.base));
                if object_ref.contains(address, 0) {
                    return Found::Live(object_ref, &object.contents);
                }
            }
        }
        match address::place(address) {
            Place::Class { class, index } => {
                let Some(space) = self.classes.get(usize::from(class)) else {
                    return Found::Nothing;
                };
                match space.objects.get(index) {
                    Some(object) if object.freed.is_some() => Found::Freed(Some(object)),
                    Some(object) => Found::Live(
                        view(object, ObjectKey::Class { class, index }),
                        &object.contents,
                    ),
                    None if index < space.next => Found::Freed(None),
                    None => Found::Nothing,
                }
            }
            Place::Stack => {
                let place = self.stack_at(address).and_then(|stack| {
                    let (frame, object) = stack.find(address)?;
                    Some((stack.frame(frame)?, frame, object))
                });
                match place {
                    Some((found, frame, object)) => Found::Live(
                        frame_view(found, frame, object),
                        &found.contents[object as usize],
                    ),
                    None => Found::Nothing,
                }
            }
            Place::Null | Place::Function | Place::Outside => Found::Nothing,
        }
    }

    /// The bytes of the live object in whose unit the address lies, without all else that is known of it.
    fn bytes_at(&self, address: u64) -> Option<Bytes<'_>> {
        if self.fixed.is_empty() {
            match address::place(address) {
                Place::Class { class, index } => {
                    let object = self.class_object(class, index)?;
                    let usable = object.freed.is_none() && object.info.kind != ObjectKind::External;
                    return usable.then_some(Bytes {
                        base: object.info.base,
                        size: object.info.size,
                        contents: &object.contents,
                    });
                }
                Place::Stack => {
                    let stack = self.stack_at(address)?;
                    let (frame, object) = stack.find(address)?;
                    let frame = stack.frame(frame)?;
                    let (offset, size) = frame.layout.objects[object as usize];
                    return Some(Bytes {
                        base: frame.address() + offset,
                        size,
                        contents: &frame.contents[object as usize],
                    });
                }
                Place::Null | Place::Function | Place::Outside => return None,
            }
        }
        match self.find(address) {
            Found::Live(object, contents) if object.kind != ObjectKind::External => Some(Bytes {
                base: object.base,
                size: object.size,
                contents,
            }),
            _ => None,
        }
    }

    fn freed_view(&self, object: &Object) -> ObjectRef {
        view(object, ObjectKey::Fixed(object.info.base))
    }

    /// The live object that `address` lies in, at its largest possible size; its base counts as inside even
    /// if it is empty.
    pub fn locate(&self, address: u64) -> AccessResult<ObjectRef> {
        if let Found::Live(object, _) = self.find(address) {
            if object.may_contain(address, 1) || address == object.base {
                return Ok(object);
            }
        }
        Err(self.access_error(address, 1))
    }

    /// The live object that `address` lies in or whose guard gaps it lies in: where a pointer that left
    /// its object most likely came from.
    pub fn owner(&self, address: u64) -> Option<ObjectRef> {
        match self.find(address) {
            Found::Live(object, _) => Some(object),
            _ => None,
        }
    }

    /// The live object that has all of `bytes` bytes at `address`.
    pub fn check(&self, address: u64, bytes: u64) -> AccessResult<ObjectRef> {
        self.check_found(address, bytes).map(|found| found.0)
    }

    fn check_found(&self, address: u64, bytes: u64) -> AccessResult<(ObjectRef, &Contents)> {
        match self.find(address) {
            Found::Live(object, contents)
                if object.contains(address, bytes) && object.kind != ObjectKind::External =>
            {
                Ok((object, contents))
            }
            _ => Err(self.access_error(address, bytes)),
        }
    }

    fn check_writable(&self, address: u64, bytes: u64) -> AccessResult<ObjectRef> {
        let object = self.check(address, bytes)?;
        if object.read_only {
            return Err(Box::new(AccessError {
                kind: AccessErrorKind::ReadOnly { object },
                address,
                bytes,
                below: None,
                above: None,
            }));
        }
        Ok(object)
    }

    fn contents_mut(&mut self, object: &ObjectRef) -> Option<&mut Contents> {
        match object.key {
            ObjectKey::Class { class, index } => {
                let space = self.classes.get_mut(usize::from(class))?;
                Some(&mut space.objects.get_mut(index)?.contents)
            }
            ObjectKey::Frame {
                frame,
                object: part,
            } => {
                let stack = match stack_of(object.base) {
                    number if number == self.running => &mut self.stack,
                    number => self.parked.get_mut(&number)?,
                };
                stack.frame_mut(frame)?.contents.get_mut(part as usize)
            }
            ObjectKey::Fixed(base) => {
                Some(&mut Arc::make_mut(&mut self.fixed).get_mut(&base)?.contents)
            }
        }
    }

    /// Why an access of `bytes` bytes at `address` is wrong.
    fn access_error(&self, address: u64, bytes: u64) -> Box<AccessError> {
        let kind = match (address::place(address), self.find(address)) {
            (_, Found::Live(object, _)) if object.kind == ObjectKind::External => {
                AccessErrorKind::External { object }
            }
            (_, Found::Live(object, _)) => AccessErrorKind::OutOfBounds {
                object: Some(object),
            },
            (_, Found::Freed(object)) => {
                let on_stack = object.is_some_and(|object| object.info.kind == ObjectKind::Stack);
                if on_stack {
                    AccessErrorKind::UseAfterReturn
                } else {
                    AccessErrorKind::UseAfterFree {
                        object: object.map(|object| self.freed_view(object)),
                        freed: object.and_then(|object| object.freed),
                    }
                }
            }
            (Place::Null, _) => AccessErrorKind::Null,
            (Place::Function, _) if function_at(address).is_some() => AccessErrorKind::Function,
            (Place::Stack, _)
                if self
                    .stack_at(address)
                    .is_some_and(|stack| stack.was_used(address)) =>
            {
                AccessErrorKind::UseAfterReturn
            }
            _ => AccessErrorKind::OutOfBounds { object: None },
        };
        let mut below: Option<ObjectRef> = None;
        let mut above: Option<ObjectRef> = None;
        for object in self.objects() {
            if object.base <= address {
                below = Some(object);
            } else if above.is_none() {
                above = Some(object);
            }
        }
        Box::new(AccessError {
            kind,
            address,
            bytes,
            below,
            above,
        })
    }

    /// All live objects in ascending order of addresses.
    pub fn objects(&self) -> impl Iterator<Item = ObjectRef> + use<> {
        self.objects_between(0, u64::MAX)
    }

    /// The live objects that have an address between `low` and `high` (inclusive) inside or at their
    /// end, in ascending order of addresses.
    pub fn objects_between(&self, low: u64, high: u64) -> impl Iterator<Item = ObjectRef> + use<> {
        let mut found = Vec::new();
        let mut add = |object: ObjectRef| {
            if object.base <= high && object.base + object.size >= low {
                found.push(object);
            }
        };
        for object in self.fixed.values() {
            add(view(object, ObjectKey::Fixed(object.info.base)));
        }
        for (class, space) in self.classes.iter().enumerate() {
            let class = class as u8;
            if let Some((first, last)) = address::class_numbers(class, low, high) {
                space
                    .objects
                    .for_each_between(first, last, &mut |index, object| {
                        if object.freed.is_none() {
                            add(view(object, ObjectKey::Class { class, index }));
                        }
                    });
            }
        }
        if high >= address::STACK_BASE {
            for stack in self.stacks() {
                stack.frames().for_each(&mut |index, frame| {
                    for object in 0..frame.contents.len() as u32 {
                        add(frame_view(frame, index, object));
                    }
                });
            }
        }
        found.sort_by_key(|object| object.base);
        found.into_iter()
    }

    // ---- terms ----

    /// Calls `mark` for every term in memory. `enter` gets the address of each shared part and answers
    /// whether it is new, so that parts shared by many states are visited once.
    pub fn mark_terms(&self, enter: &mut dyn FnMut(usize) -> bool, mark: &mut dyn FnMut(Term)) {
        for space in &self.classes {
            space.objects.for_each_shared(enter, &mut |object, enter| {
                if let Some(size) = object.info.symbolic_size {
                    mark(size);
                }
                object.contents.for_each_term(enter, mark);
            });
        }
        let mut visit = |contents: &Contents, enter: &mut dyn FnMut(usize) -> bool| {
            contents.for_each_term(enter, mark);
        };
        for stack in self.stacks() {
            stack.frames().for_each_shared(enter, &mut |frame, enter| {
                for contents in &frame.contents {
                    visit(contents, enter);
                }
            });
        }
        for object in self.fixed.values() {
            visit(&object.contents, enter);
        }
        if let Some(undefined) = &self.undefined
            && enter(undefined.as_ptr() as usize)
        {
            undefined.iter().copied().for_each(mark);
        }
    }

    /// Puts other terms in place of all that memory holds; what holds none stays shared with clones.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        self.trim();
        let Memory {
            classes,
            stack,
            running: _,
            parked,
            fixed,
            heap_bytes: _,
            undefined,
            layered: _,
            cache: _,
        } = self;
        if let Some(bytes) = undefined {
            *bytes = bytes.iter().map(|term| map(*term)).collect();
        }
        let change = |object: &Object| {
            let contents = object.contents.with_terms(map);
            let symbolic_size = object.info.symbolic_size.map(map);
            if contents.is_none() && symbolic_size.is_none() {
                return None;
            }
            let mut changed = object.clone();
            if let Some(contents) = contents {
                changed.contents = contents;
            }
            if symbolic_size.is_some() {
                Arc::make_mut(&mut changed.info).symbolic_size = symbolic_size;
            }
            Some(changed)
        };
        for class in classes {
            class.objects.replace(&mut |object| change(object));
        }
        stack.map_terms(map);
        parked.values_mut().for_each(|stack| stack.map_terms(map));
        let changed: Vec<(u64, Object)> = fixed
            .iter()
            .filter_map(|(base, object)| Some((*base, change(object)?)))
            .collect();
        if !changed.is_empty() {
            Arc::make_mut(fixed).extend(changed);
        }
    }

    // ---- the access cache ----

    fn forget_object(&self, base: u64, size: u64) {
        if let Some(cache) = self.cache.get() {
            cache.forget_object(base, size);
        }
    }
}

/// The bytes of a new object: those that are undefined come from the list if there is one.
fn fresh(undefined: Option<&[Term]>, base: u64, size: u64, fill: u8) -> Contents {
    match undefined {
        Some(bytes) if fill == UNINITIALISED => {
            // Objects start at different places of the list, so that two of them rarely look equal.
            let start = (base >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let count = bytes.len() as u64;
            Contents::symbolic(size, &|index| bytes[((start + index) % count) as usize])
        }
        _ => Contents::filled(size, fill),
    }
}

impl Class {
    /// A number for a new object: a fresh one, else one whose object was freed longest ago (about).
    fn take_number(&mut self, capacity: u64) -> Option<u64> {
        if self.next < capacity {
            self.next += 1;
            return Some(self.next - 1);
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

fn view(object: &Object, key: ObjectKey) -> ObjectRef {
    ObjectRef {
        base: object.info.base,
        size: object.info.size,
        capacity: object.info.capacity,
        symbolic_size: object.info.symbolic_size,
        kind: object.info.kind,
        site: object.info.site,
        read_only: object.read_only,
        key,
    }
}

fn frame_view(frame: &Frame, index: u64, object: u32) -> ObjectRef {
    let (offset, size) = frame.layout.objects[object as usize];
    ObjectRef {
        base: frame.address() + offset,
        size,
        capacity: size,
        symbolic_size: None,
        kind: ObjectKind::Stack,
        site: AllocationSite::FrameObject {
            function: frame.layout.function,
            object,
        },
        read_only: false,
        key: ObjectKey::Frame {
            frame: index,
            object,
        },
    }
}
