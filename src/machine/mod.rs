//! Execution of instructions on states.
//!
//! Never: a solver's back end (an `Oracle` answers), which state runs next, the real host (a `Host`
//! answers).
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `exec` | the meaning of instructions and built-in functions | `memory`, `outcome`, `state` |
//! | `state` | one execution state as a value | `memory`, `outcome` |
//! | `memory` | the address space of a state | - |
//! | `host` | the host as the modeled kernel sees it, argv and envp | `exec`, `memory`, `state` |
//! | `outcome` | how a path ends | `memory` |

pub mod exec;
pub mod host;
pub mod memory;
pub mod outcome;
pub mod state;
