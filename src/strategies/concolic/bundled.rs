//! Bundled weights: the default of `param`, and the weights of a campaign's concolic run.
//!
//! `homi learn-search` learned them on GNU sed 4.9. They help on some other programs
//! (`benchmarks/studies`, concolic-default); weights learned for the program itself are better.

use super::argument::BranchWeights;
use crate::weights::features::BRANCH;

/// Feature of branches and its weight.
static WEIGHTS: [(&str, f64); 40] = [
    ("in main", 9.93),
    ("true branch of a loop", 9.39),
    ("false branch of a loop", 8.83),
    ("nested", 9.48),
    ("external call in the condition", 9.97),
    ("integer in the condition", 8.06),
    ("string in the condition", 7.24),
    ("pointer in the condition", -9.99),
    ("local variable in the condition", 9.67),
    ("in the body of a loop", -9.98),
    ("true branch of a case", -10.0),
    ("false branch of a case", 9.91),
    ("in the first 10 % of the path", 9.41),
    ("in the last 10 % of the path", -9.3),
    ("most frequent on the path", 8.42),
    ("least frequent on the path", -9.68),
    ("newly covered by the last run", -9.95),
    ("from the last negated branch on", 9.08),
    ("context of 1 seen", -9.87),
    ("context of 2 seen", -4.51),
    ("context of 3 seen", -9.9),
    ("context of 4 seen", -9.75),
    ("context of 5 seen", 8.91),
    ("negated more than 10 times", -9.4),
    ("negated more than 20 times", -9.92),
    ("negated more than 30 times", -9.73),
    ("near the last negated branch", 6.71),
    ("refuted more than 10 times", 9.93),
    ("opposite refuted more than 10 times", -9.93),
    ("opposite uncovered", 9.07),
    ("opposite and next uncovered", -9.86),
    ("among the last 10 negated", -4.57),
    ("among the last 20 negated", -9.65),
    ("among the last 30 negated", -8.76),
    ("in the most uncovered function", -9.23),
    ("near an unreached function of the largest 10 %", 9.51),
    ("near an unreached function of the largest 20 %", 9.89),
    ("near an unreached function of the largest 30 %", 8.76),
    ("near an unreached function of 10 sides or more", 8.67),
    ("in a function reached lately", -9.92),
];

/// Returns the bundled weights.
pub(super) fn built_in() -> BranchWeights {
    BranchWeights::by_name(&BRANCH, |name| {
        let row = WEIGHTS.iter().find(|(feature, _)| *feature == name);
        row.map_or(0.0, |(_, weight)| *weight)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_weight() {
        let names: Vec<&str> = WEIGHTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, BRANCH.names().collect::<Vec<_>>());
        let values: Vec<f64> = WEIGHTS.iter().map(|(_, weight)| *weight).collect();
        assert_eq!(built_in().values(), values);
    }
}
