//! Bytes that built-in functions read where concrete bytes stay concrete, and the information about
//! addresses that their results reveal.
//!
//! Invariant: a byte that is not read here cannot change the behavior or the result of the
//! function.

use super::subpath::{Equipment, Failure, Subpath, Touch};
use homi_machine::memory::{ByteValue, ObjectRef};

/// True if a function reads no byte after the first zero.
fn reads_text(name: &str) -> bool {
    matches!(
        name,
        "strcmp"
            | "strncmp"
            | "strchr"
            | "index"
            | "strchrnul"
            | "__strchrnul"
            | "strlen"
            | "strnlen"
            | "puts"
            | "homi_concretize_string"
    )
}

/// True if a function's result may depend on the bytes of an address.
fn compares_bytes(name: &str) -> bool {
    matches!(name, "memcmp" | "bcmp" | "memchr" | "rawmemchr")
}

/// True if a format may print 64 bits as a number; `None` is an unknown letter of the format.
fn prints_words(format: &[Option<u8>]) -> bool {
    let is_flag = |letter: &u8| b"-+ #.*0123456789".contains(letter);
    let is_wide = |conversion: &[Option<u8>]| {
        let mut letters = conversion.iter().flatten();
        let letter = letters.find(|letter| !is_flag(letter));
        letter.is_some_and(|letter| b"pljzt".contains(letter))
    };
    let conversions = format.split(|letter| *letter == Some(b'%')).skip(1);
    format.contains(&None) || conversions.into_iter().any(is_wide)
}

impl Subpath<'_> {
    /// Fixes addresses that may be printed as numbers, because the number of characters depends on
    /// them.
    pub(super) fn check_printed(
        &mut self,
        with: &Equipment<'_, '_>,
        name: &str,
        numbers: &[Option<u64>],
    ) -> Result<(), Failure> {
        let Some((Some(format), rest)) = numbers.split_first().filter(|_| name == "printf") else {
            return Ok(());
        };
        let letters = (*format..).map_while(|at| {
            let byte = self.state.memory.read_byte(with.terms, at);
            match byte.ok()? {
                ByteValue::Concrete(0) => None,
                ByteValue::Concrete(byte) => Some(Some(byte)),
                ByteValue::Term(_) => Some(None),
            }
        });
        if !prints_words(&letters.collect::<Vec<_>>()) {
            return Ok(());
        }
        let moving: Vec<u64> = rest.iter().flatten().copied().collect();
        self.fix_all(&moving, "printed address")
    }

    /// Prepares the reads of a function from an address on, where concrete bytes stay concrete.
    pub(super) fn contents(
        &mut self,
        with: &mut Equipment<'_, '_>,
        name: &str,
        address: u64,
    ) -> Result<(), Failure> {
        let object = self.state.memory.object_at(address);
        let Some(object) = object.filter(|_| reads_text(name)) else {
            self.touch_whole(with, address, Touch::Contents)?;
            return match self.state.memory.object_at(address) {
                Some(object) => {
                    let all = (object.base, object.capacity);
                    self.check_range(with, all, compares_bytes(name))
                }
                None => Ok(()),
            };
        };
        let bytes = self.text_bytes(with, address, &object);
        self.touch_contents(with, &object, (address, bytes))?;
        self.check_range(with, (address, bytes), true)
    }

    /// Returns the number of bytes from an address up to the first that was zero, or up to the end
    /// of its object.
    fn text_bytes(&mut self, with: &Equipment<'_, '_>, address: u64, object: &ObjectRef) -> u64 {
        let end = object.base + object.capacity;
        for at in address..end {
            let is_end = match self.state.memory.read_byte(with.terms, at) {
                Ok(ByteValue::Concrete(byte)) => byte == 0,
                Ok(ByteValue::Term(term)) => {
                    let actual = self.actual(with, term);
                    with.terms.as_const(actual) == Some(0)
                }
                Err(_) => true,
            };
            if is_end {
                return at + 1 - address;
            }
        }
        end - address
    }
}
