//! `ktest-gen` and `ktest-randgen`: tests from files and arguments, or random tests.
//!
//! Invariant: a test has the objects, in order, that homi and KLEE's POSIX model create for its
//! arguments.

use homi_native::testcase::fixed_variable;
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::ktest_edit::{Assignment, EditError, make};
use std::fs;
use std::path::PathBuf;

/// Reason why no test was made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    #[error("{0} requires a value")]
    NoValue(String),
    #[error("{0:?} is not a number")]
    NotANumber(String),
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Test(#[from] EditError),
    #[error("{0}")]
    Usage(String),
}

/// Usage of `ktest-gen`.
pub const GEN_USAGE: &str = "usage: ktest-gen [ARGUMENT]... [--sym-stdin FILE] [--sym-file FILE]... \
[--sym-stdout FILE] [--bout-file FILE]\n  each ARGUMENT becomes a symbolic argument with that value; \
FILEs are the contents of the standard input and of the files A, B, ...\n  --bout-file names the test \
[default: file.bout]\n";

/// Usage of `ktest-randgen`.
pub const RANDGEN_USAGE: &str = "Usage: ktest-randgen SEED ARGUMENT... [--bout-file FILE]\n  ARGUMENTs belong \
to the program, such as --sym-args 0 2 2 --sym-files 1 8\n  with SEED 0 each call makes another \
test; --bout-file names it [default: random.bout]\n";

/// Test and the path of its file.
pub struct Generated {
    pub test: KTest,
    pub path: PathBuf,
}

/// Removes `--bout-file` and returns its value.
fn without_file(
    arguments: &[String],
    default: &str,
) -> Result<(Vec<String>, PathBuf), GenerateError> {
    let (mut rest, mut path) = (Vec::new(), PathBuf::from(default));
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.trim_start_matches('-') {
            "bout-file" if argument.starts_with('-') => {
                path = value(argument, arguments.next())?.into()
            }
            _ => rest.push(argument.clone()),
        }
    }
    Ok((rest, path))
}

fn value<'w>(option: &str, argument: Option<&'w String>) -> Result<&'w String, GenerateError> {
    argument.ok_or_else(|| GenerateError::NoValue(option.to_string()))
}

fn contents(path: &str) -> Result<Vec<u8>, GenerateError> {
    let path = PathBuf::from(path);
    fs::read(&path).map_err(|source| GenerateError::Read { path, source })
}

/// Makes the test that arguments of `ktest-gen` describe.
pub fn from_files(arguments: &[String]) -> Result<Generated, GenerateError> {
    let (arguments, path) = without_file(arguments, "file.bout")?;
    if arguments.is_empty() {
        return Err(GenerateError::Usage(GEN_USAGE.to_string()));
    }
    let (mut typed, mut streams, mut objects) = (Vec::new(), Vec::new(), Vec::new());
    let mut files: Vec<Vec<u8>> = Vec::new();
    let mut symbolic = 0;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let name = argument.trim_start_matches('-');
        let is_option = argument.starts_with('-');
        match name {
            "sym-stdin" if is_option => {
                let bytes = contents(value(argument, arguments.next())?)?;
                streams.extend(["--sym-stdin".to_string(), bytes.len().max(1).to_string()]);
                objects.push(("stdin".to_string(), bytes));
            }
            "sym-stdout" if is_option => {
                let bytes = contents(value(argument, arguments.next())?)?;
                streams.push("--sym-stdout".to_string());
                objects.push(("stdout".to_string(), bytes));
            }
            "sym-file" if is_option => files.push(contents(value(argument, arguments.next())?)?),
            _ => {
                typed.extend(["--sym-arg".to_string(), argument.len().max(1).to_string()]);
                objects.push((format!("arg{symbolic:02}"), argument.clone().into_bytes()));
                symbolic += 1;
            }
        }
    }
    if let Some(largest) = files.iter().map(Vec::len).max() {
        let (count, size) = (files.len().to_string(), largest.max(1).to_string());
        typed.extend(["--sym-files".to_string(), count, size]);
        let names = (b'A'..=b'Z').map(|letter| format!("{}_data", char::from(letter)));
        objects.extend(names.zip(files));
    }
    typed.extend(streams);
    let assignments = objects.into_iter();
    let assignments: Vec<Assignment> = assignments
        .map(|(name, bytes)| Assignment { name, bytes })
        .collect();
    let test = make(&program_and(&typed), &assignments)?;
    Ok(Generated { test, path })
}

/// Returns the `args` of a test that belongs to no particular program.
fn program_and(arguments: &[String]) -> Vec<Vec<u8>> {
    let arguments = arguments
        .iter()
        .map(|argument| argument.clone().into_bytes());
    std::iter::once(b"program".to_vec())
        .chain(arguments)
        .collect()
}

