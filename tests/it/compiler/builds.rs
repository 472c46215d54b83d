//! Builds with a compiler: objects, archives, shared objects, one command for all.

use super::said;
use crate::support::{TestDir, text};

#[test]
fn an_executable_of_two_objects_runs_and_replays() {
    let place = TestDir::sources();
    place.cc("-O2 -Wall -c main.c");
    place.cc("-O2 -MMD -MF twice.d -pipe -c twice.c -o other.o");
    assert!(place.path("twice.d").exists());
    place.cc("main.o other.o -o prog");
    place.succeeds(&["run", "prog", "--output-dir", "out", "--", "--sym-arg", "1"]);
    let replay = said(&place.succeeds(&["replay", "prog", "out"]));
    assert!(
        replay.contains("exit 4") && replay.contains("exit 1"),
        "{replay}"
    );
}

#[test]
fn the_program_embeds_sources_that_are_linked_at_once() {
    let place = TestDir::sources();
    place.cc("main.c twice.c -o prog");
    place.explores(&["prog"]);
    place.cc("main.c twice.c");
    place.explores(&["a.out"]);
}

#[test]
fn the_program_embeds_the_linked_members_of_an_archive() {
    let place = TestDir::sources();
    place.write(
        "other.c",
        "int main(void) { return 9; }\nint twice_more(int x) { return 4 * x; }\n",
    );
    place.cc("-c main.c twice.c other.c");
    place.tool("ar rcs libtwice.a twice.o other.o");
    place.cc("main.o -L. -ltwice -o prog");
    place.explores(&["prog"]);
    // homi itself takes members as a linker does.
    place.explores(&["main.o", "libtwice.a"]);
}

#[test]
fn what_only_unoptimised_code_needs_of_an_archive_is_found() {
    let place = TestDir::sources();
    // The native program has the function inline and does not take the member.
    place.write(
        "inline.h",
        "inline int twice(int x) { if (x == 2) return 4; return 2 * x; }\n",
    );
    place.write("twice.c", "#include \"inline.h\"\nextern int twice(int);\n");
    let declared = "int twice(int);";
    place.write(
        "main.c",
        &super::MAIN.replace(declared, "#include \"inline.h\""),
    );
    place.cc("-O2 -c main.c");
    place.cc("-O2 -c twice.c");
    place.tool("ar rcs libtwice.a twice.o");
    place.cc("main.o libtwice.a -o prog");
    place.explores(&["prog"]);
}

#[test]
fn a_partial_link_keeps_both_records() {
    let place = TestDir::sources();
    place.cc("-c main.c twice.c");
    place.cc("-r -nostdlib main.o twice.o -o both.o");
    place.explores(&["both.o"]);
    place.tool("strip --strip-debug both.o");
    place.cc("both.o -o prog -Wl,--gc-sections -s");
    place.explores(&["prog"]);
}

#[test]
fn a_shared_object_of_the_build_is_found_by_the_program() {
    let place = TestDir::sources();
    place.cc("-fPIC -c twice.c");
    place.cc("-shared twice.o -o libtwice.so");
    place.cc("main.c -L. -ltwice -o prog");
    place.explores(&["prog"]);
    place.explores(&["prog", "libtwice.so"]);
    // The loader would not find it; replays know where it is.
    place.succeeds(&["run", "prog", "--output-dir", "out", "--", "--sym-arg", "1"]);
    let replay = said(&place.succeeds(&["replay", "prog", "out"]));
    assert!(replay.contains("exit 4"), "{replay}");
}

#[test]
fn what_a_shared_object_keeps_to_itself_is_its_own() {
    let place = TestDir::sources();
    place.write(
        "twice.c",
        "#include <stdlib.h>\nint helper(void) { return 2; }\n\
         int twice(int x) { if (helper() != 2) abort(); return 2 * x; }\n",
    );
    place.write("exports", "{ global: twice; local: *; };\n");
    place.write(
        "main.c",
        &format!("int helper(void) {{ return 50; }}\n{}", super::MAIN),
    );
    place.cc("-fPIC -shared twice.c -Wl,--version-script=exports -o libtwice.so");
    place.cc("main.c ./libtwice.so -o prog");
    let output = text(&place.explores(&["prog"]));
    assert!(output.contains("distinct bugs = 0"), "{output}");
}

