//! Small C programs with two symbolic bytes: every path is found, every path's model takes that
//! path when run concretely, and together the paths give exactly the outcomes that all 65,536
//! inputs give.

use crate::support::{bitcode_into, data};
use homi::app::session::Standalone;
use homi::config::SymbolicConfig;
use homi::ir::program::{GlobalId, Program};
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::{BugKind, ExecConfig, Step, Termination};
use homi::machine::state::State;
use homi::solver::term::{Byte, Model, Term, Terms};
use homi::solver::{Check, Oracle, PathCondition, Wanted};
use std::collections::BTreeSet;

/// Answers by trying every value of the bytes concerned.
struct Exhaustive;

impl Exhaustive {
    /// Calls `visit` with every model that satisfies the path, over the bytes of `term` and its
    /// relatives.
    fn models(
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        term: Term,
        mut visit: impl FnMut(Model) -> bool,
    ) {
        let related = path.related(terms, term);
        let mut bytes: BTreeSet<Byte> = terms.support(term).iter().copied().collect();
        for constraint in &related {
            bytes.extend(terms.support(*constraint).iter().copied());
        }
        let bytes: Vec<Byte> = bytes.into_iter().collect();
        assert!(bytes.len() <= 2, "the tests have two symbolic bytes");
        for value in 0..1u32 << (8 * bytes.len()) {
            let mut candidate = model.clone();
            for (index, byte) in bytes.iter().enumerate() {
                candidate.set(*byte, (value >> (8 * index)) as u8);
            }
            let holds = related.iter().all(|c| terms.eval(*c, &candidate) != 0);
            if holds && visit(candidate) {
                return;
            }
        }
    }
}

impl Oracle for Exhaustive {
    fn check(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        condition: Term,
    ) -> Check {
        let mut found = Check::Unsat;
        Self::models(terms, path, model, condition, |candidate| {
            let sat = terms.eval(condition, &candidate) != 0;
            if sat {
                found = Check::Sat(candidate);
            }
            sat
        });
        found
    }

    fn min_max(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        term: Term,
        _: Wanted,
    ) -> (u128, u128) {
        let (mut low, mut high) = (u128::MAX, 0);
        Self::models(terms, path, model, term, |candidate| {
            let value = terms.eval(term, &candidate);
            low = low.min(value);
            high = high.max(value);
            false
        });
        (low, high)
    }
}

/// End of a path: its exit status or the kind of bug.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Shown {
    Exit(i32),
    Bug(BugKind),
}

fn program(entry: &str, level: &str) -> Program {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let bitcode = directory.path().join("symbolic.bc");
    let source = data("exec_c/symbolic.c");
    bitcode_into("clang-19", &["-g", level], &source, &bitcode);
    let mut options = LoadOptions::new(&bitcode);
    options.entry = entry.to_string();
    load(&options).expect("the bitcode loads")
}

fn shown(end: &Termination) -> Shown {
    match end {
        Termination::Exit(status) => Shown::Exit(*status),
        Termination::Bug(bug) => Shown::Bug(bug.kind.clone()),
        other => panic!("unexpected end {other:?}"),
    }
}

/// Explores all paths, depth first; what each shows with the values of the two bytes.
fn explore(bare: &Standalone<'_>, symbolic: Option<[u8; 2]>) -> Vec<(Shown, [u8; 2], State)> {
    let mut walk = bare.walk().expect("sound");
    let mut state = walk.first_state();
    let terms = bare.terms();
    let input = walk
        .executor
        .program()
        .globals
        .iter()
        .position(|global| global.name == "input");
    let array = terms.array("input", 0, 2);
    if let Some(input) = input {
        let address = walk.executor.global_address(GlobalId::new(input));
        match symbolic {
            Some(values) => state
                .memory
                .write_bytes(address, &values)
                .expect("writable"),
            None => state
                .memory
                .make_symbolic(terms, address, array)
                .expect("an object"),
        }
    }
    let mut open = vec![state];
    let mut ended = Vec::new();
    while let Some(mut state) = open.pop() {
        match walk.step(&mut state, &mut Exhaustive, 1_000_000) {
            Step::Continue => panic!("a path does not end"),
            Step::Absent(absent) => panic!("a pending side ran: {absent:?}"),
            Step::Forked(siblings) => {
                open.push(state);
                open.extend(siblings.into_iter().map(|sibling| *sibling));
            }
            Step::Ended(end) => {
                assert!(
                    state.path.holds(terms, &state.model),
                    "the model fits the path"
                );
                let byte = |index| state.model.get(Byte { array, index });
                ended.push((shown(&end), [byte(0), byte(1)], state));
            }
        }
    }
    ended
}

