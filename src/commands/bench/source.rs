//! Study file or `homi.toml` with its line numbers, so that each error has a position.
//!
//! Invariant: an unknown key is an error that suggests the nearest key.

use super::error::{Result, StudyError, request};
use homi_app::options::shell_arguments;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Text of a study file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'t> {
    pub(crate) file: &'t Path,
    pub(crate) text: &'t str,
}

impl<'t> Source<'t> {
    /// Returns the line number, from 1, of a byte.
    fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().iter().take(offset);
        1 + before.filter(|byte| **byte == b'\n').count()
    }

    /// Returns the error at a byte.
    pub(crate) fn wrong(&self, offset: usize, text: &str) -> StudyError {
        let line = self.line(offset);
        StudyError::Request(format!("{}:{line}: {text}", self.file.display()))
    }

    /// Parses the whole file.
    pub(crate) fn parse(self) -> Result<DeTable<'t>> {
        let parsed = DeTable::parse(self.text);
        let table = parsed.map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            self.wrong(offset, error.message())
        })?;
        Ok(table.into_inner())
    }

    /// Returns the parsed file as a section without a name.
    pub(crate) fn whole<'s>(self, table: &'s DeTable<'t>) -> Section<'s, 't> {
        Section {
            source: self,
            name: String::new(),
            start: 0,
            table,
        }
    }
}

/// Returns the most similar entry of a list; `None` if none is similar.
pub(crate) fn nearest<'w>(name: &str, names: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let alike = |other: &str| strsim::normalized_damerau_levenshtein(name, other);
    let best = names
        .into_iter()
        .max_by(|a, b| alike(a).total_cmp(&alike(b)))?;
    (alike(best) >= 0.5 || best.starts_with(name)).then_some(best)
}

/// Returns `; did you mean X?`, or the list of valid values.
pub(crate) fn suggestion<'w>(name: &str, names: impl IntoIterator<Item = &'w str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match nearest(name, names.iter().copied()) {
        Some(best) => format!("; did you mean `{best}`?"),
        None if names.len() <= 20 => format!("; choose from {}", names.join(", ")),
        None => String::new(),
    }
}

/// Table of the file.
#[derive(Clone, Debug)]
pub(crate) struct Section<'s, 't> {
    pub(crate) source: Source<'t>,
    /// Name as in the head of the table, such as `subjects.wc`.
    pub(crate) name: String,
    /// Offset of the table's start.
    pub(crate) start: usize,
    pub(crate) table: &'s DeTable<'t>,
}

impl<'s, 't> Section<'s, 't> {
    /// Returns the offset of a key; the table's start if the key is absent.
    fn place(&self, key: &str) -> usize {
        let found = self.table.get_key_value(key);
        found.map_or(self.start, |(name, _)| name.span().start)
    }

    /// Returns the error for a key's value.
    pub(crate) fn wrong(&self, key: &str, text: &str) -> StudyError {
        self.source.wrong(self.place(key), text)
    }

    /// Refuses unknown keys.
    pub(crate) fn only(&self, known: &[&str]) -> Result<()> {
        let mut keys = self.table.keys();
        let Some(key) = keys.find(|key| !known.contains(&key.get_ref().as_ref())) else {
            return Ok(());
        };
        let (name, at) = (key.get_ref(), key.span().start);
        let place = if self.name.is_empty() {
            self.source.file.display().to_string()
        } else {
            format!("[{}]", self.name)
        };
        let text = format!("unknown key `{name}` in {place}");
        let text = text + &suggestion(name, known.iter().copied());
        Err(self.source.wrong(at, &text))
    }

    fn value(&self, key: &str) -> Option<&'s DeValue<'t>> {
        self.table.get(key).map(Spanned::get_ref)
    }

    fn expected<T>(&self, key: &str, what: &str) -> Result<T> {
        Err(self.wrong(key, &format!("`{key}` must be {what}")))
    }

