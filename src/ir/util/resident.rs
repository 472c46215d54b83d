//! Resident memory of a process, as the kernel counts it.

use nix::unistd::{SysconfVar, sysconf};
use std::fs;

/// Bytes of resident memory of a process (a number, or `self`); 0 if it is gone.
pub fn resident_of(process: &str) -> u64 {
    let pages = fs::read_to_string(format!("/proc/{process}/statm"))
        .ok()
        .and_then(|line| line.split(' ').nth(1)?.parse::<u64>().ok())
        .unwrap_or(0);
    pages * page_size()
}

fn page_size() -> u64 {
    let size = sysconf(SysconfVar::PAGE_SIZE).ok().flatten();
    size.and_then(|size| u64::try_from(size).ok())
        .unwrap_or(4096)
}
