//! A bug as messages report it.
//!
//! Invariant: a line of KLEE has exactly KLEE's form, because scripts read it.

use homi_config::Dialect;

/// A bug that is reported to the user.
#[derive(Clone, Copy, Debug)]
pub struct ReportedBug<'b> {
    /// `FILE:LINE`; none where it is not known.
    pub place: Option<&'b str>,
    pub message: &'b str,
    /// The test that shows it.
    pub test: Option<&'b str>,
    /// True if the bug is reported again on each path that shows it.
    pub repeats: bool,
}

impl ReportedBug<'_> {
    /// The messages.
    pub(super) fn lines(self, dialect: &Dialect) -> Vec<String> {
        let message = self.message;
        if dialect.names_tests_of_bugs() {
            let (place, test) = (
                self.place.unwrap_or("unknown"),
                self.test.unwrap_or("no test"),
            );
            return vec![format!("ERROR: {place}: {message} ({test})")];
        }
        let error = match self.place {
            Some(place) => format!("ERROR: {place}: {message}"),
            None => format!("ERROR: (location information missing) {message}"),
        };
        let note = "NOTE: now ignoring this error at this location".to_string();
        [error]
            .into_iter()
            .chain((!self.repeats).then_some(note))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_each_ones_form() {
        let bug = |place, repeats| ReportedBug {
            place,
            message: "divide by zero",
            test: Some("test000002"),
            repeats,
        };
        let lines = bug(Some("a.c:3"), false).lines(&Dialect::homi());
        assert_eq!(lines, ["ERROR: a.c:3: divide by zero (test000002)"]);
        let once = bug(Some("a.c:3"), false).lines(&Dialect::klee());
        assert_eq!(once[0], "ERROR: a.c:3: divide by zero");
        assert_eq!(bug(None, false).lines(&Dialect::klee()).len(), 2);
        let lines = bug(None, true).lines(&Dialect::klee());
        assert_eq!(
            lines,
            ["ERROR: (location information missing) divide by zero"]
        );
    }
}
