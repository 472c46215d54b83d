//! An independent reader of bitcode (the llvm-ir crate) sees the same program as the lowering: the
//! same functions, and in each the same reachable blocks, edges, calls, stores, returns and branch
//! sites.
//!
//! Loads, arithmetic and phis are not compared one by one, because mem2reg runs in between and dead
//! code goes.

use crate::support::{bitcode_into, data};
use homi::ir::program::{BlockId, BranchKind, Callee, Function, Inst, Program};
use homi::llvm::{LoadOptions, load};
use llvm_ir::{Constant, Instruction, Module, Name, Operand, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// Counts of a function that both readers provide.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shape {
    blocks: usize,
    /// Edges between blocks as (from, to), numbered in layout order among the reachable.
    edges: BTreeSet<(usize, usize)>,
    conditional: usize,
    switches: Vec<usize>,
    indirect: usize,
    returns: usize,
    unreachable: usize,
    /// Calls of functions other than intrinsics.
    calls: usize,
}

fn targets(terminator: &Terminator) -> Vec<Name> {
    match terminator {
        Terminator::Br(br) => vec![br.dest.clone()],
        Terminator::CondBr(br) => vec![br.true_dest.clone(), br.false_dest.clone()],
        Terminator::Switch(switch) => std::iter::once(switch.default_dest.clone())
            .chain(switch.dests.iter().map(|dest| dest.1.clone()))
            .collect(),
        Terminator::IndirectBr(br) => br.possible_dests.clone(),
        _ => Vec::new(),
    }
}

/// The shape as the second reader sees it.
fn second_shape(function: &llvm_ir::Function) -> (Shape, Vec<String>) {
    let mut direct = Vec::new();
    let by_name: BTreeMap<String, usize> = function
        .basic_blocks
        .iter()
        .enumerate()
        .map(|(index, block)| (block.name.to_string(), index))
        .collect();
    let mut reachable = BTreeSet::new();
    let mut work = vec![0usize];
    while let Some(index) = work.pop() {
        if reachable.insert(index) {
            let block = &function.basic_blocks[index];
            work.extend(
                targets(&block.term)
                    .iter()
                    .map(|name| by_name[&name.to_string()]),
            );
        }
    }
    let number: BTreeMap<usize, usize> = reachable
        .iter()
        .enumerate()
        .map(|(position, index)| (*index, position))
        .collect();
    let mut shape = Shape {
        blocks: reachable.len(),
        ..Shape::default()
    };
    for index in &reachable {
        let block = &function.basic_blocks[*index];
        for target in targets(&block.term) {
            let to = number[&by_name[&target.to_string()]];
            shape.edges.insert((number[index], to));
        }
        match &block.term {
            Terminator::CondBr(_) => shape.conditional += 1,
            Terminator::Switch(_) => {
                let distinct: BTreeSet<String> =
                    targets(&block.term).iter().map(Name::to_string).collect();
                shape.switches.push(distinct.len());
            }
            Terminator::IndirectBr(_) => shape.indirect += 1,
            Terminator::Ret(_) => shape.returns += 1,
            Terminator::Unreachable(_) => shape.unreachable += 1,
            _ => {}
        }
        for instruction in &block.instrs {
            let Instruction::Call(call) = instruction else {
                continue;
            };
            match call.function.as_ref().right() {
                Some(Operand::ConstantOperand(constant)) => {
                    if let Constant::GlobalReference { name, .. } = constant.as_ref() {
                        let Name::Name(name) = name else { continue };
                        if !name.starts_with("llvm.") {
                            shape.calls += 1;
                            direct.push(name.to_string());
                        }
                    }
                }
                Some(_) => shape.calls += 1,
                None => {} // inline assembly
            }
        }
    }
    shape.switches.sort_unstable();
    (shape, direct)
}

/// Follows edge blocks (a chain of moves and one jump, after the source's blocks).
fn behind_edges(function: &Function, block: BlockId, source_blocks: usize) -> usize {
    let mut block = block;
    while block.index() >= source_blocks {
        block = function.successors(block)[0];
    }
    block.index()
}

