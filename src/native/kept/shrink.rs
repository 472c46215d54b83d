//! Smaller cases: parts of the input that the behavior does not need are removed, and odd bytes
//! become letters.
//!
//! Invariant: a smaller case was tried; it behaves as the original does.

use super::case::Case;

/// Most attempts for one case.
const MOST: usize = 160;

/// Makes a case smaller as long as `behaves` accepts it. `only_parts`: texts stay as they are.
///
/// # Errors
/// Fails as `behaves` does.
pub fn shrink(
    case: Case,
    only_parts: bool,
    behaves: &mut dyn FnMut(&Case) -> anyhow::Result<bool>,
) -> anyhow::Result<Case> {
    let mut shrinking = Shrinking {
        case,
        left: MOST,
        behaves,
    };
    shrinking.remove_parts()?;
    let texts = if only_parts {
        0
    } else {
        shrinking.texts().len()
    };
    for text in 0..texts {
        shrinking.shorten(text)?;
        shrinking.simplify(text)?;
    }
    Ok(shrinking.case)
}

struct Shrinking<'a> {
    case: Case,
    left: usize,
    behaves: &'a mut dyn FnMut(&Case) -> anyhow::Result<bool>,
}

impl Shrinking<'_> {
    /// Takes over a case if it behaves alike.
    fn try_case(&mut self, case: Case) -> anyhow::Result<bool> {
        if self.left == 0 || case == self.case || case.check().is_err() {
            return Ok(false);
        }
        self.left -= 1;
        let is_alike = (self.behaves)(&case)?;
        if is_alike {
            self.case = case;
        }
        Ok(is_alike)
    }

    /// Removes whole arguments, variables and files, the last first.
    fn remove_parts(&mut self) -> anyhow::Result<()> {
        for at in (0..self.case.files.len()).rev() {
            let mut case = self.case.clone();
            case.files.remove(at);
            self.try_case(case)?;
        }
        for at in (0..self.case.environment.len()).rev() {
            let mut case = self.case.clone();
            case.environment.remove(at);
            self.try_case(case)?;
        }
        for at in (0..self.case.arguments.len()).rev() {
            let mut case = self.case.clone();
            case.arguments.remove(at);
            self.try_case(case)?;
        }
        Ok(())
    }

    /// The texts that can be shortened: arguments, standard input, contents of files.
    fn texts(&mut self) -> Vec<&mut Vec<u8>> {
        let case = &mut self.case;
        let files = case.files.iter_mut().map(|file| &mut file.content);
        let arguments = case.arguments.iter_mut();
        arguments.chain([&mut case.stdin]).chain(files).collect()
    }

    /// Tries a case in which one text is another.
    fn try_text(&mut self, text: usize, new: Vec<u8>) -> anyhow::Result<bool> {
        let before = self.case.clone();
        *self.texts()[text] = new;
        let case = std::mem::replace(&mut self.case, before);
        self.try_case(case)
    }

    /// Removes stretches of a text, the long ones first.
    fn shorten(&mut self, text: usize) -> anyhow::Result<()> {
        let mut size = self.texts()[text].len();
        while size > 0 {
            let mut start = 0;
            while start < self.texts()[text].len() {
                let mut new = self.texts()[text].clone();
                let end = (start + size).min(new.len());
                new.drain(start..end);
                if !self.try_text(text, new)? {
                    start += size;
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Replaces bytes that are hard to read.
    fn simplify(&mut self, text: usize) -> anyhow::Result<()> {
        for at in 0..self.texts()[text].len() {
            for simple in [b'a', b'0', b' '] {
                let mut new = self.texts()[text].clone();
                if new[at].is_ascii_alphanumeric() || new[at] == simple {
                    break;
                }
                new[at] = simple;
                if self.try_text(text, new)? {
                    break;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_goes_and_the_rest_is_readable() {
        let case = Case {
            arguments: vec![b"-n".to_vec(), b"\x01x\xff".to_vec(), b"rest".to_vec()],
            stdin: b"\0\0q\0\0".to_vec(),
            ..Case::default()
        };
        let shrunk = shrink(case, false, &mut |case| {
            let has = |text: &[u8], byte| text.contains(&byte);
            let second = case.arguments.get(1);
            let is_long = second.is_some_and(|text| has(text, b'x') && text.len() > 1);
            Ok(is_long && has(&case.stdin, b'q'))
        });
        let shrunk = shrunk.expect("no failure");
        assert_eq!(shrunk.arguments, [&b""[..], b"xa"]);
        assert_eq!(shrunk.stdin, b"q");
    }
}
