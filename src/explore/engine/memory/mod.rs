//! Memory and time while a run goes on: how much memory the process has (`process_memory`), a
//! thread that watches it and the clock (`watch`), what goes when it is short (`relief`), and
//! freeing terms (`sweep`).

pub(super) mod process_memory;
pub(super) mod relief;
pub(super) mod sweep;
pub(super) mod watch;
