use super::*;

const MANY: Option<u64> = Some(1_000);
const ALL: Able = Able {
    single_paths: true,
    unpruned: true,
};

fn ran(arm: Arm, new_branches: u64, waiting: Option<u64>) -> Ran {
    let spent = 1.0;
    Ran {
        arm,
        new_branches,
        spent,
        waiting,
    }
}

/// Returns the shares of 200 slices of equal length that the concolic, unpruned and fresh runs get
/// if each slice finds `found` branches.
fn shares(mut turns: Turns, found: [u64; 3]) -> [f64; 3] {
    let arms = [Arm::SinglePaths, Arm::Unpruned, Arm::Pruned];
    let mut counts = [0_u32; 3];
    for _ in 0..200 {
        let arm = turns.choose(ALL);
        let index = arms.iter().position(|one| *one == arm).unwrap();
        counts[index] += 1;
        turns.note(ran(arm, found[index], MANY));
    }
    counts.map(|count| f64::from(count) / 200.0)
}

#[test]
fn who_finds_most_has_most_of_the_time() {
    let all = || Turns::new(true, 1.0);
    let [single, unpruned, fresh] = shares(all(), [90, 10, 10]);
    assert!(single > 0.9 && unpruned > 0.0 && fresh == 0.0);
    let [single, unpruned, _] = shares(all(), [10, 90, 10]);
    assert!(unpruned > 0.9 && single > 0.04, "{single}");
    let [single, ..] = shares(Turns::new(true, 0.5), [90, 10, 10]);
    assert!((0.45..=0.55).contains(&single), "{single}");
}

#[test]
fn fresh_runs_come_once_the_others_find_little() {
    let mut turns = Turns::new(true, 0.0);
    let mut found = 512;
    while turns.choose(ALL) == Arm::Unpruned {
        turns.note(ran(Arm::Unpruned, found, MANY));
        found /= 2;
    }
    assert!(found < 16, "{found}");
    turns.note(ran(Arm::Pruned, 40, None));
    turns.note(ran(Arm::Pruned, 40, None));
    assert_eq!(turns.choose(ALL), Arm::Pruned);
}

#[test]
fn the_run_without_pruning_goes_on_while_fewer_wait_and_else_takes_turns() {
    let mut turns = Turns::new(true, 0.0);
    turns.note(ran(Arm::Unpruned, 0, Some(50)));
    (0..2).for_each(|_| turns.note(ran(Arm::Pruned, 0, None)));
    assert_eq!(turns.choose(ALL), Arm::Unpruned);
    turns.note(ran(Arm::Unpruned, 0, Some(80)));
    assert_eq!(turns.choose(ALL), Arm::Pruned);
    turns.note(ran(Arm::Pruned, 0, None));
    turns.note(ran(Arm::Unpruned, 0, Some(70)));
    assert_eq!(turns.choose(ALL), Arm::Unpruned);
    turns.note(ran(Arm::Unpruned, 0, None));
    assert_eq!(turns.choose(ALL), Arm::Pruned, "it is over");
}

#[test]
fn single_paths_come_first_while_they_find_something() {
    let mut turns = Turns::new(true, 0.5);
    turns.note(ran(Arm::SinglePaths, 0, MANY));
    assert_eq!(turns.choose(ALL), Arm::Unpruned);
    let mut turns = Turns::new(true, 0.5);
    for _ in 0..FIRST_SLICES {
        assert_eq!(turns.choose(ALL), Arm::SinglePaths);
        turns.note(ran(Arm::SinglePaths, 9, MANY));
    }
    assert_eq!(turns.choose(ALL), Arm::Unpruned);
    turns.note(ran(Arm::SinglePaths, 9, None));
    turns.note(ran(Arm::Unpruned, 1, MANY));
    assert_eq!(
        turns.choose(ALL),
        Arm::Unpruned,
        "all single paths were followed"
    );
}

