//! Measures the interpreter alone: loads a bitcode file without libc, runs `main` concretely and
//! prints instructions per second. `cargo run --release --example concrete_speed FILE.bc`

use homi::bitcode::{LoadOptions, load};
use homi::exec::{EmptyWorld, ExecConfig, Executor, Observer, Step};
use homi::expr::Terms;
use homi::solver::NoOracle;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> anyhow::Result<()> {
    for file in std::env::args().skip(1) {
        let program = load(&LoadOptions::new(&file))?;
        let terms = Terms::new();
        let config = ExecConfig::default();
        let interrupt = AtomicBool::new(false);
        let executor = Executor::new(&program, &terms, &config, &interrupt)?;
        let mut observer = Observer::new(executor.segments(), program.entry);
        let mut state = executor.initial_state(program.entry, &[]);
        let mut world = EmptyWorld::default();
        let start = Instant::now();
        let end = loop {
            match executor.run(
                &mut state,
                &mut NoOracle::default(),
                world.view(),
                &mut observer,
                1 << 30,
            ) {
                Step::Continue => {}
                Step::Forked(_) => anyhow::bail!("{file}: the program forked"),
                Step::Ended(end) => break end,
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let instructions = observer.instructions;
        println!(
            "{file}: {instructions} instructions, {seconds:.3} s, {:.1} M/s, {end:?}",
            instructions as f64 / seconds / 1e6
        );
    }
    Ok(())
}
