//! Bug reports: where the state stands, with what arguments.
//!
//! Invariant: the reported location is that of the innermost frame in the user's own code, so that a
//! null pointer passed to `strlen` is shown where the program passed it; the stack shows the rest.

use super::executor::Executor;
use super::outcome::{Bug, BugKind, StackEntry};
use crate::memory::AccessError;
use crate::program::{LocId, Origin};
use crate::state::{Frame, State};

impl Executor<'_> {
    /// The instruction a frame is at: the current one for the innermost frame, else its call.
    fn frame_location(&self, frame: &Frame, innermost: bool) -> LocId {
        let function = self.program.function(frame.function);
        let pc = if innermost {
            frame.pc
        } else {
            frame.pc.saturating_sub(1)
        };
        function
            .locations
            .get(pc as usize)
            .copied()
            .unwrap_or(function.location)
    }

    /// The source location that reports name for a state: of the innermost frame of the user's code,
    /// or of the innermost frame if there is none.
    pub fn location(&self, state: &State) -> LocId {
        let mut first = None;
        for (index, frame) in state.frames.iter().enumerate() {
            let location = self.frame_location(frame, index == 0);
            if self.program.function(frame.function).origin == Origin::Program {
                return location;
            }
            first.get_or_insert(location);
        }
        first.unwrap_or(LocId(0))
    }

    /// The call stack, innermost first.
    pub fn stack(&self, state: &State) -> Vec<StackEntry> {
        let frames = state.frames.iter().enumerate();
        frames
            .map(|(index, frame)| {
                let function = self.program.function(frame.function);
                let arguments = function
                    .params
                    .iter()
                    .map(|param| self.argument_text(frame, param.slot.index(), param.width))
                    .collect();
                StackEntry {
                    function: frame.function,
                    function_name: function.name.clone(),
                    arguments,
                    location: self.frame_location(frame, index == 0),
                }
            })
            .collect()
    }

    fn argument_text(&self, frame: &Frame, slot: usize, width: u32) -> String {
        if frame.term(slot).is_some() {
            return "symbolic".to_string();
        }
        let value = frame.bits[slot];
        if width == 64 && value > 0xffff {
            format!("{value:#x}")
        } else {
            value.to_string()
        }
    }

    /// A bug of the state at its current instruction.
    pub fn bug(&self, state: &State, kind: BugKind, message: impl Into<String>) -> Bug {
        Bug {
            kind,
            message: message.into(),
            location: self.location(state),
            stack: self.stack(state),
            details: Vec::new(),
            access: None,
        }
    }

    /// The bug that a failed memory access is.
    pub fn access_bug(&self, state: &State, error: AccessError, writing: bool) -> Bug {
        let (kind, message) = classify(&error, writing);
        let mut bug = self.bug(state, kind, message);
        bug.details = error.details();
        bug.access = Some(error);
        bug
    }
}
