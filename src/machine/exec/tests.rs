//! Ends of paths that C programs cannot provoke reliably, on programs built by hand.

use super::*;
use crate::state::State;
use homi_config::BudgetConfig;
use homi_ir::program::testing::{branch, call, function, jump, program, ret, step};
use homi_ir::program::{FuncId, Function, Program};
use homi_solver::term::{Model, Term, Terms};
use homi_solver::{Check, NoOracle, Oracle, PathCondition, Wanted};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs `prepare`d first states of a program for at most `budget` instructions.
fn run(
    program: &Program,
    config: &ExecConfig,
    interrupt: &AtomicBool,
    budget: u64,
    prepare: impl FnOnce(&Terms, &mut State),
) -> (Step, State, Observer) {
    let terms = Terms::new();
    let executor = Executor::new(program, &terms, config, interrupt).expect("sound roots");
    let mut observer = Observer::new(executor.segments(), program.entry);
    let mut state = executor.initial_state(program.entry, &[]);
    prepare(&terms, &mut state);
    let mut world = EmptyWorld::default();
    let step = executor.run(
        &mut state,
        &mut NoOracle::default(),
        world.view(),
        &mut observer,
        budget,
    );
    (step, state, observer)
}

fn simply(functions: Vec<Function>, budget: u64) -> (Step, State, Observer) {
    let config = ExecConfig::default();
    let interrupt = AtomicBool::new(false);
    run(&program(functions), &config, &interrupt, budget, |_, _| {})
}

fn ended(step: Step) -> Termination {
    match step {
        Step::Ended(end) => end,
        Step::Continue => panic!("the path goes on"),
        Step::Forked(siblings) => panic!("the path forked {} times", siblings.len()),
        Step::Absent(absent) => panic!("a pending side ran: {absent:?}"),
    }
}

