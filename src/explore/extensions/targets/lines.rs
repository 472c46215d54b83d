//! Code on a source line.
//!
//! Invariant: only user code counts; a line of a header may belong to several functions.

use super::reachable::Reachable;
use homi_config::TargetLine;
use homi_ir::program::{FuncId, Origin, Program};
use homi_machine::exec::Segments;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Code on a target line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetCode {
    /// No file of the program ends with this path; `files` are the program's files.
    NoFile { files: Vec<String> },
    /// The line has no code; `before` and `after` are the nearest lines that have some.
    NoCode {
        before: Option<u32>,
        after: Option<u32>,
    },
    /// The line is unreachable from the program's start under every condition; each function that
    /// contains it, with true if the start of the function is reachable.
    Unreachable { functions: Vec<(String, bool)> },
    /// Segments on the line, by their numbers.
    Segments(BTreeSet<u32>),
}

/// Returns the code of each target, in the order of the targets.
pub fn target_code(
    program: &Program,
    segments: &Segments,
    lines: &[TargetLine],
) -> Vec<TargetCode> {
    if lines.is_empty() {
        return Vec::new();
    }
    let code = Code::of(program);
    let reachable = Reachable::of(program);
    lines
        .iter()
        .map(|line| code.on(line, program, segments, &reachable))
        .collect()
}

/// User code by file and line.
struct Code {
    by_file: BTreeMap<u32, BTreeMap<u32, Vec<(FuncId, u32)>>>,
}

impl Code {
    fn of(program: &Program) -> Self {
        let mut by_file: BTreeMap<u32, BTreeMap<u32, Vec<(FuncId, u32)>>> = BTreeMap::new();
        for (index, function) in program.functions.iter().enumerate() {
            if function.origin != Origin::Program {
                continue;
            }
            for (pc, location) in (0..).zip(&function.locations) {
                let location = program.location(*location);
                if location.line != 0 {
                    let lines = by_file.entry(location.file).or_default();
                    let code = lines.entry(location.line).or_default();
                    code.push((FuncId::new(index), pc));
                }
            }
        }
        Self { by_file }
    }

    fn on(
        &self,
        target: &TargetLine,
        program: &Program,
        segments: &Segments,
        reachable: &Reachable,
    ) -> TargetCode {
        let name = |file: &u32| {
            program
                .files
                .get(*file as usize)
                .cloned()
                .unwrap_or_default()
        };
        let of_file = |file: &&u32| same_file(&name(file), &target.file);
        let files: Vec<&u32> = self.by_file.keys().filter(of_file).collect();
        if files.is_empty() {
            let files = self.by_file.keys().map(name).collect();
            return TargetCode::NoFile { files };
        }
        let lines = || files.iter().filter_map(|file| self.by_file.get(file));
        let code: Vec<(FuncId, u32)> = lines()
            .filter_map(|lines| lines.get(&target.line))
            .flatten()
            .copied()
            .collect();
        if code.is_empty() {
            let known = || lines().flat_map(|lines| lines.keys().copied());
            return TargetCode::NoCode {
                before: known().filter(|line| *line < target.line).max(),
                after: known().filter(|line| *line > target.line).min(),
            };
        }
        let there = code
            .iter()
            .filter(|(function, pc)| reachable.reaches(*function, *pc));
        let there: BTreeSet<u32> = there
            .map(|(function, pc)| segments.segment(*function, *pc))
            .collect();
        if there.is_empty() {
            let functions: BTreeSet<FuncId> = code.iter().map(|(function, _)| *function).collect();
            let functions = functions.into_iter().map(|id| {
                let name = program.function(id).name.clone();
                (name, reachable.reaches(id, 0))
            });
            return TargetCode::Unreachable {
                functions: functions.collect(),
            };
        }
        TargetCode::Segments(there)
    }
}

/// True if one path ends with all components of the other.
fn same_file(known: &str, named: &Path) -> bool {
    let known = Path::new(known);
    let named = named.strip_prefix(".").unwrap_or(named);
    known.ends_with(named) || named.ends_with(known.strip_prefix(".").unwrap_or(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_path_is_enough() {
        for (known, named, same) in [
            ("src/a.c", "a.c", true),
            ("src/a.c", "./src/a.c", true),
            ("a.c", "/home/x/src/a.c", true),
            ("./a.c", "src/a.c", true),
            ("src/a.c", "b/a.c", false),
            ("ba.c", "a.c", false),
        ] {
            assert_eq!(same_file(known, Path::new(named)), same, "{known} {named}");
        }
    }
}
