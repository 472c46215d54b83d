//! One run: the loop and its policies.
//!
//! Policies (`search`, `prune`, `select`, `sources`, `extensions`) are traits with one file per
//! implementation and a row in a registry; they see a narrow view of the run, never the engine.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `engine` | the loop, budgets, memory pressure, checkpoints, what becomes of ended paths | `coverage`, `extensions`, `prune`, `search`, `select`, `sources` |
//! | `search` | which state runs next; distances | - |
//! | `prune` | which states are pruned; Homi's learner | `search`, `select` |
//! | `select` | which paths become tests | - |
//! | `sources` | where states come from: entry state, seeds, fuzzing, advice, checkpoints, swapped-out states | `search` |
//! | `extensions` | additions to the loop: subsumption, merging, targets | `search`, `sources` |
//! | `coverage` | what of the user's code is covered | - |

pub mod coverage;
pub mod engine;
pub mod extensions;
pub mod prune;
pub mod search;
pub mod select;
pub mod sources;
