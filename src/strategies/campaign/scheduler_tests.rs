use super::*;

const MANY: Option<u64> = Some(1_000);
const ALL: Able = Able {
    concolic_ratio: true,
    unpruned: true,
};

fn ran(arm: Arm, new_branches: u64, waiting: Option<u64>) -> Ran {
    let usage = 1.0;
    Ran {
        arm,
        new_branches,
        usage,
        waiting,
    }
}

/// Returns the shares of 200 slices of equal length that the concolic, unpruned and fresh runs get
/// if each slice finds `found` branches.
fn shares(mut scheduler: Scheduler, found: [u64; 3]) -> [f64; 3] {
    let arms = [Arm::ConcolicRun, Arm::Unpruned, Arm::Pruned];
    let mut counts = [0_u32; 3];
    for _ in 0..200 {
        let arm = scheduler.choose(ALL);
        let index = arms.iter().position(|one| *one == arm).unwrap();
        counts[index] += 1;
        scheduler.note(ran(arm, found[index], MANY));
    }
    counts.map(|count| f64::from(count) / 200.0)
}

#[test]
fn who_finds_most_has_most_of_the_time() {
    let all = || Scheduler::new(true, 1.0);
    let [single, unpruned, fresh] = shares(all(), [90, 10, 10]);
    assert!(single > 0.9 && unpruned > 0.0 && fresh == 0.0);
    let [single, unpruned, _] = shares(all(), [10, 90, 10]);
    assert!(unpruned > 0.9 && single > 0.04, "{single}");
    let [single, ..] = shares(Scheduler::new(true, 0.5), [90, 10, 10]);
    assert!((0.45..=0.55).contains(&single), "{single}");
}

#[test]
fn fresh_runs_come_once_the_others_find_little() {
    let mut scheduler = Scheduler::new(true, 0.0);
    let mut found = 512;
    while scheduler.choose(ALL) == Arm::Unpruned {
        scheduler.note(ran(Arm::Unpruned, found, MANY));
        found /= 2;
    }
    assert!(found < 16, "{found}");
    scheduler.note(ran(Arm::Pruned, 40, None));
    scheduler.note(ran(Arm::Pruned, 40, None));
    assert_eq!(scheduler.choose(ALL), Arm::Pruned);
}

#[test]
fn the_unpruned_run_continues_while_fewer_states_wait_and_else_alternates() {
    let mut scheduler = Scheduler::new(true, 0.0);
    scheduler.note(ran(Arm::Unpruned, 0, Some(50)));
    (0..2).for_each(|_| scheduler.note(ran(Arm::Pruned, 0, None)));
    assert_eq!(scheduler.choose(ALL), Arm::Unpruned);
    scheduler.note(ran(Arm::Unpruned, 0, Some(80)));
    assert_eq!(scheduler.choose(ALL), Arm::Pruned);
    scheduler.note(ran(Arm::Pruned, 0, None));
    scheduler.note(ran(Arm::Unpruned, 0, Some(70)));
    assert_eq!(scheduler.choose(ALL), Arm::Unpruned);
    scheduler.note(ran(Arm::Unpruned, 0, None));
    assert_eq!(scheduler.choose(ALL), Arm::Pruned, "it is over");
}

#[test]
fn single_paths_come_first_while_they_find_something() {
    let mut scheduler = Scheduler::new(true, 0.5);
    scheduler.note(ran(Arm::ConcolicRun, 0, MANY));
    assert_eq!(scheduler.choose(ALL), Arm::Unpruned);
    let mut scheduler = Scheduler::new(true, 0.5);
    for _ in 0..FIRST_SLICES {
        assert_eq!(scheduler.choose(ALL), Arm::ConcolicRun);
        scheduler.note(ran(Arm::ConcolicRun, 9, MANY));
    }
    assert_eq!(scheduler.choose(ALL), Arm::Unpruned);
    scheduler.note(ran(Arm::ConcolicRun, 9, None));
    scheduler.note(ran(Arm::Unpruned, 1, MANY));
    assert_eq!(
        scheduler.choose(ALL),
        Arm::Unpruned,
        "all single paths were followed"
    );
}

