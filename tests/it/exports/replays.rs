//! `homi replay --export`: cases and counts equal those in `--json`.

use super::{EXPORTED, Exported};
use crate::support::{json_lines, run};
use roxmltree::{Document, Node};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::sync::LazyLock;

/// A replay of the run's tests with all that a replay can export.
struct Replayed {
    json: Value,
    events: Vec<Value>,
    status: Option<i32>,
}

const FORMATS: &str = "junit,ctest,lcov,cobertura";

static REPLAYED: LazyLock<Replayed> = LazyLock::new(|| {
    let place = &EXPORTED.place;
    let mut compiler = Command::new("gcc");
    compiler.args(["--coverage", "-O0", "-g", "bugs.c", "-o", "bugs"]);
    run(compiler.current_dir(place.directory.path()));
    let arguments = [
        "replay",
        "--gcov",
        "--events",
        "--error-exit-code",
        "--json",
        "r.json",
    ];
    let arguments = [
        &arguments[..],
        &[
            "--export",
            FORMATS,
            "--export-dir",
            "replayed",
            "bugs",
            "out",
        ],
    ];
    let output = place.output(&arguments.concat());
    fs::write(place.path("replay.jsonl"), &output.stdout).expect("write the events");
    let json = fs::read(place.path("r.json")).expect("the results");
    Replayed {
        json: serde_json::from_slice(&json).expect("JSON"),
        events: json_lines(&place.path("replay.jsonl")),
        status: output.status.code(),
    }
});

/// A file that the replay exported.
fn text(of: &Exported, name: &str) -> String {
    LazyLock::force(&REPLAYED);
    fs::read_to_string(of.place.path("replayed").join(name)).expect("an exported file")
}

/// Name and status of each test.
fn statuses() -> Vec<(String, String)> {
    let tests = REPLAYED.json["tests"].as_array().expect("a list").iter();
    let name = |test: &Value| {
        let path = std::path::Path::new(test["test"].as_str().expect("a path"));
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    tests
        .map(|test| {
            (
                name(test),
                test["status"].as_str().expect("a text").to_string(),
            )
        })
        .collect()
}

#[test]
fn junit_has_a_case_per_replay_and_crashes_fail() {
    let text = text(&EXPORTED, "junit.xml");
    let document = Document::parse(&text).expect("well-formed");
    let cases = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let found: Vec<(String, bool)> = cases
        .map(|case| {
            let failed = case.children().any(|node| node.has_tag_name("failure"));
            (case.attribute("name").expect("a name").to_string(), failed)
        })
        .collect();
    let expected: Vec<(String, bool)> = statuses()
        .into_iter()
        .map(|(name, status)| (name, status.starts_with("signal ")))
        .collect();
    assert_eq!(found, expected);
    assert!(found.iter().any(|(_, failed)| *failed));
    // What the run said of the bug is the message.
    assert!(
        text.contains("message=\"divide by zero: division of 100 by zero"),
        "{text}"
    );
    assert_eq!(REPLAYED.status, Some(3));
}

/// Line and count of each `DA`, and covered and all branches, of an LCOV file.
fn lcov() -> (BTreeMap<u32, u64>, [u64; 2]) {
    let text = text(&EXPORTED, "lcov.info");
    let numbers = |prefix: &'static str| {
        let lines = text
            .lines()
            .filter_map(move |line| line.strip_prefix(prefix));
        lines.map(|line| {
            line.split(',')
                .map(|word| word.parse::<u64>().unwrap())
                .collect()
        })
    };
    let lines = numbers("DA:")
        .map(|pair: Vec<u64>| (pair[0] as u32, pair[1]))
        .collect();
    let sum = |prefix| numbers(prefix).map(|one: Vec<u64>| one[0]).sum();
    (lines, [sum("BRH:"), sum("BRF:")])
}

#[test]
fn lcov_and_cobertura_count_what_the_replay_counts() {
    let count = |name: &str| REPLAYED.json[name].as_u64().expect("a number");
    let (lines, branches) = lcov();
    assert_eq!(
        branches,
        [count("branches_covered"), count("branches_total")]
    );
    let text = text(&EXPORTED, "cobertura.xml");
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options).expect("well-formed");
    let root = document.root_element();
    let number = |node: Node<'_, '_>, name: &str| {
        let value = node.attribute(name).expect("an attribute");
        value.parse::<u64>().expect("a number")
    };
    assert_eq!(
        [
            number(root, "branches-covered"),
            number(root, "branches-valid")
        ],
        branches
    );
    let class = root
        .descendants()
        .find(|node| node.has_tag_name("class"))
        .expect("a class");
    assert_eq!(class.attribute("filename"), Some("bugs.c"));
    let own = class
        .children()
        .find(|node| node.has_tag_name("lines"))
        .expect("lines");
    let own = own.children().filter(|node| node.has_tag_name("line"));
    let own: Vec<Node<'_, '_>> = own.collect();
    let hits: BTreeMap<u32, u64> = own
        .iter()
        .map(|line| (number(*line, "number") as u32, number(*line, "hits")))
        .collect();
    assert_eq!(hits, lines);
    // Covered and all, from texts such as "50% (1/2)".
    let conditions = own
        .iter()
        .filter_map(|line| line.attribute("condition-coverage"));
    let sums = conditions.fold([0, 0], |sums: [u64; 2], text| {
        let pair = text.split_once('(').unwrap().1.trim_end_matches(')');
        let (taken, all) = pair.split_once('/').unwrap();
        [
            sums[0] + taken.parse::<u64>().unwrap(),
            sums[1] + all.parse::<u64>().unwrap(),
        ]
    });
    assert_eq!(sums, branches);
}

