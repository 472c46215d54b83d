//! The 26 features of a state of a symbolic run: those of ParaDySE's version for KLEE.
//!
//! 13 numbers of a state, each as two features: it is among the lowest tenth of all states, or
//! among the highest. States with equal numbers are in or out together, where the original takes
//! them apart by their addresses.

use super::set::{Feature, FeatureSet};

/// What files of weights call the set.
pub(super) const NAME: &str = "state";

/// How many numbers of a state there are.
pub const STATE_NUMBERS: usize = 13;

/// What is known of a state, in the order of [`STATE_STATISTICS`].
pub type StateNumbers = [f64; STATE_NUMBERS];

/// What the numbers of a state are, in the order of their weights.
pub static STATE_STATISTICS: [&str; STATE_NUMBERS] = [
    "instructions of the path",
    "instructions since new coverage",
    "instructions in the call path",
    "distance to uncovered code",
    "objects in memory",
    "symbolic objects",
    "constant registers",
    "symbolic registers",
    "solver cost",
    "depth in forks",
    "constraints",
    "loop depth",
    "loop depth of the caller",
];

/// A state among all others: for each number whether it is among the lowest tenth, and whether it
/// is among the highest.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StateBits {
    pub low: [bool; STATE_NUMBERS],
    pub high: [bool; STATE_NUMBERS],
}

macro_rules! features {
    ($($low:literal $high:literal $index:literal $name:literal $source:literal;)+) => {
        &[$(
            Feature {
                number: $low,
                name: concat!("low: ", $name),
                source: concat!($source, ", lowest 10 %"),
                holds: |bits| bits.low[$index],
            },
            Feature {
                number: $high,
                name: concat!("high: ", $name),
                source: concat!($source, ", highest 10 %"),
                holds: |bits| bits.high[$index],
            },
        )+]
    };
}

/// The features of states.
pub static STATE: FeatureSet<StateBits> = FeatureSet {
    name: NAME,
    features: features![
        1 2 0 "instructions of the path" "steppedInstructions";
        3 4 1 "instructions since new coverage" "instsSinceCovNew";
        5 6 2 "instructions in the call path" "instructions in the top frame's call-path node";
        7 8 3 "distance to uncovered code" "md2u of the top frame";
        9 10 4 "objects in memory" "objects in the address space";
        11 12 5 "symbolic objects" "number of symbolic objects";
        13 14 6 "constant registers" "constant registers over all frames";
        15 16 7 "symbolic registers" "symbolic registers over all frames";
        17 18 8 "solver cost" "query cost";
        19 20 9 "depth in forks" "depth";
        21 22 10 "constraints" "constraints";
        23 24 11 "loop depth" "loop depth of the pc's block";
        25 26 12 "loop depth of the caller" "loop depth of the caller's block";
    ],
};

/// The limits of the lowest and the highest tenth among many states, by number.
#[derive(Clone, PartialEq, Debug)]
pub struct Tenths {
    low: StateNumbers,
    high: StateNumbers,
}

impl Tenths {
    /// Those of all these states; none if there are fewer than 10.
    pub fn of<'n>(states: impl Iterator<Item = &'n StateNumbers> + Clone) -> Option<Self> {
        let count = states.clone().count();
        let share = count / 10;
        if share == 0 {
            return None;
        }
        let mut tenths = Self {
            low: [0.0; STATE_NUMBERS],
            high: [0.0; STATE_NUMBERS],
        };
        let mut column = Vec::with_capacity(count);
        for index in 0..STATE_NUMBERS {
            column.clear();
            column.extend(states.clone().map(|numbers| numbers[index]));
            let nth =
                |column: &mut Vec<f64>, at| *column.select_nth_unstable_by(at, f64::total_cmp).1;
            tenths.low[index] = nth(&mut column, share - 1);
            tenths.high[index] = nth(&mut column, count - share);
        }
        Some(tenths)
    }

    /// What holds of a state.
    pub fn bits(&self, numbers: &StateNumbers) -> StateBits {
        StateBits {
            low: std::array::from_fn(|index| numbers[index] <= self.low[index]),
            high: std::array::from_fn(|index| numbers[index] >= self.high[index]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_two_features() {
        assert_eq!(STATE.len(), 26);
        for (index, name) in STATE_STATISTICS.iter().enumerate() {
            let mut low = StateBits::default();
            low.low[index] = true;
            let mut high = StateBits::default();
            high.high[index] = true;
            let held = |bits: &StateBits| -> Vec<(u32, &str)> {
                let held = STATE.features.iter().filter(|one| (one.holds)(bits));
                held.map(|one| (one.number, one.name)).collect()
            };
            let number = 2 * index as u32 + 1;
            assert_eq!(held(&low), [(number, &*format!("low: {name}"))]);
            assert_eq!(held(&high), [(number + 1, &*format!("high: {name}"))]);
        }
    }

    #[test]
    fn tenths_are_of_all_states_and_equal_ones_go_together() {
        // 25 states: two are the lowest tenth, two the highest. Number 0 runs from 0 to 24, number
        // 1 from 0 down, number 2 is 5 for all, number 3 is 1 for the first three and 2 for others.
        let states: Vec<StateNumbers> = (0..25)
            .map(|state| {
                let mut numbers = [0.0; STATE_NUMBERS];
                numbers[0] = f64::from(state);
                numbers[1] = -f64::from(state);
                numbers[2] = 5.0;
                numbers[3] = if state < 3 { 1.0 } else { 2.0 };
                numbers
            })
            .collect();
        let tenths = Tenths::of(states.iter()).unwrap();
        let low = |index: usize| -> Vec<usize> {
            (0..25)
                .filter(|at| tenths.bits(&states[*at]).low[index])
                .collect()
        };
        let high = |index: usize| -> Vec<usize> {
            (0..25)
                .filter(|at| tenths.bits(&states[*at]).high[index])
                .collect()
        };
        assert_eq!((low(0), high(0)), (vec![0, 1], vec![23, 24]));
        assert_eq!((low(1), high(1)), (vec![23, 24], vec![0, 1]));
        assert_eq!((low(2).len(), high(2).len()), (25, 25));
        assert_eq!((low(3), high(3).len()), (vec![0, 1, 2], 22));
        assert_eq!(Tenths::of(states[..9].iter()), None);
        assert!(Tenths::of(states[..10].iter()).is_some());
    }
}
