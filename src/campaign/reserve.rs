//! The run in reserve: the first one, which has no pruning, goes on where the others find nothing.
//!
//! Not in the paper, whose campaigns never end before their time. Pruned runs cannot tell that a
//! program was followed to its end, and a small one is. So what was open when the first run's time
//! was over is kept (as bytes, `roots::SwappedOut`), and gets a slice of the time when a good while
//! brought no new branch, and on and on while paths that wait become fewer. It is over once all are
//! followed, or one was lost for want of memory.

use super::arm::Arm;

/// Share of the time so far (or of the instructions, if those are the budget) that must have
/// brought nothing.
const BARREN_SHARE: f64 = 0.25;

#[derive(Clone, Default, Debug)]
pub(super) struct Reserve {
    runs: u64,
    /// No run waits, and none is to be started.
    over: bool,
    /// Number of paths that waited after the last slice.
    waiting: u64,
    /// The last run was a slice that found something or left fewer to wait.
    promising: bool,
    /// The last run was a slice.
    just_ran: bool,
    /// When a branch was last covered first.
    last_new: f64,
}

impl Reserve {
    /// Books a run: its new branches, and how many paths wait now if any run does.
    pub(super) fn note(&mut self, arm: Arm, new_branches: u64, waiting: Option<u64>, now: f64) {
        if new_branches > 0 {
            self.last_new = now;
        }
        if arm == Arm::SinglePaths {
            return;
        }
        self.just_ran = arm == Arm::Unpruned;
        self.promising = false;
        if arm == Arm::Unpruned {
            self.over = waiting.is_none();
            let waiting = waiting.unwrap_or(0);
            self.promising = self.runs > 0 && (new_branches > 0 || waiting < self.waiting);
            self.waiting = waiting;
        }
        self.runs += 1;
    }

    pub(super) fn choose(&self, now: f64) -> Arm {
        let barren = now - self.last_new > now * BARREN_SHARE;
        let due = self.runs == 0 || self.promising || (barren && !self.just_ran);
        match due && !self.over {
            true => Arm::Unpruned,
            false => Arm::Pruned,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_first_then_waits_until_the_others_find_nothing() {
        let mut reserve = Reserve::default();
        assert_eq!(reserve.choose(0.0), Arm::Unpruned);
        reserve.note(Arm::Unpruned, 100, Some(50), 10.0);
        assert_eq!(reserve.choose(10.0), Arm::Pruned);
        reserve.note(Arm::Pruned, 3, Some(50), 20.0);
        reserve.note(Arm::Pruned, 0, Some(50), 24.0);
        assert_eq!(reserve.choose(24.0), Arm::Pruned);
        reserve.note(Arm::Pruned, 0, Some(50), 30.0);
        assert_eq!(reserve.choose(30.0), Arm::Unpruned);
    }

    #[test]
    fn it_takes_turns_while_nothing_is_found_and_goes_on_while_fewer_wait() {
        let mut reserve = Reserve::default();
        reserve.note(Arm::Unpruned, 100, Some(50), 1.0);
        reserve.note(Arm::Pruned, 0, Some(50), 10.0);
        assert_eq!(reserve.choose(10.0), Arm::Unpruned);
        reserve.note(Arm::Unpruned, 0, Some(80), 20.0);
        assert_eq!(reserve.choose(20.0), Arm::Pruned);
        reserve.note(Arm::Pruned, 0, Some(80), 30.0);
        reserve.note(Arm::Unpruned, 0, Some(70), 40.0);
        assert_eq!(reserve.choose(40.0), Arm::Unpruned);
    }

    #[test]
    fn it_is_over_when_it_was_lost() {
        let mut reserve = Reserve::default();
        reserve.note(Arm::Unpruned, 100, None, 1.0);
        reserve.note(Arm::Pruned, 0, None, 10.0);
        assert_eq!(reserve.choose(10.0), Arm::Pruned);
    }
}
