//! `homi schema`: each schema holds for the files of real commands, and describes each field.

use crate::summary_schema::check;
use crate::support::{TestDir, json_lines, text};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// Two bugs, branches and output.
const PROGRAM: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  if (count < 2) return 1;
  if (words[1][0] == 'a') abort();
  if (words[1][0] == 'd') return 7 / (words[1][1] - words[1][1]);
  puts(words[1][0] > 'm' ? "late" : "early");
  return 0;
}
"#;

/// Names of the schemas.
const NAMES: [&str; 9] = [
    "summary",
    "events",
    "findings",
    "coverage",
    "replay",
    "comparison",
    "sweep",
    "baseline",
    "homi.toml",
];

fn schema(place: &TestDir, name: &str) -> Value {
    let printed = place.succeeds(&["schema", name]);
    serde_json::from_slice(&printed.stdout).expect("JSON")
}

/// Checks values, and returns their number.
fn hold(place: &TestDir, name: &str, values: &[Value]) -> usize {
    let schema = schema(place, name);
    for value in values {
        let mut wrong = Vec::new();
        check(&schema, value, "", &mut wrong);
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    }
    values.len()
}

fn read(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).expect("a file")).expect("JSON")
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    let all = String::from_utf8_lossy(bytes).into_owned();
    let lines = all.lines().filter(|line| line.starts_with('{'));
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn files_of_runs_and_replays_have_their_schemas() {
    let place = TestDir::new();
    fs::write(place.path("p.c"), PROGRAM).expect("written");
    let mut cc = place.homi();
    let built = cc
        .env("HOMI_CC_COVERAGE", "1")
        .args(["cc", "p.c", "-o", "p"])
        .status();
    assert!(built.expect("homi runs").success());
    let runs: [&[&str]; 6] = [
        &["run", "p", "--events"],
        &[
            "run",
            "p",
            "--events",
            "--prune",
            "homi",
            "--max-time",
            "3000000i",
        ],
        &[
            "run",
            "p",
            "--events",
            "--search",
            "dfs",
            "--threads",
            "2",
            "--compare",
            "off",
        ],
        &[
            "run",
            "p",
            "--events",
            "--max-tests",
            "2",
            "--prune",
            "none",
        ],
        &["concolic", "p", "--events", "--max-time", "2000000i"],
        &[
            "run",
            "p",
            "--events",
            "--baseline",
            "known.json",
            "--write-baseline",
        ],
    ];
    let mut events = 0;
    for (number, options) in runs.iter().enumerate() {
        let out = format!("out{number}");
        let rest = ["--output-dir", &out, "--", "--sym-arg", "2"];
        let ran = place.output(&[options, &rest[..]].concat());
        assert!(ran.status.success(), "{}", text(&ran));
        events += hold(&place, "events", &lines(&ran.stdout));
        hold(
            &place,
            "summary",
            &[read(&place.path(&out).join("summary.json"))],
        );
        let tests = json_lines(&place.path(&out).join("coverage.jsonl"));
        assert!(hold(&place, "coverage", &tests) > 0);
        let found = json_lines(&place.path(&out).join("findings.jsonl"));
        assert!(hold(&place, "findings", &found) >= tests.len());
    }
    assert!(events > 60, "{events}");
    hold(&place, "baseline", &[read(&place.path("known.json"))]);
    for options in [&["--gcov"][..], &[]] {
        let replay = ["replay", "p", "out0", "--json", "results.json", "--events"];
        let replayed = place.output(&[&replay, options].concat());
        assert!(
            hold(&place, "events", &lines(&replayed.stdout)) > 3,
            "{}",
            text(&replayed)
        );
        hold(&place, "replay", &[read(&place.path("results.json"))]);
    }
}