/// All paths of a function of the test program.
fn paths_of(entry: &str, level: &str) -> Vec<(Shown, [u8; 2], State)> {
    let program = program(entry, level);
    explore(&Standalone::of(&program), None)
}

/// Explores with one end per path, whatever values its exit status may have.
fn paths_with_one_status(entry: &str, level: &str) -> Vec<(Shown, [u8; 2], State)> {
    let program = program(entry, level);
    let config = ExecConfig {
        symbolic: SymbolicConfig {
            exit_statuses: 0,
            ..SymbolicConfig::BASIC
        },
        ..ExecConfig::default()
    };
    explore(&Standalone::with(&program, config), None)
}

/// Explores `entry` at -O0, where it must show exactly what is expected, and at -O1, where clang
/// turns branches into values. At both, a path's model takes that path when run concretely, and
/// each input satisfies the condition of exactly one path. Gives the number of paths at -O0.
fn check(entry: &str, expected: &[Shown]) -> usize {
    let mut counts = Vec::new();
    for level in ["-O0", "-O1"] {
        let program = program(entry, level);
        let bare = Standalone::of(&program);
        let paths = explore(&bare, None);
        if level == "-O0" {
            let all: BTreeSet<Shown> = paths.iter().map(|path| path.0.clone()).collect();
            let expected: BTreeSet<Shown> = expected.iter().cloned().collect();
            assert_eq!(all, expected, "{entry} {level}");
        }
        for (shown, values, _) in &paths {
            let again = explore(&bare, Some(*values));
            assert_eq!(again.len(), 1);
            assert_eq!(&again[0].0, shown, "{entry} {level} with input {values:?}");
        }
        let array = bare.terms().array("input", 0, 2);
        for value in (0..1 << 16).step_by(97) {
            let mut model = Model::new();
            model.set(Byte { array, index: 0 }, value as u8);
            model.set(Byte { array, index: 1 }, (value >> 8) as u8);
            let fits = |path: &&(Shown, [u8; 2], State)| path.2.path.holds(bare.terms(), &model);
            assert_eq!(
                paths.iter().filter(fits).count(),
                1,
                "{entry} {level} {value:#x}"
            );
        }
        counts.push(paths.len());
    }
    counts[0]
}

fn exits(statuses: &[i32]) -> Vec<Shown> {
    statuses.iter().map(|status| Shown::Exit(*status)).collect()
}

#[test]
fn branches_fork_on_feasible_sides_only() {
    // A == B excludes A ^ B == 0x5a.
    assert_eq!(check("branches", &exits(&[0, 1, 2, 3, 4, 5])), 6);
}

#[test]
fn loops_fork_once_per_count() {
    assert_eq!(check("loop", &exits(&[0, 2, 4, 6, 8, 10, 12, 14])), 8);
}

#[test]
fn switches_fork_once_per_distinct_target() {
    assert_eq!(check("switches", &exits(&[1, 2, 3, 4, 5])), 5);
}

#[test]
fn reads_at_symbolic_indices_do_not_fork() {
    assert_eq!(check("table_read", &exits(&[0, 1])), 2);
}

#[test]
fn division_by_zero_is_forked_off() {
    let mut expected: Vec<Shown> = vec![Shown::Bug(BugKind::Div)];
    expected.extend(exits(&[0]));
    let paths = paths_with_one_status("divide", "-O0");
    assert_eq!(paths.len(), 2);
    let bugs: Vec<_> = paths.iter().filter(|path| path.0 == expected[0]).collect();
    assert_eq!(bugs.len(), 1);
    assert_eq!(bugs[0].1[0], 0);
}

