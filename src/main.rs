//! The `homi` command: parses the command line, runs it, prints an error once.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    homi::commands::cli::main()
}
