//! Calls that lowering puts into the program where a verdict is asked for: marks of what homi
//! decides in place of the program or its environment (`ir::program::Mark`).
//!
//! Invariant: none of these changes what the program computes. A comparison of addresses is marked
//! unless every layout of memory that C allows gives the result that this one gives.

use super::{BuiltinCall, Outcome};
use crate::exec::checks::undefined_objects::BYTES;
use crate::exec::context::Context;
use crate::memory::{UNINITIALISED, Value, function_at};
use crate::outcome::{Example, Termination, Underapproximation};
use homi_ir::program::{Mark, PointerWidth};
use homi_solver::term::Byte;

impl Context<'_, '_> {
    /// Marks the current instruction if the run ends with a verdict.
    pub(in crate::exec) fn mark(&mut self, mark: Mark) {
        if self.config().property.is_none() {
            return;
        }
        let _recorded = self.narrow(Underapproximation::Mark(mark), |_| {
            Example::note(mark.words())
        });
    }
}

/// `homi_mark(mark)`.
pub(super) fn mark(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let Value::Concrete(number) = call.arg(0)
        && let Some(mark) = Mark::numbered(number as u64)
    {
        call.mark(mark);
    }
    Ok(Outcome::Void)
}

/// `homi_mark_number(pointer)`: the pointer's number matters.
pub(super) fn number(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let places = places(call, 0);
    let is_address = |place: &Place| !matches!(place, Place::Nothing | Place::Free);
    if places.iter().any(is_address) {
        call.mark(Mark::Addresses);
    }
    Ok(Outcome::Void)
}

/// `homi_mark_loaded(number)`: a number was loaded that matters if it is an address.
pub(super) fn loaded(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let Value::Concrete(number) = call.arg(0) {
        let place = place(call, number as u64);
        if matches!(place, Place::Object { .. } | Place::Code) {
            call.mark(Mark::Addresses);
        }
    }
    Ok(Outcome::Void)
}

/// Words that are looked at for addresses.
const MOST_WORDS: u64 = 64;

/// `homi_mark_bytes(address, size)`: bytes are read on their own that may be of an address.
pub(super) fn bytes(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let Value::Concrete(size) = call.arg(1) else {
        return Ok(Outcome::Void);
    };
    let ranges: Vec<(u64, u64)> = match call.fixed(call.arg_as(0, 64)) {
        Value::Concrete(address) => vec![(address as u64, size as u64)],
        Value::Term(address) => {
            let objects = call.origins(address).objects.into_iter();
            objects.map(|object| (object.base, object.size)).collect()
        }
    };
    let is_address = |at: u64| {
        let word = call.state.memory.read_word(at, WORD as u32);
        word.ok()
            .flatten()
            .is_some_and(|word| matches!(place(call, word), Place::Object { .. } | Place::Code))
    };
    let words = ranges.into_iter().flat_map(|(base, size)| {
        let count = size.saturating_add(base % WORD).div_ceil(WORD);
        (0..count.min(MOST_WORDS)).map(move |index| (base & !(WORD - 1)).wrapping_add(index * WORD))
    });
    if words.take(MOST_WORDS as usize).any(is_address) {
        call.mark(Mark::Addresses);
    }
    Ok(Outcome::Void)
}

/// `homi_renew(address, size)`: the declaration of a local without an initial value is reached.
pub(super) fn renew(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (Value::Concrete(address), Value::Concrete(size)) = (call.arg_as(0, 64), call.arg(1))
    else {
        return Ok(Outcome::Void);
    };
    let Some(array) = call.prepared.unset else {
        call.mark(Mark::Unset);
        return Ok(Outcome::Void);
    };
    let terms = call.terms();
    for at in (address as u64..).take(size as usize) {
        let index = at as u32 % BYTES;
        let byte = Value::Term(terms.symbol(Byte { array, index }));
        let _written = call.state.memory.write(terms, at, 1, byte);
    }
    Ok(Outcome::Void)
}

/// `homi_mark_comparison(a, b, is_order)`: two pointers are compared or subtracted; for an equality
/// the last argument is 0.
pub(super) fn compare(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let (Value::Concrete(a), Value::Concrete(b)) = (call.arg(0), call.arg(1))
        && a == b
    {
        return Ok(Outcome::Void);
    }
    let is_order = call.arg(2) != Value::Concrete(0);
    let (left, right) = (places(call, 0), places(call, 1));
    let mut pairs = left
        .iter()
        .flat_map(|a| right.iter().map(move |b| (*a, *b)));
    if !pairs.all(|(a, b)| is_fixed(a, b, is_order)) {
        call.mark(Mark::Addresses);
    }
    Ok(Outcome::Void)
}

/// `homi_mark_jump(result)`, behind `setjmp`: the second return is marked.
pub(super) fn jump(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.arg(0) != Value::Concrete(0) {
        call.mark(Mark::Jump);
    }
    Ok(Outcome::Void)
}

