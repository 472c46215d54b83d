//! The exploration of one function in a process of `homi test`.

use super::class::{Explored, NULL};
use super::preconditions::{Contracts, assumed, options, without_null};
use homi_build::harness::{self, DefinedFunction, Precondition};
use homi_config::BugKind;
use homi_native::testcase::ktest::KTest;
use homi_output::export::earlier_findings;
use homi_report::{BugFound, ErrorSummary, Event, Summary, digest};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Shapes of pointers that callers are taken to pass; null only where a precondition says so.
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
/// Name of the file that says what was explored, and how.
const KEY: &str = "sweep.key";
/// Lines that one directed exploration goes for.
const MOST_TARGETS: usize = 8;

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
    pub contracts: Contracts,
    /// Text that is equal for equal programs.
    pub program: String,
    /// Functions that the files define.
    pub names: BTreeSet<String>,
}

/// A function that could not be explored, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotExplored {
    pub function: DefinedFunction,
    pub why: String,
}

impl Exploration {
    /// Name of the directory with what all explorations link. No function of C has it.
    pub const OBJECTS: &'static str = "build-objects";
}

/// Explores a function, unless that was done.
///
/// # Errors
/// Returns why the function could not be explored.
pub fn explore(how: &Exploration, function: &DefinedFunction) -> Result<Explored, String> {
    let place = how.directory.join(&function.name);
    let preconditions = assumed(function, &how.contracts);
    let mut first = explored(how, function, preconditions.clone(), &[], &place)?;
    let is_about = |error: &ErrorSummary| first.about_parameters.contains(&error.fingerprint);
    let mut nulls = first.errors.iter().filter(|error| error.weakness == NULL);
    if nulls.any(is_about)
        && let Some(preconditions) = without_null(&preconditions)
    {
        // A path with a null parameter may hide what fails without one.
        let place = how.directory.join(format!("{}-nonnull", function.name));
        if let Ok(second) = explored(how, function, preconditions, &[], &place) {
            let about = second.about_parameters.clone();
            let is_new = |error: &ErrorSummary| !about.contains(&error.fingerprint);
            first.replace(second, |error| error.weakness == NULL && is_new(error));
        }
    }
    Ok(first)
}

/// Explores a function again, now for some lines of its callees; its errors are added to the
/// earlier ones.
pub fn explore_for(how: &Exploration, earlier: &mut Explored, lines: &BTreeSet<String>) {
    let lines: Vec<String> = lines.iter().take(MOST_TARGETS).cloned().collect();
    let place = how
        .directory
        .join(format!("{}-again", earlier.function.name));
    let preconditions = earlier.preconditions.clone();
    let again = explored(how, &earlier.function, preconditions, &lines, &place);
    // One that fails adds nothing.
    let Ok(again) = again else { return };
    earlier.add(again);
}

fn explored(
    how: &Exploration,
    function: &DefinedFunction,
    preconditions: Vec<Precondition>,
    lines: &[String],
    place: &Path,
) -> Result<Explored, String> {
    let arguments = arguments(how, function, &preconditions, lines);
    let shown: Vec<_> = arguments.iter().map(|one| one.to_string_lossy()).collect();
    let key = digest(&format!("{}\n{}", how.program, shown.join("\n")));
    let earlier = std::fs::read_to_string(place.join(KEY));
    if earlier.is_ok_and(|earlier| earlier == key)
        && let Some(done) = read(how, place, function, &preconditions)
    {
        return Ok(done);
    }
    let messages = run(how, &arguments, place).map_err(|error| error.to_string())?;
    match read(how, place, function, &preconditions) {
        Some(done) => {
            // The report is beside the tests that it names. Without the key it is made again.
            let _kept = std::fs::write(place.join(MESSAGES), &messages);
            let _kept = std::fs::write(place.join(KEY), key);
            Ok(done)
        }
        None => Err(reason(&messages)),
    }
}

/// Returns the options of the exploration of a function.
fn arguments(
    how: &Exploration,
    function: &DefinedFunction,
    preconditions: &[Precondition],
    lines: &[String],
) -> Vec<OsString> {
    let mut words: Vec<OsString> = how.files.iter().map(OsString::from).collect();
    words.extend(FIXED.map(OsString::from));
    words.extend(["--max-time".into(), how.each.clone().into()]);
    words.extend([
        "--build-objects".into(),
        how.directory.join(Exploration::OBJECTS).into(),
    ]);
    if function.name != "main" {
        let shapes = ["--entry-point", &function.name, "--pointer-shapes", SHAPES];
        words.extend(shapes.map(OsString::from));
        words.extend(options(preconditions).into_iter().map(OsString::from));
    }
    for line in lines {
        words.extend(["--target".into(), line.into()]);
    }
    if !lines.is_empty() {
        words.push("--stop-at-targets=false".into());
    }
    words.extend(how.options.iter().cloned());
    words
}

