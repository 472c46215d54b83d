//! homi's own parts: how it starts itself once more, and what brings back a part that is missing.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file that the kernel runs this process from, also once its name leads to another file or to
/// none (proc(5)).
const RUNNING_FILE: &str = "/proc/self/exe";

/// A command that starts `executable`, a homi. If that is what this process runs, then the very
/// same file: a build or an update may have put another one in its place meanwhile.
pub fn command(executable: &Path) -> Command {
    let mut command = Command::new(file(executable));
    command.arg0(executable);
    command
}

/// Returns the file with the contents of `executable`, in the same sense.
pub fn file(executable: &Path) -> PathBuf {
    let own = std::env::current_exe();
    if own.is_ok_and(|own| is_the_same(&own, executable)) {
        PathBuf::from(RUNNING_FILE)
    } else {
        executable.to_path_buf()
    }
}

/// True if `own`, as the kernel names what a process runs, was `executable`.
fn is_the_same(own: &Path, executable: &Path) -> bool {
    let mut replaced = executable.as_os_str().to_os_string();
    replaced.push(" (deleted)");
    own == executable || own == Path::new(&replaced)
}

/// Returns the remedy, which differs between an unpacked archive of homi and its source tree; files
/// next to the executable distinguish them.
pub fn remedy() -> &'static str {
    if std::env::current_exe().is_ok_and(|executable| is_packaged(&executable)) {
        "unpack homi's archive again, all of it"
    } else {
        "run scripts/setup in homi's source tree"
    }
}

/// Returns the source tree that this homi was built in, which may be gone.
pub fn source_tree() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package)
}

/// True if the executable belongs to an unpacked archive.
fn is_packaged(executable: &Path) -> bool {
    let whole = executable.canonicalize();
    let whole = whole.as_deref().unwrap_or(executable);
    let root = whole.parent().and_then(Path::parent);
    root.is_some_and(|root| root.join("share/homi").is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_this_process_runs_is_known_under_its_name_even_if_that_leads_elsewhere() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(file(&own), Path::new(RUNNING_FILE));
        assert_eq!(file(Path::new("/usr/bin/homi")), Path::new("/usr/bin/homi"));
        let name = Path::new("/usr/bin/homi");
        assert!(is_the_same(Path::new("/usr/bin/homi (deleted)"), name));
        assert!(!is_the_same(Path::new("/usr/bin/homi2"), name));
    }

    #[test]
    fn an_archive_is_known_by_what_lies_beside_the_command() {
        let root = tempfile::tempdir().unwrap();
        let executable = root.path().join("bin/homi");
        std::fs::create_dir(root.path().join("bin")).unwrap();
        std::fs::write(&executable, "").unwrap();
        assert!(!is_packaged(&executable));
        std::fs::create_dir_all(root.path().join("share/homi")).unwrap();
        assert!(is_packaged(&executable));
        assert!(remedy().contains("scripts/setup"), "tests run in the tree");
    }
}
