//! Numbers of branches, checked on hand-written programs and paths.

use super::super::path::{BranchRef, PathId};
use super::super::seen::LastPath;
use super::*;
use homi_explore::search::{Fork, StateId};
use homi_ir::program::testing::{branch, call, function, program, ret};
use homi_ir::program::{Origin, Program};

/// Hand-written run: a program, its history, and the counters.
struct Bench {
    seen: Seen,
    measure: BranchMeasure,
    states: u32,
}

impl Bench {
    fn new(program: &Program) -> Self {
        Self {
            seen: Seen::default(),
            measure: BranchMeasure::new(Arc::new(BranchCode::of(program))),
            states: 0,
        }
    }

    /// Adds a run whose path leaves another at a branch, or starts at a root, and then takes these
    /// sides. It leaves the other sides open and covers sides that are new.
    fn run(&mut self, from: Option<BranchRef>, taken: &[u32]) -> PathId {
        let paths = &mut self.seen.paths;
        let origin = from.and_then(|at| paths.branch(at));
        let path = paths.begin(from);
        for side in taken {
            let fork = Fork {
                kept: *side,
                taken: side ^ 1,
            };
            paths.meet(path, Some(fork), StateId(self.states), false);
            self.states += 1;
        }
        let left = origin.and_then(|branch| branch.other);
        let sides: Vec<u32> = left.into_iter().chain(taken.iter().copied()).collect();
        let fresh = |side: &u32| !self.seen.history.is_covered(*side);
        let news: Vec<u32> = sides.iter().copied().filter(fresh).collect();
        self.seen.history.cover(&sides);
        self.seen.history.end_run(news.clone());
        self.seen.last = Some(LastPath::new(
            path,
            origin.map(|branch| branch.position),
            news,
        ));
        self.measure.run_ended(&self.seen);
        path
    }

    /// Returns the open branches of the last path.
    fn last(&mut self) -> Vec<Measured> {
        let negated = self.seen.last.as_ref().and_then(|last| last.negated);
        self.measure
            .measure(&self.seen, self.seen.last_branches(), negated)
    }

    /// Negates the last path's open branch at this position, and follows it over these sides.
    fn negate(&mut self, position: u32, taken: &[u32]) {
        let found = self.last().into_iter();
        let mut found = found.filter(|one| one.branch.position == position);
        let measured = found.next().expect("an open branch there");
        self.measure.negated(&measured);
        let at = measured.branch.at;
        let state = self.seen.paths.state_at(at).expect("it is open");
        self.run(Some(at), taken);
        self.seen.paths.close(state);
    }

    /// Returns a number of each open branch of the last path.
    fn each<T>(&mut self, number: fn(&BranchNumbers) -> T) -> Vec<T> {
        let measured = self.last();
        measured.iter().map(|one| number(&one.numbers)).collect()
    }
}

/// Returns a program with branches 0 to 9 of main, one after the other.
fn chain() -> Program {
    let mut blocks: Vec<_> = (0..10)
        .map(|site| vec![branch(site, site + 1, site + 1)])
        .collect();
    blocks.push(vec![ret()]);
    let mut program = program(vec![function("main", blocks)]);
    for site in &mut program.branches {
        site.function = "main".to_string();
    }
    program
}

#[test]
fn places_and_frequencies_are_of_the_whole_path() {
    let mut bench = Bench::new(&chain());
    bench.run(None, &[0, 2, 0, 5, 0, 2]);
    assert_eq!(bench.each(|b| (b.position, b.length)).len(), 6);
    assert_eq!(bench.each(|b| b.position), [0, 1, 2, 3, 4, 5]);
    assert_eq!(bench.each(|b| b.length), [6; 6]);
    assert_eq!(bench.each(|b| b.times), [3, 2, 3, 1, 3, 2]);
    assert_eq!(bench.each(|b| (b.most_times, b.least_times)), [(3, 1); 6]);
    assert_eq!(bench.each(|b| b.negated), [None; 6]);
    assert!(bench.each(|b| b.code.in_main).into_iter().all(|main| main));
    // The branch at position 3 is negated: it is closed, and still a branch of the path.
    bench.negate(3, &[0]);
    assert_eq!(bench.each(|b| b.position), [0, 1, 2, 4]);
    assert_eq!(bench.each(|b| (b.length, b.negated)), [(5, Some(3)); 4]);
    assert_eq!(bench.each(|b| b.times), [3, 1, 3, 3]);
    // Sides 0 (three times), 2 and 4.
    assert_eq!(bench.each(|b| (b.most_times, b.least_times)), [(3, 1); 4]);
}

