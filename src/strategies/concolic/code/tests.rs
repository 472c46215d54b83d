//! Static facts of branches, on hand-written flow graphs.

use super::*;
use homi_ir::program::testing::{branch, call, function, jump, program, ret, step};
use homi_ir::program::{Condition, LocId, Location, Origin, Slot, SwitchTable};

/// Returns the facts of sides 2n and 2n + 1 of branch n.
fn of_branch(program: &Program, branch: u32) -> [CodeFacts; 2] {
    let code = BranchCode::of(program);
    [2 * branch, 2 * branch + 1].map(|side| code.facts(Some(side)))
}

/// Returns a program of one function, which has the name of its branches.
fn one(name: &str, blocks: Vec<Vec<Inst>>) -> Program {
    let mut program = program(vec![function(name, blocks)]);
    for site in &mut program.branches {
        site.function = name.to_string();
    }
    program
}

#[test]
fn a_loop_is_left_at_its_head_or_where_it_goes_back() {
    // 0: branch 0 -> 1 / 4, the head; 1: branch 1 -> 2 / 3; 2: branch 2 -> 2 / 3, an inner loop; 3:
    // jump 0; 4: return.
    let program = one(
        "main",
        vec![
            vec![branch(0, 1, 4)],
            vec![branch(1, 2, 3)],
            vec![branch(2, 2, 3)],
            vec![step(), jump(0)],
            vec![ret()],
        ],
    );
    let [on, off] = of_branch(&program, 0);
    assert!(on.stays_in_loop && !on.leaves_loop && !off.stays_in_loop && off.leaves_loop);
    assert!(!on.in_loop_body && !on.nested && on.in_main);
    let [yes, no] = of_branch(&program, 1);
    assert!(yes.in_loop_body && yes.nested && yes == no && !yes.leaves_loop);
    let [on, off] = of_branch(&program, 2);
    assert!(on.stays_in_loop && off.leaves_loop && on.in_loop_body && on.nested);
}

#[test]
fn a_break_is_a_condition_of_the_loop_only_on_its_line() {
    // 0: branch 0 -> 1 / 3; 1: branch 1 -> 2 / 3, an exit from the middle; 2: jump 0; 3: return.
    let mut program = one(
        "main",
        vec![
            vec![branch(0, 1, 3)],
            vec![branch(1, 2, 3)],
            vec![Inst::StackSave { dst: Slot(0) }, jump(0)],
            vec![ret()],
        ],
    );
    let [yes, _] = of_branch(&program, 1);
    assert!(yes.in_loop_body && !yes.stays_in_loop);
    // On the source line of the back edge, the branch is part of the condition.
    let line = |line| Location {
        file: 0,
        line,
        column: 1,
    };
    program.locations.extend([line(5), line(6)]);
    let locations = &mut program.functions[0].locations;
    locations[1] = LocId(1);
    locations[3] = LocId(1);
    locations[0] = LocId(2);
    let [on, off] = of_branch(&program, 1);
    assert!(on.stays_in_loop && off.leaves_loop && !on.in_loop_body);
}

#[test]
fn blocks_made_by_lowering_are_not_source_code() {
    // 0: jump 1; 1: branch 0 -> 2 / 3; 2: moves, jump 1; 3: return. A `do` loop.
    let mut program = one(
        "main",
        vec![
            vec![jump(1)],
            vec![step(), jump(2)],
            vec![step(), branch(0, 3, 4)],
            vec![Inst::Moves { index: 0 }, jump(1)],
            vec![ret()],
        ],
    );
    program.functions[0].moves.push(Vec::new());
    let [on, off] = of_branch(&program, 0);
    assert!(on.stays_in_loop && off.leaves_loop && !on.in_loop_body);
}

