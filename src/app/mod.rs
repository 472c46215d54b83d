//! A run from its options to its report, for every command, test and user of the library.
//!
//! <!-- layering-table -->
//!
//! | module | owns | uses in this group |
//! |---|---|---|
//! | `options` | the table of options with profiles, what a command line resolves to | - |
//! | `session` | one run from start to end, composed in stages | `property` |
//! | `property` | what a run says of a property | - |
//! | `tester` | `homi test` and `homi compare`, except the exploration | - |

pub mod options;
pub mod property;
pub mod session;
pub mod tester;
