//! Response files (`@FILE`): arguments of a command line that a file contains.
//!
//! Invariant: words come out as GNU's tools and LLVM's command lines read them: separated by white
//! space, with quotes of both kinds, in which a backslash takes the next character, too, and no
//! comments; a shell reads otherwise. `@FILE` of a file that is not there is an ordinary word.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Files that name each other end here.
const DEPTH: usize = 16;

/// Returns the arguments, with response files replaced by their contents.
pub fn expand(words: &[OsString]) -> Vec<OsString> {
    let mut all = Vec::new();
    for word in words {
        add(word, 0, &mut all);
    }
    all
}

fn add(word: &OsStr, depth: usize, all: &mut Vec<OsString>) {
    let file = word.as_bytes().strip_prefix(b"@");
    let content = file
        .filter(|_| depth < DEPTH)
        .and_then(|file| std::fs::read(OsStr::from_bytes(file)).ok());
    match content {
        Some(content) => {
            for word in split(&content) {
                add(&word, depth + 1, all);
            }
        }
        None => all.push(word.to_os_string()),
    }
}

fn split(content: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (b'\'' | b'"', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, Some(open)) if byte == open => quote = None,
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_gcc_and_klee_do() {
        let words = split(b"-c  'a b.c'\n\"-DX=\\\"1\\\"\" c\\ d -o''x '' 'it\\'s' #e");
        let expected = ["-c", "a b.c", "-DX=\"1\"", "c d", "-ox", "", "it's", "#e"];
        assert_eq!(words, expected);
    }

    #[test]
    fn files_name_files() {
        let directory = tempfile::tempdir().unwrap();
        let (outer, inner) = (directory.path().join("outer"), directory.path().join("in"));
        std::fs::write(&outer, format!("-c @{} @missing", inner.display())).unwrap();
        std::fs::write(&inner, "a.c").unwrap();
        let word = OsString::from(format!("@{}", outer.display()));
        assert_eq!(expand(&[word]), ["-c", "a.c", "@missing"]);
        let itself = OsString::from(format!("@{}", inner.display()));
        std::fs::write(&inner, &*itself.to_string_lossy()).unwrap();
        assert_eq!(expand(std::slice::from_ref(&itself)), [itself]);
    }
}
