//! The bytes that the first input of a run gives new symbolic objects.
//!
//! Invariant: an object's bytes depend on its name, its number among the objects of that name and
//! the seed, not on what was executed before. Nothing is known yet of a new object, so any bytes
//! satisfy the path.

use super::config::ExecConfig;
use super::context::Context;
use crate::config::{FirstInput, GivenObject};
use crate::solver::term::{ArrayId, Byte};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What new objects begin with; zeros where nothing else is said.
#[derive(Clone, Debug, Default)]
pub struct FirstBytes {
    /// Random bytes by this seed.
    pub seed: Option<u64>,
    /// Bytes of the first object of a name.
    pub given: Vec<GivenObject>,
}

/// What was seen of the objects that were given bytes.
#[derive(Clone, Debug, Default)]
pub struct GivenSeen {
    /// Numbers of those that the program made.
    pub met: BTreeSet<usize>,
    /// Names of all objects that it made, if some were given.
    pub names: BTreeSet<Arc<str>>,
    /// One that does not fit: what is wrong with it.
    pub misfit: Option<String>,
}

impl Context<'_, '_> {
    /// Gives the bytes of a new symbolic object, the `version`-th of its name, to the model.
    pub(super) fn begin_object(
        &mut self,
        array: ArrayId,
        name: &Arc<str>,
        version: u32,
        size: u32,
    ) {
        let first = &self.executor.first_bytes;
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
        let named = |given: &GivenObject| *given.name == **name;
        let Some(place) = first.given.iter().position(named).filter(|_| version == 0) else {
            return;
        };
        let bytes = &first.given[place].bytes;
        if bytes.len() != size as usize {
            let given = bytes.len();
            let text = format!("--input {name}: the object has {size} bytes, the file {given}");
            self.observer.given.misfit.get_or_insert(text);
            return;
        }
        self.observer.given.met.insert(place);
        for (index, value) in (0..size).zip(bytes) {
            self.state.model.set(Byte { array, index }, *value);
        }
    }
}

impl FirstBytes {
    /// What a run's options say of its first input.
    pub(super) fn of(config: &ExecConfig) -> Self {
        let Some(concolic) = &config.concolic else {
            return Self::default();
        };
        let is_random = concolic.first_input == FirstInput::Random;
        Self {
            seed: is_random.then_some(config.random_seed),
            given: concolic.given.clone(),
        }
    }

    /// Why the input does not fit a program of which a path has come to its end.
    pub fn misfit(&self, seen: &GivenSeen) -> Option<String> {
        let missing = (0..self.given.len()).find(|place| !seen.met.contains(place))?;
        let made: Vec<&str> = seen.names.iter().map(|name| &**name).collect();
        let made = match made.is_empty() {
            true => "none".to_string(),
            false => made.join(", "),
        };
        let name = &self.given[missing].name;
        Some(format!(
            "--input {name}: the program makes no symbolic object of that name on the input's path \
             (it makes {made})"
        ))
    }
}
