//! Boundaries of comparisons, which kept tests cover as they cover branch sides.

use homi_native::testcase::{TestCoverage, read_coverage};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Bit that tells numbers of boundaries from numbers of branch sides.
const MARK: u32 = 1 << 31;

/// Returns the boundaries that a test is at, as numbers beyond those of all branch sides.
pub(super) fn boundaries(test: &TestCoverage) -> impl Iterator<Item = u32> {
    test.boundaries.iter().map(|key| key | MARK)
}

/// True for the number of a branch side.
pub(super) fn is_side(number: &u32) -> bool {
    number & MARK == 0
}

/// Returns the boundaries of the tests in directories, by the tests' paths.
pub(super) fn boundaries_of(directories: &[PathBuf]) -> BTreeMap<PathBuf, Vec<u32>> {
    let mut found = BTreeMap::new();
    for directory in directories {
        // A single test has no log.
        for test in read_coverage(directory).unwrap_or_default() {
            let path = directory.join(&test.test).with_added_extension("ktest");
            found.insert(path, boundaries(&test).collect());
        }
    }
    found
}
