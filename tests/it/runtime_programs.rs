//! libc and the modelled kernel against the machine's own: each program of
//! tests/data/runtime/programs runs natively (cc, glibc, Linux) and in homi (the same source as
//! bitcode, on libc.bc and kernel.bc), in equal fresh directories. Programs in tests/data/libc,
//! which `scripts/check-libc` runs without homi, are compiled as a distribution compiles them;
//! programs in tests/data/whole at -O0 and by one more of several compilers and levels (all
//! combinations: benchmarks/bench matrix). Standard output, standard error and the exit status must
//! be the same.

use crate::support::{
    Outcome, bitcode_into, data, files_with, host_directory, run, run_homi, run_native,
};
use std::path::Path;
use std::process::{Command, Stdio};

/// How the programs of a folder of `tests/data` are compiled for both runs.
struct Build {
    folder: &'static str,
    /// Compiler of the native run.
    compiler: &'static str,
    /// Compiler of the bitcode.
    clang: &'static str,
    flags: &'static [&'static str],
}

/// -fno-builtin: the library's functions are what is compared, not the compilers' idea of them.
const RUNTIME: Build = Build {
    folder: "runtime/programs",
    compiler: "cc",
    clang: "clang-19",
    flags: &["-D_GNU_SOURCE", "-w", "-O1", "-fno-builtin"],
};

/// One compiler for both: these programs print values whose order of evaluation C leaves open.
const LIBRARY: Build = Build {
    folder: "libc",
    compiler: "clang-19",
    clang: "clang-19",
    flags: &["-w", "-O2", "-D_FORTIFY_SOURCE=2"],
};

/// Compilers of both runs for the whole programs; both are the same, since C leaves much undefined.
const fn whole(clang: &'static str, flags: &'static [&'static str]) -> Build {
    Build {
        folder: "whole",
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

fn natively(build: &Build, source: &Path, scratch: &Path) -> Outcome {
    let executable = scratch.join("native");
    run(Command::new(build.compiler)
        .args(build.flags)
        .arg(source)
        .arg("-o")
        .arg(&executable)
        .args(["-lm", "-lcrypt", "-lresolv", "-lutil", "-latomic"]));
    let directory = scratch.join("native-directory");
    host_directory(&directory);
    run_native(&executable, "program", &[], &directory, Stdio::null())
}

fn in_homi(build: &Build, source: &Path, scratch: &Path) -> Outcome {
    let bitcode = scratch.join("program.bc");
    bitcode_into(
        build.clang,
        &[build.flags, &["-g"]].concat(),
        source,
        &bitcode,
    );
    let directory = scratch.join("homi-directory");
    host_directory(&directory);
    run_homi(&bitcode, &[], &directory, Stdio::null(), scratch)
}

/// The lines in which two texts differ, with the lines' numbers.
fn difference(native: &[u8], homi: &[u8]) -> String {
    let (native, homi) = (
        String::from_utf8_lossy(native),
        String::from_utf8_lossy(homi),
    );
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

/// Returns where a program ends otherwise in homi; an empty text if nowhere.
fn differences(build: &Build, source: &Path) -> String {
    let scratch = tempfile::tempdir().expect("temporary directory");
    let native = natively(build, source, scratch.path());
    let homi = in_homi(build, source, scratch.path());
    let mut differences = difference(&native.stdout, &homi.stdout);
    differences += &difference(&native.stderr, &homi.stderr);
    if native.status != homi.status {
        differences += &format!("  status native {} homi {}\n", native.status, homi.status);
    }
    if differences.is_empty() {
        return differences;
    }
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    format!("{name} {:?}\n{differences}", build.flags)
}

fn compare(build: &Build, least: usize) {
    let sources = files_with("c", &data(build.folder));
    assert!(sources.len() >= least, "too few programs: {sources:?}");
    let each = sources.iter().map(|source| differences(build, source));
    let report: String = each.collect();
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
    compare(&WHOLE[0], 16);
}

/// Each program by one build, the next program by the next one.
#[test]
fn optimized_programs_behave_in_homi_as_they_do_natively() {
    let has_avx2 = is_x86_feature_detected!("avx2");
    let can_run = |build: &&Build| {
        let installed = Command::new(build.clang).arg("--version").output().is_ok();
        installed && (has_avx2 || !build.flags.contains(&"-mavx2"))
    };
    let builds: Vec<&Build> = WHOLE[1..].iter().filter(can_run).collect();
    let sources = files_with("c", &data("whole"));
    let pairs = builds.iter().cycle().zip(&sources);
    let each = pairs.map(|(build, source)| differences(build, source));
    let report: String = each.collect();
    assert!(report.is_empty(), "{report}");
}
