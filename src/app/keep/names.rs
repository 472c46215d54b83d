//! Names of cases: conditions as words.

use std::collections::BTreeSet;

/// Longest name in bytes.
const LONGEST: usize = 48;

/// Operators, their words, and the words of their opposites. Longer ones come first.
const OPERATORS: [(&str, &str, &str); 6] = [
    ("==", "is", "is_not"),
    ("!=", "is_not", "is"),
    ("<=", "at_most", "above"),
    (">=", "at_least", "below"),
    ("<", "below", "at_least"),
    (">", "above", "at_most"),
];

/// Characters that have names.
const CHARACTERS: [(&str, &str); 16] = [
    ("'\\n'", " newline "),
    ("'\\t'", " tab "),
    ("'\\0'", " nul "),
    ("'\\\\'", " backslash "),
    ("' '", " space "),
    ("'-'", " minus "),
    ("'+'", " plus "),
    ("'*'", " star "),
    ("'/'", " slash "),
    ("'.'", " dot "),
    ("','", " comma "),
    ("'='", " equals "),
    ("'%'", " percent "),
    ("'('", " parenthesis "),
    ("'\"'", " quote "),
    ("'#'", " hash "),
];

/// Returns the words of a condition that is true or false.
pub(super) fn of_condition(condition: &str, is_true: bool) -> String {
    let mut condition = condition.trim();
    let mut is_true = is_true;
    while let Some(inner) = condition
        .strip_prefix('!')
        .filter(|inner| !inner.starts_with('='))
    {
        (condition, is_true) = (inner.trim(), !is_true);
    }
    if condition.starts_with("strcmp(") {
        let ends = [("== 0", true), ("!= 0", false)];
        if let Some((whole, negates)) = ends
            .iter()
            .find_map(|(end, negates)| Some((condition.strip_suffix(end)?, *negates)))
        {
            condition = whole.trim();
            is_true ^= negates;
        }
    }
    if let Some((left, right)) = compared_texts(condition) {
        let is = if is_true { "is not" } else { "is" };
        return words(&format!("{left} {is} {right}"));
    }
    let readable = named_characters(condition);
    for (operator, word, opposite) in OPERATORS {
        if let Some((left, right)) = split_at(&readable, operator) {
            let word = if is_true { word } else { opposite };
            return words(&format!("{left} {word} {right}"));
        }
    }
    let not = if is_true { "" } else { "not " };
    words(&format!("{not}{readable}"))
}

/// The two texts that a condition compares with `strcmp`, which is true if they differ.
fn compared_texts(condition: &str) -> Option<(&str, &str)> {
    let inside = condition.strip_prefix("strcmp(")?.strip_suffix(')')?;
    inside.split_once(',')
}

/// Splits at the only use of an operator that is no part of another (`->`, `<<`, `<=`).
fn split_at<'a>(text: &'a str, operator: &str) -> Option<(&'a str, &'a str)> {
    let mut places = text.match_indices(operator).filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + operator.len()..].chars().next();
        !matches!(before, Some('-' | '<' | '>' | '=' | '!'))
            && !matches!(after, Some('<' | '>' | '='))
    });
    let (at, _) = places.next()?;
    places
        .next()
        .is_none()
        .then(|| (&text[..at], &text[at + operator.len()..]))
}

fn named_characters(text: &str) -> String {
    CHARACTERS
        .iter()
        .fold(text.to_string(), |text, (character, name)| {
            text.replace(character, name)
        })
}

/// Returns a text as words: letters and digits, joined by `_`.
pub(super) fn words(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut name = String::new();
    for part in parts.filter(|part| !part.is_empty()) {
        if name.len() + part.len() + 1 > LONGEST {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(&part.to_ascii_lowercase());
    }
    name
}

/// Returns a name that is not taken, and takes it.
pub(super) fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let name = if name.is_empty() { "case" } else { name };
    let mut names = (1..).map(|number| match number {
        1 => name.to_string(),
        number => format!("{name}_{number}"),
    });
    let free = names.find(|name| taken.insert(name.clone()));
    free.unwrap_or_else(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_words() {
        let cases = [
            ("value < r->low", true, "value_below_r_low"),
            ("value < r->low", false, "value_at_least_r_low"),
            ("x == '\\n'", true, "x_is_newline"),
            ("p->low >= i", false, "p_low_below_i"),
            ("!strcmp(argv[1], \"-n\")", false, "argv_1_is_not_n"),
            ("strcmp(word, \"x\") == 0", true, "word_is_x"),
            ("p", false, "not_p"),
            ("!p", true, "not_p"),
            ("flags & (1 << 3)", true, "flags_1_3"),
            ("v-- > 0", true, "v_above_0"),
        ];
        for (condition, is_true, expected) in cases {
            assert_eq!(of_condition(condition, is_true), expected, "{condition}");
        }
        assert!(words(&"long ".repeat(40)).len() <= LONGEST);
    }

    #[test]
    fn no_name_is_given_twice() {
        let mut taken = BTreeSet::from(["a".to_string()]);
        assert_eq!(free("a", &mut taken), "a_2");
        assert_eq!(free("", &mut taken), "case");
        assert_eq!(free("a", &mut taken), "a_3");
    }
}
