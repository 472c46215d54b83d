//! The modelled kernel as an object that a native program is run on (`LD_PRELOAD`).
//!
//! Idea: a path in the engine met symbolic statistics, failing calls, a clock that stands still and
//! files of one directory. No real file system gives a process that, so the replay answers its
//! system calls with the same kernel (runtime/kernel), compiled natively, whose symbolic objects
//! are the test's. The sandbox stays around it. Statically linked programs and processors other
//! than x86-64 go without: then the test's files are real ones, as far as they can be (`inputs`).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::sandbox::Sandbox;
use crate::testcase::Surroundings;
use crate::testcase::ktest::KTest;

/// Compiled by build/main.rs; empty if that was not possible.
const MODEL: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/model.so"));

/// Puts the object where programs can load it. Err: why tests will meet real files only.
pub(super) fn install(sandbox: &Sandbox) -> Result<PathBuf, String> {
    if MODEL.is_empty() {
        return Err("homi was built without the modelled kernel (x86-64 only)".to_string());
    }
    let target = sandbox.shared().join("model.so");
    let made = fs::write(&target, MODEL)
        .and_then(|()| fs::set_permissions(&target, fs::Permissions::from_mode(0o755)));
    made.map_err(|error| format!("{}: {error}", target.display()))?;
    Ok(target)
}

/// The variables that tell the object about a test; it hides them from the program. `number` names
/// the copy of the test that the program's user can read.
pub(super) fn environment(
    sandbox: &Sandbox,
    test: &KTest,
    number: usize,
    surroundings: &Surroundings,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let file = sandbox.shared().join(format!("model{number}.ktest"));
    test.write(&file)?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
    let [user, effective_user, group, effective_group] = surroundings.ids;
    let variables = [
        format!("HOMI_MODEL_TEST={}", file.display()),
        format!("HOMI_MODEL_ROOT={}", surroundings.directory.display()),
        format!("HOMI_MODEL_IDS={user} {effective_user} {group} {effective_group}"),
    ];
    Ok(variables.map(String::into_bytes).to_vec())
}
