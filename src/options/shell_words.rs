//! Words in one value, split as a shell splits them.
//!
//! Quotes group, and a backslash takes the next character as it is; nothing is expanded.

/// The words of a text. Err: a quote that is not closed.
pub fn shell_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' | '"' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match characters.next() {
                        None => return Err(format!("the quote {character} is not closed")),
                        Some(end) if end == character => break,
                        Some('\\') if character == '"' => quoted.extend(characters.next()),
                        Some(other) => quoted.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(characters.next()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_group_and_backslashes_escape() {
        for (text, words) in [
            ("-O1  -Wall", vec!["-O1", "-Wall"]),
            ("-DX='a b' \"-DY=\\\"z\\\"\"", vec!["-DX=a b", "-DY=\"z\""]),
            ("a\\ b ''", vec!["a b", ""]),
            ("", Vec::new()),
        ] {
            let split = shell_words(text).expect("its quotes are closed");
            assert_eq!(split, words, "{text}");
        }
        assert!(shell_words("'a").is_err());
    }
}
