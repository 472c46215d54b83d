//! A stretch of a path followed once more, from a point to the next one or to the end of the path,
//! on a state whose places are fresh variables.
//!
//! Idea: the state at the point is copied; each register and byte that the stretch reads before it
//! writes it is replaced by the variable of its place just then. The same executor runs it along
//! the model of the path. What it decides on the way are conditions on the places at the point, and
//! the places at the end hold terms over them. So whatever made a side impossible the first time (a
//! number, a domain, a fact that was proven before) is a condition now. Pointers, sizes and
//! addresses that were numbers stay numbers, and become equalities.
//!
//! Invariant: nothing of the run changes. A stretch that does what is not understood fails, and so
//! does one that goes another way than it did: then there is no interpolant.

use super::frames::FrameView;
use super::interpolant::{ObjectPin, ObjectShape};
use super::oracle::RecordingOracle;
use super::places::{Place, Places, region_of};
use super::prepare::constants;
use crate::exec::{Executor, Host, MutedConsole, Observer, Step, World};
use crate::expr::{ArrayId, Byte, Model, Substituted, Term, Terms};
use crate::memory::{AllocationSite, ByteValue, ObjectKind, ObjectRef, Value, function_at};
use crate::program::{Function, Inst, Slot};
use crate::state::{DecisionList, State};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a stretch gives no interpolant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// It went another way than the first time: where.
    Diverged(&'static str),
    /// It does something that is not understood here: what.
    Unsupported(String),
    /// What it does depends on addresses as numbers.
    Addresses(String),
    /// An object has a symbolic size, or is too large.
    Object,
    /// A condition is about inputs and not about places.
    Input,
    /// Its conditions are too many.
    Size,
}

/// Where a stretch ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// After so many instructions.
    Instructions(u64),
    /// At the end of the path, after at most so many.
    End(u64),
}

/// A condition that a stretch decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decided {
    /// 1 bit.
    pub(super) condition: Term,
    /// The program assumes it: where it does not hold, there is no path.
    pub(super) assumed: bool,
}

/// What a stretch says of the places at its start.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) decided: Vec<Decided>,
    pub(super) pointers: Vec<(Term, u64)>,
    pub(super) objects: BTreeMap<u64, ObjectPin>,
    pub(super) absent: Vec<u64>,
    pub(super) symbolic: Vec<(Term, bool)>,
}

/// With what stretches are followed.
pub(super) struct Equipment<'e, 'a> {
    pub(super) executor: &'e Executor<'a>,
    pub(super) terms: &'e Terms,
    pub(super) host: &'e dyn Host,
    pub(super) observer: &'e mut Observer,
    pub(super) places: &'e mut Places,
}

/// A stretch under way, and then what came of it.
pub(super) struct Stretch<'s> {
    pub(super) start: &'s State,
    pub(super) start_frames: FrameView<'s>,
    /// The state whose places are variables.
    pub(super) state: State,
    pub(super) said: Said,
    /// Registers of the start's frames, by depth, that are variables or were written.
    settled_registers: Vec<FxHashSet<u32>>,
    /// Bytes of the start's objects, by base, that are variables, pinned or were written.
    settled_bytes: FxHashMap<u64, Vec<bool>>,
    /// Terms over inputs for terms over places.
    actual: Substituted,
    oracle: RecordingOracle,
    /// Conditions that hold for the step under way.
    pending: Vec<Term>,
}

/// The largest object whose bytes become variables as a whole, in bytes.
const LARGEST_OBJECT: u64 = 16384;

impl<'s> Stretch<'s> {
    /// About to follow a path from `start`, of which `model` is an input.
    pub(super) fn new(start: &'s State, model: &Model) -> Self {
        let mut state = start.clone();
        state.path = Default::default();
        state.model = model.clone();
        state.begins_objects = false;
        state.decisions = DecisionList::default();
        state.preferences = Arc::default();
        state.awaits = None;
        let start_frames = FrameView::new(start);
        let settled_registers = vec![FxHashSet::default(); start_frames.len()];
        Self {
            start,
            start_frames,
            state,
            said: Said::default(),
            settled_registers,
            settled_bytes: FxHashMap::default(),
            actual: Substituted::default(),
            oracle: RecordingOracle::default(),
            pending: Vec::new(),
        }
    }

