//! Boundaries of comparisons, which kept tests cover as they cover branch sides.

use homi_native::testcase::{TestCoverage, read_coverage};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Bit that tells numbers of boundaries from numbers of branch sides.
const MARK: u32 = 1 << 31;

/// Returns the boundaries that a test is at, as numbers beyond all branch sides.
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
            let path = directory.join(format!("{}.ktest", test.test));
            found.insert(path, boundaries(&test).collect());
        }
    }
    found
}

/// Returns the branch sides that name a case, and true if they are no new ones, because the case is
/// there for a boundary.
pub(super) fn naming(sides: &[u32], covered: &BTreeSet<u32>) -> (Vec<u32>, bool) {
    let own = || sides.iter().filter(|side| is_side(side));
    let new = own().filter(|side| !covered.contains(side));
    let new: Vec<u32> = new.copied().collect();
    match own().max() {
        // Of a path's conditions the last one tells most.
        Some(last) if new.is_empty() => (vec![*last], true),
        _ => (new, false),
    }
}

/// Returns the name and the line about a case that is there for a boundary.
pub(super) fn at_boundary(name: &str, about: &str) -> (String, String) {
    (
        format!("boundary_{name}"),
        format!("{about}, at a boundary"),
    )
}
