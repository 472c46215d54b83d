//! Programs that cannot be run, or only in part: each error names the file, the reason and a
//! remedy.

use crate::support::{TestDir, text};

#[test]
fn an_elf_file_without_bitcode() {
    let place = TestDir::sources();
    place.tool("gcc main.c twice.c -o prog");
    let way = "CC=\"homi cc\"";
    place.fails(&["run", "prog"], 1, &["prog", "an executable that", way]);
    place.tool("strip prog");
    place.fails(&["run", "prog"], 1, &["stripped", "extract-bc"]);
    place.tool("gcc -c twice.c");
    place.fails(&["run", "twice.o"], 1, &["twice.o", "an object", way]);
    place.tool("gcc -shared -fPIC twice.c -o libtwice.so");
    place.fails(&["run", "libtwice.so"], 1, &["a shared object", way]);
    place.tool("ar rcs libtwice.a twice.o");
    place.fails(&["run", "libtwice.a"], 1, &["libtwice.a", "1 members", way]);
}

#[test]
fn an_archive_without_the_entry() {
    let place = TestDir::sources();
    place.cc("-c twice.c");
    place.tool("ar rcs libtwice.a twice.o");
    place.fails(
        &["run", "libtwice.a"],
        1,
        &["libtwice.a", "`main`", "members"],
    );
}

#[test]
fn bitcode_of_another_target() {
    let place = TestDir::sources();
    for (target, name) in [("aarch64-linux-gnu", "aarch64"), ("wasm32", "wasm32")] {
        place.tool(&format!(
            "clang-19 --target={target} -c -emit-llvm twice.c -o other.bc"
        ));
        place.fails(&["run", "other.bc"], 1, &["other.bc", name, "x86-64"]);
    }
}

#[test]
fn two_definitions_of_a_name_are_reported_with_both_files() {
    let place = TestDir::sources();
    place.write("other.c", "int twice(int x) { return x + x; }\n");
    place.cc("-c main.c twice.c other.c");
    let parts = ["`twice`", "twice.o (twice.c)", "other.o (other.c)"];
    let run = ["run", "main.o", "twice.o", "other.o", "--"];
    place.fails(&run, 1, &parts);
}

#[test]
fn sources_and_scripts() {
    let place = TestDir::sources();
    place.fails(
        &["run", "main.c"],
        1,
        &["main.c", "C source", "homi cc -g -o main main.c"],
    );
    place.write("prog", "#!/bin/sh\nexec ./real\n");
    place.fails(&["run", "prog"], 1, &["prog", "a script"]);
    place.write("lost", "# lost - temporary wrapper script for .libs/lost\n");
    place.fails(
        &["run", "lost"],
        1,
        &["lost", "libtool", "build the program again"],
    );
    place.write("new.ll", "define i32 @main() { ret i32 frobnicate 0 }\n");
    place.fails(&["run", "new.ll"], 1, &["new.ll", "llvm-as"]);
}

/// Functions within functions are gcc's alone.
const NESTED: &str = "int twice(int x) { int inner(void) { return 2 * x; } return inner(); }\n";

#[test]
fn what_only_gcc_compiles_stays_native_and_is_reported_by_the_run() {
    let place = TestDir::sources();
    place.write("twice.c", NESTED);
    place.cc("main.c twice.c -o prog");
    let output = text(&place.succeeds(&["run", "prog", "--", "--sym-arg", "1"]));
    for part in ["twice.c", "machine code only", "error:", "undefined"] {
        assert!(output.contains(part), "{part}: {output}");
    }
    place.cc("-c twice.c");
    place.fails(&["run", "twice.o"], 1, &["twice.c", "error:"]);
}

#[test]
fn the_run_reports_assembler() {
    let place = TestDir::sources();
    place.tool("gcc -S twice.c -o twice.s");
    place.cc("main.c twice.s -o prog");
    let output = text(&place.succeeds(&["run", "prog", "--", "--sym-arg", "1"]));
    assert!(
        output.contains("twice.s") && output.contains("assembler"),
        "{output}"
    );
}

#[test]
fn what_another_compiler_made_is_named() {
    let place = TestDir::sources();
    place.cc("-c main.c");
    place.tool("gcc -c twice.c");
    place.cc("main.o twice.o -o prog");
    let run = ["run", "prog", "--", "--sym-arg", "1"];
    let output = text(&place.succeeds(&run));
    assert!(
        output.contains("twice.o") && output.contains("compiler other than"),
        "{output}"
    );
    // An archive's members count if they were linked.
    place.write("other.c", "int other(void) { return 1; }\n");
    place.tool("gcc -c other.c");
    place.tool("ar rcs libtwice.a twice.o other.o");
    place.cc("main.o libtwice.a -o prog");
    let output = text(&place.succeeds(&run));
    assert!(output.contains("libtwice.a(twice.o)"), "{output}");
    assert!(!output.contains("other.o"), "{output}");
}

#[test]
fn without_a_clang_the_build_goes_on() {
    let place = TestDir::sources();
    let output = place
        .homi()
        .env("HOMI_CC_CLANG", "no-such-clang")
        .args(["cc", "main.c", "twice.c", "-o", "prog"])
        .output()
        .expect("homi runs");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(text(&output), "");
    place.fails(&["run", "prog"], 1, &["prog", "no-such-clang"]);
}

/// A variable and a function of a library that was not linked.
const HARNESS: &str = "extern int option_level; int set_level(int);\n\
    int apply(int x) { return x ? set_level(x) : option_level; }\n";

#[test]
fn names_of_an_unlinked_library_are_reported_with_the_referring_file() {
    let place = TestDir::new();
    place.write("harness.c", HARNESS);
    place.write(
        "main.c",
        "int apply(int); int main(int c, char **v) { return apply(c > 1 && v[1][0]); }\n",
    );
    place.cc("-c main.c harness.c");
    let run = ["run", "main.o", "harness.o", "--", "--sym-arg", "1"];
    let output = text(&place.succeeds(&run));
    for name in ["option_level", "set_level"] {
        let told = format!(
            "WARNING: undefined symbol; a path that uses it ends there: {name} (needed by harness.c)\n"
        );
        assert!(output.contains(&told), "{told}: {output}");
    }
    // Beyond eight names, the rest stand together.
    let calls: Vec<String> = (0..10).map(|number| format!("lost{number}()")).collect();
    let declared: Vec<String> = calls.iter().map(|call| format!("int {call};")).collect();
    let source = format!(
        "{}\nint main(void) {{ return {}; }}\n",
        declared.join(" "),
        calls.join(" + ")
    );
    place.write("many.c", &source);
    place.tool("clang-19 -c -emit-llvm -Wno-strict-prototypes many.c -o many.bc");
    let output = text(&place.succeeds(&["run", "many.bc"]));
    assert!(output.contains(": lost7 (needed by many.c)\n"), "{output}");
    assert!(
        output.contains("2 more undefined symbols: lost8, lost9\n"),
        "{output}"
    );
}
