//! C programs run concretely in homi and natively give the same results, at several optimisation
//! levels.

use crate::support::{bitcode_into, data, files, run};
use homi::app::session::Standalone;
use homi::ir::program::Program;
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::{ExecConfig, Observer, Speed, Step, Termination};
use homi::machine::state::CallPathId;
use homi::solver::{NoOracle, Oracle};
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    data("exec_c")
}

/// Output of the native build.
fn native(source: &Path, directory: &Path, compiler: &str) -> String {
    let exe = directory.join("native");
    run(Command::new(compiler)
        .args(["-O0", "-w", "-fwrapv"])
        .args(more_flags(source))
        .arg("-o")
        .arg(&exe)
        .arg(source)
        .arg(folder().join("native_main.c"))
        .arg("-lm"));
    String::from_utf8(run(&mut Command::new(exe))).expect("the output is text")
}

/// Counts of an observer.
#[derive(PartialEq, Debug)]
struct Counts {
    instructions: u64,
    segment_entries: Vec<u64>,
    /// Call site and instructions of each call path.
    call_paths: Vec<(u32, u64)>,
}

impl Counts {
    fn of(observer: &Observer) -> Self {
        let paths = &observer.call_paths;
        let path = |index| {
            let node = paths.node(CallPathId::new(index));
            (node.site, node.instructions)
        };
        Counts {
            instructions: observer.instructions,
            segment_entries: observer.segment_entries.clone(),
            call_paths: (0..paths.len()).map(path).collect(),
        }
    }
}

/// Flags in a source's first line: `// flags: ...`.
fn more_flags(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).expect("a source");
    let first = text.lines().next().unwrap_or_default();
    let flags = first.split_once(" flags: ").map_or("", |(_, flags)| flags);
    flags.split_whitespace().map(String::from).collect()
}

/// A source and the driver as one program.
fn compile(source: &Path, directory: &Path, level: &str) -> Program {
    let mut inputs = Vec::new();
    for file in [source, &folder().join("homi_main.c")] {
        let bitcode = directory
            .join(file.file_stem().expect("a name"))
            .with_extension("bc");
        let more = more_flags(source);
        let mut flags = vec!["-g", "-w", "-fwrapv", "-fno-math-errno", level];
        flags.extend(more.iter().map(String::as_str));
        bitcode_into("clang-19", &flags, file, &bitcode);
        inputs.push(bitcode);
    }
    let mut options = LoadOptions::new(&inputs[0]);
    options.inputs = inputs;
    options.entry = "test_main".to_string();
    load(&options).expect("the bitcode loads")
}

/// Output of homi's final state, and the counts of the execution.
fn interpreted(program: &Program, what: &str, speed: Speed) -> (String, Counts) {
    let config = ExecConfig {
        speed,
        ..ExecConfig::default()
    };
    let bare = Standalone::with(program, config);
    let mut walk = bare.walk().expect("the program is sound");
    let mut state = walk.first_state();
    let mut oracle = NoOracle::default();
    let step = walk.step(&mut state, &mut oracle, 50_000_000);
    assert_eq!(oracle.effort().queries, 0, "a concrete run asks nothing");
    let Step::Ended(Termination::Exit(status)) = step else {
        match step {
            Step::Ended(end) => panic!("{what}: {end:#?}"),
            _ => panic!("{what}: not finished"),
        }
    };
    let address = |name: &str| {
        let global = program
            .globals
            .iter()
            .position(|global| global.name == name);
        let global = global.expect("the driver's global exists");
        walk.executor
            .global_address(homi::ir::program::GlobalId::new(global))
    };
    let word = |address| {
        let value = state.memory.read_word(address, 8).expect("readable");
        value.expect("concrete")
    };
    let mut text = String::new();
    for index in 0..word(address("count")) {
        text.push_str(&format!("{}\n", word(address("results") + 8 * index)));
    }
    text.push_str(&format!("{status}\n"));
    (text, Counts::of(&walk.observer))
}

fn compare(name: &str) {
    compare_with(name, "cc");
}

