//! Paths relative to a directory, so that kept files hold no absolute ones.

use std::path::{Path, PathBuf};

/// Returns an absolute path as one from an absolute directory.
pub(super) fn relative(path: &Path, from: &Path) -> PathBuf {
    let mut path: Vec<_> = path.components().collect();
    let mut from: Vec<_> = from.components().collect();
    let is_same = |one: &Vec<_>, other: &Vec<_>| !one.is_empty() && one.first() == other.first();
    while is_same(&path, &from) {
        path.remove(0);
        from.remove(0);
    }
    let up = from.iter().map(|_| PathBuf::from(".."));
    let down = path.iter().map(|part| PathBuf::from(part.as_os_str()));
    up.chain(down).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_up_and_down() {
        let from = |path: &str, from: &str| relative(Path::new(path), Path::new(from));
        assert_eq!(
            from("/p/src/a.c", "/p/tests/homi"),
            Path::new("../../src/a.c")
        );
        assert_eq!(from("/p/a.c", "/p"), Path::new("a.c"));
    }
}
