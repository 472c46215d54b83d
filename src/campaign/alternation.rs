//! Runs of single paths and all other runs take turns by what they have found lately.
//!
//! Not in the paper. Which of the two finds more depends on the program, and on what is covered
//! already. So the campaign begins with a run of single paths, and from then on the kind comes next
//! that has lately found more new branches for its time. Each has a least share of the time, so
//! that a change is noticed.
//!
//! Invariant: what runs find counts half after each further slice of their kind.

/// Least share of the time of single paths, and of the other runs: those alone tell that a program
/// was followed to its end where single paths do not.
const LEAST_SINGLE: f64 = 0.1;
const LEAST_OTHERS: f64 = 0.3;

/// What a kind of runs has found lately.
#[derive(Clone, Copy, Default, Debug)]
struct Kind {
    /// Seconds, instructions or work of all its runs.
    spent: f64,
    /// New branches, and what was spent on them; what is older counts less.
    found: f64,
    on: f64,
}

impl Kind {
    fn note(&mut self, new_branches: u64, spent: f64, slice: f64) {
        let kept = 0.5f64.powf(spent / slice.max(1e-9));
        self.spent += spent;
        self.found = kept * self.found + new_branches as f64;
        self.on = kept * self.on + spent;
    }

    /// New branches per unit.
    fn rate(self) -> f64 {
        self.found / self.on.max(1e-9)
    }
}

/// What both kinds have brought.
#[derive(Clone, Default, Debug)]
pub(super) struct Alternation {
    single: Kind,
    others: Kind,
}

impl Alternation {
    /// Books a run that found so many new branches. `slice` is how long a run of single paths is.
    pub(super) fn note(&mut self, is_single: bool, new_branches: u64, spent: f64, slice: f64) {
        let kind = match is_single {
            true => &mut self.single,
            false => &mut self.others,
        };
        kind.note(new_branches, spent, slice);
    }

    /// Whether single paths come next.
    pub(super) fn chooses_single_paths(&self) -> bool {
        let (single, others) = (self.single, self.others);
        let total = single.spent + others.spent;
        if others.spent < LEAST_OTHERS * total {
            return false;
        }
        single.spent <= LEAST_SINGLE * total || single.rate() > others.rate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of the time that single paths have, if each kind finds so many branches in each of
    /// its runs; those of single paths are longer.
    fn share(single: u64, others: u64) -> f64 {
        let mut alternation = Alternation::default();
        for _ in 0..400 {
            match alternation.chooses_single_paths() {
                true => alternation.note(true, single, 8.0, 8.0),
                false => alternation.note(false, others, 2.0, 8.0),
            }
        }
        let Alternation { single, others } = alternation;
        single.spent / (single.spent + others.spent)
    }

    #[test]
    fn what_finds_more_has_more_of_the_time() {
        assert!(Alternation::default().chooses_single_paths());
        // Four times as long, eight times as much.
        assert!((0.65..0.75).contains(&share(80, 10)), "{}", share(80, 10));
        assert!((0.08..0.15).contains(&share(20, 10)), "{}", share(20, 10));
        assert!((0.08..0.15).contains(&share(0, 0)), "{}", share(0, 0));
    }

    #[test]
    fn a_change_is_noticed() {
        let mut alternation = Alternation::default();
        alternation.note(true, 900, 8.0, 8.0);
        alternation.note(false, 10, 8.0, 8.0);
        assert!(alternation.chooses_single_paths());
        for _ in 0..6 {
            alternation.note(true, 0, 8.0, 8.0);
            alternation.note(false, 10, 8.0, 8.0);
        }
        assert!(!alternation.chooses_single_paths());
    }
}
