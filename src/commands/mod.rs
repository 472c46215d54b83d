//! Commands: everything that a user can call.
//!
//! Owns: dispatch, arguments, exit statuses, printing. Never: how a run explores. Environment
//! variables are read here only.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `cli` | dispatch and printing, one file per command | `bench`, `doctor`, `jobs`, `klee` |
//! | `klee` | KLEE's command line as data, its tools | - |
//! | `bench` | `homi bench`: studies, their programs and cells, tables | - |
//! | `jobs` | jobs of a run or study, the directory that creates and merges them | `bench` |
//! | `doctor` | checks of the machine, and how to install what is missing | - |

pub mod bench;
pub mod cli;
pub mod doctor;
pub mod jobs;
pub mod klee;
