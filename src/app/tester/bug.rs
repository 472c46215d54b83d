//! One bug with all data for the user: kind, location, input, and the result of its replay.

use super::confirmation::{Confirmation, Suspect, confirmation};
use super::evidence::ReplayedTests;
use super::native::NativeBuilds;
use super::source_text::{SourceTexts, place};
use super::verifier;
use homi_build::harness;
use homi_native::replay::shell;
use homi_native::replay::{read_inputs, readable_inputs};
use homi_report::{ConfirmationSummary, ErrorSummary, ErrorTriage, ReplayResult};
use std::path::{Path, PathBuf};

/// A call on the way to a bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    pub function: String,
    /// `FILE:LINE` of the call.
    pub location: String,
}

/// A bug of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BugReport {
    pub message: String,
    /// `CWE-787 out-of-bounds-write, error 9`.
    pub weakness: String,
    /// Result of the baseline and of suppressions.
    pub triage: Option<ErrorTriage>,
    /// `FILE:LINE`, or `FILE:LINE:COLUMN` of a check.
    pub location: String,
    /// The text of that line, if the file can be read.
    pub source: Option<String>,
    /// Function that the bug is in, then its callers, outermost last.
    pub stack: Vec<Caller>,
    /// Details about the accessed object, if known.
    pub details: Vec<String>,
    /// The test that shows it.
    pub test: PathBuf,
    /// The inputs of that test, a line each.
    pub inputs: Vec<String>,
    /// The command that runs the test on a native program in the sandbox.
    pub replay: Option<String>,
    /// A command that gives the program the same input without homi, where one line can.
    pub by_hand: Option<String>,
    pub confirmation: Confirmation,
}

/// Makes the report of a bug of the run in `directory`.
pub(super) fn bug_report(
    error: &ErrorSummary,
    directory: &Path,
    builds: &NativeBuilds,
    replayed: &ReplayedTests,
    texts: &mut SourceTexts,
) -> BugReport {
    let test = directory.join(format!("{}.ktest", error.test));
    let (stack, details) = error_file(directory, &error.test);
    let location = shown_location(error, &stack);
    let source = place(location).and_then(|(file, line)| texts.line(file, line));
    let exe = builds.best();
    let (inputs, by_hand) = match read_inputs(&test) {
        Ok(inputs) => {
            let command = exe.and_then(|exe| shell::one_line(&inputs, exe, &test));
            (readable_inputs(&inputs), command)
        }
        Err(why) => (vec![why], None),
    };
    let replay = exe.map(|exe| {
        format!(
            "homi replay --show-output {} {}",
            shell::command_name(exe),
            shell::command_name(&test)
        )
    });
    let confirmation = confirmation(suspect(error, location), replayed);
    BugReport {
        message: error.full_message(),
        weakness: weakness(error),
        triage: error.triage.clone(),
        location: with_column(error, location),
        source,
        stack,
        details,
        test,
        inputs,
        replay,
        by_hand,
        confirmation,
    }
}

/// Returns the weakness of a bug with its number and severity.
fn weakness(error: &ErrorSummary) -> String {
    let number = match error.cwe {
        0 => String::new(),
        number => format!("CWE-{number} "),
    };
    let (name, severity) = (&error.weakness, &error.severity);
    format!("{number}{name}, {severity} {}", error.rank)
}

/// Returns the location of a bug, with the column if a check compared values there.
fn with_column(error: &ErrorSummary, location: &str) -> String {
    if error.values.is_empty() || error.column == 0 || location != error.location {
        return location.to_string();
    }
    format!("{location}:{}", error.column)
}

