//! Memory of homi's processes, as the kernel counts it.

use homi_ir::util::resident::resident_of;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::{Pid, SysconfVar, sysconf};
use std::fs;
use std::time::Duration;

/// Bytes of resident memory of this process and of its children (solver processes).
pub(in crate::engine) fn resident_bytes() -> u64 {
    let own = resident_of("self");
    children()
        .iter()
        .fold(own, |sum, pid| sum + resident_of(&pid.to_string()))
}

/// Returns the direct children of this process. Solver processes have no children.
fn children() -> Vec<u32> {
    let mut pids = Vec::new();
    let Ok(tasks) = fs::read_dir("/proc/self/task") else {
        return pids;
    };
    for task in tasks.flatten() {
        if let Ok(list) = fs::read_to_string(task.path().join("children")) {
            pids.extend(
                list.split_whitespace()
                    .filter_map(|pid| pid.parse::<u32>().ok()),
            );
        }
    }
    pids
}

/// Gives freed memory back to the kernel at once instead of after jemalloc's usual 10 s.
pub(in crate::engine) fn release_freed() {
    // MALLCTL_ARENAS_ALL is 4096 in jemalloc's interface.
    for name in [c"thread.tcache.flush", c"arena.4096.purge"] {
        // SAFETY: both names are commands that take and return no value, so all other pointers are
        // null; the name is NUL-terminated. A jemalloc without the name answers with an error, and
        // then memory is given back later.
        let _ = unsafe {
            tikv_jemalloc_sys::mallctl(
                name.as_ptr(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                0,
            )
        };
    }
}

/// Bytes that jemalloc has given out; 0 in a process that has another allocator.
pub(in crate::engine) fn allocated_bytes() -> u64 {
    // The statistics are of the moment when the epoch was advanced last.
    let _ = tikv_jemalloc_ctl::epoch::advance();
    tikv_jemalloc_ctl::stats::allocated::read().map_or(0, |bytes| bytes as u64)
}

/// Returns user and system time of this process and of its children, to the nanosecond for running
/// ones.
pub fn cpu_time() -> Duration {
    let (user, system) = resource_times(UsageWho::RUSAGE_CHILDREN);
    let ended = Duration::from_secs_f64(user + system);
    let children = children().into_iter().filter_map(|pid| {
        let pid = Pid::from_raw(i32::try_from(pid).ok()?);
        clock_getcpuclockid(pid).ok().map(clock_time)
    });
    let own = clock_time(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    children.fold(own + ended, |sum, time| sum + time)
}

/// Returns the time of a clock; zero if its process is gone.
fn clock_time(clock: ClockId) -> Duration {
    clock.now().map_or(Duration::ZERO, Duration::from)
}

/// User and system time of this process or of its children that ended, in seconds.
fn resource_times(who: UsageWho) -> (f64, f64) {
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    getrusage(who).map_or((0.0, 0.0), |usage| {
        (seconds(usage.user_time()), seconds(usage.system_time()))
    })
}

/// User time of this process and of its children, in seconds.
pub(in crate::engine) fn user_seconds() -> f64 {
    let of = |who| resource_times(who).0;
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN) + running_children_user_seconds()
}

/// User time of children that still run. Their clocks do not tell it from system time.
fn running_children_user_seconds() -> f64 {
    let ticks = sysconf(SysconfVar::CLK_TCK).ok().flatten();
    let ticks = ticks.unwrap_or(100).max(1) as f64;
    let of = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The command name in parentheses may hold anything; fields count from after it.
        let fields = stat.rsplit_once(')')?.1;
        let user: f64 = fields.split_whitespace().nth(11)?.parse().ok()?;
        Some(user / ticks)
    };
    children().iter().filter_map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    // One test, because a child counts with its parent's memory between fork and exec.
    #[test]
    fn this_process_and_its_children_are_counted() {
        let before = resident_of("self");
        assert!(before > 1 << 20, "{before}");
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        let during = resident_of("self");
        assert!(during > before + (32 << 20), "{before} {during}");
        assert!(block.iter().all(|byte| *byte == 1));
        assert!(cpu_time() > Duration::ZERO);
        assert!(user_seconds() > 0.0);

        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .unwrap();
        let found = children().contains(&child.id());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found);
        assert!(resident_bytes() > 1 << 20);
    }
}
