//! gcov's own output is the oracle: programs are compiled and run here, and what `gcov` prints for
//! them must equal what we read, branch for branch and in every total.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::GcovProgram;

const HEADER: &str = "static inline int sign(int x) { return x < 0 ? -1 : x > 0; }\n";

/// Loops, a switch, short circuits, calls that do not return, code of two functions on one line,
/// a dead block, setjmp, a label, and a body from a header.
const MAIN: &str = r#"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include "sign.h"
#define CLAMP(x) ((x) < 0 ? 0 : (x) > 9 ? 9 : (x))
int helper(int x);
static jmp_buf place;
static int one(int x) { if (x) return 1; return 2; } static int two(int x) { while (x > 0) x--; return x; }
static void fail(const char *text) { if (text) puts(text); exit(3); }
static int unused(int x) { for (int i = 0; i < x; i++) if (i == 3) return i; return -1; }
static int kind(int c) {
  switch (c) {
    case 'a': case 'b': return 1;
    case 'x': return 2;
    case '0' ... '9': return CLAMP(c - '5');
    default: if (c == 'q') goto out; return 0;
  }
out:
  return sign(c) && one(c) && two(3) == 0;
}
int main(int argc, char **argv) {
  int total = 0;
  if (setjmp(place)) { puts("back"); return 4; }
  for (int i = 1; i < argc; i++)
    for (char *p = argv[i]; *p; p++) {
      total += kind(*p) ? helper(total) : 0;
      if (*p == '!') fail(argc > 2 ? "many" : NULL);
      if (*p == '^') longjmp(place, 1);
      if (*p == '~') abort();
    }
  if (total == 12345) unused(total);
  return total > 3 || (total && argc == 2);
}
"#;

const HELPER: &str = r#"
#include "sign.h"
int helper(int x) {
  do { x -= 3; if (x & 1) continue; x /= 2; } while (sign(x) > 0);
  return sign(x) + 2;
}
"#;

fn run(program: &str, directory: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let compiler = program == "gcc" || program == "gcov";
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!compiler || output.status.success(), "{program}: {text}");
    output.stdout
}

fn build(directory: &Path, main: &str, optimisation: &str) {
    std::fs::create_dir_all(directory.join("src")).unwrap();
    for (name, text) in [
        ("src/sign.h", HEADER),
        ("src/main.c", main),
        ("src/helper.c", HELPER),
    ] {
        std::fs::write(directory.join(name), text).unwrap();
    }
    for name in ["main", "helper"] {
        let (source, object) = (format!("src/{name}.c"), format!("src/{name}.o"));
        let options = [
            "--coverage",
            optimisation,
            "-g",
            "-c",
            &source,
            "-o",
            &object,
        ];
        run("gcc", directory, &options);
    }
    run(
        "gcc",
        directory,
        &["--coverage", "src/main.o", "src/helper.o", "-o", "prog"],
    );
}

/// (file, function, line) to the counts of its branches, sorted.
type Branches = BTreeMap<(String, String, u64), Vec<u64>>;

/// Returns the branches that `gcov --json-format` prints.
fn gcov_says(directory: &Path, by_function: bool) -> Branches {
    let arguments = ["-b", "-j", "-t", "src/main.gcda", "src/helper.gcda"];
    let text = run("gcov", directory, &arguments);
    let mut all = Branches::new();
    let documents = serde_json::Deserializer::from_slice(&text);
    for document in documents.into_iter::<serde_json::Value>() {
        let document = document.unwrap();
        for file in document["files"].as_array().unwrap() {
            let name = file["file"].as_str().unwrap();
            for line in file["lines"].as_array().unwrap() {
                let branches = line["branches"].as_array().unwrap().iter();
                let counts = branches.map(|branch| branch["count"].as_u64().unwrap());
                let function = line["function_name"].as_str().filter(|_| by_function);
                let number = line["line_number"].as_u64().unwrap();
                let key = (name.into(), function.unwrap_or("").into(), number);
                let known = all.entry(key).or_default();
                if by_function && !known.is_empty() {
                    // The header's function is in both object files: one branch each for us.
                    let pairs = known.iter_mut().zip(counts);
                    pairs.for_each(|(sum, count)| *sum += count);
                } else {
                    known.extend(counts);
                }
            }
        }
    }
    all.retain(|_, counts| !counts.is_empty());
    all.values_mut().for_each(|counts| counts.sort());
    all
}