#[test]
fn overshift_is_forked_off() {
    let paths = paths_of("shift", "-O0");
    let bugs = paths
        .iter()
        .filter(|path| path.0 == Shown::Bug(BugKind::Overshift));
    let bug = bugs.map(|path| path.1[0]).collect::<Vec<_>>();
    assert_eq!(bug.len(), 1);
    assert!(bug[0] >= 32);
}

#[test]
fn an_index_may_leave_its_array_once() {
    let paths = paths_with_one_status("bounds", "-O0");
    assert_eq!(paths.len(), 2);
    let bugs: Vec<_> = paths
        .iter()
        .filter(|path| path.0 == Shown::Bug(BugKind::Ptr))
        .collect();
    assert_eq!(bugs.len(), 1);
    assert!(bugs[0].1[0] >= 16);
}

#[test]
fn a_null_pointer_on_one_side_is_found() {
    let paths = paths_of("null", "-O0");
    let bugs: Vec<_> = paths
        .iter()
        .filter(|path| path.0 == Shown::Bug(BugKind::Ptr))
        .collect();
    assert_eq!(bugs.len(), 1);
    assert_eq!(bugs[0].1[0], 7);
}

#[test]
fn writes_at_symbolic_indices_merge() {
    let paths = paths_with_one_status("write", "-O0");
    assert_eq!(paths.len(), 1);
}

#[test]
fn function_pointers_fork_per_function() {
    assert_eq!(check("indirect", &exits(&[11, 22, 33])), 3);
}

#[test]
fn pointers_fork_per_object() {
    check("pointers", &exits(&[10, 20, 30, 31, 32, 33]));
}

#[test]
fn copies_of_symbolic_length_fork_per_length() {
    assert_eq!(check("copy", &exits(&[0, 1, 2, 3, 4, 5, 6, 7])), 8);
}

#[test]
fn values_above_64_bits_stay_symbolic() {
    check("wide", &exits(&[0, 1, 2]));
}

#[test]
fn integers_of_more_than_128_bits_stay_symbolic() {
    check("wide_fields", &exits(&[1, 2, 3, 6]));
    check("wide_numbers", &exits(&[2, 3, 4, 5]));
}

#[test]
fn overflow_flags_stay_symbolic() {
    check("overflow", &exits(&[0, 1, 2]));
}

#[test]
fn floating_point_stays_symbolic() {
    assert_eq!(check("float_", &exits(&[0, 1])), 2);
    let paths = paths_of("float_", "-O0");
    assert!(paths.iter().all(|path| path.2.metrics.concretisations == 0));
    assert_eq!(check("roots", &exits(&[0, 1, 2])), 3);
}

#[test]
fn special_numbers_have_their_own_paths() {
    check("special", &exits(&[0, 1, 2, 3, 4, 5, 6]));
}

#[test]
fn conversions_between_numbers_stay_symbolic() {
    check("conversions", &exits(&[0, 1, 2, 3, 4]));
    check("extended", &exits(&[0, 1, 2]));
}

#[test]
fn roundings_stay_symbolic() {
    check("roundings", &exits(&[0, 1, 2, 3, 4]));
}

#[test]
fn computed_gotos_fork_per_label() {
    assert_eq!(check("goto_", &exits(&[1, 2, 3, 9])), 4);
}

#[test]
fn bit_counting_stays_symbolic() {
    assert_eq!(check("bits", &exits(&[0, 1, 2])), 3);
}

#[test]
fn distances_between_pointers_name_the_right_object() {
    for level in ["-O0", "-O1"] {
        for (shown, values, _) in paths_of("distance", level) {
            assert!(
                matches!(shown, Shown::Exit(_)),
                "{shown:?} for {values:?} at {level}"
            );
        }
    }
}

#[test]
fn a_choice_of_pointers_is_in_bounds_of_one_of_them() {
    for level in ["-O0", "-O1"] {
        for (shown, values, _) in paths_of("choice", level) {
            assert_eq!(shown, Shown::Exit(0), "for {values:?} at {level}");
        }
    }
}
