//! argv and envp in a state's memory, and the first call's registers.
//!
//! Each string and each of the two arrays is a separate object, so a step past an argument's end is
//! detected, although natively they are adjacent.

use crate::memory::{AccessError, AllocationSite, Memory, ObjectKind, function_address};
use crate::state::State;
use homi_ir::program::Program;

/// Arguments and environment of the program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ProgramArguments {
    /// `argv`, the program's name first; no NULs inside.
    pub arguments: Vec<Vec<u8>>,
    /// `NAME=VALUE` entries in order.
    pub environment: Vec<Vec<u8>>,
}

/// Reason why arguments cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("{0} contains a NUL byte")]
    Nul(String),
    #[error("the arguments and the environment do not fit into memory")]
    TooLarge,
    #[error("writing the arguments failed: {0}")]
    Access(#[from] Box<AccessError>),
    #[error("line {line} of the environment file is not NAME=VALUE: {text}")]
    Environment { line: usize, text: String },
}

/// The environment of programs when the user names none: small, and the same everywhere.
pub fn default_environment(working_directory: &[u8]) -> Vec<Vec<u8>> {
    let here = |name: &[u8]| [name, working_directory].concat();
    vec![
        b"PATH=/usr/local/bin:/usr/bin:/bin".to_vec(),
        b"HOME=/".to_vec(),
        here(b"PWD="),
        // A replay has it, because its sandbox lets programs write nowhere else; they branch on it.
        here(b"TMPDIR="),
    ]
}

/// The entries of an `--env-file`: one `NAME=VALUE` per line; empty lines are skipped.
pub fn parse_environment_file(text: &[u8]) -> Result<Vec<Vec<u8>>, SetupError> {
    let mut entries = Vec::new();
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        if line
            .iter()
            .position(|byte| *byte == b'=')
            .is_none_or(|at| at == 0)
            || line.contains(&0)
        {
            return Err(SetupError::Environment {
                line: index + 1,
                text: String::from_utf8_lossy(line).into_owned(),
            });
        }
        entries.push(line.to_vec());
    }
    Ok(entries)
}

/// Puts argv and envp into the memory of an initial state and their addresses into the registers of
/// its first call: `main(argc, argv, envp)`, or with a runtime `__homi_entry(main, argc, argv,
/// envp)`.
pub fn set_up(
    program: &Program,
    state: &mut State,
    arguments: &ProgramArguments,
) -> Result<(), SetupError> {
    let argv = strings(&mut state.memory, &arguments.arguments, "argv")?;
    let envp = strings(&mut state.memory, &arguments.environment, "envp")?;
    let mut values = vec![arguments.arguments.len() as u64, argv, envp];
    let function = state.frames.top().function;
    if program.runtime_entry == Some(function) {
        values.insert(0, function_address(program.entry));
    }
    let frame = state.frames.top_mut();
    for (param, value) in program.function(function).params.iter().zip(values) {
        frame.bits[param.slot.index()] = value;
    }
    Ok(())
}

/// An array of pointers to the strings with a null pointer at its end.
fn strings(memory: &mut Memory, texts: &[Vec<u8>], name: &'static str) -> Result<u64, SetupError> {
    let site = AllocationSite::Engine(name);
    let allocate = |memory: &mut Memory, size: usize| {
        memory
            .allocate(ObjectKind::Argument, size as u64, 16, site)
            .ok_or(SetupError::TooLarge)
    };
    let width = memory.pointers().bytes() as usize;
    let array = allocate(memory, width * (texts.len() + 1))?;
    let mut pointers = Vec::with_capacity(width * (texts.len() + 1));
    for text in texts {
        if text.contains(&0) {
            return Err(SetupError::Nul(String::from_utf8_lossy(text).into_owned()));
        }
        let address = allocate(memory, text.len() + 1)?;
        memory.write_bytes(address, text)?;
        memory.write_bytes(address + text.len() as u64, &[0])?;
        pointers.extend_from_slice(&address.to_le_bytes()[..width]);
    }
    pointers.extend_from_slice(&[0; 8][..width]);
    memory.write_bytes(array, &pointers)?;
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_objects_with_a_null_at_the_end_of_the_array() {
        let mut memory = Memory::new(Default::default());
        let texts = [b"prog".to_vec(), b"".to_vec(), b"-n".to_vec()];
        let array = strings(&mut memory, &texts, "argv").expect("room");
        for (index, text) in texts.iter().enumerate() {
            let pointer = memory.read_word(array + 8 * index as u64, 8);
            let pointer = pointer.expect("in bounds").expect("concrete");
            let mut expected = text.clone();
            expected.push(0);
            let length = expected.len() as u64;
            assert_eq!(memory.read_bytes(pointer, length), Ok(Some(expected)));
            assert!(
                memory
                    .read_byte(&homi_solver::term::Terms::new(), pointer + length)
                    .is_err()
            );
        }
        assert_eq!(memory.read_word(array + 24, 8), Ok(Some(0)));
        assert!(memory.read_word(array + 32, 8).is_err());
        assert!(strings(&mut memory, &[b"a\0b".to_vec()], "argv").is_err());
    }

    #[test]
    fn environment_files_are_checked() {
        let parsed = parse_environment_file(b"A=1\n\nB=\n").expect("well formed");
        assert_eq!(parsed, [b"A=1".to_vec(), b"B=".to_vec()]);
        let error = parse_environment_file(b"A=1\nnonsense\n").expect_err("malformed");
        assert!(error.to_string().contains("line 2"));
        assert!(parse_environment_file(b"=x\n").is_err());
    }
}
