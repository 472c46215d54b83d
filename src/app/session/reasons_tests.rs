//! Each reason of subsumption is there for a program that loses a bug without it.

use super::{Caller, run};
use homi_explore::extensions::subsume::Reason;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A program of `tests/data/subsumption` for each reason, and the form of interpolants in which it
/// matters there.
const WITNESSES: [(Reason, &str, &str); 16] = [
    (Reason::Query, "equal_sums", "wp"),
    (Reason::Number, "copied_length", "wp"),
    (Reason::Address, "local_or_null", "wp"),
    (Reason::Distance, "place_in_a_local", "wp"),
    (Reason::Contents, "length_of_a_text", "wp"),
    (Reason::FollowedSides, "one_of_several_objects", "wp"),
    (Reason::ObjectShape, "written_after_freeing", "wp"),
    (Reason::Absence, "local_that_is_gone", "wp"),
    (Reason::Freed, "freed_or_not", "wp"),
    (Reason::FixedAddress, "bits_of_an_address", "wp"),
    (Reason::OneToOne, "two_pointers_to_one_block", "wp"),
    (Reason::Symbolic, "asks_what_is_symbolic", "wp"),
    (Reason::Modes, "rounded_upwards", "wp"),
    (Reason::Callers, "called_from_elsewhere", "wp"),
    (Reason::Bound, "end_of_a_loop", "core"),
    (Reason::Kept, "end_of_a_loop", "core"),
];

fn root() -> &'static Path {
    homi_ir::util::installation::source_tree()
}

fn compiled(name: &str, directory: &Path) -> PathBuf {
    let source = root().join(format!("tests/data/subsumption/{name}.c"));
    let output = directory.join("program.bc");
    let mut clang = Command::new("clang-19");
    clang.args([
        "-c",
        "-emit-llvm",
        "-g",
        "-O0",
        "-Xclang",
        "-disable-O0-optnone",
        "-I",
    ]);
    clang.arg(root().join("runtime/include")).arg(&source);
    let status = clang.arg("-o").arg(&output).status().expect("clang-19");
    assert!(status.success(), "{source:?}");
    output
}

/// The places of bugs, and how many sides of branches are covered.
fn found(program: &Path, form: &str, directory: &Path) -> (BTreeSet<String>, u64) {
    let (program, directory) = (program.to_string_lossy(), directory.to_string_lossy());
    let line = [
        "--quiet",
        "--subsume",
        "--search",
        "dfs",
        "--tuning greedy-confirmation",
        "off",
        "--interpolant",
        form,
        "--output-dir",
        &directory,
        &program,
    ];
    let config = crate::options::parse(line).expect("options");
    let summary = run(&config, &Caller::default()).expect("a run").summary;
    let bugs = summary.errors.into_iter().map(|error| error.location);
    (bugs.collect(), summary.coverage.branches)
}

#[test]
fn subsumption_needs_every_kind_of_reason() {
    let named: Vec<Reason> = WITNESSES.iter().map(|witness| witness.0).collect();
    assert_eq!(named, Reason::ALL);
    for (reason, name, form) in WITNESSES {
        let directory = TempDir::new().expect("a directory");
        let program = compiled(name, directory.path());
        let all = found(&program, form, &directory.path().join("all"));
        Reason::disable(Some(reason));
        let fewer = found(&program, form, &directory.path().join("fewer"));
        Reason::disable(None);
        assert_ne!(fewer, all, "{name} loses nothing without {reason:?}");
    }
}
