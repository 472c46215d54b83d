//! The native counters agree with what the program evidently does, crashes and `_exit` included.

use homi::bitcode::{
    COVERAGE_VARIABLE, InstrumentOptions, LoadOptions, instrument, load, read_native_coverage,
};
use homi::program::{BranchKind, Program};
use std::path::{Path, PathBuf};
use std::process::Command;

const TEXT: &str = r#"
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    static void *labels[] = {&&a, &&b, &&a};
    if (argc == 1) abort();                                   /* line 6 */
    switch (argv[1][0]) { case 'x': _exit(7); case 'y': case 'z': break; default: return 1; } /* 7 */
    goto *labels[argv[1][0] - 'y'];                           /* line 8 */
a:  return 4;
b:  execl("/bin/true", "true", (char *)0); return 5;
}
"#;

fn compile(directory: &Path, flags: &[&str]) -> PathBuf {
    let source = directory.join("prog.c");
    std::fs::write(&source, TEXT).unwrap();
    let output = directory.join("prog.bc");
    let status = Command::new("clang-19")
        .args(["-c", "-emit-llvm", "-g"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&output)
        .status()
        .expect("clang-19 is required");
    assert!(status.success());
    output
}

/// `line:side` (`goto:side` for the computed goto) of everything covered by a run.
fn covered(program: &Program, executable: &Path, arguments: &[&str]) -> Vec<String> {
    let file = executable.with_extension("coverage");
    let _ = std::fs::remove_file(&file);
    Command::new(executable)
        .args(arguments)
        .env(COVERAGE_VARIABLE, &file)
        .status()
        .unwrap();
    let set = read_native_coverage(&file, &program.branches).unwrap();
    set.into_iter()
        .map(|(branch, side)| {
            let site = program.branch(branch);
            // clang's shared dispatch of computed gotos has no line.
            match site.kind {
                BranchKind::Indirect => format!("goto:{side}"),
                _ => format!("{}:{side}", program.location(site.location).line),
            }
        })
        .collect()
}

#[test]
fn each_run_counts_exactly_the_sides_it_takes() {
    for flags in [["-O0"], ["-O1"]] {
        let directory = tempfile::tempdir().unwrap();
        let input = compile(directory.path(), &flags);
        let program = load(&LoadOptions::new(&input)).unwrap();
        let executable = directory.path().join("prog");
        let sides = instrument(&InstrumentOptions {
            inputs: vec![input],
            output: executable.clone(),
            clang: PathBuf::from("clang-19"),
            link_arguments: Vec::new(),
        })
        .unwrap();
        let total: u32 = program.branches.iter().map(|branch| branch.sides).sum();
        assert_eq!(sides as u32, total);
        let run = |arguments: &[&str]| covered(&program, &executable, arguments);
        assert_eq!(run(&[]), ["6:0"], "{flags:?}: abort");
        assert_eq!(run(&["x"]), ["6:1", "7:1"], "{flags:?}: _exit");
        assert_eq!(run(&["q"]), ["6:1", "7:0"], "{flags:?}: default");
        assert_eq!(run(&["y"]), ["6:1", "7:2", "goto:0"], "{flags:?}: goto a");
        assert_eq!(
            run(&["z"]),
            ["6:1", "7:2", "goto:1"],
            "{flags:?}: goto b and exec"
        );
    }
}

#[test]
fn the_file_of_another_program_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let program = load(&LoadOptions::new(compile(directory.path(), &["-O0"]))).unwrap();
    let file = directory.path().join("other");
    std::fs::write(&file, b"homicov1\x01\0\0\0\0\0\0\0\x01").unwrap();
    let error = read_native_coverage(&file, &program.branches).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("not the coverage of this program"),
        "{error}"
    );
}
