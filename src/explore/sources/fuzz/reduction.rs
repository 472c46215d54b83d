//! An input that gets smaller step by step.
//!
//! Invariant: every change that stays was executed, and the execution still covered what it must.

use super::input::Input;

/// An input and the executions that say if a change may stay.
pub(super) struct Reduction<'r> {
    pub(super) input: &'r mut Input,
    /// Executions that are left.
    pub(super) left: usize,
    pub(super) still_covers: &'r mut dyn FnMut(&Input) -> bool,
}

impl Reduction<'_> {
    /// Writes other contents of one object, and takes them back if the input needs the old ones;
    /// true if they stay.
    pub(super) fn try_text(&mut self, part: usize, text: &[u8]) -> bool {
        let mut new = self.input.parts[part].clone();
        new.write(text);
        if self.left == 0 || new == self.input.parts[part] {
            return false;
        }
        self.left -= 1;
        std::mem::swap(&mut self.input.parts[part], &mut new);
        let stays = (self.still_covers)(self.input);
        if !stays {
            self.input.parts[part] = new;
        }
        stays
    }
}
