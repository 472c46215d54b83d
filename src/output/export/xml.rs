//! Text within XML.
//!
//! Invariant: whatever the text is, the document stays well-formed.

use std::fmt::Write as _;

/// The text as content or as a value of an attribute, see [`visible`].
pub(super) fn escape(text: &str) -> String {
    quick_xml::escape::escape(visible(text)).into_owned()
}

/// The text with each character that XML cannot have written as `\x01`. Nothing is escaped.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' | '\n' => out.push(character),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\x{:02x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn no_character_leaves_its_place() {
        assert_eq!(
            escape("a<b>&\"'\u{1}\u{7f}é"),
            "a&lt;b&gt;&amp;&quot;&apos;\\x01\\x7fé"
        );
    }
}