/// Runs the exploration, and returns what it printed.
fn run(how: &Exploration, arguments: &[OsString], place: &Path) -> std::io::Result<String> {
    if place.exists() {
        // An interrupted exploration, or one of another version of the program.
        std::fs::remove_dir_all(place)?;
    }
    let mut command = Command::new(&how.homi);
    command.arg("test").arg("--output-dir").arg(place);
    let output = command.args(arguments).stdin(Stdio::null()).output()?;
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
fn read(
    how: &Exploration,
    place: &Path,
    function: &DefinedFunction,
    preconditions: &[Precondition],
) -> Option<Explored> {
    let text = std::fs::read_to_string(place.join("summary.json")).ok()?;
    let summary: Summary = serde_json::from_str(&text).ok()?;
    let events = earlier_findings(place).unwrap_or_default().into_iter();
    let found = events.filter_map(|event| match event {
        Event::BugFound(bug) => Some(bug),
        _ => None,
    });
    let mut found: Vec<BugFound> = found.collect();
    let is_complete = summary.stop_reason.starts_with("exhausted");
    let is_harness = |error: &ErrorSummary| error.location.contains(harness::FILE);
    let mut errors = summary.errors;
    errors.retain(|error| !is_harness(error));
    let own = place.file_name().unwrap_or_default().to_string_lossy();
    let tests = errors.iter_mut().map(|error| &mut error.test);
    let tests = tests.chain(found.iter_mut().map(|bug| &mut bug.test));
    for test in tests.filter(|test| !test.is_empty()) {
        // From the directory of the sweep on.
        *test = format!("{own}/{test}");
    }
    let text = std::fs::read_to_string(place.join(harness::FILE)).unwrap_or_default();
    let (mut about_parameters, mut isolated) = (BTreeSet::new(), BTreeSet::new());
    for error in &mut errors {
        let same = found
            .iter()
            .find(|bug| bug.fingerprint == error.fingerprint);
        let test = place.with_file_name(format!("{}.ktest", error.test));
        let is_callers = has_callback(&test) || is_about_parameters(error, same, &text);
        if is_callers {
            about_parameters.insert(error.fingerprint.clone());
        }
        if let Some(bug) = same {
            // A library's function fails in the function that calls it.
            let mut frames = bug.functions();
            let own = frames.find(|name| how.names.contains(*name));
            error.function = own.map_or_else(|| error.function.clone(), str::to_string);
            if bug.isolated && !is_callers {
                isolated.insert(error.fingerprint.clone());
            }
        }
        // The program checks an assertion with a branch, so each input of the path behind it fails.
        let is_checked = [BugKind::Assert, BugKind::Abort].map(|kind| kind.name() == error.kind);
        error.every_input &= !is_checked.contains(&true) && !is_callers;
    }
    let is_conclusive = is_complete && errors.is_empty() && !harness::has_callbacks(&text);
    Some(Explored {
        function: function.clone(),
        preconditions: preconditions.to_vec(),
        errors,
        found,
        about_parameters,
        isolated,
        is_complete,
        is_conclusive,
    })
}

/// True if callers decide about a bug: it is about a null pointer or an object that the harness
/// made, or about numbers that are parameters, whose range callers may keep to.
fn is_about_parameters(error: &ErrorSummary, bug: Option<&BugFound>, harness: &str) -> bool {
    let is_null = harness::may_give_null(harness) && error.weakness == NULL;
    is_null
        || bug.is_some_and(|bug| {
            let mut inputs = bug.inputs.iter();
            let are_numbers = inputs.all(|name| harness::is_number(harness, name));
            let is_range = !bug.isolated && !bug.inputs.is_empty() && are_numbers;
            is_range || is_about_object(bug)
        })
}

/// True if a bug is about an object that the harness made, whose size the callers decide.
fn is_about_object(bug: &BugFound) -> bool {
    let is_neighbor =
        |detail: &&String| detail.starts_with("next: ") || detail.starts_with("prev: ");
    let mut own = bug.details.iter().filter(|detail| !is_neighbor(detail));
    own.any(|detail| detail.contains(harness::FILE))
}

/// True if a function of the harness stood for a callback of the path, which does nothing of what
/// the real one does.
fn has_callback(test: &Path) -> bool {
    let objects = KTest::read(test)
        .map(|test| test.objects)
        .unwrap_or_default();
    objects
        .iter()
        .any(|object| object.name_text().starts_with(harness::CALLBACK))
}