fn we_say(program: &GcovProgram, by_function: bool) -> Branches {
    let mut all = Branches::new();
    for (key, count) in program.branches() {
        let file = program.file_name(key.file).to_string();
        let function = Some(key.function.clone()).filter(|_| by_function);
        let place = (file, function.unwrap_or_default(), u64::from(key.line));
        all.entry(place).or_default().push(count);
    }
    all.values_mut().for_each(|counts| counts.sort());
    all
}

/// Compares with gcov. `by_function` is true if gcov's output names the functions (it does not for
/// inlined code, where each copy is a separate branch).
fn compare(main: &str, optimisation: &str, by_function: bool) -> (tempfile::TempDir, GcovProgram) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    build(path, main, optimisation);
    let exe = path.join("prog");
    let mut program = GcovProgram::open(&exe).unwrap();
    let mut new = 0;
    for arguments in [&["abx"][..], &["5", "q9"], &["a!"], &["x^"], &["zzz", "0q"]] {
        // The run's own counts go to a private place for us; for gcov they add up in place.
        let private = tempfile::tempdir().unwrap();
        let output = Command::new(&exe)
            .args(arguments)
            .env("GCOV_PREFIX", private.path())
            .output();
        assert!(output.unwrap().status.code().is_some());
        run(exe.to_str().unwrap(), path, arguments);
        let counts = program.add_run(private.path()).unwrap();
        assert_eq!(counts.units, 2);
        assert!(counts.branches > 0 && counts.new <= counts.branches);
        new += counts.new;
    }
    let (ours, theirs) = (we_say(&program, by_function), gcov_says(path, by_function));
    assert_eq!(ours, theirs);
    assert_eq!(new, program.covered(), "each branch is new once");
    let total: usize = theirs.values().map(Vec::len).sum();
    assert_eq!(program.total(), total);
    assert!(program.covered() < total && program.covered() > total / 2);
    (directory, program)
}

