//! The modeled kernel's ticks: after a number of instructions that the kernel asks for, a path of
//! the program's own code is interrupted and one of the kernel's functions runs, as a timer's
//! interrupt does it. So alarms go off in loops without calls, and threads that spin let others
//! run.
//!
//! Invariant: where a tick comes depends on the path alone: it comes between two instructions of
//! the program's own code, at the first chance after the path has executed as many as asked for.

use super::executor::Executor;
use super::observer::Observer;
use crate::state::{Frame, State};
use homi_ir::program::Origin;

impl Executor<'_> {
    /// Calls the kernel's function if its moment has come.
    pub(super) fn tick_if_due(&self, state: &mut State, observer: &mut Observer) {
        let Some(tick) = state.threads.tick else {
            return;
        };
        let top = state.frames.top();
        let is_program_code = self.program.function(top.function).origin == Origin::Program;
        if tick.at > state.metrics.instructions
            || !is_program_code
            || state.standing.executes_again
            || state.threads.is_in_section()
        {
            return;
        }
        state.threads.tick = None;
        let mut frame = Frame::new(tick.entry, &self.templates[tick.entry.index()]);
        frame.call_path = observer.call_paths.enter(top.call_path, top.pc, tick.entry);
        frame.stack_end = top.stack_end + u64::from(self.stack_bytes[tick.entry.index()]);
        frame.stack_base = state.memory.push_frame(&self.layouts[tick.entry.index()]);
        state.frames.push(frame);
        let segment = self.segments.segment(tick.entry, 0);
        if observer.enter_segment(segment) {
            state.metrics.note_new(0);
        }
    }
}
