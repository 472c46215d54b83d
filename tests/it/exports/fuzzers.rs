//! Raw inputs: `--export afl` out, `--seed-dir` and `homi ktest import` in. Dictionaries: `--export
//! dict` out, `--dict` in.

use crate::support::{TestDir, tests};
use homi::native::testcase::ktest::KTest;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Branches on the bytes of its standard input and of a file.
const READER: &str = "#include <stdio.h>
int main(void) {
  int a = getchar(), b = getchar();
  if (a == 'h') return b == 'i' ? 3 : 2;
  if (a == '7' && b == '8') return 4;
  return 0;
}
";

/// Files of a directory with their bytes.
fn files(directory: &std::path::Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).expect("a directory").flatten();
    entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect()
}

/// The object of each test of an output directory.
fn objects(directory: &std::path::Path, name: &str) -> Vec<Vec<u8>> {
    let tests = tests(directory).into_iter();
    let of = |(_, bytes): (String, Vec<u8>)| {
        let test = KTest::from_bytes(&bytes).expect("a test");
        test.object(name).expect("the object").bytes.clone()
    };
    tests.map(of).collect()
}

/// The arguments of a line without quotes.
fn arguments(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

fn covered(summary: &Value) -> u64 {
    summary["coverage"]["branches"].as_u64().expect("a number")
}

#[test]
fn the_queue_has_the_bytes_of_each_test_and_seeds_a_run() {
    let place = TestDir::new();
    place.compile("p", READER);
    let line = arguments("p.bc --quiet --export afl -- --sym-stdin 3");
    let first = place.run_into("out", &line);
    let queue = files(&place.path("out/afl/queue"));
    let names: Vec<&str> = queue.keys().map(String::as_str).collect();
    assert!(
        names[0].starts_with("id:000000,") && names[0].ends_with(",orig:test000001"),
        "{names:?}"
    );
    let written: Vec<Vec<u8>> = queue.values().cloned().collect();
    assert_eq!(written, objects(&place.path("out"), "stdin"));
    // The run that begins with the queue takes the same branches before it searches.
    let line = arguments("p.bc --quiet --seed-dir out/afl -- --sym-stdin 3");
    let second = place.run_into("again", &line);
    assert_eq!(second["seeds"]["given"].as_u64(), Some(queue.len() as u64));
    assert_eq!(second["seeds"]["followed"], second["seeds"]["given"]);
    assert_eq!(covered(&second), covered(&first));
}

#[test]
fn raw_seeds_need_a_symbolic_input_and_are_cut_to_it() {
    let place = TestDir::new();
    place.compile("p", READER);
    fs::create_dir(place.path("raw")).expect("a directory");
    fs::write(place.path("raw/a"), "hi there").expect("a file");
    let run = arguments("run p.bc --seed-dir raw -- --sym-stdin 2");
    let said = place.succeeds(&run);
    let said = crate::support::text(&said);
    assert!(
        said.contains("1 raw seeds exceed the symbolic input"),
        "{said}"
    );
    place.fails(
        &["run", "p.bc", "--seed-dir", "raw"],
        2,
        &["make nothing symbolic that takes raw bytes"],
    );
    fs::remove_file(place.path("raw/a")).expect("a file");
    place.fails(&run, 2, &["neither .ktest files nor raw inputs"]);
}

#[test]
fn arguments_end_in_zero_bytes() {
    let place = TestDir::new();
    place.compile(
        "p",
        "int main(int c, char **v) { if (c > 2 && v[2][0] == 'x') return 1; return 0; }\n",
    );
    let line = arguments("p.bc --quiet --export afl -- -v --sym-args 0 2 2");
    place.run_into("out", &line);
    let queue = files(&place.path("out/afl/queue"));
    assert!(
        queue.values().any(|bytes| bytes == b"p\0-v\0x\0\0"),
        "{queue:?}"
    );
    // And back again.
    let import = arguments("ktest import out/afl -o back -- p.bc -v --sym-args 0 2 2");
    place.succeeds(&import);
    let inputs = |directory: &str| -> Vec<Vec<Vec<u8>>> {
        let tests = tests(&place.path(directory)).into_iter();
        let of = |(_, bytes): (String, Vec<u8>)| {
            let test = KTest::from_bytes(&bytes).expect("a test");
            homi::native::replay::Inputs::of(&test)
                .expect("inputs")
                .arguments
        };
        tests.map(of).collect()
    };
    assert_eq!(inputs("back"), inputs("out"));
}

#[test]
fn an_imported_test_replays_as_the_raw_input_does() {
    let place = TestDir::new();
    fs::write(place.path("p.c"), READER).expect("write the source");
    let mut compiler = std::process::Command::new("gcc");
    crate::support::run(
        compiler
            .args(["p.c", "-o", "p"])
            .current_dir(place.directory.path()),
    );
    fs::create_dir(place.path("raw")).expect("a directory");
    for (name, bytes) in [("a", "hi"), ("b", "h"), ("c", "78")] {
        fs::write(place.path("raw").join(name), bytes).expect("a file");
    }
    place.succeeds(&arguments(
        "ktest import raw -o tests -- p.bc --sym-stdin 2",
    ));
    place.succeeds(&["replay", "--json", "r.json", "p", "tests"]);
    let json = fs::read(place.path("r.json")).expect("results");
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    let statuses: Vec<&str> = json["tests"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|test| test["status"].as_str().expect("a text"))
        .collect();
    assert_eq!(statuses, ["exit 3", "exit 2", "exit 4"]);
    place.fails(
        &arguments("ktest import raw -o other --to A -- p.bc --sym-stdin 2"),
        2,
        &["make no file A symbolic; they make: stdin"],
    );
    place.fails(
        &arguments("ktest import raw -o tests -- p.bc --sym-stdin 2"),
        1,
        &["cannot create tests"],
    );
}

#[test]
fn words_are_written_and_read_as_a_dictionary() {
    let place = TestDir::new();
    let program = "#include <string.h>
int main(int c, char **v) {
  if (c > 1 && !strcmp(v[1], \"while\")) return 1;
  return c > 1 && !strcmp(v[1], \"until then\") ? 2 : 0;
}
";
    place.compile("p", program);
    let bad = [
        ("a=\"if\"\nb=\"x", "line 2: the line does not end"),
        ("if", "line 1: the token"),
    ];
    for (text, message) in bad {
        fs::write(place.path("bad.dict"), text).expect("written");
        let line = ["run", "p.bc", "--dict", "bad.dict"];
        place.fails(&line, 2, &[&format!("--dict bad.dict: {message}")]);
    }
    place.fails(
        &["run", "p.bc", "--dict", "none"],
        2,
        &["--dict none: cannot read"],
    );
    fs::write(place.path("own.dict"), "a=\"\\x01\"\nb@1=\"deep\"\n").expect("written");
    let line = arguments("p.bc --quiet --export dict --dict own.dict -- --sym-arg 5");
    place.run_into("out", &line);
    let text = fs::read_to_string(place.path("out/words.dict")).expect("a dictionary");
    let (tests, others) = text.split_once("# Other").expect("two parts");
    assert!(tests.contains("=\"while\""), "{text}");
    assert!(
        others.contains("=\"\\x01\"") && !text.contains("deep"),
        "{text}"
    );
    // And back again.
    let line = arguments("p.bc --quiet --dict out/words.dict --dict own.dict@1 -- --sym-arg 5");
    place.run_into("again", &line);
}
