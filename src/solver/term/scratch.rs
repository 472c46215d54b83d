//! The values of terms that evaluation has computed under one model.
//!
//! Invariant: a value counts only if its epoch is the model's.

use super::model::Model;
use super::node::Term;
use rustc_hash::FxHashMap;

/// The values known under the last model.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Value and epoch by term.
    pub values: Vec<(u64, u32)>,
    pub wide: FxHashMap<Term, u128>,
    pub epoch: u32,
    /// The model of this epoch. It is held, so that a change of the original makes another one.
    model: Option<Model>,
    pub stack: Vec<Term>,
}

impl Scratch {
    pub fn clear(&mut self) {
        *self = Scratch::default();
    }

    /// Starts another epoch if the model has changed.
    pub fn begin(&mut self, model: &Model) {
        if self.model.as_ref().is_some_and(|last| last.is_same(model)) {
            return;
        }
        if self.epoch == u32::MAX {
            self.clear();
        }
        self.epoch += 1;
        self.wide.clear();
        self.model = Some(model.clone());
    }

    pub fn memory(&self) -> usize {
        self.values.capacity() * size_of::<(u64, u32)>()
    }
}
