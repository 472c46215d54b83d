//! Random changes to states that fork, compared with copies of plain numbers; what fails is shrunk.

use super::*;
use crate::exec::{ExecConfig, Executor};
use crate::memory::ByteValue;
use homi_ir::program::FrameObject;
use homi_ir::program::testing::{function, program, ret};
use homi_solver::term::Byte;
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Debug)]
enum Call {
    Register { slot: usize, value: u64 },
    Byte { at: u64, value: u8 },
    Push { value: u64 },
    Pop,
    Condition,
    Decide { side: u8 },
    Model { value: u8 },
    Fork,
    Switch { fork: usize },
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        3 => (0..4usize, any::<u64>()).prop_map(|(slot, value)| Call::Register { slot, value }),
        3 => (0..64u64, any::<u8>()).prop_map(|(at, value)| Call::Byte { at, value }),
        2 => any::<u64>().prop_map(|value| Call::Push { value }),
        2 => Just(Call::Pop),
        1 => Just(Call::Condition),
        1 => (0..2u8).prop_map(|side| Call::Decide { side }),
        1 => any::<u8>().prop_map(|value| Call::Model { value }),
        2 => Just(Call::Fork),
        3 => any::<usize>().prop_map(|fork| Call::Switch { fork }),
    ]
}

/// Content of a state, without sharing.
#[derive(Clone, PartialEq, Debug)]
struct Naive {
    /// The registers of each frame, the innermost last.
    frames: Vec<Vec<u64>>,
    bytes: Vec<u8>,
    conditions: usize,
    decisions: Vec<Decision>,
    input: u8,
}

struct Trace {
    terms: Terms,
    byte: Byte,
    local: u64,
    forks: Vec<(Box<State>, Naive)>,
    now: usize,
}

impl Trace {
    fn new() -> Self {
        let mut main = function("main", vec![vec![ret()]]);
        main.slots = 4;
        main.frame_objects.push(FrameObject {
            size: 64,
            align: 8,
            name: "local".to_string(),
            declared: Default::default(),
            in_block: false,
        });
        let program = program(vec![main]);
        let (terms, interrupt) = (Terms::new(), AtomicBool::new(false));
        let config = ExecConfig::default();
        let executor = Executor::new(&program, &terms, &config, &interrupt).expect("sound roots");
        let state = executor.initial_state(program.entry, &[]);
        drop(executor);
        let mut objects = state.memory.objects();
        let local = objects.next().expect("a local").base;
        let naive = Naive {
            frames: vec![state.frames.top().bits.clone()],
            bytes: vec![crate::memory::UNINITIALISED; 64],
            conditions: 0,
            decisions: Vec::new(),
            input: 0,
        };
        let array = terms.array("x", 0, 1);
        let byte = Byte { array, index: 0 };
        let forks = vec![(Box::new(state), naive)];
        Self {
            terms,
            byte,
            local,
            forks,
            now: 0,
        }
    }

    fn make(&mut self, call: &Call) {
        let (state, naive) = &mut self.forks[self.now];
        let depth = naive.frames.len();
        match *call {
            Call::Register { slot, value } => {
                state.frames.top_mut().bits[slot] = value;
                naive.frames[depth - 1][slot] = value;
            }
            Call::Byte { at, value } => {
                let written = state.memory.write_word(self.local + at, 1, value.into());
                written.expect("in bounds");
                naive.bytes[at as usize] = value;
            }
            Call::Push { value } => {
                state.frames.push(Frame::new(FuncId(0), &[value; 4]));
                naive.frames.push(vec![value; 4]);
            }
            Call::Pop if depth > 1 => {
                state.frames.leave(|_, _| ());
                naive.frames.pop();
            }
            Call::Condition => {
                let condition = self
                    .terms
                    .not(self.terms.eq_const(self.terms.symbol(self.byte), 7));
                state.path.add(&self.terms, condition);
                naive.conditions += 1;
            }
            Call::Decide { side } => {
                state.decisions.push(Decision::Branch { side });
                naive.decisions.push(Decision::Branch { side });
            }
            Call::Model { value } => {
                state.model.set(self.byte, value);
                naive.input = value;
            }
            Call::Fork => {
                let fork = (state.fork(), naive.clone());
                if self.forks.len() < 5 {
                    self.forks.push(fork);
                }
            }
            Call::Switch { fork } => self.now = fork % self.forks.len(),
            Call::Pop => {}
        }
    }

    fn seen(&self, state: &State) -> Naive {
        let mut frames: Vec<_> = state
            .frames
            .iter()
            .map(|frame| frame.bits.clone())
            .collect();
        frames.reverse();
        let byte = |at| match state.memory.read_byte(&self.terms, self.local + at) {
            Ok(ByteValue::Concrete(value)) => value,
            other => panic!("{other:?}"),
        };
        Naive {
            frames,
            bytes: (0..64).map(byte).collect(),
            conditions: state.path.len(),
            decisions: state.decisions.to_vec(),
            input: state.model.get(self.byte),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_fork_sees_what_another_does(calls in prop::collection::vec(call(), 0..80)) {
        let mut trace = Trace::new();
        for call in &calls {
            trace.make(call);
        }
        for (state, naive) in &trace.forks {
            prop_assert_eq!(&trace.seen(state), naive);
        }
    }
}
