//! Objects whose ids several pools of terms agree on.
//!
//! Invariant: the list only grows, and the list of each pool is a beginning of it.

use super::node::ArrayInfo;
use indexmap::IndexSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The objects of all pools that work on one program. An object's id is its place in the list.
#[derive(Clone, Debug, Default)]
pub struct SharedArrays(Arc<Mutex<IndexSet<ArrayInfo>>>);

impl SharedArrays {
    /// Adds an object (if there is one) and brings `own`, a beginning of the list, up to date.
    pub(super) fn learn(&self, own: &mut IndexSet<ArrayInfo>, new: Option<ArrayInfo>) {
        // The list of a thread that panicked is complete.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(new);
        own.extend(all.iter().skip(own.len()).cloned());
    }
}
