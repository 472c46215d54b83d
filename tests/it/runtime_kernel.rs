//! The modelled kernel (`runtime/kernel`), compiled natively with the host behind the engine's
//! functions: tests/data/runtime/kernel_native.c holds the cases, each run here in a fresh
//! directory under the sanitizers.

use crate::support::{data, files_with, host_directory, root, run};
use std::path::Path;
use std::process::Command;

fn compile(executable: &Path) {
    let mut sources = files_with("c", &root().join("runtime/kernel"));
    sources.push(data("runtime/kernel_native.c"));
    sources.push(data("runtime/kernel_host.c"));
    run(Command::new("cc")
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
        .arg(root().join("runtime/include"))
        .args(&sources)
        .arg("-o")
        .arg(executable));
}

#[test]
fn the_modelled_kernel_answers_like_linux() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let executable = directory.path().join("kernel_native");
    compile(&executable);
    let names = String::from_utf8(run(&mut Command::new(&executable))).expect("names");
    let mut failed = Vec::new();
    for name in names.lines() {
        let place = directory.path().join(name);
        host_directory(&place);
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
