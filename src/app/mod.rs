//! A run from its options to its report, for every command, test and user of the library.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `options` | the table of options with profiles, what a command line resolves to | - |
//! | `session` | one run from start to end, composed in stages | `property`, `triage` |
//! | `sweep` | `homi sweep`: the functions of a program, each explored alone, and the classes of their bugs | - |
//! | `triage` | known and suppressed bugs, and which bugs make a command fail | - |
//! | `property` | what a run says of a property | - |
//! | `keep` | `homi keep`: the kept cases, their names, their review | `minimize`, `tester` |
//! | `minimize` | `homi ktest minimize` | - |
//! | `tester` | `homi test` and `homi compare`, except the exploration | - |

pub mod keep;
pub mod minimize;
pub mod options;
pub mod property;
pub mod session;
pub mod sweep;
pub mod tester;
pub mod triage;
