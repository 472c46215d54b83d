//! Replacement of registers and bytes by variables, just before they are read.
//!
//! Invariant: each is replaced at most once. Afterwards it is a variable of its storage location, a
//! number that a condition pins, or a value that the subpath has written.

use super::interpolant::{ObjectPin, ObjectShape};
use super::reasons::Reason;
use super::storage::{StorageLoc, region_of};
use super::subpath::{Equipment, Failure, Subpath, Touch};
use homi_ir::program::{Function, Inst, Slot};
use homi_machine::memory::{ByteValue, ObjectKind, ObjectRef, Value};
use homi_solver::term::{ArrayId, Byte, Term, Terms};
use rustc_hash::FxHashSet;

/// Size of the largest object whose bytes become variables as a whole, in bytes.
const LARGEST_OBJECT: u64 = 16384;

impl Subpath<'_> {
    /// Makes variables of the registers that the next instruction reads, and notes those it writes.
    pub(super) fn settle_registers(
        &mut self,
        with: &mut Equipment<'_, '_>,
        function: &Function,
        inst: &Inst,
    ) {
        if !self.is_of_start() {
            return;
        }
        let depth = self.state.frames.len() - 1;
        let mut reads = Vec::new();
        let mut writes = Vec::new();
        function.visit_operands(inst, &mut |access, width, slot| match access {
            homi_ir::program::Access::Read => reads.push((slot, width)),
            homi_ir::program::Access::Write => writes.push(slot),
        });
        for (slot, width) in reads {
            let is_constant = || function.constants.iter().any(|(other, _)| *other == slot);
            if !self.settled_registers[depth].contains(&slot.0) && !is_constant() {
                self.settle_register(with, depth, slot, width);
            }
        }
        for slot in writes {
            self.settled_registers[depth].insert(slot.0);
        }
    }

    fn settle_register(
        &mut self,
        with: &mut Equipment<'_, '_>,
        depth: usize,
        slot: Slot,
        width: u32,
    ) {
        let terms = with.terms;
        let loc = StorageLoc::Register {
            depth: depth as u32,
            slot: slot.0,
        };
        let array = with.locs.array(terms, loc);
        let bytes = width.div_ceil(8);
        let mut whole = None;
        for index in 0..bytes {
            let byte = Byte { array, index };
            let value = (self.start_frames).register_byte(terms, depth as u32, slot.0, index);
            self.give(terms, byte, value);
            let symbol = terms.symbol(byte);
            whole = Some(match whole {
                None => symbol,
                Some(low) => terms.concat(symbol, low),
            });
        }
        if let Some(whole) = whole {
            let term = terms.extract(whole, 0, width);
            self.state.frames.top_mut().set_term(slot.index(), term);
        }
        self.settled_registers[depth].insert(slot.0);
    }

    /// Gives a variable the value of its storage location in the model.
    fn give(&mut self, terms: &Terms, byte: Byte, value: Option<Term>) {
        if let Some(value) = value {
            let number = terms.eval(value, &self.state.model) as u8;
            self.state.model.set(byte, number);
        }
    }

    /// Returns the object of the start with this base, if it existed there.
    pub(super) fn start_object(&self, base: u64) -> Option<ObjectRef> {
        let object = self.start.memory.object_at(base)?;
        (object.base == base).then_some(object)
    }

    /// Prepares an access of a number of bytes at an address.
    pub(super) fn touch(
        &mut self,
        with: &mut Equipment<'_, '_>,
        (address, bytes): (u64, u64),
        touch: Touch,
    ) -> Result<(), Failure> {
        let Some(object) = self.state.memory.object_at(address) else {
            self.note_absent(address);
            return Ok(());
        };
        let Some(start) = self.start_object(object.base) else {
            return Ok(());
        };
        self.pin_object(&start)?;
        let offset = address - object.base;
        let end = offset.saturating_add(bytes).min(object.capacity);
        let is_constant = matches!(object.kind, ObjectKind::Global { constant: true });
        if is_constant || offset >= end || touch == Touch::Shape {
            return Ok(());
        }
        if object.read_only {
            return Err(Failure::Unsupported("read-only object".to_string()));
        }
        self.settle_bytes(with, &start, (offset, end), touch)
    }

    /// Notes that an access is about to find no object at an address.
    fn note_absent(&mut self, address: u64) {
        if self.start.memory.object_at(address).is_some()
            || address < homi_machine::memory::NULL_PAGE
        {
            return;
        }
        let freed = self.start.memory.freed_owner(address);
        let freed = freed.filter(|object| object.kind == ObjectKind::Heap);
        if let Some(object) = freed {
            if Reason::Freed.counts() {
                self.facts.freed.insert(object.base);
            }
        } else if Reason::Absence.counts() {
            self.facts.absent.push(address);
        }
    }

    fn pin_object(&mut self, object: &ObjectRef) -> Result<(), Failure> {
        if matches!(object.kind, ObjectKind::Global { .. }) && !object.read_only {
            return Ok(());
        }
        let shape = ObjectShape::of(&self.start.memory, object).ok_or(Failure::Object)?;
        let base = object.base;
        if Reason::ObjectShape.counts() {
            self.facts.objects.insert(base, ObjectPin { base, shape });
        }
        Ok(())
    }

    fn settle_bytes(
        &mut self,
        with: &mut Equipment<'_, '_>,
        object: &ObjectRef,
        (first, end): (u64, u64),
        touch: Touch,
    ) -> Result<(), Failure> {
        let size = u32::try_from(object.capacity).map_err(|_| Failure::Object)?;
        let fixed = self
            .settled_bytes
            .entry(object.base)
            .or_insert_with(|| vec![false; size as usize]);
        let open: Vec<u64> = (first..end)
            .filter(|offset| !std::mem::replace(&mut fixed[*offset as usize], true))
            .collect();
        if touch == Touch::Write || open.is_empty() {
            return Ok(());
        }
        let terms = with.terms;
        let region = region_of(&self.start_frames, object);
        let array = with.locs.array(terms, StorageLoc::Object { region, size });
        let mut pinned = FxHashSet::default();
        if touch == Touch::Somewhere {
            pinned = self.pin_words(with, object.base, &open, array);
        }
        for offset in open {
            if pinned.contains(&offset) {
                continue;
            }
            let address = object.base + offset;
            let value = self.start.memory.read_byte(terms, address);
            let value = match value.map_err(|_| Failure::Object)? {
                ByteValue::Concrete(value) => terms.constant(8, value.into()),
                ByteValue::Term(term) => term,
            };
            let byte = Byte {
                array,
                index: offset as u32,
            };
            let symbol = terms.symbol(byte);
            if let (Touch::Contents, Some(number)) = (touch, terms.as_const(value)) {
                self.holds(Reason::Contents, terms.eq_const(symbol, number));
                continue;
            }
            self.give(terms, byte, Some(value));
            let memory = &mut self.state.memory;
            let put = memory.write(terms, address, 1, Value::Term(symbol));
            put.map_err(|_| Failure::Object)?;
        }
        Ok(())
    }

    /// Pins words of an object of the start that are addresses. Returns the offsets of their bytes.
    fn pin_words(
        &mut self,
        with: &Equipment<'_, '_>,
        base: u64,
        open: &[u64],
        array: ArrayId,
    ) -> FxHashSet<u64> {
        let mut pinned = FxHashSet::default();
        let aligned = open.iter().filter(|offset| *offset % 8 == 0);
        for &offset in aligned {
            let Ok(Some(word)) = self.start.memory.read_word(base + offset, 8) else {
                continue;
            };
            let bytes = offset..offset + 8;
            let is_open = |byte: u64| open.binary_search(&byte).is_ok();
            if !self.is_address(with, word) || !bytes.clone().all(is_open) {
                continue;
            }
            let symbol = |at: u64| {
                let index = at as u32;
                with.terms.symbol(Byte { array, index })
            };
            let first = symbol(offset);
            let rest = bytes.clone().skip(1);
            let whole = rest.fold(first, |low, at| with.terms.concat(symbol(at), low));
            self.leads_to(Reason::Address, whole, word);
            pinned.extend(bytes);
        }
        pinned
    }

    /// Prepares an access somewhere in an object.
    pub(super) fn touch_whole(
        &mut self,
        with: &mut Equipment<'_, '_>,
        address: u64,
        touch: Touch,
    ) -> Result<(), Failure> {
        let Some(object) = self.state.memory.object_at(address) else {
            return self.touch(with, (address, 1), touch);
        };
        if object.capacity > LARGEST_OBJECT
            && !matches!(object.kind, ObjectKind::Global { constant: true })
        {
            return Err(Failure::Object);
        }
        let all = (object.base, object.capacity);
        match touch {
            Touch::Contents => self.touch_contents(with, &object, all),
            _ => self.touch(with, all, touch),
        }
    }

    /// Prepares a read of bytes of an object in which concrete bytes stay concrete.
    pub(super) fn touch_contents(
        &mut self,
        with: &mut Equipment<'_, '_>,
        object: &ObjectRef,
        (first, bytes): (u64, u64),
    ) -> Result<(), Failure> {
        let is_constant = matches!(object.kind, ObjectKind::Global { constant: true });
        if bytes > LARGEST_OBJECT && !is_constant {
            return Err(Failure::Object);
        }
        self.touch(with, (first, bytes), Touch::Contents)?;
        self.pin_contents(with, (first, bytes));
        Ok(())
    }

    /// Pins bytes that were concrete in the first execution.
    fn pin_contents(&mut self, with: &mut Equipment<'_, '_>, (first, bytes): (u64, u64)) {
        for address in first..first + bytes {
            let Ok(ByteValue::Term(term)) = self.state.memory.read_byte(with.terms, address) else {
                continue;
            };
            let actual = self.actual(with, term);
            if let Some(number) = with.terms.as_const(actual) {
                self.holds(Reason::Contents, with.terms.eq_const(term, number));
                // A byte of a live object that is not read-only is writable.
                let _ = self
                    .state
                    .memory
                    .write(with.terms, address, 1, Value::Concrete(number));
            }
        }
    }
}
