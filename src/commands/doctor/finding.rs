//! One thing that homi needs or can use.

/// How well it is there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// As it should be.
    Fine,
    /// homi works, with less.
    Less,
    /// The main job cannot be done.
    Missing,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was looked at, in a word or two.
    pub subject: &'static str,
    pub state: State,
    /// What is there, or what does not work without it.
    pub what: String,
    /// The command that gets it.
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
