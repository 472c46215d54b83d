//! `run.istats` in KLEE's format: instructions are identified by lines of `assembly.ll`, functions
//! appear in its order.
//!
//! Idea: the profile counts homi's instructions, which result from optimizing the program. Each
//! count goes to the first instruction of the function in `assembly.ll` that has the same source
//! line, or else to the function's line. Invariant: sums do not change; code outside `assembly.ll`
//! (libc, kernel) follows at lines after its last.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Lines of the functions in `assembly.ll`, and of their instructions by source line.
#[derive(Default)]
struct Assembly {
    functions: BTreeMap<String, Lines>,
    /// Number of lines of the file.
    length: u64,
}

#[derive(Default)]
struct Lines {
    /// Line of the function's definition.
    start: u64,
    /// First line of the assembly for each source line.
    by_source: BTreeMap<u64, u64>,
}

impl Assembly {
    fn read(text: &str) -> Self {
        let locations: BTreeMap<&str, u64> = text.lines().filter_map(location).collect();
        let mut assembly = Self::default();
        let mut current: Option<String> = None;
        for (number, line) in (1..).zip(text.lines()) {
            assembly.length = number;
            if let Some(name) = defined(line) {
                let lines = assembly.functions.entry(name.to_string()).or_default();
                lines.start = number;
                current = Some(name.to_string());
            } else if line == "}" {
                current = None;
            } else if let Some(name) = &current
                && let Some((_, at)) = line.rsplit_once("!dbg ")
                && let Some(source) = locations.get(at.split(',').next().unwrap_or(at))
                && let Some(lines) = assembly.functions.get_mut(name)
            {
                lines.by_source.entry(*source).or_insert(number);
            }
        }
        assembly
    }

    /// Returns the line for an instruction of a function.
    fn position(&self, function: &str, instruction: u64, source: u64) -> u64 {
        match self.functions.get(function) {
            Some(lines) => *lines.by_source.get(&source).unwrap_or(&lines.start),
            None => self.length + 1 + instruction,
        }
    }

    /// Returns the sort key of a function.
    fn order(&self, function: &str) -> u64 {
        let lines = self.functions.get(function);
        lines.map_or(u64::MAX, |lines| lines.start)
    }
}

/// Returns the name and the source line of a location in the metadata.
fn location(line: &str) -> Option<(&str, u64)> {
    let (name, rest) = line.split_once(" = ")?;
    let (kind, fields) = rest.split_once("DILocation(line: ")?;
    let digits = fields.split(|c: char| !c.is_ascii_digit()).next()?;
    let is_location = name.starts_with('!') && kind.ends_with('!');
    is_location.then_some((name, digits.parse().ok()?))
}

/// Returns the function that a line starts to define.
fn defined(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("define ")?.split_once('@')?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split('(').next(),
    }
}

/// Converts the profile to one of `assembly` as its object.
fn as_klee(profile: &str, assembly: &str) -> Option<String> {
    let assembly = Assembly::read(assembly);
    let (head, body) = profile.split_once("\nob=")?;
    let (_, body) = body.split_once('\n')?;
    let (functions, totals) = body.rsplit_once("totals: ")?;
    let mut blocks: Vec<&str> = functions
        .split("\n\n")
        .filter(|one| !one.is_empty())
        .collect();
    blocks.sort_by_key(|block| assembly.order(name_in(block)));
    let mut text = format!("{head}\nob=assembly.ll\n");
    for block in blocks {
        let (function, mut callee) = (name_in(block), "");
        for line in block.lines() {
            if let Some(name) = line.strip_prefix("cfn=") {
                callee = name;
            }
            let moved = match line.strip_prefix("calls=") {
                Some(call) => {
                    let (count, place) = call.split_once(' ')?;
                    format!("calls={count} {}", moved(&assembly, callee, place)?)
                }
                None if line.starts_with(|c: char| c.is_ascii_digit()) => {
                    moved(&assembly, function, line)?
                }
                None => line.to_string(),
            };
            text.push_str(&moved);
            text.push('\n');
        }
        text.push('\n');
    }
    text.push_str(&format!("totals: {totals}"));
    Some(text)
}

/// Returns the function that a part of the profile describes.
fn name_in(block: &str) -> &str {
    let mut lines = block.lines();
    lines
        .find_map(|line| line.strip_prefix("fn="))
        .unwrap_or("")
}

/// Converts a line that starts with an instruction's number and its source line.
fn moved(assembly: &Assembly, function: &str, line: &str) -> Option<String> {
    let (instruction, rest) = line.split_once(' ')?;
    let source = rest.split(' ').next()?.parse().ok()?;
    let position = assembly.position(function, instruction.parse().ok()?, source);
    Some(format!("{position} {rest}"))
}

/// Converts the profile in `directory` to KLEE's format, if both files exist.
pub fn profile_as_klee(directory: &Path) -> io::Result<()> {
    let profile = directory.join("run.istats");
    let (counted, assembly) = (read(&profile)?, read(&directory.join("assembly.ll"))?);
    match counted
        .zip(assembly)
        .and_then(|(counted, assembly)| as_klee(&counted, &assembly))
    {
        Some(text) => std::fs::write(&profile, text),
        None => Ok(()),
    }
}

/// Reads a text file; `None` if it does not exist.
fn read(path: &Path) -> io::Result<Option<String>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASSEMBLY: &str = "source_filename = \"a.c\"\n\
        define i32 @f(i32 %0) !dbg !7 {\n  %2 = add i32 %0, 1, !dbg !9\n  ret i32 %2, !dbg !10\n}\n\
        define i32 @\"main\"() {\n  %1 = call i32 @f(i32 1), !dbg !11, !tbaa !3\n  ret i32 %1\n}\n\
        !9 = !DILocation(line: 3, column: 5, scope: !7)\n\
        !10 = !DILocation(line: 4, column: 5, scope: !7)\n\
        !11 = distinct !DILocation(line: 8, column: 5, scope: !8)\n";

    const PROFILE: &str = "version: 1\npositions: instr line\nevents: I\nsummary: 12\n\nob=a.bc\n\
        fl=a.c\nfn=main\n0 8 1\ncfi=a.c\ncfn=f\ncalls=1 5 2\n0 8 7\n1 0 1\n\n\
        fl=k.c\nfn=kernel\n9 1 3\n\nfl=a.c\nfn=f\n5 3 4\n6 4 3\n\ntotals: 12\n";

    #[test]
    fn positions_are_lines_of_the_assembly() {
        let expected = "version: 1\npositions: instr line\nevents: I\nsummary: 12\n\nob=assembly.ll\n\
            fl=a.c\nfn=f\n3 3 4\n4 4 3\n\n\
            fl=a.c\nfn=main\n7 8 1\ncfi=a.c\ncfn=f\ncalls=1 2 2\n7 8 7\n6 0 1\n\n\
            fl=k.c\nfn=kernel\n22 1 3\n\ntotals: 12\n";
        assert_eq!(as_klee(PROFILE, ASSEMBLY).unwrap(), expected);
    }
}
