//! `@file`: words of the command line that stand in a file.
//!
//! Invariant: a word is left as it is if there is no such file, as KLEE does.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Files that name each other are read so deep.
const DEEPEST: usize = 16;

/// The words with those of files in place of the files' names.
pub(super) fn expand(words: Vec<OsString>) -> Vec<OsString> {
    expand_from(words, 0)
}

fn expand_from(words: Vec<OsString>, depth: usize) -> Vec<OsString> {
    let mut expanded = Vec::with_capacity(words.len());
    for word in words {
        let named = word
            .as_bytes()
            .strip_prefix(b"@")
            .filter(|_| depth < DEEPEST);
        let text = named.and_then(|name| {
            let path = Path::new(std::ffi::OsStr::from_bytes(name));
            std::fs::read_to_string(path).ok()
        });
        match text {
            Some(text) => expanded.extend(expand_from(words_of(&text), depth + 1)),
            None => expanded.push(word),
        }
    }
    expanded
}

/// Words as a shell would see them: quotes keep blanks, a backslash takes the next character.
fn words_of(text: &str) -> Vec<OsString> {
    let (mut words, mut word, mut begun) = (Vec::new(), String::new(), false);
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => {
                begun = true;
                word.extend(characters.next());
            }
            ('\'' | '"', None) => {
                begun = true;
                quote = Some(c);
            }
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => {
                if std::mem::take(&mut begun) {
                    words.push(std::mem::take(&mut word).into());
                }
            }
            (c, _) => {
                begun = true;
                word.push(c);
            }
        }
    }
    if begun {
        words.push(word.into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_file_stand_where_its_name_stood() {
        let directory = tempfile::tempdir().unwrap();
        let (outer, inner) = (
            directory.path().join("outer"),
            directory.path().join("inner"),
        );
        std::fs::write(&outer, format!("--x 'a b'\n@{} \"\"", inner.display())).unwrap();
        std::fs::write(&inner, "c\\ d").unwrap();
        let words = [
            "@missing".into(),
            format!("@{}", outer.display()).into(),
            "e".into(),
        ];
        let expanded = expand(words.to_vec());
        assert_eq!(expanded, ["@missing", "--x", "a b", "c d", "", "e"]);
    }
}
