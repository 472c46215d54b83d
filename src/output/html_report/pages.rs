//! A page on a run or a campaign: its sections in their order.

use super::data::RunData;
use super::document::{Document, Section, figure};
use super::untaken::Fates;
use super::{bugs, divergences, figures, learned, source, summary, tests_table};
use crate::plot::{Plot, PlotError};
use maud::{Markup, html};

/// A page with the figures on it.
#[derive(Debug)]
pub struct HtmlReport {
    pub document: Document,
    pub plots: Vec<Plot>,
}

/// The page on a run.
///
/// # Errors
///
/// If a figure cannot be drawn.
pub fn run_report(data: &RunData) -> Result<HtmlReport, PlotError> {
    let fates = Fates::of(data);
    let plots = figures::all(data);
    let mut sections = vec![Section::new("summary", "Summary", summary::body(data))];
    let mut add = |id: &str, title: &str, body: Option<Markup>| {
        sections.extend(body.map(|body| Section::new(id, title, body)));
    };
    add("bugs", "Bugs", bugs::body(data));
    add("divergences", "Divergences", divergences::body(data));
    add("time", "Over time", over_time(&plots)?);
    add("files", "Files and functions", source::tables(data, &fates));
    add("source", "Source", source::annotated(data, &fates));
    add("costs", "Costs", summary::costs(data));
    add("learned", "Pruning and learning", learned::body(data));
    add("tests", "Tests", tests_table::body(data));
    let program = data
        .summary
        .as_ref()
        .map(|summary| summary.program.as_str());
    let document = Document {
        title: format!("homi: {}", program.unwrap_or("unfinished run")),
        lead: html! {
            @if let Some(command) = &data.command {
                p.command { code { (super::text(command)) } }
            }
            (summary::verdict(data))
        },
        sections,
        is_live: false,
    };
    Ok(HtmlReport { document, plots })
}

fn over_time(plots: &[Plot]) -> Result<Option<Markup>, PlotError> {
    let figures: Vec<Markup> = plots.iter().map(figure).collect::<Result<_, _>>()?;
    Ok((!figures.is_empty()).then(|| html! { @for figure in figures { (figure) } }))
}