#[test]
fn the_ctest_files_have_each_test_once() {
    let names: BTreeSet<String> = statuses().into_iter().map(|(name, _)| name).collect();
    let of_run = EXPORTED.text("CTestTestfile.cmake");
    let of_replay = text(&EXPORTED, "CTestTestfile.cmake");
    let program = EXPORTED.place.path("bugs");
    let program = format!("set(program [=[{}]=])", program.display());
    for text in [&of_run, &of_replay] {
        assert!(text.contains(&program), "{text}");
        let added = text
            .lines()
            .filter_map(|line| line.strip_prefix("add_test([=["));
        let added: Vec<&str> = added
            .filter_map(|line| line.split_once("]=]"))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(added.len(), names.len());
        assert!(added.iter().all(|name| names.contains(*name)), "{added:?}");
        // ctest runs tests in the file's directory, and its language does not know that one's name.
        assert!(!text.contains("CMAKE_"), "{text}");
        for [kind, _, _, test] in EXPORTED.bugs() {
            let line =
                format!("set_tests_properties([=[{test}]=] PROPERTIES LABELS [=[bug;{kind}]=])");
            assert!(text.contains(&line), "{line} is not in {text}");
        }
    }
}

#[test]
fn events_of_a_replay_are_its_results() {
    let told = REPLAYED
        .events
        .iter()
        .filter(|event| event["event"] == "test-replayed");
    let told: Vec<&Value> = told.collect();
    let results = REPLAYED.json["tests"].as_array().expect("a list");
    assert_eq!(told.len(), results.len());
    for (told, result) in told.iter().zip(results) {
        for field in ["test", "status", "branches", "new"] {
            assert_eq!(told[field], result[field], "{field}");
        }
    }
    // What the run said of each test stands beside it.
    for [kind, message, _, test] in EXPORTED.bugs_with_values() {
        let file = format!("out/{test}.ktest");
        let told = told
            .iter()
            .find(|told| told["test"] == file.as_str())
            .expect("the test");
        assert_eq!(told["prediction"]["bug"], kind.as_str());
        assert_eq!(told["prediction"]["message"], message.as_str());
    }
    let exits = told
        .iter()
        .filter(|told| told["prediction"]["kind"] == "ended");
    for told in exits {
        let said = format!("exit {}", told["prediction"]["status"]);
        assert_eq!(told["status"], said.as_str());
    }
}

#[test]
fn another_exit_status_than_predicted_fails() {
    let place = crate::support::TestDir::new();
    place.compile(
        "p",
        "int main(int c, char **v) { if (c > 1 && v[1][0] == 'x') return 4; return 0; }\n",
    );
    place.run_into("out", &["p.bc", "--quiet", "--", "--sym-arg", "1"]);
    let source = "int main(int c, char **v) { if (c > 1 && v[1][0] == 'x') return 5; return 0; }\n";
    fs::write(place.path("changed.c"), source).expect("write the source");
    let mut compiler = Command::new("gcc");
    run(compiler
        .args(["changed.c", "-o", "p"])
        .current_dir(place.directory.path()));
    place.succeeds(&["replay", "--export", "junit", "p", "out"]);
    let text = fs::read_to_string(place.path("junit.xml")).expect("JUnit");
    assert_eq!(text.matches("<failure ").count(), 1, "{text}");
    assert!(
        text.contains("message=\"homi predicts exit 4, the native program gives exit 5\""),
        "{text}"
    );
    place.fails(&["replay", "--error-exit-code", "p", "out"], 4, &[]);
}

#[test]
fn counts_without_gcov_are_refused() {
    let place = &EXPORTED.place;
    place.fails(
        &["replay", "--export", "lcov", "bugs", "out"],
        2,
        &["needs counts; add --gcov"],
    );
    place.fails(
        &["replay", "--export", "sarif", "bugs", "out"],
        2,
        &["it is a format of homi run"],
    );
}
