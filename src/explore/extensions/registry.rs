//! The extensions of a run by name.

use super::Extension;
use super::canonical_inputs::CanonicalInputs;
use super::merge::Merging;
use super::re_execution::ReExecution;
use super::subsume::Subsuming;
use homi_config::RunConfig;
use homi_machine::state::State;
use std::sync::Arc;

/// Inputs from which the extensions of one thread of a run are built.
#[derive(Clone, Copy)]
pub struct ExtensionStart<'a> {
    pub config: &'a RunConfig,
    /// Entry state of the program; `None` if the thread does not begin with one.
    pub entry_state: Option<&'a State>,
}

/// Builds an extension for one thread of a run; `None` if the run does not use it.
pub type ExtensionMaker =
    Arc<dyn Fn(&ExtensionStart<'_>) -> Option<Box<dyn Extension>> + Send + Sync>;

/// Name, help text and constructor of an extension.
#[derive(Clone, Copy)]
pub struct ExtensionRow {
    pub name: &'static str,
    /// Help text of one line.
    pub help: &'static str,
    /// Builds the extension; `None` if the run's options do not request it.
    pub make: fn(&ExtensionStart<'_>) -> Option<Box<dyn Extension>>,
}

/// All extensions of a run, in the order in which hooks are called.
pub const EXTENSIONS: [ExtensionRow; 4] = [
    ExtensionRow {
        name: "canonical-inputs",
        help: "give each execution the least input of its path",
        make: |start| Some(Box::new(CanonicalInputs::of(start.config)?)),
    },
    ExtensionRow {
        name: "re-execution",
        help: "begin every execution at the program's start",
        make: |start| {
            let concolic = start.config.concolic.as_ref();
            let wanted = concolic.is_some_and(|concolic| concolic.re_execute);
            let entry_state = start.entry_state.filter(|_| wanted)?;
            Some(Box::new(ReExecution::new(entry_state)))
        },
    },
    ExtensionRow {
        name: "subsumption",
        help: "skip paths that an interpolant subsumes",
        make: |start| Some(Box::new(Subsuming::of(start.config)?)),
    },
    ExtensionRow {
        name: "merging",
        help: "merge paths where the program closes a merge",
        make: |start| Some(Box::new(Merging::of(start.config)?)),
    },
];

/// Returns the extensions that the options request, followed by the caller's.
pub fn extensions_of(
    start: &ExtensionStart<'_>,
    own: &[ExtensionMaker],
) -> Vec<Box<dyn Extension>> {
    let rows = EXTENSIONS.iter().filter_map(|row| (row.make)(start));
    rows.chain(own.iter().filter_map(|make| make(start)))
        .collect()
}
