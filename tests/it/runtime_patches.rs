//! Set-up changes musl by patches (`runtime/musl/patches`): each states its reason, and a patch
//! that does not apply is an error that names the location.

use crate::support::{files_with, root};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A file of three lines and a patch that changes the second one.
const FILE: &str = "int a;\nint b;\nint c;\n";
const PATCH: &str = "Why b is a long.\n\n--- a/src/x.c\n+++ b/src/x.c\n@@ -1,3 +1,4 @@\n int a;\n\
                     -int b;\n+long b;\n+long d;\n int c;\n";

/// Applies a patch to a folder with `FILE`; also what the file is then.
fn applied(patch: &str, directory: &Path) -> (Output, String) {
    let tree = directory.join("tree");
    fs::create_dir_all(tree.join("src")).expect("a folder");
    fs::write(tree.join("src/x.c"), FILE).expect("a file");
    fs::write(directory.join("why.patch"), patch).expect("a patch");
    let output = Command::new("python3")
        .arg("-B")
        .arg(root().join("runtime/musl/patching.py"))
        .arg(&tree)
        .arg(directory.join("why.patch"))
        .output()
        .expect("python3");
    let text = fs::read_to_string(tree.join("src/x.c")).expect("the file");
    (output, text)
}

#[test]
fn a_patch_that_fits_is_applied() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let (output, text) = applied(PATCH, directory.path());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text, "int a;\nlong b;\nlong d;\nint c;\n");
}

#[test]
fn a_patch_that_does_not_fit_says_where_and_changes_nothing() {
    for (from, to, expected) in [
        (
            " int a;\n-int b",
            " int a;\n-char b",
            "why.patch:7: does not apply to src/x.c: line 2 is 'int b;', not 'char b;'",
        ),
        (
            "@@ -1,3 +1,4",
            "@@ -2,3 +2,4",
            "why.patch:6: does not apply to src/x.c: line 2 is 'int b;', not 'int a;'",
        ),
        (
            "@@ -1,3 +1,4",
            "@@ -1,4 +1,5",
            "why.patch:11: the hunk ends too early or has another line",
        ),
        ("b/src/x.c", "b/src/y.c", "why.patch: there is no src/y.c"),
        ("+++ b/src/x.c\n", "", "why.patch:4: a hunk without a file"),
        (PATCH, "Nothing.\n", "why.patch: changes no file"),
    ] {
        let directory = tempfile::tempdir().expect("temporary directory");
        let (output, text) = applied(&PATCH.replace(from, to), directory.path());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(expected), "{told}");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text, FILE);
    }
}

/// A change without a reason cannot be judged when musl's next release comes.
#[test]
fn patches_of_musl_say_what_they_are_for() {
    let patches = files_with("patch", &root().join("runtime/musl/patches"));
    assert!(patches.len() >= 10, "{patches:?}");
    for path in patches {
        let text = fs::read_to_string(&path).expect("a patch");
        let first = text.lines().next().unwrap_or_default();
        assert!(first.ends_with('.') || first.contains(' '), "{first}");
        assert!(!first.starts_with("---"), "{}", path.display());
    }
}
