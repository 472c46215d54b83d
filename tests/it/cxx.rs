//! Programs of C++: exceptions, types at run time and the standard library do what they do
//! natively.
//!
//! Programs in tests/data/cxx/below need only libraries that are always built. Programs in
//! tests/data/cxx/library need LLVM's C++ library as bitcode; the test skips them, with a message,
//! if the library was not set up (`scripts/setup cxx`). The first line of each program gives the
//! bytes on its standard input; a `// clang:` line has flags for both compilers.

use crate::support::{
    TestDir, bitcode_into, data, files_with, root, run, run_homi, run_native, summary,
};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

/// Directives in a source's first lines.
struct Program {
    inputs: Vec<char>,
    flags: Vec<String>,
}

impl Program {
    fn read(source: &Path) -> Self {
        let text = fs::read_to_string(source).expect("the source");
        let said = |key: &str| {
            let found = text.lines().find_map(|line| line.strip_prefix(key));
            found.unwrap_or_default().trim().to_string()
        };
        let flags = said("// clang:");
        Self {
            inputs: said("// inputs:").chars().collect(),
            flags: flags.split_whitespace().map(str::to_string).collect(),
        }
    }
}

fn natively(source: &Path, program: &Program, place: &TestDir) -> std::path::PathBuf {
    let executable = place.path("native");
    run(Command::new("clang++-19")
        .args(["-w", "-O0"])
        .args(&program.flags)
        .arg(source)
        .arg("-o")
        .arg(&executable));
    executable
}

/// Differences between native runs and homi, over all inputs and levels.
fn differences(source: &Path, library: &[&str], place: &TestDir) -> String {
    let program = Program::read(source);
    assert!(!program.inputs.is_empty(), "{}", source.display());
    let executable = natively(source, &program, place);
    let (input, bitcode) = (place.path("input"), place.path("program.bc"));
    let mut report = String::new();
    for level in ["-O0", "-O2"] {
        let own = program.flags.iter().map(String::as_str);
        let flags: Vec<&str> = ["-w", "-g", level].into_iter().chain(own).collect();
        let flags = [&flags[..], library].concat();
        bitcode_into("clang++-19", &flags, source, &bitcode);
        for byte in &program.inputs {
            fs::write(&input, byte.to_string()).expect("the input");
            let stdin = || Stdio::from(File::open(&input).expect("the input"));
            let directory = place.path("");
            let native = run_native(&executable, "program", &[], &directory, stdin());
            // Left by the run before, if there was one.
            let _ = fs::remove_dir_all(place.path("out"));
            let homi = run_homi(&bitcode, &[], &directory, stdin(), &place.path(""));
            let is_same_end = match native.status.as_str() {
                "signal" => homi.status.contains("abort"),
                status => status == homi.status,
            };
            if native.stdout != homi.stdout || !is_same_end {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                report += &format!(
                    "{} {level} `{byte}`:\n  native {} {}\n  homi   {} {}\n",
                    source.display(),
                    native.status,
                    text(&native.stdout),
                    homi.status,
                    text(&homi.stdout),
                );
            }
        }
    }
    report
}

