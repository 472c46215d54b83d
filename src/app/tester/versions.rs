//! The two versions that are compared: how they are built, and how each is explored.
//!
//! Invariant: both are explored with the same options on the same symbolic input.

use super::bitcode::compile_bitcode;
use super::build::BuildError;
use super::comparison::{Side, Version};
use super::given::Given;
use super::native::build_plain;
use super::subject::{give_usual_arguments, wants_usual_inputs};
use super::symbolic::harness_calls;
use homi_config::{Budget, NativeConfig, Others, RunConfig};
use homi_native::testcase::tests_in;
use homi_report::{OutputDirectory, Summary};
use std::io;
use std::path::{Path, PathBuf};

/// Tests of the old version that the new one follows first.
const SEEDS: usize = 200;

/// Reason why two versions cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// The files cannot be compared.
    #[error("{0}")]
    Request(String),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error("cannot read the bitcode")]
    Bitcode(#[source] io::Error),
}

/// The old and the new version, built.
pub struct Versions {
    pub both: [Version; 2],
    /// One of them makes its inputs symbolic itself.
    makes_symbolic: bool,
}

impl Versions {
    /// Builds both into `directory`, as bitcode that an LLVM of version `newest` reads.
    ///
    /// # Errors
    /// Fails if a file is not a program that runs natively, or cannot be compiled.
    pub fn build(
        (old, new): (&Path, &Path),
        newest: u32,
        native: &NativeConfig,
        directory: &OutputDirectory,
    ) -> Result<Self, VersionError> {
        let (old, old_is_symbolic) = built((Side::Old, old), newest, native, directory)?;
        let (new, new_is_symbolic) = built((Side::New, new), newest, native, directory)?;
        Ok(Self {
            both: [old, new],
            makes_symbolic: old_is_symbolic || new_is_symbolic,
        })
    }

    /// The run that explores a version: in half of the time, with a test for each path. The new one
    /// first follows tests of the old one, which are in `directory`.
    pub fn run_of(
        &self,
        version: &Version,
        run: &RunConfig,
        directory: &OutputDirectory,
    ) -> RunConfig {
        let mut run = run.clone();
        if wants_usual_inputs(&run, self.makes_symbolic) {
            give_usual_arguments(&mut run);
        }
        run.program.inputs.clone_from(&version.bitcode);
        run.tests.all = true;
        (run.output.directory, run.output.quiet) = (None, true);
        if let Budget::Time(time) = run.budget.time {
            run.budget.time = Budget::Time(time / 2);
        }
        if version.side == Side::New && run.campaign.is_none() {
            let mut seeds = tests_in(&directory.file(Side::Old.name())).unwrap_or_default();
            seeds.truncate(SEEDS);
            (run.seeds.files, run.seeds.others) = (seeds, Others::Later);
        }
        run
    }
}

/// Compiles a version, if it has to be. Also says whether it makes its inputs symbolic itself.
fn built(
    (side, file): (Side, &Path),
    newest: u32,
    native: &NativeConfig,
    directory: &OutputDirectory,
) -> Result<(Version, bool), VersionError> {
    let place = directory.file(&format!("{}-build", side.name()));
    let files: [PathBuf; 1] = [file.to_path_buf()];
    let name = file.display().to_string();
    let version = |bitcode, exe| Version {
        side,
        name: name.clone(),
        bitcode,
        exe,
    };
    match Given::of(&files, native).map_err(VersionError::Request)? {
        Given::Sources(sources) => {
            let compiled = compile_bitcode(newest, &sources)?;
            let bitcode = compiled.keep_in(&place)?;
            let calls = harness_calls(&bitcode).map_err(VersionError::Bitcode)?;
            let exe = build_plain(&sources, calls, &place)?;
            Ok((version(bitcode, exe), calls.makes_symbolic))
        }
        Given::Executable(exe) => Ok((version(vec![exe.clone()], exe), false)),
        Given::Bitcode(_) => Err(VersionError::Request(format!(
            "{name} is bitcode, which does not run natively, so no difference can be confirmed; \
             give C files, or executables built by `homi cc`"
        ))),
    }
}

/// Returns what was not explored of the old and the new version.
pub fn unfollowed(summaries: &[Summary]) -> Vec<String> {
    let both = [Side::Old, Side::New].into_iter().zip(summaries);
    let open = both.filter(|(_, summary)| summary.stop_reason != "exhausted");
    open.map(|(side, summary)| {
        let (side, reason) = (side.name(), &summary.stop_reason);
        format!("not all paths of the {side} version were explored ({reason})")
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;
    use homi_config::CheckConfig;
    use std::time::Duration;

    fn versions(makes_symbolic: bool) -> Versions {
        let version = |side: Side| Version {
            side,
            name: side.name().to_string(),
            bitcode: vec![PathBuf::from(format!("{}.bc", side.name()))],
            exe: PathBuf::from(side.name()),
        };
        Versions {
            both: [version(Side::Old), version(Side::New)],
            makes_symbolic,
        }
    }

    #[test]
    fn both_versions_have_half_of_the_time_and_the_same_input() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = OutputDirectory::open(place.path());
        let arguments = ["old.c", "new.c", "--max-time", "10s", "--"];
        let run = options::parse(arguments).expect("options");
        std::fs::create_dir(place.path().join("old")).expect("a directory");
        let test = place.path().join("old/test000001.ktest");
        std::fs::write(&test, "").expect("written");
        let versions = versions(false);
        let runs = versions.both.each_ref();
        let [old, new] = runs.map(|version| versions.run_of(version, &run, &directory));
        assert_eq!(old.budget.time, Budget::Time(Duration::from_secs(5)));
        assert_eq!(old.program.inputs, [PathBuf::from("old.bc")]);
        assert!(old.tests.all && old.output.quiet && old.seeds.files.is_empty());
        assert!(!old.program.arguments.is_empty());
        assert_eq!(old.program.arguments, new.program.arguments);
        assert_eq!(new.seeds.files, [test]);
    }

    #[test]
    fn bitcode_alone_cannot_be_compared() {
        let place = tempfile::tempdir().expect("a directory");
        let directory = OutputDirectory::open(place.path());
        let file = place.path().join("old.bc");
        std::fs::write(&file, "").expect("written");
        let native = NativeConfig {
            compile: Vec::new(),
            link: Vec::new(),
            checks: CheckConfig::BASIC,
            timeout: Duration::ZERO,
            keep: false,
            objects: None,
        };
        let refused = Versions::build((&file, &file), 19, &native, &directory).err();
        assert!(matches!(refused, Some(VersionError::Request(text)) if text.contains("bitcode")));
    }
}
