//! `homi ktest show`, `make`, `edit` and `minimize` from the outside.

use crate::support::TestDir;
use homi::native::testcase::ktest::KTest;
use serde_json::Value;
use std::process::Output;

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A place with the test `t.ktest`, made by `homi ktest make`.
fn place() -> TestDir {
    let place = TestDir::new();
    let arguments = [
        "ktest",
        "make",
        "-o",
        "t.ktest",
        "--set",
        r"arg00=a\n",
        "--set",
        "own=0x00ff",
    ];
    place.succeeds(
        &[
            &arguments[..],
            &["--", "p.bc", "--sym-arg", "3", "--sym-stdin", "4"],
        ]
        .concat(),
    );
    place
}

#[test]
fn a_made_test_has_what_its_arguments_describe() {
    let place = place();
    let test = KTest::read(&place.path("t.ktest")).expect("a test");
    assert_eq!(
        test.args,
        ["p.bc", "--sym-arg", "3", "--sym-stdin", "4"].map(|word| word.as_bytes().to_vec())
    );
    let names: Vec<String> = test
        .objects
        .iter()
        .map(|object| object.name_text())
        .collect();
    assert_eq!(names, ["arg00", "stdin", "stdin_stat", "own"]);
    assert_eq!(test.objects[0].bytes, b"a\n\0\0");
    assert_eq!(test.objects[1].bytes, [0; 4]);
    assert_eq!(test.objects[3].bytes, [0, 255]);
    homi::native::replay::Inputs::of(&test).expect("inputs that fit");
}

#[test]
fn all_forms_show_the_same_bytes() {
    let place = place();
    let plain = stdout(&place.succeeds(&["ktest", "t.ktest"]));
    assert!(
        plain.contains("object 0: data: b'a\\n\\x00\\x00'\n"),
        "{plain}"
    );
    assert_eq!(
        stdout(&place.succeeds(&["ktest", "show", "t.ktest"])),
        plain
    );
    let json = stdout(&place.succeeds(&["ktest", "show", "--format", "json", "t.ktest"]));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[0]["objects"][0]["hex"], "610a0000");
    assert_eq!(json[0]["objects"][3]["hex"], "00ff");
    let dump = stdout(&place.succeeds(&["ktest", "show", "--format", "hexdump", "t.ktest"]));
    assert!(
        dump.contains("'own', 2 bytes\n  00000000  00 ff "),
        "{dump}"
    );
}

#[test]
fn an_edit_changes_what_it_names_and_nothing_else() {
    let place = place();
    let arguments = [
        "--set", "stdin=hi", "--add", "more=x", "--remove", "own", "-o", "u.ktest",
    ];
    place.succeeds(&[&["ktest", "edit", "t.ktest"], &arguments[..]].concat());
    let before = KTest::read(&place.path("t.ktest")).expect("a test");
    let after = KTest::read(&place.path("u.ktest")).expect("a test");
    assert_eq!(after.args, before.args);
    assert_eq!(after.objects[0], before.objects[0]);
    assert_eq!(after.objects[1].bytes, b"hi\0\0");
    assert_eq!(after.objects[2], before.objects[2]);
    assert_eq!(after.objects[3].name_text(), "more");
    place.succeeds(&["ktest", "edit", "t.ktest", "--remove", "own"]);
    let edited = KTest::read(&place.path("t.ktest")).expect("a test");
    assert_eq!(edited.objects, before.objects[..3]);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let place = place();
    let before = std::fs::read(place.path("t.ktest")).expect("a test");
    let edit = |arguments: &[&str], part: &str| {
        place.fails(
            &[&["ktest", "edit", "t.ktest"], arguments].concat(),
            2,
            &[part],
        );
    };
    edit(
        &["--set", "arg00=abcde"],
        "object \"arg00\" has 4 bytes, and 5 were given",
    );
    edit(
        &["--set", "nope=a"],
        "no object \"nope\"; there are: arg00, stdin, stdin_stat, own",
    );
    edit(&["--set", "arg00"], "\"arg00\" is not NAME=VALUE");
    edit(
        &["--set", "arg00=0x1"],
        "not an even number of hexadecimal digits",
    );
    edit(&["--remove", "nope"], "no object \"nope\"");
    assert_eq!(
        std::fs::read(place.path("t.ktest")).expect("a test"),
        before
    );
    let make = [
        "ktest",
        "make",
        "-o",
        "n.ktest",
        "--",
        "p.bc",
        "--sym-stdin",
    ];
    place.fails(&make, 2, &["--sym-stdin lacks its value"]);
    assert!(!place.path("n.ktest").exists());
}

