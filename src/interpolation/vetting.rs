//! What an instruction does with addresses that move: fine where it does the same wherever they
//! are; else they are fixed, or the stretch has no interpolant.
//!
//! Invariant: nothing that is not named here as fine is. Parts of addresses are never fine, so in
//! memory an address that moves is a whole word at a multiple of 8.

use super::form::Form;
use super::frames::FrameView;
use super::mobility::is_far;
use super::places::Region;
use super::stretch::{Equipment, Failure, Stretch};
use crate::expr::{Node, Term};
use crate::memory::{AllocationSite, ByteValue, Memory, ObjectRef, Value, known_step};
use crate::ops::{BinOp, CmpOp};
use crate::program::{Access, Function, Inst, IntUnary, Slot};

/// An address and what is added to it differ by less than this, in bytes, where both are taken for
/// such: no object lies nearer to the ends of the address space.
const LARGEST_DISTANCE: u128 = 1 << 41;
/// Every object that moves is at a multiple of this, in bytes.
const LEAST_ALIGNMENT: u64 = 16;
/// A factor from which on an index may lead from one object to another.
const FAR_FACTOR: u128 = 8192;

/// A register of 64 bits that an instruction reads.
struct Operand {
    /// Of its term, or its number.
    form: Form,
    /// Of what a term without such addresses was the first time.
    hidden: Form,
    term: Option<Term>,
}

