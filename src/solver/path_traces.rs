//! Random sequences of conditions and forks compared with the enumeration of two bytes; what fails
//! is shrunk.

use super::*;
use crate::term::Model;
use homi_ir::ops::{BinOp, CmpOp};
use proptest::prelude::*;

/// Number of values of each byte: three bits, all others are excluded first.
const VALUES: u8 = 8;

#[derive(Clone, Debug)]
enum Call {
    /// A comparison of a byte with a number, or of the two bytes if `both`.
    Add {
        op: u8,
        both: bool,
        swapped: bool,
        number: u8,
        negated: bool,
    },
    Fork,
    Switch {
        fork: usize,
    },
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        5 => (0..4u8, any::<bool>(), any::<bool>(), 0..VALUES, any::<bool>()).prop_map(
            |(op, both, swapped, number, negated)| Call::Add { op, both, swapped, number, negated }
        ),
        1 => Just(Call::Fork),
        2 => any::<usize>().prop_map(|fork| Call::Switch { fork }),
    ]
}

struct Trace {
    terms: Terms,
    bytes: [Byte; 2],
    /// Paths, each with the conditions that were added to it.
    forks: Vec<(PathCondition, Vec<Term>)>,
    now: usize,
}

impl Trace {
    fn new() -> Self {
        let terms = Terms::new();
        let array = terms.array("x", 0, 2);
        let bytes = [0, 1].map(|index| Byte { array, index });
        let forks = vec![(PathCondition::new(), Vec::new())];
        let mut trace = Self {
            terms,
            bytes,
            forks,
            now: 0,
        };
        for byte in bytes {
            let bound = trace.terms.constant(8, VALUES.into());
            let symbol = trace.terms.symbol(byte);
            trace.add(trace.terms.cmp(CmpOp::Ult, symbol, bound));
        }
        trace
    }

    fn add(&mut self, condition: Term) {
        // Who adds a condition has found out that it is possible.
        if !self
            .models(self.now)
            .any(|model| self.terms.eval(condition, &model) == 1)
        {
            return;
        }
        let (path, conditions) = &mut self.forks[self.now];
        path.add(&self.terms, condition);
        conditions.push(condition);
    }

    /// The inputs of a path, by enumeration.
    fn models(&self, fork: usize) -> impl Iterator<Item = Model> + '_ {
        let all = (0..=VALUES).flat_map(|x| (0..=VALUES).map(move |y| [x, y]));
        let models = all.map(|values| {
            let mut model = Model::new();
            for (byte, value) in self.bytes.into_iter().zip(values) {
                model.set(byte, value);
            }
            model
        });
        let conditions = &self.forks[fork].1;
        models.filter(|model| {
            conditions
                .iter()
                .all(|term| self.terms.eval(*term, model) == 1)
        })
    }

    fn make(&mut self, call: &Call) {
        match *call {
            Call::Add {
                op,
                both,
                swapped,
                number,
                negated,
            } => {
                let terms = &self.terms;
                let [mut a, mut b] = self.bytes.map(|byte| terms.symbol(byte));
                if swapped {
                    (a, b) = (b, a);
                }
                let number = terms.constant(8, number.into());
                let b = if both {
                    terms.bin(BinOp::Add, b, number)
                } else {
                    number
                };
                let op = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt][usize::from(op)];
                let condition = terms.cmp(op, a, b);
                self.add(if negated {
                    terms.not(condition)
                } else {
                    condition
                });
            }
            Call::Fork if self.forks.len() < 4 => {
                let fork = self.forks[self.now].clone();
                self.forks.push(fork);
            }
            Call::Fork => {}
            Call::Switch { fork } => self.now = fork % self.forks.len(),
        }
    }

    fn compare(&self) {
        let terms = &self.terms;
        for (fork, (path, conditions)) in self.forks.iter().enumerate() {
            assert!(!path.is_infeasible());
            let inputs: Vec<Model> = self.models(fork).collect();
            for model in &inputs {
                assert!(path.holds(terms, model));
                let mut values = self.bytes.iter().map(|byte| (byte, model.get(*byte)));
                assert!(values.all(|(byte, value)| path.domain(*byte).contains(value)));
            }
            for x in 0..=VALUES {
                let mut model = Model::new();
                model.set(self.bytes[0], x);
                let is_input = inputs.iter().any(|input| {
                    self.bytes
                        .iter()
                        .all(|byte| input.get(*byte) == model.get(*byte))
                });
                assert_eq!(path.holds(terms, &model), is_input, "{x}, 0");
            }
            // Looked-up conditions hold for every input.
            for other in self.forks.iter().flat_map(|fork| &fork.1).chain(conditions) {
                if let Some(decided) = path.decided(terms, *other) {
                    let mut found = inputs.iter().map(|input| terms.eval(*other, input) == 1);
                    assert!(found.all(|holds| holds == decided));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn every_fork_has_the_inputs_of_its_conditions(calls in prop::collection::vec(call(), 0..40)) {
        let mut trace = Trace::new();
        calls.iter().for_each(|call| trace.make(call));
        trace.compare();
    }
}
