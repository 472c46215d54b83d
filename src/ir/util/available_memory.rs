//! Memory that the kernel would still give this process: the machine's available memory, or the
//! rest of a control group's limit, as in a container or a CI job.

use std::fs;
use std::path::Path;

/// Memory that a machine or a control group has, in bytes, swap included where it is the machine's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AvailableMemory {
    /// Free memory; file caches of the kernel count as free.
    pub left: u64,
    /// All that the machine or the group has.
    pub total: u64,
}

/// Returns the smallest of the machine's memory and the limits of this process's control groups;
/// `None` if the kernel does not report them.
pub fn available_memory() -> Option<AvailableMemory> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| of_machine(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = of_groups(&groups, Path::new("/sys/fs/cgroup"));
    groups
        .chain(machine)
        .min_by_key(|available_memory| available_memory.left)
}

/// From the text of `/proc/meminfo` (proc_meminfo(5)), whose numbers are KiB.
fn of_machine(meminfo: &str) -> Option<AvailableMemory> {
    let bytes = |name: &str| field(meminfo, name).map(|kib| kib.saturating_mul(1024));
    let swap = |name| bytes(name).unwrap_or(0);
    Some(AvailableMemory {
        left: bytes("MemAvailable:")? + swap("SwapFree:"),
        total: bytes("MemTotal:")? + swap("SwapTotal:"),
    })
}

/// Names of one version of the kernel's control groups (cgroups(7)).
struct Names {
    limit: &'static str,
    usage: &'static str,
    /// Lines of `memory.stat` with what the group's cached files take.
    files: [&'static str; 2],
}

const FIRST_VERSION: Names = Names {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    files: ["total_inactive_file", "total_active_file"],
};
const SECOND_VERSION: Names = Names {
    limit: "memory.max",
    usage: "memory.current",
    files: ["inactive_file", "active_file"],
};

/// The rooms of all groups named in the text of `/proc/self/cgroup` and of those around them. A
/// container may see its own group as the root whatever the text says, so groups that are not there
/// are passed over.
fn of_groups(list: &str, mounted: &Path) -> impl Iterator<Item = AvailableMemory> {
    let mut rooms = Vec::new();
    for line in list.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let (root, names) = if controllers.is_empty() {
            (mounted.to_path_buf(), &SECOND_VERSION)
        } else if controllers.split(',').any(|name| name == "memory") {
            (mounted.join("memory"), &FIRST_VERSION)
        } else {
            continue;
        };
        let group = root.join(path.trim_start_matches('/'));
        let around = group.ancestors().take_while(|path| path.starts_with(&root));
        rooms.extend(around.filter_map(|path| of_group(path, names)));
    }
    rooms.into_iter()
}

/// The room of one group; `None` if it has no limit.
fn of_group(group: &Path, names: &Names) -> Option<AvailableMemory> {
    let read = |name: &str| fs::read_to_string(group.join(name)).ok();
    let total: u64 = read(names.limit)?.trim().parse().ok()?;
    let usage: u64 = read(names.usage)?.trim().parse().ok()?;
    let stat = read("memory.stat").unwrap_or_default();
    let files = names.files.map(|name| field(&stat, name).unwrap_or(0));
    let taken = usage.saturating_sub(files.iter().sum());
    Some(AvailableMemory {
        left: total.saturating_sub(taken),
        total,
    })
}

/// The number on the line that begins with a name.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_counts_available_memory_and_swap() {
        let text = "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 300 kB\nSwapTotal: 50 kB\nSwapFree: 20 kB\n";
        let expected = AvailableMemory {
            left: 320 << 10,
            total: 1050 << 10,
        };
        assert_eq!(of_machine(text), Some(expected));
        assert_eq!(of_machine("MemTotal: 1000 kB\n"), None);
        assert!(available_memory().is_some());
    }

    fn write_group(path: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(path).unwrap();
        for (name, text) in files {
            fs::write(path.join(name), text).unwrap();
        }
    }

    #[test]
    fn groups_of_both_versions_and_those_around_them_count() {
        let mounted = tempfile::tempdir().unwrap();
        let mounted = mounted.path();
        let stat = "anon 600\ninactive_file 100\nactive_file 50\n";
        let outer = [("memory.max", "1000\n"), ("memory.current", "750\n")];
        write_group(&mounted.join("outer"), &outer);
        write_group(&mounted.join("outer"), &[("memory.stat", stat)]);
        let inner = [("memory.max", "max\n"), ("memory.current", "750\n")];
        write_group(&mounted.join("outer/inner"), &inner);
        let first = [
            ("memory.limit_in_bytes", "500\n"),
            ("memory.usage_in_bytes", "600\n"),
        ];
        write_group(&mounted.join("memory"), &first);

        let rooms = |list| of_groups(list, mounted).collect::<Vec<_>>();
        let of_outer = AvailableMemory {
            left: 400,
            total: 1000,
        };
        let of_first = AvailableMemory {
            left: 0,
            total: 500,
        };
        assert_eq!(rooms("0::/outer/inner\n"), [of_outer]);
        assert_eq!(rooms("4:cpu,memory:/not/there\n2:pids:/\n"), [of_first]);
        assert_eq!(rooms("0::/\nnonsense\n"), []);
    }
}
