//! The typed line of a command with a table of options.

use super::Taker;
use homi_app::options::{Row, rows, test_rows};
use std::ffi::OsString;

/// The words behind the name of a command.
pub(super) struct Line {
    pub(super) typed: Vec<OsString>,
    pub(super) taker: Taker,
    pub(super) rows: Vec<Row>,
}

impl Line {
    pub(super) fn new(typed: Vec<OsString>, taker: Taker) -> Self {
        let rows = match taker {
            Taker::Run => rows(),
            Taker::Test => test_rows(),
        };
        Self { typed, taker, rows }
    }

    /// The typed words before the program's arguments.
    pub(super) fn own(&self) -> &[OsString] {
        let end = self.typed.iter().position(|word| word == "--");
        &self.typed[..end.unwrap_or(self.typed.len())]
    }

    pub(super) fn has_option(&self, row: &Row) -> bool {
        self.own().iter().any(|word| {
            let word = word.to_string_lossy();
            let short = row.short.map(|letter| format!("-{letter}"));
            let name = word.split('=').next().unwrap_or_default();
            name == format!("--{}", row.long) || short.is_some_and(|one| word.starts_with(&one))
        })
    }

    /// True if a file is typed: a word that is neither an option nor its value.
    pub(super) fn has_files(&self) -> bool {
        let mut words = self.own().iter();
        while let Some(word) = words.next() {
            let word = word.to_string_lossy();
            if !word.starts_with('-') {
                return true;
            }
            let mut rows = self.rows.iter();
            let row = rows.find(|row| row.spellings().any(|one| one == word));
            if row.is_some_and(Row::takes_next_argument) {
                words.next();
            }
        }
        false
    }

    pub(super) fn has_arguments(&self) -> bool {
        self.typed.iter().any(|word| word == "--")
    }
}