#[test]
fn a_switch_and_a_choice_of_a_value_are_one_decision_each() {
    let mut bench = Bench::new(&chain());
    let paths = &mut bench.seen.paths;
    let path = paths.begin(None);
    let fork = |kept, taken| Some(Fork { kept, taken });
    paths.meet(path, fork(0, 1), StateId(1), false);
    paths.meet(path, fork(0, 2), StateId(2), true);
    paths.meet(path, None, StateId(3), false);
    paths.meet(path, fork(4, 5), StateId(4), false);
    bench.seen.last = Some(LastPath::new(path, None, Vec::new()));
    assert_eq!(bench.each(|b| b.position), [0, 0, 1, 2]);
    assert_eq!(bench.each(|b| b.length), [3; 4]);
    assert_eq!(bench.each(|b| b.times), [1, 1, 0, 1]);
    assert_eq!(bench.each(|b| b.code.in_main), [true, true, false, true]);
    assert_eq!(
        bench.each(|b| b.opposite_uncovered),
        [true, true, false, true]
    );
}

#[test]
fn news_are_those_of_the_last_run() {
    let mut bench = Bench::new(&chain());
    bench.run(None, &[0, 2]);
    assert_eq!(bench.each(|b| b.newly_covered), [true, true]);
    // Sides 3 and 4 are new, 0 is not.
    bench.negate(1, &[4]);
    assert_eq!(bench.each(|b| b.newly_covered), [false, true]);
}

#[test]
fn contexts_are_seen_once_a_branch_was_negated_in_them() {
    let mut bench = Bench::new(&chain());
    bench.run(None, &[0, 3, 4]);
    assert_eq!(bench.each(|b| b.contexts), [[false; 5]; 3]);
    // In the context [5, 3, 0]: its side and the sides taken before. In a chain no side dominates
    // another, as both sides continue.
    bench.negate(2, &[4]);
    // [5, 5, 3, 0] at position 3: known with length 1, unknown with longer ones. The others have
    // contexts [1] and [2, 0].
    let known = bench.each(|b| b.contexts);
    assert_eq!(known[2], [true, false, false, false, false]);
    assert_eq!(known[..2], [[false; 5]; 2]);
    // Another path that reaches side 4 via 3, but via 1 before.
    bench.negate(0, &[3, 4]);
    let known = bench.each(|b| b.contexts);
    assert_eq!(known[1], [true, true, false, false, false]);
    // [2, 1] has another start.
    assert_eq!(known[0], [false; 5]);
}

#[test]
fn sides_on_every_path_are_not_context() {
    // Branch 2 is reached only via side 0, and via both sides of branch 1.
    let mut program = program(vec![function(
        "main",
        vec![
            vec![branch(0, 1, 3)],
            vec![branch(1, 2, 2)],
            vec![branch(2, 3, 3)],
            vec![ret()],
        ],
    )]);
    program.branches[0].function = "main".to_string();
    let mut bench = Bench::new(&program);
    let path = bench.run(None, &[0, 2, 4]);
    bench.negate(2, &[]);
    // The context is [5, 2]; for a path that starts with side 1 it would be [5, 2, 1].
    bench.seen.last = None;
    let branches = bench.seen.paths.branches(path);
    let frequency = Frequency::of(&branches);
    let dominators = &bench.measure.code.dominators;
    let contexts = frequency.contexts(dominators, &branches[2]);
    let same = Contexts::of([5, 2].into_iter());
    assert_eq!(bench.measure.contexts.seen(&contexts), [true; 5]);
    assert_eq!(bench.measure.contexts.seen(&same), [true; 5]);
}

#[test]
fn negations_and_refutations_are_counted_by_side() {
    let mut bench = Bench::new(&chain());
    bench.run(None, &[0, 2, 4]);
    assert_eq!(bench.each(|b| b.times_negated), [0; 3]);
    assert_eq!(bench.each(|b| b.negations_since), [None; 3]);
    bench.negate(1, &[4, 2]);
    // Side 2 was negated once, by the last negation; now the path has 0, 3 (closed), 4, 2.
    assert_eq!(bench.each(|b| b.times_negated), [0, 0, 1]);
    assert_eq!(bench.each(|b| b.negations_since), [None, None, Some(0)]);
    bench.negate(2, &[2]);
    // 0, 3, 5 (closed), 2.
    assert_eq!(bench.each(|b| b.times_negated), [0, 1]);
    assert_eq!(bench.each(|b| b.negations_since), [None, Some(1)]);
    // Side 1 was infeasible twice, side 2 once.
    for side in [1, 1, 2] {
        bench.seen.history.refute(Some(side));
    }
    assert_eq!(bench.each(|b| b.times_refuted), [2, 0]);
    assert_eq!(bench.each(|b| b.opposite_refuted), [0, 1]);
}

