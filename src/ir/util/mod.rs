//! Small generic things that every module may use: dense ids, libraries loaded on demand, the clock
//! of a run, memory in use and still to be had, what to do when a part of homi is missing, response
//! files, tables of tuning constants. Knows nothing about programs or terms.

pub mod available_memory;
pub mod clock;
mod id;
pub mod installation;
pub mod lazy;
pub mod resident;
pub mod response_file;
pub mod tuning;
#[doc(hidden)]
pub mod waiting;

pub use id::dense_id;
pub use lazy::lazy_library;
pub use tuning::tuning_table;
