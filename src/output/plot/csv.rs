//! The numbers of a figure as CSV: a row for each point of each line.

use super::Plot;
use std::fmt::Write;

impl Plot {
    /// The points as they are, not thinned.
    pub fn csv(&self) -> String {
        let mut out = format!("series,{},{}\n", plain(&self.across), plain(&self.upward));
        for series in &self.series {
            for (at, value) in &series.points {
                // Writing to a String cannot fail.
                let _ = writeln!(out, "{},{at},{value}", quoted(&series.name));
            }
        }
        out
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A name of an axis, quoted where it must be.
fn plain(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        quoted(text)
    } else {
        text.to_string()
    }
}
