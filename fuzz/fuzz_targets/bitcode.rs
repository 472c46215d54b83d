//! The bitcode entrance: a file is read, linked, numbered and lowered, or refused. Each input runs
//! in a child process, as `homi __lower` does it, so a crash or an endless loop of LLVM's reader is
//! fine; a panic, a hang of homi or code that names what does not exist is not. A lowered program
//! also survives its text form and its first instructions.
#![no_main]

use homi::app::session::Standalone;
use homi::ir::program::{Program, text};
use homi::llvm::{Event, LoadOptions, load_reporting};
use homi::solver::NoOracle;
use homi_fuzz::bitstream::{Choices, mutate};
use homi_fuzz::isolated::{End, on_own_time, run};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::path::PathBuf;
use std::sync::LazyLock;

/// Instructions that a lowered program runs.
const INSTRUCTIONS: u64 = 20_000;

fn execute(program: &Program) {
    let bare = Standalone::of(program);
    let Ok(mut walk) = bare.walk() else {
        return;
    };
    let mut state = walk.executor.initial_state(program.entry, &[1, 0]);
    walk.step(&mut state, &mut NoOracle::default(), INSTRUCTIONS);
}

/// One file per fuzzer, in memory where the machine has such a place.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let directory = if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    };
    directory.join(format!("homi-fuzz-{}.bc", std::process::id()))
});

fuzz_target!(|bytes: &[u8]| {
    std::fs::write(&*FILE, bytes).expect("the input can be written");
    let end = run(|| {
        let options = LoadOptions::new(&*FILE);
        let read = &mut |event: Event<'_>| {
            if event == Event::Read {
                on_own_time();
            }
        };
        if let Ok(program) = load_reporting(&options, read) {
            let printed = text::print(&program);
            assert_eq!(
                text::parse(&printed).as_ref(),
                Ok(&program),
                "the text form is not exact"
            );
            execute(&program);
        }
    });
    assert!(!matches!(end, End::Panicked | End::Hung), "{end:?}");
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut choices = Choices::new(seed);
    let mut bytes = data[..size].to_vec();
    if choices.below(32) == 0 || !mutate(&mut bytes, &mut choices) {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..bytes.len()].copy_from_slice(&bytes);
    bytes.len()
});
