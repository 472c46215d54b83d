//! Symbolic inputs that have room for most recorded inputs.
//!
//! Sizes cover nine in ten invocations and stay small enough for exploration: every byte is a byte
//! on which a path may fork, and a truncated seed still leads where its beginning does.

use crate::testcase::Invocation;

/// Upper bound on symbolic arguments, for any recording.
const MOST_ARGUMENTS: usize = 8;
const LONGEST_ARGUMENT: usize = 24;
const MOST_FILES: usize = 3;
const LARGEST_INPUT: usize = 64;
const LONGEST_VALUE: usize = 16;

/// The value that nine in ten do not exceed; `None` of none.
fn usual(mut values: Vec<usize>) -> Option<usize> {
    values.sort_unstable();
    values
        .get((values.len() * 9 / 10).min(values.len().checked_sub(1)?))
        .copied()
}

/// Returns the options of the symbolic inputs.
pub(super) fn symbolic_inputs(invocations: &[Invocation]) -> Vec<String> {
    let each = |size: &dyn Fn(&Invocation) -> usize| invocations.iter().map(size).collect();
    let longest = |bytes: &[Vec<u8>]| bytes.iter().map(Vec::len).max().unwrap_or(0);
    let contents = |one: &Invocation| one.files.iter().map(|file| file.1.len()).max();
    let count = usual(each(&|one| one.arguments.len())).unwrap_or(0);
    let length = usual(each(&|one| longest(&one.arguments))).unwrap_or(0);
    let files = usual(each(&|one| one.files.len())).unwrap_or(0);
    let size = usual(invocations.iter().filter_map(contents).collect());
    let stdin = |one: &Invocation| one.stdin.as_ref().map(Vec::len);
    let stdin = usual(invocations.iter().filter_map(stdin).collect());
    let mut arguments = Vec::new();
    for (variable, value) in usual_variables(invocations) {
        let value = value.clamp(1, LONGEST_VALUE).to_string();
        arguments.extend(["--sym-env".to_string(), variable, value]);
    }
    if count > 0 {
        let (count, length) = (count.min(MOST_ARGUMENTS), length.clamp(1, LONGEST_ARGUMENT));
        arguments.extend(
            format!("--sym-args 0 {count} {length}")
                .split(' ')
                .map(String::from),
        );
    }
    if let (true, Some(size)) = (files > 0, size) {
        let (files, size) = (files.min(MOST_FILES), size.clamp(1, LARGEST_INPUT));
        arguments.extend(
            format!("--sym-files {files} {size}")
                .split(' ')
                .map(String::from),
        );
    }
    if let Some(size) = stdin {
        let size = size.clamp(1, LARGEST_INPUT);
        arguments.extend(format!("--sym-stdin {size}").split(' ').map(String::from));
    }
    arguments
}

/// Variables that most invocations had, with the length of their values: a symbolic variable is
/// always set, which it must not be where most had none.
fn usual_variables(invocations: &[Invocation]) -> Vec<(String, usize)> {
    let mut names: Vec<&Vec<u8>> = invocations
        .iter()
        .flat_map(|one| one.variables.iter().map(|(name, _)| name))
        .collect();
    names.sort();
    names.dedup();
    let lengths = |name: &Vec<u8>| -> Vec<usize> {
        let all = invocations.iter().flat_map(|one| &one.variables);
        all.filter(|(known, _)| known == name)
            .map(|(_, value)| value.len())
            .collect()
    };
    names
        .into_iter()
        .filter_map(|name| {
            let lengths = lengths(name);
            let is_usual = lengths.len() * 2 > invocations.len();
            let text = String::from_utf8(name.clone()).ok()?;
            is_usual.then(|| usual(lengths).map(|length| (text, length)))?
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation(arguments: &[&str], file: Option<usize>, stdin: Option<usize>) -> Invocation {
        Invocation {
            arguments: arguments
                .iter()
                .map(|argument| argument.as_bytes().to_vec())
                .collect(),
            files: file
                .map(|size| (b"A".to_vec(), vec![b'x'; size]))
                .into_iter()
                .collect(),
            stdin: stdin.map(|size| vec![b'x'; size]),
            ..Invocation::default()
        }
    }

    #[test]
    fn symbolic_inputs_have_room_for_nine_in_ten() {
        let mut all: Vec<Invocation> = (0..18)
            .map(|number| invocation(&["-n", "word"], Some(10 + number % 2), None))
            .collect();
        all.push(invocation(&["a"; 50], Some(5000), Some(3)));
        let text = symbolic_inputs(&all).join(" ");
        assert_eq!(text, "--sym-args 0 2 4 --sym-files 1 11 --sym-stdin 3");
        assert_eq!(symbolic_inputs(&[]), Vec::<String>::new());
        let large = [invocation(&["long"; 40], Some(5000), Some(5000))];
        let text = symbolic_inputs(&large).join(" ");
        assert_eq!(text, "--sym-args 0 8 4 --sym-files 1 64 --sym-stdin 64");
    }

    #[test]
    fn variables_that_most_have_are_symbolic() {
        let with = |value: &str| Invocation {
            variables: vec![(b"TZ".to_vec(), value.as_bytes().to_vec())],
            ..Invocation::default()
        };
        let all = [with("UTC0"), with("X"), Invocation::default()];
        assert_eq!(symbolic_inputs(&all).join(" "), "--sym-env TZ 4");
        assert!(symbolic_inputs(&[with("UTC0"), Invocation::default()]).is_empty());
    }
}