#[test]
fn a_call_of_malformed_code_is_a_unsupported() {
    let mut broken = function("broken", vec![vec![step(), ret()]]);
    broken.slots = 0;
    let main = function("main", vec![vec![call(1), ret()]]);
    match ended(simply(vec![main, broken], 100).0) {
        Termination::Unsupported(unsupported) => {
            assert!(unsupported.what.contains("broken"), "{}", unsupported.what)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_malformed_entry_is_a_unsupported_too() {
    let mut main = function("main", vec![vec![jump(7)]]);
    main.slots = 1;
    let end = ended(simply(vec![main], 100).0);
    assert!(matches!(end, Termination::Unsupported(_)), "{end:?}");
}

#[test]
fn a_call_of_an_undefined_function_is_a_unsupported() {
    let main = function("main", vec![vec![call(1), ret()]]);
    match ended(simply(vec![main, function("nowhere", vec![])], 100).0) {
        Termination::Unsupported(unsupported) => {
            assert_eq!(unsupported.what, "call of undefined function nowhere")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn recursion_without_end_overflows_the_stack() {
    let main = function("main", vec![vec![call(0), ret()]]);
    let Termination::Bug(bug) = ended(simply(vec![main], 1_000_000).0) else {
        panic!("no bug");
    };
    assert_eq!(bug.message, "memory error: stack overflow");
    assert!(bug.details[0].contains("--max-stack-size"));
}

#[test]
fn a_loop_uses_up_its_budget_and_counts_every_instruction() {
    let main = function("main", vec![vec![step(), step(), jump(0)]]);
    let (end, state, observer) = simply(vec![main], 3000);
    assert!(matches!(end, Step::Continue));
    assert_eq!(state.metrics.instructions, 3000);
    assert_eq!(observer.instructions, 3000);
    // Entered first at the start, then by each of 1,000 jumps.
    assert_eq!(observer.segment_entries, [1001]);
    assert_eq!(
        observer
            .call_paths
            .instructions(crate::state::CallPathId(0)),
        3000
    );
}

#[test]
fn an_interrupt_ends_a_long_run_soon() {
    let main = function("main", vec![vec![jump(0)]]);
    let interrupt = AtomicBool::new(false);
    interrupt.store(true, Ordering::Relaxed);
    let config = ExecConfig::default();
    let (end, state, _) = run(
        &program(vec![main]),
        &config,
        &interrupt,
        u64::MAX,
        |_, _| {},
    );
    assert!(matches!(end, Step::Continue));
    assert!(state.metrics.instructions < 1_000_000);
}

#[test]
fn a_side_the_solver_gives_up_on_is_dropped_and_noted() {
    let main = function(
        "main",
        vec![vec![branch(0, 1, 2)], vec![step(), ret()], vec![ret()]],
    );
    let config = ExecConfig::default();
    let interrupt = AtomicBool::new(false);
    let (end, state, observer) = run(
        &program(vec![main]),
        &config,
        &interrupt,
        100,
        |terms, state| {
            let array = terms.array("x", 0, 1);
            let byte = terms.symbol(homi_solver::term::Byte { array, index: 0 });
            let low = terms.extract(byte, 0, 1);
            state.frames.top_mut().set_term(0, low);
        },
    );
    assert_eq!(ended(end), Termination::Exit(0));
    let fixed = crate::state::Decision::Concretised {
        reason: crate::state::ConcretiseReason::Solver,
        value: 0,
    };
    let expected = [crate::state::Decision::Unknown, fixed];
    assert_eq!(state.decisions.to_vec(), expected);
    assert_eq!(
        state.path.len(),
        2,
        "the path is constrained to the model's side and byte"
    );
    // The model has all bytes 0, so the false side of branch 0 was taken.
    assert_eq!(observer.sides.iter().collect::<Vec<_>>(), [1]);
}

/// Finds that the byte may be 1.
struct MayBeOne(homi_solver::term::Byte);

impl Oracle for MayBeOne {
    fn check(&mut self, _: &Terms, _: &PathCondition, model: &Model, _: Term) -> Check {
        let mut model = model.clone();
        model.set(self.0, 1);
        Check::Sat(model)
    }

    fn min_max(
        &mut self,
        _: &Terms,
        _: &PathCondition,
        _: &Model,
        _: Term,
        wanted: Wanted,
    ) -> (u128, u128) {
        wanted.within
    }
}

/// Both sides of a fork have arrived and neither has begun: what KLEE counts comes when they run.
#[test]
fn what_waits_behind_a_fork_is_not_executed() {
    let blocks = vec![
        vec![step(), branch(0, 1, 2)],
        vec![step(), step(), jump(2)],
        vec![ret()],
    ];
    let program = program(vec![function("main", blocks)]);
    let (terms, interrupt) = (Terms::new(), AtomicBool::new(false));
    let config = ExecConfig::default();
    let executor = Executor::new(&program, &terms, &config, &interrupt).expect("sound roots");
    let mut observer = Observer::new(executor.segments(), program.entry);
    observer.count_waiting();
    let mut state = executor.initial_state(program.entry, &[]);
    let array = terms.array("x", 0, 1);
    let byte = homi_solver::term::Byte { array, index: 0 };
    let low = terms.extract(terms.symbol(byte), 0, 1);
    state.frames.top_mut().set_term(0, low);
    let mut world = EmptyWorld::default();
    let mut oracle = MayBeOne(byte);
    let mut go = |state: &mut State, observer: &mut Observer, budget| {
        executor.run(state, &mut oracle, world.view(), observer, budget)
    };
    let executions = |observer: &Observer| [0, 1, 2].map(|segment| observer.executions(segment));

    let Step::Forked(mut siblings) = go(&mut state, &mut observer, 100) else {
        panic!("no fork");
    };
    let mut then = siblings.pop().expect("one sibling");
    if then.frames.top().pc != 2 {
        std::mem::swap(&mut *then, &mut state);
    }
    assert_eq!(observer.segment_entries, [1, 1, 1]);
    assert_eq!(executions(&observer), [1, 0, 0]);
    assert_eq!((then.metrics.depth, state.metrics.depth), (1, 1));
    assert_eq!(
        (then.metrics.instructions, state.metrics.instructions),
        (2, 2)
    );

    // One that has begun a segment counts, wherever it is left.
    assert!(matches!(go(&mut then, &mut observer, 1), Step::Continue));
    assert_eq!(executions(&observer), [1, 1, 0]);
    assert_eq!(observer.begun_late(), 1);
    assert!(matches!(go(&mut then, &mut observer, 2), Step::Continue));
    assert_eq!(observer.segment_entries, [1, 1, 2]);
    assert_eq!(executions(&observer), [1, 1, 0]);
    // covnew's count: 1 where something was covered first, here at the fork, and one more for each
    // instruction.
    assert_eq!(then.metrics.instructions_since_new, 4);
    assert_eq!(state.metrics.instructions_since_new, 1);

    assert_eq!(
        ended(go(&mut state, &mut observer, 100)),
        Termination::Exit(0)
    );
    assert_eq!(executions(&observer), [1, 1, 1]);
    assert_eq!(
        ended(go(&mut then, &mut observer, 100)),
        Termination::Exit(0)
    );
    assert_eq!(executions(&observer), [1, 1, 2]);
    assert_eq!(observer.begun_late(), 2);
}

#[test]
fn calls_of_one_site_share_a_call_path_and_recursion_folds() {
    let helper = function("helper", vec![vec![step(), ret()]]);
    let main = function("main", vec![vec![call(1), call(1), ret()]]);
    let (_, _, observer) = simply(vec![main, helper], 100);
    // The root and one node per site.
    assert_eq!(observer.call_paths.len(), 3);
    let recursive = function("main", vec![vec![call(0), ret()]]);
    let (_, _, observer) = simply(vec![recursive], 100_000);
    assert_eq!(observer.call_paths.len(), 2);
    assert_eq!(
        observer
            .call_paths
            .node(crate::state::CallPathId(1))
            .function,
        FuncId(0)
    );
}

#[test]
fn a_leaf_that_fails_is_in_a_frame_of_its_own() {
    let divide = homi_ir::program::Inst::Bin {
        op: homi_ir::ops::BinOp::UDiv,
        w: 8,
        dst: homi_ir::program::Slot(0),
        a: homi_ir::program::Slot(0),
        b: homi_ir::program::Slot(0),
    };
    let fine = function("fine", vec![vec![step(), ret()]]);
    let leaf = function("leaf", vec![vec![step(), divide, ret()]]);
    let calls = vec![vec![call(1), step(), call(2), ret()]];
    let program = program(vec![function("main", calls), fine, leaf]);
    let mut ends = Vec::new();
    for speed in [Speed::Decoded, Speed::Checked, Speed::General] {
        let config = ExecConfig {
            speed,
            ..ExecConfig::default()
        };
        let interrupt = AtomicBool::new(false);
        let (end, state, observer) = run(&program, &config, &interrupt, 100, |_, _| {});
        let Termination::Bug(bug) = ended(end) else {
            panic!("{speed:?}: no bug");
        };
        assert_eq!(bug.kind, BugKind::Div);
        let functions: Vec<FuncId> = bug.stack.iter().map(|entry| entry.function).collect();
        assert_eq!(functions, [FuncId(2), FuncId(0)], "{speed:?}");
        let recorded = (0..observer.call_paths.len()).map(|index| {
            observer
                .call_paths
                .instructions(crate::state::CallPathId::new(index))
        });
        ends.push((
            state.metrics.instructions,
            observer.segment_entries.clone(),
            recorded.collect::<Vec<_>>(),
        ));
    }
    // main's call, step and call; fine's two; leaf's step and division.
    assert_eq!(ends[0].0, 7);
    assert_eq!(ends[0].2, [3, 2, 2]);
    assert!(ends.iter().all(|end| *end == ends[0]), "{ends:?}");
}

#[test]
fn a_leaf_needs_room_for_a_frame() {
    let leaf = function("leaf", vec![vec![step(), ret()]]);
    let main = function("main", vec![vec![call(1), ret()]]);
    let config = ExecConfig {
        budget: BudgetConfig {
            stack_frames: 1,
            ..BudgetConfig::UNLIMITED
        },
        ..ExecConfig::default()
    };
    let interrupt = AtomicBool::new(false);
    let (end, ..) = run(
        &program(vec![main, leaf]),
        &config,
        &interrupt,
        100,
        |_, _| {},
    );
    assert_eq!(ended(end), Termination::Early(EarlyReason::RecursionLimit));
}

#[test]
fn a_path_of_one_input_asks_nothing_and_becomes_concrete() {
    use crate::memory::{AllocationSite, ObjectKind, Value};
    use homi_ir::program::{Inst, Slot};
    let load = Inst::Load {
        w: 8,
        dst: Slot(0),
        addr: Slot(1),
    };
    let mut main = function(
        "main",
        vec![
            vec![branch(0, 1, 2)],
            vec![load, branch(1, 3, 2)],
            vec![ret()],
            vec![ret()],
        ],
    );
    main.slots = 2;
    let program = program(vec![main]);
    let terms = Terms::new();
    let interrupt = AtomicBool::new(false);
    let config = ExecConfig::default();
    let executor = Executor::new(&program, &terms, &config, &interrupt).expect("sound roots");
    let mut observer = Observer::new(executor.segments(), program.entry);
    let mut state = executor.initial_state(program.entry, &[]);
    let array = terms.array("x", 0, 2);
    let [first, second] = [0, 1].map(|index| homi_solver::term::Byte { array, index });
    let site = AllocationSite::Global(homi_ir::program::GlobalId::new(0));
    let heap = (state.memory.allocate(ObjectKind::Heap, 8, 8, site)).expect("room");
    let symbol = Value::Term(terms.symbol(second));
    state
        .memory
        .write(&terms, heap, 1, symbol)
        .expect("in bounds");
    let low = terms.extract(terms.symbol(first), 0, 1);
    let frame = state.frames.top_mut();
    frame.bits[1] = heap;
    frame.set_term(0, low);
    state.path.add(&terms, low);
    state.model.set(first, 1);
    state.model.set(second, 1);
    executor.follow_model_only(&mut state);
    let mut world = EmptyWorld::default();
    let step = executor.run(
        &mut state,
        &mut NoOracle::default(),
        world.view(),
        &mut observer,
        100,
    );
    assert_eq!(ended(step), Termination::Exit(0));
    assert_eq!(observer.sides.iter().collect::<Vec<_>>(), [0, 2]);
    assert_eq!((state.path.len(), state.decisions.to_vec()), (0, vec![]));
    let read = state.memory.read(&terms, heap, 1).expect("in bounds");
    assert_eq!(read, Value::Concrete(1));
    assert_eq!(state.frames.top().live_terms, 0);
}
