//! The builds of a program that cases are recorded on: the user's flags, those with `-O2`, and one
//! with a counter per branch side.

use crate::minimize::linked_libraries;
use crate::tester::{Sources, TestedProgram, build_plain, compile_bitcode, harness_calls};
use anyhow::{Context, bail};
use homi_config::{CheckConfig, NativeConfig};
use homi_llvm::{InstrumentOptions, InstrumentedBranch, instrument_at, llvm_version};
use homi_native::kept::Builds;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Program whose tests are kept.
#[derive(Clone, Debug)]
pub enum KeptProgram {
    Sources {
        files: Vec<PathBuf>,
        compile: Vec<String>,
        link: Vec<String>,
    },
    /// Built by `homi cc`, and the directories of its shared objects.
    Executable(PathBuf, Vec<PathBuf>),
}

/// A built program.
pub(super) struct Built {
    pub(super) builds: Builds,
    pub(super) branches: Vec<InstrumentedBranch>,
    /// Directory of the builds.
    _directory: tempfile::TempDir,
}

impl KeptProgram {
    /// Returns the program of a run of `homi test`; `libraries` finds the shared objects of an
    /// executable's build.
    ///
    /// # Errors
    /// Fails if the run tested one function.
    pub fn of_run(
        program: TestedProgram,
        libraries: &dyn Fn(&Path) -> Vec<PathBuf>,
    ) -> anyhow::Result<Self> {
        if program.entry != "main" {
            bail!(
                "the run tested the function {}, not a program; a case needs a whole program",
                program.entry
            );
        }
        Ok(match program.executable {
            Some(file) => {
                let libraries = libraries(&file);
                KeptProgram::Executable(file, libraries)
            }
            None => KeptProgram::Sources {
                files: program.sources,
                compile: program.compile,
                link: program.link,
            },
        })
    }

    /// Returns the name of the program.
    pub fn name(&self) -> String {
        let name = match self {
            KeptProgram::Sources { files, .. } => files.first().and_then(|file| file.file_stem()),
            KeptProgram::Executable(file, _) => file.file_name(),
        };
        name.map_or_else(
            || "program".to_string(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// Returns directories in which the names of its sources may begin: builds name them relative
    /// to where they ran.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        match self {
            KeptProgram::Sources { .. } => Vec::new(),
            KeptProgram::Executable(file, _) => file
                .ancestors()
                .skip(1)
                .take(3)
                .map(Path::to_path_buf)
                .collect(),
        }
    }

    /// Builds the program.
    pub(super) fn build(&self, clang: &Path) -> anyhow::Result<Built> {
        let directory = tempfile::tempdir().context("cannot create a temporary directory")?;
        let counted = directory.path().join("build-counted");
        let counters = |inputs: Vec<PathBuf>, output: &Path, link: Vec<String>, level: &str| {
            let options = InstrumentOptions {
                inputs,
                output: output.to_path_buf(),
                clang: clang.to_path_buf(),
                link_arguments: link,
            };
            instrument_at(&options, level)
        };
        let (compared, branches, libraries) = match self {
            KeptProgram::Executable(file, libraries) => {
                let optimized = directory.path().join("build-optimized");
                let link = linked_libraries(file);
                counters(vec![file.clone()], &optimized, link.clone(), "-O2")?;
                let branches = counters(vec![file.clone()], &counted, link, "-O0")?;
                (vec![file.clone(), optimized], branches, libraries.clone())
            }
            KeptProgram::Sources {
                files,
                compile,
                link,
            } => {
                let sources = sources(files, compile, link);
                let bitcode = compile_bitcode(llvm_version(), &sources)?;
                let calls = harness_calls(&bitcode.files()).context("cannot read the bitcode")?;
                if calls.makes_symbolic {
                    bail!(
                        "{} makes its inputs symbolic itself (klee_make_symbolic), so a case \
                         without homi cannot give them; keep tests of a program that reads its \
                         arguments, standard input or files",
                        self.name()
                    );
                }
                let mut compared = Vec::new();
                for level in [None, Some("-O2")] {
                    let mut sources = sources.clone();
                    sources.config.compile.extend(level.map(str::to_string));
                    let number = compared.len();
                    let place = directory.path().join(format!("flags{number}"));
                    let built = build_plain(&sources, calls, &place)?;
                    // Programs of one name would replace each other in the sandbox.
                    let own = directory.path().join(format!("build{number}"));
                    fs::rename(&built, &own).context("cannot rename a build")?;
                    compared.push(own);
                }
                let branches = counters(bitcode.files(), &counted, link.clone(), "-O0")?;
                (compared, branches, Vec::new())
            }
        };
        let sides = branches.iter().map(|branch| branch.sides as usize).sum();
        Ok(Built {
            builds: Builds {
                name: self.name(),
                compared,
                counted: (counted, sides),
                libraries,
            },
            branches,
            _directory: directory,
        })
    }
}

pub(super) fn sources(files: &[PathBuf], compile: &[String], link: &[String]) -> Sources {
    Sources {
        files: files.to_vec(),
        config: NativeConfig {
            compile: compile.to_vec(),
            link: link.to_vec(),
            checks: CheckConfig::BASIC,
            timeout: Duration::ZERO,
            keep: false,
            objects: None,
        },
    }
}
