//! Runs compilers and returns their results.
//!
//! Invariant: compilers run in the current directory on the sources as the user named them, so
//! their messages and the debug information use those names.

use homi_build::toolchain::{Compiler, OLDEST_CLANG};
use homi_config::NativeConfig;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler failed, or there is none.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No clang writes bitcode that this homi reads.
    #[error(
        "no clang from {OLDEST_CLANG} to {newest} found; run apt-get install clang-{newest} (`homi \
         doctor` lists what else is missing)"
    )]
    NoClang { newest: u32 },
    /// No gcc is installed.
    #[error("no gcc found; run apt-get install gcc libc6-dev")]
    NoGcc,
    /// The compiler rejected the sources; `output` is what it printed.
    #[error(
        "{compiler} cannot compile {what} (messages above); correct the source, or add -I, -D or \
         --cflags"
    )]
    Refused {
        compiler: String,
        what: String,
        output: String,
    },
    /// The compiler could not be started, or a file could not be written.
    #[error("{what}: {source}")]
    Io { what: String, source: io::Error },
}

/// C sources of one program.
#[derive(Clone, Debug)]
pub struct Sources {
    pub files: Vec<PathBuf>,
    pub config: NativeConfig,
}

impl Sources {
    /// Returns the program's name: the name of the first file.
    pub fn program_name(&self) -> String {
        let first = self.files.first().and_then(|file| file.file_stem());
        first.map_or_else(
            || "program".to_string(),
            |stem| stem.to_string_lossy().into_owned(),
        )
    }

    /// For each file the name of what is compiled from it, without suffix; no two are the same.
    pub(super) fn object_names(&self) -> Vec<String> {
        let mut used = BTreeSet::new();
        let stems = self
            .files
            .iter()
            .map(|file| file.file_stem().unwrap_or_default());
        stems
            .map(|stem| {
                let stem = stem.to_string_lossy();
                let mut name = stem.to_string();
                let mut number = 2;
                while !used.insert(name.clone()) {
                    name = format!("{stem}-{number}");
                    number += 1;
                }
                name
            })
            .collect()
    }
}

/// Runs a compiler. Its output is the text of the error, or warnings.
pub(super) fn compile<W: AsRef<OsStr>>(
    compiler: &Compiler,
    arguments: &[W],
    what: &Path,
) -> Result<String, BuildError> {
    let failed = |source| BuildError::Io {
        what: format!("cannot run {}", compiler.program.display()),
        source,
    };
    let output = Command::new(&compiler.program)
        .args(arguments)
        .output()
        .map_err(failed)?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(messages)
    } else {
        Err(BuildError::Refused {
            compiler: compiler.to_string(),
            what: what.display().to_string(),
            output: messages,
        })
    }
}

/// Compiles to a target. A target that several commands share is made once, and appears whole.
pub(super) fn compile_once(
    is_shared: bool,
    target: &Path,
    compile: impl FnOnce(&Path) -> Result<String, BuildError>,
) -> Result<String, BuildError> {
    if !is_shared {
        return compile(target);
    }
    if target.is_file() {
        return Ok(String::new());
    }
    let directory = target.parent().unwrap_or(Path::new("."));
    let failed = |source| io_error(format!("cannot write {}", target.display()))(source);
    std::fs::create_dir_all(directory).map_err(failed)?;
    let own = tempfile::tempdir_in(directory).map_err(failed)?;
    let made = own.path().join(target.file_name().unwrap_or_default());
    let messages = compile(&made)?;
    std::fs::rename(made, target).map_err(failed)?;
    Ok(messages)
}

/// Converts an error of the host to an error that names the failed operation.
pub(super) fn io_error(what: impl Into<String>) -> impl FnOnce(io::Error) -> BuildError {
    let what = what.into();
    move |source| BuildError::Io { what, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_config::CheckConfig;
    use std::time::Duration;

    #[test]
    fn files_of_one_name_make_different_objects() {
        let sources = Sources {
            files: ["a/util.c", "b/util.c", "main.c"]
                .map(PathBuf::from)
                .to_vec(),
            config: NativeConfig {
                compile: Vec::new(),
                link: Vec::new(),
                checks: CheckConfig::BASIC,
                timeout: Duration::ZERO,
                keep: false,
                objects: None,
            },
        };
        assert_eq!(sources.object_names(), ["util", "util-2", "main"]);
        assert_eq!(sources.program_name(), "util");
    }
}