#[test]
fn files_of_comparisons_sweeps_and_projects_have_their_schemas() {
    let place = TestDir::new();
    fs::write(place.path("old.c"), PROGRAM).expect("written");
    let new = PROGRAM
        .replace("late", "later")
        .replace("return 1", "return 3");
    fs::write(place.path("new.c"), new).expect("written");
    let compare = [
        "compare",
        "old.c",
        "new.c",
        "--max-time",
        "3000000i",
        "--output-dir",
        "out",
    ];
    place.output(&[&compare[..], &["--", "--sym-args", "0", "1", "2"]].concat());
    let compared = read(&place.path("out/comparison.json"));
    assert!(
        compared["differences"]
            .as_array()
            .is_some_and(|all| all.len() > 1),
        "{compared}"
    );
    hold(&place, "comparison", &[compared]);
    let library = "#include <assert.h>\nint f(int n) { assert(n > 0); return 1 / n; }\n\
                   int g(const int *p, int n) { return p[n] + f(n); }\n\
                   static int h(int x, ...) { return x; }\nint k(long double x) { return h((int)x); }\n";
    fs::write(place.path("lib.c"), library).expect("written");
    place.output(&["sweep", "lib.c", "--each", "1000000i"]);
    let swept = read(&place.path("homi-sweep/sweep.json"));
    assert!(
        swept["bugs"].as_array().is_some_and(|bugs| bugs.len() > 1),
        "{swept}"
    );
    hold(&place, "sweep", &[swept]);
    let init = [
        "init",
        "--max-time",
        "10s",
        "-D",
        "A=1",
        "--check-leaks",
        "old.c",
        "--",
        "-x",
    ];
    place.output(&init);
    let rest = "\n[job.ci]\nfail-on = \"new\"\n\n[keep]\nas = \"cases\"\n\n[sweep]\njobs = 2\n\n\
                [[ignore]]\nkind = \"ptr\"\nreason = \"why\"\n";
    let project = fs::read_to_string(place.path("homi.toml")).unwrap_or_default();
    let project = DeTable::parse(&project)
        .map(|_| project.clone() + rest)
        .expect("TOML");
    let table = DeTable::parse(&project).expect("TOML");
    let value = value(&DeValue::Table(table.into_inner()));
    hold(&place, "homi.toml", &[value]);
    let wrong = json!({"run": {"max-tim": "10s"}});
    let mut found = Vec::new();
    check(&schema(&place, "homi.toml"), &wrong, "", &mut found);
    assert_eq!(found, [".run.max-tim is not in the schema"]);
}

/// A value of TOML as JSON.
fn value(of: &DeValue<'_>) -> Value {
    match of {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => json!(number.as_str().parse::<i64>().expect("a number")),
        DeValue::Float(number) => json!(number.as_str().parse::<f64>().expect("a number")),
        DeValue::Boolean(value) => json!(value),
        DeValue::Datetime(day) => json!(day.to_string()),
        DeValue::Array(list) => list.iter().map(|one| value(one.get_ref())).collect(),
        DeValue::Table(table) => {
            let fields = table.iter();
            let fields =
                fields.map(|(name, one)| (name.get_ref().to_string(), value(one.get_ref())));
            Value::Object(fields.collect())
        }
    }
}

/// Adds the fields below a schema that have no description.
fn undescribed(schema: &Value, at: &str, found: &mut Vec<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        if field["description"].as_str().is_none_or(str::is_empty) {
            found.push(at.clone());
        }
        undescribed(field, &at, found);
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(schema) = schema.get(inner) {
            undescribed(schema, at, found);
        }
    }
    for list in ["oneOf", "anyOf", "prefixItems"] {
        let all = schema[list].as_array().into_iter().flatten();
        all.for_each(|one| undescribed(one, at, found));
    }
}

#[test]
fn every_field_of_every_schema_has_a_description() {
    let place = TestDir::new();
    let listed = place.succeeds(&["schema"]);
    let listed = text(&listed) + &String::from_utf8_lossy(&listed.stdout);
    for name in NAMES {
        assert!(listed.contains(&format!("{name} ")), "{name}: {listed}");
        let schema = schema(&place, name);
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        let mut found = Vec::new();
        undescribed(&schema, name, &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
    assert_eq!(
        listed.lines().filter(|line| line.contains("  ")).count(),
        NAMES.len()
    );
    place.fails(&["schema", "sumary"], 2, &["did you mean `summary`?"]);
}
