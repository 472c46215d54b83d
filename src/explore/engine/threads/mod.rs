//! Threads that explore one program together: what they share (`shared_exploration`), what one
//! remembers of the others (`sharing`), what an engine does for its group of threads between turns
//! (`together`), states on their way from one to another (`transfer`).

pub(super) mod barrier;
pub(super) mod shared_exploration;
pub(super) mod sharing;
pub(super) mod together;
pub(super) mod transfer;
