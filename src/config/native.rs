//! Configuration of `homi test`: compiling a program and running its tests.

use super::checks::CheckConfig;
use std::path::PathBuf;
use std::time::Duration;

/// Flags for both compilers, and the time limit of a native test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeConfig {
    /// Arguments for clang and gcc when they compile.
    pub compile: Vec<String>,
    /// Arguments for gcc when it links.
    pub link: Vec<String>,
    /// Checks that are compiled into the bitcode and the native program with sanitizers.
    pub checks: CheckConfig,
    /// Wall time of one test.
    pub timeout: Duration,
    /// Keep the tests as cases that run without homi.
    pub keep: bool,
    /// Directory with the compiled sources that several commands share; without the build that
    /// gcov counts.
    pub objects: Option<PathBuf>,
}
