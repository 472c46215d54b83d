//! Positions of invariants: the keyword of a loop.

use super::LoopInvariant;
use super::source::SourceFiles;
use homi_report::SourceLocation;

/// Returns an invariant at the keyword of its loop; `None` if the position is not in the condition
/// of a `for` or `while` whose keyword is on the same line.
pub(super) fn stated(files: &SourceFiles, invariant: &LoopInvariant) -> Option<LoopInvariant> {
    let at = files.resolve(&invariant.position)?;
    let (before, _) = files.around(&at)?;
    let column = keyword(before)? as u32 + 1;
    let is_stated = !invariant.conjuncts.is_empty();
    is_stated.then(|| LoopInvariant {
        position: SourceLocation { column, ..at },
        conjuncts: invariant.conjuncts.clone(),
    })
}

/// Returns the index of the last loop keyword whose parenthesis is open at the end of a text.
fn keyword(before: &str) -> Option<usize> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let begins_word = |at: usize| !before[..at].ends_with(is_word);
    let is_open = |text: &str| {
        let inside = text.trim_start();
        inside.starts_with('(') && inside.matches('(').count() > inside.matches(')').count()
    };
    let of = |word: &str| {
        let places = before.match_indices(word).map(|(at, _)| at);
        places
            .filter(|at| begins_word(*at) && is_open(&before[at + word.len()..]))
            .last()
    };
    of("while").max(of("for"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyword_is_the_one_whose_condition_the_position_is_in() {
        assert_eq!(keyword("  while ("), Some(2));
        assert_eq!(keyword("  for (int i = f(x); "), Some(2));
        assert_eq!(keyword("  while (a) { for (;"), Some(14));
        assert_eq!(keyword("  while (a) { do { "), None);
        assert_eq!(keyword("  erstwhile ("), None);
    }
}
