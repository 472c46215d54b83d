//! Whose words the messages of a run have: homi's own, or KLEE's, which scripts read.
//!
//! Invariant: a line of KLEE's has exactly the form that KLEE gives it. What KLEE has no line for
//! is told in the same form.

use std::path::Path;

/// The one who speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Voice {
    #[default]
    Homi,
    Klee {
        /// Errors at one place are told each time, not once.
        repeats: bool,
    },
}

/// A bug as messages tell of it.
#[derive(Clone, Copy, Debug)]
pub struct ToldBug<'b> {
    /// `FILE:LINE`; none where it is not known.
    pub place: Option<&'b str>,
    pub message: &'b str,
    /// The test that shows it.
    pub test: Option<&'b str>,
}

impl Voice {
    /// The beginning of every line.
    pub fn name(self) -> &'static str {
        match self {
            Voice::Homi => "homi",
            Voice::Klee { .. } => "KLEE",
        }
    }

    /// The beginning of the names of output directories.
    pub fn stem(self) -> &'static str {
        match self {
            Voice::Homi => "homi",
            Voice::Klee { .. } => "klee",
        }
    }

    /// How a warning begins that is given once for each cause.
    pub fn once(self) -> &'static str {
        match self {
            Voice::Homi => "WARNING",
            Voice::Klee { .. } => "WARNING ONCE",
        }
    }

    /// Whether details of how a run works are told.
    pub fn tells_details(self) -> bool {
        self == Voice::Homi
    }

    /// Where the files go.
    pub fn directory(self, path: &Path) -> String {
        match self {
            Voice::Homi => format!("output directory is {}", path.display()),
            Voice::Klee { .. } => {
                let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
                format!("output directory is \"{}\"", absolute.display())
            }
        }
    }

    /// The messages about a bug.
    pub fn bug(self, bug: ToldBug<'_>) -> Vec<String> {
        let message = bug.message;
        match (self, bug.place) {
            (Voice::Homi, place) => {
                let (place, test) = (place.unwrap_or("unknown"), bug.test.unwrap_or("no test"));
                vec![format!("ERROR: {place}: {message} ({test})")]
            }
            (Voice::Klee { repeats }, place) => {
                let error = match place {
                    Some(place) => format!("ERROR: {place}: {message}"),
                    None => format!("ERROR: (location information missing) {message}"),
                };
                let note = "NOTE: now ignoring this error at this location".to_string();
                [error]
                    .into_iter()
                    .chain((!repeats).then_some(note))
                    .collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_each_ones_form() {
        let bug = |place| ToldBug {
            place,
            message: "divide by zero",
            test: Some("test000002"),
        };
        let once = Voice::Klee { repeats: false };
        let told = Voice::Homi.bug(bug(Some("a.c:3")));
        assert_eq!(told, ["ERROR: a.c:3: divide by zero (test000002)"]);
        assert_eq!(
            once.bug(bug(Some("a.c:3")))[0],
            "ERROR: a.c:3: divide by zero"
        );
        assert_eq!(once.bug(bug(None)).len(), 2);
        let each = Voice::Klee { repeats: true };
        let told = each.bug(bug(None));
        assert_eq!(
            told,
            ["ERROR: (location information missing) divide by zero"]
        );
    }
}
