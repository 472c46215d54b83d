//! Declaration of an option: its row, the type of its value and its default in one expression.
//!
//! Invariant: an expression that compiles has a default of the type of its value, and the row says
//! the same default as text.

use super::profile::ByProfile;
use super::requirement::{Exclusion, Fact};
use super::row::{DefaultText, Form, Heading, Paths, Row, Scope};
use super::situation::Situation;
use clap::ArgMatches;
use clap::builder::ValueParser;

/// A type that clap can keep.
pub(super) trait Kept: Clone + Send + Sync + 'static {}
impl<T: Clone + Send + Sync + 'static> Kept for T {}

/// True if the command has an option; commands that share a table may leave some out.
pub(super) fn has_option(typed: &ArgMatches, id: &str) -> bool {
    typed.try_contains_id(id).is_ok()
}

/// A declared option, from which its value comes.
pub(super) trait Declared: Sized {
    type Value;

    fn row_mut(&mut self) -> &mut Row;

    /// Returns the row, with the doc comment of the declaration as its text.
    fn into_row(self, text: &'static str) -> Row;

    /// The value that was typed; nothing where the command has no such option.
    fn given(&self, typed: &ArgMatches) -> Option<Self::Value>;

    /// The value if none was typed.
    fn default(&self, situation: &Situation<'_>) -> Self::Value;

    /// Returns the given value, else the resumed campaign's value, else the default.
    fn resolve(
        &self,
        typed: &ArgMatches,
        situation: &Situation<'_>,
        earlier: Option<Self::Value>,
    ) -> Self::Value {
        self.given(typed)
            .or(earlier)
            .unwrap_or_else(|| self.default(situation))
    }

    /// Keeps the value apart from another option's with the same long name.
    fn id(mut self, id: &'static str) -> Self {
        self.row_mut().id = id;
        self
    }

    fn heading(mut self, heading: Heading) -> Self {
        self.row_mut().heading = heading;
        self
    }

    fn short(mut self, letter: char) -> Self {
        self.row_mut().short = Some(letter);
        self
    }

    fn scope(mut self, scope: Scope) -> Self {
        self.row_mut().scope = scope;
        self
    }

    fn needs(mut self, fact: Fact) -> Self {
        self.row_mut().needs = Some(fact);
        self
    }

    fn excludes(mut self, fact: Fact, why: &'static str) -> Self {
        self.row_mut().excludes.push(Exclusion { fact, why });
        self
    }

    fn group(mut self, group: &'static str) -> Self {
        self.row_mut().group = Some(group);
        self
    }

    fn paths(mut self, paths: Paths) -> Self {
        self.row_mut().paths = paths;
        self
    }

    /// Giving this value is as giving nothing.
    fn neutral(mut self, value: &'static str) -> Self {
        self.row_mut().neutral = Some(value);
        self
    }

    /// Leaves the option out of all help: it is for homi itself.
    fn hidden(mut self) -> Self {
        self.row_mut().hidden = true;
        self
    }

    /// Lists the option in the short help.
    fn common(mut self) -> Self {
        self.row_mut().common = true;
        self
    }

    /// Keeps the option for `homi klee` alone.
    fn of_klee(mut self) -> Self {
        self.row_mut().of_klee = true;
        self
    }

    /// Help lists the values with what they mean.
    fn listing_values(mut self) -> Self {
        self.row_mut().lists_values = true;
        self
    }
}

/// An option with one value, which may be absent.
#[derive(Clone)]
pub(super) struct Single<T> {
    row: Row,
    show: fn(&T) -> String,
}

impl<T: Kept> Single<T> {
    pub(super) fn new(
        long: &'static str,
        form: Form,
        parser: ValueParser,
        show: fn(&T) -> String,
    ) -> Self {
        Self {
            row: Row::new(long, form, parser),
            show,
        }
    }

    /// Sets the text that describes an absent value.
    pub(super) fn absent_means(mut self, text: &'static str) -> Self {
        self.row.default = DefaultText::Text(text);
        self
    }

    pub(super) fn default(mut self, value: T) -> Defaulted<T> {
        self.row.default = DefaultText::Always((self.show)(&value));
        Defaulted {
            single: self,
            default: DefaultValue::Always(value),
        }
    }

    pub(super) fn by_profile(mut self, value: ByProfile<T>) -> Defaulted<T> {
        self.row.default = DefaultText::ByProfile(value.map(self.show));
        Defaulted {
            single: self,
            default: DefaultValue::ByProfile(value),
        }
    }

    /// A default that depends on other options, with a description of it.
    pub(super) fn depends(
        mut self,
        text: &'static str,
        value: fn(&Situation<'_>) -> T,
    ) -> Defaulted<T> {
        self.row.default = DefaultText::Text(text);
        Defaulted {
            single: self,
            default: DefaultValue::Depends(value),
        }
    }
}

impl<T: Kept> Declared for Single<T> {
    type Value = Option<T>;

    fn row_mut(&mut self) -> &mut Row {
        &mut self.row
    }

    fn into_row(self, text: &'static str) -> Row {
        Row { text, ..self.row }
    }

    fn given(&self, typed: &ArgMatches) -> Option<Option<T>> {
        let value = single(typed, &self.row)?;
        Some(Some(value))
    }

    fn default(&self, _: &Situation<'_>) -> Option<T> {
        None
    }
}

/// The value of an option that has one.
fn single<T: Kept>(typed: &ArgMatches, row: &Row) -> Option<T> {
    let is_known = has_option(typed, row.id);
    is_known.then(|| typed.get_one::<T>(row.id).cloned())?
}

/// An option with one value, which is never absent.
#[derive(Clone)]
pub(super) struct Defaulted<T> {
    single: Single<T>,
    default: DefaultValue<T>,
}

#[derive(Clone)]
enum DefaultValue<T> {
    Always(T),
    ByProfile(ByProfile<T>),
    Depends(fn(&Situation<'_>) -> T),
}

impl<T: Kept> Declared for Defaulted<T> {
    type Value = T;

    fn row_mut(&mut self) -> &mut Row {
        &mut self.single.row
    }

    fn into_row(self, text: &'static str) -> Row {
        self.single.into_row(text)
    }

    fn given(&self, typed: &ArgMatches) -> Option<T> {
        single(typed, &self.single.row)
    }

    fn default(&self, situation: &Situation<'_>) -> T {
        match &self.default {
            DefaultValue::Always(value) => value.clone(),
            DefaultValue::ByProfile(value) => value.of(situation.profile).clone(),
            DefaultValue::Depends(value) => value(situation),
        }
    }
}
