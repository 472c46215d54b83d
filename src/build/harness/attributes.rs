//! Attributes that clang drops, from the text of the sources: `access`,
//! `null_terminated_string_arg` and `counted_by`.
//!
//! Invariant: no guess. A declaration that the scanner does not understand has no attributes, and
//! an attribute behind a macro is not seen.

use super::metadata::Metadata;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files that are read at most: the sources of a program, and headers that they include.
const MOST_FILES: usize = 256;

/// An attribute of a parameter, which is counted from zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Attribute {
    /// The parameter points to as many elements as another one says.
    Elements { parameter: usize, count: usize },
    /// The parameter points to a string.
    Text { parameter: usize },
}

/// The attributes in some sources.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Attributes {
    /// Attributes of parameters by the name of the function.
    pub(super) of_functions: BTreeMap<String, Vec<Attribute>>,
    /// Members that count the elements of others, by the names of record and other.
    pub(super) counts: BTreeMap<(String, String), String>,
}

impl Attributes {
    /// Reads the sources that debug information names, and headers beside them.
    pub(super) fn of_program(all: &Metadata) -> Self {
        let mut found = Self::default();
        let mut open = files(all);
        let mut seen = BTreeSet::new();
        while let Some(file) = open.pop() {
            if seen.len() == MOST_FILES || !seen.insert(file.clone()) {
                continue;
            }
            // Sources need not be there.
            let text = std::fs::read(&file).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let directory = file.parent().unwrap_or(Path::new("."));
            open.extend(included(&text).map(|name| directory.join(name)));
            found.read(&text);
        }
        found
    }

    /// Adds the attributes in a source.
    fn read(&mut self, text: &str) {
        if !["access", "null_terminated_string_arg", "counted_by"]
            .iter()
            .any(|name| text.contains(name))
        {
            return;
        }
        let words = words(text);
        let mut start = 0;
        let mut at = 0;
        while at < words.len() {
            match words[at] {
                ";" => {
                    self.read_function(&words[start..at]);
                    start = at + 1;
                }
                "{" => {
                    let end = closing(&words, at);
                    let head = &words[start..at];
                    let record = head
                        .iter()
                        .position(|word| matches!(*word, "struct" | "union"));
                    match record {
                        Some(record) if !head.contains(&"(") => {
                            let name = head.get(record + 1).copied();
                            let name = name.or_else(|| words.get(end + 1).copied());
                            self.read_record(name.unwrap_or_default(), &words[at + 1..end]);
                        }
                        _ => self.read_function(head),
                    }
                    at = end;
                    start = end + 1;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads the declaration of a function.
    fn read_function(&mut self, words: &[&str]) {
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let list = || arguments(words, at + 1);
            let place = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
            match word.trim_matches('_') {
                "access" => {
                    if let [_, parameter, count] = list()[..]
                        && let (Some(parameter), Some(count)) = (place(parameter), place(count))
                    {
                        found.push(Attribute::Elements { parameter, count });
                    }
                }
                "null_terminated_string_arg" => {
                    if let [parameter] = list()[..]
                        && let Some(parameter) = place(parameter)
                    {
                        found.push(Attribute::Text { parameter });
                    }
                }
                _ => {}
            }
        }
        if let Some(name) = declared(words).filter(|_| !found.is_empty()) {
            self.of_functions.insert(name.to_string(), found);
        }
    }

    /// Reads the members of a record.
    fn read_record(&mut self, record: &str, words: &[&str]) {
        for member in words.split(|word| *word == ";") {
            let attribute = member
                .iter()
                .position(|word| word.trim_matches('_') == "counted_by");
            let Some(at) = attribute else { continue };
            let before = member[..at].iter().rev();
            let mut names = before.filter(|word| is_name(word) && !word.contains("attribute"));
            if let ([count], Some(name)) = (&arguments(member, at + 1)[..], names.next()) {
                let key = (record.to_string(), (*name).to_string());
                self.counts.insert(key, (*count).to_string());
            }
        }
    }
}

/// Returns the files that debug information names.
fn files(all: &Metadata) -> Vec<PathBuf> {
    let nodes = all.numbered().filter(|(_, node)| node.kind == "DIFile");
    let found = nodes.filter_map(|(_, node)| {
        let directory = Path::new(node.field("directory").unwrap_or_default());
        Some(directory.join(node.field("filename")?))
    });
    found.collect()
}

/// Returns the names in `#include "name"`.
fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix('#')?.trim_start();
        let (_, name) = line.strip_prefix("include")?.split_once('"')?;
        name.split('"').next()
    })
}

