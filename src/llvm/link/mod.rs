//! Linking: the program's modules and the runtime become one module.

mod copies;
pub(super) mod cxx;
pub(super) mod definitions;
pub(super) mod indirect;
mod interposed;
pub(super) mod join;
pub(super) mod named;
pub(super) mod native;
pub(super) mod nearest;
pub(super) mod thread_locals;
