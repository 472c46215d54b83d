//! The native programs on which cases are recorded.

use std::path::PathBuf;

/// Builds of one program.
#[derive(Clone, Debug)]
pub struct Builds {
    /// Name that the program is called by.
    pub name: String,
    /// Builds whose behavior must agree, the user's first.
    pub compared: Vec<PathBuf>,
    /// Build with a counter per branch side, and its number of sides.
    pub counted: (PathBuf, usize),
    /// Directories in which the program finds shared objects of its build.
    pub libraries: Vec<PathBuf>,
}
