//! Addresses in memory whose parts are read, written or copied.
//!
//! Invariant: a relocatable address lies in memory as a whole word at a multiple of 8, and is read
//! as one. An address is fixed if a part of it would be read.

use super::subpath::{Equipment, Failure, Subpath};
use homi_ir::program::Slot;
use homi_machine::memory::{ByteValue, Memory, ObjectRef, Value, known_step};
use homi_solver::term::{Node, Term};

impl Subpath<'_> {
    /// Fixes the addresses in words that an access reads or overwrites partly.
    pub(super) fn check_parts(
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
            self.check_word(with, first, address)?;
        }
        if end % 8 != 0 && (last != first || address % 8 == 0) {
            self.check_word(with, last, last.max(address))
        } else {
            Ok(())
        }
    }

    /// Fixes the addresses in one word that an access touches partly; `touched` is a byte of the
    /// touched part.
    fn check_word(
        &mut self,
        with: &Equipment<'_, '_>,
        word: u64,
        touched: u64,
    ) -> Result<(), Failure> {
        let mut numbers = Vec::new();
        for memory in [&self.start.memory, &self.state.memory] {
            self.note_word(with, memory, (word, touched), &mut numbers);
        }
        self.fix_all(&numbers, "part of an address")
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
                // A byte of input is not part of an address.
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

    /// Fixes all addresses in a range of bytes. If `must` is true, addresses that the subpath wrote
    /// there and that cannot be fixed are an error.
    pub(super) fn check_range(
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
        self.fix_all(&then, "bytes of an address")?;
        let fixed = self.fix_all(&now, "bytes of an address");
        if must { fixed } else { Ok(()) }
    }

    /// Fixes addresses that an imminent copy does not keep as whole words.
    pub(super) fn check_copy(
        &mut self,
        with: &Equipment<'_, '_>,
        target: u64,
        source: u64,
        bytes: u64,
    ) -> Result<(), Failure> {
        if target % 8 != source % 8 {
            self.check_range(with, (source, bytes), true)?;
        }
        self.check_parts(with, (source, bytes))?;
        self.check_parts(with, (target, bytes))
    }

    /// Fixes the addresses in a register if an imminent store does not write them as whole words.
    pub(super) fn check_stored(
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
        self.fix_all(&numbers, "unaligned store")
    }

    /// True if an access of a number of bytes at a symbolic address can only touch whole words.
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