#[test]
fn what_a_check_that_gives_up_stands_before_is_not_nested() {
    let mut exit = function("exit", vec![]);
    exit.noreturn = true;
    // 0: branch 0 -> 1 / 2; 1: call exit; 2: branch 1 -> 3 / 4; 3: return; 4: branch 2 -> 5 / 5.
    let main = function(
        "main",
        vec![
            vec![branch(0, 1, 2)],
            vec![call(1), Inst::Unreachable],
            vec![branch(1, 3, 4)],
            vec![ret()],
            vec![branch(2, 5, 5)],
            vec![ret()],
        ],
    );
    let program = program(vec![main, exit]);
    let nested = [0, 1, 2].map(|branch| of_branch(&program, branch)[0].nested);
    // Code after an early return can be skipped.
    assert_eq!(nested, [false, false, true]);
}

#[test]
fn switches_have_a_default_and_cases() {
    let mut main = function(
        "main",
        vec![
            vec![Inst::Switch {
                w: 8,
                value: Slot(0),
                table: 0,
            }],
            vec![ret()],
            vec![ret()],
        ],
    );
    // Case 3 has the target of the default.
    main.switches.push(SwitchTable {
        cases: vec![(1, BlockId(1), 1), (3, BlockId(2), 0)],
        default: BlockId(2),
        default_side: 0,
        branch: Some(BranchId(0)),
    });
    let mut program = program(vec![main]);
    program.branches[0].kind = BranchKind::Switch;
    let [default, case] = of_branch(&program, 0);
    assert!(default.takes_default && !default.takes_case);
    assert!(case.takes_case && !case.takes_default);
    let [then, otherwise] = of_branch(&program, 1);
    assert!(!then.takes_case && !then.takes_default && !otherwise.takes_default);
}

#[test]
fn conditions_are_those_of_the_branch_site() {
    let mut program = one("main", vec![vec![branch(0, 1, 1)], vec![ret()]]);
    program.branches[0].condition = Condition {
        external_call: true,
        string: true,
        ..Condition::default()
    };
    program.branches[1].condition = Condition {
        integer: true,
        pointer: true,
        local: true,
        ..Condition::default()
    };
    let [first, again] = of_branch(&program, 0);
    assert!(first.external_call && first.string && !first.integer && first == again);
    let [second, _] = of_branch(&program, 1);
    assert!(second.integer && second.pointer && second.local && !second.string);
    // A choice of a value has no side.
    assert_eq!(BranchCode::of(&program).facts(None), CodeFacts::default());
}

#[test]
fn a_branch_is_described_by_the_copies_in_its_own_function() {
    // Branch 0 belongs to `inner`; main has a copy of it in a loop.
    let mut program = program(vec![
        function(
            "main",
            vec![
                vec![branch(1, 1, 3)],
                vec![branch(0, 2, 2)],
                vec![jump(0)],
                vec![ret()],
            ],
        ),
        function("inner", vec![vec![branch(0, 1, 1)], vec![ret()]]),
    ]);
    program.branches[0].function = "inner".to_string();
    program.branches[1].function = "main".to_string();
    let [side, _] = of_branch(&program, 0);
    assert!(!side.in_loop_body && !side.nested && !side.in_main);
    assert!(of_branch(&program, 1)[0].in_main);
    // If only the copy is left, it counts.
    program.functions[1] = function("inner", vec![vec![ret()]]);
    let [side, _] = of_branch(&program, 0);
    assert!(side.in_loop_body && side.nested);
}

#[test]
fn functions_are_those_of_the_users_own_code() {
    let mut program = one("main", vec![vec![ret()]]);
    program.branches[3].function = "other".to_string();
    program.branches[4].function = "other".to_string();
    program.branches[5].origin = Origin::Libc;
    let code = BranchCode::of(&program);
    let functions = code.functions();
    // Ten branches: seven of main, two of other, one of libc.
    assert_eq!(functions.sizes(), [14, 4]);
    assert_eq!(functions.of_side(0), Some(0));
    assert_eq!(functions.of_side(6), Some(1));
    assert_eq!(functions.of_side(10), None);
    assert_eq!(functions.of_side(99), None);
}
