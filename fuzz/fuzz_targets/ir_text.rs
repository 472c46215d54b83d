//! The reader of the IR's text form: any text is a program or an error with its line, and a program
//! prints to a text that reads back as the same program.
#![no_main]

use homi::ir::program::text;
use homi::llvm::{LoadOptions, load};
use libfuzzer_sys::fuzz_target;

/// Seeds: with `HOMI_FUZZ_PRINT=FILE.bc` the target prints that program's text and is done.
fn print_seed() {
    let Some(path) = std::env::var_os("HOMI_FUZZ_PRINT") else {
        return;
    };
    match load(&LoadOptions::new(path)) {
        Ok(program) => print!("{}", text::print(&program)),
        Err(error) => eprintln!("{error}"),
    }
    std::process::exit(0);
}

fuzz_target!(init: print_seed(), |source: &str| {
    match text::parse(source) {
        Ok(program) => {
            let printed = text::print(&program);
            assert_eq!(text::parse(&printed).as_ref(), Ok(&program), "{printed}");
        }
        Err(error) => assert!((1..=source.lines().count()).contains(&error.line), "{error}"),
    }
});
