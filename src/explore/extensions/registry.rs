//! The extensions of a run by name.

use super::Extension;
use super::canonical_inputs::LeastInputs;
use super::merge::Merging;
use super::re_execution::ReExecution;
use super::subsume::Subsuming;
use crate::config::RunConfig;
use crate::machine::state::State;
use std::sync::Arc;

/// With what the extensions of one thread of a run begin.
#[derive(Clone, Copy)]
pub struct ExtensionStart<'a> {
    pub config: &'a RunConfig,
    /// The state that the program begins with, where the thread begins with one.
    pub entry_state: Option<&'a State>,
}

/// Makes an extension for one thread of a run, if the run is to have it.
pub type ExtensionMaker =
    Arc<dyn Fn(&ExtensionStart<'_>) -> Option<Box<dyn Extension>> + Send + Sync>;

/// One extension.
#[derive(Clone, Copy)]
pub struct ExtensionRow {
    pub name: &'static str,
    /// One line for the user.
    pub help: &'static str,
    /// The extension, if the run wants it.
    pub make: fn(&ExtensionStart<'_>) -> Option<Box<dyn Extension>>,
}

/// Every extension of a run, in the order in which hooks are called.
pub const EXTENSIONS: [ExtensionRow; 4] = [
    ExtensionRow {
        name: "least-inputs",
        help: "executions that begin with the least input of their path",
        make: |start| Some(Box::new(LeastInputs::of(start.config)?)),
    },
    ExtensionRow {
        name: "re-execution",
        help: "executions that begin at the program's start each time",
        make: |start| {
            let concolic = start.config.concolic.as_ref();
            let wanted = concolic.is_some_and(|concolic| concolic.re_execute);
            let entry_state = start.entry_state.filter(|_| wanted)?;
            Some(Box::new(ReExecution::new(entry_state)))
        },
    },
    ExtensionRow {
        name: "subsumption",
        help: "paths that can do nothing new are not followed",
        make: |start| Some(Box::new(Subsuming::of(start.config)?)),
    },
    ExtensionRow {
        name: "merging",
        help: "paths that go on as one from where the program closes a merge",
        make: |start| Some(Box::new(Merging::of(start.config)?)),
    },
];

/// The extensions that the options ask for, and then the caller's.
pub fn extensions_of(
    start: &ExtensionStart<'_>,
    own: &[ExtensionMaker],
) -> Vec<Box<dyn Extension>> {
    let rows = EXTENSIONS.iter().filter_map(|row| (row.make)(start));
    rows.chain(own.iter().filter_map(|make| make(start)))
        .collect()
}
