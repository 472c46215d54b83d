//! ParaDySE's 40 features of a branch on the path of a concolic run.
//!
//! A branch is the side that the path takes; its negation takes the other side, its opposite.
//! Features 1 to 12 describe the code and 13 to 40 the run. Sources are quoted from table 1 of the
//! paper, with the artifact's numbers. `docs/decisions/0028-features-of-branches.md` lists the
//! choices where the table is ambiguous.

use super::set::{Feature, FeatureSet};

/// Static facts about a branch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CodeFacts {
    pub in_main: bool,
    /// True if the side continues a loop at the loop's condition.
    pub stays_in_loop: bool,
    /// True if the side leaves a loop at the loop's condition.
    pub leaves_loop: bool,
    /// True if another branch of the function decides if it is reached.
    pub nested: bool,
    pub external_call: bool,
    pub integer: bool,
    pub string: bool,
    pub pointer: bool,
    pub local: bool,
    pub in_loop_body: bool,
    /// True if the side is a case of a switch.
    pub takes_case: bool,
    /// True if the side is the default of a switch.
    pub takes_default: bool,
}

/// Numbers of a branch on a path.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct BranchNumbers {
    pub code: CodeFacts,
    /// Number of earlier branches on the path.
    pub position: u32,
    /// Number of branches on the path.
    pub length: u32,
    /// Number of times that the path takes its side.
    pub times: u32,
    /// Maximum number of times that the path takes any side; `least_times` is the minimum.
    pub most_times: u32,
    pub least_times: u32,
    /// True if the last run was the first to take its side.
    pub newly_covered: bool,
    /// Position of the branch whose negation resulted in the path; `None` if it started at the
    /// root.
    pub negated: Option<u32>,
    /// True for each length of contexts, from 1 on, at which a branch was negated in the same
    /// context.
    pub contexts: [bool; 5],
    /// Number of times that a negation left its side and resulted in a run.
    pub times_negated: u32,
    /// Number of such negations since the last one that left its side; `None` if there was none.
    pub negations_since: Option<u32>,
    /// Number of times that its opposite was queried and infeasible.
    pub times_refuted: u32,
    /// Number of times that its side was queried and infeasible.
    pub opposite_refuted: u32,
    /// True if no run has taken its opposite.
    pub opposite_uncovered: bool,
    /// True if no run has taken its opposite or any side that follows it.
    pub next_uncovered: bool,
    /// True if no other function on the path has more uncovered sides than its function.
    pub in_most_uncovered: bool,
    /// Number of sides of the largest unreached function within two branches of its opposite; 0 if
    /// there is none.
    pub unreached_near: u32,
    /// Number of sides of the smallest function among the largest 10, 20 and 30 percent of the
    /// unreached ones; 0 if there is none.
    pub unreached_largest: [u32; 3],
    /// True if one of the last ten runs was the first to reach its function.
    pub lately_reached: bool,
}

impl BranchNumbers {
    /// Returns a percentage of the path's branches.
    fn percent(&self, percent: u32) -> u32 {
        (u64::from(self.length) * u64::from(percent) / 100) as u32
    }

    fn negated_lately(&self, negations: u32) -> bool {
        self.negations_since.is_some_and(|since| since < negations)
    }

    fn near_unreached(&self, least: u32) -> bool {
        self.unreached_near != 0 && self.unreached_near >= least
    }
}

macro_rules! features {
    ($($number:literal $name:literal $source:literal $holds:expr;)+) => {
        &[$(Feature {
            number: $number,
            name: $name,
            source: $source,
            holds: $holds,
        }),+]
    };
}

