//! Under-approximations as text: the last lines of a run, the tables of `homi stats`.
//!
//! Invariant: a run that concretized and dropped nothing adds no text.

use super::summary::{Summary, UnderapproximationSummary};
use super::table::{Side, table};
use std::fmt::Write;

/// Places that one line names.
const NAMED: usize = 3;

/// True if what could do nothing new was not followed.
fn leaves_out_paths(summary: &Summary) -> bool {
    summary.subsumption.is_some()
}

/// Returns the stop reason as a sentence, with the locations where the run concretized or dropped
/// something.
pub fn ending_text(sentence: &str, summary: &Summary) -> String {
    let of = |lost: &str| -> Vec<&UnderapproximationSummary> {
        let places = summary.underapproximations.iter();
        places.filter(|place| place.lost == lost).collect()
    };
    let values = of("values");
    let stands = |values: &[&UnderapproximationSummary]| {
        let count = places(values.len());
        format!("values were concretized at {count}: {}", named(values))
    };
    let divergences = summary
        .outcomes
        .as_ref()
        .map_or(0, |all| all.divergences.len());
    if divergences > 0 && summary.stop_reason.starts_with("exhausted") {
        return format!(
            "the native program does something else than homi predicts on {divergences} of {} \
             tests, so it may have further paths",
            summary.tests
        );
    }
    match summary.stop_reason.as_str() {
        "exhausted" if leaves_out_paths(summary) => {
            "no further path can reach a bug that is not reported".to_string()
        }
        "exhausted-underapproximated" => format!("{sentence}, but {}", stands(&values)),
        "no-states-left" => {
            let paths = of("paths");
            let mut text = match paths.len() {
                0 => format!("{sentence}, but paths were dropped before their end"),
                count => {
                    let count = places(count);
                    format!(
                        "{sentence}, but paths were dropped at {count}: {}",
                        named(&paths)
                    )
                }
            };
            if !values.is_empty() {
                let _ = write!(text, "; and {}", stands(&values));
            }
            text
        }
        _ => sentence.to_string(),
    }
}

fn places(count: usize) -> String {
    match count {
        1 => "1 location".to_string(),
        count => format!("{count} locations"),
    }
}

fn described(place: &UnderapproximationSummary) -> String {
    format!("{} ({})", place.location, place.what)
}

/// The first places, and how many more there are.
fn named(all: &[&UnderapproximationSummary]) -> String {
    let named: Vec<String> = all
        .iter()
        .take(NAMED)
        .map(|place| described(place))
        .collect();
    let more = match all.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    named.join(", ") + &more
}

/// Returns the number of under-approximated code locations and the most frequent one; `None` if
/// there is none.
pub(super) fn underapproximation_count(summary: &Summary) -> Option<String> {
    let first = summary.underapproximations.first()?;
    let (places, count) = (summary.underapproximations.len(), first.count);
    Some(format!(
        "{places}, most often = {count} at {}",
        described(first)
    ))
}

/// The lines about losses and limits among the last ones of a run.
pub fn underapproximation_lines(summary: &Summary) -> String {
    let mut text = String::new();
    if let Some(places) = underapproximation_count(summary) {
        let _ = writeln!(text, "homi: done: under-approximated locations = {places}");
    }
    if !summary.model_limitations.is_empty() {
        let _ = writeln!(
            text,
            "homi: done: model limitations = {} (docs/guide/limits.md)",
            summary.model_limitations.join(", ")
        );
    }
    text
}

/// The most frequent losses as a table of `homi stats`.
pub(super) fn underapproximation_table(all: &[UnderapproximationSummary], most: usize) -> String {
    if all.is_empty() {
        return String::new();
    }
    let head = ["underapproximations", "lost", "location: what (example)"];
    let mut rows = vec![head.map(str::to_string)];
    rows.extend(all.iter().take(most).map(|place| {
        let what = format!("{}: {} ({})", place.location, place.what, place.example);
        [place.count.to_string(), place.lost.clone(), what]
    }));
    let sides = [Side::Right, Side::Left, Side::Left];
    let mut out = format!("\n{}", table(&sides, rows.into_iter().map(Vec::from)));
    if all.len() > most {
        let _ = writeln!(
            out,
            "{} more locations: summary.json has all",
            all.len() - most
        );
    }
    out
}