    /// Where it has come to, as a line of the program.
    pub(super) fn place(&self, executor: &Executor<'_>) -> String {
        executor
            .program()
            .describe_location(executor.location(&self.state))
    }

    /// Instructions executed so far.
    pub(super) fn length(&self) -> u64 {
        self.state.metrics.instructions - self.start.metrics.instructions
    }

    /// Follows the path.
    pub(super) fn follow(
        &mut self,
        with: &mut Equipment<'_, '_>,
        until: Until,
    ) -> Result<(), Failure> {
        let most = match until {
            Until::Instructions(count) | Until::End(count) => count,
        };
        loop {
            if self.length() >= most {
                return match until {
                    Until::Instructions(_) => Ok(()),
                    Until::End(_) => Err(Failure::Diverged("it did not end")),
                };
            }
            self.prepare(with)?;
            let assumed_before = self.state.path.len();
            let world = World {
                host: with.host,
                console: &mut MutedConsole,
            };
            let depth = self.state.frames.len();
            let step =
                with.executor
                    .retrace(&mut self.state, &mut self.oracle, world, with.observer);
            self.note_decided(with.terms, assumed_before)?;
            match (step, until) {
                (Step::Continue, _) => self.after(with, depth),
                (Step::Ended(_), Until::End(_)) => return Ok(()),
                (Step::Ended(_), _) => return Err(Failure::Diverged("it ended")),
                _ => return Err(Failure::Diverged("it forked")),
            }
        }
    }

    /// Takes over what the last step decided.
    fn note_decided(&mut self, terms: &Terms, assumed_before: usize) -> Result<(), Failure> {
        let mut all = terms.bool(true);
        let found = self.oracle.recorded.drain(..);
        for condition in self.pending.drain(..).chain(found) {
            all = terms.and(all, condition);
        }
        match terms.as_const(all) {
            Some(0) => return Err(Failure::Diverged("a condition is false")),
            Some(_) => {}
            None => self.said.decided.push(Decided {
                condition: all,
                assumed: false,
            }),
        }
        if self.state.path.len() > assumed_before {
            for condition in self.state.path.iter().skip(assumed_before) {
                self.said.decided.push(Decided {
                    condition,
                    assumed: true,
                });
            }
        }
        Ok(())
    }

    /// A step may have left frames and written to one that it came back to.
    fn after(&mut self, with: &Equipment<'_, '_>, depth: usize) {
        let now = self.state.frames.len();
        if now >= depth || !self.is_of_start() {
            return;
        }
        let top = self.state.frames.top();
        let function = with.executor.program().function(top.function);
        let call = top.pc.checked_sub(1).map(|pc| function.code[pc as usize]);
        if let Some(Inst::Call { site }) = call {
            for (slot, _) in &function.calls[site as usize].results {
                self.settled_registers[now - 1].insert(slot.0);
            }
        }
    }

    /// Whether the innermost frame was there at the start.
    fn is_of_start(&self) -> bool {
        let depth = self.state.frames.len() - 1;
        let top = self.state.frames.top();
        self.start_frames
            .get(depth)
            .is_some_and(|frame| frame.serial == top.serial)
    }

    /// The term over inputs that a term over places was the first time.
    pub(super) fn actual(&mut self, with: &Equipment<'_, '_>, term: Term) -> Term {
        let start = (self.start, &self.start_frames);
        with.terms.substitute(term, &mut self.actual, &mut |byte| {
            let value = with.places.value(with.terms, start, byte);
            value.unwrap_or_else(|| with.terms.symbol(byte))
        })
    }

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
            crate::program::Access::Read => reads.push((slot, width)),
            crate::program::Access::Write => writes.push(slot),
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
        let place = Place::Register {
            depth: depth as u32,
            slot: slot.0,
        };
        let array = with.places.array(terms, place);
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