/// `homi_mark_load(address, size)`, before the load: a byte that has the value of bytes that were
/// never set is taken for one.
pub(super) fn load(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let size = match call.arg(1) {
        Value::Concrete(size) => size as u64,
        Value::Term(_) => return Ok(Outcome::Void),
    };
    let ranges: Vec<(u64, u64)> = match call.arg_as(0, 64) {
        Value::Concrete(address) => vec![(address as u64, size)],
        Value::Term(address) => {
            let objects = call.origins(address).objects.into_iter();
            objects.map(|object| (object.base, object.size)).collect()
        }
    };
    let terms = call.terms();
    let is_unset = |address: u64| {
        let byte = call.state.memory.read(terms, address, 1);
        matches!(byte, Ok(Value::Concrete(value)) if value == u128::from(UNINITIALISED))
    };
    let mut addresses = ranges
        .into_iter()
        .flat_map(|(base, size)| (0..size).map(move |offset| base.wrapping_add(offset)));
    if addresses.any(is_unset) {
        call.mark(Mark::Unset);
    }
    Ok(Outcome::Void)
}

/// `homi_loop_head()`, where a loop begins another round.
pub(super) fn loop_head(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.config().finds_endless() {
        call.check_repetition();
    } else if call.config().generalizes_loops && call.meet_loop()? {
        return Ok(Outcome::Jumped);
    }
    Ok(Outcome::Void)
}

/// Location of an address, as C knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// No object can be there: null and numbers near it, on both sides.
    Nothing,
    /// A function.
    Code,
    /// In a live object, or just behind it.
    Object {
        base: u64,
        is_end: bool,
        read_only: bool,
    },
    /// A number that is input: any address.
    Free,
    /// Outside of all live objects.
    Lost,
}

/// Bytes of an address.
const WORD: u64 = 8;

/// Numbers below this, and their negations, are addresses of nothing.
const PAGE: u64 = 4096;

/// Returns true if a comparison has the same result in every layout of memory.
fn is_fixed(a: Place, b: Place, is_order: bool) -> bool {
    use Place::{Code, Free, Lost, Nothing, Object};
    match (a, b) {
        (Nothing, _) | (_, Nothing) => true,
        (Free | Code, Free | Object { .. } | Code) | (Object { .. }, Free | Code) => !is_order,
        (Lost, _) | (_, Lost) => false,
        (
            Object {
                base,
                is_end,
                read_only,
            },
            Object {
                base: other,
                is_end: is_end_of_other,
                read_only: is_other_read_only,
            },
        ) => {
            // Literals may overlap.
            let may_meet = is_end || is_end_of_other || (read_only && is_other_read_only);
            base == other || !(is_order || may_meet)
        }
    }
}

/// Returns the places that an argument may point to.
fn places(call: &BuiltinCall<'_, '_, '_>, index: usize) -> Vec<Place> {
    let term = match call.fixed(call.arg_as(index, 64)) {
        Value::Concrete(address) => return vec![place(call, address as u64)],
        Value::Term(term) => term,
    };
    let origins = call.origins(term);
    let mut places: Vec<Place> = match &origins.addresses {
        Some(addresses) => addresses.iter().map(|at| place(call, *at)).collect(),
        None => (origins.objects.iter())
            .map(|object| Place::Object {
                base: object.base,
                is_end: false,
                read_only: object.read_only,
            })
            .collect(),
    };
    if !origins.complete || places.is_empty() {
        places.push(Place::Free);
    }
    places
}

fn place(call: &BuiltinCall<'_, '_, '_>, address: u64) -> Place {
    let memory = &call.state.memory;
    let negated = match memory.pointers() {
        PointerWidth::Bits64 => address.wrapping_neg(),
        PointerWidth::Bits32 => u64::from((address as u32).wrapping_neg()),
    };
    if address.min(negated) < PAGE {
        return Place::Nothing;
    }
    if function_at(address).is_some() {
        return Place::Code;
    }
    match memory.owner(address) {
        Some(object) if object.may_contain(address, 0) => Place::Object {
            base: object.base,
            is_end: !object.may_contain(address, 1),
            read_only: object.read_only,
        },
        _ => Place::Lost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn object(base: u64, is_end: bool, read_only: bool) -> Place {
        Place::Object {
            base,
            is_end,
            read_only,
        }
    }

    #[test]
    fn only_comparisons_that_no_layout_changes_are_fixed() {
        let (one, two) = (object(8192, false, false), object(16384, false, false));
        assert!(is_fixed(one, object(8192, true, false), true));
        assert!(is_fixed(one, two, false) && !is_fixed(one, two, true));
        assert!(!is_fixed(object(8192, true, false), two, false));
        let literals = (object(8192, false, true), object(16384, false, true));
        assert!(!is_fixed(literals.0, literals.1, false));
        assert!(is_fixed(Place::Nothing, Place::Lost, true));
        assert!(!is_fixed(Place::Lost, one, false));
        assert!(is_fixed(Place::Free, one, false) && !is_fixed(Place::Free, one, true));
    }
}
