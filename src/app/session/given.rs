//! Arguments, environment and file directory of the program, from the options.

use super::SessionError;
use homi_config::RunConfig;
use homi_ir::program::Program;
use homi_machine::host::{default_environment, parse_environment_file};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The program's environment: the lines of `--env-file`, or little enough to be the same
/// everywhere.
pub(super) fn environment(config: &RunConfig) -> Result<Vec<Vec<u8>>, SessionError> {
    let directory = files_directory(config)?;
    let Some(path) = &config.program.env_file else {
        return Ok(default_environment(directory.as_os_str().as_bytes()));
    };
    let shown = path.display();
    let failed = SessionError::io(format!("cannot read the environment file {shown}"));
    let text = std::fs::read(path).map_err(failed)?;
    parse_environment_file(&text).map_err(|source| SessionError::Environment {
        path: path.clone(),
        source,
    })
}

/// The directory whose files the program sees.
pub(super) fn files_directory(config: &RunConfig) -> Result<PathBuf, SessionError> {
    let given = &config.program.files_dir;
    let cannot = || format!("cannot use {} as the program's directory", given.display());
    let found = given.canonicalize().map_err(SessionError::io(cannot()))?;
    if !found.is_dir() {
        let text = format!("{}: it is not a directory", cannot());
        return Err(SessionError::Missing(text));
    }
    Ok(found)
}

/// `argv`: the program is called by its file's name without `.bc`.
pub(super) fn arguments(config: &RunConfig, program: &Program) -> Vec<Vec<u8>> {
    let name = program.name.strip_suffix(".bc").unwrap_or(&program.name);
    let rest = config.program.arguments.iter();
    std::iter::once(name.as_bytes().to_vec())
        .chain(rest.map(|argument| argument.as_bytes().to_vec()))
        .collect()
}

/// `args` of a `.ktest`: the bitcode's name and the arguments as typed.
pub(super) fn test_arguments(config: &RunConfig, program: &Program) -> Vec<Vec<u8>> {
    let mut arguments = arguments(config, program);
    arguments[0] = program.name.as_bytes().to_vec();
    arguments
}