    /// The model gives a variable the value that the place had.
    fn give(&mut self, terms: &Terms, byte: Byte, value: Option<Term>) {
        if let Some(value) = value {
            let number = terms.eval(value, &self.state.model) as u8;
            self.state.model.set(byte, number);
        }
    }

    /// The value of a register of the innermost frame.
    pub(super) fn register(&self, slot: Slot) -> Value {
        let frame = self.state.frames.top();
        match frame.term(slot.index()) {
            Some(term) => Value::Term(term),
            None => Value::Concrete(frame.bits[slot.index()].into()),
        }
    }

    fn put_number(&mut self, slot: Slot, number: u64) {
        let frame = self.state.frames.top_mut();
        frame.clear_term(slot.index());
        frame.bits[slot.index()] = number;
    }

    /// A register that held a number holds it again, which becomes a condition. The number, unless
    /// the register was symbolic.
    pub(super) fn pin(&mut self, with: &Equipment<'_, '_>, slot: Slot) -> Option<u64> {
        let term = match self.register(slot) {
            Value::Concrete(number) => return Some(number as u64),
            Value::Term(term) => term,
        };
        if with.terms.width(term) > 64 {
            return None;
        }
        let actual = self.actual(with, term);
        let Some(number) = with.terms.as_const(actual) else {
            return self.choose_address(with, slot, term);
        };
        let number = number as u64;
        self.require(with, term, number);
        self.put_number(slot, number);
        Some(number)
    }

    /// A register that held one of several addresses, of which the path took one: that becomes a
    /// condition. Nothing where the addresses are known in the term itself, or are those of locals,
    /// which other paths have elsewhere.
    fn choose_address(&mut self, with: &Equipment<'_, '_>, slot: Slot, term: Term) -> Option<u64> {
        let number = with.terms.eval(term, &self.state.model) as u64;
        let mut known = Vec::new();
        constants(with, term, &mut known);
        let is_known = known
            .into_iter()
            .any(|number| self.is_address(with, number));
        if is_known || with.terms.width(term) != 64 || self.moves(number) {
            return None;
        }
        if !self.is_address(with, number) {
            return None;
        }
        self.pending
            .push(with.terms.eq_const(term, u128::from(number)));
        self.put_number(slot, number);
        Some(number)
    }

    /// A term is this number from now on.
    pub(super) fn require(&mut self, with: &Equipment<'_, '_>, term: Term, number: u64) {
        if with.terms.width(term) == 64 && self.is_address(with, number) {
            self.said.pointers.push((term, number));
        } else {
            self.pending
                .push(with.terms.eq_const(term, u128::from(number)));
        }
    }

    /// A register that held an address holds it again.
    pub(super) fn pin_address(&mut self, with: &Equipment<'_, '_>, slot: Slot) {
        let Value::Term(term) = self.register(slot) else {
            return;
        };
        let actual = self.actual(with, term);
        let number = with.terms.as_const(actual).map(|number| number as u64);
        if number.is_none() {
            self.choose_address(with, slot, term);
        }
        if let Some(number) = number
            && self.is_address(with, number)
        {
            self.said.pointers.push((term, number));
            self.put_number(slot, number);
        }
    }

    /// Whether a number leads to an object or a function.
    pub(super) fn is_address(&self, with: &Equipment<'_, '_>, number: u64) -> bool {
        let functions = with.executor.program().functions.len();
        function_at(number).is_some_and(|function| function.index() < functions)
            || self.state.memory.owner(number).is_some()
            || self.start.memory.owner(number).is_some()
    }

    /// Whether a number is an address that other paths may have elsewhere: of a local, or of a
    /// block that was made on the stretch.
    pub(super) fn moves(&self, number: u64) -> bool {
        let Some(object) = self.state.memory.owner(number) else {
            return false;
        };
        match object.site {
            AllocationSite::FrameObject { .. } => true,
            AllocationSite::Global(_) => false,
            _ => self.start_object(object.base).is_none(),
        }
    }

    /// The object of the start that an address leads to in it, if it was there.
    fn start_object(&self, base: u64) -> Option<ObjectRef> {
        let object = self.start.memory.object_at(base)?;
        (object.base == base).then_some(object)
    }

