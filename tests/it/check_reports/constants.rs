//! Checks of what clang decides while it compiles, with properties: constants, lengths of arrays.

use super::{reports, text_of};
use crate::support::{TestDir, summary};
use std::fs;

/// Constants that clang computes while it writes bitcode.
const CONSTANTS: &str = r#"void reach_error(void) { __builtin_printf("reached\n"); }
int main(void) {
#if PART == 1
  int number = 2147483647 + 1;
#elif PART == 2
  int number = -(-2147483647 - 1);
#elif PART == 3
  int number = 100000 * 100000;
#elif PART == 4
  int number = 1 / 0;
#elif PART == 5
  int number = 3 << 31;
#elif PART == 6
  int number = 1 << 33;
#elif PART == 7
  int number = 1e20;
#elif PART == 8
  unsigned number = 3u << 31;
#endif
  if (number == 0) reach_error();
  return number == 5;
}
"#;

#[test]
fn constants_that_do_not_fit_are_found_before_clang_computes_them() {
    let place = TestDir::new();
    fs::write(place.path("constants.c"), CONSTANTS).expect("the source");
    let verdict = |part: u32, property: &str| {
        let define = format!("PART={part}");
        let arguments = [
            "test",
            "constants.c",
            "--quiet",
            "--prune",
            "none",
            "-D",
            &define,
            "--property",
            property,
        ];
        place.output(&arguments);
        let verdict = &summary(&place.path("homi-last"))["verdict"];
        format!("{} {}", verdict["verdict"], verdict["reason"])
    };
    for (part, values) in [
        (1, "2147483647 + 1 cannot"),
        (2, "negation of -2147483648 cannot"),
        (3, "100000 * 100000 cannot"),
        (5, "left shift of 3 by 31 places cannot"),
    ] {
        let said = verdict(part, "no-overflow");
        assert!(
            said.starts_with("\"false\"") && said.contains(values),
            "{part}: {said}"
        );
    }
    for part in [4, 6, 7] {
        let said = verdict(part, "no-overflow");
        assert!(said.starts_with("\"unknown\""), "{part}: {said}");
    }
    assert!(verdict(8, "no-overflow").starts_with("\"true\""));
    // A result that does not exist decides nothing.
    for part in [4, 6, 7] {
        let said = verdict(part, "unreach-call");
        assert!(
            said.starts_with("\"unknown\"") && said.contains("not defined"),
            "{said}"
        );
    }
}

#[test]
fn an_array_of_less_than_no_element_is_a_bug_at_its_declaration() {
    let source = r#"#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int length = __VERIFIER_nondet_int();
  if (length < LEAST || length > 3 || length == 0) return 0;
  int numbers[length];
  numbers[length > 0 ? length - 1 : 0] = 1;
  return length == 7;
}
"#;
    let place = TestDir::new();
    fs::write(place.path("array.c"), source).expect("the source");
    let verdict = |least: &str| {
        let define = format!("LEAST={least}");
        let flags = [
            "test",
            "array.c",
            "--quiet",
            "-D",
            &define,
            "--property",
            "valid-memsafety",
        ];
        place.output(&flags);
        let found = summary(&place.path("homi-last"));
        (text_of(&found["verdict"], "verdict"), reports(&found))
    };
    let (said, found) = verdict("-2");
    assert_eq!(said, "false", "{found:?}");
    let words = "variable length array bound evaluates to non-positive value -";
    assert!(
        found
            .iter()
            .any(|(kind, _, text)| kind == "ptr" && text.starts_with(words))
    );
    let (said, found) = verdict("1");
    assert_eq!((said.as_str(), found.len()), ("true", 0));
}
