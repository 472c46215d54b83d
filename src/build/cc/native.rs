//! The native compiler: its arguments, and how it is run.
//!
//! Invariant: it gets the build's own arguments, standard streams and directory. Three things
//! differ: gcc does not get sanitizers that only clang has; objects are compiled without `-flto`,
//! because linkers drop the embedded bitcode of such objects; and the flags of a build for coverage
//! are added at the end.

use super::invocation::{Invocation, Stage};
use super::settings::Settings;
use crate::sanitizers::{Receiver, split};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};

/// Flags that `HOMI_CC_COVERAGE` adds: gcov's counts per line as written.
const COVERAGE: [&str; 3] = ["--coverage", "-O0", "-g"];

/// Beginnings of options that put the linker's optimiser to work.
const LTO: [&str; 3] = ["-flto", "-ffat-lto-objects", "-fno-fat-lto-objects"];

/// The arguments for the native compiler. `probe`: a file of the build system is compiled.
pub fn arguments(
    settings: &Settings,
    invocation: &Invocation,
    stage: Stage,
    probe: bool,
) -> Vec<OsString> {
    let mut arguments = known_arguments(settings);
    let lto = |text: &str| LTO.iter().any(|begin| text.starts_with(begin));
    if stage == Stage::Compile && !probe && invocation.options().any(|item| lto(item.text())) {
        let items = invocation.items.iter();
        let kept = items.filter(|item| item.language.is_some() || !lto(item.text()));
        let kept = kept.flat_map(|item| item.arguments.clone());
        arguments = kept
            .filter_map(|one| known_argument(settings, one))
            .collect();
    }
    if settings.coverage && stage != Stage::Other && !probe {
        arguments.extend(COVERAGE.map(OsString::from));
    }
    arguments
}

/// Returns the build's arguments that the native compiler knows.
fn known_arguments(settings: &Settings) -> Vec<OsString> {
    let arguments = settings.arguments.iter().cloned();
    arguments
        .filter_map(|one| known_argument(settings, one))
        .collect()
}

/// Returns an argument as the native compiler knows it; `None` if it knows nothing of it.
fn known_argument(settings: &Settings, argument: OsString) -> Option<OsString> {
    let parts = argument.to_str().filter(|_| !is_clang(settings));
    match parts.and_then(|flag| split(flag, Receiver::Gcc)) {
        Some(parts) => parts.kept.map(OsString::from),
        None => Some(argument),
    }
}

/// True if the native compiler is clang, which has all sanitizers.
pub fn is_clang(settings: &Settings) -> bool {
    let program = settings.native.first();
    program.is_some_and(|program| program.to_string_lossy().contains("clang"))
}

fn command(settings: &Settings, arguments: &[OsString]) -> std::io::Result<Command> {
    let missing = || std::io::Error::other("the name of the native compiler is empty");
    let (program, first) = settings.native.split_first().ok_or_else(missing)?;
    let mut command = Command::new(program);
    command.args(first).args(arguments);
    Ok(command)
}

/// Becomes the native compiler; returns only if that fails.
pub fn replace(settings: &Settings, arguments: &[OsString]) -> std::io::Error {
    match command(settings, arguments) {
        Ok(mut command) => command.exec(),
        Err(error) => error,
    }
}

/// Runs the native compiler to its end, with this standard input if it was read already.
pub fn run(
    settings: &Settings,
    arguments: &[OsString],
    input: Option<&[u8]>,
) -> std::io::Result<ExitStatus> {
    let mut command = command(settings, arguments)?;
    if input.is_some() {
        command.stdin(Stdio::piped());
    }
    let mut child: Child = command.spawn()?;
    if let (Some(bytes), Some(mut pipe)) = (input, child.stdin.take()) {
        // A compiler that has seen enough closes the pipe.
        let _ = pipe.write_all(bytes);
    }
    child.wait()
}
