//! Small generic things that every module may use: dense ids, libraries loaded on demand, the clock
//! of a run, memory in use and still to be had, what to do when a part of homi is missing, response
//! files, tables of tuning constants. Knows nothing about programs or terms.

pub(crate) mod available_memory;
pub mod clock;
mod id;
pub(crate) mod installation;
pub(crate) mod lazy;
pub(crate) mod resident;
pub(crate) mod response_file;
pub mod tuning;
#[cfg(test)]
pub(crate) mod waiting;

pub(crate) use id::dense_id;
