//! Bugs: where, how it came there, with which inputs, and how to see it again.

use super::data::RunData;
use super::text;
use homi_native::replay::readable_inputs;
use homi_native::replay::{Inputs, shell};
use homi_native::testcase::ktest::KTest;
use homi_report::{BugFound, SourceLocation};
use maud::{Markup, html};
use std::path::Path;

/// Lines of source above and below a bug.
const AROUND: u32 = 4;

/// All bugs; `None` if there is none.
pub(super) fn body(data: &RunData) -> Option<Markup> {
    if !data.bugs.is_empty() {
        return Some(html! {
            @for (number, bug) in data.bugs.iter().enumerate() { (bug_of(data, number, bug)) }
        });
    }
    // A directory of before findings were kept.
    let errors = &data.summary.as_ref()?.errors;
    (!errors.is_empty()).then(|| {
        html! {
            @for error in errors {
                article.bug {
                    h3 { (text(&error.message)) }
                    p { code { (text(&error.location)) } }
                    (how(data, &error.test))
                }
            }
        }
    })
}

fn bug_of(data: &RunData, number: usize, bug: &BugFound) -> Markup {
    html! {
        article.bug #{ "bug-" (number + 1) } {
            h3 { (text(&bug.full_message())) }
            p {
                @if let Some(place) = &bug.place { code { (text(&place.file)) ":" (place.line) } " · " }
                (text(&bug.kind)) ": " (text(&bug.about))
            }
            @if let Some(place) = &bug.place { (excerpt(data, place)) }
            @if !bug.stack.is_empty() {
                details { summary { "Calls" } ol {
                    @for frame in &bug.stack {
                        li { code { (text(&frame.function)) "(" (text(&frame.arguments.join(", "))) ")" }
                            @if let Some(place) = &frame.place {
                                " at " code { (text(&place.file)) ":" (place.line) }
                            } }
                    }
                } }
            }
            @if !bug.details.is_empty() {
                ul { @for line in &bug.details { li { (text(line)) } } }
            }
            (how(data, &bug.test))
        }
    }
}

fn excerpt(data: &RunData, place: &SourceLocation) -> Markup {
    let Some(source) = data.sources.text(&place.file) else {
        return html! {};
    };
    let lines = source.around(place.line, AROUND);
    let numbers: Vec<String> = lines.iter().map(|(number, _)| number.to_string()).collect();
    html! {
        div.source tabindex="0" role="region" aria-label={ "Source around line " (place.line) } {
            pre.numbers aria-hidden="true" { (numbers.join("\n")) }
            pre.code {
                @for (number, line) in &lines {
                    @if *number == place.line { span.l3 { (line) } } @else { (line) }
                    "\n"
                }
            }
        }
    }
}

/// The inputs of a test, and commands that show what it does.
fn how(data: &RunData, test: &str) -> Markup {
    if test.is_empty() {
        return html! { p { "No test triggers this bug." } };
    }
    let file = data.directory.join(format!("{test}.ktest"));
    let command = shell::command_name(&file);
    let by_hand = read(&file)
        .ok()
        .map(|inputs| shell::commands(&inputs, "\"$EXE\"", &file));
    html! {
        p { "Inputs of " a href={ "#" (test) } { (test) } ":" }
        pre.inputs { (inputs_of(&file)) }
        p { "Reproduce with the native program:" }
        pre.command { code { "homi replay --show-output " (program(data)) " " (command) } }
        @if let Some(commands) = by_hand {
            details { summary { "By hand, in bash" }
                pre.command { code { "EXE=" (program(data)) "\n" (text(&commands)) } } }
        }
    }
}

/// The native program that shows most, where `homi test` built one.
fn program(data: &RunData) -> String {
    let name = data
        .summary
        .as_ref()
        .map_or("PROGRAM", |summary| &summary.program);
    let name = Path::new(name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let built = |kind: &str| data.directory.join("build").join(kind).join(&*name);
    let mut built = ["sanitized", "counted"].map(built).into_iter();
    match built.find(|program| program.is_file()) {
        Some(program) => shell::command_name(&program),
        None => format!("./{name}"),
    }
}

fn read(file: &Path) -> Result<Inputs, String> {
    let test = KTest::read(file).map_err(|error| error.to_string())?;
    Inputs::of(&test).map_err(|error| error.to_string())
}

/// A test's inputs as lines, or why they cannot be read.
pub(super) fn inputs_of(file: &Path) -> String {
    match read(file) {
        Ok(inputs) => text(&readable_inputs(&inputs).join("\n")),
        Err(why) => text(&why),
    }
}
