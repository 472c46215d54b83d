//! The inputs of a test in readable form, and a command that gives them to a program.

use super::sandbox::{InputFile, Node, Stream};
use super::{Inputs, shell};
use crate::testcase::ktest::KTest;
use std::path::Path;

/// Most bytes of one input that are shown.
const SHOWN: usize = 160;

/// A test's inputs, a line each.
pub fn readable_inputs(inputs: &Inputs) -> Vec<String> {
    let mut lines = Vec::new();
    if !inputs.arguments.is_empty() {
        let arguments = inputs
            .arguments
            .iter()
            .map(|argument| shell::quote(argument));
        lines.push(format!(
            "arguments: {}",
            arguments.collect::<Vec<_>>().join(" ")
        ));
    }
    for (name, value) in &inputs.environment {
        lines.push(format!(
            "environment: {}={}",
            shell::quote(name),
            shell::quote(value)
        ));
    }
    match &inputs.stdin {
        Stream::Plain => {}
        Stream::File { content, .. } | Stream::Pipe { content } | Stream::Terminal { content } => {
            lines.push(format!("standard input: {}", content_text(content)));
        }
    }
    for file in inputs.files.iter().filter(|file| tells(file, inputs)) {
        let name = shell::quote(&file.path);
        lines.push(match &file.node {
            Node::File(content) => format!("file {name}: {}", content_text(content)),
            Node::Directory => format!("directory {name}"),
            Node::Fifo => format!("named pipe {name}"),
            Node::Link(target) => format!("link {name} to {}", shell::quote(target)),
        });
    }
    for object in &inputs.harness {
        let name = object.name_text();
        lines.push(match number(&object.bytes) {
            Some(number) => format!("{name} = {number}"),
            None => format!("{name}: {}", content_text(&object.bytes)),
        });
    }
    lines
}

/// True if a file is worth a line: an argument names it, or it has contents.
fn tells(file: &InputFile, inputs: &Inputs) -> bool {
    let is_empty = match &file.node {
        Node::File(content) => content.iter().all(|byte| *byte == 0),
        Node::Directory | Node::Fifo | Node::Link(_) => false,
    };
    !is_empty || inputs.arguments.contains(&file.path)
}

/// Bytes as text with escapes; zeros at the end are counted.
fn content_text(content: &[u8]) -> String {
    let zeros = content.iter().rev().take_while(|byte| **byte == 0).count();
    let size = match content.len() {
        1 => "1 byte".to_string(),
        size => format!("{size} bytes"),
    };
    if zeros == content.len() {
        return format!("{size}, all zero");
    }
    let shown = &content[..content.len() - zeros];
    let (shown, cut) = if shown.len() > SHOWN {
        (&shown[..SHOWN], " ...")
    } else {
        (shown, "")
    };
    let rest = match zeros {
        0 => String::new(),
        1 => ", then a zero byte".to_string(),
        zeros => format!(", then {zeros} zero bytes"),
    };
    format!("\"{}\"{cut} ({size}{rest})", shown.escape_ascii())
}

/// An integer of 1, 2, 4 or 8 bytes, signed, in the machine's order.
fn number(bytes: &[u8]) -> Option<i64> {
    match *bytes {
        [a] => Some(i64::from(a as i8)),
        [a, b] => Some(i64::from(i16::from_le_bytes([a, b]))),
        [a, b, c, d] => Some(i64::from(i32::from_le_bytes([a, b, c, d]))),
        [a, b, c, d, e, f, g, h] => Some(i64::from_le_bytes([a, b, c, d, e, f, g, h])),
        _ => None,
    }
}

/// The inputs in a test's file. Err: why they cannot be read.
pub fn read_inputs(test: &Path) -> Result<Inputs, String> {
    let test = KTest::read(test).map_err(|error| error.to_string())?;
    Inputs::of(&test).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_lines() {
        let mut test = KTest::new(["a.bc", "-n", "--sym-arg", "3", "--sym-stdin", "4"]);
        test.push("arg00", b"it\0\0".to_vec());
        test.push("stdin", b"x\n\0\0".to_vec());
        test.push("stdin_stat", vec![0; 144]);
        test.push("n", (-7i32).to_le_bytes());
        test.push("table", b"abc".to_vec());
        let inputs = Inputs::of(&test).expect("it fits");
        let lines = readable_inputs(&inputs);
        assert_eq!(
            lines,
            [
                "arguments: -n it",
                "standard input: \"x\\n\" (4 bytes, then 2 zero bytes)",
                "n = -7",
                "table: \"abc\" (3 bytes)",
            ]
        );
        assert_eq!(content_text(&[0, 0]), "2 bytes, all zero");
        assert_eq!(content_text(b"a\0"), "\"a\" (2 bytes, then a zero byte)");
    }
}