    /// Returns a text.
    pub(crate) fn text(&self, key: &str) -> Result<Option<&'s str>> {
        match self.value(key) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.as_ref())),
            Some(_) => self.expected(key, "a string"),
        }
    }

    /// Returns an integer.
    pub(crate) fn number(&self, key: &str) -> Result<Option<u64>> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        match whole(value) {
            Some(number) => Ok(Some(number)),
            None => self.expected(key, "an integer"),
        }
    }

    /// Returns a text, or a number as typed.
    pub(crate) fn literal(&self, key: &str) -> Result<Option<String>> {
        match self.value(key) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.to_string())),
            Some(DeValue::Integer(number)) => Ok(Some(number.to_string())),
            Some(DeValue::Float(number)) => Ok(Some(number.as_str().to_string())),
            Some(_) => self.expected(key, "a number or a string"),
        }
    }

    /// Returns a boolean.
    pub(crate) fn flag(&self, key: &str) -> Result<Option<bool>> {
        match self.value(key) {
            None => Ok(None),
            Some(DeValue::Boolean(value)) => Ok(Some(*value)),
            Some(_) => self.expected(key, "true or false"),
        }
    }

    /// Returns a number or a list of numbers.
    pub(crate) fn numbers(&self, key: &str) -> Result<Option<Numbers>> {
        match self.value(key) {
            Some(DeValue::Array(list)) => {
                let numbers = list.iter().map(|value| whole(value.get_ref()));
                match numbers.collect() {
                    Some(numbers) => Ok(Some(Numbers::List(numbers))),
                    None => self.expected(key, "a list of integers"),
                }
            }
            _ => Ok(self.number(key)?.map(Numbers::Count)),
        }
    }

    /// Returns arguments: a list of texts unchanged, or one text split as a shell does.
    pub(crate) fn arguments(&self, key: &str) -> Result<Option<Vec<String>>> {
        match self.value(key) {
            Some(DeValue::String(text)) => match shell_arguments(text) {
                Ok(arguments) => Ok(Some(arguments)),
                Err(error) => Err(self.wrong(key, &format!("`{key}`: {error}"))),
            },
            _ => self.list(key),
        }
    }

    /// Returns a list of texts; a single text is a list of one.
    pub(crate) fn list(&self, key: &str) -> Result<Option<Vec<String>>> {
        let texts: Option<Vec<String>> = match self.value(key) {
            None => return Ok(None),
            Some(DeValue::String(text)) => Some(vec![text.to_string()]),
            Some(DeValue::Array(list)) => {
                let text = |value: &Spanned<DeValue<'t>>| match value.get_ref() {
                    DeValue::String(text) => Some(text.to_string()),
                    _ => None,
                };
                list.iter().map(text).collect()
            }
            Some(_) => None,
        };
        match texts {
            Some(texts) => Ok(Some(texts)),
            None => self.expected(key, "a string or a list of strings"),
        }
    }

    /// Returns texts, numbers and booleans as typed: one, or a list of them.
    pub(crate) fn literals(&self, key: &str) -> Result<Vec<String>> {
        let one = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => Some(number.to_string()),
            DeValue::Float(number) => Some(number.as_str().to_string()),
            DeValue::Boolean(value) => Some(value.to_string()),
            _ => None,
        };
        let texts: Option<Vec<String>> = match self.value(key) {
            None => return Ok(Vec::new()),
            Some(DeValue::Array(list)) => list.iter().map(|value| one(value.get_ref())).collect(),
            Some(value) => one(value).map(|text| vec![text]),
        };
        match texts {
            Some(texts) => Ok(texts),
            None => self.expected(key, "a string, a number, a boolean or a list of them"),
        }
    }

    /// True if the table has a key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Returns the tables of a list; none if there is no such key.
    pub(crate) fn tables(&self, key: &str) -> Result<Vec<Section<'s, 't>>> {
        let entries = match self.value(key) {
            None => return Ok(Vec::new()),
            Some(DeValue::Array(list)) => list,
            Some(_) => return self.expected(key, &format!("a list of tables, [[{key}]]")),
        };
        let section = |entry: &'s Spanned<DeValue<'t>>| match entry.get_ref() {
            DeValue::Table(table) => Ok(Section {
                source: self.source,
                name: key.to_string(),
                start: entry.span().start,
                table,
            }),
            _ => self.expected(key, &format!("a list of tables, [[{key}]]")),
        };
        entries.iter().map(section).collect()
    }

    /// Returns an inner table; `None` if there is no such key.
    pub(crate) fn section(&self, key: &str) -> Result<Option<Section<'s, 't>>> {
        match self.value(key) {
            None => Ok(None),
            Some(DeValue::Table(table)) => Ok(Some(Section {
                source: self.source,
                name: if self.name.is_empty() {
                    key.to_string()
                } else {
                    format!("{}.{key}", self.name)
                },
                start: self.place(key),
                table,
            })),
            Some(_) => self.expected(key, &format!("a table, such as [{key}.NAME]")),
        }
    }

    /// Returns the inner tables with their names, in the file's order.
    pub(crate) fn sections(&self) -> Result<Vec<(&'s str, Section<'s, 't>)>> {
        let mut found = Vec::new();
        for key in self.table.keys() {
            let name: &'s str = key.get_ref().as_ref();
            found.extend(self.section(name)?.map(|section| (name, section)));
        }
        Ok(found)
    }
}

/// Seeds, as a study file can write them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Numbers {
    Count(u64),
    List(Vec<u64>),
}

fn whole(value: &DeValue<'_>) -> Option<u64> {
    match value {
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

/// Refuses a name that cannot be part of a file name.
pub(crate) fn plain_name(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '[');
    if !name.is_empty() && !name.starts_with('.') && name.chars().all(plain) {
        Ok(())
    } else {
        request(format!(
            "`{name}` is not a valid name; use letters, digits, `.`, `_`, `-` and `+`"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, read: impl Fn(&Section<'_, '_>) -> Result<()>) -> String {
        let source = Source {
            file: Path::new("s.toml"),
            text,
        };
        let table = match source.parse() {
            Ok(table) => table,
            Err(error) => return error.to_string(),
        };
        let whole = source.whole(&table);
        read(&whole).expect_err("something is wrong").to_string()
    }

    #[test]
    fn errors_name_the_line_and_the_nearest_key() {
        let text = "\n[study]\nsedes = 3\n";
        let message = error(text, |whole| {
            let study = whole.section("study")?.expect("it is there");
            study.only(&["name", "seeds"])
        });
        assert_eq!(
            message,
            "s.toml:3: unknown key `sedes` in [study]; did you mean `seeds`?"
        );
        let message = error("a = 1\nb = = 2\n", |_| Ok(()));
        assert!(message.starts_with("s.toml:2: "), "{message}");
        let message = error("a = 1\n", |whole| whole.text("a").map(|_| ()));
        assert_eq!(message, "s.toml:1: `a` must be a string");
    }

    #[test]
    fn names_become_parts_of_paths() {
        for name in ["wc", "[", "a-b_c.d+e"] {
            assert!(plain_name(name).is_ok(), "{name}");
        }
        for name in ["", "..", "a/b", "a b"] {
            assert!(plain_name(name).is_err(), "{name}");
        }
    }
}
