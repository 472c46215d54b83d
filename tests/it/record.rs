//! `homi record`: the inputs that scripts pass to a program become seeds, and the scripts notice
//! nothing.

use crate::support::{TestDir, text};
use homi::native::testcase::ktest::KTest;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Says what it was given, whichever way it reads it. The door opens for a file of one content and
/// an argument that fits it.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv, char **envp) {
  char line[64];
  const char *mode = argc > 1 ? argv[1] : "", *speed = getenv("SPEED");
  int count = 0, i;
  for (i = 1; i < argc; i++) printf("[%s]", argv[i]);
  printf(" speed %s fileno %d\n", speed ? speed : "none", fileno(stdin));
  fflush(stdout);
  if (!strcmp(mode, "one")) {
    if (fgets(line, sizeof line, stdin)) printf("line %s", line);
    return 0;
  }
  if (!strcmp(mode, "raw")) {
    count = (int)read(0, line, 3);
    if (write(1, line, count) != count) return 9;
    _exit(7);
  }
  if (!strcmp(mode, "run")) return system(argv[2]) / 256;
  if (!strcmp(mode, "environment")) {
    for (; *envp; envp++)
      if (strstr(*envp, "RECORD") || strstr(*envp, "PRELOAD")) puts(*envp);
    return 0;
  }
  if (argc > 2) {
    FILE *file = fopen(argv[2], "r");
    if (!file || !fgets(line, sizeof line, file)) return 3;
    if (!strcmp(line, "secret\n") && !strcmp(mode, "open")) {
      puts("door");
      fflush(stdout);
      abort();
    }
    return 4;
  }
  while (fgets(line, sizeof line, stdin)) count++;
  printf("lines %d\n", count);
  return 0;
}
"#;

const SCRIPT: &str = r#"
printf 'first\nsecond\n' > pair
echo secret > in.txt
echo hello | ./program a ''
(echo one; echo two) | ./program
./program < pair
./program open in.txt; echo status $?
(echo abcdef; echo rest) | (./program raw; echo status $?; cat)
(./program one; cat) < pair
seq 1 9000 | (./program one; cat | wc -c)
env -i ./program emptied < /dev/null
SPEED=5 ./program run 'SPEED=6 ./program inner < /dev/null; exit 4'; echo status $?
env SPEED=7 ./program environment < /dev/null
./program same < /dev/null
./program same < /dev/null
exit 23
"#;

fn natively(place: &TestDir, name: &str, source: &str, flags: &[&str]) {
    let file = place.path(&format!("{name}.c"));
    fs::write(&file, source).expect("the source");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-w", "-o"]).arg(place.path(name));
    let status = compiler.arg(&file).args(flags).status();
    assert!(status.expect("cc").success());
}

/// A shell script in this place, recorded if arguments of `homi record` are given.
fn script(place: &TestDir, text: &str, arguments: Option<&[&str]>) -> Output {
    fs::write(place.path("script"), text).expect("the script");
    let mut command = match arguments {
        None => Command::new("sh"),
        Some(arguments) => {
            let mut command = place.homi();
            command.arg("record").args(arguments).args(["--", "sh"]);
            command
        }
    };
    command
        .arg("script")
        .current_dir(place.directory.path())
        .stdin(Stdio::null())
        .env_remove("SPEED")
        .output()
        .expect("a shell")
}

/// Name and bytes of a recorded test's objects, except `struct stat`.
fn given(path: &Path) -> Vec<(String, String)> {
    let test = KTest::read(path).expect("a test");
    let objects = test.objects.iter();
    objects
        .map(|object| {
            let bytes = String::from_utf8_lossy(&object.bytes);
            (object.name_text(), bytes.trim_end_matches('\0').to_string())
        })
        .filter(|(name, _)| !name.ends_with("_stat"))
        .collect()
}

fn seeds(place: &TestDir, directory: &str) -> Vec<Vec<(String, String)>> {
    let files = crate::support::files_with("ktest", &place.path(directory));
    files.iter().map(|file| given(file)).collect()
}

fn objects(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let all = all.iter();
    all.map(|(name, bytes)| (name.to_string(), bytes.to_string()))
        .collect()
}

#[test]
fn a_recorded_command_does_as_without_and_its_input_becomes_seeds() {
    let place = TestDir::new();
    natively(&place, "program", PROGRAM, &[]);
    let alone = script(&place, SCRIPT, None);
    let arguments = ["--program", "./program", "--output", "seeds"];
    let recorded = script(&place, SCRIPT, Some(&arguments));
    assert_eq!(recorded.stdout, alone.stdout, "{}", text(&recorded));
    assert_eq!(recorded.status.code(), Some(23), "the command's own");
    let said = String::from_utf8_lossy(&recorded.stderr).into_owned();
    assert!(said.contains("recorded 13 invocations of "), "{said}");
    assert!(
        said.contains("12 seeds in seeds, 1 with the input of an earlier invocation"),
        "{said}"
    );
    let found = seeds(&place, "seeds");
    let lines: String = (1..=9000).map(|number| format!("{number}\n")).collect();
    for expected in [
        objects(&[("arg00", "a"), ("arg01", "")]),
        objects(&[("stdin", "one\ntwo\n")]),
        objects(&[("stdin", "first\nsecond\n")]),
        objects(&[("arg00", "open"), ("arg01", "A"), ("A_data", "secret\n")]),
        objects(&[("arg00", "raw"), ("stdin", "abc")]),
        objects(&[("arg00", "one"), ("stdin", "first\nsecond\n")]),
        objects(&[("arg00", "emptied")]),
        objects(&[("arg00", "inner"), ("SPEED", "6")]),
        objects(&[("arg00", "same")]),
    ] {
        assert!(found.contains(&expected), "{expected:?} of {found:?}");
    }
    // No more of a pipe than the program took.
    let one = found.iter().filter(|test| test[0].1 == "one");
    let flow = one
        .filter(|test| test[1].1.starts_with("1\n"))
        .collect::<Vec<_>>();
    assert_eq!(flow.len(), 1, "{found:?}");
    assert!(lines.starts_with(&flow[0][1].1) && flow[0][1].1.len() < lines.len());
}

