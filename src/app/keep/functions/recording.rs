//! Native builds of a file of tests, and what its cases write down there.

use super::body::Values;
use crate::tester::TestedProgram;
use anyhow::{Context, bail};
use homi_build::toolchain::{gcc, newest_clang};
use homi_llvm::llvm_version;
use homi_native::kept::{Builds, Case, End, Recorder, Refusal};
use homi_native::replay::sandbox::{Limits, SandboxKind};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The header of the tests.
pub(super) const HEADER: &str = include_str!("../../../../runtime/keep/homi_check.h");

/// The header that makes the tests a group of CMocka.
pub(super) const CMOCKA: &str = include_str!("../../../../runtime/keep/homi_cmocka.h");

/// Result of one case.
pub(super) enum Ended {
    /// The case returned, with these values.
    Returned(Values),
    Signal(i32),
    /// The case has no expectation, and why.
    Refused(String),
}

/// Surroundings of native runs.
pub(super) struct Surroundings<'a> {
    pub(super) sandbox: SandboxKind,
    pub(super) limits: &'a Limits,
    pub(super) interrupt: &'a Arc<AtomicBool>,
}

/// Builds of one file of tests.
pub(super) struct Recording {
    recorder: Recorder,
    _directory: tempfile::TempDir,
}

impl Recording {
    /// Compiles a file of tests with the flags of the program, with `-O2`, and with clang.
    ///
    /// # Errors
    /// Fails if it cannot be compiled; the message has the compiler's first words.
    pub(super) fn build(
        text: &str,
        define: &[&str],
        program: &TestedProgram,
        around: &Surroundings<'_>,
    ) -> anyhow::Result<Self> {
        let directory = tempfile::tempdir().context("cannot create a temporary directory")?;
        let place = directory.path();
        let write = |name: &str, text: &str| {
            fs::write(place.join(name), text).with_context(|| format!("cannot write {name}"))
        };
        write("homi_check.h", HEADER)?;
        write("test.c", text)?;
        let gcc = gcc()
            .context("no gcc found; run apt-get install gcc libc6-dev")?
            .program;
        let clang = newest_clang(llvm_version()).map_or_else(|| gcc.clone(), |one| one.program);
        let mut builds = Vec::new();
        for (number, (compiler, level)) in [(&gcc, "-g"), (&gcc, "-O2"), (&clang, "-O0")]
            .into_iter()
            .enumerate()
        {
            let exe = place.join(format!("test{number}"));
            compile(compiler.as_ref(), level, define, program, &exe, place)?;
            builds.push(exe);
        }
        let counted = builds.pop().unwrap_or_default();
        let builds = Builds {
            name: "test".to_string(),
            compared: builds,
            counted: (counted, 0),
            libraries: Vec::new(),
        };
        let limits = around.limits.clone();
        Ok(Self {
            recorder: Recorder::new(&builds, around.sandbox, limits, around.interrupt)?,
            _directory: directory,
        })
    }

    /// Runs a case that writes its values down.
    pub(super) fn record(&self, name: &str) -> anyhow::Result<Ended> {
        let expected = match self.recorder.record(&named(name))? {
            Ok(expected) => expected,
            Err(Refusal::Unsafe(why) | Refusal::Unsteady(why)) => return Ok(Ended::Refused(why)),
        };
        if let End::Signal(number) = expected.end {
            return Ok(Ended::Signal(number));
        }
        let Some(files) = expected.files else {
            return Ok(Ended::Refused("what it computes varies".to_string()));
        };
        let written = files
            .get(&b"homi-record"[..])
            .cloned()
            .flatten()
            .unwrap_or_default();
        let written = String::from_utf8_lossy(&written).into_owned();
        if !written.ends_with("end\n") {
            return Ok(Ended::Refused("the function does not return".to_string()));
        }
        let values = written.lines().filter_map(|line| {
            let (line, value) = line.split_once(' ')?;
            Some((line.parse().ok()?, value.to_string()))
        });
        Ok(Ended::Returned(values.collect()))
    }

    /// Returns whether a case passes.
    pub(super) fn passes(&self, name: &str) -> anyhow::Result<bool> {
        let ran = self.recorder.record(&named(name))?;
        let stdout = ran
            .ok()
            .and_then(|expected| expected.stdout)
            .unwrap_or_default();
        let stdout = String::from_utf8_lossy(&stdout).into_owned();
        Ok(stdout.lines().any(|line| line.starts_with("ok 1 ")))
    }
}

/// A run of the test program for one case.
fn named(name: &str) -> Case {
    Case {
        arguments: vec![name.as_bytes().to_vec()],
        ..Case::default()
    }
}

/// Compiles the tests with one compiler, and links the program's other files.
fn compile(
    compiler: &Path,
    level: &str,
    define: &[&str],
    program: &TestedProgram,
    exe: &Path,
    place: &Path,
) -> anyhow::Result<()> {
    let mut objects: Vec<PathBuf> = Vec::new();
    for (number, source) in program.sources.iter().skip(1).enumerate() {
        let object = place.join(format!("other{number}.o"));
        let mut command = Command::new(compiler);
        command
            .args(&program.compile)
            .args(["-w", level, "-Dmain=homi_program_main", "-c"]);
        run(command.arg(source).arg("-o").arg(&object))?;
        objects.push(object);
    }
    let mut command = Command::new(compiler);
    command
        .args(&program.compile)
        .args(["-w", level])
        .args(define);
    command
        .arg("-I")
        .arg(place)
        .arg(place.join("test.c"))
        .args(objects)
        .arg("-o")
        .arg(exe);
    run(command.args(&program.link).args(["-lm", "-lpthread"]))
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let telling = said
        .lines()
        .find(|line| line.contains("error") || line.contains("undefined"));
    bail!(
        "{program} cannot compile the tests: {}",
        telling.unwrap_or(&said).trim()
    )
}
