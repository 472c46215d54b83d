//! The native counters agree with what the program evidently does, crashes and `_exit` included.

use crate::support::bitcode;
use homi::ir::program::{BranchKind, Program};
use homi::llvm::{InstrumentOptions, LoadOptions, instrument, load};
use homi::report::gcov::{COUNTERS_VARIABLE, read_counters};
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
    bitcode(&[&["-g"], flags].concat(), &source)
}

/// Number of sides by branch.
fn sides(program: &Program) -> Vec<u32> {
    program.branches.iter().map(|branch| branch.sides).collect()
}

/// `line:side` (`goto:side` for the computed goto) of everything covered by a run.
fn covered(program: &Program, executable: &Path, arguments: &[&str]) -> Vec<String> {
    let file = executable.with_extension("coverage");
    let _ = std::fs::remove_file(&file);
    Command::new(executable)
        .args(arguments)
        .env(COUNTERS_VARIABLE, &file)
        .status()
        .unwrap();
    let set = read_counters(&file, &sides(program)).unwrap();
    set.into_iter()
        .map(|(branch, side)| {
            let site = &program.branches[branch as usize];
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
        let count = instrument(&InstrumentOptions {
            inputs: vec![input],
            output: executable.clone(),
            clang: PathBuf::from("clang-19"),
            link_arguments: Vec::new(),
        })
        .unwrap();
        let total: u32 = sides(&program).iter().sum();
        assert_eq!(count as u32, total);
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
