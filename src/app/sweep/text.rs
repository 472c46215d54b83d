//! The result of a sweep as text, and as the records of `sweep.json`.

use super::class::{BugClass, ClassifiedBug, Explored};
use super::explore::NotExplored;
use super::file::{
    AssumedCondition, FunctionResult, NotExploredFunction, SCHEMA, SweepBug, SweepFile,
};
use super::preconditions::origin;
use homi_build::harness::Precondition;
use homi_native::replay::{read_inputs, readable_inputs};
use std::fmt::Write as _;
use std::path::Path;

/// Bugs that no caller is shown to reach and that the text lists.
const NEEDS_SHOWN: usize = 10;

/// Least and greatest width of the column with the names of functions.
const NAMES: (usize, usize) = (32, 64);

/// Characters of an input that the text shows.
const WIDTH: usize = 80;

/// Lines of input that the text shows of a bug.
const INPUTS_SHOWN: usize = 4;

/// All that a sweep found.
pub struct SweepResult<'a> {
    pub explored: &'a [Explored],
    pub left_out: &'a [NotExplored],
    /// Each bug once, the most trusted first.
    pub bugs: &'a [ClassifiedBug<'a>],
    pub directory: &'a Path,
}

/// Returns the table of functions and the list of bugs for people.
pub fn text(result: &SweepResult<'_>) -> String {
    let mut out = String::new();
    let functions = result.explored.iter().map(|one| &one.function);
    let functions = functions.chain(result.left_out.iter().map(|one| &one.function));
    let longest = functions.map(|function| function.name.len()).max();
    let names = longest.unwrap_or(0).clamp(NAMES.0, NAMES.1);
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{:<names$} {:<8} {:>4}  place",
        "function", "paths", "bugs"
    );
    for explored in result.explored {
        let function = &explored.function;
        let paths = if explored.is_complete { "all" } else { "some" };
        let of_function = |bug: &&ClassifiedBug<'_>| bug.explored.function == *function;
        let bugs = result.bugs.iter().filter(of_function);
        let _ = writeln!(
            out,
            "{:<names$} {paths:<8} {:>4}  {}:{}",
            function.name,
            bugs.count(),
            function.file,
            function.line
        );
        for one in &explored.preconditions {
            let _ = writeln!(out, "  assumes {} ({})", one.what, origin(one.origin));
        }
    }
    for left_out in result.left_out {
        let function = &left_out.function;
        let _ = writeln!(
            out,
            "{:<names$} not explored: {}",
            function.name, left_out.why
        );
    }
    for (class, name) in BugClass::ALL {
        let of_class = result.bugs.iter().filter(|bug| bug.class == class);
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
        for bug in all.iter().take(shown) {
            write_bug(&mut out, bug, result.directory);
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

fn write_bug(out: &mut String, bug: &ClassifiedBug<'_>, directory: &Path) {
    let (explored, error) = (bug.explored, &bug.error);
    let cwe = match error.cwe {
        0 => String::new(),
        number => format!(" (CWE-{number})"),
    };
    let test = directory.join(format!("{}.ktest", error.test));
    let inputs = read_inputs(&test).map(|inputs| readable_inputs(&inputs));
    // Writing to a String cannot fail.
    let _ = writeln!(out, "  {}: {}{cwe}", error.location, error.full_message());
    for input in inputs.unwrap_or_default().iter().take(INPUTS_SHOWN) {
        let _ = writeln!(out, "    for {}", shortened(input));
    }
    let _ = writeln!(
        out,
        "    from {}: homi explain {}",
        explored.function.name,
        test.display()
    );
}

/// Returns an input that fits a line; `homi explain` shows the whole.
fn shortened(input: &str) -> String {
    match input.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}...", &input[..end]),
        None => input.to_string(),
    }
}

fn totals(result: &SweepResult<'_>) -> String {
    let counts = BugClass::ALL.map(|(class, name)| {
        let count = result.bugs.iter().filter(|bug| bug.class == class).count();
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
pub fn json(result: &SweepResult<'_>) -> SweepFile {
    let functions = result.explored.iter().map(|explored| FunctionResult {
        function: explored.function.name.clone(),
        file: explored.function.file.clone(),
        line: explored.function.line,
        complete: explored.is_complete,
        preconditions: explored.preconditions.iter().map(precondition).collect(),
    });
    let left_out = result.left_out.iter().map(|one| NotExploredFunction {
        function: one.function.name.clone(),
        file: one.function.file.clone(),
        why: one.why.clone(),
    });
    let bugs = result.bugs.iter().map(|bug| SweepBug {
        class: bug.class.name().to_string(),
        found_from: bug.explored.function.name.clone(),
        bug: bug.error.clone(),
    });
    SweepFile {
        schema: SCHEMA,
        functions: functions.collect(),
        not_explored: left_out.collect(),
        bugs: bugs.collect(),
    }
}

fn precondition(one: &Precondition) -> AssumedCondition {
    AssumedCondition {
        condition: one.what.to_string(),
        source: origin(one.origin).to_string(),
    }
}
