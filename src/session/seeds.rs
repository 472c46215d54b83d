//! The earlier tests that a run follows first.

use super::SessionError;
use crate::config::SeedConfig;
use crate::roots::SeedTest;
use crate::testcase::ktest::KTest;

/// Reads the tests of all seeds, in the order of their files.
pub(super) fn read(config: &SeedConfig) -> Result<Vec<SeedTest>, SessionError> {
    let tests = config.files.iter().map(|file| {
        Ok(SeedTest {
            test: KTest::read(file).map_err(SessionError::Seed)?,
            shows: None,
            known: false,
        })
    });
    tests.collect()
}
