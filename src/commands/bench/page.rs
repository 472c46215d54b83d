//! HTML report of a study: its tables and curves.

use super::error::Result;
use super::grid::Grid;
use super::report::{FAILURES, LEGEND, Report, undrawn};
use homi_output::html_report::{Document, HtmlReport, Section, figure, text};
use maud::{Markup, html};

/// Returns the HTML report of a study.
///
/// # Errors
///
/// Fails if a plot cannot be drawn.
pub fn page(report: Report) -> Result<HtmlReport> {
    let (title, facts) = &report.head;
    let mut sections = vec![Section::new(
        "study",
        "The study",
        html! {
            ul { @for fact in facts { li { (text(fact)) } } }
            details { summary { "Columns" } p { (LEGEND) } }
        },
    )];
    let figures = report.plots.iter().map(figure);
    let figures: Vec<Markup> = figures
        .collect::<std::result::Result<_, _>>()
        .map_err(undrawn)?;
    for (name, grids) in &report.sections {
        let id = grids.first().map_or("tables", |grid| &grid.id);
        sections.push(Section::new(&format!("section-{id}"), name, tables(grids)));
    }
    if !figures.is_empty() {
        let body = html! { @for figure in figures { (figure) } };
        sections.insert(1, Section::new("curves", "Over time", body));
    }
    if !report.failures.is_empty() {
        let body = html! { pre.inputs { (text(report.failures.trim())) } };
        sections.push(Section::new("failures", FAILURES, body));
    }
    let document = Document {
        title: title.clone(),
        lead: html! {},
        sections,
        is_live: false,
    };
    Ok(HtmlReport {
        document,
        plots: report.plots,
    })
}

fn tables(grids: &[Grid]) -> Markup {
    html! { @for grid in grids { (grid.table().html()) } }
}
