//! States swapped out when memory runs short, and swapped in when no other is left.
//!
//! A swapped-out state consists of the bytes of its inputs and its number of instructions: some
//! hundred bytes instead of some thousand. To swap it in, the program runs from its start with
//! these bytes deciding every fork, until it has executed this number of instructions; the solver's
//! cache has most of the queries.
//!
//! Invariant: a swapped-in state is on the same path at the same instruction, or it counts as
//! dropped. Only states without anything to show are swapped out, so no test depends on their
//! return.

use super::follow::{Followed, Goal, follow};
use super::{RunView, SourceStatistics, StateSource, Tuning};
use crate::search::StateId;
use crate::sources::checkpoint::{Collector, DecisionTree, OpenState, Waits};
use homi_machine::state::{DecisionList, Metrics, ProgramPoint, State, SymbolicObject};
use homi_report::SwappedSummary;
use homi_solver::term::{Byte, Model};
use std::collections::VecDeque;
use std::mem::size_of;
use std::sync::Arc;

/// Remaining data of a state.
struct Remains {
    /// Shared with the states that made no further object.
    objects: Arc<Vec<SymbolicObject>>,
    /// Position in the concatenated bytes of the objects, and value, of each byte that is not zero.
    bytes: Box<[(u32, u8)]>,
    metrics: Metrics,
    point: ProgramPoint,
    /// Fingerprint of the decisions of a pending state, whose inputs are its parent's.
    pending_check: Option<u64>,
    /// Decisions, shared with the states that forked off it. Only the end differs. A checkpoint
    /// writes them.
    decisions: DecisionList,
}

impl Remains {
    fn of(state: &State, point: ProgramPoint) -> Self {
        let values = state.symbolics.objects.iter();
        let values = values.flat_map(|object| object.bytes(&state.model));
        let numbered = (0u32..).zip(values);
        Self {
            objects: Arc::clone(&state.symbolics.objects),
            bytes: numbered.filter(|(_, value)| *value != 0).collect(),
            metrics: state.metrics,
            point,
            pending_check: state
                .pending_check
                .is_some()
                .then(|| state.decisions.fingerprint()),
            decisions: state.decisions.clone(),
        }
    }

    /// Returns the data for a checkpoint.
    fn open(&self) -> OpenState {
        OpenState {
            node: DecisionTree::ROOT,
            instructions: self.metrics.instructions,
            waits: match self.pending_check {
                Some(_) => Waits::ForSide,
                None => Waits::ForNothing,
            },
            function: self.point.function,
            pc: self.point.pc,
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

/// The states swapped out, oldest first, and what is needed to bring them back.
pub struct SwappedOut {
    /// The program's first state.
    start: State,
    remains: VecDeque<Remains>,
    /// Bytes that the remains take, and may take.
    memory: usize,
    room: usize,
    done: SwappedSummary,
    tuning: Tuning,
}

impl SwappedOut {
    /// `start` is the state that all begin with; `limit` is the memory limit in bytes.
    pub fn new(tuning: &Tuning, start: State, limit: u64) -> Self {
        Self {
            start,
            remains: VecDeque::new(),
            memory: 0,
            room: (limit as f64 * tuning.swap_memory) as usize,
            done: SwappedSummary::default(),
            tuning: tuning.clone(),
        }
    }

    fn put(&mut self, remains: Remains) {
        self.memory += remains.memory();
        self.remains.push_back(remains);
        self.done.out += 1;
    }

    fn take(&mut self) -> Option<Remains> {
        let remains = self.remains.pop_front()?;
        self.memory -= remains.memory();
        Some(remains)
    }

    /// Returns the location of a state when it was swapped out.
    fn goal(&self, remains: &Remains) -> Goal {
        Goal {
            model: remains.model(),
            instructions: remains.metrics.instructions,
            point: remains.point,
            pending_check: remains.pending_check,
            most_batches: self.tuning.swap_batches.into(),
        }
    }
}

impl StateSource for SwappedOut {
    fn brings_back(&self) -> bool {
        true
    }

    /// Takes states as long as there is room for what remains of them.
    fn swap_out(&mut self, states: &[StateId], run: &dyn RunView) -> Vec<StateId> {
        let mut taken = Vec::new();
        for id in states {
            if let Some(state) = run.state(*id)
                && self.memory < self.room
            {
                self.put(Remains::of(state, state.point(run.program())));
                taken.push(*id);
            }
        }
        taken
    }

    /// Brings a few states back; whether there was one.
    fn refill(&mut self, run: &mut dyn RunView) -> bool {
        let some = !self.remains.is_empty();
        for _ in 0..self.tuning.swap_together {
            let Some(remains) = self.take() else {
                break;
            };
            let followed = follow(&self.start, &self.goal(&remains), run);
            // On the same path nothing is new; what another covered is no state's merit.
            run.forget_covered();
            match followed {
                Followed::There(mut state) => {
                    state.metrics = remains.metrics;
                    self.done.r#in += 1;
                    run.add_state(state);
                }
                Followed::Dropped => run.note_dropped_path(remains.point),
                Followed::Interrupted => {
                    self.memory += remains.memory();
                    self.remains.push_front(remains);
                    break;
                }
            }
        }
        some
    }

    fn waiting(&self) -> u64 {
        self.remains.len() as u64
    }

    fn take_down(&self, open: &mut Collector) {
        for remains in &self.remains {
            open.add_decided(&remains.decisions, remains.open());
        }
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        visit(&self.start);
    }

    fn finish(&mut self, statistics: &mut SourceStatistics) {
        statistics.swapped_out = Some(self.done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_solver::term::Terms;

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
                function: homi_ir::program::FuncId::new(0),
                block: homi_ir::program::BlockId::new(0),
                pc: 0,
            },
            pending_check: None,
            decisions: DecisionList::default(),
        };
        let model = remains.model();
        let found: Vec<Vec<u8>> = objects.iter().map(|object| object.bytes(&model)).collect();
        assert_eq!(found, contents);
    }
}
