//! What brings back a part of homi itself that is missing.

use std::path::Path;

/// What to do: in an unpacked archive of homi another thing than in its source tree, of which the
/// executable is told apart by what lies beside it.
pub(crate) fn remedy() -> &'static str {
    match std::env::current_exe().is_ok_and(|executable| is_packaged(&executable)) {
        true => "unpack homi's archive again, all of it",
        false => "run scripts/setup in homi's source tree",
    }
}

/// Whether the executable is that of an unpacked archive.
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