#[test]
fn a_thread_that_can_go_on_with_nothing_has_fresh_runs() {
    let none = Able {
        concolic_ratio: false,
        unpruned: false,
    };
    let mut scheduler = Scheduler::new(true, 0.5);
    assert_eq!(scheduler.choose(none), Arm::Pruned);
    scheduler.note(ran(Arm::Unpruned, 90, MANY));
    assert_eq!(scheduler.choose(none), Arm::Pruned);
    let single = Able {
        concolic_ratio: true,
        ..none
    };
    assert_eq!(scheduler.choose(single), Arm::ConcolicRun);
}

#[test]
fn layouts_are_interleaved_and_findings_give_more_time() {
    let mut scheduler = Scheduler::new(true, 0.0).with_layouts(3);
    scheduler.note(ran(Arm::Unpruned, 200, MANY));
    scheduler.note(ran(Arm::Unpruned, 0, MANY));
    scheduler.note(ran(Arm::Unpruned, 0, MANY));
    while matches!(scheduler.choose(ALL), Arm::Unpruned | Arm::Pruned) {
        scheduler.note(ran(scheduler.choose(ALL), 0, MANY));
    }
    assert_eq!(scheduler.fresh.runs, FIRST_PRUNED);
    assert_eq!(scheduler.choose(ALL), Arm::WithLayout(0));
    scheduler.note(ran(Arm::WithLayout(0), 0, MANY));
    assert_eq!(scheduler.choose(ALL), Arm::WithLayout(1));
    scheduler.note(ran(Arm::WithLayout(1), 90, MANY));
    assert_eq!(scheduler.choose(ALL), Arm::WithLayout(1));
    scheduler.note(ran(Arm::WithLayout(1), 90, MANY));
    assert_eq!(scheduler.runs_of_layout(1), 2);
    while scheduler.choose(ALL) != Arm::WithLayout(2) {
        scheduler.note(ran(scheduler.choose(ALL), 0, MANY));
    }
}

#[test]
fn layouts_that_find_nothing_leave_the_time_to_others() {
    let mut scheduler = Scheduler::new(true, 0.0).with_layouts(60);
    let mut tried = 0;
    for turn in 0..200 {
        let arm = scheduler.choose(ALL);
        let found = match arm {
            Arm::Pruned => 10,
            Arm::WithLayout(_) => 0,
            Arm::Unpruned | Arm::ConcolicRun => u64::from(turn < 1) * 400,
        };
        tried += u32::from(matches!(arm, Arm::WithLayout(_)));
        scheduler.note(ran(arm, found, MANY));
    }
    assert!((8..=12).contains(&tried), "a twentieth: {tried}");
}

#[test]
fn two_threads_try_two_layouts() {
    let mut scheduler = Scheduler::new(true, 0.0).with_layouts(2);
    for arm in [Arm::Unpruned, Arm::Pruned, Arm::Pruned] {
        scheduler.note(ran(arm, 0, MANY));
    }
    let thread = Able {
        concolic_ratio: false,
        unpruned: false,
    };
    assert_eq!(scheduler.choose(thread), Arm::WithLayout(0));
    scheduler.begin_layout(0);
    assert_eq!(scheduler.choose(thread), Arm::WithLayout(1));
}

#[test]
fn a_finished_layout_gets_no_more_time_slices() {
    let mut scheduler = Scheduler::new(true, 0.0).with_layouts(2);
    scheduler.note(ran(Arm::Unpruned, 5, None));
    assert!(scheduler.layout_is_over(Arm::Unpruned));
    scheduler.note(ran(Arm::WithLayout(0), 0, MANY));
    assert!(scheduler.layout_is_over(Arm::WithLayout(0)));
    for _ in 0..20 {
        assert_eq!(scheduler.choose(ALL), Arm::WithLayout(1));
        scheduler.note(ran(Arm::WithLayout(1), 0, MANY));
    }
    assert!(!scheduler.layout_is_over(Arm::WithLayout(1)));
    assert!(!Scheduler::new(true, 0.0).layout_is_over(Arm::Unpruned));
}

#[test]
fn without_a_suspended_run_all_are_fresh() {
    assert_eq!(
        shares(Scheduler::new(false, 0.0), [0, 0, 3]),
        [0.0, 0.0, 1.0]
    );
    assert_eq!(
        shares(Scheduler::new(false, 0.0), [0, 0, 0]),
        [0.0, 0.0, 1.0]
    );
}