/// Returns the words and signs of a source, without comments, literals and directives.
fn words(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut is_line_start) = (0, true);
    let until = |from: usize, end: &str| {
        let rest = text.get(from..).unwrap_or_default();
        rest.find(end)
            .map_or(text.len(), |found| from + found + end.len())
    };
    while at < bytes.len() {
        let byte = bytes[at];
        let rest = &bytes[at..];
        if rest.starts_with(b"/*") {
            at = until(at + 2, "*/");
        } else if rest.starts_with(b"//") {
            at = until(at, "\n");
        } else if byte == b'#' && is_line_start {
            let mut end = until(at, "\n");
            while text[at..end].trim_end().ends_with('\\') && end < text.len() {
                end = until(end, "\n");
            }
            at = end;
        } else if byte == b'"' || byte == b'\'' {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != byte {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            at = end + 1;
        } else if byte.is_ascii_alphanumeric() || byte == b'_' {
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let length = rest.iter().take_while(|byte| is_part(byte)).count();
            found.push(&text[at..at + length]);
            at += length;
            is_line_start = false;
        } else {
            is_line_start = byte == b'\n' || (is_line_start && byte.is_ascii_whitespace());
            if byte.is_ascii_punctuation() {
                found.push(&text[at..=at]);
            }
            at += 1;
        }
    }
    found
}

/// Returns the place of the bracket that closes the one at a place; the end if none does.
fn closing(words: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(open) {
        match *word {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    words.len()
}

/// Returns the single words between the brackets that begin at a place.
fn arguments<'w>(words: &[&'w str], open: usize) -> Vec<&'w str> {
    if words.get(open) != Some(&"(") {
        return Vec::new();
    }
    let list = words
        .get(open + 1..closing(words, open))
        .unwrap_or_default();
    let parts = list.split(|word| *word == ",");
    parts
        .map(|part| if let [word] = part { *word } else { "" })
        .collect()
}

/// Returns the name of the function that words declare: the first one before a bracket.
fn declared<'w>(words: &[&'w str]) -> Option<&'w str> {
    let mut at = 0;
    while at < words.len() {
        match words[at] {
            "__attribute__" | "__attribute" | "[" => {
                at = closing(words, at + usize::from(words[at] != "["))
            }
            "(" => {
                let name = words.get(at.checked_sub(1)?)?;
                return is_name(name).then_some(*name);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_from_the_text() {
        let text = concat!(
            "#define F __attribute__((access(read_only, 9, 9)))\n",
            "/* int no(int *p) __attribute__((access(read_only, 1))); */\n",
            "struct list { int n; int *all __attribute__((counted_by(n))); };\n",
            "typedef struct { long size; char data[] __attribute__((__counted_by__(size))); } bag;\n",
            "__attribute__((access(read_only, 1, 2))) int sum(const int *a, int n);\n",
            "int show(const char *t) __attribute__((null_terminated_string_arg(1)));\n",
            "[[gnu::access(write_only, 2, 1)]] static void fill(unsigned long n, void *to) { char c = '{'; }\n",
        );
        let mut found = Attributes::default();
        found.read(text);
        let of = |name: &str| found.of_functions.get(name).cloned().unwrap_or_default();
        let (parameter, count) = (0, 1);
        assert_eq!(of("sum"), [Attribute::Elements { parameter, count }]);
        assert_eq!(of("show"), [Attribute::Text { parameter }]);
        let (parameter, count) = (1, 0);
        assert_eq!(of("fill"), [Attribute::Elements { parameter, count }]);
        assert_eq!(found.of_functions.len(), 3);
        let count = |record: &str, member: &str| {
            let key = (record.to_string(), member.to_string());
            found.counts.get(&key).cloned()
        };
        assert_eq!(count("list", "all"), Some("n".to_string()));
        assert_eq!(count("bag", "data"), Some("size".to_string()));
    }
}
