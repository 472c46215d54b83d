//! The expectation of a case: what all native runs of it show.

use crate::replay::sandbox::{Ending, LeftFile, LeftNode};
use std::collections::BTreeMap;

/// End of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal(i32),
}

impl std::fmt::Display for End {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Exit(status) => write!(out, "{status}"),
            End::Signal(number) => write!(out, "signal {number}"),
        }
    }
}

impl End {
    /// Reads the text of an end.
    pub fn read(text: &str) -> Option<End> {
        match text.trim().strip_prefix("signal ") {
            Some(number) => number.parse().ok().map(End::Signal),
            None => text.trim().parse().ok().map(End::Exit),
        }
    }
}

/// Files and directories below the directory of a test, by path; a directory has no content.
pub type Tree = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// Behavior of a program on a case. A part that varies is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    pub end: End,
    pub stdout: Option<Vec<u8>>,
    pub stderr: Option<Vec<u8>>,
    pub files: Option<Tree>,
}

impl Expectation {
    /// Returns what one run shows.
    ///
    /// # Errors
    /// Returns why nothing can be expected of it.
    pub(super) fn of(outcome: crate::replay::sandbox::Outcome) -> Result<Self, String> {
        let end = match outcome.ending {
            Ending::Exit(status) => End::Exit(status),
            Ending::Signal(number) => End::Signal(number),
            Ending::Timeout => return Err("it does not end in time".to_string()),
        };
        let files = outcome
            .left
            .ok_or("it leaves too many or too large files")?;
        Ok(Self {
            end,
            stdout: Some(outcome.stdout),
            stderr: Some(outcome.stderr),
            files: tree(files),
        })
    }

    /// Returns what two runs of one build have in common.
    ///
    /// # Errors
    /// Returns why they have too little.
    pub(super) fn in_common(self, other: &Self) -> Result<Self, String> {
        if self.end != other.end {
            return Err("how it ends varies".to_string());
        }
        Ok(Self {
            end: self.end,
            stdout: self.stdout.filter(|one| Some(one) == other.stdout.as_ref()),
            stderr: self.stderr.filter(|one| Some(one) == other.stderr.as_ref()),
            files: self.files.filter(|one| Some(one) == other.files.as_ref()),
        })
    }

    /// Returns the part in which two builds differ, after each was reduced to what does not vary.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        fn differ<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.is_some() && other.is_some() && one != other
        }
        if self.end != other.end {
            Some("how it ends")
        } else if differ(&self.stdout, &other.stdout) {
            Some("the standard output")
        } else if differ(&self.stderr, &other.stderr) {
            Some("the standard error")
        } else if differ(&self.files, &other.files) {
            Some("the files that it leaves")
        } else {
            None
        }
    }

    /// Returns true if the expectation asserts nothing that the other does not show.
    pub fn holds_for(&self, other: &Self) -> bool {
        fn holds<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.is_none() || one == other
        }
        self.end == other.end
            && holds(&self.stdout, &other.stdout)
            && holds(&self.stderr, &other.stderr)
            && holds(&self.files, &other.files)
    }
}

/// Returns the files that a program left; `None` if a shell script cannot compare them.
pub(super) fn tree(files: Vec<LeftFile>) -> Option<Tree> {
    let mut tree = Tree::new();
    for file in files {
        let is_plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'\\' || *byte == b' ';
        let content = match file.node {
            LeftNode::File(content) => Some(content),
            LeftNode::Directory => None,
            LeftNode::Other => return None,
        };
        if !file.path.iter().all(is_plain) {
            return None;
        }
        tree.insert(file.path, content);
    }
    Some(tree)
}
