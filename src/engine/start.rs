//! The initial state: the program's arguments and environment in memory, and the call of its entry.
//!
//! With libc, `__homi_entry(main, argc, argv, envp)` runs; it makes `--sym-args` and friends symbolic, starts
//! libc and calls `main`. Without, the entry function is called as `main(argc, argv, envp)`.

use crate::exec::Executor;
use crate::memory::{AccessError, AllocationSite, Memory, ObjectKind, function_address};
use crate::state::State;

/// The start failed.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("the program's arguments and environment do not fit into memory")]
    TooLarge,
    #[error("the program's arguments cannot be laid out: {0}")]
    Access(String),
}

impl From<Box<AccessError>> for StartError {
    fn from(error: Box<AccessError>) -> Self {
        StartError::Access(error.to_string())
    }
}

/// The state before the program's first instruction. `arguments` includes the program's name;
/// `environment` holds `NAME=value` strings.
pub fn initial_state(
    executor: &Executor<'_>,
    arguments: &[Vec<u8>],
    environment: &[Vec<u8>],
) -> Result<State, StartError> {
    let program = executor.program();
    let entry = program.runtime_entry.unwrap_or(program.entry);
    let mut state = executor.initial_state(entry, &[]);
    let argv = pointer_array(&mut state.memory, arguments, "argv")?;
    let envp = pointer_array(&mut state.memory, environment, "envp")?;
    let argc = arguments.len() as u64;
    let values = if program.runtime_entry.is_some() {
        vec![function_address(program.entry), argc, argv, envp]
    } else {
        vec![argc, argv, envp]
    };
    let frame = state.frames.top_mut();
    for (param, value) in program.function(entry).params.iter().zip(values) {
        let mask = crate::ops::mask(param.width.min(64)) as u64;
        frame.bits[param.slot.index()] = value & mask;
    }
    Ok(state)
}

/// Strings and the array of pointers to them, ended by a null pointer. The address of the array.
fn pointer_array(
    memory: &mut Memory,
    strings: &[Vec<u8>],
    what: &'static str,
) -> Result<u64, StartError> {
    let site = AllocationSite::Engine(what);
    let allocate = |memory: &mut Memory, size: u64, align: u64| {
        memory
            .allocate(ObjectKind::Argument, size, align, site)
            .ok_or(StartError::TooLarge)
    };
    let mut pointers = Vec::with_capacity(strings.len() * 8 + 8);
    for string in strings {
        let mut bytes = string.clone();
        bytes.push(0);
        let address = allocate(memory, bytes.len() as u64, 1)?;
        memory.write_bytes(address, &bytes)?;
        pointers.extend(address.to_le_bytes());
    }
    pointers.extend([0; 8]);
    let array = allocate(memory, pointers.len() as u64, 16)?;
    memory.write_bytes(array, &pointers)?;
    Ok(array)
}
