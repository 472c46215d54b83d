//! The source text of a branch's condition.
//!
//! Idea: clang places a branch at the first character of its condition, at the keyword of its
//! statement, or at the `&&` or `||` behind it. The text is read from there.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Longest text that is looked at, in bytes.
const MOST: usize = 400;

/// Sources, read when first needed.
#[derive(Default)]
pub(super) struct SourceTexts {
    /// Directories in which relative names are looked for after the current one.
    roots: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Option<String>>,
}

impl SourceTexts {
    pub(super) fn with_roots(roots: Vec<PathBuf>) -> Self {
        Self {
            roots,
            files: BTreeMap::new(),
        }
    }

    /// Returns the condition at a line and column (from 1) of a file; `None` if it cannot be read.
    pub(super) fn condition(&mut self, file: &str, line: u32, column: u32) -> Option<String> {
        let text = self.text(file)?;
        condition_at(text, line, column)
    }

    /// Returns the labels of the cases of a switch at a line and column.
    pub(super) fn labels(&mut self, file: &str, line: u32, column: u32) -> Vec<String> {
        let text = self.text(file).unwrap_or_default();
        offset(text, line, column).map_or_else(Vec::new, |at| labels_in(&text[at..]))
    }

    /// Returns the operands of the condition of the statement in a line, from left to right.
    pub(super) fn conditions_of_line(&mut self, file: &str, line: u32) -> Vec<String> {
        let text = self.line(file, line).unwrap_or_default();
        let starts = text.char_indices().map(|(at, _)| at);
        let mut starts = starts.filter(|at| {
            let before = text[..*at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
        });
        let whole = starts.find_map(|at| {
            let rest = &text[at..];
            let inside = &rest[rest.find('(')?..];
            match keyword(rest)? {
                "for" => {
                    let second = &inside[1 + end_of(&inside[1..], b";")? + 1..];
                    Some(&second[..end_of(second, b";")?])
                }
                "do" => None,
                _ => inside_parentheses(inside),
            }
        });
        let mut rest = whole.or_else(|| before_question(&text)).unwrap_or_default();
        let mut operands = Vec::new();
        while !rest.is_empty() {
            let last = last_operand(rest);
            operands.push(one_line(last));
            let before = rest.len() - last.len();
            rest = rest.get(..before.saturating_sub(2)).unwrap_or_default();
        }
        operands.reverse();
        operands
    }

    /// Returns a line without its indentation.
    pub(super) fn line(&mut self, file: &str, line: u32) -> Option<String> {
        let text = self.text(file)?;
        let line = text.lines().nth(line.checked_sub(1)? as usize)?;
        Some(line.trim().to_string())
    }

    fn text(&mut self, file: &str) -> Option<&str> {
        let roots = &self.roots;
        let read = || {
            let places = roots.iter().map(|root| root.join(file));
            let mut places = std::iter::once(PathBuf::from(file)).chain(places);
            let bytes = places.find_map(|place| fs::read(place).ok())?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let text = self.files.entry(PathBuf::from(file)).or_insert_with(read);
        text.as_deref()
    }
}

fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let at = start + column.checked_sub(1)? as usize;
    text.is_char_boundary(at).then_some(at)
}

fn condition_at(text: &str, line: u32, column: u32) -> Option<String> {
    let at = offset(text, line, column)?;
    let rest = &text[at..];
    if rest.starts_with("&&") || rest.starts_with("||") {
        return Some(one_line(operand_before(&text[..at])));
    }
    let whole = match keyword(rest) {
        Some("for") => {
            let inside = &rest[rest.find('(')? + 1..];
            let first = end_of(inside, b";")?;
            let second = &inside[first + 1..];
            &second[..end_of(second, b";")?]
        }
        Some("do") => return None,
        Some(_) => inside_parentheses(&rest[rest.find('(')?..])?,
        None if rest.starts_with('}') => inside_parentheses(&rest[rest.find('(')?..])?,
        None => &rest[..end_of(rest, b");{?,")?],
    };
    Some(one_line(last_operand(whole)))
}

fn keyword(text: &str) -> Option<&'static str> {
    ["for", "while", "if", "switch", "do"]
        .into_iter()
        .find(|word| {
            let rest = text.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
}

fn inside_parentheses(text: &str) -> Option<&str> {
    let inside = text.get(1..)?;
    Some(&inside[..end_of(inside, b")")?])
}

/// Place of the first of some bytes outside of parentheses and quotes.
fn end_of(text: &str, ends: &[u8]) -> Option<usize> {
    outside_nesting(text).find_map(|(at, byte)| ends.contains(&byte).then_some(at))
}

/// The bytes outside of parentheses, brackets and quotes, with their places. A parenthesis that
/// closes what the text does not open is among them.
fn outside_nesting(text: &str) -> impl Iterator<Item = (usize, u8)> + '_ {
    let (mut depth, mut quote, mut is_escaped) = (0u32, None, false);
    let bytes = text.bytes().enumerate().take(MOST);
    bytes.filter(move |(_, byte)| {
        if let Some(open) = quote {
            if is_escaped {
                is_escaped = false;
            } else if *byte == b'\\' {
                is_escaped = true;
            } else if *byte == open {
                quote = None;
            }
            return false;
        }
        match byte {
            b'\'' | b'"' => quote = Some(*byte),
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth > 0 => depth -= 1,
            _ => return depth == 0,
        }
        false
    })
}

/// The operand behind the last `&&` or `||`.
fn last_operand(text: &str) -> &str {
    let places: Vec<(usize, u8)> = outside_nesting(text).collect();
    let mut pairs = places.windows(2).rev();
    let last = pairs.find(|pair| {
        let is_pair = pair[0].0 + 1 == pair[1].0 && pair[0].1 == pair[1].1;
        is_pair && matches!(pair[0].1, b'&' | b'|')
    });
    last.map_or(text, |pair| &text[pair[1].0 + 1..])
}

/// The condition of `?:` in a line.
fn before_question(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut start = 0;
    for (at, byte) in outside_nesting(text) {
        match byte {
            b'?' => {
                let condition = text[start..at].trim();
                return Some(condition.strip_prefix("return ").unwrap_or(condition));
            }
            b';' | b'{' | b'}' => start = at + 1,
            b'=' if is_assignment(bytes, at) => start = at + 1,
            _ => {}
        }
    }
    None
}

/// True if an equals sign is no part of a comparison.
fn is_assignment(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    bytes.get(at + 1) != Some(&b'=') && !matches!(before, Some(b'=' | b'!' | b'<' | b'>'))
}

/// The operand that ends with a text: it begins behind an operator, an open parenthesis, a
/// semicolon or an assignment.
fn operand_before(text: &str) -> &str {
    let mut depth = 0u32;
    let bytes = text.as_bytes();
    let lowest = text.len().saturating_sub(MOST);
    let mut at = bytes.len();
    while at > lowest {
        at -= 1;
        let byte = bytes[at];
        let is_operator = at > 0 && matches!(byte, b'&' | b'|') && bytes[at - 1] == byte;
        let is_border = is_operator || byte == b'=' && is_assignment(bytes, at);
        match byte {
            b'\'' | b'"' => at = opening_quote(bytes, at),
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            b'(' | b';' | b'{' | b'}' | b'?' if depth == 0 => return &text[at + 1..],
            _ if depth == 0 && is_border => return &text[at + 1..],
            _ => {}
        }
    }
    text.get(lowest..).unwrap_or_default()
}

/// The place of the quote that opens what the one at `at` closes.
fn opening_quote(bytes: &[u8], at: usize) -> usize {
    let is_escaped = |at: usize| {
        let before = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\');
        before.count() % 2 == 1
    };
    let before = (0..at).rev();
    let mut quotes = before.filter(|place| bytes[*place] == bytes[at] && !is_escaped(*place));
    quotes.next().unwrap_or(0)
}

/// The labels of a switch: one entry for each group of cases that follow each other.
fn labels_in(text: &str) -> Vec<String> {
    let Some(open) = text.find('{') else {
        return Vec::new();
    };
    let mut labels = Vec::new();
    let mut depth = 0;
    let mut was_label = false;
    for line in text[open..].lines() {
        let trimmed = line.trim();
        depth += line.matches('{').count();
        depth = depth.saturating_sub(line.matches('}').count());
        let label = trimmed.strip_prefix("case ");
        if let Some((label, rest)) = label.and_then(|label| label.split_once(':')) {
            if !was_label {
                labels.push(label.trim().to_string());
            }
            was_label = rest.trim().is_empty();
        } else if !trimmed.is_empty() {
            was_label = false;
        }
        if depth == 0 {
            break;
        }
    }
    labels
}

/// The text with its white space reduced.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The condition at the place of the mark `@`, which is removed.
    fn at(text: &str) -> Option<String> {
        let place = text.find('@').expect("a mark");
        let line = text[..place].matches('\n').count() as u32 + 1;
        let start = text[..place].rfind('\n').map_or(0, |at| at + 1);
        condition_at(&text.replace('@', ""), line, (place - start) as u32 + 1)
    }

