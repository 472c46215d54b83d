//! Responses of the external command: each line is an input of the program.
//!
//! ```text
//! {"question": 3, "arguments": ["-n", {"hex": "00ff"}], "stdin": "a line\n",
//!  "files": {"A": "content"}, "variables": {"LANG": "C"}, "objects": {"key": "text"}}
//! ```
//!
//! Omitted fields are as in the input of the request.

use homi_native::testcase::Invocation;
use homi_native::testcase::ktest::Object;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Bytes: text, or hexadecimal digits where they are none.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Bytes {
    Text(String),
    Hex { hex: String },
}

impl Bytes {
    fn bytes(&self) -> Result<Vec<u8>, String> {
        let hex = match self {
            Self::Text(text) => return Ok(text.clone().into_bytes()),
            Self::Hex { hex } => hex.as_bytes(),
        };
        let digit = |one: u8| char::from(one).to_digit(16);
        let pairs = hex.chunks(2).map(|pair| match pair {
            [high, low] => Some((digit(*high)? * 16 + digit(*low)?) as u8),
            _ => None,
        });
        pairs
            .collect::<Option<_>>()
            .ok_or_else(|| "\"hex\" is not pairs of hexadecimal digits".to_string())
    }
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Candidate {
    pub(super) request: Option<u64>,
    arguments: Option<Vec<Bytes>>,
    stdin: Option<Bytes>,
    #[serde(default)]
    files: BTreeMap<String, Bytes>,
    #[serde(default)]
    variables: BTreeMap<String, Bytes>,
    #[serde(default)]
    objects: BTreeMap<String, Bytes>,
}

impl Candidate {
    /// Err: why it is none.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).map_err(|error| error.to_string())
    }

    /// The whole input, where it has what it leaves out from another one.
    pub(super) fn complete(&self, mut input: Invocation) -> Result<Invocation, String> {
        if let Some(arguments) = &self.arguments {
            let bytes = arguments.iter().map(Bytes::bytes);
            input.arguments = bytes.collect::<Result<_, _>>()?;
        }
        if let Some(stdin) = &self.stdin {
            input.stdin = Some(stdin.bytes()?);
        }
        replace(&mut input.files, &self.files)?;
        replace(&mut input.variables, &self.variables)?;
        for (name, bytes) in &self.objects {
            let bytes = bytes.bytes()?;
            let mut known = input.others.iter_mut();
            match known.find(|object| object.name == name.as_bytes()) {
                Some(object) => {
                    // A longer one is cut by the run.
                    let end = bytes.len().min(object.bytes.len());
                    object.bytes[..end].copy_from_slice(&bytes[..end]);
                    object.bytes[end..].fill(0);
                }
                None => input.others.push(Object {
                    name: name.clone().into_bytes(),
                    bytes,
                }),
            }
        }
        Ok(input)
    }
}

fn replace(
    known: &mut Vec<(Vec<u8>, Vec<u8>)>,
    given: &BTreeMap<String, Bytes>,
) -> Result<(), String> {
    for (name, bytes) in given {
        let bytes = bytes.bytes()?;
        match known.iter_mut().find(|(one, _)| one == name.as_bytes()) {
            Some((_, value)) => *value = bytes,
            None => known.push((name.clone().into_bytes(), bytes)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_leaves_out_is_as_it_was() {
        let before = Invocation {
            arguments: vec![b"-x".to_vec()],
            files: vec![(b"A".to_vec(), b"old".to_vec())],
            stdin: Some(b"in".to_vec()),
            others: vec![Object {
                name: b"key".to_vec(),
                bytes: b"1234".to_vec(),
            }],
            ..Invocation::default()
        };
        let line =
            r#"{"request": 2, "arguments": ["a", {"hex": "00fF"}], "objects": {"key": "z"}}"#;
        let candidate = Candidate::read(line).expect("a candidate");
        assert_eq!(candidate.request, Some(2));
        let input = candidate.complete(before.clone()).expect("an input");
        assert_eq!(input.arguments, [b"a".to_vec(), b"\0\xff".to_vec()]);
        assert_eq!(input.others[0].bytes, b"z\0\0\0");
        assert_eq!((&input.files, &input.stdin), (&before.files, &before.stdin));
        let files = Candidate::read(r#"{"files": {"A": "new", "B": ""}}"#).expect("a candidate");
        let files = files.complete(before).expect("an input").files;
        assert_eq!(
            files,
            [
                (b"A".to_vec(), b"new".to_vec()),
                (b"B".to_vec(), Vec::new())
            ]
        );
    }

    #[test]
    fn garbage_is_refused() {
        for line in ["", "hello", "[]", r#"{"args": []}"#, r#"{"stdin": 3}"#] {
            assert!(Candidate::read(line).is_err(), "{line}");
        }
        let odd = Candidate::read(r#"{"stdin": {"hex": "0"}}"#).expect("bytes");
        assert!(odd.complete(Invocation::default()).is_err());
    }
}
