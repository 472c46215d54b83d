//! Finds the object of an address, or the reason why an access is invalid.
//!
//! Invariant: lookups change nothing; guard gaps belong to the object before them, so that a
//! pointer which left its object still identifies it.

use super::Memory;
use super::address::{self, AddressRegion, function_at};
use super::contents::Contents;
use super::object::{AccessError, AccessErrorKind, AccessResult, AllocationSite, Bytes, Found};
use super::object::{Object, ObjectKey, ObjectKind, ObjectRef};
use super::stack::{Frame, stack_of};
use std::sync::Arc;

impl Memory {
    pub(super) fn class_object(&self, class: u8, index: u64) -> Option<&Object> {
        self.classes.get(usize::from(class))?.objects.get(index)
    }

    pub(super) fn find(&self, address: u64) -> Found<'_> {
        if !self.fixed.is_empty()
            && let Some((found, contents)) = self.find_fixed(address)
        {
            return Found::Live(found, contents);
        }
        match address::place(self.pointers, address) {
            AddressRegion::Class { class, index } => {
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
            AddressRegion::Stack => {
                let place = self.stack_at(address).and_then(|stack| {
                    let (frame, object) = stack.find(address)?;
                    Some((stack.frame(frame)?, frame, object))
                });
                match place.filter(|place| !place.0.blocks.has_ended(place.2)) {
                    Some((found, frame, object)) => Found::Live(
                        frame_view(found, frame, object),
                        &found.contents[object as usize],
                    ),
                    None => Found::Nothing,
                }
            }
            AddressRegion::Null | AddressRegion::Function | AddressRegion::Outside => {
                Found::Nothing
            }
        }
    }

