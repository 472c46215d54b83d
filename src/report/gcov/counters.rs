//! The file of counts that a program built by `homi instrument` writes: which branch sides it took.
//!
//! Format (runtime/instrument/counters.c): "homicov1", the number of sides as 64 bits little
//! endian, one byte per side in order of branch and side, 1 if taken.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The environment variable that names the file of counts.
pub const COUNTERS_VARIABLE: &str = "HOMI_COVERAGE_FILE";

const MAGIC: &[u8; 8] = b"homicov1";

/// Reason why a file of counts cannot be used.
#[derive(Debug, Error)]
pub enum CountersError {
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: not the counts of this program's instrumented build", path.display())]
    Mismatch { path: PathBuf },
}

/// The sides taken, as (branch, side), given the number of sides of each of the program's branches.
pub fn read_counters(file: &Path, sides: &[u32]) -> Result<BTreeSet<(u32, u32)>, CountersError> {
    let bytes = std::fs::read(file).map_err(|source| CountersError::Read {
        path: file.to_path_buf(),
        source,
    })?;
    let total: u64 = sides.iter().map(|count| u64::from(*count)).sum();
    let counts = bytes
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.split_at_checked(8))
        .filter(|(length, counts)| *length == total.to_le_bytes() && counts.len() as u64 == total)
        .map(|(_, counts)| counts)
        .ok_or_else(|| CountersError::Mismatch {
            path: file.to_path_buf(),
        })?;
    let mut taken = BTreeSet::new();
    let mut counts = counts.iter();
    for (branch, count) in sides.iter().enumerate() {
        for (side, byte) in (0..*count).zip(&mut counts) {
            if *byte != 0 {
                taken.insert((branch as u32, side));
            }
        }
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_sides_in_order() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("counts");
        std::fs::write(&file, b"homicov1\x05\0\0\0\0\0\0\0\0\x01\0\0\x01").unwrap();
        let taken = read_counters(&file, &[2, 3]).unwrap();
        assert_eq!(taken, BTreeSet::from([(0, 1), (1, 2)]));
        assert!(matches!(
            read_counters(&file, &[2, 2]),
            Err(CountersError::Mismatch { .. })
        ));
        let missing = read_counters(&directory.path().join("none"), &[2]);
        assert!(matches!(missing, Err(CountersError::Read { .. })));
    }
}
