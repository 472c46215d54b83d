//! Table of `klee-stats`: one row per run, in KLEE's format or comma-separated.
//!
//! Numbers are right-aligned, names centered. A column is at least two wider than its name, and has
//! two decimals if one of its numbers is not an integer.

use super::stats::{Number, Record};
use super::stats_columns::shown_name;

/// Format of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Format {
    #[default]
    Klee,
    Csv,
    ReadableCsv,
}

impl Format {
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        match name {
            "klee" => Ok(Format::Klee),
            "csv" => Ok(Format::Csv),
            "readable-csv" => Ok(Format::ReadableCsv),
            _ => Err(format!(
                "klee-stats: error: argument --table-format: invalid choice: '{name}' \
                 (choose from 'klee', 'csv', 'readable-csv')"
            )),
        }
    }
}

/// Width of a column in addition to its name.
const PADDING: usize = 2;

/// Columns with their names and cells.
pub(super) struct Table {
    columns: Vec<Column>,
    /// True if the table has several runs.
    has_total: bool,
}

struct Column {
    name: String,
    is_number: bool,
    cells: Vec<String>,
    total: String,
}

impl Table {
    pub(super) fn new(paths: &[String], records: &[Record], names: &[String]) -> Self {
        let column = |name: &String| {
            if name == "Path" {
                Column {
                    name: name.clone(),
                    is_number: false,
                    cells: paths.to_vec(),
                    total: format!("Total ({})", paths.len()),
                }
            } else {
                numbers(shown_name(name), name, records)
            }
        };
        Self {
            columns: names.iter().map(column).collect(),
            has_total: paths.len() > 1,
        }
    }

    pub(super) fn text(&self, format: Format) -> String {
        let rows = self.columns.first().map_or(0, |column| column.cells.len());
        let header = self.row(format, |column| &column.name);
        let body = (0..rows).map(|row| self.row(format, |column| &column.cells[row]));
        if format != Format::Klee {
            return header + &body.collect::<String>();
        }
        let line = "-".repeat(header.chars().count() - 1) + "\n";
        let mut text = line.clone() + &header + &line + &body.collect::<String>() + &line;
        if self.has_total {
            text += &(self.row(format, |column| &column.total) + &line);
        }
        text
    }

    fn row<'t>(&'t self, format: Format, cell: impl Fn(&'t Column) -> &'t String) -> String {
        let cells: Vec<String> = self
            .columns
            .iter()
            .map(|column| {
                let (text, width) = (cell(column), column.width(format, self.has_total));
                match (format, column.is_number) {
                    (Format::Csv, _) => text.clone(),
                    (_, true) => format!("{text:>width$}"),
                    (Format::Klee, false) => format!("{text:^width$}"),
                    (Format::ReadableCsv, false) => format!("{text:<width$}"),
                }
            })
            .collect();
        match format {
            Format::Klee => format!("|{}|\n", cells.join("|")),
            Format::Csv | Format::ReadableCsv => cells.join(",") + "\n",
        }
    }
}

impl Column {
    fn width(&self, format: Format, has_total: bool) -> usize {
        let total = (has_total && format == Format::Klee).then_some(&self.total);
        let cells = self.cells.iter().chain(total);
        let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        widest.max(self.name.chars().count() + PADDING)
    }
}

fn numbers(shown: &str, name: &str, records: &[Record]) -> Column {
    let all: Vec<Option<Number>> = records.iter().map(|r| r.get(name).copied()).collect();
    let there: Vec<f64> = all.iter().flatten().map(|number| number.value()).collect();
    let sum: f64 = there.iter().sum();
    let is_mean = shown.starts_with("Avg") || shown.ends_with("(%)");
    let total = match () {
        () if is_mean => sum / all.len() as f64,
        () if shown.starts_with("Max") => there.iter().copied().fold(0.0, f64::max),
        () => sum,
    };
    let is_whole = |number: &Number| matches!(number, Number::Whole(_));
    let is_real = !all.iter().flatten().all(is_whole) || is_mean;
    let text = |value: f64| {
        if is_real {
            format!("{value:.2}")
        } else {
            format!("{value:.0}")
        }
    };
    Column {
        name: shown.to_string(),
        is_number: !there.is_empty(),
        cells: all
            .iter()
            .map(|number| number.map_or_else(String::new, |number| text(number.value())))
            .collect(),
        total: text(total),
    }
}
