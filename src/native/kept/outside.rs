//! Texts that may name a file outside of a test's directory.

/// True if a text has an absolute path or one that goes up, also as a part of it (`of=/dev/sda`,
/// `-o/etc/x`).
///
/// A slash begins an absolute path unless it stands behind a letter, digit, dot or minus sign, and
/// a text that begins with a minus sign may have a path behind any letter.
pub(super) fn leads_outside(text: &[u8]) -> bool {
    let goes_up = text
        .split(|byte| !is_of_a_name(*byte))
        .any(|part| part == b"..");
    let is_option = text.first() == Some(&b'-');
    let is_absolute = text.iter().enumerate().any(|(at, byte)| {
        let before = at.checked_sub(1).map(|at| text[at]);
        *byte == b'/' && (is_option || !before.is_some_and(is_of_a_name))
    });
    goes_up || is_absolute
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
}
