//! The result of a sweep as text and as JSON.

use super::class::{BugClass, Explored};
use super::explore::NotExplored;
use homi_native::replay::{read_inputs, readable_inputs};
use homi_report::ErrorSummary;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Bugs that no caller is shown to reach and that the text lists.
const NEEDS_SHOWN: usize = 10;

/// Lines of input that the text shows of a bug.
const INPUTS_SHOWN: usize = 4;

/// All that a sweep found.
pub struct SweepResult<'a> {
    pub explored: &'a [Explored],
    pub left_out: &'a [NotExplored],
    /// Each bug once, the most trusted first.
    pub bugs: &'a [(BugClass, &'a Explored, &'a ErrorSummary)],
    pub directory: &'a Path,
}

/// Returns the table of functions and the list of bugs for people.
pub fn text(result: &SweepResult<'_>) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{:<32} {:<8} {:>4}  place",
        "function", "paths", "bugs"
    );
    for explored in result.explored {
        let function = &explored.function;
        let paths = if explored.is_complete { "all" } else { "some" };
        let bugs = result.bugs.iter().filter(|bug| bug.1.function == *function);
        let _ = writeln!(
            out,
            "{:<32} {paths:<8} {:>4}  {}:{}",
            function.name,
            bugs.count(),
            function.file,
            function.line
        );
    }
    for left_out in result.left_out {
        let function = &left_out.function;
        let _ = writeln!(out, "{:<32} not explored: {}", function.name, left_out.why);
    }
    for (class, name) in BugClass::ALL {
        let of_class = result.bugs.iter().filter(|bug| bug.0 == class);
        let all: Vec<_> = of_class.collect();
        if all.is_empty() || class == BugClass::RuledOut {
            continue;
        }
        let _ = writeln!(out, "\n{} ({name}):", title(class));
        let shown = if class.fails() {
            all.len()
        } else {
            NEEDS_SHOWN
        };
        for (_, explored, error) in all.iter().take(shown) {
            write_bug(&mut out, explored, error, result.directory);
        }
        if all.len() > shown {
            let _ = writeln!(out, "  {} more are in sweep.json", all.len() - shown);
        }
    }
    let _ = writeln!(out, "\n{}", totals(result));
    out
}

fn title(class: BugClass) -> &'static str {
    match class {
        BugClass::Certain => "Bugs whatever callers pass",
        BugClass::FromCallers => "Bugs that callers in these files reach",
        BugClass::Needs => "Bugs for values that no caller is shown to pass",
        BugClass::RuledOut => "Bugs that no caller reaches",
    }
}

fn write_bug(out: &mut String, explored: &Explored, error: &ErrorSummary, directory: &Path) {
    let cwe = match error.cwe {
        0 => String::new(),
        number => format!(" (CWE-{number})"),
    };
    let place = directory.join(&explored.function.name);
    let test = place.join(format!("{}.ktest", error.test));
    let inputs = read_inputs(&test).map(|inputs| readable_inputs(&inputs));
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  {}: {}{cwe}", error.location, error.full_message());
    for input in inputs.unwrap_or_default().iter().take(INPUTS_SHOWN) {
        let _ = writeln!(out, "    for {input}");
    }
    let _ = writeln!(
        out,
        "    from {}: homi explain {}",
        explored.function.name,
        test.display()
    );
}

fn totals(result: &SweepResult<'_>) -> String {
    let counts = BugClass::ALL.map(|(class, name)| {
        let count = result.bugs.iter().filter(|bug| bug.0 == class).count();
        format!("{count} {name}")
    });
    format!(
        "explored functions: {}, others: {}; bugs: {}",
        result.explored.len(),
        result.left_out.len(),
        counts.join(", ")
    )
}

/// Returns the content of `sweep.json`.
pub fn json(result: &SweepResult<'_>) -> Value {
    let functions = result.explored.iter().map(|explored| {
        json!({
            "function": explored.function.name,
            "file": explored.function.file,
            "line": explored.function.line,
            "complete": explored.is_complete,
        })
    });
    let left_out = result.left_out.iter().map(
        |one| json!({"function": one.function.name, "file": one.function.file, "why": one.why}),
    );
    let bugs = result.bugs.iter().map(|(class, explored, error)| {
        json!({"class": class.name(), "found_from": explored.function.name, "bug": error})
    });
    json!({
        "schema": 1,
        "functions": functions.collect::<Vec<_>>(),
        "not_explored": left_out.collect::<Vec<_>>(),
        "bugs": bugs.collect::<Vec<_>>(),
    })
}