/// The shape as lowered.
fn lowered_shape(
    program: &Program,
    function: &Function,
    source_blocks: usize,
) -> (Shape, Vec<String>) {
    let mut direct = Vec::new();
    let mut shape = Shape {
        blocks: source_blocks,
        ..Shape::default()
    };
    for index in 0..source_blocks.min(function.blocks.len()) {
        let block = BlockId::new(index);
        for target in function.successors(block) {
            let to = behind_edges(function, target, source_blocks);
            shape.edges.insert((index, to));
        }
        for inst in &function.code[function.block_range(block)] {
            let site = function
                .branch_of(inst)
                .map(|branch| program.branch(branch));
            match inst {
                Inst::Branch { .. } => {
                    assert_eq!(site.map(|site| site.kind), Some(BranchKind::Conditional));
                    shape.conditional += 1;
                }
                Inst::Switch { .. } => {
                    let site = site.expect("a switch is a branch site");
                    assert_eq!(site.kind, BranchKind::Switch);
                    shape.switches.push(site.sides as usize);
                }
                Inst::IndirectBranch { .. } => shape.indirect += 1,
                Inst::Return { .. } => shape.returns += 1,
                Inst::Unreachable => shape.unreachable += 1,
                Inst::Call { site } => match function.calls[*site as usize].callee {
                    Callee::Direct(callee) => {
                        shape.calls += 1;
                        direct.push(program.function(callee).name.clone());
                    }
                    Callee::Indirect(_) => shape.calls += 1,
                    Callee::Assembly { .. } => {}
                },
                _ => {}
            }
        }
    }
    shape.switches.sort_unstable();
    (shape, direct)
}

#[test]
fn both_readers_see_the_same_functions_blocks_edges_and_calls() {
    let directory = tempfile::tempdir().unwrap();
    let sources = data("exec_c");
    let input = directory.path().join("prog.bc");
    let mut compared = 0;
    for name in [
        "calls.c",
        "control.c",
        "integers.c",
        "structs.c",
        "floats.c",
    ] {
        for flags in [&["-O0", "-g"][..], &["-O1"], &["-O2"]] {
            let flags = [&["-w"], flags].concat();
            bitcode_into("clang-19", &flags, &sources.join(name), &input);
            let second = Module::from_bc_path(&input).unwrap();
            let mut options = LoadOptions::new(&input);
            options.entry = "test_main".to_string();
            if !second
                .functions
                .iter()
                .any(|function| function.name == "test_main")
            {
                options.entry = second.functions[0].name.clone();
            }
            options.keep = second
                .functions
                .iter()
                .map(|function| function.name.clone())
                .collect();
            let program = load(&options).unwrap();
            let lowered = program
                .functions
                .iter()
                .filter(|function| function.is_defined());
            assert_eq!(lowered.count(), second.functions.len(), "{name} {flags:?}");
            for theirs in &second.functions {
                let id = program.find_function(&theirs.name).expect("lowered");
                let ours = program.function(id);
                assert!(
                    !ours
                        .code
                        .iter()
                        .any(|inst| matches!(inst, Inst::Unsupported { .. })),
                    "{name} {flags:?} {}: an unsupported feature",
                    theirs.name
                );
                let (expected, named) = second_shape(theirs);
                let (actual, mut direct) = lowered_shape(&program, ours, expected.blocks);
                assert_eq!(actual, expected, "{name} {flags:?} {}", theirs.name);
                // mem2reg makes direct calls of some calls through local pointers, never the
                // reverse.
                for callee in named {
                    let found = direct.iter().position(|other| *other == callee);
                    let found = found.unwrap_or_else(|| panic!("{}: {callee}", theirs.name));
                    direct.swap_remove(found);
                }
                assert_eq!(ours.variadic, theirs.is_var_arg, "{}", theirs.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "only {compared} functions compared");
}
