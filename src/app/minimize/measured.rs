//! The native coverage of tests, on a build of the program with a counter per branch side.

use super::behavior::Behavior;
use super::output::Output;
use super::{Covering, MinimizeOptions, Reports};
use anyhow::{Context, bail};
use homi_llvm::embedded::{Head, records_of};
use homi_llvm::{InstrumentOptions, instrument};
use homi_native::replay::{self, ReplayOptions, TestResult, sandbox};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::tests_in;
use std::fs;
use std::path::{Path, PathBuf};

/// The instrumented program.
pub(super) struct Program {
    replay: ReplayOptions,
    /// Directory of the program and of tests that are tried.
    directory: tempfile::TempDir,
}

impl Program {
    /// Builds the program with counters.
    pub(super) fn build(program: &Path, options: &MinimizeOptions) -> anyhow::Result<Self> {
        let directory = tempfile::tempdir().context("cannot create a temporary directory")?;
        let exe = directory.path().join("program");
        let sides = instrument(&InstrumentOptions {
            inputs: vec![program.to_path_buf()],
            output: exe.clone(),
            clang: options.clang.clone(),
            link_arguments: linked_libraries(program),
        })?;
        // Choosing takes longer than a test.
        let sandbox = match options.replay.sandbox {
            Some(kind) => kind,
            None => sandbox::choose()?.kind(),
        };
        Ok(Self {
            replay: ReplayOptions {
                exe,
                sandbox: Some(sandbox),
                sides: Some(vec![1; sides]),
                ..options.replay.clone()
            },
            directory,
        })
    }

    /// Runs the tests of the directories, except tests that were measured before. Tests
    /// that cannot be run are left out.
    pub(super) fn measure(
        &self,
        directories: &[PathBuf],
        output: &mut Output,
        left_out: &mut Vec<String>,
    ) -> anyhow::Result<Vec<Covering>> {
        let mut paths = Vec::new();
        for directory in directories {
            let failed = || format!("cannot read {}", directory.display());
            paths.extend(tests_in(directory).with_context(failed)?);
        }
        let unknown: Vec<PathBuf> = (paths.iter())
            .filter(|path| output.known(path).is_none())
            .cloned()
            .collect();
        if !unknown.is_empty() {
            self.run(unknown, &mut |result| match Behavior::of(result) {
                Some(behavior) => output.note(&result.test, behavior),
                None => {
                    left_out.push(format!("{}: {}", result.test.display(), result.status));
                    Ok(())
                }
            })?;
        }
        let mut reports = Reports::default();
        let covering = paths.iter().filter_map(|path| {
            let behavior = output.known(path)?;
            Some(Covering {
                path: path.clone(),
                size: fs::metadata(path).ok()?.len(),
                sides: behavior.sides.clone(),
                bug: reports.fingerprint(path).or_else(|| behavior.bug()),
            })
        });
        Ok(covering.collect())
    }

    /// Returns what one test does; `None` if it cannot be run.
    pub(super) fn try_one(&self, test: &KTest) -> anyhow::Result<Option<Behavior>> {
        let path = self.directory.path().join("tried.ktest");
        test.write(&path)?;
        let mut found = None;
        self.run(vec![path], &mut |result| {
            found = Behavior::of(result);
            Ok(())
        })?;
        Ok(found)
    }

    fn run(
        &self,
        tests: Vec<PathBuf>,
        each: &mut dyn FnMut(&TestResult) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let options = ReplayOptions {
            tests,
            ..self.replay.clone()
        };
        let replay = replay::run(&options, each)?;
        if replay.interrupted {
            bail!("interrupted; the same command continues from here");
        }
        Ok(())
    }
}

/// The libraries that `homi cc` linked the program with.
pub fn linked_libraries(program: &Path) -> Vec<String> {
    let records = records_of(program).unwrap_or_default();
    let linked = records.into_iter().filter_map(|head| match head {
        Head::Linked { libraries, .. } => Some(libraries),
        _ => None,
    });
    linked.flatten().collect()
}
