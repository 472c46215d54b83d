//! Compiles the objects that homi preloads into native programs, with the C compiler that links
//! homi too: the modelled kernel (see src/native/replay/model.rs), two recorders, and the objects
//! that keep gcov's counts and set the clock ahead. A file that cannot be made is empty, with a
//! warning.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The modelled kernel's files that replays do without: `model_memory.c` and `model_signal.c`
/// include two of them, threads are real, and what makes inputs is the harness's.
const LEFT_OUT: [&str; 4] = ["memory.c", "signal.c", "threads.c", "verification.c"];

fn main() {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.join("../..");
    for directory in ["kernel", "replay", "include", "record", "keep"] {
        let directory = root.join("runtime").join(directory);
        println!("cargo:rerun-if-changed={}", directory.display());
    }
    compile_model(&root);
    compile_call_recorder(&root);
    compile_recorder(&root);
    compile_alone(&root, "replay/gcov_flush");
    compile_alone(&root, "keep/clock");
}

/// Makes `model.so`. Without it, replays give tests real files only.
fn compile_model(root: &Path) {
    let mut sources: Vec<String> = std::fs::read_dir(root.join("runtime/kernel"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".c") && !LEFT_OUT.contains(&&name[..]))
        .map(|name| format!("runtime/kernel/{name}"))
        .collect();
    sources.sort();
    sources.extend(
        [
            "", "_blocks", "_host", "_kernel", "_locale", "_memory", "_signal", "_test",
        ]
        .map(|part| format!("runtime/replay/model{part}.c")),
    );
    let mut command = compiler(root);
    command
        .args(["-Iruntime/include", "-Iruntime/kernel", "-Iruntime/replay"])
        .args(sources)
        // A function of the kernel that the model lacks fails here, not in the middle of a replay.
        .args(["-fvisibility=hidden", "-ldl", "-Wl,-z,defs"])
        // The C library loads it when a thread is cancelled; by then files are the model's.
        .args(["-Wl,--no-as-needed", "-lgcc_s"]);
    compile(command, "model.so", "the modelled kernel for replays");
}

/// Makes `calls.so`. Without it, divergences have no cause.
fn compile_call_recorder(root: &Path) {
    let mut command = compiler(root);
    command
        // It has no library that loops could become calls of.
        .args([
            "-fvisibility=hidden",
            "-nostdlib",
            "-ffreestanding",
            "-fno-stack-protector",
        ])
        .args(["-fno-tree-loop-distribute-patterns", "-Wl,-z,defs"])
        .arg("runtime/replay/library_calls.c");
    compile(command, "calls.so", "the recorder of library calls");
}

/// Makes `recorder.so`. Without it, `homi record` says that it is not there.
fn compile_recorder(root: &Path) {
    let mut command = compiler(root);
    command
        .args(["-fvisibility=hidden", "-Wl,-z,defs"])
        .args(["exec", "files", "input", "recorder"].map(|name| format!("runtime/record/{name}.c")))
        .arg("-ldl");
    compile(command, "recorder.so", "the recorder of homi record");
}

/// Makes an object of one source, whose functions all replace the C library's.
fn compile_alone(root: &Path, source: &str) {
    let name = source.rsplit('/').next().unwrap_or(source);
    let mut command = compiler(root);
    command.arg(format!("runtime/{source}.c"));
    compile(command, &format!("{name}.so"), name);
}

fn compiler(root: &Path) -> Command {
    let mut command = Command::new("cc");
    command
        .current_dir(root)
        .args(["-shared", "-fPIC", "-O1", "-w"]);
    command
}

fn compile(mut command: Command, name: &str, what: &str) {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join(name);
    let is_x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let made = is_x86_64
        && command
            .arg("-o")
            .arg(&out)
            .status()
            .is_ok_and(|status| status.success());
    if !made {
        println!("cargo:warning={what} could not be compiled");
        let _ = std::fs::write(&out, "");
    }
}
