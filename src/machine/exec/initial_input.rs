//! The bytes that the first input of a run gives new symbolic objects.
//!
//! Invariant: an object's bytes depend on its name, its number among the objects of that name and
//! the seed, not on what was executed before. Nothing is known yet of a new object, so any bytes
//! satisfy the path.

use super::config::ExecConfig;
use crate::state::GivenObjects;
use homi_config::{GivenObject, InitialInput};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Initial bytes of new objects; zeros by default.
#[derive(Clone, Debug, Default)]
pub struct FirstBytes {
    /// Random bytes by this seed.
    pub seed: Option<u64>,
    /// Bytes of the first object of a name.
    pub given: Vec<GivenObject>,
}

/// Objects with given bytes that were seen.
#[derive(Clone, Debug, Default)]
pub struct GivenSeen {
    /// Numbers of the given objects that the program made.
    pub met: BTreeSet<usize>,
    /// Names of all objects that it made, if some were given.
    pub names: BTreeSet<Arc<str>>,
    /// One that does not fit: what is wrong with it.
    pub size_mismatch: Option<String>,
}

/// A test that does not fit the program whose path it is to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SizeMismatch {
    pub test: Arc<GivenObjects>,
    /// Description of the mismatch and the action.
    pub text: String,
}

impl FirstBytes {
    /// Returns the first input of a run's options.
    pub(super) fn of(config: &ExecConfig) -> Self {
        let Some(concolic) = &config.concolic else {
            return Self::default();
        };
        let is_random = concolic.initial_input == InitialInput::Random;
        Self {
            seed: is_random.then_some(config.random_seed),
            given: concolic.given.clone(),
        }
    }

    /// Returns why the input does not fit a program, after a path of it has ended.
    pub fn size_mismatch(&self, seen: &GivenSeen) -> Option<String> {
        let missing = (0..self.given.len()).find(|place| !seen.met.contains(place))?;
        let made: Vec<&str> = seen.names.iter().map(|name| &**name).collect();
        let made = if made.is_empty() {
            "none".to_string()
        } else {
            made.join(", ")
        };
        let name = &self.given[missing].name;
        Some(format!(
            "--input {name}: the program makes no symbolic object of that name on the input's path \
             (it makes {made})"
        ))
    }
}
