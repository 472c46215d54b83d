//! Tests made of records.
//!
//! A test has arguments with room for exactly what its process received, so a replay gives a native
//! program the same input. A run's arguments have other sizes; `testcase` fits one to the other.

use super::reading::{Record, records_in};
use crate::testcase::ktest::KTest;
use crate::testcase::{Invocation, Layout, rename};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// Largest number of arguments that the modeled kernel makes.
const MOST_ARGUMENTS: usize = 100;
/// The letters that `--sym-files` gives to files.
const LETTERS: std::ops::RangeInclusive<u8> = b'A'..=b'Z';

/// Result of the records of a command.
#[derive(Debug, Default)]
pub struct Made {
    /// Invocations of the program.
    pub recorded: usize,
    /// Tests that differ, in the order in which the processes began.
    pub tests: Vec<KTest>,
    pub invocations: Vec<Invocation>,
    /// Invocations with the same input as an earlier one.
    pub same: usize,
    /// Invocations that are left out: more arguments than can be symbolic, or killed before they
    /// began.
    pub left_out: usize,
    /// Something of them was longer than the limit.
    pub cut: usize,
}

/// Makes tests of all records in a directory, for a program of this name. `run_environment` are the
/// variables that the command itself was started with: they say nothing of a single invocation.
pub fn seeds_of(
    directory: &Path,
    name: &str,
    run_environment: &[(Vec<u8>, Vec<u8>)],
) -> io::Result<Made> {
    let mut made = Made::default();
    let mut known = BTreeSet::new();
    for file in records_in(directory)? {
        let mut record = Record::read(&std::fs::read(file)?);
        made.recorded += 1;
        if !record.has_begun || record.arguments.len() > MOST_ARGUMENTS {
            made.left_out += 1;
            continue;
        }
        record
            .variables
            .retain(|one| !run_environment.contains(one));
        let is_cut = record.is_cut;
        let invocation = invocation(record);
        let test = test(name, &invocation);
        if !known.insert(test.to_bytes()) {
            made.same += 1;
            continue;
        }
        made.cut += usize::from(is_cut);
        made.tests.push(test);
        made.invocations.push(invocation);
    }
    Ok(made)
}

/// Files that the program read get the names of symbolic ones, also in the arguments.
fn invocation(record: Record) -> Invocation {
    let mut arguments: Vec<Vec<u8>> = record.arguments.into_iter().skip(1).collect();
    let mut files = Vec::new();
    for ((path, content), letter) in record.files.into_iter().zip(LETTERS) {
        for argument in &mut arguments {
            rename(argument, &path, &[letter]);
        }
        files.push((vec![letter], content));
    }
    Invocation {
        arguments,
        variables: record.variables,
        files,
        stdin: record.stdin.filter(|bytes| !bytes.is_empty()),
        others: Vec::new(),
    }
}

/// A test whose arguments have room for exactly this.
fn test(name: &str, invocation: &Invocation) -> KTest {
    let room = |bytes: &[u8]| bytes.len().max(1).to_string().into_bytes();
    let mut arguments = vec![name.as_bytes().to_vec()];
    for (variable, value) in &invocation.variables {
        arguments.extend([b"--sym-env".to_vec(), variable.clone(), room(value)]);
    }
    for argument in &invocation.arguments {
        arguments.extend([b"--sym-arg".to_vec(), room(argument)]);
    }
    for (path, content) in &invocation.files {
        arguments.extend([b"--sym-file".to_vec(), path.clone(), room(content)]);
    }
    if let Some(stdin) = &invocation.stdin {
        arguments.extend([b"--sym-stdin".to_vec(), room(stdin)]);
    }
    let layout = Layout::of(&arguments[1..]).unwrap_or_default();
    layout.convert(&arguments, invocation).test
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_has_exactly_what_the_process_was_given() {
        let record = Record {
            arguments: ["p", "-f", "in/x", "--to=in/y", "", "text"]
                .map(|argument| argument.as_bytes().to_vec())
                .to_vec(),
            files: vec![
                (b"in/x".to_vec(), b"one\n".to_vec()),
                (b"in/y".to_vec(), Vec::new()),
            ],
            stdin: Some(b"abc".to_vec()),
            ..Record::default()
        };
        let made = test("p.bc", &invocation(record));
        let arguments: Vec<_> = made
            .args
            .iter()
            .map(|argument| String::from_utf8_lossy(argument))
            .collect();
        let expected = "p.bc --sym-arg 2 --sym-arg 1 --sym-arg 6 --sym-arg 1 --sym-arg 4 --sym-file A 4 \
                        --sym-file B 1 --sym-stdin 3";
        assert_eq!(arguments.join(" "), expected);
        let bytes = |name: &str| made.object(name).map(|object| object.bytes.as_slice());
        assert_eq!(bytes("arg01"), Some(b"A\0".as_slice()));
        assert_eq!(bytes("arg02"), Some(b"--to=B\0".as_slice()));
        assert_eq!(bytes("A_data"), Some(b"one\n".as_slice()));
        assert_eq!(bytes("B_data"), Some(b"\0".as_slice()));
        assert_eq!(bytes("stdin"), Some(b"abc".as_slice()));
    }
}
