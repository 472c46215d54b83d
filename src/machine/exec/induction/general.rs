//! General states: what a loop writes has any value.
//!
//! Invariant: apart from the places and registers that are general, a general state is the state at
//! the loop head.

use super::super::context::Context;
use super::super::step::registers::write;
use crate::memory::{ByteChange, Value};
use crate::state::State;
use homi_ir::program::Slot;
use homi_solver::term::{Byte, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bytes that may be general.
const MOST_BYTES: usize = 256;
/// Name of the symbolic objects of general values; no test has them.
const NAME: &str = "loop";

/// A variable in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub address: u64,
    /// 1 to 8.
    pub bytes: u32,
}

/// Places and registers that a loop writes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Written {
    pub places: BTreeSet<Place>,
    /// Registers that live at the head, with their widths.
    pub registers: BTreeSet<(Slot, u32)>,
}

impl Written {
    /// Adds bytes that have changed; `None` if they are too many.
    pub fn add(&mut self, context: &Context<'_, '_>, changes: &[ByteChange]) -> Option<()> {
        for change in changes {
            let place = place_of(context, change.address)?;
            self.places.insert(place);
        }
        let bytes = self.places.iter().map(|place| place.bytes as usize);
        (bytes.sum::<usize>() <= MOST_BYTES).then_some(())
    }

    /// True if a byte belongs to a general place.
    pub fn has(&self, address: u64) -> bool {
        let mut places = self.places.iter();
        places.any(|place| address.wrapping_sub(place.address) < u64::from(place.bytes))
    }
}

/// Returns the variable that a byte belongs to: a whole small object, or the aligned word of a
/// larger one.
fn place_of(context: &Context<'_, '_>, address: u64) -> Option<Place> {
    let object = context.state.memory.object_at(address)?;
    if object.symbolic_size.is_some() || object.read_only || object.forbidden().is_some() {
        return None;
    }
    if matches!(object.size, 1 | 2 | 4 | 8) {
        return Some(Place {
            address: object.base,
            bytes: object.size as u32,
        });
    }
    let word = if object.size % 8 == 0 { 4 } else { 1 };
    Some(Place {
        address: address - (address - object.base) % word,
        bytes: word as u32,
    })
}

impl Context<'_, '_> {
    /// Returns the general state behind the call at a loop head.
    pub(super) fn general_state(&mut self, written: &Written) -> Option<Box<State>> {
        let mut state = self.state.fork();
        state.forks.lazy = false;
        let terms = self.terms();
        for place in &written.places {
            let value = any_value(self, &mut state, 8 * place.bytes);
            let address = place.address;
            let stored = (state.memory).write(terms, address, place.bytes, Value::Term(value));
            stored.ok()?;
        }
        for (slot, width) in &written.registers {
            let value = any_value(self, &mut state, *width);
            let frame = state.frames.top_mut();
            write(frame, *slot, *width, Value::Term(value));
        }
        state.frames.top_mut().pc += 1;
        Some(state)
    }
}

/// Makes a term of `width` bits that has any value.
fn any_value(context: &Context<'_, '_>, state: &mut State, width: u32) -> Term {
    let terms = context.terms();
    let bytes = width.div_ceil(8);
    let (array, _) = state.symbolics.make(terms, &Arc::from(NAME), bytes);
    let byte = |index| terms.symbol(Byte { array, index });
    let whole = (1..bytes).fold(byte(0), |low, index| terms.concat(byte(index), low));
    terms.resize(whole, width)
}
