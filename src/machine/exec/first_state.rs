//! The state before a program's first instruction.

use super::checks::undefined_objects;
use super::prepared::PreparedProgram;
use crate::outcome::{Termination, Unsupported};
use crate::state::{Frame, SideSet, State, TakenSides};
use homi_ir::program::FuncId;

impl PreparedProgram<'_> {
    /// The state before the first instruction: about to call `entry` (by default the program's
    /// runtime entry, else its `main`) with integer or pointer arguments.
    pub fn initial_state(&self, entry: FuncId, arguments: &[u64]) -> State {
        let mut frame = Frame::new(entry, &self.templates[entry.index()]);
        let ending = self.broken[entry.index()].is_some().then(|| {
            Box::new(Termination::Unsupported(Unsupported {
                what: self.missing(entry),
                location: self.program.function(entry).location,
            }))
        });
        let function = self.program.function(entry);
        for (param, value) in function.params.iter().zip(arguments) {
            if let Some(register) = frame.bits.get_mut(param.slot.index()) {
                *register = *value;
            }
        }
        let mut memory = self.globals.image.clone();
        if let Some(object) = self.unset.or(self.undefined) {
            memory.track_undefined(undefined_objects::bytes(self.terms, object));
        }
        frame.stack_base = memory.push_frame(&self.layouts[entry.index()]);
        frame.stack_end = u64::from(self.stack_bytes[entry.index()]);
        let sides = SideSet::new(self.segments.side_count());
        let mut state = State::new(frame, memory, sides);
        state.threads.races = self.config.symbolic.races.then(Box::default);
        state.record.taken = self.config.records_sides().then(TakenSides::default);
        state.forks = self.config.fork_rule();
        state.ending = ending;
        state
    }
}