#[test]
fn a_thread_that_can_go_on_with_nothing_has_fresh_runs() {
    let none = Able {
        single_paths: false,
        unpruned: false,
    };
    let mut turns = Turns::new(true, 0.5);
    assert_eq!(turns.choose(none), Arm::Pruned);
    turns.note(ran(Arm::Unpruned, 90, MANY));
    assert_eq!(turns.choose(none), Arm::Pruned);
    let single = Able {
        single_paths: true,
        ..none
    };
    assert_eq!(turns.choose(single), Arm::SinglePaths);
}

#[test]
fn shapes_are_tried_in_turn_and_what_one_finds_gives_it_more() {
    let mut turns = Turns::new(true, 0.0).with_shapes(3);
    turns.note(ran(Arm::Unpruned, 200, MANY));
    turns.note(ran(Arm::Unpruned, 0, MANY));
    turns.note(ran(Arm::Unpruned, 0, MANY));
    while matches!(turns.choose(ALL), Arm::Unpruned | Arm::Pruned) {
        turns.note(ran(turns.choose(ALL), 0, MANY));
    }
    assert_eq!(turns.fresh.runs, FIRST_PRUNED);
    assert_eq!(turns.choose(ALL), Arm::Shaped(0));
    turns.note(ran(Arm::Shaped(0), 0, MANY));
    assert_eq!(turns.choose(ALL), Arm::Shaped(1));
    turns.note(ran(Arm::Shaped(1), 90, MANY));
    assert_eq!(turns.choose(ALL), Arm::Shaped(1));
    turns.note(ran(Arm::Shaped(1), 90, MANY));
    assert_eq!(turns.runs_of_shape(1), 2);
    while turns.choose(ALL) != Arm::Shaped(2) {
        turns.note(ran(turns.choose(ALL), 0, MANY));
    }
}

#[test]
fn shapes_that_find_nothing_leave_the_time_to_others() {
    let mut turns = Turns::new(true, 0.0).with_shapes(60);
    let mut tried = 0;
    for turn in 0..200 {
        let arm = turns.choose(ALL);
        let found = match arm {
            Arm::Pruned => 10,
            Arm::Shaped(_) => 0,
            Arm::Unpruned | Arm::SinglePaths => u64::from(turn < 1) * 400,
        };
        tried += u32::from(matches!(arm, Arm::Shaped(_)));
        turns.note(ran(arm, found, MANY));
    }
    assert!((8..=12).contains(&tried), "a twentieth: {tried}");
}

#[test]
fn two_threads_try_two_shapes() {
    let mut turns = Turns::new(true, 0.0).with_shapes(2);
    for arm in [Arm::Unpruned, Arm::Pruned, Arm::Pruned] {
        turns.note(ran(arm, 0, MANY));
    }
    let thread = Able {
        single_paths: false,
        unpruned: false,
    };
    assert_eq!(turns.choose(thread), Arm::Shaped(0));
    turns.begin_shape(0);
    assert_eq!(turns.choose(thread), Arm::Shaped(1));
}

#[test]
fn a_shape_that_is_over_has_no_more_turns() {
    let mut turns = Turns::new(true, 0.0).with_shapes(2);
    turns.note(ran(Arm::Unpruned, 5, None));
    assert!(turns.shape_is_over(Arm::Unpruned));
    turns.note(ran(Arm::Shaped(0), 0, MANY));
    assert!(turns.shape_is_over(Arm::Shaped(0)));
    for _ in 0..20 {
        assert_eq!(turns.choose(ALL), Arm::Shaped(1));
        turns.note(ran(Arm::Shaped(1), 0, MANY));
    }
    assert!(!turns.shape_is_over(Arm::Shaped(1)));
    assert!(!Turns::new(true, 0.0).shape_is_over(Arm::Unpruned));
}

#[test]
fn without_a_suspended_run_all_are_fresh() {
    assert_eq!(shares(Turns::new(false, 0.0), [0, 0, 3]), [0.0, 0.0, 1.0]);
    assert_eq!(shares(Turns::new(false, 0.0), [0, 0, 0]), [0.0, 0.0, 1.0]);
}