fn compare_with(name: &str, compiler: &str) {
    let source = folder().join(name);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let expected = native(&source, directory.path(), compiler);
    assert!(expected.lines().count() > 20, "the test puts something out");
    for level in ["-O0", "-O1", "-O2"] {
        let program = compile(&source, directory.path(), level);
        let mut counts = Vec::new();
        for speed in [Speed::Decoded, Speed::Checked, Speed::General] {
            let (actual, counted) = interpreted(&program, &format!("{name} {level}"), speed);
            for (index, (a, b)) in actual.lines().zip(expected.lines()).enumerate() {
                assert_eq!(
                    a, b,
                    "{name} {level} {speed:?}: result {index}, homi and native"
                );
            }
            assert_eq!(
                actual.lines().count(),
                expected.lines().count(),
                "{name} {level} {speed:?}"
            );
            counts.push(counted);
        }
        let sums: Vec<u64> = counts.iter().map(|count| count.instructions).collect();
        assert!(
            counts.iter().all(|count| *count == counts[0]),
            "{name} {level}: not the same counts; instructions {sums:?}"
        );
        let booked = counts[0].call_paths.iter().map(|path| path.1);
        assert_eq!(booked.sum::<u64>(), sums[0], "{name} {level}");
    }
}

#[test]
fn integers_of_all_widths() {
    compare("integers.c");
}

#[test]
fn structs_unions_and_bitfields() {
    compare("structs.c");
}

#[test]
fn recursion_function_pointers_varargs_and_longjmp() {
    compare("calls.c");
}

#[test]
fn floats_doubles_and_long_doubles() {
    compare("floats.c");
}

#[test]
fn what_the_machine_defines_of_floats() {
    // gcc converts to unsigned numbers in another way.
    compare_with("float_edges.c", "clang-19");
}

#[test]
fn switches_gotos_arrays_and_atomics() {
    compare("control.c");
}

/// Whatever is in the folder, so that a program for another intrinsic needs no line here.
#[test]
fn intrinsics_do_what_they_do_natively() {
    let programs = files(&folder().join("intrinsics"));
    assert!(programs.len() >= 2, "the programs of the intrinsics");
    for program in programs {
        let name = program.strip_prefix(folder()).expect("below the folder");
        compare_with(&name.to_string_lossy(), "clang-19");
    }
}

#[test]
fn inline_assembly_of_floating_point() {
    compare("assembly_floats.c");
}

#[test]
fn bit_fields_in_rows_of_more_than_128_bits() {
    compare_with("wide_bitfields.c", "clang-19");
}

#[test]
fn products_of_thousands_of_bits() {
    compare_with("wide_products.c", "clang-19");
}

#[test]
fn vector_instructions_of_x86() {
    let has_all = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
        && is_x86_feature_detected!("pclmulqdq");
    // Nothing to compare with on an older processor.
    if has_all {
        compare_with("x86_vectors.c", "clang-19");
    }
}

#[test]
fn ciphers_and_hashes_of_x86() {
    let has_all = is_x86_feature_detected!("aes")
        && is_x86_feature_detected!("sha")
        && is_x86_feature_detected!("vaes")
        && is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("vpclmulqdq")
        && is_x86_feature_detected!("avx512f");
    if has_all {
        compare_with("x86_ciphers.c", "clang-19");
    }
}

#[test]
fn vectors_of_512_bits() {
    let has_all = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512ifma")
        && is_x86_feature_detected!("avx512vnni")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vpopcntdq");
    if has_all {
        compare_with("x86_avx512.c", "clang-19");
    }
}

/// No native oracle: LLVM's own code generator has none of these. 2 to the power of 199 and 200 and
/// their negatives are among the numbers.
#[test]
fn saturating_conversions_to_more_than_128_bits() {
    const TOP: u64 = 1 << 63;
    let signed_most = [u64::MAX, u64::MAX >> 1];
    let most = [u64::MAX; 2];
    let minus_seven = [7u64.wrapping_neg(), u64::MAX];
    let expected: Vec<u64> = [
        [7, 0],
        [7, 0],
        minus_seven,
        [0, 0],
        [0, 0],
        [0, 0],
        signed_most,
        most,
        [0, TOP],
        [0, 0],
        signed_most,
        [0, TOP],
        signed_most,
        most,
        [0, TOP],
        [0, 0],
        [0, TOP],
        [0, 0],
    ]
    .concat();
    // 2 to the power of 1023, the least integer of 1,200 bits, the largest float.
    let others = [1 << 23, TOP, !0 << 40];
    let text: String = (expected.iter().chain(&others))
        .map(|word| format!("{word}\n"))
        .collect();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = folder().join("saturating.ll");
    let program = compile(&source, directory.path(), "-O0");
    for speed in [Speed::Decoded, Speed::Checked, Speed::General] {
        let (actual, _) = interpreted(&program, "saturating.ll", speed);
        assert_eq!(actual, text.clone() + "0\n", "{speed:?}");
    }
}

#[test]
fn integers_of_more_than_128_bits() {
    // gcc has such integers from version 14 on.
    compare_with("wide_integers.c", "clang-19");
}