#[test]
fn objects_for_the_linkers_optimiser_keep_their_bitcode() {
    let place = TestDir::sources();
    place.cc("-O2 -flto=auto -fno-fat-lto-objects -c main.c");
    place.cc("-O2 -flto -c twice.c");
    place.cc("-O2 -flto main.o twice.o -o prog");
    place.explores(&["prog"]);
    place.cc("-O2 -flto main.c twice.c -o at_once");
    place.explores(&["at_once"]);
}

#[test]
fn arguments_may_come_from_files() {
    let place = TestDir::sources();
    place.write("flags", "-O2 '-DNAME=\"a b\"' @more\n");
    place.write("more", "-c main.c\n-o main.o -flto");
    place.cc("@flags");
    place.cc("main.o twice.c -o prog");
    place.explores(&["prog"]);
}

#[test]
fn a_source_may_come_from_the_standard_input() {
    let place = TestDir::sources();
    let output = place
        .homi()
        .args(["cc", "-x", "c", "-", "-c", "-o", "main.o"])
        .stdin(std::fs::File::open(place.path("main.c")).expect("open the source"))
        .output()
        .expect("homi runs");
    assert!(output.status.success(), "{}", text(&output));
    place.cc("main.o twice.c -o prog");
    place.explores(&["prog"]);
}

#[test]
fn queries_are_the_native_compilers() {
    let place = TestDir::sources();
    for line in [
        "--version",
        "-dumpmachine",
        "-print-prog-name=ld",
        "-E -P twice.c",
        "-S -o - twice.c",
        "-MM main.c",
    ] {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let native = std::process::Command::new("gcc")
            .args(arguments)
            .current_dir(place.directory.path())
            .output()
            .expect("gcc runs");
        let output = place.cc_output(line);
        assert_eq!(text(&output), text(&native), "{line}");
        assert_eq!(said(&output), said(&native), "{line}");
    }
}

#[test]
fn an_error_is_the_native_compilers() {
    let place = TestDir::new();
    place.write("wrong.c", "int main(void) { return undeclared; }\n");
    let output = place.cc_output("-c wrong.c");
    let native = std::process::Command::new("gcc")
        .args(["-c", "wrong.c"])
        .current_dir(place.directory.path())
        .output()
        .expect("gcc runs");
    assert_eq!(output.status.code(), native.status.code());
    assert_eq!(text(&output), text(&native));
    assert!(!place.path("wrong.o").exists());
}

#[test]
fn names_of_the_driver_work_without_its_subcommand() {
    let place = TestDir::sources();
    let link = place.path("homi-cc");
    std::os::unix::fs::symlink(crate::support::homi(), &link).expect("a link");
    let output = std::process::Command::new(&link)
        .args(["main.c", "twice.c", "-o", "prog"])
        .current_dir(place.directory.path())
        .output()
        .expect("homi runs");
    assert!(output.status.success(), "{}", text(&output));
    place.explores(&["prog"]);
}

#[test]
fn a_build_for_coverage_is_counted_by_default() {
    let place = TestDir::sources();
    let output = place
        .homi()
        .env("HOMI_CC_COVERAGE", "1")
        .args(["cc", "-O2", "main.c", "twice.c", "-o", "prog"])
        .output()
        .expect("homi runs");
    assert_eq!(text(&output), "");
    place.succeeds(&["run", "prog", "--output-dir", "out", "--", "--sym-arg", "1"]);
    let replay = said(&place.succeeds(&["replay", "prog", "out"]));
    assert!(replay.contains("branches"), "{replay}");
}

#[test]
fn a_harness_is_compiled_linked_and_given_its_tests_without_options() {
    let place = TestDir::new();
    place.write(
        "harness.c",
        "#include <klee/klee.h>\n\
         int main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); if (x == 7) return 1; return 2; }\n",
    );
    place.cc("-c harness.c");
    place.cc("harness.o -o two-steps");
    place.cc("harness.c -o harness");
    for program in ["two-steps", "harness"] {
        let run = text(&place.succeeds(&["run", program, "--output-dir", "out"]));
        assert!(run.contains("completed paths = 2\n"), "{run}");
        assert!(!run.contains("no bitcode"), "{run}");
        let replay = said(&place.succeeds(&["replay", program, "out"]));
        assert!(
            replay.contains("exit 1") && replay.contains("exit 2"),
            "{replay}"
        );
        std::fs::remove_dir_all(place.path("out")).expect("remove the output");
    }
}
