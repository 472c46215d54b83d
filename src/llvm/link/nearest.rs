//! Definitions of a program similar to a missing function: the nearest name, and the others.
//!
//! Invariant: a mangled name (Itanium's, of C++) is shown with its meaning, and also found by it.

/// A name that is further away is another one.
const FAR: usize = 3;

/// Names that are listed.
const LISTED: usize = 12;

/// Describes `names`, which are sorted, when `wanted` is not among them.
pub(crate) fn candidates(wanted: &str, names: &[String]) -> String {
    let shown: Vec<String> = names.iter().map(|name| shown(name)).collect();
    let list = shown[..shown.len().min(LISTED)].join(", ");
    let list = match names.len() {
        0 => return "it defines no function at all".to_string(),
        count if count <= LISTED => format!("it defines: {list}"),
        count => format!("it defines {count} functions, among them: {list}"),
    };
    match nearest(wanted, names) {
        Some(name) => format!("did you mean {}? {list}", self::shown(name)),
        None => list,
    }
}

/// A name, with what it means if it is mangled.
fn shown(name: &str) -> String {
    match demangled(name) {
        Some(meaning) => format!("{name} ({meaning})"),
        None => name.to_string(),
    }
}

fn nearest<'n>(wanted: &str, names: &'n [String]) -> Option<&'n String> {
    let plain = |name: &str| demangled(name).unwrap_or_else(|| name.to_string());
    // A name of C++ may be given with its parameters, which are not told apart.
    let wanted = wanted.split_once('(').map_or(wanted, |(name, _)| name);
    let meant = plain(wanted);
    let ranked = names.iter().map(|name| {
        let own = plain(name);
        let last = own.rsplit("::").next().unwrap_or(&own);
        let ways = [
            distance(wanted, name),
            distance(&meant, &own),
            distance(&meant, last),
        ];
        (ways.into_iter().min().unwrap_or(usize::MAX), name)
    });
    let best = ranked.min_by_key(|(far, _)| *far);
    let near = FAR.min(meant.len() / 2);
    best.filter(|(far, _)| *far <= near).map(|(_, name)| name)
}

/// Letters to put in, take out or change until one text is the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for (column, theirs) in other.iter().enumerate() {
            let changed = corner + usize::from(letter != *theirs);
            corner = row[column + 1];
            row[column + 1] = changed.min(corner + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

/// The name of a function in a mangled one, with its classes and namespaces and without its
/// parameters: `shop::Cart::add` of `_ZN4shop4Cart3addEi`.
fn demangled(name: &str) -> Option<String> {
    let rest = name.strip_prefix("_Z")?;
    let rest = rest.strip_prefix('L').unwrap_or(rest);
    let Some(nested) = rest.strip_prefix('N') else {
        return part(rest).map(|(part, _)| part.to_string());
    };
    let mut rest = nested.trim_start_matches(['r', 'V', 'K']);
    let mut parts: Vec<String> = Vec::new();
    while !rest.starts_with('E') {
        let special = rest.get(..2).unwrap_or_default();
        let class = parts.last().cloned().unwrap_or_default();
        let (one, after) = match special {
            "C1" | "C2" => (class, &rest[2..]),
            "D0" | "D1" | "D2" => (format!("~{class}"), &rest[2..]),
            "St" => ("std".to_string(), &rest[2..]),
            _ => part(rest).map(|(part, after)| (part.to_string(), after))?,
        };
        parts.push(one);
        rest = after;
    }
    (!parts.is_empty()).then(|| parts.join("::"))
}

/// A number and as many letters, and what follows.
fn part(text: &str) -> Option<(&str, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length: usize = text.get(..digits)?.parse().ok()?;
    let part = text.get(digits..digits.checked_add(length)?)?;
    Some((part, &text[digits + length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        let names = ["_ZN4shop4Cart3addEi", "_Z5totalv", "main", "parse_line"];
        let names = names.map(str::to_string);
        let offered = |wanted: &str| nearest(wanted, &names).map(String::as_str);
        assert_eq!(offered("parse_lime"), Some("parse_line"));
        assert_eq!(offered("total"), Some("_Z5totalv"));
        assert_eq!(offered("shop::Cart::ad"), Some("_ZN4shop4Cart3addEi"));
        assert_eq!(offered("_ZN4shop4Cart3addEl"), Some("_ZN4shop4Cart3addEi"));
        assert_eq!(offered("add"), Some("_ZN4shop4Cart3addEi"));
        assert_eq!(offered("add(int)"), Some("_ZN4shop4Cart3addEi"));
        assert_eq!(offered("xyz"), None);
        let said = candidates("_Z6totalsv", &names);
        assert!(
            said.starts_with("did you mean _Z5totalv (total)? it defines: "),
            "{said}"
        );
    }

    #[test]
    fn odd_names_are_none() {
        for name in [
            "_Z",
            "_ZN",
            "_ZN3ab",
            "_Z99x",
            "_ZN99999999999999999999xE",
            "main",
        ] {
            assert_eq!(demangled(name), None, "{name}");
        }
        assert_eq!(demangled("_ZN1aD1Ev").as_deref(), Some("a::~a"));
    }
}
