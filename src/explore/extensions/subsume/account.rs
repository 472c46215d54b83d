//! Account of subsumption: its cost, and the work that it spares.
//!
//! Idea: an entry that subsumes a state spares the instructions that the run executed below the
//! entry's node. While the cost exceeds them and a share of the run's other work, subsumption
//! pauses, and the run goes on as a plain one.
//!
//! Invariant: all is counted, in nanoseconds of common CPUs, so equal runs pause at equal places.

/// Cost of an instruction of the search, in nanoseconds: between concrete and symbolic ones.
const INSTRUCTION: u64 = 20;
/// Factor between the cost of subsumption and what is counted of it, beside the same factor of the
/// run's other work.
const DOUBT: u64 = 2;
/// Part of the run's other work that subsumption may cost beyond what it spares, as one in this
/// number.
const PART: u64 = 3;
/// Cost that subsumption may always have, in nanoseconds.
const FREE: u64 = 20_000_000;
/// Instructions that count like concrete ones beside the run's own in the mean, because the first
/// paths ask the solver more than later ones.
const FIRST: u64 = 200_000;

/// Counters of a run, for the account.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counters {
    /// Instructions of the search.
    pub(super) searched: u64,
    /// Instructions of greedy confirmation.
    pub(super) greedy: u64,
    /// Work of the solver, and of re-executions and comparisons, in nanoseconds.
    pub(super) counted: u64,
}

impl Counters {
    /// Returns all work in nanoseconds.
    fn total(self) -> u64 {
        INSTRUCTION * (self.searched + self.greedy) + self.counted
    }
}

/// Cost and gain of a run's subsumption.
#[derive(Default, Debug)]
pub(super) struct Account {
    /// Work in nanoseconds before the first work of subsumption: of other runs, and of the start.
    before: Option<u64>,
    /// Nanoseconds.
    spent: u64,
    /// Instructions.
    spared: u64,
    /// Counters at the beginning of the work of subsumption that is in progress.
    open: Option<Counters>,
    is_paused: bool,
    pauses: u64,
}

impl Account {
    /// Begins work of subsumption; `None` within such work.
    pub(super) fn begin(&mut self, now: Counters) -> Option<Counters> {
        self.before.get_or_insert(now.total());
        if self.open.is_some() {
            return None;
        }
        self.open = Some(now);
        self.open
    }

    /// Ends the work that [`Self::begin`] began.
    pub(super) fn end(&mut self, begun: Option<Counters>, now: Counters) {
        if begun.is_some() {
            self.spent = self.spent_by(now);
            self.open = None;
        }
    }

    /// Returns the cost so far, with the work in progress.
    fn spent_by(&self, now: Counters) -> u64 {
        let begun = self.open.map_or(now.total(), Counters::total);
        self.spent + now.total().saturating_sub(begun)
    }

    /// Returns the run's work except for subsumption.
    fn other(&self, now: Counters) -> u64 {
        let before = self.before.unwrap_or_default();
        now.total()
            .saturating_sub(before.saturating_add(self.spent_by(now)))
    }

    /// Adds instructions that a plain run would have executed.
    pub(super) fn spare(&mut self, instructions: u64) {
        self.spared = self.spared.saturating_add(instructions);
    }

    /// Decides whether subsumption pauses. A spared instruction stands for its share of the
    /// solver's work. A pause ends at half of the share at which it begins, so a tree can grow in
    /// proportion to the run.
    pub(super) fn decide(&mut self, now: Counters) {
        let other = self.other(now);
        let each = (other + INSTRUCTION * FIRST) / (now.searched + FIRST);
        let share = if self.is_paused {
            other / (2 * PART)
        } else {
            other / PART + FREE
        };
        let allowed = self.spared.saturating_mul(each).saturating_add(share);
        let was_paused = self.is_paused;
        self.is_paused = self.spent_by(now).saturating_mul(DOUBT) > allowed;
        self.pauses += u64::from(self.is_paused && !was_paused);
    }

    pub(super) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Returns the number of pauses so far.
    pub(super) fn pauses(&self) -> u64 {
        self.pauses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(counted: u64) -> Counters {
        Counters {
            counted,
            ..Counters::default()
        }
    }

    #[test]
    fn cost_beyond_gain_pauses_until_the_run_has_done_more() {
        let mut account = Account::default();
        let begun = account.begin(counted(0));
        assert!(account.begin(counted(1)).is_none());
        account.end(None, counted(2));
        let cost = FREE / DOUBT;
        account.end(begun, counted(cost));
        account.decide(counted(cost));
        assert!(!account.is_paused(), "the free part");
        let begun = account.begin(counted(cost));
        account.end(begun, counted(cost + 1));
        account.decide(counted(cost + 1));
        assert!(account.is_paused());
        let other = 2 * PART * DOUBT * (cost + 1);
        account.decide(counted(cost + other));
        assert!(account.is_paused());
        account.decide(counted(cost + 1 + other));
        assert!(!account.is_paused());
        assert_eq!(account.pauses(), 1);
    }

    #[test]
    fn spared_instructions_count_with_their_share_of_the_solver() {
        let mut account = Account::default();
        let begun = account.begin(Counters::default());
        account.end(begun, Counters::default());
        let begun = account.begin(counted(0));
        account.end(begun, counted(20 * FREE));
        // As many instructions as count like concrete ones beside them, 2 us each.
        let each = 2_000;
        let now = Counters {
            searched: FIRST,
            greedy: 0,
            counted: 20 * FREE + FIRST * (each - INSTRUCTION),
        };
        account.decide(now);
        assert!(account.is_paused());
        let missing = 20 * FREE * DOUBT - FIRST * each / (2 * PART);
        let mean = u64::midpoint(each, INSTRUCTION);
        account.spare(missing / mean - 1);
        account.decide(now);
        assert!(account.is_paused());
        account.spare(2);
        account.decide(now);
        assert!(!account.is_paused());
        account.spare(u64::MAX);
        account.decide(now);
        assert!(!account.is_paused());
    }
}
