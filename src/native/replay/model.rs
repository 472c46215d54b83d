//! The modeled kernel as an object that a native program is run on (`LD_PRELOAD`).
//!
//! Idea: a path in the engine met symbolic statistics, failing calls, a clock that stands still and
//! files of one directory. No real file system gives a process that, so the replay answers its
//! system calls with the same kernel (runtime/kernel), compiled natively, whose symbolic objects
//! are the test's. The sandbox stays around it. Statically linked programs and processors other
//! than x86-64 cannot load it: they are replayed on real files only, as far as a test's files can
//! be real ones (`inputs`), and only if the user says so.
//!
//! Invariant: a run in which the model did not tell that it is there counts for nothing.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::preloaded::MODEL;
use super::sandbox::{REPORT_DESCRIPTOR, Sandbox};
use crate::testcase::RunEnvironment;
use crate::testcase::ktest::KTest;

/// The variables that tell the object about a test; it hides them from the program. `number` names
/// the copy of the test that the program's user can read.
pub(super) fn environment(
    sandbox: &Sandbox,
    test: &KTest,
    number: usize,
    run_environment: &RunEnvironment,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let file = sandbox.shared().join(format!("model{number}.ktest"));
    test.write(&file)?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
    let [user, effective_user, group, effective_group] = run_environment.ids;
    let ids = format!("{user} {effective_user} {group} {effective_group}");
    let report = REPORT_DESCRIPTOR.to_string();
    let mut variables = vec![
        variable("TEST", file.as_os_str().as_bytes()),
        variable("ROOT", run_environment.directory.as_os_str().as_bytes()),
        variable("IDS", ids.as_bytes()),
        variable("REPORT", report.as_bytes()),
    ];
    if let Some(hidden) = &run_environment.hidden {
        variables.push(variable("HIDDEN", hidden.as_os_str().as_bytes()));
    }
    let data = run_environment.data.iter();
    let data: Vec<&[u8]> = data.map(|one| one.as_os_str().as_bytes()).collect();
    if !data.is_empty() {
        variables.push(variable("DATA", &data.join(&b'\n')));
    }
    Ok(variables)
}

/// Returns the variables for a repeated execution of a test, from 1, which varies what the model
/// and fresh memory give; the object hides them from the program.
pub(super) fn variation(number: u8) -> [Vec<u8>; 2] {
    let fill = format!("MALLOC_PERTURB_={}", number.wrapping_mul(31) | 1);
    let number = number.to_string();
    [variable("VARIATION", number.as_bytes()), fill.into_bytes()]
}

/// Returns a variable of the model as `NAME=VALUE`.
fn variable(name: &str, value: &[u8]) -> Vec<u8> {
    [b"HOMI_MODEL_", name.as_bytes(), b"=", value].concat()
}

/// Checks by its reports that a run used the model (see runtime/replay/model.c).
///
/// The preloaded object reports that it is loaded before the program's first constructor runs, and
/// that the model is running just before `main`.
///
/// # Errors\nReturns why the model did not run, so that the run shows nothing about its test.
pub(super) fn check_reports(reports: &str, shared: &Path) -> Result<(), String> {
    if let Some(reason) = reports
        .lines()
        .find_map(|line| line.strip_prefix("failed: "))
    {
        return Err(format!("the modelled kernel could not start: {reason}"));
    }
    let reported = |step: &str| reports.lines().any(|line| line == step);
    if reported("running") {
        return Ok(());
    }
    if reported("loaded") {
        return Err(
            "the program ended before main, where the modelled kernel starts, or does not start \
             through the C library; add --real-files to run without the model"
                .to_string(),
        );
    }
    Err(format!(
        "the modelled kernel was not loaded, so the program did not get the test's input: the \
         loader refused {} (a setuid program, or a file system or loader that forbids it), or \
         the program ignores LD_PRELOAD; add --real-files to run without the model",
        shared.join(MODEL.name()).display()
    ))
}
