//! Random sequences of calls compared with a map of bytes, in all forks; what fails is shrunk.

use super::*;
use homi_solver::term::{Byte, Model, Terms};
use proptest::prelude::*;

const SITE: AllocationSite = AllocationSite::Engine("trace");

/// Numbers in calls choose among what there is, by their remainders.
#[derive(Clone, Debug)]
enum Call {
    Allocate {
        size: u64,
    },
    Free {
        block: usize,
    },
    Write {
        block: usize,
        at: u64,
        bytes: u32,
        value: u64,
    },
    WriteInput {
        block: usize,
        at: u64,
        input: u32,
    },
    /// A byte at as many bytes from `at` as an input says, which is below `span`.
    WriteSomewhere {
        block: usize,
        at: u64,
        span: u64,
        value: u8,
    },
    ReadSomewhere {
        block: usize,
        at: u64,
        span: u64,
    },
    Fork,
    /// Continues with another of the forks.
    Switch {
        fork: usize,
    },
}

fn call() -> impl Strategy<Value = Call> {
    let at = || (any::<usize>(), 0..400u64);
    let sizes = prop::sample::select(vec![0u64, 1, 8, 100, 257]);
    prop_oneof![
        2 => sizes.prop_map(|size| Call::Allocate { size }),
        1 => any::<usize>().prop_map(|block| Call::Free { block }),
        4 => (at(), 1..9u32, any::<u64>())
            .prop_map(|((block, at), bytes, value)| Call::Write { block, at, bytes, value }),
        2 => (at(), 0..4u32).prop_map(|((block, at), input)| Call::WriteInput { block, at, input }),
        2 => (at(), 1..20u64, any::<u8>())
            .prop_map(|((block, at), span, value)| Call::WriteSomewhere { block, at, span, value }),
        2 => (at(), 1..20u64)
            .prop_map(|((block, at), span)| Call::ReadSomewhere { block, at, span }),
        1 => Just(Call::Fork),
        2 => any::<usize>().prop_map(|fork| Call::Switch { fork }),
    ]
}

/// Bytes for the one input of the trace.
#[derive(Clone, Default)]
struct Naive {
    blocks: Vec<(u64, u64)>,
    bytes: BTreeMap<u64, u8>,
}

impl Naive {
    /// Returns a block, and the offset of this many bytes in it; `None` if they do not fit.
    fn place(&self, block: usize, at: u64, bytes: u64) -> Option<(u64, u64)> {
        let (base, size) = *self.blocks.get(block.checked_rem(self.blocks.len())?)?;
        let room = (size + 1).checked_sub(bytes)?;
        Some((base, at.checked_rem(room)?))
    }
}

struct Trace {
    terms: Terms,
    array: homi_solver::term::ArrayId,
    model: Model,
    forks: Vec<(Memory, Naive)>,
    now: usize,
}

impl Trace {
    fn new(input: [u8; 4]) -> Self {
        let terms = Terms::new();
        let array = terms.array("x", 0, 4);
        let mut model = Model::new();
        for (index, value) in (0..).zip(input) {
            model.set(Byte { array, index }, value);
        }
        let forks = vec![(Memory::new(Default::default()), Naive::default())];
        Self {
            terms,
            array,
            model,
            forks,
            now: 0,
        }
    }

    fn value(&self, value: Value) -> u64 {
        match value {
            Value::Concrete(value) => value as u64,
            Value::Term(term) => self.terms.eval(term, &self.model) as u64,
        }
    }

    /// An offset below `at + span` that an input chooses: the term and what it is here.
    fn offset(&self, at: u64, span: u64) -> (Term, u64) {
        let terms = &self.terms;
        let input = terms.symbol(Byte {
            array: self.array,
            index: 3,
        });
        let below = terms.bin(
            homi_ir::ops::BinOp::URem,
            terms.zext(input, 64),
            terms.constant(64, span.into()),
        );
        let offset = terms.bin(
            homi_ir::ops::BinOp::Add,
            below,
            terms.constant(64, at.into()),
        );
        (offset, terms.eval(offset, &self.model) as u64)
    }

