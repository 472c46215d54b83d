//! Programs that `-m32` makes: they do what they do natively, and tasks have their verdicts.
//!
//! Programs that need a libc are skipped, with a message, if its bitcode for them is missing
//! (`scripts/setup runtime-32`), and so are comparisons if gcc cannot link them (gcc-multilib).

use crate::support::{TestDir, bitcode_into, data, files_with, root, summary};
use homi::app::session::Standalone;
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::{ExecConfig, Speed, Step, Termination};
use homi::native::replay::sandbox::SandboxKind;
use homi::solver::NoOracle;
use std::fs;
use std::path::Path;
use std::process::Command;

const FLAGS: [&str; 6] = ["-m32", "-g", "-w", "-O0", "-Xclang", "-disable-O0-optnone"];

fn has_runtime() -> bool {
    let is_there = root().join(".deps/runtime/i386/kernel.bc").exists();
    if !is_there {
        eprintln!("left out: scripts/setup runtime-32 was not run");
    }
    is_there
}

/// The native program, if gcc can make one.
fn native(source: &Path, place: &TestDir) -> Option<std::path::PathBuf> {
    let executable = place.path("native");
    let made = Command::new("gcc")
        .args(["-m32", "-w"])
        .arg(source)
        .args(["-lm", "-o"])
        .arg(&executable)
        .output();
    let is_made = made.is_ok_and(|made| made.status.success());
    if !is_made {
        eprintln!("left out: gcc -m32 does not link (gcc-multilib)");
    }
    is_made.then_some(executable)
}

#[test]
fn pointers_of_four_bytes_need_no_libc() {
    let place = TestDir::new();
    let bitcode = place.path("program.bc");
    for level in ["-O0", "-O1", "-O2"] {
        let source = data("narrow/freestanding.c");
        bitcode_into("clang-19", &["-m32", "-g", "-w", level], &source, &bitcode);
        let program = load(&LoadOptions::new(&bitcode)).expect("the bitcode loads");
        for speed in [Speed::Decoded, Speed::Checked, Speed::General] {
            let config = ExecConfig {
                speed,
                ..ExecConfig::default()
            };
            let bare = Standalone::with(&program, config);
            let mut walk = bare.walk().expect("the program is sound");
            let mut state = walk.first_state();
            let step = walk.step(&mut state, &mut NoOracle::default(), 1_000_000);
            match step {
                Step::Ended(Termination::Exit(0)) => {}
                Step::Ended(end) => panic!("{level} {speed:?}: {end:#?}"),
                _ => panic!("{level} {speed:?}: not finished"),
            }
        }
    }
}

#[test]
fn modules_of_both_widths_cannot_be_linked() {
    let place = TestDir::new();
    let (narrow, wide) = (place.path("narrow.bc"), place.path("wide.bc"));
    fs::write(place.path("wide.c"), "int other(void) { return 1; }").expect("a source");
    let source = data("narrow/freestanding.c");
    bitcode_into("clang-19", &["-m32", "-w"], &source, &narrow);
    bitcode_into("clang-19", &[], &place.path("wide.c"), &wide);
    let mut options = LoadOptions::new(&narrow);
    options.inputs.push(wide);
    let error = load(&options).expect_err("two widths").to_string();
    assert!(error.contains("pointers of 64 bits"), "{error}");
}

#[test]
fn programs_print_what_they_print_natively() {
    if !has_runtime() {
        return;
    }
    for source in files_with("c", &data("narrow")) {
        let place = TestDir::new();
        let Some(executable) = native(&source, &place) else {
            return;
        };
        let native = Command::new(executable)
            .current_dir(place.path(""))
            .output()
            .expect("it runs");
        for level in ["-O0", "-O2"] {
            let flags = [&FLAGS[..], &[level]].concat();
            bitcode_into("clang-19", &flags, &source, &place.path("program.bc"));
            let arguments = ["run", "program.bc", "--quiet", "--show-output"];
            let printed = place.succeeds(&arguments);
            let what = format!("{} {level}", source.display());
            assert_eq!(
                String::from_utf8_lossy(&printed.stdout),
                String::from_utf8_lossy(&native.stdout),
                "{what}"
            );
            let said = summary(&place.path("homi-last"));
            let status = native.status.code().expect("it exits").to_string();
            assert_eq!(said["exit_statuses"][&status], 1, "{what}: {said}");
        }
    }
}