/// Features of branches.
pub static BRANCH: FeatureSet<BranchNumbers> = FeatureSet {
    name: "branch",
    features: features![
        1 "in main" "branch in the main function" |b| b.code.in_main;
        2 "true branch of a loop" "true branch of a loop" |b| b.code.stays_in_loop;
        3 "false branch of a loop" "false branch of a loop" |b| b.code.leaves_loop;
        4 "nested" "nested branch" |b| b.code.nested;
        5 "external call in the condition" "branch containing external function calls"
            |b| b.code.external_call;
        6 "integer in the condition" "branch containing integer expressions" |b| b.code.integer;
        7 "string in the condition" "branch containing constant strings" |b| b.code.string;
        8 "pointer in the condition" "branch containing pointer expressions" |b| b.code.pointer;
        9 "local variable in the condition" "branch containing local variables" |b| b.code.local;
        10 "in the body of a loop" "branch inside a loop body" |b| b.code.in_loop_body;
        11 "true branch of a case" "true branch of a case statement" |b| b.code.takes_case;
        12 "false branch of a case" "false branch of a case statement" |b| b.code.takes_default;
        13 "in the first 10 % of the path" "first 10 % branches of a path"
            |b| b.position < b.percent(10);
        14 "in the last 10 % of the path" "last 10 % branches of a path"
            |b| b.position >= b.length - b.percent(10);
        15 "most frequent on the path" "branch appearing most frequently in a path"
            |b| b.times == b.most_times && b.times != 0;
        16 "least frequent on the path" "branch appearing least frequently in a path"
            |b| b.times == b.least_times && b.times != 0;
        17 "newly covered by the last run" "branch newly covered in the previous execution"
            |b| b.newly_covered;
        18 "from the last negated branch on" "branch located right after the just negated branch"
            |b| b.negated.is_some_and(|negated| b.position >= negated);
        19 "context of 1 seen" "branch whose context (k = 1) is already visited"
            |b| b.contexts[0];
        20 "context of 2 seen" "branch whose context (k = 2) is already visited"
            |b| b.contexts[1];
        21 "context of 3 seen" "branch whose context (k = 3) is already visited"
            |b| b.contexts[2];
        22 "context of 4 seen" "branch whose context (k = 4) is already visited"
            |b| b.contexts[3];
        23 "context of 5 seen" "branch whose context (k = 5) is already visited"
            |b| b.contexts[4];
        24 "negated more than 10 times" "branch negated more than 10 times"
            |b| b.times_negated > 10;
        25 "negated more than 20 times" "branch negated more than 20 times"
            |b| b.times_negated > 20;
        26 "negated more than 30 times" "branch negated more than 30 times"
            |b| b.times_negated > 30;
        27 "near the last negated branch" "branch near the just negated branch"
            |b| b.negated.is_some_and(|at| b.position.abs_diff(at) <= b.percent(20));
        28 "refuted more than 10 times" "branch failed to be negated more than 10 times"
            |b| b.times_refuted > 10;
        29 "opposite refuted more than 10 times"
            "the opposite branch failed to be negated more than 10 times"
            |b| b.opposite_refuted > 10;
        30 "opposite uncovered" "the opposite branch is uncovered (depth 0)"
            |b| b.opposite_uncovered;
        31 "opposite and next uncovered" "the opposite branch is uncovered (depth 1)"
            |b| b.next_uncovered;
        32 "among the last 10 negated" "branch negated in the last 10 executions"
            |b| b.negated_lately(10);
        33 "among the last 20 negated" "branch negated in the last 20 executions"
            |b| b.negated_lately(20);
        34 "among the last 30 negated" "branch negated in the last 30 executions"
            |b| b.negated_lately(30);
        35 "in the most uncovered function"
            "branch in the function that has the largest number of uncovered branches"
            |b| b.in_most_uncovered;
        36 "near an unreached function of the largest 10 %"
            "the opposite branch belongs to unreached functions (top 10 % of the largest func.)"
            |b| b.near_unreached(b.unreached_largest[0]);
        37 "near an unreached function of the largest 20 %"
            "the opposite branch belongs to unreached functions (top 20 % of the largest func.)"
            |b| b.near_unreached(b.unreached_largest[1]);
        38 "near an unreached function of the largest 30 %"
            "the opposite branch belongs to unreached functions (top 30 % of the largest func.)"
            |b| b.near_unreached(b.unreached_largest[2]);
        39 "near an unreached function of 10 sides or more"
            "the opposite branch belongs to unreached functions (# of branches: 10)"
            |b| b.near_unreached(10);
        40 "in a function reached lately" "branch inside the most recently reached function"
            |b| b.lately_reached;
    ],
};
