//! Fingerprints of bugs: equal for one bug in two versions of a program.
//!
//! Invariant: a fingerprint does not depend on line numbers, file names, addresses and values. It
//! is made of the kind, the weakness, the message without numbers and places, the functions on the
//! stack, and the text of the line.

use super::BugFound;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;

/// Prefix of the runtime's functions that call the program's `main`, which a stack leaves out.
const RUNTIME: &str = "__homi_";
/// Bytes of the digest that a fingerprint shows.
const SHOWN: usize = 16;

impl BugFound {
    /// The fingerprint, 32 hexadecimal digits. It reads the line of the bug if it can.
    pub fn made_fingerprint(&self) -> String {
        digest(&identity(self))
    }

    /// The functions of the program on the stack, innermost first.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        let names = self.stack.iter().map(|frame| frame.function.as_str());
        names.filter(|name| !name.starts_with(RUNTIME))
    }
}

/// Returns the fingerprint of a fault that only the native program shows, from its description and
/// the text of its line.
pub fn native_fingerprint(what: &str, source: &str) -> String {
    let source: String = source.split_whitespace().collect();
    digest(&format!("native\n{}\n{source}", lasting(what)))
}

/// Returns 32 hexadecimal digits that are equal for equal texts.
pub fn digest(identity: &str) -> String {
    let mut text = String::with_capacity(2 * SHOWN);
    for byte in &Sha256::digest(identity)[..SHOWN] {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn identity(bug: &BugFound) -> String {
    let mut text = format!("{}\n{}\n{}", bug.kind, bug.weakness, lasting(&bug.message));
    for function in bug.functions() {
        text.push('\n');
        text.push_str(function);
    }
    let line = bug
        .place
        .as_ref()
        .and_then(|place| line_of(Path::new(&place.file), place.line));
    text.push('\n');
    text.extend(line.iter().flat_map(|line| line.split_whitespace()));
    text
}

/// Returns the words of a message that another version of the program keeps: no place, no number.
fn lasting(message: &str) -> String {
    let is_place = |word: &str| {
        let word = word.trim_end_matches([')', ',', '.']);
        let numbered = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        word.rsplit_once(':')
            .is_some_and(|(_, last)| numbered(last))
    };
    let words = message.split_whitespace().filter(|word| !is_place(word));
    let words: Vec<&str> = words.collect();
    words.join(" ").replace(|c: char| c.is_ascii_digit(), "")
}

fn line_of(file: &Path, number: u32) -> Option<String> {
    let bytes = std::fs::read(file).ok()?;
    let line = bytes.split(|byte| *byte == b'\n');
    let line = line.into_iter().nth(number.checked_sub(1)? as usize)?;
    Some(String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SourceLocation, StackFrame};

    fn bug(file: &Path, line: u32, message: &str) -> BugFound {
        let place = SourceLocation {
            file: file.display().to_string(),
            line,
            column: 3,
        };
        let frame = |function: &str| StackFrame {
            function: function.to_string(),
            arguments: vec![line.to_string()],
            place: Some(place.clone()),
        };
        BugFound {
            kind: "ptr".to_string(),
            message: message.to_string(),
            place: Some(place.clone()),
            stack: vec![frame("f"), frame("main"), frame("__homi_entry")],
            test: format!("test{line}"),
            ..BugFound::default()
        }
    }

    #[test]
    fn moved_lines_renamed_files_and_other_values_change_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let (old, new) = (directory.path().join("a.c"), directory.path().join("b.c"));
        std::fs::write(&old, "int x;\n  p[i] = 0;\n p[0] = 0;\n").expect("writable");
        std::fs::write(&new, "int x;\n\n\tp[i]  = 0;\n").expect("writable");
        let message = |place: &str| format!("use after scope of 'x' (int, declared at {place})");
        let before = bug(&old, 2, &message("a.c:1")).made_fingerprint();
        assert_eq!(before, bug(&new, 3, &message("b.c:9")).made_fingerprint());
        assert_eq!(before.len(), 32);
        let elsewhere = bug(&old, 3, &message("a.c:1")).made_fingerprint();
        assert_ne!(before, elsewhere);
        let mut other = bug(&old, 2, &message("a.c:1"));
        other.weakness = "out-of-bounds-read".to_string();
        assert_ne!(before, other.made_fingerprint());
    }

    #[test]
    fn messages_lose_places_and_numbers() {
        let message = "data race: a write of 4 bytes at a.c:5 by thread 2, nothing (x.c:7)";
        let kept = "data race: a write of  bytes at by thread , nothing";
        assert_eq!(lasting(message), kept);
    }
}
