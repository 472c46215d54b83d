//! Table of a study, for terminals, Markdown and HTML.
//!
//! Invariant: Markdown is aligned, so that it is readable in a terminal. HTML shows a text that
//! repeats in the first column once.

use homi_output::html_report::{Cell, Table};

/// Table of a study.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Grid {
    /// Anchor for links to the table.
    pub(super) id: String,
    pub(super) caption: String,
    pub(super) head: Vec<String>,
    /// Number of columns with text, from the left.
    pub(super) left: usize,
    pub(super) rows: Vec<Vec<String>>,
}

impl Grid {
    pub(super) fn new(id: &str, caption: &str, head: &[&str], left: usize) -> Self {
        Self {
            id: id.to_string(),
            caption: caption.to_string(),
            head: head.iter().map(ToString::to_string).collect(),
            left,
            rows: Vec::new(),
        }
    }

    /// Returns the table as Markdown; empty if it has no rows.
    pub(super) fn markdown(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let lines = self.lines();
        let width = |column: usize| {
            let study_runs = lines.iter().filter_map(|line| line.get(column));
            let widest = study_runs.map(|study_run| study_run.chars().count()).max();
            widest.unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut out = String::new();
        for (number, line) in lines.iter().enumerate() {
            for (column, (study_run, width)) in line.iter().zip(&widths).enumerate() {
                let pad = " ".repeat(width - study_run.chars().count());
                out += &if column < self.left {
                    format!("| {study_run}{pad} ")
                } else {
                    format!("| {pad}{study_run} ")
                };
            }
            out += "|\n";
            if number == 0 {
                out += &self.rule(&widths);
            }
        }
        out
    }

    /// Returns the line below the head.
    fn rule(&self, widths: &[usize]) -> String {
        let column = |(column, width): (usize, &usize)| {
            if column < self.left {
                format!("|{}", "-".repeat(width + 2))
            } else {
                format!("|{}:", "-".repeat(width + 1))
            }
        };
        let columns: String = widths.iter().enumerate().map(column).collect();
        columns + "|\n"
    }

    /// Returns head and rows, escaped for Markdown.
    fn lines(&self) -> Vec<Vec<String>> {
        let escaped = |study_run: &String| study_run.replace('|', "\\|").replace('\n', " ");
        let mut lines: Vec<Vec<String>> = vec![self.head.clone()];
        let mut before: Option<&String> = None;
        for row in &self.rows {
            let mut line: Vec<String> = row.iter().map(escaped).collect();
            if self.left > 1 && before.is_some() && before == row.first() {
                line[0].clear();
            }
            before = row.first();
            lines.push(line);
        }
        lines
    }

    /// Returns the table for an HTML report.
    pub(super) fn table(&self) -> Table {
        let head: Vec<&str> = self.head.iter().map(String::as_str).collect();
        let mut table = Table::new(&self.id, &self.caption, &head, self.left);
        let study_run = |(column, text): (usize, &String)| {
            if column < self.left {
                Cell::text(text)
            } else {
                match value(text) {
                    Some(number) => Cell::number(number, text),
                    None => Cell::text(text),
                }
            }
        };
        let rows = self.rows.iter();
        table.rows = rows
            .map(|row| row.iter().enumerate().map(study_run).collect())
            .collect();
        table
    }
}

/// Returns the number that a cell shows, scaled by its unit.
fn value(text: &str) -> Option<f64> {
    let text = text.trim_start_matches('<');
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let one = match unit {
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => 1.0,
    };
    number.parse::<f64>().ok().map(|number| number * one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_reads_as_a_table() {
        let mut grid = Grid::new("g", "what", &["a", "b", "c"], 2);
        assert!(grid.markdown().is_empty());
        for (configuration, number) in [("x|y", "1.5 k"), ("z", "-")] {
            grid.rows
                .push(["p", configuration, number].map(str::to_string).to_vec());
        }
        let expected = "| a   | b    |     c |\n|-----|------|------:|\n\
            | p   | x\\|y | 1.5 k |\n|     | z    |     - |\n";
        assert_eq!(grid.markdown(), expected);
        let html = grid.table().html().into_string();
        assert!(
            html.contains("data-key=\"1500\"") && html.contains("x|y"),
            "{html}"
        );
    }

    #[test]
    fn numbers_are_read_with_their_units() {
        let values = ["3 of 5", "<0.001", "2.5 M", "-", "7"].map(value);
        assert_eq!(
            values,
            [Some(3.0), Some(0.001), Some(2.5e6), None, Some(7.0)]
        );
    }
}