impl Stretch<'_> {
    fn operand(&mut self, with: &Equipment<'_, '_>, slot: Slot) -> Operand {
        let term = match self.register(slot) {
            Value::Concrete(number) => {
                return Operand {
                    form: Form::OneOf(vec![number as u64]),
                    hidden: Form::Free,
                    term: None,
                };
            }
            Value::Term(term) => term,
        };
        let form = self.form(with, term);
        let hidden = match self.is_free(&form) {
            true => {
                let actual = self.actual(with, term);
                self.form(with, actual)
            }
            false => Form::Free,
        };
        Operand {
            form,
            hidden,
            term: Some(term),
        }
    }

    /// Whether an operand has nothing to do with addresses that move.
    fn is_plain(&self, operand: &Operand) -> bool {
        self.is_free(&operand.form) && self.is_free(&operand.hidden)
    }

    /// Lets an instruction do what it does with addresses that move, or fixes them.
    pub(super) fn vet(
        &mut self,
        with: &Equipment<'_, '_>,
        function: &Function,
        inst: &Inst,
    ) -> Result<(), Failure> {
        let mut slots = Vec::new();
        function.visit_operands(inst, &mut |access, width, slot| {
            if access == Access::Read && width >= 64 {
                slots.push((slot, width));
            }
        });
        if slots.is_empty() {
            return Ok(());
        }
        let fine = match *inst {
            Inst::Bin {
                op: BinOp::Add,
                w: 64,
                a,
                b,
                ..
            } => {
                let (a, b) = (self.operand(with, a), self.operand(with, b));
                self.is_fine_sum(&a, &b)
            }
            Inst::Bin {
                op, w: 64, a, b, ..
            } => {
                let (a, b) = (self.operand(with, a), self.operand(with, b));
                match op {
                    BinOp::Sub => self.is_fine_difference(&a, &b),
                    BinOp::And => self.is_fine_mask(&a, &b),
                    _ => self.is_plain(&a) && self.is_plain(&b),
                }
            }
            Inst::Cmp {
                op, w: 64, a, b, ..
            } => {
                let (a, b) = (self.operand(with, a), self.operand(with, b));
                match op {
                    CmpOp::Eq | CmpOp::Ne => self.is_fine_equality(with, &a, &b),
                    _ => self.is_fine_order(with, &a, &b),
                }
            }
            Inst::PtrAdd {
                iw,
                base,
                index,
                scale,
                offset,
                ..
            } => {
                let base = self.operand(with, base);
                let is_plain = iw != 64 || {
                    let index = self.operand(with, index);
                    self.is_plain(&index)
                };
                is_plain && self.stays_within(&base, self.distance((index, iw), scale, offset))
            }
            Inst::PtrOffset { base, offset, .. } => {
                let base = self.operand(with, base);
                self.stays_within(&base, Some(i64::from(offset) as u64))
            }
            Inst::Unary {
                op: IntUnary::Freeze,
                w: 64,
                ..
            } => true,
            _ => false,
        };
        if fine {
            return Ok(());
        }
        let mut numbers = Vec::new();
        for (slot, width) in slots {
            numbers.extend(self.moving_in_register(with, slot, width));
        }
        self.fix_all(&numbers, what(inst))
    }

    /// The distance that an index is from its base, if it is a number.
    fn distance(&self, (index, width): (Slot, u8), scale: u32, offset: i32) -> Option<u64> {
        let Value::Concrete(index) = self.register(index) else {
            return None;
        };
        let index = crate::ops::signed(u32::from(width), index) as i64;
        let distance = index.wrapping_mul(i64::from(scale));
        Some(distance.wrapping_add(i64::from(offset)) as u64)
    }

    /// Whether a number that is added to an address, if it is known, does not lead to another
    /// object.
    fn stays_within(&self, address: &Operand, distance: Option<u64>) -> bool {
        let (Form::OneOf(numbers), Some(distance)) = (&address.form, distance) else {
            return true;
        };
        let moving = numbers.iter().filter(|number| self.moves(**number));
        let ends = moving.map(|number| (*number, number.wrapping_add(distance)));
        ends.into_iter().all(|(from, to)| self.is_same(from, to))
    }

    /// Whether two addresses are told by the same object, or the same frame.
    fn is_same(&self, from: u64, to: u64) -> bool {
        let (Some(one), other) = (self.object_of(from), self.object_of(to)) else {
            return false;
        };
        if other.is_some_and(|other| other.base == one.base) {
            return true;
        }
        if !matches!(one.site, AllocationSite::FrameObject { .. }) {
            return false;
        }
        let frames = FrameView::new(&self.state);
        match (frames.region(from), frames.region(to)) {
            (Region::Frame { depth: a, .. }, Region::Frame { depth: b, .. }) => a == b,
            _ => false,
        }
    }

    fn is_fine_sum(&self, a: &Operand, b: &Operand) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => true,
            (false, false) => false,
            (false, true) => self.stays_within(a, only(&b.form)),
            (true, false) => self.stays_within(b, only(&a.form)),
        }
    }

    fn is_fine_difference(&self, a: &Operand, b: &Operand) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => true,
            (false, true) => self.stays_within(a, only(&b.form).map(u64::wrapping_neg)),
            (true, false) => false,
            (false, false) => self.is_one_object(a, b),
        }
    }

    /// Whether both are of the same object, and both numbers or both variables.
    fn is_one_object(&self, a: &Operand, b: &Operand) -> bool {
        let one = |a: &Form, b: &Form| {
            let base = self.one_base(a);
            base.is_some() && base == self.one_base(b)
        };
        one(&a.form, &b.form) || one(&a.hidden, &b.hidden)
    }

    /// Low bits of an address are those of its distance from the object's start.
    fn is_fine_mask(&self, a: &Operand, b: &Operand) -> bool {
        let is_mask =
            |operand: &Operand| only(&operand.form).is_some_and(|mask| mask < LEAST_ALIGNMENT);
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => true,
            (false, true) => is_mask(b),
            (true, false) => is_mask(a),
            (false, false) => false,
        }
    }

    fn is_fine_equality(&self, with: &Equipment<'_, '_>, a: &Operand, b: &Operand) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => return true,
            (false, true) => return self.is_fine_beside(with, a, b),
            (true, false) => return self.is_fine_beside(with, b, a),
            (false, false) => {}
        }
        if self.is_one_object(a, b) {
            return true;
        }
        // Two bytes that are one, or two, are so everywhere.
        let (Form::OneOf(one), Form::OneOf(other)) = (&a.form, &b.form) else {
            return false;
        };
        let mut all = one.iter().chain(other);
        all.all(|number| self.moves(*number) || self.is_never_in_a_block(*number))
    }

    /// Whether a comparison for equality of an address with something else is the same everywhere.
    fn is_fine_beside(&self, with: &Equipment<'_, '_>, address: &Operand, other: &Operand) -> bool {
        let Form::OneOf(others) = &other.form else {
            return false;
        };
        if !others
            .iter()
            .all(|number| self.is_never_in_a_block(*number))
        {
            return false;
        }
        let is_fine = |numbers: &[u64]| {
            let mut stay = numbers.iter().filter(|number| !self.moves(**number));
            stay.all(|number| self.is_never_in_a_block(*number))
        };
        match (&address.form, &address.hidden) {
            (Form::OneOf(numbers), hidden) if self.is_free(hidden) => is_fine(numbers),
            (_, Form::OneOf(_)) => others.iter().all(|number| is_far(*number)),
            (Form::Within(base), _) => {
                let is_far = others.iter().all(|number| is_far(*number));
                is_far && self.is_near(with, address, *base)
            }
            _ => false,
        }
    }

    /// Whether no object that moves can have a number as its address in any state.
    fn is_never_in_a_block(&self, number: u64) -> bool {
        is_far(number) || self.state.memory.owner(number).is_some()
    }

    /// Whether what is added to an address of an object is so little that no sum wraps around.
    fn is_near(&self, with: &Equipment<'_, '_>, operand: &Operand, base: u64) -> bool {
        let (Some(term), Form::Within(_)) = (operand.term, &operand.form) else {
            return matches!(operand.form, Form::OneOf(_));
        };
        let (low, high) = with.terms.range(term);
        let base = u128::from(base);
        low <= base + LARGEST_DISTANCE
            && high + LARGEST_DISTANCE >= base
            && high.abs_diff(low) <= LARGEST_DISTANCE
    }

    fn is_fine_order(&self, with: &Equipment<'_, '_>, a: &Operand, b: &Operand) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => return true,
            (false, false) => {}
            (false, true) | (true, false) => {
                let (address, other) = if self.is_plain(a) { (b, a) } else { (a, b) };
                let Form::OneOf(others) = &other.form else {
                    return false;
                };
                let are_far = others.iter().all(|number| is_far(*number));
                let moves_all = |form: &Form| match form {
                    Form::OneOf(numbers) => numbers.iter().all(|n| self.moves(*n) || is_far(*n)),
                    _ => false,
                };
                let base = self.one_base(&address.form);
                let is_near = base.is_some_and(|base| self.is_near(with, address, base));
                return are_far && (moves_all(&address.form) || is_near);
            }
        }
        let numbers = |form: &Form| matches!(form, Form::OneOf(_));
        if !self.is_one_object(a, b) {
            return false;
        }
        match self.one_base(&a.form) {
            Some(base) => self.is_near(with, a, base) && self.is_near(with, b, base),
            None => numbers(&a.hidden) && numbers(&b.hidden),
        }
    }

    /// An access at a symbolic address is about to happen: it must go to the same objects wherever
    /// they are.
    pub(super) fn vet_address(
        &mut self,
        with: &Equipment<'_, '_>,
        term: Term,
    ) -> Result<(), Failure> {
        let form = self.form(with, term);
        let actual = self.actual(with, term);
        let hidden = self.moving_numbers(with, actual);
        let is_fine = match &form {
            Form::Free => hidden.is_empty(),
            Form::OneOf(_) => true,
            Form::Within(base) => self.is_in_one_object(with, term, *base),
            Form::Mixed => false,
        };
        if is_fine {
            return Ok(());
        }
        let mut numbers = self.moving_numbers(with, term);
        numbers.extend(hidden);
        self.fix_all(&numbers, "an access at one of several")
    }

    /// Whether an address of an object with something added to it is looked for in that object
    /// only.
    fn is_in_one_object(&self, with: &Equipment<'_, '_>, term: Term, base: u64) -> bool {
        let (low, high) = with.terms.range(term);
        let owned = |at: u128| self.moving_base(at as u64) == Some(base);
        let is_kept = high < 1 << 64 && owned(low) && owned(high) && low <= high;
        is_kept || (owned(low) && !leads_far(with, term))
    }

    /// Parts of words are about to be read or overwritten: addresses among those words are fixed.
    pub(super) fn vet_parts(
        &mut self,
        with: &Equipment<'_, '_>,
        (address, bytes): (u64, u64),
    ) -> Result<(), Failure> {
        let end = address.wrapping_add(bytes);
        let (first, last) = (address & !7, end & !7);
        if bytes == 0 {
            return Ok(());
        }
        if address % 8 != 0 {
            self.vet_word(with, first, address)?;
        }
        match end % 8 != 0 && (last != first || address % 8 == 0) {
            true => self.vet_word(with, last, last.max(address)),
            false => Ok(()),
        }
    }

    /// The same for one word, of which the byte at `touched` is among those.
    fn vet_word(
        &mut self,
        with: &Equipment<'_, '_>,
        word: u64,
        touched: u64,
    ) -> Result<(), Failure> {
        let mut numbers = Vec::new();
        for memory in [&self.start.memory, &self.state.memory] {
            self.note_word(with, memory, (word, touched), &mut numbers);
        }
        self.fix_all(&numbers, "a part of one")
    }

    fn note_word(
        &self,
        with: &Equipment<'_, '_>,
        memory: &Memory,
        (word, touched): (u64, u64),
        numbers: &mut Vec<u64>,
    ) {
        let holds = |object: &ObjectRef| object.contains(word, 8);
        if !memory.object_at(word).as_ref().is_some_and(holds) {
            return;
        }
        match memory.read_word(word, 8) {
            Ok(Some(number)) if self.moves(number) => numbers.push(number),
            Ok(None) => {
                // A byte of input is no part of an address.
                if let Ok(ByteValue::Term(byte)) = memory.read_byte(with.terms, touched)
                    && matches!(with.terms.node(byte), Node::Symbol(_))
                {
                    return;
                }
                if let Ok(Value::Term(term)) = memory.read(with.terms, word, 8) {
                    numbers.extend(self.moving_numbers(with, term));
                }
            }
            _ => {}
        }
    }

    /// All addresses in a range of bytes are fixed. Those that the stretch has put there and that
    /// nothing can fix are refused if they `must` be.
    pub(super) fn vet_range(
        &mut self,
        with: &Equipment<'_, '_>,
        (address, bytes): (u64, u64),
        must: bool,
    ) -> Result<(), Failure> {
        let (mut then, mut now) = (Vec::new(), Vec::new());
        let end = address.saturating_add(bytes);
        for word in (address & !7..end).step_by(8) {
            let at = (word, word.max(address));
            self.note_word(with, &self.start.memory, at, &mut then);
            self.note_word(with, &self.state.memory, at, &mut now);
        }
        self.fix_all(&then, "bytes of one")?;
        let fixed = self.fix_all(&now, "bytes of one");
        if must { fixed } else { Ok(()) }
    }

    /// Bytes are about to be copied: addresses among them that do not stay whole words are fixed.
    pub(super) fn vet_copy(
        &mut self,
        with: &Equipment<'_, '_>,
        target: u64,
        source: u64,
        bytes: u64,
    ) -> Result<(), Failure> {
        if target % 8 != source % 8 {
            self.vet_range(with, (source, bytes), true)?;
        }
        self.vet_parts(with, (source, bytes))?;
        self.vet_parts(with, (target, bytes))
    }

    /// A register is about to be stored: addresses in it are fixed if they do not become whole
    /// words.
    pub(super) fn vet_stored(
        &mut self,
        with: &Equipment<'_, '_>,
        address: Slot,
        (value, width): (Slot, u32),
    ) -> Result<(), Failure> {
        let are_words = match self.register(address) {
            Value::Concrete(address) => address % 8 == 0 && width % 64 == 0,
            Value::Term(term) => self.is_of_whole_words(with, term, u64::from(width / 8)),
        };
        if are_words || width < 64 {
            return Ok(());
        }
        let numbers = self.moving_in_register(with, value, width);
        self.fix_all(&numbers, "an odd place")
    }

    /// Whether all that an access of so many bytes at a symbolic address can touch are whole words.
    pub(super) fn is_of_whole_words(
        &self,
        with: &Equipment<'_, '_>,
        term: Term,
        bytes: u64,
    ) -> bool {
        let example = with.terms.eval(term, &self.state.model) as u64;
        bytes % 8 == 0 && example % 8 == 0 && known_step(with.terms, term) % 8 == 0
    }
}

