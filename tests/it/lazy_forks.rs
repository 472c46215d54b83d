//! Lazy forks find the paths that eager ones do: the same decisions, the same canonical inputs, the
//! same ends, whatever the order in which pending sides are asked for.

use crate::support::{bitcode_into, checked_solver, data, files};
use homi::app::session::Standalone;
use homi::config::{Forks, SymbolicConfig};
use homi::explore::engine::SolverSession as _;
use homi::ir::program::Program;
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::{ExecConfig, Step, Termination};
use homi::machine::host::ProgramArguments;
use homi::machine::state::{Decision, State};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Instructions after which a program counts as not ending.
const BUDGET: u64 = 20_000_000;
/// Paths after which a program is too large for this test.
const MOST_PATHS: usize = 3000;

/// How often each path was found. Whose address a pointer has is chosen in the order of the model,
/// so only the decisions at branches and checks are the same in any order.
type Paths = BTreeMap<(Vec<Decision>, Vec<Vec<u8>>, String), usize>;

fn compile(source: &Path, level: &str, directory: &Path) -> Program {
    let bitcode = directory.join("program.bc");
    let flags = ["-g", "-w", "-fno-builtin", level];
    bitcode_into("clang-19", &flags, source, &bitcode);
    load(&LoadOptions::new(&bitcode)).expect("the bitcode loads")
}

fn arguments(source: &Path) -> ProgramArguments {
    let text = fs::read_to_string(source).expect("a text file");
    let given = text
        .lines()
        .filter_map(|line| line.strip_prefix("// args:"))
        .flat_map(str::split_whitespace);
    let names = std::iter::once("harness").chain(given);
    ProgramArguments {
        arguments: names.map(|name| name.as_bytes().to_vec()).collect(),
        environment: Vec::new(),
    }
}

/// In which order open states run.
#[derive(Clone, Copy)]
enum Order {
    NewestFirst,
    OldestFirst,
}

/// Explores all paths. Returns the results and the number of infeasible pending sides; `None` if
/// there are too many paths.
fn explore(
    program: &Program,
    arguments: &ProgramArguments,
    lazy_forks: bool,
    order: Order,
) -> Option<(Paths, usize)> {
    let config = ExecConfig {
        symbolic: SymbolicConfig {
            forks: if lazy_forks {
                Forks::Lazy
            } else {
                Forks::Eager
            },
            ..SymbolicConfig::BASIC
        },
        ..ExecConfig::default()
    };
    let bare = Standalone::with(program, config);
    let mut walk = bare.walk().expect("a sound program");
    let mut solver = checked_solver();
    let mut open = std::collections::VecDeque::new();
    open.push_back(walk.state_with(arguments).expect("the arguments fit"));
    let mut ended: Vec<(State, Termination)> = Vec::new();
    let mut infeasible = 0;
    while let Some(mut state) = match order {
        Order::NewestFirst => open.pop_back(),
        Order::OldestFirst => open.pop_front(),
    } {
        match walk.step(&mut state, &mut solver, BUDGET) {
            Step::Continue => panic!("a path does not end"),
            Step::Absent(_) => infeasible += 1,
            Step::Forked(siblings) => {
                open.extend(siblings.into_iter().map(|sibling| *sibling));
                open.push_back(state);
            }
            Step::Ended(end) => ended.push((state, end)),
        }
        if ended.len() > MOST_PATHS {
            return None;
        }
    }
    let mut found = Paths::new();
    // By now every side has been asked for.
    for (state, end) in ended {
        let objects = state.symbolics.objects.iter();
        let arrays: Vec<_> = objects.map(|object| object.array).collect();
        let model = solver.canonical_model(bare.terms(), &state.path, &arrays, &state.model);
        let inputs = state
            .symbolics
            .objects
            .iter()
            .map(|object| object.bytes(&model));
        let decisions = state.decisions.to_vec().into_iter();
        let ordered = |decision: &Decision| {
            matches!(decision, Decision::Switch { .. } | Decision::Check { .. })
        };
        let end = match end {
            Termination::Bug(bug) => format!("{:?} {}", bug.kind, bug.message),
            Termination::Exit(status) => format!("exit {status}"),
            Termination::Unsupported(unsupported) => format!("unsupported {}", unsupported.what),
            other => format!("{other:?}"),
        };
        let key = (decisions.filter(ordered).collect(), inputs.collect(), end);
        *found.entry(key).or_default() += 1;
    }
    if solver.statistics().unknowns > 0 {
        // Where the solver gives up, a path's input is the best that it came to, not the least.
        let paths = std::mem::take(&mut found).into_iter();
        for ((decisions, _, end), count) in paths {
            *found.entry((decisions, Vec::new(), end)).or_default() += count;
        }
    }
    solver.trim();
    Some((found, infeasible))
}

#[test]
fn lazy_forks_find_the_paths_of_eager_ones() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut failures = Vec::new();
    let (mut compared, mut all_infeasible) = (0, 0);
    for folder in ["pass", "bug"] {
        for source in files(&data("ui").join(folder)) {
            let program = compile(&source, "-O0", directory.path());
            let arguments = arguments(&source);
            let order = Order::NewestFirst;
            let Some((eager, none)) = explore(&program, &arguments, false, order) else {
                continue;
            };
            assert_eq!(none, 0, "eager forks leave nothing pending");
            for order in [Order::NewestFirst, Order::OldestFirst] {
                let (lazy, infeasible) =
                    explore(&program, &arguments, true, order).expect("as many");
                all_infeasible += infeasible;
                if lazy != eager {
                    let differs: Vec<_> = lazy
                        .iter()
                        .filter(|(path, count)| eager.get(*path) != Some(*count))
                        .take(2)
                        .collect();
                    failures.push(format!(
                        "{source:?}: {} paths eagerly, {} lazily, such as {differs:?}",
                        eager.len(),
                        lazy.len()
                    ));
                }
            }
            compared += 1;
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared > 50, "{compared} programs were compared");
    assert!(all_infeasible > 0, "some pending side was refuted");
}
