//! The settings of the compiler driver.

use super::harness::HarnessParts;
use super::language::Driver;
use std::ffi::OsString;
use std::path::PathBuf;

/// Settings of the compiler driver.
#[derive(Clone, Debug)]
pub struct Settings {
    /// gcc or g++.
    pub driver: Driver,
    /// The native compiler, and arguments that come before all others.
    pub native: Vec<OsString>,
    /// The clang that makes bitcode; `None` if there is none.
    pub clang: Option<PathBuf>,
    /// Flags of the bitcode that come last.
    pub flags: Vec<OsString>,
    /// Build for gcov.
    pub coverage: bool,
    /// Tell on the standard error what is done.
    pub verbose: bool,
    /// The build's arguments behind the compiler's name.
    pub arguments: Vec<OsString>,
    /// The current directory.
    pub directory: PathBuf,
    /// Parts for harnesses; `None` if they are not installed.
    pub harness: Option<HarnessParts>,
    /// The headers of LLVM's C++ library, if it was set up: bitcode of C++ is made with these.
    pub cxx_headers: Option<PathBuf>,
}

impl Settings {
    pub(super) fn say(&self, text: &str) {
        if self.verbose {
            eprintln!("homi cc: {text}");
        }
    }
}
