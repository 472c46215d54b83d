//! Texts, one in a line, as the shell's `printf %b` reads them.

/// Writes texts, one in a line.
pub(super) fn to_lines(texts: &[Vec<u8>]) -> Vec<u8> {
    let mut lines = String::new();
    for text in texts {
        for byte in text {
            match byte {
                b'\n' => lines.push_str("\\n"),
                b'\t' => lines.push_str("\\t"),
                b'\\' => lines.push_str("\\\\"),
                b' '..=b'~' => lines.push(char::from(*byte)),
                byte => lines.push_str(&format!("\\0{byte:03o}")),
            }
        }
        lines.push('\n');
    }
    lines.into_bytes()
}

/// Reads texts from lines; a last line need not end.
pub(super) fn from_lines(lines: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<&[u8]> = lines.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines.into_iter().map(from_line).collect()
}

fn from_line(line: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = line;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'\\' {
            text.push(*byte);
            continue;
        }
        let Some((kind, after)) = rest.split_first() else {
            text.push(b'\\');
            break;
        };
        rest = after;
        match kind {
            b'n' => text.push(b'\n'),
            b't' => text.push(b'\t'),
            b'\\' => text.push(b'\\'),
            b'0' => {
                let digits = rest.iter().take(3).take_while(|b| matches!(b, b'0'..=b'7'));
                let count = digits.count();
                let value = |value: u32, digit: &u8| value * 8 + u32::from(digit - b'0');
                text.push(rest[..count].iter().fold(0, value) as u8);
                rest = &rest[count..];
            }
            other => text.extend([b'\\', *other]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]
        #[test]
        fn the_shell_and_homi_read_what_was_written(
            texts in proptest::collection::vec(proptest::collection::vec(1..=255u8, 0..6), 0..4)
        ) {
            let lines = to_lines(&texts);
            prop_assert_eq!(from_lines(&lines), texts.clone());
            for text in texts {
                let line = to_lines(std::slice::from_ref(&text));
                let line = String::from_utf8(line).expect("text");
                let output = Command::new("sh")
                    .args(["-c", "printf %b \"$1\"", "sh", line.trim_end_matches('\n')])
                    .output()
                    .expect("a shell");
                prop_assert_eq!(output.stdout, text);
            }
        }
    }
}
