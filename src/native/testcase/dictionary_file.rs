//! AFL's dictionaries: lines `name="token"`, in which `\xNN` is a byte.
//! <https://github.com/AFLplusplus/AFLplusplus/blob/stable/dictionaries/README.md>
//!
//! Invariant: what `write` makes, `parse` reads back.

use std::fmt::Write as _;

/// Most bytes of a token, as in AFL.
const LONGEST: usize = 128;

/// A line that is no token.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}; expected name=\"token\", with \\xNN, \\\\ and \\\" for bytes")]
pub struct DictionaryError {
    /// From 1.
    pub line: usize,
    pub reason: String,
}

/// Returns the tokens of a dictionary whose level is at most `level`. A line
/// `name@LEVEL="token"` has a level, the others have level 0.
pub fn parse(text: &[u8], level: u32) -> Result<Vec<Vec<u8>>, DictionaryError> {
    let mut tokens = Vec::new();
    for (number, line) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() || line[0] == b'#' {
            continue;
        }
        let failed = |reason: String| DictionaryError {
            line: number,
            reason,
        };
        let (of, token) = entry(line).map_err(failed)?;
        if of <= level {
            tokens.push(token);
        }
    }
    Ok(tokens)
}

/// The level and the token of a line.
fn entry(line: &[u8]) -> Result<(u32, Vec<u8>), String> {
    let quote = line.iter().position(|byte| *byte == b'"');
    let (head, quoted) = line.split_at(quote.ok_or("the token has no quotes")?);
    let inner = quoted[1..].strip_suffix(b"\"");
    let token = unescaped(inner.ok_or("the line does not end with a quote")?)?;
    match token.len() {
        0 => Err("the token is empty".to_string()),
        1..=LONGEST => Ok((level(head.trim_ascii())?, token)),
        length => Err(format!("the token has {length} bytes, more than {LONGEST}")),
    }
}

/// The level in what stands before a token: nothing, `name=` or `name@LEVEL=`.
fn level(head: &[u8]) -> Result<u32, String> {
    if head.is_empty() {
        return Ok(0);
    }
    let name = head.strip_suffix(b"=").ok_or("no = before the token")?;
    let name = std::str::from_utf8(name.trim_ascii()).map_err(|_| "the name is no text")?;
    let (name, level) = name.split_once('@').unwrap_or((name, "0"));
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if !name.chars().all(is_name) {
        return Err(format!(
            "the name {name:?} has other signs than letters, digits and _"
        ));
    }
    let refused = |_| format!("the level {level:?} is not a number");
    level.trim().parse().map_err(refused)
}

fn unescaped(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = text.iter().copied();
    let mut token = Vec::new();
    while let Some(byte) = bytes.next() {
        token.push(match byte {
            b'\\' => match bytes.next() {
                Some(sign @ (b'\\' | b'"')) => sign,
                Some(b'x') => {
                    let mut digit = || char::from(bytes.next()?).to_digit(16);
                    let value = digit().zip(digit()).map(|(high, low)| high * 16 + low);
                    value.ok_or("\\x needs two hexadecimal digits")? as u8
                }
                _ => return Err("a backslash stands before another sign".to_string()),
            },
            b'"' => return Err("a quote within the token needs a backslash".to_string()),
            b' '..=b'~' => byte,
            other => return Err(format!("the byte 0x{other:02x} must be \\x{other:02x}")),
        });
    }
    Ok(token)
}

/// Lines for tokens, named after what they are and numbered from 1.
pub fn write<'t>(name: &str, tokens: impl IntoIterator<Item = &'t [u8]>) -> String {
    let mut text = String::new();
    for (number, token) in (1..).zip(tokens) {
        let _ = write!(text, "{name}_{number}=\"");
        for byte in token {
            let _ = match byte {
                b'\\' | b'"' => write!(text, "\\{}", char::from(*byte)),
                b' '..=b'~' => write!(text, "{}", char::from(*byte)),
                other => write!(text, "\\x{other:02x}"),
            };
        }
        text.push_str("\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_levels_comments_and_escapes_are_read() {
        let text = b"# words\n\nif=\"if\"\r\n  \"bare\"\nx = \"a\\x00\\\"\\\\b\" \nslow@2=\"s#=\"";
        let all: [&[u8]; 4] = [b"if", b"bare", b"a\0\"\\b", b"s#="];
        assert_eq!(parse(text, 2).unwrap(), all);
        assert_eq!(parse(text, 1).unwrap(), all[..3]);
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, line, reason) in [
            ("\nif", 2, "no quotes"),
            ("a=\"x\"\n\nb=\"x", 3, "end with a quote"),
            ("a=\"x\" # no", 1, "end with a quote"),
            ("a=\"\\x4\"", 1, "hexadecimal"),
            ("a=\"\\n\"", 1, "backslash"),
            ("a=\"\"", 1, "empty"),
            ("a\"x\"", 1, "no ="),
            ("a@b=\"x\"", 1, "level"),
            ("a b=\"x\"", 1, "name"),
            ("a=\"\t\"", 1, "0x09"),
            ("a=\"b\"c\"", 1, "quote within"),
        ] {
            let error = parse(text.as_bytes(), 9).unwrap_err();
            assert_eq!(error.line, line, "{text}");
            assert!(error.reason.contains(reason), "{text}: {error}");
        }
        let long = format!("a=\"{}\"", "x".repeat(LONGEST + 1));
        assert!(parse(long.as_bytes(), 0).is_err());
    }

    #[test]
    fn what_is_written_is_read_back() {
        let tokens: Vec<Vec<u8>> = vec![b"while".to_vec(), (0..=127).collect(), vec![255, b'"']];
        let text = write("word", tokens.iter().map(Vec::as_slice));
        assert!(text.starts_with("word_1=\"while\"\nword_2=\"\\x00"));
        assert_eq!(parse(text.as_bytes(), 0).unwrap(), tokens);
    }
}
