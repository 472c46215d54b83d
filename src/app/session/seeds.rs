//! The earlier tests and raw inputs that a run follows first.

use super::SessionError;
use super::program::log_early;
use homi_config::RunConfig;
use homi_explore::sources::{ReplayedTest, SeedTest};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{Invocation, Layout};
use std::path::PathBuf;

/// Reads the tests of all seeds, in the order of their files; raw inputs come last.
pub(super) fn read(config: &RunConfig) -> Result<Vec<SeedTest>, SessionError> {
    let mut tests = Vec::with_capacity(config.seeds.files.len());
    for file in &config.seeds.files {
        tests.push(KTest::read(file).map_err(SessionError::Seed)?);
    }
    let mut whole: Vec<Option<Vec<u8>>> = tests.iter().map(standard_input).collect();
    if !config.seeds.by_position {
        fit(config, &mut tests);
    }
    if !config.seeds.raw.is_empty() {
        let (raw_tests, raw_bytes) = raw(config)?;
        tests.extend(raw_tests);
        whole.extend(raw_bytes.into_iter().map(Some));
    }
    let files = config.seeds.files.iter().chain(&config.seeds.raw);
    let seed = |((test, whole), file): ((KTest, Option<Vec<u8>>), &PathBuf)| SeedTest {
        whole_input: whole.filter(|whole| is_longer(whole, &test)),
        test,
        shows: None,
        known: false,
        file: Some(file.display().to_string().into()),
    };
    let tests = tests.into_iter().zip(whole);
    Ok(tests.zip(files).map(seed).collect())
}

/// The name of the object with the bytes of standard input.
const STANDARD_INPUT: &str = "stdin";

/// The bytes of standard input in a test.
fn standard_input(test: &KTest) -> Option<Vec<u8>> {
    let object = test.object(STANDARD_INPUT)?;
    Some(object.bytes.clone())
}

/// True if a test's standard input is the beginning of these bytes.
fn is_longer(whole: &[u8], test: &KTest) -> bool {
    let input = test.object(STANDARD_INPUT);
    input.is_some_and(|input| whole.len() > input.bytes.len() && whole.starts_with(&input.bytes))
}

/// Reads the tests with whose bytes the program is executed.
pub(super) fn replays(config: &RunConfig) -> Result<Vec<ReplayedTest>, SessionError> {
    let files = &config.seeds.replays;
    let count = files.len();
    let tests = (1..).zip(files).map(|(number, file)| {
        let test = KTest::read(file).map_err(SessionError::Seed)?;
        let (shown, bytes) = (file.display(), test.to_bytes().len());
        Ok(ReplayedTest {
            message: format!("replaying: {shown} ({bytes} bytes) ({number}/{count})"),
            test,
            file: shown.to_string().into(),
        })
    });
    tests.collect()
}

/// The arguments of the first of these tests are the program's, if none were given.
pub(super) fn take_arguments(config: &mut RunConfig, tests: &[ReplayedTest]) {
    let Some(first) = tests
        .first()
        .filter(|_| config.program.arguments.is_empty())
    else {
        return;
    };
    let arguments = first.test.args.iter().skip(1);
    config.program.arguments = arguments
        .map(|argument| String::from_utf8_lossy(argument).into_owned())
        .collect();
}

/// Returns the program's name and its arguments as typed.
fn program_arguments(config: &RunConfig) -> Vec<Vec<u8>> {
    let arguments = config.program.arguments.iter();
    std::iter::once(b"program".to_vec())
        .chain(arguments.map(|argument| argument.as_bytes().to_vec()))
        .collect()
}

/// Converts tests of runs with other arguments to tests with the arguments of this run, as far as
/// there is room. Names are not enough: the second argument of the test may be the first argument
/// of another kind in this run.
fn fit(config: &RunConfig, tests: &mut [KTest]) {
    let arguments = program_arguments(config);
    let Ok(layout) = Layout::of(&arguments[1..]) else {
        return;
    };
    if !layout.is_symbolic() {
        return;
    }
    let (mut cut, count) = (0, tests.len());
    for test in tests {
        if test.args.get(1..) == Some(&arguments[1..]) {
            continue;
        }
        if let Some(invocation) = Invocation::of(test) {
            let made = layout.convert(&arguments, &invocation);
            cut += usize::from(made.cut > 0);
            *test = made.test;
        }
    }
    if cut > 0 {
        let text =
            format!("{cut} of {count} seeds exceed the symbolic arguments and were truncated");
        log_early(config, &text);
    }
}

/// Tests with the bytes of raw inputs where the program's arguments have symbolic ones, and all
/// bytes of each input.
fn raw(config: &RunConfig) -> Result<(Vec<KTest>, Vec<Vec<u8>>), SessionError> {
    let refused = |error: homi_native::testcase::LayoutError| {
        SessionError::Request(format!("--seed-dir: {error}"))
    };
    let arguments = program_arguments(config);
    let layout = Layout::of(&arguments[1..]).map_err(refused)?;
    let mut longer = 0;
    let mut tests = Vec::with_capacity(config.seeds.raw.len());
    let mut whole = Vec::with_capacity(config.seeds.raw.len());
    for file in &config.seeds.raw {
        let failed = SessionError::io(format!("cannot read the seed {}", file.display()));
        let bytes = std::fs::read(file).map_err(failed)?;
        let made = layout.test(&arguments, &bytes, None).map_err(refused)?;
        longer += usize::from(made.cut > 0);
        tests.push(made.test);
        whole.push(bytes);
    }
    if longer > 0 {
        let text = format!("{longer} raw seeds exceed the symbolic input and were truncated");
        log_early(config, &text);
    }
    Ok((tests, whole))
}
