//! Writes a program, linked from the user's modules, to files: bitcode, or LLVM's text.
//!
//! Invariant: the output is the user's program before any pass of homi.

use super::c_api::ModuleRef;
use super::link::join::read_program;
use super::link::native::unmark;
use super::read::error::LoadError;
use super::read::inputs::find_modules;
use homi_ir::util::installation;
use inkwell::context::Context;
use std::path::{Path, PathBuf};

/// Reads the program and writes it to each output, as text if the name ends in `.ll`.
pub fn write_program(
    inputs: &[PathBuf],
    entry: &str,
    outputs: &[PathBuf],
) -> Result<(), LoadError> {
    let context = Context::create();
    let joined = read_program(&context, &find_modules(inputs)?, entry, &mut |_| {})?;
    // SAFETY: the module lives to the end of this function, and the handle does not leave it.
    unmark(unsafe { ModuleRef::from_raw(joined.module.as_mut_ptr()) });
    for output in outputs {
        let failed = |reason: String| LoadError::Process {
            reason: format!("cannot write {}: {reason}", output.display()),
        };
        if is_text(output) {
            joined
                .module
                .print_to_file(output)
                .map_err(|error| failed(error.to_string()))?;
        } else if !joined.module.write_bitcode_to_path(output) {
            return Err(failed("LLVM could not".to_string()));
        }
    }
    Ok(())
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ll")
}

/// LLVM's text of a program, written by a child process of `executable`. `None` if it cannot be
/// read: loading the program says why.
pub fn program_text(inputs: &[PathBuf], entry: &str, executable: Option<&Path>) -> Option<String> {
    let directory = tempfile::tempdir().ok()?;
    let output = directory.path().join("program.ll");
    match executable {
        None => write_program(inputs, entry, std::slice::from_ref(&output)).ok()?,
        Some(homi) => {
            let mut command = installation::command(homi);
            let command = command.args(["__print-bitcode", entry, "1"]).arg(&output);
            let silent = std::process::Stdio::null;
            let command = command.args(inputs).stdin(silent()).stderr(silent());
            command.stdout(silent()).status().ok()?;
        }
    }
    let text = std::fs::read(&output).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}