    /// The bytes of the live object in whose unit the address lies, without all else that is known
    /// of it.
    pub(super) fn bytes_at(&self, address: u64) -> Option<Bytes<'_>> {
        if self.fixed.is_empty() {
            match address::place(self.pointers, address) {
                AddressRegion::Class { class, index } => {
                    let object = self.class_object(class, index)?;
                    let usable = object.freed.is_none() && object.info.kind != ObjectKind::External;
                    return usable.then_some(Bytes {
                        base: object.info.base,
                        size: object.info.size,
                        hole: object.info.hole,
                        contents: &object.contents,
                    });
                }
                AddressRegion::Stack => {
                    let stack = self.stack_at(address)?;
                    let (frame, object) = stack.find(address)?;
                    let frame = stack.frame(frame)?;
                    if frame.blocks.has_ended(object) {
                        return None;
                    }
                    let (offset, size) = frame.layout.objects[object as usize];
                    return Some(Bytes {
                        base: frame.address() + offset,
                        size,
                        hole: (0, 0),
                        contents: &frame.contents[object as usize],
                    });
                }
                AddressRegion::Null | AddressRegion::Function | AddressRegion::Outside => {
                    return None;
                }
            }
        }
        match self.find(address) {
            Found::Live(object, contents) if object.kind != ObjectKind::External => Some(Bytes {
                base: object.base,
                size: object.size,
                hole: object.hole,
                contents,
            }),
            _ => None,
        }
    }

    pub(super) fn freed_view(&self, object: &Object) -> ObjectRef {
        view(object, ObjectKey::Fixed(object.info.base))
    }

    /// The live object that `address` lies in, at its largest possible size; its base counts as
    /// inside even if it is empty.
    pub fn locate(&self, address: u64) -> AccessResult<ObjectRef> {
        if let Found::Live(object, _) = self.find(address) {
            if object.may_contain(address, 1) || address == object.base {
                return Ok(object);
            }
        }
        Err(self.access_error(address, 1))
    }

    /// Finds the object of an address as `locate` does, without the reason for a failure, which
    /// would scan all objects.
    pub fn object_at(&self, address: u64) -> Option<ObjectRef> {
        self.owner(address)
            .filter(|object| object.may_contain(address, 1) || address == object.base)
    }

    /// The live object that `address` lies in or whose guard gaps it lies in: where a pointer that
    /// left its object most likely came from.
    pub fn owner(&self, address: u64) -> Option<ObjectRef> {
        match self.find(address) {
            Found::Live(object, _) => Some(object),
            _ => None,
        }
    }

    /// The freed object that `address` lies in or whose guard gaps it lies in, as it was; nothing
    /// where it is forgotten.
    pub fn freed_owner(&self, address: u64) -> Option<ObjectRef> {
        match self.find(address) {
            Found::Freed(Some(object)) => Some(self.freed_view(object)),
            _ => None,
        }
    }

    /// Returns true if an address lies in the unit of a live or freed object of a size class.
    pub fn was_given_out(&self, address: u64) -> bool {
        match address::place(self.pointers, address) {
            AddressRegion::Class { class, index } => {
                let space = self.classes.get(usize::from(class));
                space.is_some_and(|space| index < space.next)
            }
            _ => false,
        }
    }

    /// Returns true if a live object outlives its frame and may not be freed (`klee_mark_global`).
    pub fn is_kept(&self, object: &ObjectRef) -> bool {
        match object.key {
            ObjectKey::Class { class, index } => {
                let object = self.class_object(class, index);
                object.is_some_and(|object| object.kept)
            }
            ObjectKey::Fixed(_) => true,
            ObjectKey::Frame { .. } => false,
        }
    }

    /// The live object that has all of `bytes` bytes at `address`, for those who need no reason
    /// where there is none.
    pub fn object_with(&self, address: u64, bytes: u64) -> Option<ObjectRef> {
        match self.find(address) {
            Found::Live(object, _)
                if object.contains(address, bytes) && object.kind != ObjectKind::External =>
            {
                Some(object)
            }
            _ => None,
        }
    }

    /// The live object that has all of `bytes` bytes at `address`.
    pub fn check(&self, address: u64, bytes: u64) -> AccessResult<ObjectRef> {
        self.check_found(address, bytes).map(|found| found.0)
    }

    pub(super) fn check_found(
        &self,
        address: u64,
        bytes: u64,
    ) -> AccessResult<(ObjectRef, &Contents)> {
        let found = self.found(address, bytes);
        found.ok_or_else(|| self.access_error(address, bytes))
    }

    /// Finds the object of an access, without the reason for a failure, which would scan all
    /// objects.
    pub(super) fn found(&self, address: u64, bytes: u64) -> Option<(ObjectRef, &Contents)> {
        match self.find(address) {
            Found::Live(object, contents)
                if object.contains(address, bytes) && object.kind != ObjectKind::External =>
            {
                Some((object, contents))
            }
            _ => None,
        }
    }

    pub(super) fn check_writable(&self, address: u64, bytes: u64) -> AccessResult<ObjectRef> {
        let object = self.check(address, bytes)?;
        if object.read_only {
            return Err(self.read_only_error(object, address, bytes));
        }
        Ok(object)
    }

    pub(super) fn read_only_error(
        &self,
        object: ObjectRef,
        address: u64,
        bytes: u64,
    ) -> Box<AccessError> {
        Box::new(AccessError {
            kind: AccessErrorKind::ReadOnly { object },
            address,
            bytes,
            below: None,
            above: None,
        })
    }

    pub(super) fn contents_mut(&mut self, object: &ObjectRef) -> Option<&mut Contents> {
        match object.key {
            ObjectKey::Class { class, index } => {
                let space = self.classes.get_mut(usize::from(class))?;
                Some(&mut space.objects.get_mut(index)?.contents)
            }
            ObjectKey::Frame {
                frame,
                object: part,
            } => {
                let stack = match stack_of(self.pointers, object.base) {
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

    /// Returns why an access of `bytes` bytes at `address` is invalid.
    pub(super) fn access_error(&self, address: u64, bytes: u64) -> Box<AccessError> {
        let kind = match (address::place(self.pointers, address), self.find(address)) {
            (_, Found::Freed(_) | Found::Nothing) if self.hidden_at(address).is_some() => {
                AccessErrorKind::OutOfBounds {
                    object: self.hidden_at(address),
                }
            }
            (_, Found::Live(object, _)) if object.kind == ObjectKind::External => {
                AccessErrorKind::External { object }
            }
            (_, Found::Live(object, _)) => AccessErrorKind::OutOfBounds {
                object: Some(object),
            },
            (_, Found::Freed(object)) => {
                let on_stack = object.is_some_and(|object| object.info.kind == ObjectKind::Stack);
                if on_stack {
                    AccessErrorKind::UseAfterReturn {
                        local: object.map(|object| object.info.site),
                    }
                } else {
                    AccessErrorKind::UseAfterFree {
                        object: object.map(|object| self.freed_view(object)),
                        freed: object.and_then(|object| object.freed),
                    }
                }
            }
            (AddressRegion::Null, _) => AccessErrorKind::Null,
            (AddressRegion::Function, _) if function_at(address).is_some() => {
                AccessErrorKind::Function
            }
            (AddressRegion::Stack, _) if self.ended_local(address).is_some() => {
                AccessErrorKind::UseAfterScope {
                    local: self.ended_local(address),
                }
            }
            (AddressRegion::Stack, _)
                if self
                    .stack_at(address)
                    .is_some_and(|stack| stack.was_used(address)) =>
            {
                AccessErrorKind::UseAfterReturn {
                    local: (self.stack_at(address)).and_then(|stack| stack.returned_local(address)),
                }
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

    /// The local of a block that had the address, if the block has ended.
    fn ended_local(&self, address: u64) -> Option<AllocationSite> {
        let stack = self.stack_at(address)?;
        let (frame, object) = stack.find(address)?;
        let frame = stack.frame(frame)?;
        let view = frame_view(frame, 0, object);
        let is_inside = view.may_contain(address, 1);
        (frame.blocks.has_ended(object) && is_inside).then_some(view.site)
    }

    /// All live objects in ascending order of addresses.
    pub fn objects(&self) -> impl Iterator<Item = ObjectRef> + use<> {
        self.objects_between(0, u64::MAX)
    }

    /// The live objects that have an address between `low` and `high` (inclusive) inside or at
    /// their end, in ascending order of addresses.
    pub fn objects_between(&self, low: u64, high: u64) -> impl Iterator<Item = ObjectRef> + use<> {
        let mut found = Vec::new();
        let mut add = |object: ObjectRef| {
            if object.base <= high && object.base + object.size >= low {
                found.push(object);
            }
        };
        for (start, object) in self.fixed.iter().filter(|piece| !piece.1.info.hidden) {
            if let Some((found, _)) = self.fixed_view(*start, object) {
                add(found);
            }
        }
        for (class, space) in self.classes.iter().enumerate() {
            let class = class as u8;
            if let Some((first, last)) = address::class_numbers(self.pointers, class, low, high) {
                space
                    .objects
                    .for_each_between(first, last, &mut |index, object| {
                        if object.freed.is_none() {
                            add(view(object, ObjectKey::Class { class, index }));
                        }
                    });
            }
        }
        if high >= address::stack_area(self.pointers).0 {
            for stack in self.stacks() {
                stack.frames().for_each(&mut |index, frame| {
                    let objects = 0..frame.contents.len() as u32;
                    for object in objects.filter(|object| !frame.blocks.has_ended(*object)) {
                        add(frame_view(frame, index, object));
                    }
                });
            }
        }
        found.sort_by_key(|object| object.base);
        found.into_iter()
    }
}

pub(super) fn view(object: &Object, key: ObjectKey) -> ObjectRef {
    ObjectRef {
        base: object.info.base,
        size: object.info.size,
        capacity: object.info.capacity,
        symbolic_size: object.info.symbolic_size,
        kind: object.info.kind,
        site: object.info.site,
        read_only: object.read_only,
        hole: object.info.hole,
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
        hole: (0, 0),
        key: ObjectKey::Frame {
            frame: index,
            object,
        },
    }
}
