//! Result of one check of `homi doctor`.

/// State of a requirement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// Present and usable.
    Fine,
    /// Missing, but optional: homi works with reduced features.
    Less,
    /// Missing and required: homi cannot explore or replay programs.
    Missing,
}

/// Result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Checked part, as a short name.
    pub subject: &'static str,
    pub state: State,
    /// Version or location of the part, or the feature that does not work without it.
    pub what: String,
    /// Command that installs the part; `None` if it is present.
    pub remedy: Option<String>,
}

impl Finding {
    pub(super) fn fine(subject: &'static str, what: impl Into<String>) -> Self {
        Self {
            subject,
            state: State::Fine,
            what: what.into(),
            remedy: None,
        }
    }

    pub(super) fn less(subject: &'static str, what: impl Into<String>, remedy: &str) -> Self {
        Self {
            state: State::Less,
            remedy: Some(remedy.to_string()),
            ..Self::fine(subject, what)
        }
    }

    pub(super) fn missing(subject: &'static str, what: impl Into<String>, remedy: &str) -> Self {
        Self {
            state: State::Missing,
            ..Self::less(subject, what, remedy)
        }
    }
}
