//! The JSON Schemas of `homi schema` hold for what homi writes, and describe each field.
//!
//! The checker knows the keywords that the schema uses and refuses others.

use crate::support::{TestDir, root};
use serde_json::Value;

const TWO_PATHS: &str = r#"
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char in[2];
  klee_make_symbolic(in, sizeof in, "in");
  klee_open_merge();
  int sum = in[0] > 10 ? 3 : 4;
  klee_close_merge();
  if (in[1] == 7) abort();
  return sum;
}
"#;

/// Locations where a value violates the schema.
pub(crate) fn check(schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    for (keyword, argument) in schema.as_object().expect("a schema") {
        let holds = match keyword.as_str() {
            "$schema" | "title" | "description" | "required" => true,
            "type" => types(argument).any(|name| has_type(name, value)),
            "oneOf" => holding(argument, value, at) == 1,
            "anyOf" => holding(argument, value, at) > 0,
            "const" => value == argument,
            "enum" => argument.as_array().expect("a list").contains(value),
            "minimum" => value.as_f64() >= argument.as_f64(),
            "minItems" => length(value) >= argument.as_u64(),
            "maxItems" => length(value) <= argument.as_u64(),
            "items" => each(value, |_, item| check(argument, item, at, wrong)),
            "prefixItems" => each(value, |index, item| {
                check(&argument[index], item, at, wrong)
            }),
            "properties" => fields(schema, value, at, wrong),
            "additionalProperties" => others(schema, value, at, wrong),
            _ => false,
        };
        if !holds {
            wrong.push(format!("{at}: {keyword} {argument}: {value}"));
        }
    }
}

/// Names of the types that a value may have.
fn types(argument: &Value) -> impl Iterator<Item = &str> {
    let listed = argument.as_array().into_iter().flatten();
    std::iter::once(argument)
        .chain(listed)
        .filter_map(Value::as_str)
}

/// Number of schemas of a list that hold for a value.
fn holding(list: &Value, value: &Value, at: &str) -> usize {
    let holds = |schema: &&Value| {
        let mut wrong = Vec::new();
        check(schema, value, at, &mut wrong);
        wrong.is_empty()
    };
    list.as_array()
        .expect("a list")
        .iter()
        .filter(holds)
        .count()
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        _ => false,
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

fn each(value: &Value, mut check: impl FnMut(usize, &Value)) -> bool {
    let items = value.as_array().into_iter().flatten().enumerate();
    items.for_each(|(index, item)| check(index, item));
    true
}

/// Checks the fields that the schema names.
fn fields(schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) -> bool {
    let required = schema["required"].as_array().expect("a list");
    let missing = required.iter().filter_map(Value::as_str);
    wrong.extend(
        missing
            .filter(|name| value.get(name).is_none())
            .map(|name| format!("{at}.{name} is missing")),
    );
    for (name, field) in schema["properties"].as_object().expect("fields") {
        if let Some(value) = value.get(name) {
            check(field, value, &format!("{at}.{name}"), wrong);
        }
    }
    true
}

/// Checks the fields that the schema does not name. A schema allows fields that later versions may
/// add; what this version writes must be described.
fn others(schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) -> bool {
    let rule = &schema["additionalProperties"];
    let known = |name: &str| schema["properties"].get(name).is_some();
    let unnamed = value.as_object().into_iter().flatten();
    for (name, value) in unnamed.filter(|(name, _)| !known(name)) {
        if rule.is_object() {
            check(rule, value, &format!("{at}.{name}"), wrong)
        } else {
            wrong.push(format!("{at}.{name} is not in the schema"))
        }
    }
    true
}

#[test]
fn summaries_of_all_kinds_of_runs_have_the_schema() {
    let file = root().join("docs/reference/summary.schema.json");
    let text = std::fs::read_to_string(file).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let place = TestDir::new();
    place.compile("p", TWO_PATHS);
    let campaign = [
        "--prune",
        "homi",
        "--max-time",
        "3000000i",
        "--concolic-ratio",
        "0.3",
    ];
    let kinds: [(&str, &[&str]); 6] = [
        ("default", &[]),
        ("campaign", &campaign),
        ("concolic", &["--concolic", "--strategy", "param"]),
        ("merged", &["--use-merge"]),
        (
            "lazy and subsumed",
            &["--subsume", "--fork", "lazy", "--write-kqueries"],
        ),
        ("directed", &["--target", "p.c:11", "--threads", "2"]),
    ];
    for (kind, arguments) in kinds {
        let summary = place.run(&[arguments, &["p.bc"]].concat());
        let mut wrong = Vec::new();
        check(&schema, &summary, "", &mut wrong);
        assert!(wrong.is_empty(), "{kind}: {wrong:#?}");
        // A directed run stops at its target.
        if kind != "directed" {
            assert_eq!(summary["errors"][0]["kind"], "abort", "{kind}");
        }
    }
}

#[test]
fn other_values_are_refused() {
    let schema = serde_json::json!({
        "type": "object", "properties": {"a": {"type": "integer", "minimum": 0}}, "required": ["a"],
        "additionalProperties": false,
    });
    for text in [
        "{}",
        r#"{"a": -1}"#,
        r#"{"a": "1"}"#,
        r#"{"a": 1, "b": 2}"#,
        "[]",
    ] {
        let mut wrong = Vec::new();
        let value = serde_json::from_str(text).expect("JSON");
        check(&schema, &value, "", &mut wrong);
        assert!(!wrong.is_empty(), "{text}");
    }
}
