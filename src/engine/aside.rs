//! States put aside when memory runs short, and brought back when no other is left.
//!
//! Of a state put aside there remain the bytes of its inputs and how far it had come: some hundred
//! bytes instead of some thousand. To bring it back, the program runs from its start with those
//! bytes deciding every fork, until the same number of instructions is executed; the solver's cache
//! knows most of the questions.
//!
//! Invariant: what comes back is a state of the same path at the same place, or it counts as given
//! up. Only states without anything to show are put aside, so no test depends on their return. The
//! runs of campaigns give states up for good, as Algorithm 1 of Homi has it, but for the run in
//! reserve, of which nothing else is kept while it waits.

use super::run::Engine;
use crate::exec::{MutedConsole, Step, World};
use crate::expr::{Byte, Model};
use crate::report::AsideSummary;
use crate::search::StateId;
use crate::state::{Metrics, ProgramPoint, State, SymbolicObject};
use std::collections::VecDeque;
use std::mem::size_of;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Share of the memory limit that what remains of states put aside may take.
const MOST_MEMORY: f64 = 0.01;
/// Brought back together, so that the search has a choice.
const TOGETHER: usize = 8;
/// A state that is not there again after so many turns is given up.
const MOST_TURNS: u32 = 100_000;

/// What remains of a state.
struct Remains {
    /// Shared with the states that made no further object.
    objects: Arc<Vec<SymbolicObject>>,
    /// Position in the objects' bytes, one after the other, and value, of those that are not zero.
    bytes: Box<[(u32, u8)]>,
    metrics: Metrics,
    point: ProgramPoint,
}

impl Remains {
    fn of(state: &State, point: ProgramPoint) -> Self {
        let values = state.symbolics.iter();
        let values = values.flat_map(|object| object.bytes(&state.model));
        let numbered = (0u32..).zip(values);
        Self {
            objects: Arc::clone(&state.symbolics),
            bytes: numbered.filter(|(_, value)| *value != 0).collect(),
            metrics: state.metrics,
            point,
        }
    }

    fn model(&self) -> Model {
        let mut model = Model::new();
        let mut bytes = self.bytes.iter().peekable();
        let mut start = 0;
        for object in self.objects.iter() {
            let end = start + object.size;
            while let Some((position, value)) = bytes.next_if(|(position, _)| *position < end) {
                let array = object.array;
                let index = position - start;
                model.set(Byte { array, index }, *value);
            }
            start = end;
        }
        model
    }

    /// Bytes of memory, the shared objects left out.
    fn memory(&self) -> usize {
        size_of::<Self>() + size_of::<(u32, u8)>() * self.bytes.len()
    }
}

/// The states put aside, oldest first, and what is needed to bring them back.
pub(super) struct Aside {
    /// The program's first state.
    start: State,
    remains: VecDeque<Remains>,
    memory: usize,
    pub(super) done: AsideSummary,
}

impl Aside {
    pub(super) fn new(start: State) -> Self {
        Self {
            start,
            remains: VecDeque::new(),
            memory: 0,
            done: AsideSummary::default(),
        }
    }

    /// The state that all begin with; it must survive sweeps.
    pub(super) fn start(&self) -> &State {
        &self.start
    }

    /// How many are waiting.
    pub(super) fn len(&self) -> u64 {
        self.remains.len() as u64
    }

    fn put(&mut self, remains: Remains) {
        self.memory += remains.memory();
        self.remains.push_back(remains);
        self.done.put_aside += 1;
    }

    fn take(&mut self) -> Option<Remains> {
        let remains = self.remains.pop_front()?;
        self.memory -= remains.memory();
        Some(remains)
    }
}

/// Whether no test would be lost if the state left now.
pub(super) fn has_nothing_to_show(state: &State) -> bool {
    !state.metrics.covered_new && state.ending.is_none()
}

/// How bringing back went.
enum Followed {
    There(Box<State>),
    Lost,
    /// The user or a limit wants attention first.
    Interrupted,
}