#[test]
fn tasks_have_their_verdicts() {
    if !has_runtime() {
        return;
    }
    for source in files_with("c", &data("narrow/tasks")) {
        let place = TestDir::new();
        let text = fs::read_to_string(&source).expect("the source");
        let word = |key: &str| {
            let mut lines = text.lines();
            let found = lines.find_map(|line| line.strip_prefix(key));
            found.expect("it is in the header").to_string()
        };
        bitcode_into("clang-19", &FLAGS, &source, &place.path("task.bc"));
        let property = word("// property: ");
        let arguments = ["run", "task.bc", "--property", &property];
        let output = place.succeeds(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        let wanted = format!("verdict: {}", word("// verdict: "));
        assert!(said.contains(&wanted), "{}: {said}", source.display());
    }
}

const HARNESS: &str = "#include <klee/klee.h>
int main(void) {
  unsigned long word;
  klee_make_symbolic(&word, sizeof word, \"word\");
  if (word + 1 == 0) return sizeof word;
  return 2;
}
";

#[test]
fn homi_cc_makes_harnesses_that_run_and_replay() {
    let place = TestDir::new();
    let source = place.path("harness.c");
    fs::write(&source, HARNESS).expect("a source");
    if !has_runtime() || !links_harnesses() {
        return;
    }
    place.succeeds(&["cc", "-m32", "-g", "-c", "harness.c"]);
    place.succeeds(&["cc", "-m32", "harness.o", "-o", "two-steps"]);
    place.succeeds(&["cc", "-m32", "-g", "harness.c", "-o", "harness"]);
    for program in ["two-steps", "harness"] {
        place.succeeds(&["run", program, "--output-dir", program_output(program)]);
        let said = summary(&place.path(program_output(program)));
        for status in ["2", "4"] {
            assert_eq!(said["exit_statuses"][status], 1, "{program}: {said}");
        }
        if has_namespaces() {
            let replay = place.succeeds(&["replay", program, program_output(program)]);
            let replay = String::from_utf8_lossy(&replay.stdout).into_owned();
            assert!(
                replay.contains("exit 2") && replay.contains("exit 4"),
                "{replay}"
            );
        }
    }
}

fn program_output(program: &str) -> &'static str {
    match program {
        "harness" => "out",
        _ => "out-of-two-steps",
    }
}

/// True if `scripts/setup runtime-32` could build the library for such harnesses.
fn links_harnesses() -> bool {
    let is_there = root()
        .join(".deps/runtime/i386/lib/libhomi-replay.a")
        .exists();
    if !is_there {
        eprintln!("left out: gcc -m32 did not link when scripts/setup runtime-32 was run");
    }
    is_there
}

/// The other fences do not know such programs' system calls.
fn has_namespaces() -> bool {
    let kind = homi::native::replay::sandbox::choose().map(|sandbox| sandbox.kind());
    let has = matches!(
        kind,
        Ok(SandboxKind::RootNamespaces | SandboxKind::UserNamespaces)
    );
    if !has {
        eprintln!("replays left out: there are no namespaces here");
    }
    has
}

#[test]
fn bugs_of_tasks_are_seen_natively() {
    let place = TestDir::new();
    if !has_runtime() || !links_harnesses() || !has_namespaces() {
        return;
    }
    // Within bounds where pointers have eight bytes.
    let task = "extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  char bytes[sizeof(void *)];
  unsigned at = __VERIFIER_nondet_uint();
  if (at >= 8) return 0;
  bytes[at] = 1;
  return bytes[at];
}
";
    fs::write(place.path("task.c"), task).expect("a source");
    let output = place.output(&[
        "test",
        "task.c",
        "--cflags",
        "-m32",
        "--export",
        "test-comp",
        "--output-dir",
        "out",
    ]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("confirmed  by"), "{said}");
    let metadata = fs::read_to_string(place.path("out/test-suite/metadata.xml")).expect("a suite");
    assert!(metadata.contains("<architecture>32bit<"), "{metadata}");
}

#[test]
fn tests_that_cannot_be_replayed_are_reported() {
    let place = TestDir::new();
    if !has_runtime() || !links_harnesses() {
        return;
    }
    let program = "#include <stdio.h>\nint main(void) { return getchar() == 'x'; }\n";
    fs::write(place.path("p.c"), program).expect("a source");
    let output = place.output(&["test", "p.c", "--cflags", "-m32", "--output-dir", "out"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("cannot be loaded into a 32-bit program"),
        "{said}"
    );
}
