//! Memory and time during a run: the memory of the process (`process_memory`), a thread that
//! watches it and the clock (`watch`), what is dropped when memory is short (`relief`), and freeing
//! terms (`sweep`).

pub(super) mod process_memory;
pub(super) mod relief;
pub(super) mod sweep;
pub(super) mod watch;
