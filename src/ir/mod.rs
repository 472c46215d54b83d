//! The register IR and what stands below everything else.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `program` | the register IR, branch sites, flow graphs, its text form | `ops`, `util` |
//! | `ops` | the concrete meaning of integer and floating-point operators | - |
//! | `util` | dense ids, the clock of a run, memory in use, libraries loaded on demand | - |

pub mod ops;
pub mod program;
pub mod util;
