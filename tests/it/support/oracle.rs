//! Native execution as the oracle: the same program natively and in homi, in equal directories,
//! with the same short environment, shows the same to the outside.

use super::{homi, text};
use nix::unistd;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Observable behavior of a run.
#[derive(PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// The exit status, or what else ended the run.
    pub(crate) status: String,
}

/// Makes a directory with a file of each kind for a program to start in.
pub(crate) fn host_directory(directory: &Path) {
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the mode is set");
    };
    let (sub, inner) = (directory.join("sub"), directory.join("sub/inner"));
    fs::create_dir_all(&sub).expect("a directory");
    mode(directory, 0o755);
    mode(&sub, 0o755);
    fs::write(directory.join("host.txt"), "host file\n").expect("a file");
    fs::write(&inner, "inner\n").expect("a file");
    mode(&inner, 0o644);
    symlink("host.txt", directory.join("link")).expect("a link");
    symlink("loop", directory.join("loop")).expect("a link");
}

/// Runs an executable under a name, which is its argument 0.
pub(crate) fn run_native(
    executable: &Path,
    name: &str,
    arguments: &[String],
    directory: &Path,
    stdin: Stdio,
) -> Outcome {
    let output = Command::new(executable)
        .arg0(name)
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(stdin)
        .output()
        .unwrap_or_else(|error| panic!("{executable:?}: {error}"));
    let code = output.status.code();
    Outcome {
        stdout: output.stdout,
        stderr: output.stderr,
        status: code.map_or("signal".to_string(), |code| code.to_string()),
    }
}

/// Runs bitcode in homi as the user who runs natively; its output and the file with the environment
/// go to `scratch`.
pub(crate) fn run_homi(
    bitcode: &Path,
    arguments: &[String],
    directory: &Path,
    stdin: Stdio,
    scratch: &Path,
) -> Outcome {
    let environment = scratch.join("environment");
    fs::write(&environment, "PATH=/usr/bin:/bin\n").expect("the environment is written");
    let out = scratch.join("out");
    let output = Command::new(homi())
        .args([
            "run",
            "--quiet",
            "--max-time",
            "120s",
            "--input-layouts",
            "off",
        ])
        .arg("--uid")
        .arg(unistd::geteuid().to_string())
        .arg("--output-dir")
        .arg(&out)
        .arg("--env-file")
        .arg(&environment)
        .arg(bitcode)
        .arg("--")
        .args(arguments)
        .current_dir(directory)
        .stdin(stdin)
        .output()
        .expect("homi runs");
    let read = |name: &str| fs::read(out.join(name)).unwrap_or_default();
    let status = serde_json::from_slice(&read("summary.json")).map_or_else(
        |_| format!("homi failed: {}", text(&output)),
        |summary| describe_end(&summary),
    );
    Outcome {
        stdout: read("stdout.txt"),
        stderr: read("stderr.txt"),
        status,
    }
}

/// The exit status of the only path, or what else ended it.
fn describe_end(summary: &Value) -> String {
    let statuses = &summary["exit_statuses"];
    let only = statuses.as_object().filter(|statuses| statuses.len() == 1);
    match only.and_then(|statuses| statuses.keys().next()) {
        Some(status) => status.clone(),
        None => format!(
            "{statuses} errors {} unsupported features {}",
            summary["errors"], summary["unsupported"]
        ),
    }
}