impl Engine<'_, '_> {
    /// Puts those of the states aside that can wait, as long as there is room for what remains of
    /// them; the others are returned.
    pub(super) fn set_aside(&mut self, ids: &[StateId]) -> Vec<StateId> {
        let Some(mut aside) = self.aside.take() else {
            return ids.to_vec();
        };
        let room = (self.parts.config.budget.memory as f64 * MOST_MEMORY) as usize;
        let program = self.bench.executor.program();
        let (mut put, mut others) = (Vec::new(), Vec::new());
        for id in ids {
            let state = self.progress.states.get(id);
            match state.filter(|state| has_nothing_to_show(state)) {
                Some(state) if aside.memory < room => {
                    aside.put(Remains::of(state, state.point(program)));
                    put.push(*id);
                }
                _ => others.push(*id),
            }
        }
        self.aside = Some(aside);
        self.update_search(None, &[], &put);
        for id in &put {
            self.progress.states.remove(id);
        }
        others
    }

    /// Brings a few states back; whether there was one.
    pub(super) fn bring_back(&mut self) -> bool {
        let Some(mut aside) = self.aside.take() else {
            return false;
        };
        let some = !aside.remains.is_empty();
        for _ in 0..TOGETHER {
            let Some(remains) = aside.take() else {
                break;
            };
            let followed = self.follow(&aside.start, &remains);
            // On the same path nothing is new; what another covered is no state's merit.
            self.progress.observer.forget_new();
            match followed {
                Followed::There(state) => {
                    aside.done.brought_back += 1;
                    self.add_states(None, vec![state]);
                }
                Followed::Lost => self.progress.gave_up = true,
                Followed::Interrupted => {
                    aside.memory += remains.memory();
                    aside.remains.push_front(remains);
                    break;
                }
            }
        }
        self.aside = Some(aside);
        some
    }

    /// Runs from the start to where a state was put aside.
    fn follow(&mut self, start: &State, remains: &Remains) -> Followed {
        let model = remains.model();
        let program = self.bench.executor.program();
        let goal = remains.metrics.instructions;
        let mut state = Box::new(start.clone());
        state.model = model.clone();
        for _ in 0..MOST_TURNS {
            let Some(left) = goal.checked_sub(state.metrics.instructions) else {
                break;
            };
            if left == 0 {
                if state.point(program) != remains.point {
                    break;
                }
                state.metrics = remains.metrics;
                return Followed::There(state);
            }
            let allowed = self
                .budget
                .instructions_left(self.instructions_for_budget());
            if allowed == 0 || self.bench.signals.interrupt.load(Ordering::Relaxed) {
                return Followed::Interrupted;
            }
            let step = self.bench.executor.run(
                &mut state,
                &mut *self.bench.prover,
                World {
                    host: self.bench.host,
                    console: &mut MutedConsole,
                },
                &mut self.progress.observer,
                left.min(allowed),
            );
            match step {
                Step::Continue => {}
                Step::Ended(_) => break,
                Step::Forked(siblings) => {
                    let terms = self.bench.terms;
                    let takes = |state: &State| state.path.holds(terms, &model);
                    if !takes(&state) || state.ending.is_some() {
                        let other = siblings.into_iter();
                        let Some(other) = other
                            .filter(|other| other.ending.is_none())
                            .find(|other| takes(other))
                        else {
                            break;
                        };
                        state = other;
                    }
                    state.model = model.clone();
                }
            }
        }
        Followed::Lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Terms;

    #[test]
    fn remains_give_the_same_bytes() {
        let terms = Terms::new();
        let objects: Vec<SymbolicObject> = [("a", 3), ("b", 1), ("c", 4)]
            .into_iter()
            .map(|(name, size)| SymbolicObject {
                array: terms.array(name, 0, size),
                name: name.into(),
                size,
            })
            .collect();
        let contents = [vec![0, 7, 0], vec![9], vec![1, 0, 0, 255]];
        let bytes = contents.concat();
        let numbered = (0u32..).zip(bytes.iter().copied());
        let remains = Remains {
            objects: Arc::new(objects.clone()),
            bytes: numbered.filter(|(_, value)| *value != 0).collect(),
            metrics: Metrics::default(),
            point: ProgramPoint {
                function: crate::program::FuncId::new(0),
                block: crate::program::BlockId::new(0),
                pc: 0,
            },
        };
        let model = remains.model();
        let found: Vec<Vec<u8>> = objects.iter().map(|object| object.bytes(&model)).collect();
        assert_eq!(found, contents);
    }
}
