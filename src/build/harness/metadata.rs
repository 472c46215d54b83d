//! Nodes of debug information in LLVM's text of a module.
//!
//! Idea: in all versions of LLVM the text has one line per node, with the names of its fields; the
//! C interface lacks half of the fields.

use std::collections::HashMap;

/// A node: its kind (`DIBasicType`; empty for a list) and its fields, or the members of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Node {
    pub(super) kind: String,
    fields: Vec<(String, String)>,
}

impl Node {
    /// Returns the text of a field, without quotes.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(known, _)| known == name);
        field.map(|(_, value)| value.trim_matches('"'))
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.field(name)?.parse().ok()
    }

    /// The node that a field refers to.
    pub(super) fn reference(&self, name: &str) -> Option<u32> {
        reference(self.field(name)?)
    }

    /// Returns the members of a list; `None` is `void`.
    fn members(&self) -> Vec<Option<u32>> {
        self.fields
            .iter()
            .map(|(_, value)| reference(value))
            .collect()
    }
}

/// The number in `!12`.
pub(super) fn reference(text: &str) -> Option<u32> {
    text.trim().strip_prefix('!')?.parse().ok()
}

/// All nodes of a module by their numbers.
#[derive(Default, Debug)]
pub(super) struct Metadata(HashMap<u32, Node>);

impl Metadata {
    /// Reads the nodes in LLVM's text of a module.
    pub(super) fn read(text: &str) -> Self {
        Self(text.lines().filter_map(node).collect())
    }

    pub(super) fn get(&self, number: u32) -> Option<&Node> {
        self.0.get(&number)
    }

    /// The node behind a field of another one.
    pub(super) fn follow(&self, node: &Node, field: &str) -> Option<&Node> {
        self.get(node.reference(field)?)
    }

    /// The members of the list behind a field.
    pub(super) fn list(&self, node: &Node, field: &str) -> Vec<Option<u32>> {
        self.follow(node, field)
            .map(Node::members)
            .unwrap_or_default()
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.0.values()
    }

    /// All nodes in the order of their numbers.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, &Node)> {
        let mut all: Vec<_> = self
            .0
            .iter()
            .map(|(number, node)| (*number, node))
            .collect();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter()
    }
}

/// `!12 = distinct !DIBasicType(name: "int", size: 32)` or `!7 = !{!8, !9}`.
fn node(line: &str) -> Option<(u32, Node)> {
    let (number, value) = line.split_once(" = ")?;
    let number = reference(number)?;
    let value = value.strip_prefix("distinct ").unwrap_or(value);
    let value = value.strip_prefix('!')?;
    let (kind, inner) = match value.strip_prefix('{') {
        Some(list) => ("", list.strip_suffix('}')?),
        None => {
            let (kind, inner) = value.split_once('(')?;
            (kind, inner.strip_suffix(')')?)
        }
    };
    let fields = parts(inner).into_iter().map(|part| match kind {
        "" => (String::new(), part.to_string()),
        _ => match part.split_once(": ") {
            Some((name, value)) => (name.to_string(), value.to_string()),
            None => (String::new(), part.to_string()),
        },
    });
    let kind = kind.to_string();
    let fields = fields.collect();
    Some((number, Node { kind, fields }))
}

/// Text between the commas that stand neither in quotes nor in brackets.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0u32, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'{' | b'[' | b'<' => depth += 1,
            b')' | b'}' | b']' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        found.push(last);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_their_fields() {
        let text = "!1 = !DIBasicType(name: \"a, (b\", size: 32, encoding: DW_ATE_signed)\n\
                    !2 = distinct !DISubroutineType(types: !3)\n!3 = !{null, !1}\n!4 = !{i32 7}\n";
        let all = Metadata::read(text);
        let number = all.get(1).expect("a node");
        assert_eq!(number.field("name"), Some("a, (b"));
        assert_eq!(number.number("size"), Some(32));
        let function = all.get(2).expect("a node");
        assert_eq!(all.list(function, "types"), [None, Some(1)]);
    }
}
