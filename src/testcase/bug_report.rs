//! The text of `.err` files, in KLEE's form, so that scripts written for KLEE read them.
//!
//! KLEE's `assembly.ll line` has no counterpart here (there is no assembly.ll); it is written as 0.

use crate::exec::Bug;
use crate::program::{LocId, Program};
use std::fmt::Write;

/// The file name and line of a location, or `None` if it is unknown.
fn place(program: &Program, location: LocId) -> Option<(&str, u32)> {
    let location = program.location(location);
    let file = program.files.get(location.file as usize)?;
    (location.line != 0).then_some((file.as_str(), location.line))
}

/// The contents of the error file. `state` is the state's number in the run.
pub fn bug_report(program: &Program, bug: &Bug, state: u64) -> String {
    let mut text = format!("Error: {}\n", bug.message);
    if let Some((file, line)) = place(program, bug.location) {
        // Writing to a string cannot fail.
        let _ = write!(text, "File: {file}\nLine: {line}\nassembly.ll line: 0\n");
    }
    let _ = write!(text, "State: {state}\nStack: \n");
    for (depth, entry) in bug.stack.iter().enumerate() {
        let arguments = argument_list(&entry.arguments);
        let _ = write!(
            text,
            "\t#{depth} {:08} in {}({arguments})",
            0, entry.function_name
        );
        if let Some((file, line)) = place(program, entry.location) {
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

/// `arg0=1, arg1=symbolic`: parameter names are not kept in the IR.
fn argument_list(arguments: &[String]) -> String {
    let named: Vec<String> = arguments
        .iter()
        .enumerate()
        .map(|(index, value)| format!("arg{index}={value}"))
        .collect();
    named.join(", ")
}