#[test]
fn what_is_below_the_library_does_what_it_does_natively() {
    let mut report = String::new();
    for source in files_with("cpp", &data("cxx/below")) {
        report += &differences(&source, &[], &TestDir::new());
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_symbolic_byte_decides_what_is_thrown() {
    let place = TestDir::new();
    let source = data("cxx/below/thrown_and_caught.cpp");
    let program = Program::read(&source);
    let executable = natively(&source, &program, &place);
    let statuses = program.inputs.iter().map(|byte| {
        fs::write(place.path("input"), byte.to_string()).expect("the input");
        let stdin = File::open(place.path("input")).expect("the input");
        let ended = Command::new(&executable).stdin(stdin).output();
        ended.expect("it runs").status.code()
    });
    let native: BTreeSet<String> = statuses.flatten().map(|code| code.to_string()).collect();
    bitcode_into(
        "clang++-19",
        &["-g", "-O0"],
        &source,
        &place.path("program.bc"),
    );
    let arguments = ["run", "program.bc", "--quiet", "--", "--sym-stdin", "1"];
    place.succeeds(&arguments);
    let said = summary(&place.path("homi-last"));
    let statuses = said["exit_statuses"].as_object().expect("statuses");
    let found: BTreeSet<String> = statuses.keys().cloned().collect();
    assert_eq!(found, native, "{said}");
    assert_eq!(said["stop_reason"], "exhausted", "{said}");
}

#[test]
fn an_uncaught_exception_is_reported_with_its_type_and_location() {
    let place = TestDir::new();
    let source = "namespace shop { struct Empty { int left; }; }\n\
                  static void take(int n) {\n  if (n == 0)\n    throw shop::Empty{n};\n}\n\
                  int main(int argc, char **argv) { take(argc - 1); }\n";
    fs::write(place.path("program.cpp"), source).expect("the source");
    let flags = ["-g", "-O0"];
    bitcode_into(
        "clang++-19",
        &flags,
        &place.path("program.cpp"),
        &place.path("program.bc"),
    );
    let output = place.output(&["run", "program.bc"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("uncaught exception of type shop::Empty"),
        "{said}"
    );
    assert!(said.contains("program.cpp:4"), "{said}");
}

/// Directory of the library's headers; `None` if it was not set up.
fn library() -> Option<String> {
    let folder = root().join(".deps/runtime/cxx");
    if !folder.join("libcxx.bc").exists() {
        eprintln!("left out: scripts/setup cxx was not run");
        return None;
    }
    Some(folder.join("include/c++/v1").to_string_lossy().into_owned())
}

#[test]
fn the_library_does_what_it_does_natively() {
    let Some(headers) = library() else {
        return;
    };
    let mut report = String::new();
    for source in files_with("cpp", &data("cxx/library")) {
        let arguments = ["-nostdinc++", "-isystem", &headers];
        report += &differences(&source, &arguments, &TestDir::new());
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn a_block_of_another_family_is_a_bug_and_the_path_goes_on() {
    let place = TestDir::new();
    let source = "extern \"C\" void free(void *);\n\
                  extern \"C\" void *malloc(unsigned long);\n\
                  int main() {\n  int *many = new int[3];\n  delete many;\n\
                  \n  int *one = new int;\n  free(one);\n\
                  \n  delete (int *)malloc(4);\n\
                  \n  int *right = new int[2];\n  delete[] right;\n  free(malloc(1));\n  return 7;\n}\n";
    fs::write(place.path("program.cpp"), source).expect("the source");
    let flags = ["-g", "-O0", "-w"];
    bitcode_into(
        "clang++-19",
        &flags,
        &place.path("program.cpp"),
        &place.path("program.bc"),
    );
    place.output(&["run", "program.bc", "--quiet"]);
    let said = summary(&place.path("homi-last"));
    let errors = said["errors"].as_array().expect("errors").iter();
    let found: BTreeSet<String> = errors
        .map(|error| {
            let text = |key: &str| error[key].as_str().unwrap_or_default().to_string();
            let place = text("location");
            let file_and_line = place.rsplit('/').next().unwrap_or_default();
            format!("{file_and_line} {}", text("message"))
        })
        .collect();
    let wanted = [
        "program.cpp:10 memory error: a block of malloc is freed by delete",
        "program.cpp:5 memory error: a block of new[] is freed by delete",
        "program.cpp:8 memory error: a block of new is freed by free",
    ];
    assert_eq!(found, wanted.map(str::to_string).into(), "{said}");
    assert_eq!(said["exit_statuses"]["7"], 1, "{said}");
}

#[test]
fn what_the_library_throws_is_shown_where_the_program_calls_it() {
    let Some(headers) = library() else {
        return;
    };
    let place = TestDir::new();
    let source = "#include <vector>\n\
                  static int third(const std::vector<int> &all) {\n  return all.at(3);\n}\n\
                  int main(int argc, char **argv) {\n  return third(std::vector<int>(argc));\n}\n";
    fs::write(place.path("program.cpp"), source).expect("the source");
    let flags = ["-g", "-O0", "-nostdinc++", "-isystem", &headers];
    let (source, bitcode) = (place.path("program.cpp"), place.path("program.bc"));
    bitcode_into("clang++-19", &flags, &source, &bitcode);
    place.output(&["run", "program.bc", "--quiet"]);
    let said = summary(&place.path("homi-last"));
    let error = &said["errors"][0];
    let message = "uncaught exception of type std::out_of_range";
    assert_eq!(error["message"], message, "{said}");
    let shown = error["location"].as_str().unwrap_or_default();
    assert!(shown.ends_with("program.cpp:3"), "{said}");
    // The library's branches do not count.
    assert_eq!(said["coverage"]["branches_total"], 0, "{said}");
}

#[test]
fn exceptions_leave_c_where_it_says_how() {
    let place = TestDir::new();
    let caller = "void call(void (*f)(int), int n) { f(n); }\n";
    let thrower = "extern \"C\" void call(void (*f)(int), int n);\n\
                   int main(int argc, char **) {\n  try {\n    call([](int n) { throw n; }, argc);\n  \
                   } catch (int n) { return n + 6; }\n  return 0;\n}\n";
    fs::write(place.path("caller.c"), caller).expect("the source");
    fs::write(place.path("thrower.cpp"), thrower).expect("the source");
    for (flag, is_caught) in [
        ("-fasynchronous-unwind-tables", true),
        ("-fno-asynchronous-unwind-tables", false),
    ] {
        let (caller, thrower) = (place.path("caller.bc"), place.path("thrower.bc"));
        bitcode_into("clang-19", &["-g", flag], &place.path("caller.c"), &caller);
        bitcode_into("clang++-19", &["-g"], &place.path("thrower.cpp"), &thrower);
        run(Command::new("/usr/lib/llvm-19/bin/llvm-link")
            .args([&caller, &thrower])
            .arg("-o")
            .arg(place.path("program.bc")));
        place.output(&["run", "program.bc", "--quiet"]);
        let said = summary(&place.path("homi-last"));
        if is_caught {
            assert_eq!(said["exit_statuses"]["7"], 1, "{said}")
        } else {
            assert_eq!(
                said["errors"][0]["message"], "uncaught exception of type int",
                "{said}"
            )
        }
    }
}

#[test]
fn memory_that_is_refused_throws() {
    let place = TestDir::new();
    let source = "int main() {\n  try {\n    int *n = new int(3);\n    int result = *n;\n    \
                  delete n;\n    return result;\n  } catch (...) {\n    return 5;\n  }\n}\n";
    fs::write(place.path("program.cpp"), source).expect("the source");
    let (source, bitcode) = (place.path("program.cpp"), place.path("program.bc"));
    bitcode_into("clang++-19", &["-g", "-O0"], &source, &bitcode);
    place.succeeds(&["run", "program.bc", "--quiet", "--max-malloc-fail", "1"]);
    let said = summary(&place.path("homi-last"));
    assert_eq!(said["exit_statuses"]["3"], 1, "{said}");
    assert_eq!(said["exit_statuses"]["5"], 1, "{said}");
}

#[test]
fn programs_that_homi_compiled_run() {
    if library().is_none() {
        return;
    }
    let place = TestDir::new();
    let source = "#include <bits/stdc++.h>\n\
                  int main() {\n  std::string word;\n  std::cin >> word;\n  \
                  std::map<std::string, int> known{{\"a\", 4}, {\"b\", 5}};\n  \
                  auto found = known.find(word);\n  \
                  return found == known.end() ? 0 : found->second;\n}\n";
    fs::write(place.path("program.cpp"), source).expect("the source");
    place.succeeds(&["c++", "-std=c++17", "-O2", "-o", "program", "program.cpp"]);
    place.succeeds(&["run", "./program", "--quiet", "--", "--sym-stdin", "1"]);
    let said = summary(&place.path("homi-last"));
    let statuses = said["exit_statuses"].as_object().expect("statuses");
    let found: Vec<&String> = statuses.keys().collect();
    assert_eq!(found, ["0", "4", "5"], "{said}");
    assert_eq!(said["stop_reason"], "exhausted", "{said}");
}