    #[test]
    fn conditions_are_read_where_clang_places_them() {
        let cases = [
            ("if (@argc < 2)\n return", "argc < 2"),
            ("for (i = 0; i < v @&& f(i, ';'); i++)", "i < v"),
            ("@for (i = 0; i < v && f(i, ';'); i++)", "f(i, ';')"),
            ("if (p->low > i @&&\n  !strcmp(a, \")\"))", "p->low > i"),
            (
                "if (@p->low > i &&\n  !strcmp(a, \")\"))",
                "!strcmp(a, \")\")",
            ),
            ("@while (v-- > 0) {", "v-- > 0"),
            ("do { v++; @} while (v < 2);", "v < 2"),
            ("z = argc > 3 @|| v == 1;", "argc > 3"),
            ("if (c == '(' @|| c == '\\'')", "c == '('"),
            ("if (f(\"(\") && c == '\\'' @|| d)", "c == '\\''"),
            ("z = @argc > 3 || (v == 1);", "(v == 1)"),
            ("@switch (c[0]) {", "c[0]"),
            ("x = @a == 3 ? b : c;", "a == 3"),
        ];
        for (text, expected) in cases {
            assert_eq!(at(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(condition_at("x", 7, 1), None);
    }

    #[test]
    fn a_line_has_the_operands_of_its_condition() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("a.c");
        fs::write(
            &file,
            "x\n  if (a < 1 && f(b || c) || !d)\nfor (;i < 3;) if (e)\nnotif(x)\nint y = *x == '?' ? 1 : 2;\n",
        )
        .expect("written");
        let file = file.display().to_string();
        let mut texts = SourceTexts::default();
        assert_eq!(
            texts.conditions_of_line(&file, 2),
            ["a < 1", "f(b || c)", "!d"]
        );
        assert_eq!(texts.conditions_of_line(&file, 3), ["i < 3"]);
        assert!(texts.conditions_of_line(&file, 4).is_empty());
        assert_eq!(texts.conditions_of_line(&file, 5), ["*x == '?'"]);
    }

    #[test]
    fn labels_of_one_block_are_one() {
        let text = "switch (c) {\ncase 'a':\ncase 'b': x(); break;\n\ncase 1: {\n y(); }\n\
                    default: z();\n}\ncase 9:";
        assert_eq!(labels_in(text), ["'a'", "1"]);
    }
}
