//! The modelled kernel (`runtime/kernel`), compiled natively with the host behind the engine's
//! functions: tests/runtime/kernel_native.c holds the cases, each run here in a fresh directory
//! under the sanitizers.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

fn compile(executable: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources: Vec<PathBuf> = fs::read_dir(root.join("runtime/kernel"))
        .expect("runtime/kernel")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    sources.push(root.join("tests/runtime/kernel_native.c"));
    sources.push(root.join("tests/runtime/kernel_host.c"));
    let output = Command::new("cc")
        .args([
            "-D_GNU_SOURCE",
            "-g",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fno-builtin",
        ])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .arg("-I")
        .arg(root.join("runtime/include"))
        .args(&sources)
        .arg("-o")
        .arg(executable)
        .output()
        .expect("cc runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The directory in which a case starts: what kernel_native.c expects of the host.
fn prepare(directory: &Path) {
    fs::create_dir_all(directory.join("sub")).expect("directory");
    for path in [directory.to_path_buf(), directory.join("sub")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("mode");
    }
    fs::write(directory.join("host.txt"), "host file\n").expect("file");
    fs::write(directory.join("sub/inner"), "inner\n").expect("file");
    fs::set_permissions(
        directory.join("sub/inner"),
        fs::Permissions::from_mode(0o644),
    )
    .expect("mode");
    symlink("host.txt", directory.join("link")).expect("link");
    symlink("loop", directory.join("loop")).expect("link");
}

#[test]
fn the_modelled_kernel_answers_like_linux() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let executable = directory.path().join("kernel_native");
    compile(&executable);
    let listed = Command::new(&executable)
        .output()
        .expect("the list of cases");
    let names = String::from_utf8(listed.stdout).expect("names");
    let mut failed = Vec::new();
    for name in names.lines() {
        let place = directory.path().join(name);
        prepare(&place);
        let output = Command::new(&executable)
            .arg(name)
            .current_dir(&place)
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .output()
            .expect("a case");
        if !output.status.success() {
            failed.push(format!(
                "{name}: {}\n{}{}",
                output.status,
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ));
        }
    }
    assert!(names.lines().count() >= 30, "too few cases: {names}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
