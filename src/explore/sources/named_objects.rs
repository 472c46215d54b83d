//! Inputs as objects by name, which come from outside of the run.

use homi_machine::state::State;
use homi_solver::term::{Byte, Model, Terms};
use std::collections::HashMap;

/// Names and bytes of the objects of an input.
pub(super) type Objects = Vec<(String, Vec<u8>)>;

/// Returns the bytes of objects by name, for the objects that a state has made and will make.
/// Missing bytes are zero.
pub(super) fn model_of(objects: &Objects, state: &State, terms: &Terms) -> Model {
    let mut model = Model::new();
    let mut versions = HashMap::<&str, u32>::new();
    let mut numbered = HashMap::new();
    for (name, bytes) in objects {
        let version = versions.entry(name).or_insert(0);
        numbered.insert((name.as_str(), *version), bytes);
        let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let array = terms.array(name, *version, size);
        for (index, byte) in (0..size).zip(bytes).rev() {
            model.set(Byte { array, index }, *byte);
        }
        *version += 1;
    }
    let mut made = HashMap::<&str, u32>::new();
    for object in state.symbolics.objects.iter() {
        let version = made.entry(&object.name).or_insert(0);
        let bytes = numbered.get(&(&*object.name, *version));
        for index in (0..object.size).rev() {
            let byte = bytes.and_then(|bytes| bytes.get(index as usize).copied());
            let array = object.array;
            model.set(Byte { array, index }, byte.unwrap_or(0));
        }
        *version += 1;
    }
    model
}
