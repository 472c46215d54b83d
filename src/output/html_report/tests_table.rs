//! Tests: what each gives to the program, how it ended, what it covered first.

use super::bugs::inputs_of;
use super::data::RunData;
use super::source::line_id;
use super::table::{Cell, Table, grouped};
use super::text;
use homi_native::testcase::TestCoverage;
use homi_report::TestEnding;
use maud::{Markup, html};

/// Places that a test covered first that are listed.
const MOST_PLACES: usize = 60;

/// Returns `None` if there are no tests.
pub(super) fn body(data: &RunData) -> Option<Markup> {
    let columns = [
        "test",
        "inputs",
        "ended",
        "found by",
        "covered first",
        "sides",
        "new sides",
    ];
    let mut table = Table::new(
        "test-table",
        "Tests in the order in which they were written",
        &columns,
        5,
    );
    table.rows = data
        .tests
        .iter()
        .map(|test| {
            let file = data.directory.join(format!("{}.ktest", test.test));
            vec![
                Cell::markup(html! { span #(test.test) { (text(&test.test)) } }),
                Cell::markup(html! { pre.inputs.wide { (inputs_of(&file)) } }),
                Cell::markup(ending(data.endings.get(&test.test), test)),
                Cell::markup(html! { (text(&test.found_by)) }),
                Cell::markup(firsts(data, test)).sorted_by(test.new.len() as f64),
                Cell::count(test.sides.len() as u64),
                Cell::count(test.new.len() as u64),
            ]
        })
        .collect();
    (!table.rows.is_empty()).then(|| table.html())
}

fn ending(ending: Option<&TestEnding>, test: &TestCoverage) -> Markup {
    let underapproximations = match test.underapproximations.len() {
        0 => String::new(),
        places => format!(
            "; under-approximated at {places} location{}",
            if places == 1 { "" } else { "s" }
        ),
    };
    html! {
        @match ending {
            Some(TestEnding::Exit { status }) => { "exit " (status) }
            Some(TestEnding::Silent) => "silent",
            Some(TestEnding::Bug { message, location, .. }) => {
                span.bad { (text(message)) } " " code { (text(location)) }
            }
            Some(TestEnding::Unsupported { what, .. }) => { "unsupported: " (text(what)) }
            Some(TestEnding::Early { reason }) => { "stopped: " (text(reason)) }
            None => { @match test.exit { Some(status) => { "exit " (status) }, None => "" } }
        }
        (underapproximations)
    }
}

/// The places of the sides that no earlier test covers.
fn firsts(data: &RunData, test: &TestCoverage) -> Markup {
    if test.new.is_empty() {
        return html! {};
    }
    let places = test
        .new
        .iter()
        .take(MOST_PLACES)
        .filter_map(|(branch, side)| Some((data.branches.get(*branch as usize)?, *side)));
    html! {
        details {
            summary { (grouped(test.new.len() as u64)) " side" @if test.new.len() != 1 { "s" } }
            ul.plain {
                @for (place, side) in places {
                    li {
                        a href={ "#" (line_id(data, &place.file, place.line)) } {
                            (text(short(&place.file))) ":" (place.line)
                        }
                        " " (text(&place.function)) ", side " (side)
                    }
                }
                @if test.new.len() > MOST_PLACES {
                    li.soft { "and " (test.new.len() - MOST_PLACES) " more" }
                }
            }
        }
    }
}

/// The last part of a path.
pub(super) fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
