//! Tells the linker where set-up put the solver library, so that `homi` finds it at run time
//! without environment variables, has entries made for LLVM's and Z3's functions (build/lazy.rs),
//! and compiles the modelled kernel that replays preload (see src/native/replay/model.rs) and the
//! recorder of `homi record` with the C compiler that links homi too.

use std::path::{Path, PathBuf};
use std::process::Command;

mod lazy;

fn main() {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if let Ok(directory) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") {
        if let Ok(absolute) = Path::new(&directory).canonicalize() {
            println!("cargo:rustc-link-arg=-Wl,-rpath,{}", absolute.display());
        }
    }
    println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/homi");
    load_lazily();
    compile_model();
    compile_recorder();
    compile_call_recorder();
}

/// Where a library is not found, or is an archive, it is linked as ever.
fn load_lazily() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    for version in 19..=23 {
        let prefix = format!("LLVM_SYS_{version}1_PREFIX");
        println!("cargo:rerun-if-env-changed={prefix}");
        let prefix = std::env::var(prefix).unwrap_or_default();
        if std::env::var_os(format!("CARGO_FEATURE_LLVM{version}")).is_some() {
            let library = Path::new(&prefix).join(format!("lib/libLLVM-{version}.so"));
            lazy::write(&out, "llvm", &library, "LLVM");
        }
    }
    let z3 = std::env::var("Z3_LIBRARY_PATH_OVERRIDE").unwrap_or_default();
    lazy::write(&out, "z3", &Path::new(&z3).join("libz3.so"), "Z3_");
}

/// Writes `model.so` to the build's directory; an empty file, with a warning, if it cannot be made:
/// then replays give tests real files only.
fn compile_model() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("model.so");
    for directory in ["runtime/kernel", "runtime/replay", "runtime/include"] {
        println!("cargo:rerun-if-changed={directory}");
    }
    let mut sources: Vec<PathBuf> = std::fs::read_dir("runtime/kernel")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        // model_signal.c includes the one; threads are real; what makes inputs is the harness's.
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .filter(|path| {
            let left_out = ["signal.c", "threads.c", "verification.c"];
            !left_out.iter().any(|name| path.ends_with(name))
        })
        .collect();
    sources.sort();
    sources.extend(
        ["", "_host", "_kernel", "_locale", "_signal", "_test"]
            .map(|part| format!("runtime/replay/model{part}.c").into()),
    );
    let mut command = Command::new("cc");
    command
        .args(["-shared", "-fPIC", "-O1", "-w", "-fvisibility=hidden"])
        .args(["-Iruntime/include", "-Iruntime/kernel", "-Iruntime/replay"])
        .arg("-o")
        .arg(&out)
        .args(sources)
        .arg("-ldl")
        // The C library loads it when a thread is cancelled; by then files are the model's.
        // A function of the kernel that the model lacks fails here, not in the middle of a replay.
        .args(["-Wl,-z,defs", "-Wl,--no-as-needed", "-lgcc_s"]);
    let x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let made = x86_64 && command.status().is_ok_and(|status| status.success());
    if !made {
        println!("cargo:warning=the modelled kernel for replays could not be compiled");
        let _ = std::fs::write(&out, "");
    }
}

/// Writes `calls.so`, the recorder of library calls for replays, to the build's directory; an empty
/// file, with a warning, if it cannot be made: then divergences have no cause.
fn compile_call_recorder() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("calls.so");
    let mut command = Command::new("cc");
    command
        .args(["-shared", "-fPIC", "-O1", "-w", "-fvisibility=hidden"])
        // It has no library that loops could become calls of.
        .args(["-nostdlib", "-ffreestanding", "-fno-stack-protector"])
        .args(["-fno-tree-loop-distribute-patterns", "-Wl,-z,defs"])
        .arg("-o")
        .arg(&out)
        .arg("runtime/replay/library_calls.c");
    let x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let made = x86_64 && command.status().is_ok_and(|status| status.success());
    if !made {
        println!("cargo:warning=the recorder of library calls could not be compiled");
        let _ = std::fs::write(&out, "");
    }
}

/// Writes `recorder.so` to the build's directory; an empty file, with a warning, if it cannot be
/// made: then `homi record` says that it is not there.
fn compile_recorder() {
    println!("cargo:rerun-if-changed=runtime/record");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("recorder.so");
    let sources =
        ["exec", "files", "input", "recorder"].map(|name| format!("runtime/record/{name}.c"));
    let mut command = Command::new("cc");
    command
        .args([
            "-shared",
            "-fPIC",
            "-O1",
            "-w",
            "-fvisibility=hidden",
            "-Wl,-z,defs",
        ])
        .arg("-o")
        .arg(&out)
        .args(sources)
        .arg("-ldl");
    let x86_64 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let made = x86_64 && command.status().is_ok_and(|status| status.success());
    if !made {
        println!("cargo:warning=the recorder of homi record could not be compiled");
        let _ = std::fs::write(&out, "");
    }
}
