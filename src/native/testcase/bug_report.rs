//! The text of `.err` files, in KLEE's form, so that scripts written for KLEE read them.
//!
//! Invariant: the line `assembly.ll line`, which KLEE omits for unknown lines, is never written.

use homi_ir::program::{LocId, Program};
use homi_machine::outcome::Bug;
use std::fmt::Write;

/// The file name and line of a location, or `None` if it is unknown.
fn file_and_line(program: &Program, location: LocId) -> Option<(&str, u32)> {
    let location = program.location(location);
    let file = program.files.get(location.file as usize)?;
    (location.line != 0).then_some((file.as_str(), location.line))
}

/// The contents of the error file. `state` is the state's number in the run.
pub fn bug_report(program: &Program, bug: &Bug, state: u64) -> String {
    let mut text = format!("Error: {}\n", bug.full_message());
    if let Some((file, line)) = bug.reported_place(program) {
        // Writing to a string cannot fail.
        let _ = write!(text, "File: {file}\nLine: {line}\n");
        let column = bug.column(program);
        if !bug.values.is_empty() && column != 0 {
            let _ = writeln!(text, "Column: {column}");
        }
    }
    let _ = write!(text, "State: {state}\nStack: \n");
    for (depth, entry) in bug.stack.iter().enumerate() {
        let arguments = entry.arguments.join(", ");
        let _ = write!(
            text,
            "\t#{depth} {:08} in {}({arguments})",
            0, entry.function_name
        );
        if let Some((file, line)) = file_and_line(program, entry.location) {
            let _ = write!(text, " at {file}:{line}");
        }
        text.push('\n');
    }
    if !bug.details.is_empty() {
        text.push_str("Info: \n");
        for detail in &bug.details {
            let _ = writeln!(text, "\t{detail}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::testing::{function, program, ret};
    use homi_ir::program::{FuncId, Location};
    use homi_machine::outcome::{BugKind, BugLocation, StackEntry};

    #[test]
    fn the_text_has_klees_form() {
        let mut program = program(vec![function("main", vec![vec![ret()]])]);
        program.files.push("dir/a.c".to_string());
        program.locations.push(Location {
            file: 0,
            line: 12,
            column: 3,
        });
        let entry = |name: &str, arguments: &[&str], location: u32| StackEntry {
            function: FuncId(0),
            function_name: name.to_string(),
            arguments: arguments.iter().map(|text| (*text).to_string()).collect(),
            location: LocId(location),
        };
        let bug = Bug {
            kind: BugKind::Ptr,
            weakness: BugKind::Ptr.weakness(),
            message: "memory error: out of bound pointer".to_string(),
            location: LocId(1),
            place: BugLocation::Located,
            at: (FuncId(0), 0),
            stack: vec![
                entry("copy", &["n=16", "symbolic"], 1),
                entry("main", &[], 0),
            ],
            details: vec!["address: 0x10".to_string()],
            access: None,
            explanation: None,
            values: String::new(),
        };
        let expected = "Error: memory error: out of bound pointer\n\
            File: dir/a.c\nLine: 12\nState: 7\nStack: \n\
            \t#0 00000000 in copy(n=16, symbolic) at dir/a.c:12\n\
            \t#1 00000000 in main()\n\
            Info: \n\taddress: 0x10\n";
        assert_eq!(bug_report(&program, &bug, 7), expected);
    }
}
