//! Divergences: the tests on which the native program does something else than homi predicts.

use super::data::RunData;
use super::table::{Cell, Table};
use homi_report::Divergence;
use maud::{Markup, html};

/// Returns the divergences of a run; empty if none was compared.
pub(super) fn all(data: &RunData) -> &[Divergence] {
    let outcomes = data.summary.as_ref().and_then(|run| run.outcomes.as_ref());
    outcomes.map_or(&[], |outcomes| &outcomes.divergences)
}

/// Returns `None` if there are no divergences.
pub(super) fn body(data: &RunData) -> Option<Markup> {
    let columns = ["test", "first difference", "first differing call"];
    let caption = "Tests on which the native program does something else than homi predicts";
    let mut table = Table::new("divergence-table", caption, &columns, 3);
    table.rows = all(data).iter().map(row).collect();
    (!table.rows.is_empty()).then(|| table.html())
}

fn row(divergence: &Divergence) -> Vec<Cell> {
    let cause = match &divergence.cause {
        Some(cause) => Cell::text(cause),
        None => Cell::text("unknown"),
    };
    let difference = Divergence {
        cause: None,
        ..divergence.clone()
    };
    let test = super::text(&divergence.test);
    vec![
        Cell::markup(html! { a href={ "#" (test) } { (test) } }),
        Cell::text(&difference.to_string()),
        cause,
    ]
}