/// Makes the test that arguments of `ktest-randgen` describe. `fresh` is a seed that differs in
/// each call.
pub fn at_random(arguments: &[String], fresh: u64) -> Result<Generated, GenerateError> {
    let (arguments, path) = without_file(arguments, "random.bout")?;
    let Some((seed, typed)) = arguments
        .split_first()
        .filter(|(_, typed)| !typed.is_empty())
    else {
        return Err(GenerateError::Usage(RANDGEN_USAGE.to_string()));
    };
    check_options(typed)?;
    let seed: u64 = seed
        .parse()
        .map_err(|_| GenerateError::NotANumber(seed.clone()))?;
    let mut random = Random(if seed == 0 { fresh } else { seed });
    let mut test = make(&program_and(typed), &[])?;
    let mut counts = argument_counts(typed).into_iter();
    for object in &mut test.objects {
        let name = object.name.as_slice();
        if name == b"n_args" {
            let (least, most) = counts.next().unwrap_or((0, 0));
            let count = least + random.below(u64::from(most - least) + 1) as u32;
            object.bytes = count.to_le_bytes().to_vec();
        } else if name.ends_with(b"_data") || name == b"stdin" {
            object.bytes.fill_with(|| random.byte());
        } else if name.starts_with(b"arg") {
            let end = object.bytes.len().saturating_sub(1);
            object.bytes[..end].fill_with(|| random.byte());
        }
    }
    Ok(Generated { test, path })
}

/// Options of `ktest-randgen` and their numbers of values.
const RANDOM_OPTIONS: [(&str, usize); 8] = [
    ("sym-arg", 1),
    ("sym-args", 3),
    ("sym-file", 2),
    ("sym-files", 2),
    ("sym-stdin", 1),
    ("sym-stdout", 0),
    ("sym-env", 2),
    ("save-all-writes", 0),
];

/// Refuses unknown options and options without values.
fn check_options(arguments: &[String]) -> Result<(), GenerateError> {
    let refuse = |text: String| Err(GenerateError::Usage(text));
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let name = argument.trim_start_matches('-');
        let mut options = RANDOM_OPTIONS.iter();
        let known = options.find(|(option, _)| *option == name && argument.starts_with('-'));
        let Some((_, count)) = known else {
            return refuse(format!("Unexpected option <{argument}>"));
        };
        let is_fixed = |value: &String| fixed_variable(value.as_bytes()).is_some();
        let count = if name == "sym-env" && arguments.clone().next().is_some_and(is_fixed) {
            &1
        } else {
            count
        };
        let values: Vec<&String> = arguments.by_ref().take(*count).collect();
        if values.len() < *count {
            return refuse(format!("{argument} ran out of arguments: it takes {count}"));
        }
        let number = |at: usize| values.get(at).and_then(|value| value.parse::<u32>().ok());
        if name == "sym-args" && number(0) > number(1) {
            return refuse(format!(
                "{argument}: the least number of arguments should be no more than the greatest"
            ));
        }
    }
    Ok(())
}

/// Returns the minimum and maximum of each `--sym-args` whose number of arguments varies.
fn argument_counts(arguments: &[String]) -> Vec<(u32, u32)> {
    let places = arguments.iter().enumerate();
    let places = places.filter(|(_, argument)| argument.trim_start_matches('-') == "sym-args");
    let bounds = places.filter_map(|(place, _)| {
        let number = |at: usize| arguments.get(place + at)?.parse::<u32>().ok();
        Some((number(1)?, number(2)?))
    });
    bounds.filter(|(least, most)| least < most).collect()
}

/// Marsaglia's xorshift with a multiplication, sufficient for bytes of tests.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        let mut state = self.0.max(1);
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        self.0 = state;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn byte(&mut self) -> u8 {
        (self.next() >> 56) as u8
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn arguments_and_files_become_symbolic_objects_with_their_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "hello").unwrap();
        let shown = file.path().display();
        let made = from_files(&split(&format!(
            "-n ab --sym-file {shown} --sym-stdin {shown}"
        )))
        .unwrap();
        assert_eq!(made.path, PathBuf::from("file.bout"));
        let bytes = |name: &str| made.test.object(name).unwrap().bytes.clone();
        assert_eq!(
            (bytes("arg00"), bytes("arg01")),
            (b"-n\0".to_vec(), b"ab\0".to_vec())
        );
        assert_eq!(
            (bytes("A_data"), bytes("stdin")),
            (b"hello".to_vec(), b"hello".to_vec())
        );
        let typed: Vec<_> = made
            .test
            .args
            .iter()
            .skip(1)
            .map(|argument| String::from_utf8_lossy(argument))
            .collect();
        assert_eq!(
            typed.join(" "),
            "--sym-arg 2 --sym-arg 2 --sym-files 1 5 --sym-stdin 5"
        );
    }

    #[test]
    fn a_seed_makes_the_same_test_each_time() {
        let line = split("100 --sym-args 1 3 4 --sym-files 1 8 --bout-file r.ktest");
        let (one, two) = (at_random(&line, 1).unwrap(), at_random(&line, 2).unwrap());
        assert_eq!(one.test, two.test);
        assert_eq!(one.path, PathBuf::from("r.ktest"));
        let count = one.test.object("n_args").unwrap().bytes[0];
        assert!((1..=3).contains(&count));
        let zero = split("0 --sym-files 1 8");
        assert_ne!(
            at_random(&zero, 1).unwrap().test,
            at_random(&zero, 2).unwrap().test
        );
        assert!(at_random(&split("x --sym-arg 1"), 1).is_err());
    }
}