/// The number that a form says, if it is one.
fn only(form: &Form) -> Option<u64> {
    match form {
        Form::OneOf(numbers) => match numbers[..] {
            [number] => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an index in a term may be so large, or so scrambled, that other objects are in its
/// reach.
fn leads_far(with: &Equipment<'_, '_>, root: Term) -> bool {
    let terms = with.terms;
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        if !seen.insert(term) || terms.range(term).1 < FAR_FACTOR / 2 {
            continue;
        }
        match terms.node(term) {
            Node::Bin(BinOp::Add | BinOp::Sub, ..) => {}
            Node::Bin(BinOp::Mul, a, b) => {
                let factor = terms.as_const(a).or(terms.as_const(b));
                if factor.is_none_or(|factor| factor >= FAR_FACTOR) {
                    return true;
                }
            }
            Node::Bin(BinOp::Shl, _, shift) => {
                let shift = terms.as_const(shift);
                if shift.is_none_or(|shift| shift >= u128::from(FAR_FACTOR.ilog2())) {
                    return true;
                }
            }
            Node::Bin(..) | Node::Not(_) => return true,
            _ => {}
        }
        terms
            .node(term)
            .for_each_operand(|operand| work.push(operand));
    }
    false
}

/// What an instruction is called where its use of addresses is refused.
fn what(inst: &Inst) -> &'static str {
    match inst {
        Inst::Bin { .. } => "arithmetic",
        Inst::Cmp { .. } => "a comparison",
        Inst::PtrAdd { .. } | Inst::PtrOffset { .. } => "outside of its object",
        Inst::Cast { .. } => "a part of one",
        _ => "a number",
    }
}
