//! Threads that explore one program together: what they share (`team`), what an engine does for its
//! team between turns (`together`), and states on their way from one to another (`transfer`).

pub(super) mod assembly;
pub(super) mod team;
pub(super) mod together;
pub(super) mod transfer;
