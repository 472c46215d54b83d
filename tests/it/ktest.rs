//! `homi ktest show`, `make` and `edit` from the outside.

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
