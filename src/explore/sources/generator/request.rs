//! Requests to the external command: a line of JSON each.

use super::branch_context::BranchContext;
use crate::sources::named_objects::Objects;
use homi_native::testcase::Invocation;
use homi_native::testcase::ktest::KTest;
use serde_json::{Map, Value, json};

/// The input whose objects these are, given the program's name and arguments.
pub(super) fn input_of(arguments: &[Vec<u8>], objects: &Objects) -> Invocation {
    let mut test = KTest::new(arguments.iter().cloned());
    for (name, bytes) in objects {
        test.push(name.as_bytes(), bytes.clone());
    }
    Invocation::of(&test).unwrap_or_else(|| Invocation {
        others: test.objects,
        ..Invocation::default()
    })
}

/// A request's line, with its end.
pub(super) fn line(
    number: u64,
    (place, side): (&BranchContext, u32),
    source: Option<&str>,
    input: &Invocation,
) -> String {
    let wanted = place.sides.get(side as usize);
    let constants = place.constants.iter();
    let request = json!({
        "request": number,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "function": place.function,
        "source": source,
        "wanted": wanted,
        "constants": constants.map(|one| number_of(*one)).collect::<Vec<Value>>(),
        "strings": place.strings,
        "input": input_value(input),
    });
    format!("{request}\n")
}

/// A constant of at most 64 bits.
fn number_of(constant: i128) -> Value {
    i64::try_from(constant).map_or_else(|_| json!(constant as u64), |number| json!(number))
}

fn input_value(input: &Invocation) -> Value {
    let arguments = input.arguments.iter();
    let mut value = json!({
        "arguments": arguments.map(|bytes| bytes_value(bytes)).collect::<Vec<Value>>(),
    });
    if let Some(stdin) = &input.stdin {
        value["stdin"] = bytes_value(used(stdin));
    }
    let named = |known: &[(Vec<u8>, Vec<u8>)]| -> Map<String, Value> {
        let each = known.iter();
        each.map(|(name, bytes)| (name_text(name), bytes_value(used(bytes))))
            .collect()
    };
    value["files"] = Value::Object(named(&input.files));
    value["variables"] = Value::Object(named(&input.variables));
    let own = input.others.iter();
    let own = own.filter(|object| !object.name.ends_with(b"_stat") && object.name != b"n_args");
    let objects: Map<String, Value> = own
        .map(|object| (object.name_text(), bytes_value(&object.bytes)))
        .collect();
    value["objects"] = Value::Object(objects);
    value
}

fn name_text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// Without the zero bytes at the end, which fill a file up.
fn used(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0);
    &bytes[..end.map_or(0, |last| last + 1)]
}

fn bytes_value(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => json!(text),
        Err(_) => {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "hex": digits })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_says_where_and_with_what() {
        let arguments: Vec<Vec<u8>> = ["p", "--sym-arg", "3", "--sym-stdin", "4"]
            .map(|argument| argument.as_bytes().to_vec())
            .to_vec();
        let objects: Objects = vec![
            ("arg00".into(), b"ab\0\0".to_vec()),
            ("stdin".into(), b"\xff\0\0\0".to_vec()),
            ("stdin_stat".into(), vec![0; 144]),
            ("key".into(), b"k\0".to_vec()),
        ];
        let place = BranchContext {
            file: "p.c".into(),
            line: 3,
            constants: vec![-1, i128::from(u64::MAX)],
            strings: vec!["open".into()],
            sides: vec!["true".into(), "false".into()],
            ..BranchContext::default()
        };
        let input = input_of(&arguments, &objects);
        let line = line(5, (&place, 1), Some("if (x)"), &input);
        assert!(line.ends_with("}\n"));
        let value: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(
            (&value["request"], &value["wanted"]),
            (&json!(5), &json!("false"))
        );
        assert_eq!(value["constants"], json!([-1, u64::MAX]));
        let expected = json!({
            "arguments": ["ab"], "stdin": {"hex": "ff"}, "files": {}, "variables": {},
            "objects": {"key": "k\u{0}"},
        });
        assert_eq!(value["input"], expected);
    }
}