    fn make(&mut self, call: &Call) {
        let now = self.now;
        let naive = self.forks[now].1.clone();
        match *call {
            Call::Allocate { size } => {
                let (memory, naive) = &mut self.forks[now];
                let base = memory
                    .allocate(ObjectKind::Heap, size, 16, SITE)
                    .expect("room");
                naive.blocks.push((base, size));
                naive
                    .bytes
                    .extend((base..base + size).map(|at| (at, UNINITIALISED)));
            }
            Call::Free { block } if !naive.blocks.is_empty() => {
                let (memory, naive) = &mut self.forks[now];
                let (base, size) = naive.blocks.remove(block % naive.blocks.len());
                memory.free(base, SITE).expect("a block");
                naive
                    .bytes
                    .retain(|at, _| !(base..base + size).contains(at));
                assert!(memory.free(base, SITE).is_err());
            }
            Call::Write {
                block,
                at,
                bytes,
                value,
            } => {
                let Some((base, at)) = naive.place(block, at, bytes.into()) else {
                    return;
                };
                let (memory, naive) = &mut self.forks[now];
                let value = value & u64::MAX >> (64 - 8 * bytes);
                let written = Value::Concrete(value.into());
                memory
                    .write(&self.terms, base + at, bytes, written)
                    .expect("in bounds");
                for index in 0..u64::from(bytes) {
                    naive
                        .bytes
                        .insert(base + at + index, (value >> (8 * index)) as u8);
                }
            }
            Call::WriteInput { block, at, input } => {
                let Some((base, at)) = naive.place(block, at, 1) else {
                    return;
                };
                let byte = Byte {
                    array: self.array,
                    index: input,
                };
                let (memory, naive) = &mut self.forks[now];
                let written = Value::Term(self.terms.symbol(byte));
                memory
                    .write(&self.terms, base + at, 1, written)
                    .expect("in bounds");
                naive.bytes.insert(base + at, self.model.get(byte));
            }
            Call::WriteSomewhere {
                block,
                at,
                span,
                value,
            } => {
                let Some((base, at)) = naive.place(block, at, span) else {
                    return;
                };
                let (offset, place) = self.offset(at, span);
                let (memory, naive) = &mut self.forks[now];
                let object = memory.object_at(base).expect("an object");
                let (range, written) = ((at, at + span - 1), Value::Concrete(value.into()));
                let put = memory.write_symbolic(&self.terms, &object, offset, range, 1, written);
                put.expect("in bounds");
                naive.bytes.insert(base + place, value);
            }
            Call::ReadSomewhere { block, at, span } => {
                let Some((base, at)) = naive.place(block, at, span) else {
                    return;
                };
                let (offset, place) = self.offset(at, span);
                let memory = &self.forks[now].0;
                let object = memory.object_at(base).expect("an object");
                let read =
                    memory.read_symbolic(&self.terms, &object, offset, (at, at + span - 1), 1);
                let read = self.value(read.expect("in bounds"));
                assert_eq!(read, u64::from(naive.bytes[&(base + place)]));
            }
            Call::Fork if self.forks.len() < 4 => {
                let fork = self.forks[now].clone();
                self.forks.push(fork);
            }
            Call::Switch { fork } => self.now = fork % self.forks.len(),
            Call::Free { .. } | Call::Fork => {}
        }
    }

    fn compare(&self) {
        for (memory, naive) in &self.forks {
            for (&address, &expected) in &naive.bytes {
                let read = memory.read(&self.terms, address, 1).expect("in bounds");
                assert_eq!(self.value(read), u64::from(expected), "{address:#x}");
            }
            for &(base, size) in &naive.blocks {
                assert!(memory.read(&self.terms, base + size, 1).is_err());
            }
            let live: u64 = naive.blocks.iter().map(|block| block.1).sum();
            assert_eq!(memory.heap_bytes(), live);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn every_fork_has_the_bytes_of_the_map(
        input: [u8; 4],
        calls in prop::collection::vec(call(), 0..60),
    ) {
        let mut trace = Trace::new(input);
        calls.iter().for_each(|call| trace.make(call));
        trace.compare();
    }
}
