//! The earlier tests and raw inputs that a run follows first.

use super::SessionError;
use super::program::log_early;
use crate::config::RunConfig;
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
