//! Measures the memory of waiting states. Explores a program breadth first until a number of states
//! is open, then drops one part of all states after another and prints the freed bytes per state.
//!
//! `cargo run --release --example state_bytes -- RUNTIME_DIR PROGRAM.bc STATES [ARGUMENT...]`

use homi::app::session::Standalone;
use homi::ir::program::PointerWidth;
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::Step;
use homi::machine::host::ProgramArguments;
use homi::machine::memory::Memory;
use homi::machine::state::{Frame, Frames, State};
use homi::solver::term::Model;
use homi::solver::{PathCondition, Solver, SolverConfig};
use std::collections::VecDeque;
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn allocated() -> u64 {
    let refreshed = tikv_jemalloc_ctl::epoch::advance();
    let bytes = tikv_jemalloc_ctl::stats::allocated::read();
    refreshed.and(bytes).map_or(0, |bytes| bytes as u64)
}

/// Prints what dropping one part of every state gives back.
fn drop_part(name: &str, states: &mut VecDeque<Box<State>>, mut drop: impl FnMut(&mut State)) {
    let before = allocated();
    states.iter_mut().for_each(|state| drop(state));
    let bytes = before.saturating_sub(allocated());
    println!(
        "{name:<12} {:9.0} bytes per state",
        bytes as f64 / states.len() as f64
    );
}

fn main() {
    let mut words = std::env::args().skip(1);
    let (Some(runtime), Some(bitcode), Some(wanted)) = (words.next(), words.next(), words.next())
    else {
        eprintln!("usage: state_bytes RUNTIME_DIR PROGRAM.bc STATES [ARGUMENT...]");
        return;
    };
    let wanted: usize = wanted.parse().unwrap_or(10_000);
    let mut options = LoadOptions::new(&bitcode);
    options.runtime_dir = Some(runtime.into());
    let program = match load(&options) {
        Ok(program) => program,
        Err(error) => return eprintln!("{error}"),
    };
    let bare = Standalone::of(&program);
    let Ok(mut walk) = bare.walk() else {
        return eprintln!("the program cannot be run");
    };
    let names = std::iter::once("program".to_string()).chain(words);
    let arguments = ProgramArguments {
        arguments: names.map(String::into_bytes).collect(),
        environment: Vec::new(),
    };
    let first = match walk.state_with(&arguments) {
        Ok(state) => state,
        Err(error) => return eprintln!("{error}"),
    };
    let entry = first.frames.top().function;
    let mut solver = Solver::new(SolverConfig::default());
    let base = allocated();
    let mut open = VecDeque::from([Box::new(first)]);
    while open.len() < wanted {
        let Some(mut state) = open.pop_front() else {
            break;
        };
        match walk.step(&mut state, &mut solver, 100_000) {
            Step::Continue => open.push_back(state),
            Step::Forked(siblings) => {
                open.push_back(state);
                open.extend(siblings);
            }
            Step::Ended(_) | Step::Absent(_) => {}
        }
    }
    println!(
        "{} states, {} instructions",
        open.len(),
        walk.observer.instructions
    );
    for state in &mut open {
        state.memory.trim();
    }
    let all = allocated() - base;
    println!(
        "everything   {:9.0} bytes per state",
        all as f64 / open.len() as f64
    );
    drop_part("memory", &mut open, |state| {
        state.memory = Memory::new(PointerWidth::Bits64)
    });
    drop_part("path", &mut open, |state| state.path = PathCondition::new());
    drop_part("model", &mut open, |state| state.model = Model::new());
    drop_part("frames", &mut open, |state| {
        state.frames = Frames::new(Frame::new(entry, &[]));
    });
    drop_part("decisions", &mut open, |state| {
        state.decisions = Default::default()
    });
    drop_part("sides", &mut open, |state| state.sides = Arc::default());
    drop_part("symbolics", &mut open, |state| {
        state.symbolics = Default::default();
        state.jumps = Default::default();
    });
    let count = open.len() as f64;
    let before = allocated();
    drop(open);
    let bytes = before.saturating_sub(allocated());
    println!(
        "the rest     {:9.0} bytes per state (State itself: {})",
        bytes as f64 / count,
        size_of::<State>()
    );
}
