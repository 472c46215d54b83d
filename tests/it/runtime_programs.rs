//! libc and the modelled kernel against the machine's own: each program of tests/runtime/programs
//! runs natively (cc, glibc, Linux) and in homi (the same source as bitcode, on libc.bc and
//! kernel.bc), in equal fresh directories; those of tests/libc, which `scripts/check-libc` runs
//! without homi, as a distribution compiles them; those of tests/exec_whole by several compilers at
//! all levels (all combinations: benchmarks/matrix). Standard output, standard error and the exit
//! status must be the same.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Outcome {
    stdout: String,
    stderr: String,
    status: String,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// How the programs of a folder are compiled for both runs.
struct Build {
    folder: &'static str,
    /// Of the native run.
    compiler: &'static str,
    /// Of the bitcode.
    clang: &'static str,
    flags: &'static [&'static str],
}

/// -fno-builtin: the library's functions are what is compared, not the compilers' idea of them.
const RUNTIME: Build = Build {
    folder: "tests/runtime/programs",
    compiler: "cc",
    clang: "clang-19",
    flags: &["-D_GNU_SOURCE", "-w", "-O1", "-fno-builtin"],
};

/// One compiler for both: these programs print values whose order of evaluation C leaves open.
const LIBRARY: Build = Build {
    folder: "tests/libc",
    compiler: "clang-19",
    clang: "clang-19",
    flags: &["-w", "-O2", "-D_FORTIFY_SOURCE=2"],
};

/// What the compilers of both runs are for the whole programs; the compiler is the same, since C
/// leaves much open.
const fn whole(clang: &'static str, flags: &'static [&'static str]) -> Build {
    Build {
        folder: "tests/exec_whole",
        compiler: clang,
        clang,
        flags,
    }
}

const WHOLE: &[Build] = &[
    whole("clang-19", &["-w", "-D_GNU_SOURCE", "-O0"]),
    whole("clang-16", &["-w", "-D_GNU_SOURCE", "-O0"]),
    whole("clang-16", &["-w", "-D_GNU_SOURCE", "-O1"]),
    whole("clang-19", &["-w", "-D_GNU_SOURCE", "-O2"]),
    whole("clang-16", &["-w", "-D_GNU_SOURCE", "-O3"]),
    whole("clang-19", &["-w", "-D_GNU_SOURCE", "-O3", "-mavx2"]),
];

fn checked(output: std::io::Result<Output>, what: &str) {
    let output = output.expect(what);
    assert!(
        output.status.success(),
        "{what}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The directory in which a program starts.
fn prepare(directory: &Path) {
    fs::create_dir_all(directory.join("sub")).expect("directory");
    for path in [directory.to_path_buf(), directory.join("sub")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("mode");
    }
    fs::write(directory.join("host.txt"), "host file\n").expect("file");
    fs::write(directory.join("sub/inner"), "inner\n").expect("file");
    symlink("host.txt", directory.join("link")).expect("link");
    symlink("loop", directory.join("loop")).expect("link");
}

fn run_native(build: &Build, source: &Path, scratch: &Path) -> Outcome {
    let executable = scratch.join("native");
    let compiled = Command::new(build.compiler)
        .args(build.flags)
        .arg(source)
        .arg("-o")
        .arg(&executable)
        .args(["-lm", "-lcrypt", "-lresolv", "-lutil", "-latomic"])
        .output();
    checked(compiled, build.compiler);
    let directory = scratch.join("native-directory");
    prepare(&directory);
    let output = Command::new(&executable)
        .arg0("program")
        .current_dir(&directory)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::null())
        .output()
        .expect("the native program runs");
    Outcome {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output
            .status
            .code()
            .map_or("signal".into(), |code| code.to_string()),
    }
}

fn run_homi(build: &Build, source: &Path, scratch: &Path) -> Outcome {
    let bitcode = scratch.join("program.bc");
    let compiled = Command::new(build.clang)
        .args(build.flags)
        .args(["-g", "-emit-llvm", "-c"])
        .arg(source)
        .arg("-o")
        .arg(&bitcode)
        .output();
    checked(compiled, build.clang);
    let directory = scratch.join("homi-directory");
    prepare(&directory);
    let environment = scratch.join("environment");
    fs::write(&environment, "PATH=/usr/bin:/bin\n").expect("environment");
    let out = scratch.join("out");
    let output = Command::new(env!("CARGO_BIN_EXE_homi"))
        .args(["run", "--quiet", "--max-time", "120s", "--output-dir"])
        .arg(&out)
        .arg("--env-file")
        .arg(&environment)
        .arg(&bitcode)
        .current_dir(&directory)
        .stdin(Stdio::null())
        .output()
        .expect("homi runs");
    let read = |name: &str| {
        String::from_utf8_lossy(&fs::read(out.join(name)).unwrap_or_default()).into_owned()
    };
    Outcome {
        stdout: read("stdout.txt"),
        stderr: read("stderr.txt"),
        status: describe_end(&read("summary.json"), &output),
    }
}

/// The exit status of the only path, or whatever else ended it.
fn describe_end(summary: &str, output: &Output) -> String {
    let Ok(summary) = serde_json::from_str::<serde_json::Value>(summary) else {
        return format!("homi failed: {}", String::from_utf8_lossy(&output.stderr));
    };
    let statuses = summary["exit_statuses"].as_object();
    match statuses
        .filter(|statuses| statuses.len() == 1)
        .and_then(|statuses| statuses.keys().next())
    {
        Some(status) => status.clone(),
        None => format!("errors {} gaps {}", summary["errors"], summary["gaps"]),
    }
}

/// The lines in which two texts differ, with the lines' numbers.
fn difference(native: &str, homi: &str) -> String {
    let mut text = String::new();
    let (mut left, mut right) = (native.lines(), homi.lines());
    for number in 1.. {
        let (a, b) = (left.next(), right.next());
        if a.is_none() && b.is_none() {
            break;
        }
        if a != b {
            text += &format!("  line {number}\n    native {a:?}\n    homi   {b:?}\n");
        }
    }
    text
}

fn compare(build: &Build, least: usize) {
    let mut sources: Vec<PathBuf> = fs::read_dir(folder(build.folder))
        .expect("programs")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    assert!(sources.len() >= least, "too few programs: {sources:?}");
    let mut report = String::new();
    for source in &sources {
        let scratch = tempfile::tempdir().expect("temporary directory");
        let native = run_native(build, source, scratch.path());
        let homi = run_homi(build, source, scratch.path());
        let mut differences = difference(&native.stdout, &homi.stdout);
        differences += &difference(&native.stderr, &homi.stderr);
        if native.status != homi.status {
            differences += &format!("  status native {} homi {}\n", native.status, homi.status);
        }
        if !differences.is_empty() {
            let name = source.file_stem().unwrap_or_default().to_string_lossy();
            report += &format!("{name} {:?}\n{differences}", build.flags);
        }
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn programs_behave_in_homi_as_they_do_natively() {
    compare(&RUNTIME, 10);
}

#[test]
fn library_functions_behave_in_homi_as_they_do_natively() {
    compare(&LIBRARY, 6);
}

#[test]
fn whole_programs_behave_in_homi_as_they_do_natively() {
    let has_avx2 = is_x86_feature_detected!("avx2");
    for build in WHOLE {
        let installed = Command::new(build.clang).arg("--version").output().is_ok();
        if installed && (has_avx2 || !build.flags.contains(&"-mavx2")) {
            compare(build, 16);
        }
    }
}
