//! The text of a case in C: declarations, the call, checks.

use homi_build::harness::{Call, Check, CheckKind, double, literal_text};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Values that were recorded, by the line of their check.
pub(super) type Values = BTreeMap<usize, String>;

/// Returns the function that a case is, with checks that compare with recorded values. The lines of
/// the values count from the function's first one.
pub(super) fn checking(name: &str, call: &Call, values: &Values) -> String {
    let first = lines_before_checks(call);
    let checks = call.checks.iter().enumerate().filter_map(|(at, check)| {
        let value = values.get(&(first + at))?;
        compared(check, value)
    });
    function(name, call, &checks.collect::<Vec<_>>())
}

/// Returns the function with a line for each check that writes its value down.
pub(super) fn recording(name: &str, call: &Call) -> String {
    let checks: Vec<String> = call.checks.iter().map(recorded).collect();
    function(name, call, &checks)
}

/// Returns the function without checks: the call shows a bug.
pub(super) fn showing_bug(name: &str, call: &Call) -> String {
    function(name, call, &[])
}

/// Number of lines of a function before its checks.
fn lines_before_checks(call: &Call) -> usize {
    1 + call.lines.len() + 1
}

fn function(name: &str, call: &Call, checks: &[String]) -> String {
    let mut text = format!("static void {name}(void) {{\n");
    for line in &call.lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {line}");
    }
    let is_used = |check: &String| check.contains("(result") || check.contains(", result");
    let is_used = checks.iter().any(is_used);
    match call.result.as_ref().filter(|_| is_used) {
        Some(result) => {
            let _ = writeln!(text, "  {result} = {};", call.call);
        }
        None => {
            let _ = writeln!(text, "  {};", call.call);
        }
    }
    for check in checks {
        let _ = writeln!(text, "  {check}");
    }
    text + "}\n"
}

/// The statement that writes the value of an expression down.
fn recorded(check: &Check) -> String {
    let Check { expression, kind } = check;
    match kind {
        CheckKind::Signed => format!("CHECK_INT({expression}, 0);"),
        CheckKind::Unsigned => format!("CHECK_UINT({expression}, 0);"),
        CheckKind::Float => format!("CHECK_FLOAT({expression}, 0);"),
        CheckKind::Bytes(size) => format!("CHECK_BYTES({expression}, 0, {size});"),
        CheckKind::Pointer(objects) => {
            let each = objects
                .iter()
                .map(|name| format!(", (const void *)&{name}, sizeof {name}"));
            let each: String = each.collect();
            format!(
                "homi_where(__LINE__, {expression}, {}{each});",
                objects.len()
            )
        }
    }
}

/// C that the recording of pointers needs beyond the header.
pub(super) const WHERE: &str = r#"
#include <stdarg.h>
static inline void homi_where(int line, const void *is, int count, ...) {
  va_list all;
  va_start(all, count);
  for (int i = 0; i < count; i++) {
    const char *object = va_arg(all, const char *);
    size_t size = va_arg(all, size_t);
    if ((const char *)is >= object && (const char *)is < object + size) {
      fprintf(homi_out, "%d %d %ld\n", line, i, (long)((const char *)is - object));
      return;
    }
  }
  fprintf(homi_out, "%d %s\n", line, is ? "other" : "null");
}
"#;

/// The statement that compares an expression with its recorded value.
fn compared(check: &Check, value: &str) -> Option<String> {
    let Check { expression, kind } = check;
    Some(match kind {
        CheckKind::Signed => format!("CHECK_INT({expression}, {});", signed(value)?),
        CheckKind::Unsigned => {
            let value: u64 = value.parse().ok()?;
            let suffix = if value > u64::from(u32::MAX) >> 1 {
                "U"
            } else {
                ""
            };
            format!("CHECK_UINT({expression}, {value}{suffix});")
        }
        CheckKind::Float => {
            let bits = u64::from_str_radix(value, 16).ok()?;
            format!("CHECK_FLOAT({expression}, {});", double(bits))
        }
        CheckKind::Bytes(size) => {
            let bytes = from_hexadecimal(value)?;
            let end = bytes
                .iter()
                .position(|byte| *byte == 0)
                .unwrap_or(bytes.len());
            if end < bytes.len() && bytes[end..].iter().all(|byte| *byte == 0) {
                let text = literal_text(&bytes[..end]);
                // An array of this size ends with zeros, which are compared, too.
                return Some(if end + 1 == bytes.len() {
                    format!("CHECK_TEXT({expression}, \"{text}\");")
                } else {
                    format!("CHECK_BYTES({expression}, (char[{size}]){{ \"{text}\" }}, {size});")
                });
            }
            // A literal ends with a zero of its own.
            let shown = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
            format!(
                "CHECK_BYTES({expression}, \"{}\", {size});",
                literal_text(shown)
            )
        }
        CheckKind::Pointer(objects) => match value {
            "null" => format!("CHECK_NULL({expression});"),
            "other" => format!("CHECK_NOT_NULL({expression});"),
            place => {
                let (number, offset) = place.split_once(' ')?;
                let object = objects.get(number.parse::<usize>().ok()?)?;
                match offset {
                    "0" => format!("CHECK_SAME({expression}, &{object});"),
                    offset => format!("CHECK_SAME({expression}, (char *)&{object} + {offset});"),
                }
            }
        },
    })
}

fn signed(value: &str) -> Option<String> {
    let number: i64 = value.parse().ok()?;
    Some(match number {
        i64::MIN => "(-9223372036854775807L - 1)".to_string(),
        number if i32::try_from(number).is_err() => format!("{number}L"),
        number => number.to_string(),
    })
}

fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect::<Option<_>>()?;
    let bytes = digits.chunks(2).map(|pair| match pair {
        [high, low] => Some(high << 4 | low),
        _ => None,
    });
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_values_become_checks() {
        let check = |expression: &str, kind| Check {
            expression: expression.to_string(),
            kind,
        };
        let call = Call {
            lines: vec!["char text[3] = \"1\";".to_string()],
            call: "f(text)".to_string(),
            result: Some("char *result".to_string()),
            checks: vec![
                check("result", CheckKind::Pointer(vec!["text".to_string()])),
                check("text", CheckKind::Bytes(3)),
                check("count", CheckKind::Unsigned),
            ],
        };
        let values = [(3, "0 1"), (4, "310032"), (5, "7")];
        let values = values.map(|(line, value)| (line, value.to_string())).into();
        let text = checking("one", &call, &values);
        let expected = "static void one(void) {\n  char text[3] = \"1\";\n  \
                        char *result = f(text);\n  \
                        CHECK_SAME(result, (char *)&text + 1);\n  \
                        CHECK_BYTES(text, \"1\\0002\", 3);\n  CHECK_UINT(count, 7);\n}\n";
        assert_eq!(text, expected);
        let text = checking("one", &call, &Values::from([(4, "310000".to_string())]));
        let padded = "  CHECK_BYTES(text, (char[3]){ \"1\" }, 3);";
        assert!(text.contains(padded), "{text}");
        let text = checking("one", &call, &Values::from([(4, "313200".to_string())]));
        assert!(text.contains("  CHECK_TEXT(text, \"12\");"), "{text}");
        assert!(!showing_bug("one", &call).contains("result"));
        let recording = recording("one", &call);
        let line = recording.lines().nth(3).expect("a fourth line");
        assert!(
            line.contains("homi_where(__LINE__, result, 1, (const void *)&text"),
            "{line}"
        );
    }
}
