//! Declared options whose presence, or number of uses, counts.
//!
//! Invariant: as for options with one value, the row says the default that the value has.

use super::declare::{Declared, Kept, has_option};
use super::profile::ByProfile;
use super::row::{DefaultText, Form, Row};
use super::situation::Situation;
use clap::ArgMatches;
use clap::builder::ValueParser;
use clap::parser::ValueSource;

/// An option without a value: it is given or not.
#[derive(Clone)]
pub(super) struct Flag {
    row: Row,
    when_given: bool,
}

impl Flag {
    pub(super) fn new(long: &'static str) -> Self {
        Self {
            row: Row::new(long, Form::Flag, ValueParser::bool()),
            when_given: true,
        }
    }

    /// Makes the option turn its value off.
    pub(super) fn negated(mut self) -> Self {
        self.when_given = false;
        self
    }
}

impl Declared for Flag {
    type Value = bool;

    fn row_mut(&mut self) -> &mut Row {
        &mut self.row
    }

    fn into_row(self, text: &'static str) -> Row {
        Row { text, ..self.row }
    }

    fn given(&self, typed: &ArgMatches) -> Option<bool> {
        if !has_option(typed, self.row.id) {
            return None;
        }
        let source = typed.value_source(self.row.id);
        let value = typed.get_one::<bool>(self.row.id);
        let value = value.filter(|_| source == Some(ValueSource::CommandLine));
        value.map(|value| *value == self.when_given)
    }

    fn default(&self, _: &Situation<'_>) -> bool {
        !self.when_given
    }
}

/// A repeatable option; each use gives some values.
#[derive(Clone)]
pub(super) struct List<T, R> {
    row: Row,
    values: fn(&T) -> Vec<R>,
    default: ByProfile<Vec<R>>,
}

impl<T: Kept, R: Kept> List<T, R> {
    pub(super) fn new(
        long: &'static str,
        form: Form,
        parser: ValueParser,
        values: fn(&T) -> Vec<R>,
    ) -> Self {
        let default = ByProfile {
            homi: Vec::new(),
            klee: Vec::new(),
            paper: Vec::new(),
        };
        Self {
            row: Row::new(long, form, parser),
            values,
            default,
        }
    }

    /// Sets the default of each profile.
    pub(super) fn by_profile(mut self, default: ByProfile<Vec<R>>, show: fn(&R) -> String) -> Self {
        let text = |values: &Vec<R>| values.iter().map(show).collect::<Vec<_>>().join(",");
        self.row.default = DefaultText::ByProfile(default.map(text));
        self.default = default;
        self
    }
}

impl<T: Kept, R: Kept> Declared for List<T, R> {
    type Value = Vec<R>;

    fn row_mut(&mut self) -> &mut Row {
        &mut self.row
    }

    fn into_row(self, text: &'static str) -> Row {
        Row { text, ..self.row }
    }

    fn given(&self, typed: &ArgMatches) -> Option<Vec<R>> {
        let is_known = has_option(typed, self.row.id);
        let given = is_known.then(|| typed.get_many::<T>(self.row.id))??;
        Some(given.flat_map(self.values).collect())
    }

    fn default(&self, situation: &Situation<'_>) -> Vec<R> {
        self.default.of(situation.profile).clone()
    }
}
