//! Description of a branch: its location, its source line, the constants near it.
//!
//! The executor knows a condition as a term over the input's bytes, which is no longer readable
//! after a loop over them. The source line and the constants of the branch's block and function are
//! what a person reads.

use homi_ir::program::{BranchId, ConstValue, Function, GlobalInit, Inst, Origin, Program, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// More constants or strings of a function are not said.
const MOST: usize = 64;
/// A longer string is cut.
const LONGEST: usize = 200;

/// A branch, for people.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct BranchContext {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) function: String,
    /// Integers that the branch's block works with.
    pub(super) constants: Vec<i128>,
    /// Strings that the function refers to, first the strings of the branch's block.
    pub(super) strings: Vec<String>,
    /// Values that lead to each side: `true` and `false`, or the values of a switch.
    pub(super) sides: Vec<String>,
}

/// Locations of the program's branches in its code.
pub(super) struct BranchPositions(BTreeMap<BranchId, (usize, usize)>);

impl BranchPositions {
    pub(super) fn of(program: &Program) -> Self {
        let mut found = BTreeMap::new();
        for (number, function) in program.functions.iter().enumerate() {
            if function.origin != Origin::Program {
                continue;
            }
            for (pc, inst) in function.code.iter().enumerate() {
                if let Some(branch) = branch_of(function, inst) {
                    found.entry(branch).or_insert((number, pc));
                }
            }
        }
        Self(found)
    }

    /// Returns `None` for a branch that is no longer in the code.
    pub(super) fn place(&self, program: &Program, branch: BranchId) -> Option<BranchContext> {
        let (function, pc) = *self.0.get(&branch)?;
        let function = &program.functions[function];
        let site = &program.branches[branch.index()];
        let location = program.locations[site.location.index()];
        let starts = function.blocks.iter().map(|block| block.start as usize);
        let start = starts.filter(|start| *start <= pc).max().unwrap_or(0);
        let near = constants(function, start..pc + 1);
        let all = constants(function, 0..function.code.len());
        let mut strings: Vec<String> = Vec::new();
        for value in near.iter().chain(&all) {
            let text = text(program, value).filter(|text| !strings.contains(text));
            strings.extend(text.filter(|_| strings.len() < MOST));
        }
        let integers = near.iter().filter_map(integer);
        let integers: BTreeSet<i128> = integers.collect();
        Some(BranchContext {
            file: program
                .files
                .get(location.file as usize)
                .cloned()
                .unwrap_or_default(),
            line: location.line,
            column: location.column,
            function: site.function.clone(),
            constants: integers.into_iter().take(MOST).collect(),
            strings,
            sides: sides(function, &function.code[pc], site.sides),
        })
    }
}

fn branch_of(function: &Function, inst: &Inst) -> Option<BranchId> {
    match inst {
        Inst::Branch { branch, .. } => *branch,
        Inst::Switch { table, .. } | Inst::IndirectBranch { table, .. } => {
            function.switches.get(*table as usize)?.branch
        }
        _ => None,
    }
}

/// The constants that some instructions read, also as arguments of their calls, in order.
fn constants(function: &Function, range: std::ops::Range<usize>) -> Vec<ConstValue> {
    let known: BTreeMap<Slot, ConstValue> = function.constants.iter().copied().collect();
    let mut slots = Vec::new();
    for inst in &function.code[range] {
        if let Inst::Call { site } = inst {
            let arguments = &function.calls[*site as usize].args;
            slots.extend(arguments.iter().map(|(slot, _)| *slot));
        }
        let mut inst = *inst;
        inst.visit_slots(&mut |_, _, slot| slots.push(*slot));
    }
    slots
        .iter()
        .filter_map(|slot| known.get(slot).copied())
        .collect()
}

/// A number of more than one bit, as its signed value.
fn integer(value: &ConstValue) -> Option<i128> {
    match value {
        ConstValue::Int { width, value } if (2..=64).contains(width) => {
            let unused = 128 - u32::from(*width);
            Some(((*value << unused) as i128) >> unused)
        }
        _ => None,
    }
}

/// The text that a constant points at.
fn text(program: &Program, value: &ConstValue) -> Option<String> {
    let ConstValue::Global { global, offset } = value else {
        return None;
    };
    let global = program.globals.get(global.index())?;
    let GlobalInit::Bytes { bytes, relocations } = &global.init else {
        return None;
    };
    if !relocations.is_empty() || !global.constant {
        return None;
    }
    let rest = bytes.get(usize::try_from(*offset).ok()?..)?;
    let end = rest.iter().position(|byte| *byte == 0)?.min(LONGEST);
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    (!text.is_empty()).then(|| text.to_string())
}

/// Returns the values that lead to each side.
fn sides(function: &Function, inst: &Inst, count: u32) -> Vec<String> {
    match inst {
        Inst::Branch { .. } => vec!["true".to_string(), "false".to_string()],
        Inst::Switch { table, .. } => {
            let table = &function.switches[*table as usize];
            let side = |number: u32| {
                let cases = table.cases.iter().filter(|case| case.2 == number);
                let mut values: Vec<String> =
                    cases.map(|case| format!("case {}", case.0)).collect();
                if table.default_side == number {
                    values.push("default".to_string());
                }
                values.join(", ")
            };
            (0..count).map(side).collect()
        }
        _ => (0..count)
            .map(|number| format!("target {number}"))
            .collect(),
    }
}

/// Lines of source, as far as the files are there.
#[derive(Default)]
pub(super) struct Sources(BTreeMap<String, Vec<String>>);

impl Sources {
    pub(super) fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let lines = self.0.entry(file.to_string()).or_insert_with(|| {
            let text = std::fs::read(file).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        lines.get(index).map(String::as_str)
    }
}