#[test]
fn recorded_seeds_guide_a_run_without_arguments() {
    let place = TestDir::new();
    natively(&place, "program", PROGRAM, &[]);
    let calls = "echo secret > in.txt; ./program open in.txt; ./program 123456789 < in.txt";
    script(&place, calls, Some(&["--program", "program", "--quiet"]));
    place.compile("bits", PROGRAM);
    let arguments = [
        "bits.bc",
        "--max-instructions",
        "3000000",
        "--max-time",
        "0",
    ];
    let mut with = vec!["run", "--output-dir", "with", "--seed-dir", "seeds"];
    with.push("--only-replay-seeds");
    with.extend(arguments);
    let output = place.succeeds(&with);
    let said = text(&output);
    let fitting =
        "arguments that fit the seeds in seeds: --sym-args 0 2 9 --sym-files 1 7 --sym-stdin 7";
    assert!(said.contains(fitting), "{said}");
    let summary = crate::support::summary(&place.path("with"));
    let errors = summary["errors"].as_array().expect("errors");
    let aborts = errors
        .iter()
        .filter(|error| error["kind"] == "abort")
        .count();
    assert_eq!(aborts, 1, "{summary}");
    assert_eq!(summary["seeds"]["given"], 2);
    assert_eq!(summary["seeds"]["followed"], 2);
    // Shorter arguments cut them, and the run says so.
    let short = place.output(
        &[
            &["run", "--output-dir", "short", "--seed-dir", "seeds"],
            &arguments[..],
            &["--", "--sym-args", "0", "1", "2"],
        ]
        .concat(),
    );
    assert!(
        text(&short).contains("2 of 2 seeds exceed the symbolic arguments"),
        "{}",
        text(&short)
    );
}

#[test]
fn processes_side_by_side_do_not_mix() {
    let place = TestDir::new();
    natively(&place, "program", PROGRAM, &[]);
    let calls = "for i in 1 2 3 4 5 6 7 8; do for j in 1 2 3 4 5; do (echo $i; echo $j) | ./program \
                 $i $j & done; done; wait";
    // `$j` names no file: each says 3 and stays as it is.
    let output = script(&place, calls, Some(&["--program", "program"]));
    assert!(output.status.success(), "{}", text(&output));
    let found = seeds(&place, "seeds");
    assert_eq!(found.len(), 40);
    for test in found {
        assert_eq!(test.len(), 2, "{test:?}");
    }
}

#[test]
fn a_seed_replays_what_was_recorded() {
    let place = TestDir::new();
    natively(&place, "program", PROGRAM, &[]);
    let calls = "echo secret > in.txt; ./program open in.txt; (echo 1; echo 2) | ./program x; (echo \
                 abcdef) | ./program raw";
    script(&place, calls, Some(&["--program", "program", "--quiet"]));
    let output = place.output(&["replay", "program", "seeds", "--show-output"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["door", "lines 2", "abc", "SIGABRT", "exit 7", "3 tests: "] {
        assert!(said.contains(part), "no {part}: {said}");
    }
}

#[test]
fn what_cannot_be_recorded_is_named() {
    let place = TestDir::new();
    let small = "int main(void) { return 5; }";
    natively(&place, "fixed", small, &["-static"]);
    natively(&place, "program", small, &[]);
    let record = |arguments: &[&str], status, parts: &[&str]| {
        place.fails(&[&["record"], arguments].concat(), status, parts);
    };
    record(
        &["--program", "fixed", "--", "true"],
        2,
        &["statically linked"],
    );
    fs::write(place.path("wrapper"), "#!/bin/sh\n").expect("a script");
    record(
        &["--program", "wrapper", "--", "true"],
        2,
        &["is a script", ".libs"],
    );
    record(
        &["--program", "program", "--", "true"],
        1,
        &["no invocation of", "did not start it"],
    );
    record(
        &["--program", "absent", "--", "false"],
        1,
        &["the file does not exist"],
    );
    record(
        &["--program", "program", "--", "sh", "-c", "exit 9"],
        9,
        &["no invocation of"],
    );
    record(
        &["--program", "program", "--", "./nowhere"],
        2,
        &["cannot run ./nowhere"],
    );
    fs::create_dir(place.path("seeds")).expect("a directory");
    record(
        &["--program", "program", "--", "true"],
        2,
        &["seeds already exists"],
    );
    // Without --program it is the command itself, whose status stays.
    let output = place.output(&["record", "--output", "own", "--", "./program", "x"]);
    assert_eq!(output.status.code(), Some(5), "{}", text(&output));
    assert_eq!(seeds(&place, "own"), [objects(&[("arg00", "x")])]);
}

#[test]
fn long_inputs_are_cut_and_counted() {
    let place = TestDir::new();
    natively(&place, "program", PROGRAM, &[]);
    let arguments = ["--program", "program", "--max-bytes", "10"];
    let output = script(&place, "seq 1 5000 | ./program", Some(&arguments));
    let said = text(&output);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("lines 5000"), "the program reads all");
    assert!(
        said.contains("truncated to --max-bytes: inputs of 1 seed"),
        "{said}"
    );
    assert_eq!(
        seeds(&place, "seeds"),
        [objects(&[("stdin", "1\n2\n3\n4\n5\n")])]
    );
}