/// Adds to the bugs of the run in `directory` what their replays show, and counts the results.
pub fn confirm(
    errors: &mut [ErrorSummary],
    directory: &Path,
    replayed: &ReplayedTests,
) -> ConfirmationSummary {
    let mut counts = ConfirmationSummary::default();
    for error in errors {
        let (stack, _) = error_file(directory, &error.test);
        let confirmation = confirmation(suspect(error, shown_location(error, &stack)), replayed);
        let confirmation = confirmation.summary();
        *match confirmation.result {
            ReplayResult::Confirmed => &mut counts.confirmed,
            ReplayResult::ConfirmedBySignal => &mut counts.confirmed_by_signal,
            ReplayResult::SeenOtherwise => &mut counts.seen_otherwise,
            ReplayResult::Unseen => &mut counts.unseen,
            ReplayResult::NotReplayed => &mut counts.not_replayed,
        } += 1;
        error.confirmation = Some(confirmation);
    }
    counts
}

/// Returns the bug as replays look for it.
fn suspect<'a>(error: &'a ErrorSummary, location: &'a str) -> Suspect<'a> {
    Suspect {
        test: &error.test,
        kind: &error.kind,
        message: &error.message,
        location,
    }
}

/// Returns the location of a bug; for code that homi added, the caller's.
fn shown_location<'a>(error: &'a ErrorSummary, stack: &'a [Caller]) -> &'a str {
    let is_added = error.location.contains(verifier::FILE);
    match stack.first() {
        Some(caller) if is_added => &caller.location,
        _ => &error.location,
    }
}

/// Stack and details of a test's `.err` file.
fn error_file(directory: &Path, test: &str) -> (Vec<Caller>, Vec<String>) {
    let start = format!("{test}.");
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let path = files.map(|file| file.path()).find(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&start) && name.ends_with(".err")
    });
    let text = path
        .and_then(|path| std::fs::read(path).ok())
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let stack = text.lines().filter_map(stack_entry).collect();
    let details = text.lines().filter_map(detail).collect();
    (stack, details)
}

/// A frame of the user's own code: `\t#2 00000000 in main(argc=3) at over.c:6`.
fn stack_entry(line: &str) -> Option<Caller> {
    let (_, frame) = line.strip_prefix("\t#")?.split_once(" in ")?;
    let (function, _) = frame.split_once('(')?;
    let (_, location) = frame.rsplit_once(") at ")?;
    let is_runtime = location.starts_with("runtime/") && function.starts_with("__");
    let is_added = location.contains(verifier::FILE) || location.contains(harness::FILE);
    (!is_runtime && !is_added).then(|| Caller {
        function: function.to_string(),
        location: location.to_string(),
    })
}

/// Returns what a memory error says about the intended object.
fn detail(line: &str) -> Option<String> {
    let detail = line.strip_prefix('\t')?;
    let tells = detail.starts_with("offset ") || detail.starts_with("freed ");
    tells.then(|| without_addresses(detail))
}

/// A detail without the object's address, which differs from the native program's.
fn without_addresses(detail: &str) -> String {
    let words = detail.split(' ').collect::<Vec<_>>();
    let mut kept: Vec<&str> = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let address_follows = words.peek().is_some_and(|next| next.starts_with("0x"));
        if word == "at" && address_follows {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_user_are_kept() {
        let frame = |line: &str| {
            stack_entry(line).map(|caller| format!("{} {}", caller.function, caller.location))
        };
        let own = frame("\t#2 00000000 in main(argc=3, argv=0x4) at a b/over.c:6");
        assert_eq!(own.as_deref(), Some("main a b/over.c:6"));
        assert_eq!(frame("\t#1 00000000 in strcpy(0x79, 0x40)"), None);
        let entry = "\t#4 00000000 in __homi_entry(main=0x4) at runtime/kernel/start.c:118";
        assert_eq!(frame(entry), None);
        assert_eq!(frame("Stack: "), None);
    }

    #[test]
    fn details_are_without_addresses() {
        let line =
            "\toffset 4 in object at 0x79f of size 4 in stack memory (local buf of main at a.c:4)";
        assert_eq!(
            detail(line).as_deref(),
            Some("offset 4 in object of size 4 in stack memory (local buf of main at a.c:4)")
        );
        assert_eq!(detail("\taddress: 0x79f"), None);
    }
}
