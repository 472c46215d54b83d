//! The earlier tests and raw inputs that a run follows first.

use super::SessionError;
use super::program::log_early;
use crate::config::RunConfig;
use crate::report::SharedLog;
use crate::roots::SeedTest;
use crate::testcase::Layout;
use crate::testcase::ktest::KTest;

/// Reads the tests of all seeds, in the order of their files; raw inputs come last.
pub(super) fn read(config: &RunConfig) -> Result<Vec<SeedTest>, SessionError> {
    let mut tests = Vec::with_capacity(config.seeds.files.len());
    for file in &config.seeds.files {
        tests.push(KTest::read(file).map_err(SessionError::Seed)?);
    }
    if !config.seeds.raw.is_empty() {
        tests.extend(raw(config)?);
    }
    let seed = |test| SeedTest {
        test,
        shows: None,
        known: false,
    };
    Ok(tests.into_iter().map(seed).collect())
}

/// Reads the tests with whose bytes the program is executed.
pub(super) fn replays(config: &RunConfig) -> Result<Vec<KTest>, SessionError> {
    let files = config.seeds.replays.iter();
    let tests = files.map(|file| KTest::read(file).map_err(SessionError::Seed));
    tests.collect()
}

/// Tells which tests are executed.
pub(super) fn tell_replays(config: &RunConfig, tests: &[KTest], log: &SharedLog) {
    let files = &config.seeds.replays;
    for ((number, file), test) in (1..).zip(files).zip(tests) {
        let (shown, bytes, count) = (file.display(), test.to_bytes().len(), files.len());
        let text = format!("replaying: {shown} ({bytes} bytes) ({number}/{count})");
        log.lock().message(&text);
    }
}

/// The arguments of the first of these tests are the program's, if none were given.
pub(super) fn take_arguments(config: &mut RunConfig, tests: &[KTest]) {
    let Some(first) = tests
        .first()
        .filter(|_| config.program.arguments.is_empty())
    else {
        return;
    };
    let words = first.args.iter().skip(1);
    config.program.arguments = words
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
}

/// Tests with the bytes of raw inputs where the program's arguments have symbolic ones.
fn raw(config: &RunConfig) -> Result<Vec<KTest>, SessionError> {
    let refused =
        |error: crate::testcase::LayoutError| SessionError::Request(format!("--seed-dir: {error}"));
    let arguments = config.program.arguments.iter();
    let name = b"program".to_vec();
    let words: Vec<Vec<u8>> = std::iter::once(name)
        .chain(arguments.map(|word| word.as_bytes().to_vec()))
        .collect();
    let layout = Layout::of(&words[1..]).map_err(refused)?;
    let mut longer = 0;
    let mut tests = Vec::with_capacity(config.seeds.raw.len());
    for file in &config.seeds.raw {
        let failed = SessionError::io(format!("cannot read the seed {}", file.display()));
        let bytes = std::fs::read(file).map_err(failed)?;
        let made = layout.test(&words, &bytes, None).map_err(refused)?;
        longer += usize::from(made.cut > 0);
        tests.push(made.test);
    }
    if longer > 0 {
        let text = format!("{longer} raw seeds are longer than the symbolic input and are cut");
        log_early(config, &text);
    }
    Ok(tests)
}
