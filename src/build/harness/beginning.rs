//! Assertions at the beginning of a function, which state what it requires of its callers.
//!
//! Invariant: between the start and such an assertion, the function calls nothing, reads no global
//! variable, and changes only local variables, each once.

use super::metadata::{Metadata, reference};
use super::sites::Values;
use std::collections::BTreeSet;

/// An assertion about parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    pub line: u32,
    /// The asserted expression.
    pub expression: String,
}

/// A function of C that reports failed assertions.
const FAILS: &str = "__assert_fail";

/// A function that is read line by line.
pub(super) struct Beginning {
    is_over: bool,
    stored: BTreeSet<String>,
    pub(super) found: Vec<Assertion>,
}

impl Beginning {
    pub(super) fn new() -> Self {
        Self {
            is_over: false,
            stored: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    /// Reads the next line of the function. `text` is the whole program.
    pub(super) fn read(&mut self, line: &str, values: &Values, all: &Metadata, text: &str) {
        if self.is_over {
            return;
        }
        let line = line.trim_start();
        if let Some((_, call)) = line.split_once("call ") {
            match assertion(call, all, text) {
                Some(assertion) => self.found.push(assertion),
                None => self.is_over = !call.contains("@llvm."),
            }
        } else if let Some(stored) = line.strip_prefix("store ") {
            let target = stored.split(", ptr ").nth(1).unwrap_or_default();
            let target = target.split(',').next().unwrap_or_default();
            let is_first = self.stored.insert(target.to_string());
            self.is_over = !(values.is_local(target) && is_first);
        } else {
            let reads_global = line.contains(" load ") && line.contains("ptr @");
            self.is_over =
                reads_global || line.starts_with("invoke ") || line.contains(" atomicrmw ");
        }
    }
}

fn assertion(call: &str, all: &Metadata, text: &str) -> Option<Assertion> {
    let (_, arguments) = call.split_once(&format!("@{FAILS}(ptr noundef "))?;
    let place = all.get(reference(call.rsplit_once("!dbg ")?.1.split(',').next()?)?)?;
    let name = arguments.split(',').next()?;
    let start = format!("{name} = ");
    let constant = text.lines().find(|line| line.starts_with(&start))?;
    let (_, literal) = constant.split_once(" c\"")?;
    let literal = literal.split('"').next()?;
    Some(Assertion {
        line: u32::try_from(place.number("line")?).ok()?,
        expression: unescaped(literal.strip_suffix("\\00")?),
    })
}

/// Returns a literal of LLVM without its escapes.
fn unescaped(literal: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = literal.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || {
            char::from(rest.next().unwrap_or(b'0'))
                .to_digit(16)
                .unwrap_or(0) as u8
        };
        bytes.push(if byte == b'\\' {
            16 * digit() + digit()
        } else {
            byte
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        "@.str = private unnamed_addr constant [8 x i8] c\"c == \\22\\22\\00\", align 1\n",
        "!5 = !DILocation(line: 10, column: 3, scope: !4)\n",
    );

    fn found(lines: &[&str]) -> usize {
        let all = Metadata::read(TEXT);
        let mut values = Values::default();
        let mut beginning = Beginning::new();
        for line in lines {
            values.note(line);
            beginning.read(line, &values, &all, TEXT);
        }
        beginning.found.len()
    }

    #[test]
    fn only_assertions_about_parameters_count() {
        let fails = "  call void @__assert_fail(ptr noundef @.str, ptr noundef @.f, i32 noundef 10, \
                     ptr noundef @.p) #3, !dbg !5";
        let local = [
            "  %2 = alloca i32, align 4",
            "  store i32 %0, ptr %2, align 4",
        ];
        assert_eq!(found(&[local[0], local[1], fails, fails]), 2);
        assert_eq!(found(&[local[0], local[1], local[1], fails]), 0);
        assert_eq!(found(&["  %3 = load i32, ptr @g, align 4", fails]), 0);
        assert_eq!(found(&["  %3 = call i32 @next(), !dbg !5", fails]), 0);
        assert_eq!(found(&["  store i32 1, ptr %9, align 4", fails]), 0);
        let all = Metadata::read(TEXT);
        let one = assertion(fails.trim_start().trim_start_matches("call "), &all, TEXT);
        let one = one.expect("an assertion");
        assert_eq!((one.line, one.expression.as_str()), (10, "c == \"\""));
    }
}
