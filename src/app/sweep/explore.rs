//! The exploration of one function in a process of `homi test`.

use super::class::Explored;
use homi_build::harness::{self, DefinedFunction};
use homi_output::export::earlier_findings;
use homi_report::{BugFound, ErrorSummary, Event, Summary};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Shapes of pointers that callers are taken to pass; null only where one does.
const SHAPES: &str = "one,many,string,shared,cyclic";
/// Options of every exploration: results depend on no fuzzer.
const FIXED: [&str; 6] = [
    "--quiet",
    "--no-config",
    "--fuzz",
    "off",
    "--compare",
    "off",
];
/// Name of the file with what an exploration printed.
const MESSAGES: &str = "sweep.txt";

/// How functions are explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The `homi` command.
    pub homi: PathBuf,
    pub files: Vec<PathBuf>,
    /// Options of `homi test` for every function.
    pub options: Vec<OsString>,
    /// Time for one function: the text of `--max-time`.
    pub each: String,
    /// Directory with a directory for each function.
    pub directory: PathBuf,
}

/// A function that could not be explored, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotExplored {
    pub function: DefinedFunction,
    pub why: String,
}

/// Explores a function, unless that was done. `gets_null` says that a caller passes null.
///
/// # Errors
/// Returns why the function could not be explored.
pub fn explore(
    how: &Exploration,
    function: &DefinedFunction,
    gets_null: bool,
) -> Result<Explored, String> {
    let place = how.directory.join(&function.name);
    if let Some(done) = read(&place, function) {
        return Ok(done);
    }
    let messages = run(how, function, gets_null, &place).map_err(|error| error.to_string())?;
    match read(&place, function) {
        Some(done) => {
            // The report is beside the tests that it names.
            let _kept = std::fs::write(place.join(MESSAGES), &messages);
            Ok(done)
        }
        None => Err(reason(&messages)),
    }
}

/// Runs the exploration, and returns what it printed.
fn run(
    how: &Exploration,
    function: &DefinedFunction,
    gets_null: bool,
    place: &Path,
) -> std::io::Result<String> {
    if place.exists() {
        // An interrupted exploration.
        std::fs::remove_dir_all(place)?;
    }
    let mut command = Command::new(&how.homi);
    command.arg("test").args(&how.files).args(FIXED);
    command
        .args(["--max-time", &how.each, "--output-dir"])
        .arg(place);
    if function.name != "main" {
        command.args(["--entry-point", &function.name]);
        let null = if gets_null { ",null" } else { "" };
        command.args(["--pointer-shapes", &format!("{SHAPES}{null}")]);
    }
    let output = command.args(&how.options).stdin(Stdio::null()).output()?;
    let text = [output.stdout, output.stderr].concat();
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the first line with an error.
fn reason(messages: &str) -> String {
    let mut lines = messages.lines();
    let line = lines
        .find(|line| line.contains("rror"))
        .or_else(|| messages.lines().last());
    let line = line.unwrap_or("homi test said nothing");
    line.trim_start_matches("homi: ")
        .trim_start_matches("error: ")
        .to_string()
}

/// Reads the result of an exploration; `None` if it has none.
fn read(place: &Path, function: &DefinedFunction) -> Option<Explored> {
    let text = std::fs::read_to_string(place.join("summary.json")).ok()?;
    let summary: Summary = serde_json::from_str(&text).ok()?;
    let found = earlier_findings(place).unwrap_or_default();
    let bugs: Vec<&BugFound> = found
        .iter()
        .filter_map(|event| match event {
            Event::BugFound(bug) => Some(bug),
            _ => None,
        })
        .collect();
    let is_complete = summary.stop_reason.starts_with("exhausted");
    let is_harness = |error: &ErrorSummary| error.location.contains(harness::FILE);
    let mut errors = summary.errors;
    errors.retain(|error| !is_harness(error));
    for error in &mut errors {
        let mut same = bugs
            .iter()
            .filter(|bug| bug.fingerprint == error.fingerprint);
        error.every_input &= !same.any(|bug| is_about_parameter(bug));
    }
    Some(Explored {
        function: function.clone(),
        errors,
        is_complete,
    })
}

/// True if a bug is about an object that the harness made, whose size the callers decide, or about
/// a null pointer.
fn is_about_parameter(bug: &BugFound) -> bool {
    let mut details = bug.details.iter();
    bug.weakness == "null-dereference" || details.any(|detail| detail.contains(harness::FILE))
}