#[test]
fn what_comes_next_is_of_the_users_own_code() {
    let mut program = chain();
    program.branches[3].origin = Origin::Libc;
    let mut bench = Bench::new(&program);
    bench.run(None, &[0, 2, 4, 6]);
    // The other sides are uncovered; libc's is not counted.
    assert_eq!(
        bench.each(|b| b.opposite_uncovered),
        [true, true, true, false]
    );
    // After side 1 come sides 2 and 3, of which 2 is covered; after 3 come 4 and 5. After side 5
    // come only libc's.
    assert_eq!(
        bench.each(|b| b.next_uncovered),
        [false, false, true, false]
    );
    bench.negate(2, &[]);
    // Side 5 is covered now.
    assert_eq!(bench.each(|b| b.opposite_uncovered), [true, true]);
}

/// Returns a program. main: 0 -> 1 / 4, 1: call near, branch 1, 2 and 3: further branches. near:
/// branches 4 and 5, and a call of far after both. far: branches 6 to 8. alone: branch 9.
fn calls() -> Program {
    let mut program = program(vec![
        function(
            "main",
            vec![
                vec![branch(0, 1, 2)],
                vec![call(1), branch(1, 2, 2)],
                vec![branch(2, 3, 3)],
                vec![branch(3, 4, 4)],
                vec![ret()],
            ],
        ),
        function(
            "near",
            vec![
                vec![branch(4, 1, 1)],
                vec![branch(5, 2, 2)],
                vec![call(2), ret()],
            ],
        ),
        function(
            "far",
            vec![
                vec![branch(6, 1, 1)],
                vec![branch(7, 2, 2)],
                vec![branch(8, 3, 3)],
                vec![ret()],
            ],
        ),
        function("alone", vec![vec![branch(9, 1, 1)], vec![ret()]]),
    ]);
    let names = ["main"; 4].into_iter().chain(["near"; 2]);
    let names = names.chain(["far"; 3]).chain(["alone"]);
    for (site, name) in program.branches.iter_mut().zip(names) {
        site.function = name.to_string();
    }
    program
}

#[test]
fn functions_are_reached_near_and_uncovered() {
    let mut bench = Bench::new(&calls());
    bench.run(None, &[1, 4, 6]);
    // Unreached: near with 4 sides, far with 6, alone with 2. A tenth of three functions is one.
    assert_eq!(bench.each(|b| b.unreached_largest), [[6, 6, 6]; 3]);
    // Side 0 leads into near, whose second branch leads to far: beyond two branches.
    assert_eq!(bench.each(|b| b.unreached_near), [4, 0, 0]);
    // Only main is on the path, with five sides uncovered.
    assert_eq!(bench.each(|b| b.in_most_uncovered), [true; 3]);
    assert_eq!(bench.each(|b| b.lately_reached), [true; 3]);

    // Into near: its sides 8 and 10, then on in main.
    bench.negate(0, &[8, 10, 2, 4, 6]);
    // After its sides far is 1 and 2 branches away, so it is near from both.
    assert_eq!(bench.each(|b| b.unreached_near), [6, 6, 0, 0, 0]);
    assert_eq!(bench.each(|b| b.unreached_largest), [[6, 6, 6]; 5]);
    // main has sides 3, 5 and 7 uncovered (0, 1, 2, 4, 6 are covered), near has 9 and 11.
    let most = bench.each(|b| b.in_most_uncovered);
    assert_eq!(most, [false, false, true, true, true]);
    // Side 3 of main, then far by hand: all of main except 5 and 7.
    bench.seen.history.cover(&[3, 12]);
    bench.run(None, &[0, 8, 10, 2]);
    // main and near have two uncovered sides each.
    assert_eq!(bench.each(|b| b.in_most_uncovered), [true; 4]);
    // far is reached; no side is near to alone.
    assert_eq!(bench.each(|b| b.unreached_near), [0; 4]);
    assert_eq!(bench.each(|b| b.unreached_largest), [[2, 2, 2]; 4]);
}

#[test]
fn functions_count_as_recently_reached_for_ten_runs() {
    let mut bench = Bench::new(&calls());
    bench.run(None, &[1, 4]);
    for _ in 0..7 {
        bench.run(None, &[1, 4]);
    }
    // The ninth run reaches near.
    bench.run(None, &[0, 8]);
    assert_eq!(bench.each(|b| b.lately_reached), [true, true]);
    bench.run(None, &[0, 8]);
    assert_eq!(bench.each(|b| b.lately_reached), [true, true]);
    // Ten runs have ended since the first one.
    bench.run(None, &[0, 8]);
    assert_eq!(bench.each(|b| b.lately_reached), [false, true]);
    for _ in 0..8 {
        bench.run(None, &[0, 8]);
    }
    assert_eq!(bench.each(|b| b.lately_reached), [false, false]);
}
