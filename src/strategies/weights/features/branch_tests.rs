//! Tests of each feature of branches: a record that has it, and the nearest record that does not.

use super::branch::{BRANCH, BranchNumbers, CodeFacts};

const NOTHING: [u32; 0] = [];

/// Returns a record that has only these static facts.
fn code(facts: CodeFacts) -> BranchNumbers {
    BranchNumbers {
        code: facts,
        ..plain()
    }
}

/// Returns a branch in the middle of a path of 20 that has no feature.
fn plain() -> BranchNumbers {
    BranchNumbers {
        position: 10,
        length: 20,
        times: 2,
        most_times: 3,
        least_times: 1,
        unreached_largest: [30, 20, 12],
        ..BranchNumbers::default()
    }
}

/// Returns the numbers of the features that a record has.
fn held(numbers: &BranchNumbers) -> Vec<u32> {
    let features = BRANCH.features.iter();
    let held = features.filter(|feature| (feature.holds)(numbers));
    held.map(|feature| feature.number).collect()
}

#[test]
fn nothing_holds_of_a_plain_branch() {
    assert_eq!(held(&plain()), NOTHING);
    assert_eq!(BRANCH.len(), 40);
}

#[test]
fn features_1_to_12_are_of_the_code() {
    let none = CodeFacts::default();
    let facts = [
        CodeFacts {
            in_main: true,
            ..none
        },
        CodeFacts {
            stays_in_loop: true,
            ..none
        },
        CodeFacts {
            leaves_loop: true,
            ..none
        },
        CodeFacts {
            nested: true,
            ..none
        },
        CodeFacts {
            external_call: true,
            ..none
        },
        CodeFacts {
            integer: true,
            ..none
        },
        CodeFacts {
            string: true,
            ..none
        },
        CodeFacts {
            pointer: true,
            ..none
        },
        CodeFacts {
            local: true,
            ..none
        },
        CodeFacts {
            in_loop_body: true,
            ..none
        },
        CodeFacts {
            takes_case: true,
            ..none
        },
        CodeFacts {
            takes_default: true,
            ..none
        },
    ];
    for (index, facts) in facts.into_iter().enumerate() {
        assert_eq!(held(&code(facts)), [index as u32 + 1]);
    }
}

/// Returns the features of a plain branch after a change.
fn with(change: fn(&mut BranchNumbers)) -> Vec<u32> {
    let mut numbers = plain();
    change(&mut numbers);
    held(&numbers)
}

#[test]
fn features_13_to_18_and_27_are_of_the_place_on_the_path() {
    assert_eq!(with(|b| b.position = 1), [13]);
    assert_eq!(with(|b| b.position = 2), NOTHING);
    assert_eq!(with(|b| b.position = 18), [14]);
    assert_eq!(with(|b| b.position = 17), NOTHING);
    // A tenth of a path of 9 rounds to 0.
    assert_eq!(with(|b| (b.position, b.length) = (0, 9)), NOTHING);
    assert_eq!(with(|b| (b.position, b.length) = (8, 9)), NOTHING);
    assert_eq!(with(|b| b.times = 3), [15]);
    assert_eq!(with(|b| b.times = 1), [16]);
    // A choice of a value does not take a side.
    assert_eq!(with(|b| (b.times, b.least_times) = (0, 0)), NOTHING);
    assert_eq!(with(|b| b.newly_covered = true), [17]);
    // A fifth of the path is 4.
    assert_eq!(with(|b| b.negated = Some(5)), [18]);
    assert_eq!(with(|b| b.negated = Some(6)), [18, 27]);
    assert_eq!(with(|b| b.negated = Some(10)), [18, 27]);
    assert_eq!(with(|b| b.negated = Some(11)), [27]);
    assert_eq!(with(|b| b.negated = Some(14)), [27]);
    assert_eq!(with(|b| b.negated = Some(15)), NOTHING);
}

#[test]
fn features_19_to_26_and_32_to_34_are_of_negations() {
    assert_eq!(with(|b| b.contexts[0] = true), [19]);
    assert_eq!(with(|b| b.contexts = [true; 5]), [19, 20, 21, 22, 23]);
    assert_eq!(with(|b| b.contexts[4] = true), [23]);
    assert_eq!(with(|b| b.times_negated = 10), NOTHING);
    assert_eq!(with(|b| b.times_negated = 11), [24]);
    assert_eq!(with(|b| b.times_negated = 20), [24]);
    assert_eq!(with(|b| b.times_negated = 21), [24, 25]);
    assert_eq!(with(|b| b.times_negated = 31), [24, 25, 26]);
    assert_eq!(with(|b| b.negations_since = Some(0)), [32, 33, 34]);
    assert_eq!(with(|b| b.negations_since = Some(9)), [32, 33, 34]);
    assert_eq!(with(|b| b.negations_since = Some(10)), [33, 34]);
    assert_eq!(with(|b| b.negations_since = Some(20)), [34]);
    assert_eq!(with(|b| b.negations_since = Some(30)), NOTHING);
}

#[test]
fn features_28_to_31_and_35_to_40_are_of_refutations_and_coverage() {
    assert_eq!(with(|b| b.times_refuted = 10), NOTHING);
    assert_eq!(with(|b| b.times_refuted = 11), [28]);
    assert_eq!(with(|b| b.opposite_refuted = 11), [29]);
    assert_eq!(with(|b| b.opposite_uncovered = true), [30]);
    assert_eq!(with(|b| b.next_uncovered = true), [31]);
    assert_eq!(with(|b| b.in_most_uncovered = true), [35]);
    assert_eq!(with(|b| b.unreached_near = 30), [36, 37, 38, 39]);
    assert_eq!(with(|b| b.unreached_near = 29), [37, 38, 39]);
    assert_eq!(with(|b| b.unreached_near = 12), [38, 39]);
    assert_eq!(with(|b| b.unreached_near = 10), [39]);
    assert_eq!(with(|b| b.unreached_near = 9), NOTHING);
    // All functions are reached.
    assert_eq!(with(|b| b.unreached_largest = [0; 3]), NOTHING);
    assert_eq!(with(|b| b.lately_reached = true), [40]);
}

#[test]
fn numbers_count_the_rows_and_names_are_distinct() {
    for (index, feature) in BRANCH.features.iter().enumerate() {
        assert_eq!(feature.number as usize, index + 1, "{}", feature.name);
        assert!(!feature.source.is_empty(), "{}", feature.name);
    }
    let mut names: Vec<&str> = BRANCH.names().collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), BRANCH.len());
}
