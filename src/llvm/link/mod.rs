//! Linking: the program's modules and the runtime become one module.

pub(super) mod cxx;
pub(super) mod indirect;
pub(super) mod join;
pub(super) mod nearest;
