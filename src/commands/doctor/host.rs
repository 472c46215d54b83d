//! Checks of the machine: sandboxes for replays, memory, CPUs.

use super::finding::Finding;
use homi_ir::util::available_memory::{AvailableMemory, available_memory};
use homi_native::replay::sandbox::{SandboxKind, available};

/// Returns the findings about the machine.
pub fn host() -> Vec<Finding> {
    let (kinds, reasons) = available();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    vec![
        architecture(std::env::consts::ARCH),
        sandbox(&kinds, &reasons),
        memory(available_memory()),
        Finding::fine("CPUs", processors.to_string()),
    ]
}

fn architecture(name: &str) -> Finding {
    match name {
        "x86_64" => Finding::fine("machine", "x86-64"),
        other => Finding::missing(
            "machine",
            format!("{other}: homi runs on x86-64 only"),
            "use a machine or an emulator of x86-64",
        ),
    }
}

fn sandbox(kinds: &[SandboxKind], reasons: &[String]) -> Finding {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    match names.split_first() {
        Some((first, [])) => Finding::fine("sandbox", *first),
        Some((first, rest)) => {
            Finding::fine("sandbox", format!("{first}; also {}", rest.join(", ")))
        }
        None => Finding::less(
            "sandbox",
            format!(
                "no sandbox works, so tests cannot run natively: {}",
                reasons.join("; ")
            ),
            "sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000",
        ),
    }
}

/// Bytes of memory below which `homi doctor` warns.
const LITTLE: u64 = 2 << 30;

fn memory(available_memory: Option<AvailableMemory>) -> Finding {
    let Some(AvailableMemory { left, total }) = available_memory else {
        return Finding::fine("memory", "unknown: the kernel does not report it");
    };
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    let what = format!("{:.1} of {:.1} GiB free", gib(left), gib(total));
    if left < LITTLE {
        Finding::less(
            "memory",
            format!("{what}: homi limits runs to four fifths of the free memory"),
            "end other programs, or increase the container's limit",
        )
    } else {
        Finding::fine("memory", what)
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::State;
    use super::*;

    #[test]
    fn the_strongest_sandbox_is_named_first() {
        let kinds = [SandboxKind::UserNamespaces, SandboxKind::Landlock];
        let found = sandbox(&kinds, &[]);
        assert_eq!(found.what, "user namespaces; also landlock and seccomp");
        let none = sandbox(&[], &["x: forbidden".to_string()]);
        assert_eq!(none.state, State::Less);
        assert!(none.what.ends_with("x: forbidden"));
    }

    #[test]
    fn little_memory_is_reported() {
        let available_memory = |left: u64| {
            Some(AvailableMemory {
                left,
                total: 8 << 30,
            })
        };
        assert_eq!(
            memory(available_memory(4 << 30)).what,
            "4.0 of 8.0 GiB free"
        );
        assert_eq!(memory(available_memory(1 << 30)).state, State::Less);
        assert_eq!(memory(None).state, State::Fine);
        assert_eq!(architecture("aarch64").state, State::Missing);
    }
}
