//! `homi svcomp`: verdicts with their witnesses, and witnesses that are read back.

use crate::summary_schema::check;
use crate::support::{TestDir, text};
use serde_json::{Value, json};
use std::fs;

/// A task whose error is natively an assertion, or nothing at all, in its own `reach_error`.
fn task(error: &str) -> String {
    format!(
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         {error}\n\
         extern int __VERIFIER_nondet_int(void);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void);\n\
         int main(void) {{\n\
         \x20 int x = __VERIFIER_nondet_int();\n\
         \x20 unsigned char c;\n\
         \x20 c = __VERIFIER_nondet_uchar();\n\
         \x20 if (x < -1000 && c == 7) {{ x++; reach_error(); }}\n\
         \x20 return 0;\n\
         }}\n"
    )
}

/// The schema of a witness of format 2.0 (section "Format" of the page of sv-witnesses).
fn schema() -> Value {
    let text = json!({"type": "string"});
    let location = json!({"type": "object", "required": ["file_name", "line"],
        "properties": {"file_name": text, "line": {"type": "integer", "minimum": 1},
            "column": {"type": "integer", "minimum": 1}},
        "additionalProperties": false});
    let waypoint = json!({"type": "object", "required": ["type", "action", "location"],
        "properties": {"type": {"enum": ["assumption", "function_return", "target"]},
            "action": {"const": "follow"}, "location": location,
            "constraint": {"type": "object", "required": ["format", "value"],
                "properties": {"format": {"enum": ["c_expression", "acsl_expression"]},
                    "value": text}, "additionalProperties": false}},
        "additionalProperties": false});
    let segment = json!({"type": "object", "required": ["segment"],
        "properties": {"segment": {"type": "array", "minItems": 1, "maxItems": 1,
            "items": {"type": "object", "required": ["waypoint"],
                "properties": {"waypoint": waypoint}, "additionalProperties": false}}},
        "additionalProperties": false});
    let task = json!({"type": "object",
        "required": ["input_files", "input_file_hashes", "specification", "data_model", "language"],
        "properties": {"input_files": {"type": "array", "minItems": 1, "items": text},
            "input_file_hashes": {"type": "object", "additionalProperties": text},
            "specification": text, "data_model": {"enum": ["ILP32", "LP64"]},
            "language": {"const": "C"}},
        "additionalProperties": false});
    let producer = json!({"type": "object", "required": ["name", "version"],
        "properties": {"name": text, "version": text}, "additionalProperties": false});
    let metadata = json!({"type": "object",
        "required": ["format_version", "uuid", "creation_time", "producer", "task"],
        "properties": {"format_version": {"const": "2.0"}, "uuid": text, "creation_time": text,
            "producer": producer, "task": task},
        "additionalProperties": false});
    json!({"type": "array", "minItems": 1, "maxItems": 1, "items": {"type": "object",
        "required": ["entry_type", "metadata", "content"],
        "properties": {"entry_type": {"enum": ["violation_sequence", "invariant_set"]},
            "metadata": metadata, "content": {"type": "array", "items": segment}},
        "additionalProperties": false}})
}

/// Runs `homi svcomp` in a directory; returns its last line.
fn verdict(dir: &TestDir, arguments: &[&str]) -> String {
    let run = dir.output(&[&["svcomp"], arguments].concat());
    let said = String::from_utf8_lossy(&run.stdout);
    let last = said.lines().last().map(str::to_string);
    last.unwrap_or_else(|| panic!("no verdict: {}", text(&run)))
}

fn witness(dir: &TestDir) -> Value {
    let written = fs::read_to_string(dir.path("witness.yml")).expect("a witness");
    let witness: Value = serde_saphyr::from_str(&written).expect("YAML");
    let mut wrong = Vec::new();
    check(&schema(), &witness, "witness", &mut wrong);
    assert!(wrong.is_empty(), "{wrong:?}\n{written}");
    witness
}

#[test]
fn a_violation_is_confirmed_and_its_witness_validated() {
    let errors = [
        "void reach_error(void) { __assert_fail(\"0\", \"task.c\", 2, \"reach_error\"); }",
        "void reach_error(void) {}",
        "extern void reach_error(void);",
    ];
    for error in errors {
        let dir = TestDir::new();
        fs::write(dir.path("task.c"), task(error)).expect("writable");
        let said = verdict(&dir, &["--property", "unreach-call", "task.c"]);
        let begin =
            "verdict: FALSE (unreach-call): unreach-call: reach_error was called at task.c:9";
        assert!(
            said.starts_with(begin) && said.contains("confirmed natively"),
            "{error}: {said}"
        );
        let shown = witness(&dir);
        let values: Vec<&str> = (shown[0]["content"].as_array().expect("segments").iter())
            .filter_map(|one| one["segment"][0]["waypoint"]["constraint"]["value"].as_str())
            .collect();
        assert!(
            values[0].starts_with("x == -") && values[1] == "\\result == 7",
            "{values:?}"
        );
        let validate = [
            "--property",
            "unreach-call",
            "--validate",
            "witness.yml",
            "task.c",
        ];
        let said = verdict(&dir, &validate);
        assert!(
            said.starts_with("verdict: FALSE (unreach-call): the native program shows"),
            "{said}"
        );
        let other = fs::read_to_string(dir.path("witness.yml")).expect("a witness");
        let other = other.replace("\\\\result == 7", "\\\\result == 8");
        fs::write(dir.path("witness.yml"), other).expect("writable");
        let said = verdict(&dir, &validate);
        assert!(said.starts_with("verdict: UNKNOWN"), "{said}");
    }
}

#[test]
fn a_proof_has_a_witness_without_invariants() {
    let dir = TestDir::new();
    let source = "extern int __VERIFIER_nondet_int(void);\n\
                  int main(void) { int x = __VERIFIER_nondet_int(); return x > 0 ? x - 1 : 0; }\n";
    fs::write(dir.path("task.i"), source).expect("writable");
    let said = verdict(&dir, &["--property", "no-overflow", "task.i"]);
    assert!(said.starts_with("verdict: TRUE (no-overflow)"), "{said}");
    let shown = witness(&dir);
    assert_eq!(shown[0]["entry_type"], "invariant_set");
    assert_eq!(
        shown[0]["metadata"]["task"]["input_files"],
        json!(["task.i"])
    );
}

#[test]
fn what_is_no_violation_witness_is_refused() {
    let dir = TestDir::new();
    fs::write(dir.path("task.c"), task("extern void reach_error(void);")).expect("writable");
    fs::write(dir.path("bad.yml"), "- entry_type: invariant_set\n").expect("writable");
    let validate = [
        "svcomp",
        "--property",
        "unreach-call",
        "--validate",
        "bad.yml",
        "task.c",
    ];
    dir.fails(&validate, 1, &["bad.yml: "]);
}
