//! The guide's page of options: of `homi run` from the table, of the other commands from clap.

use super::row::{DefaultText, Form, Heading, Row, Scope};
use super::table::rows;
use clap::{Arg, Command};

const INTRODUCTION: &str = "# Options

`homi __options-markdown > docs/reference/options.md` generates this page. `homi COMMAND --help`,
`homi man COMMAND` and `homi completions SHELL` have the same text.

A time is `60s`, `10min` or `1h`; a bare number is seconds. Some options also take instructions
(`500000i`) or [units of work](../research/work.md) (`5000000w`), for runs that are equal each time.
A size is `500MiB` or `2GiB`; a bare number is MB.

## homi run

    homi run [OPTIONS] FILE... [-- ARGUMENT...]
    homi run --resume DIR [OPTIONS]

Options precede or follow the files; the program's arguments follow `--`. `--profile` sets the
defaults of the options that you omit. A resumed campaign (`--resume`) keeps the options of its first
session, except those marked *of one session*.
";

/// The page. `command` is homi's, with its subcommands built.
pub fn markdown(command: &Command) -> String {
    let mut page = INTRODUCTION.to_string();
    let rows = rows();
    for heading in Heading::ALL {
        page += &format!("\n### {}\n", heading.title());
        let under = rows.iter().filter(|row| row.heading == heading);
        for row in under.filter(|row| !row.hidden) {
            page += &entry(row);
        }
    }
    page += "\n### Constants\n\n`--tuning NAME=VALUE` sets these constants. `homi run --tuning help` \
             also lists the constants of\nthe engine and the solver.\n";
    for row in rows.iter().filter(|row| row.constant().is_some()) {
        page += &entry(row);
    }
    let others = command.get_subcommands();
    for other in others.filter(|other| !other.is_hide_set() && other.get_name() != "run") {
        page += &of_command(other);
    }
    page
}

/// One option of `homi run`.
fn entry(row: &Row) -> String {
    let short = row
        .short
        .map_or_else(String::new, |letter| format!("-{letter}, "));
    let value = match &row.form {
        Form::Flag if row.constant().is_some() => "=true|false".to_string(),
        Form::Flag => String::new(),
        Form::Value(name) if row.constant().is_some() => format!("={name}"),
        Form::Value(name) | Form::List(name, _) => format!(" {name}"),
        Form::Arguments => " FLAGS".to_string(),
        Form::Switch => "[=true|false]".to_string(),
        Form::Optional(name, _) => format!("[={name}]"),
    };
    let mut text = format!("**`{short}--{}{value}`**", row.long);
    let remarks = remarks(row);
    if !remarks.is_empty() {
        text += &format!(" ({})", remarks.join("; "));
    }
    text = wrapped(&text, "") + "\n\n";
    for paragraph in row.paragraphs() {
        text += &format!("{}\n\n", wrapped(&sentence(&paragraph), ""));
    }
    for (value, meaning) in row.listed_values() {
        text += &wrapped(&format!("- `{value}`: {meaning}"), "  ");
        text.push('\n');
    }
    format!("\n{}\n", text.trim_end())
}

/// Returns the remarks in brackets behind an option.
fn remarks(row: &Row) -> Vec<String> {
    let mut remarks = Vec::new();
    match (&row.default, row.default_text()) {
        (DefaultText::Text(text), _) => remarks.push(format!("default: {text}")),
        (_, Some(text)) => remarks.push(format!("default: {text}")),
        (_, None) => {}
    }
    if let Some(need) = row.needs {
        remarks.push(format!("needs {}", need.remedy()));
    }
    if row.scope == Scope::Session {
        remarks.push("of one session".to_string());
    }
    remarks
}

/// Returns a paragraph that ends with a full stop.
fn sentence(paragraph: &str) -> String {
    if paragraph.ends_with(['.', ':']) {
        paragraph.to_string()
    } else {
        format!("{paragraph}.")
    }
}

/// Columns of the page.
const WIDTH: usize = 100;

/// A paragraph in lines, the further ones indented.
fn wrapped(paragraph: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > indent.len() && line + 1 + word.chars().count() > WIDTH {
            lines.push(indent.to_string());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() && line != indent {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// True if a command has the option from `homi run`, where the page tells it.
fn is_of_run(command: &str, argument: &Arg) -> bool {
    let heading = argument.get_help_heading();
    match command {
        "concolic" => true,
        "test" | "compare" => heading.is_some_and(|heading| heading != Heading::Compile.title()),
        _ => false,
    }
}

/// Another command: its options as clap knows them.
fn of_command(command: &Command) -> String {
    let name = command.get_name();
    let mut text = format!("\n## homi {name}\n");
    let about = command.get_long_about().or_else(|| command.get_about());
    if let Some(about) = about {
        for paragraph in about.to_string().split("\n\n") {
            text += &format!("\n{}\n", wrapped(&sentence(paragraph), ""));
        }
    }
    let arguments = command.get_arguments();
    let is_listed =
        |one: &&Arg| !one.is_hide_set() && one.get_id() != "help" && !is_of_run(name, one);
    for argument in arguments.filter(is_listed) {
        let shown = match argument.get_short() {
            Some(letter) => format!("-{letter}, {argument}"),
            None => argument.to_string(),
        };
        let help = argument.get_long_help().or_else(|| argument.get_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        let defaults: Vec<_> = argument
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy())
            .filter(|value| value != "false")
            .collect();
        let default = if defaults.is_empty() {
            String::new()
        } else {
            format!(" (default: {})", defaults.join(", "))
        };
        text += &format!("\n**`{shown}`**{default}\n");
        for paragraph in help.split("\n\n") {
            text += &format!("\n{}\n", wrapped(&sentence(paragraph), ""));
        }
    }
    text
}
