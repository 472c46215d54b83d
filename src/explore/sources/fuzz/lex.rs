//! Tokens of a text whose language is unknown: words, numbers, strings, operators and blanks, as
//! most languages have them.
//!
//! Invariant: the tokens of a text are its bytes in order, without gaps.

use super::dictionary::is_name;
use std::ops::Range;

/// Operators of two characters.
const OPERATORS: &[&[u8; 2]] = &[
    b"==", b"!=", b"<=", b">=", b"&&", b"||", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=",
    b"^=", b"<<", b">>", b"->", b"=>", b"::", b"..", b"//", b"**", b"!~", b"?:", b":=", b"<-",
];
/// Brackets that belong together.
const BRACKETS: &[(u8, u8)] = &[(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>')];
/// Signs that end or part statements and items.
const SEPARATORS: &[u8] = b";,\n|&";

/// Class of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Word,
    Number,
    /// A quoted string on one line.
    Quoted,
    Operator,
    Blank,
}

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub(super) class: Class,
    pub(super) text: &'t [u8],
}

impl<'t> Token<'t> {
    /// The token that these bytes are, by their beginning.
    pub(super) fn of(text: &'t [u8]) -> Self {
        let class = text.first().map_or(Class::Blank, |byte| class_of(*byte));
        Self { class, text }
    }

    fn sign(self) -> Option<u8> {
        (self.text.len() == 1).then(|| self.text[0])
    }

    /// True for a token after which a statement or an item ends.
    pub(super) fn separates(self) -> bool {
        self.text.iter().any(|byte| SEPARATORS.contains(byte)) && self.class != Class::Quoted
    }
}

fn class_of(byte: u8) -> Class {
    match byte {
        b'0'..=b'9' => Class::Number,
        b'"' | b'\'' | b'`' => Class::Quoted,
        byte if byte.is_ascii_whitespace() => Class::Blank,
        byte if is_name(byte) || byte >= 0x80 => Class::Word,
        _ => Class::Operator,
    }
}

fn is_in_word(byte: u8) -> bool {
    is_name(byte) || byte >= 0x80
}

/// Length of the token that a text, which is not empty, begins with, and its class.
fn first(text: &[u8]) -> (Class, usize) {
    let run = |is_in: &dyn Fn(u8) -> bool| text.iter().take_while(|byte| is_in(**byte)).count();
    match class_of(text[0]) {
        Class::Number => (Class::Number, run(&|byte| is_in_word(byte) || byte == b'.')),
        Class::Blank => (Class::Blank, run(&|byte| byte.is_ascii_whitespace())),
        Class::Word => (Class::Word, run(&is_in_word)),
        Class::Quoted => match closing_quote(text) {
            Some(end) => (Class::Quoted, end + 1),
            None => (Class::Operator, 1),
        },
        Class::Operator => {
            let two = OPERATORS.iter().any(|one| text.starts_with(&one[..]));
            (Class::Operator, if two { 2 } else { 1 })
        }
    }
}

/// The position of the quote that ends a string on the same line.
fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut place = 1;
    while place < text.len() {
        match text[place] {
            b'\\' => place += 1,
            b'\n' => return None,
            byte if byte == text[0] => return Some(place),
            _ => {}
        }
        place += 1;
    }
    None
}

/// All tokens of a text.
pub(super) fn tokens(text: &[u8]) -> Vec<Token<'_>> {
    let mut rest = text;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (class, length) = first(rest);
        let (text, after) = rest.split_at(length);
        found.push(Token { class, text });
        rest = after;
    }
    found
}

/// The token that closes the bracket at a position, both as positions of tokens.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let sign = tokens[open].sign()?;
    let (_, close) = BRACKETS.iter().find(|(open, _)| *open == sign)?;
    let mut depth = 0usize;
    for (number, token) in tokens.iter().enumerate().skip(open) {
        if token.sign() == Some(sign) {
            depth += 1;
        } else if token.sign() == Some(*close) {
            depth -= 1;
            if depth == 0 {
                return Some(number);
            }
        }
    }
    None
}

/// The contents of the first brackets from a place on, as a range of tokens without the brackets.
pub(super) fn bracketed_at(tokens: &[Token<'_>], place: usize) -> Option<Range<usize>> {
    let mut opens = place..tokens.len();
    opens.find_map(|open| closing(tokens, open).map(|close| open + 1..close))
}

/// The statements or items of a text, as ranges of tokens with their separator.
pub(super) fn statements(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        let is_last = number + 1 == tokens.len();
        if token.separates() || is_last {
            found.push(start..number + 1);
            start = number + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let all = tokens(text.as_bytes()).into_iter();
        all.map(|token| std::str::from_utf8(token.text).expect("text"))
            .collect()
    }

    #[test]
    fn tokens_are_words_numbers_strings_operators_and_blanks() {
        assert_eq!(
            texts("if (a1>=0x1f) p \"b\\\" c\";\n"),
            [
                "if",
                " ",
                "(",
                "a1",
                ">=",
                "0x1f",
                ")",
                " ",
                "p",
                " ",
                "\"b\\\" c\"",
                ";",
                "\n"
            ]
        );
        assert_eq!(texts("it's"), ["it", "'", "s"]);
        assert_eq!(texts("1.5e3..x"), ["1.5e3..x"]);
        assert!(texts("").is_empty());
    }

    #[test]
    fn brackets_and_statements_are_found() {
        let text = tokens(b"f(a,(b)){c;d}[");
        let spell = |range: Range<usize>| -> String {
            let pieces = text[range].iter();
            pieces
                .map(|token| String::from_utf8_lossy(token.text).to_string())
                .collect()
        };
        let inner = [0, 2, 5, 10].map(|place| bracketed_at(&text, place).map(spell));
        let inner = inner.each_ref().map(Option::as_deref);
        assert_eq!(inner, [Some("a,(b)"), Some("b"), Some("c;d"), None]);
        let parts: Vec<String> = statements(&text).into_iter().map(spell).collect();
        assert_eq!(parts, ["f(a,", "(b)){c;", "d}["]);
    }
}
