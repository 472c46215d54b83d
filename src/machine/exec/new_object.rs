//! New symbolic objects of a path, with their bytes in the state's model: the run's first input, or
//! an earlier test if its path is that test's.

use super::context::Context;
use crate::memory::Value;
use crate::state::WantedObject;
use homi_config as config;
use homi_solver::term::{ArrayId, Byte};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl Context<'_, '_> {
    /// Makes a symbolic object of the path.
    pub(super) fn new_array(&mut self, name: &str, size: u32) -> ArrayId {
        let name: Arc<str> = Arc::from(name);
        let terms = self.terms();
        let (array, version) = self.state.symbolics.make(terms, &name, size);
        self.begin_object(array, &name, version, size);
        self.take_given(array, &name, size);
        array
    }

    /// Returns the bytes of the newest object if the path executes one given input.
    pub(super) fn given(&self) -> Option<Vec<u8>> {
        let object = self.state.symbolics.objects.last()?;
        let given = self.state.input.is_given;
        given.then(|| object.bytes(&self.state.model))
    }

    /// Makes a symbolic object and returns its bytes.
    pub(super) fn new_bytes(&mut self, name: &str, size: u32) -> Vec<Value> {
        let array = self.new_array(name, size);
        if let Some(given) = self.given() {
            let bytes = given.iter();
            return bytes
                .map(|byte| Value::Concrete(u128::from(*byte)))
                .collect();
        }
        let terms = self.terms();
        let symbols = (0..size).map(|index| terms.symbol(Byte { array, index }));
        symbols.map(Value::Term).collect()
    }

    /// Gives the bytes of a new symbolic object, the `version`-th of its name, to the model.
    fn begin_object(&mut self, array: ArrayId, name: &Arc<str>, version: u32, size: u32) {
        let first = &self.prepared.first_bytes;
        if self.state.input.is_given || !self.state.input.begins_objects {
            return;
        }
        if let Some(seed) = first.seed {
            let mut hasher = FxHasher::default();
            (seed, &**name, version).hash(&mut hasher);
            let mut random = Pcg64Mcg::new(u128::from(hasher.finish()));
            for index in 0..size {
                self.state
                    .model
                    .set(Byte { array, index }, random.next_u32() as u8);
            }
        }
        if !first.given.is_empty() {
            self.observer.given.names.insert(Arc::clone(name));
        }
        let named = |given: &config::GivenObject| *given.name == **name;
        let Some(place) = first.given.iter().position(named).filter(|_| version == 0) else {
            return;
        };
        let bytes = &first.given[place].bytes;
        if bytes.len() != size as usize {
            let given = bytes.len();
            let text = format!("--input {name}: the object has {size} bytes, the file {given}");
            self.observer.given.size_mismatch.get_or_insert(text);
            return;
        }
        self.observer.given.met.insert(place);
        for (index, value) in (0..size).zip(bytes) {
            self.state.model.set(Byte { array, index }, *value);
        }
    }

    /// Gives the model the bytes that the first test has for the object just made.
    fn take_given(&mut self, array: ArrayId, name: &str, size: u32) {
        let tests = self.state.input.follows.clone();
        let Some(test) = tests.as_ref().and_then(|tests| tests.first()) else {
            return;
        };
        let made = Arc::clone(&self.state.symbolics.objects);
        let Some((_, before)) = made.split_last() else {
            return;
        };
        let wanted = WantedObject {
            name,
            size,
            earlier: self.state.symbolics.made_with(name).saturating_sub(1),
            before,
        };
        let Some(found) = test.find(wanted) else {
            return;
        };
        let bytes = found.bytes.iter().chain(std::iter::repeat(&0));
        for (index, value) in (0..size).zip(bytes) {
            self.state.model.set(Byte { array, index }, *value);
        }
    }
}
