//! Threads that explore one program together: what they share (`team`), what one remembers of the
//! others (`sharing`), what an engine does for its team between turns (`together`), states on their
//! way from one to another (`transfer`).

pub(super) mod assembly;
pub(super) mod sharing;
pub(super) mod team;
pub(super) mod together;
pub(super) mod transfer;
