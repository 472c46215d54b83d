//! The places that `longjmp` may return to.
//!
//! Invariant: equal targets have one number, and a number is never given to another target while a
//! frame that has set it lives.

use super::frame::FrameSerial;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place `longjmp` can return to: the frame that called `setjmp` and the instruction after the
/// call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JumpTarget {
    pub frame: FrameSerial,
    /// Index into `Function::code` of the `setjmp` call itself.
    pub pc: u32,
}

/// The `setjmp` calls of a path, by the number stored in the `jmp_buf`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JumpTargets {
    targets: Arc<BTreeMap<u64, JumpTarget>>,
}

impl JumpTargets {
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The target of a number.
    pub fn get(&self, number: u64) -> Option<JumpTarget> {
        self.targets.get(&number).copied()
    }

    /// All targets with their numbers, in order of the numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u64, JumpTarget)> {
        self.targets
            .iter()
            .map(|(number, target)| (*number, *target))
    }

    /// The number of a target, if it has one.
    pub fn number_of(&self, target: JumpTarget) -> Option<u64> {
        let known = self.iter().find(|known| known.1 == target);
        known.map(|(number, _)| number)
    }

    /// Gives a new target a number and drops the targets whose frames are gone.
    pub fn add(&mut self, target: JumpTarget, live: &[FrameSerial]) -> u64 {
        let targets = Arc::make_mut(&mut self.targets);
        // The last number stays, because it tells which is the next.
        let last = targets.last_key_value().map_or(0, |(number, _)| *number);
        targets.retain(|number, target| *number == last || live.contains(&target.frame));
        targets.insert(last + 1, target);
        last + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_given_once() {
        let target = |frame| JumpTarget { frame, pc: 7 };
        let mut jumps = JumpTargets::default();
        assert_eq!(jumps.add(target(1), &[1]), 1);
        assert_eq!(jumps.add(target(2), &[1, 2]), 2);
        assert_eq!(jumps.number_of(target(1)), Some(1));
        // Both frames are gone, but the last number must not come again.
        assert_eq!(jumps.add(target(3), &[3]), 3);
        assert_eq!(jumps.get(1), None);
        assert_eq!(jumps.get(2), Some(target(2)));
        assert_eq!(jumps.add(target(4), &[4]), 4);
        assert_eq!(
            jumps.iter().map(|(number, _)| number).collect::<Vec<_>>(),
            [3, 4]
        );
    }
}