    /// An access of so many bytes at an address is about to happen.
    pub(super) fn touch(
        &mut self,
        with: &mut Equipment<'_, '_>,
        (address, bytes): (u64, u64),
        touch: Touch,
    ) -> Result<(), Failure> {
        let Some(object) = self.state.memory.object_at(address) else {
            if self.start.memory.object_at(address).is_none() && address >= crate::memory::NULL_PAGE
            {
                self.said.absent.push(address);
            }
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
            return Err(Failure::Unsupported("a read-only object".to_string()));
        }
        self.settle_bytes(with, &start, (offset, end), touch)
    }

    fn pin_object(&mut self, object: &ObjectRef) -> Result<(), Failure> {
        if matches!(object.kind, ObjectKind::Global { .. }) && !object.read_only {
            return Ok(());
        }
        let shape = ObjectShape::of(object).ok_or(Failure::Object)?;
        let base = object.base;
        self.said.objects.insert(base, ObjectPin { base, shape });
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
        let settled = self
            .settled_bytes
            .entry(object.base)
            .or_insert_with(|| vec![false; size as usize]);
        let open: Vec<u64> = (first..end)
            .filter(|offset| !std::mem::replace(&mut settled[*offset as usize], true))
            .collect();
        if touch == Touch::Write || open.is_empty() {
            return Ok(());
        }
        let terms = with.terms;
        let region = region_of(&self.start_frames, object);
        let array = with.places.array(terms, Place::Object { region, size });
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
                self.pending.push(terms.eq_const(symbol, number));
                continue;
            }
            self.give(terms, byte, Some(value));
            let memory = &mut self.state.memory;
            let put = memory.write(terms, address, 1, Value::Term(symbol));
            put.map_err(|_| Failure::Object)?;
        }
        Ok(())
    }

    /// Words of an object of the start that are addresses stay what they were: the offsets of their
    /// bytes.
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
            self.said.pointers.push((whole, word));
            pinned.extend(bytes);
        }
        pinned
    }

    /// The whole of an object is about to be read or written somewhere.
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
        self.touch(with, (object.base, object.capacity), touch)?;
        if touch == Touch::Contents {
            self.pin_contents(with, &object);
        }
        Ok(())
    }

    /// Bytes that were numbers the first time are numbers again.
    fn pin_contents(&mut self, with: &mut Equipment<'_, '_>, object: &ObjectRef) {
        for address in object.base..object.base + object.capacity {
            let Ok(ByteValue::Term(term)) = self.state.memory.read_byte(with.terms, address) else {
                continue;
            };
            let actual = self.actual(with, term);
            if let Some(number) = with.terms.as_const(actual) {
                self.pending.push(with.terms.eq_const(term, number));
                // A byte of a live object that is not read-only can be written.
                let _ = self
                    .state
                    .memory
                    .write(with.terms, address, 1, Value::Concrete(number));
            }
        }
    }
}

/// What is about to happen to bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    /// They are read as values.
    Read,
    /// Some of them are read, or overwritten, by an access at a symbolic address. Addresses among
    /// them stay what they were.
    Somewhere,
    /// They are overwritten.
    Write,
    /// They are read where it matters which of them are numbers: those stay numbers.
    Contents,
    /// Nothing; only the object's size and kind matter.
    Shape,
}

impl Stretch<'_> {
    /// Whether a register of a frame is no longer what it was at the start.
    pub(super) fn is_register_settled(&self, end: &FrameView<'_>, depth: u32, slot: u32) -> bool {
        let at = depth as usize;
        let (then, now) = (self.start_frames.get(at), end.get(at));
        let same = then
            .zip(now)
            .is_some_and(|(then, now)| then.serial == now.serial);
        !same || self.settled_registers[at].contains(&slot)
    }

    /// Whether a byte of an object of the start is no longer what it was then, or is a number by a
    /// condition.
    pub(super) fn is_byte_settled(&self, base: u64, index: u32) -> bool {
        self.settled_bytes
            .get(&base)
            .is_some_and(|bytes| bytes.get(index as usize).copied().unwrap_or(false))
    }
}
