//! Resident memory of a process, as the kernel counts it.

use std::fs;

/// Bytes of resident memory of a process (a number, or `self`); 0 if it is gone.
pub(crate) fn resident_of(process: &str) -> u64 {
    let pages = fs::read_to_string(format!("/proc/{process}/statm"))
        .ok()
        .and_then(|line| line.split(' ').nth(1)?.parse::<u64>().ok())
        .unwrap_or(0);
    pages * page_size()
}

fn page_size() -> u64 {
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(size).unwrap_or(4096)
}
