//! How `homi test` compiles a program and runs its tests.

use std::time::Duration;

/// What both compilers are told, and how long a test may take natively.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeConfig {
    /// Words for clang and gcc when they compile.
    pub compile: Vec<String>,
    /// Words for gcc when it links.
    pub link: Vec<String>,
    /// Wall time of one test.
    pub timeout: Duration,
}