/// Branches on its standard input; one input crashes.
const READER: &str = "#include <stdio.h>
#include <string.h>
int main(void) {
  char text[9] = {0};
  int length = fread(text, 1, 8, stdin);
  if (!memcmp(text, \"ab\", 2)) puts(\"ab\");
  if (strchr(text, 'x')) puts(\"x\");
  if (text[0] == '!') *(volatile int *)0 = length;
  if (text[7] == '7') return 1;
  return 0;
}
";

/// A place with the reader and tests of some inputs for it.
fn reader_with(directories: &[(&str, &[(&str, &str)])]) -> TestDir {
    let place = TestDir::new();
    place.compile("p", READER);
    for (directory, inputs) in directories {
        std::fs::create_dir(place.path(directory)).expect("a directory");
        for (name, input) in *inputs {
            let (file, value) = (
                format!("{directory}/{name}.ktest"),
                format!("stdin={input}"),
            );
            let make = ["ktest", "make", "-o", &file, "--set", &value];
            place.succeeds(&[&make[..], &["--", "p.bc", "--sym-stdin", "8"]].concat());
        }
    }
    place
}

fn tests_of(place: &TestDir, directory: &str) -> Vec<String> {
    let tests = homi::native::testcase::tests_in(&place.path(directory)).expect("a directory");
    let names = tests.iter().filter_map(|path| path.file_stem());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn few_tests_are_chosen_by_native_coverage_and_made_smaller() {
    let place = reader_with(&[
        (
            "many",
            &[
                ("a", "ab"),
                ("b", "abxcdefg"),
                ("c", "zzzzzzz7"),
                ("d", "!x"),
                ("e", "!xy"),
                ("f", "zz"),
            ],
        ),
        ("known", &[("k", "abx")]),
    ]);
    let line = "ktest minimize many --output few --program p.bc --shrink";
    let output = place.succeeds(&line.split(' ').collect::<Vec<_>>());
    assert!(
        stdout(&output).contains("of 6 tests"),
        "{}",
        stdout(&output)
    );
    let kept = tests_of(&place, "few");
    assert!(
        kept.len() <= 4 && kept.contains(&"c".to_string()),
        "{kept:?}"
    );
    let crashes = kept
        .iter()
        .filter(|name| ["d", "e"].contains(&name.as_str()));
    assert_eq!(crashes.count(), 1, "one test of the bug: {kept:?}");
    let smaller = KTest::read(&place.path("few/c.ktest")).expect("a test");
    assert_eq!(smaller.object("stdin").expect("it").bytes[7], b'7');
    assert_eq!(smaller.args.len(), 3);
    assert!(!place.path("few/minimize.jsonl").exists());
    // What another directory covers adds nothing, and crashes are left out.
    let line = "ktest minimize many --merge known --output new --program p.bc";
    let output = place.succeeds(&line.split(' ').collect::<Vec<_>>());
    assert!(String::from_utf8_lossy(&output.stderr).contains("it shows a bug"));
    let new = tests_of(&place, "new");
    assert!(
        new.contains(&"c".to_string()) && !new.contains(&"b".to_string()),
        "{new:?}"
    );
    let line = "ktest minimize new --merge new --output none --program p.bc";
    place.succeeds(&line.split(' ').collect::<Vec<_>>());
    assert!(tests_of(&place, "none").is_empty());
    let line = "ktest minimize many --output few --program p.bc";
    place.fails(&line.split(' ').collect::<Vec<_>>(), 1, &["few exists"]);
    place.fails(
        &["ktest", "minimize", "many", "--output", "o"],
        1,
        &["--program"],
    );
}

#[test]
fn the_logs_of_runs_say_what_their_tests_cover() {
    let place = TestDir::new();
    place.compile("p", READER);
    let covered = |directory: &str, tests: &[String]| {
        let log = homi::native::testcase::read_coverage(&place.path(directory)).expect("a log");
        let log = log.into_iter().filter(|line| tests.contains(&line.test));
        log.flat_map(|line| line.sides)
            .collect::<std::collections::BTreeSet<_>>()
    };
    let run = ["p.bc", "--quiet", "--all-tests", "--max-tests", "60"];
    place.run_into("out", &[&run[..], &["--", "--sym-stdin", "8"]].concat());
    let line = "ktest minimize out out --output few";
    place.succeeds(&line.split(' ').collect::<Vec<_>>());
    let (all, few) = (tests_of(&place, "out"), tests_of(&place, "few"));
    assert!(few.len() * 2 < all.len(), "{} of {}", few.len(), all.len());
    assert_eq!(covered("out", &few), covered("out", &all));
    let errors = std::fs::read_dir(place.path("few"))
        .expect("a directory")
        .flatten();
    let errors = errors.filter(|file| file.path().extension().is_some_and(|end| end == "err"));
    assert_eq!(errors.count(), 1);
}
