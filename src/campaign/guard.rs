//! The guard: notices when pruning loses, and gives the time to a run without pruning instead.
//!
//! Not in the paper, which leaves "selective decision on applying Homi" open (section 4.2.2). The
//! first run, which has no pruning, is put aside instead of dropped. From then on each run is
//! either a pruned one or a further slice of that run, whichever has lately found more new branches
//! for its time; each has at least a fifth of the time, so that a change is noticed.

use super::arm::Arm;

/// Least share of the time for each.
const LEAST_SHARE: f64 = 0.2;
/// Pruned runs before rates are compared.
const FIRST_PRUNED: u32 = 2;
/// Weight of the latest run in a rate.
const LATEST: f64 = 0.5;

#[derive(Clone, Copy, Default, Debug)]
struct Record {
    runs: u32,
    /// Seconds or instructions.
    spent: f64,
    /// New branches per unit, lately.
    rate: f64,
}

/// What both have brought.
#[derive(Clone, Default, Debug)]
pub(super) struct Guard {
    pruned: Record,
    unpruned: Record,
}

impl Guard {
    /// Books a run that found so many new branches.
    pub(super) fn note(&mut self, arm: Arm, new_branches: u64, spent: f64) {
        let record = match arm {
            Arm::Pruned => &mut self.pruned,
            Arm::Unpruned => &mut self.unpruned,
            Arm::SinglePaths => return,
        };
        let rate = new_branches as f64 / spent.max(1e-9);
        record.rate = match record.runs {
            0 => rate,
            _ => LATEST * rate + (1.0 - LATEST) * record.rate,
        };
        record.runs += 1;
        record.spent += spent;
    }

    pub(super) fn choose(&self) -> Arm {
        let (pruned, unpruned) = (self.pruned, self.unpruned);
        if unpruned.runs == 0 {
            return Arm::Unpruned;
        }
        let total = pruned.spent + unpruned.spent;
        if pruned.runs < FIRST_PRUNED || pruned.spent < LEAST_SHARE * total {
            return Arm::Pruned;
        }
        let better = unpruned.rate > pruned.rate;
        // Neither finds anything: both go on alike.
        let behind = unpruned.rate == pruned.rate && unpruned.spent < pruned.spent;
        if better || behind || unpruned.spent < LEAST_SHARE * total {
            Arm::Unpruned
        } else {
            Arm::Pruned
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares of the time when each arm finds branches at a fixed rate.
    fn shares(pruned: u64, unpruned: u64) -> f64 {
        let mut guard = Guard::default();
        for _ in 0..200 {
            match guard.choose() {
                Arm::Pruned => guard.note(Arm::Pruned, pruned, 10.0),
                Arm::Unpruned => guard.note(Arm::Unpruned, unpruned, 10.0),
                Arm::SinglePaths => unreachable!("the guard does not choose it"),
            }
        }
        guard.unpruned.spent / (guard.pruned.spent + guard.unpruned.spent)
    }

    #[test]
    fn the_better_one_gets_the_time_and_the_other_a_fifth() {
        assert!((shares(5, 1) - 0.2).abs() < 0.02);
        assert!((shares(1, 5) - 0.8).abs() < 0.02);
        assert!((shares(0, 0) - 0.5).abs() < 0.02);
    }

    #[test]
    fn the_first_run_has_no_pruning_and_two_pruned_ones_follow() {
        let mut guard = Guard::default();
        assert_eq!(guard.choose(), Arm::Unpruned);
        guard.note(Arm::Unpruned, 100, 10.0);
        for _ in 0..2 {
            assert_eq!(guard.choose(), Arm::Pruned);
            guard.note(Arm::Pruned, 0, 10.0);
        }
        assert_eq!(guard.choose(), Arm::Unpruned);
        // Rates are 5 and 6 then.
        guard.note(Arm::Unpruned, 0, 10.0);
        guard.note(Arm::Pruned, 120, 10.0);
        assert_eq!(guard.choose(), Arm::Pruned);
    }
}
