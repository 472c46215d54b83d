//! Values of `--export`: the registry of exporters as clap sees it.
//!
//! Invariant: help, completions and the manual page list the exporters that the registry has for
//! the command.

use clap::builder::{PossibleValue, TypedValueParser};
use homi_output::export::{EXPORTERS, ExporterRow, Occasion, find};
use std::ffi::OsStr;

/// Reads the name of an exporter that can be used on an occasion.
#[derive(Clone)]
pub struct ExportParser(pub Occasion);

impl TypedValueParser for ExportParser {
    type Value = &'static ExporterRow;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<&'static ExporterRow, clap::Error> {
        let name = value.to_string_lossy();
        find(&name, self.0).map_err(|error| {
            let kind = clap::error::ErrorKind::ValueValidation;
            clap::Error::raw(kind, format!("--export {name}: {error}\n")).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let rows = EXPORTERS.into_iter();
        let rows = rows.filter(|row| row.occasions.contains(&self.0));
        Some(Box::new(
            rows.map(|row| PossibleValue::new(row.name).help(row.help)),
        ))
    }
}
