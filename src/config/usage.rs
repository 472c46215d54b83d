//! Amounts that budgets count: time, instructions, work.
//!
//! Invariant: this module alone maps a budget's unit to a counter of the run; callers use
//! `Budget::reading`.

use std::time::Duration;

/// An amount of what a run may spend: time on its clock, or, for runs that must be reproducible,
/// executed instructions or work.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Budget {
    Time(Duration),
    Instructions(u64),
    /// Units of work (docs/research/work.md): an instruction is one, what the solver does is
    /// counted in instructions' worth.
    Work(u64),
}

/// Resources that a run has used up to some moment, in each unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    pub time: Duration,
    pub instructions: u64,
    pub work: u64,
}

impl Budget {
    /// True if it is a time, other than none.
    pub fn is_timed(self) -> bool {
        matches!(self, Budget::Time(time) if !time.is_zero())
    }

    /// Its number, in seconds, instructions or units of work.
    pub fn amount(self) -> f64 {
        match self {
            Budget::Time(time) => time.as_secs_f64(),
            Budget::Instructions(count) | Budget::Work(count) => count as f64,
        }
    }

    /// Its number as a whole one, in nanoseconds (up to 584 years), instructions or units of work.
    pub fn count(self) -> u64 {
        match self {
            Budget::Time(time) => u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
            Budget::Instructions(count) | Budget::Work(count) => count,
        }
    }

    /// The suffix of its unit: `s`, `i` or `w`.
    pub fn unit(self) -> &'static str {
        match self {
            Budget::Time(_) => "s",
            Budget::Instructions(_) => "i",
            Budget::Work(_) => "w",
        }
    }

    /// Returns the usage in this budget's unit.
    pub fn reading(self, usage: Usage) -> Budget {
        match self {
            Budget::Time(_) => Budget::Time(usage.time),
            Budget::Instructions(_) => Budget::Instructions(usage.instructions),
            Budget::Work(_) => Budget::Work(usage.work),
        }
    }

    /// A span of the same unit with this number of seconds, instructions or units of work; below 0
    /// it is 0, and a number that is too large is the largest.
    pub fn of_same_unit(self, amount: f64) -> Budget {
        let amount = amount.max(0.0);
        match self {
            Budget::Time(_) => {
                Budget::Time(Duration::try_from_secs_f64(amount).unwrap_or(Duration::MAX))
            }
            Budget::Instructions(_) => Budget::Instructions(amount.round() as u64),
            Budget::Work(_) => Budget::Work(amount.round() as u64),
        }
    }

    /// True if both are times, both are instructions or both are work.
    pub fn same_unit(self, other: Budget) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// True for "no limit" (`0`, as KLEE).
    pub fn is_zero(self) -> bool {
        match self {
            Budget::Time(time) => time.is_zero(),
            Budget::Instructions(count) | Budget::Work(count) => count == 0,
        }
    }
}

/// Writes the budget in the option's format, rounded to hundredths of a second.
impl std::fmt::Display for Budget {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Budget::Time(time) => {
                write!(out, "{}s", (time.as_secs_f64() * 100.0).round() / 100.0)
            }
            Budget::Instructions(count) | Budget::Work(count) => {
                write!(out, "{count}{}", self.unit())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn each_unit_reads_its_own_counter() {
        let usage = Usage {
            time: SECOND,
            instructions: 20,
            work: 300,
        };
        let read = |budget: Budget| budget.reading(usage).to_string();
        assert_eq!(read(Budget::Time(Duration::ZERO)), "1s");
        assert_eq!(read(Budget::Instructions(0)), "20i");
        assert_eq!(read(Budget::Work(0)), "300w");
    }

    #[test]
    fn units_do_not_mix() {
        let spans = [
            Budget::Time(SECOND),
            Budget::Instructions(1),
            Budget::Work(1),
        ];
        for (number, one) in spans.into_iter().enumerate() {
            for (other_number, other) in spans.into_iter().enumerate() {
                assert_eq!(one.same_unit(other), number == other_number);
            }
            assert!(one.same_unit(one.of_same_unit(7.0)));
            assert!(one.of_same_unit(-1.0).is_zero());
            assert_eq!(one.of_same_unit(2.0).amount(), 2.0);
            assert_eq!(one.is_timed(), number == 0);
        }
        assert_eq!(Budget::Work(1).of_same_unit(1e300), Budget::Work(u64::MAX));
        let longest = Budget::Time(SECOND).of_same_unit(1e300);
        assert_eq!(
            (longest, longest.count()),
            (Budget::Time(Duration::MAX), u64::MAX)
        );
    }
}
