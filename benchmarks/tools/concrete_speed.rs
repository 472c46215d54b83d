//! Measures the interpreter alone: loads a bitcode file without libc, runs `main` concretely and
//! prints instructions per second. `cargo run --release --example concrete_speed FILE.bc`

use homi::app::session::Standalone;
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::Step;
use homi::solver::NoOracle;
use std::time::Instant;

fn main() -> anyhow::Result<()> {
    for file in std::env::args().skip(1) {
        let program = load(&LoadOptions::new(&file))?;
        let bare = Standalone::of(&program);
        let mut walk = bare.walk()?;
        let mut state = walk.first_state();
        let start = Instant::now();
        let end = loop {
            match walk.step(&mut state, &mut NoOracle::default(), 1 << 30) {
                Step::Continue => {}
                Step::Forked(_) | Step::Absent(_) => anyhow::bail!("{file}: the program forked"),
                Step::Ended(end) => break end,
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let instructions = walk.observer.instructions;
        println!(
            "{file}: {instructions} instructions, {seconds:.3} s, {:.1} M/s, {end:?}",
            instructions as f64 / seconds / 1e6
        );
    }
    Ok(())
}