/// The summary lines that people read: "Taken at least once:61.54% of 52".
fn check_text_totals(directory: &Path, program: &GcovProgram) {
    let text = run("gcov", directory, &["-b", "-n", "src/main.gcda"]);
    let text = String::from_utf8(text).unwrap();
    let mut file = "";
    let mut seen = 0;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("File '") {
            file = name.trim_end_matches('\'');
        } else if let Some(rest) = line.strip_prefix("Taken at least once:") {
            let files = program.files();
            let totals = files.iter().find(|(name, _)| *name == file).unwrap().1;
            if file == "src/main.c" {
                let percent = 100.0 * totals.covered as f64 / totals.total as f64;
                assert_eq!(rest, format!("{percent:.2}% of {}", totals.total));
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 1, "{text}");
}

#[test]
fn branches_and_totals_are_gcovs() {
    compare(MAIN, "-O0", true);
    // gcov's summary, but not its list, drops functions that start on the same line.
    let main = MAIN.replace("} static int two", "}\nstatic int two");
    let (directory, program) = compare(&main, "-O0", true);
    check_text_totals(directory.path(), &program);
}

#[test]
fn optimised_code_too() {
    compare(MAIN, "-O2", false);
}

#[test]
fn sources_agree_with_the_totals() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), MAIN, "-O0");
    let mut program = GcovProgram::open(&directory.path().join("prog")).unwrap();
    run("./prog", directory.path(), &["a5q"]);
    program.add_run(Path::new("/")).unwrap();
    let sources = program.sources();
    let branches: Vec<_> = sources.iter().flat_map(|source| &source.branches).collect();
    assert_eq!(branches.len(), program.total());
    let taken = branches.iter().filter(|branch| branch.taken > Some(0));
    assert_eq!(taken.count(), program.covered());
    let main = directory.path().join("src/main.c").display().to_string();
    let main = sources.iter().find(|source| source.file == main).unwrap();
    let count = |name: &str| {
        let mut functions = main.functions.iter();
        functions
            .find(|function| function.name == name)
            .unwrap()
            .count
    };
    assert_eq!((count("main"), count("fail")), (1, 0));
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    build(path, MAIN, "-O0");
    let message = |exe: &Path| match GcovProgram::open(exe) {
        Ok(_) => panic!("opened"),
        Err(error) => error.to_string(),
    };
    run(
        "gcc",
        path,
        &["-I", "src", "src/main.c", "src/helper.c", "-o", "plain"],
    );
    assert!(message(&path.join("plain")).contains("gcc --coverage -O0 -g"));
    assert!(message(&path.join("nothing")).contains("cannot read"));
    // Cut notes at every length: an error, never a panic or a wrong graph that opens silently
    // empty.
    let notes = path.join("src/helper.gcno");
    let whole = std::fs::read(&notes).unwrap();
    for length in (0..40).chain([whole.len() - 3]) {
        std::fs::write(&notes, &whole[..length]).unwrap();
        message(&path.join("prog"));
    }
    std::fs::remove_file(&notes).unwrap();
    assert!(message(&path.join("prog")).contains("src/helper.gcno is missing"));
    std::fs::write(&notes, &whole).unwrap();
    // Counts of another build.
    let mut program = GcovProgram::open(&path.join("prog")).unwrap();
    let private = tempfile::tempdir().unwrap();
    std::fs::write(
        path.join("src/helper.c"),
        HELPER.replace("x -= 3", "if (x) x -= 4"),
    )
    .unwrap();
    run(
        "gcc",
        path,
        &["--coverage", "src/main.c", "-c", "-o", "src/main.o"],
    );
    run(
        "gcc",
        path,
        &["--coverage", "src/helper.c", "-c", "-o", "src/helper.o"],
    );
    run(
        "gcc",
        path,
        &["--coverage", "src/main.o", "src/helper.o", "-o", "prog"],
    );
    let status = Command::new(path.join("prog"))
        .env("GCOV_PREFIX", private.path())
        .status();
    assert!(status.unwrap().success());
    let text = program.add_run(private.path()).unwrap_err().to_string();
    assert!(
        text.contains("its counts belong to another build"),
        "{text}"
    );
}

#[test]
fn files_of_a_build_elsewhere_have_short_names() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    for (name, text) in [
        (
            "source/src/main.c",
            "#include \"same.h\"\nint help(int x);\nint main(int c, char **v) { return c > 9 ? sign(c) : help(c); }",
        ),
        ("source/src/same.h", HEADER),
        (
            "source/lib/help.c",
            "#include \"../same.h\"\nint help(int x) { return sign2(x) ? 1 : 2; }",
        ),
        (
            "source/same.h",
            "static inline int sign2(int x) { return x ? 3 : 4; }",
        ),
        (
            "build/src/same.h",
            "static inline int sign(int x) { return x ? 3 : 4; }",
        ),
    ] {
        let file = path.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let build = path.join("build");
    let first = ["--coverage", "-c", "../source/lib/help.c", "-o", "help.o"];
    run("gcc", &build, &first);
    let main = [
        "--coverage",
        "-iquote",
        "src",
        "-c",
        "../source/src/main.c",
        "-o",
        "main.o",
    ];
    run("gcc", &build, &main);
    run(
        "gcc",
        &build,
        &["--coverage", "main.o", "help.o", "-o", "prog"],
    );
    let program = GcovProgram::open(&build.join("prog")).unwrap();
    let names: Vec<&str> = program.files().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["lib/help.c", "same.h", "src/main.c", "src/same.h"]);
}
