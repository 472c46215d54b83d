//! Files that a build system compiles to learn about the compiler.
//!
//! Invariant: such a file is compiled natively and no more. It is not part of a program, there are
//! hundreds of them, and some are searched for text that would be in the bitcode too.

use std::ffi::OsStr;
use std::path::Path;

/// Names without endings: autoconf's, CMake's.
const NAMES: [&str; 4] = [
    "conftest",
    "conftest2",
    "CMakeCCompilerId",
    "CMakeCXXCompilerId",
];

/// Directories of CMake and Meson for files of that kind.
const DIRECTORIES: [&str; 4] = ["CMakeScratch", "CMakeTmp", "CompilerIdC", "meson-private"];

/// True of a source that tries the compiler.
pub fn is_probe(source: &OsStr, directory: &Path) -> bool {
    let path = directory.join(source);
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    NAMES.contains(&stem)
        || path
            .iter()
            .any(|part| DIRECTORIES.iter().any(|name| part == *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_probes_are_known_by_name_or_directory() {
        let is = |source: &str, directory: &str| is_probe(OsStr::new(source), Path::new(directory));
        assert!(is("conftest.c", "/b") && is("conftest.cpp", "/b"));
        assert!(is("a.c", "/b/CMakeFiles/CMakeScratch/TryCompile-x"));
        assert!(is("/b/meson-private/tmpx/testfile.c", "/b"));
        assert!(!is("src/a.c", "/b") && !is("conftest/a.c", "/b"));
    }
}
