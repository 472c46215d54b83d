//! Reading of violation witnesses: the inputs that they name, for a replay.
//!
//! Idea: a waypoint of an input stands where homi's own writer puts it: at the parenthesis that
//! closes the call, or at the statement behind a declaration. The source tells which call that is.

use super::nondet::{PREFIX, bytes};
use super::source::SourceFiles;
use homi_report::SourceLocation;
use serde::Deserialize;
use std::path::Path;

/// An input that a witness names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedInput {
    /// End of the name of the function `__VERIFIER_nondet_...`.
    pub name: String,
    /// Bytes of the value in memory.
    pub bytes: Vec<u8>,
}

/// Content of a violation witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedViolation {
    /// Inputs in the order of their calls.
    pub inputs: Vec<NamedInput>,
    /// SourceLocation of the violation, as the compiler names it.
    pub target: SourceLocation,
}

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Segment>,
}

#[derive(Deserialize)]
struct Metadata {
    format_version: String,
    task: TaskData,
}

#[derive(Deserialize)]
struct TaskData {
    data_model: String,
}

#[derive(Deserialize)]
struct Segment {
    segment: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    waypoint: Point,
}

#[derive(Deserialize)]
struct Point {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    location: Location,
    constraint: Option<Constraint>,
}

#[derive(Deserialize)]
struct Location {
    file_name: String,
    line: u32,
    #[serde(default)]
    column: u32,
}

#[derive(Deserialize)]
struct Constraint {
    value: String,
}

/// Reads a violation witness of a task with these files.
///
/// # Errors
/// Fails with the reason if the file is no violation witness of version 2, or if it names an input
/// that is not in the sources.
pub fn read_violation(
    witness: &Path,
    files: &[std::path::PathBuf],
) -> Result<NamedViolation, String> {
    let text = std::fs::read_to_string(witness).map_err(|error| error.to_string())?;
    let entries: Vec<Entry> = serde_saphyr::from_str(&text).map_err(|error| error.to_string())?;
    let [entry] = &entries[..] else {
        return Err(format!("it has {} entries in place of one", entries.len()));
    };
    if entry.entry_type != "violation_sequence" {
        return Err(format!(
            "its entry is a {}, not a violation_sequence",
            entry.entry_type
        ));
    }
    let version = &entry.metadata.format_version;
    if !version.starts_with("2.") {
        return Err(format!(
            "its format is version {version}; homi reads version 2"
        ));
    }
    let is_narrow = entry.metadata.task.data_model == "ILP32";
    let files = SourceFiles::read(files);
    let points = entry.content.iter().flat_map(|segment| &segment.segment);
    let points = points
        .map(|step| &step.waypoint)
        .filter(|point| point.action == "follow");
    let (mut inputs, mut target) = (Vec::new(), None);
    for point in points {
        if point.kind == "target" {
            target = Some(point);
        } else {
            inputs.extend(input(&files, point, is_narrow)?);
        }
    }
    let target = target.ok_or("it has no target")?;
    let at = position(&files, target)?;
    let target = files.named(&at).ok_or_else(|| absent(target))?;
    Ok(NamedViolation { inputs, target })
}

fn absent(point: &Point) -> String {
    let Location {
        file_name, line, ..
    } = &point.location;
    format!(
        "its {} at {file_name}:{line} is not in the sources",
        point.kind
    )
}

/// Returns the position of a waypoint in the task's files.
fn position(files: &SourceFiles, point: &Point) -> Result<SourceLocation, String> {
    let file = files
        .given_name(&point.location.file_name)
        .ok_or_else(|| absent(point))?;
    Ok(SourceLocation {
        file,
        line: point.location.line,
        column: point.location.column,
    })
}

/// Returns the input of a waypoint; `None` if the waypoint is about something else.
fn input(
    files: &SourceFiles,
    point: &Point,
    is_narrow: bool,
) -> Result<Option<NamedInput>, String> {
    let equality = point
        .constraint
        .as_ref()
        .and_then(|constraint| constraint.value.split_once("=="));
    let Some((subject, value)) = equality else {
        return Ok(None);
    };
    let at = position(files, point)?;
    let name = match point.kind.as_str() {
        "function_return" if subject.trim() == "\\result" => called_before(files, &at),
        "assumption" => declared_before(files, subject.trim(), &at),
        _ => return Ok(None),
    };
    let Some(name) = name else {
        return match point.kind.as_str() {
            "function_return" => Err(absent(point)),
            _ => Ok(None),
        };
    };
    let value = value.trim();
    let bytes = bytes(&name, value, is_narrow)
        .ok_or_else(|| format!("`{value}` is no value of {PREFIX}{name}"))?;
    Ok(Some(NamedInput { name, bytes }))
}

/// Returns the end of the name of the input function whose call ends at a position.
fn called_before(files: &SourceFiles, at: &SourceLocation) -> Option<String> {
    let (before, _) = files.around(at)?;
    let start = before.rfind(PREFIX)?;
    let (name, rest) = before[start + PREFIX.len()..].split_once('(')?;
    rest.trim().is_empty().then(|| name.trim_end().to_string())
}

/// Returns the end of the name of the input function that the declaration of a variable calls on
/// the last line with text before a position.
fn declared_before(files: &SourceFiles, variable: &str, at: &SourceLocation) -> Option<String> {
    let lines = files.lines(&at.file);
    let before = lines.get(..(at.line as usize).checked_sub(1)?)?;
    let line = before.iter().rev().find(|line| !line.trim().is_empty())?;
    let (declaration, call) = line.split_once('=')?;
    let declared = declaration.trim().rsplit([' ', '*']).next()?;
    let (name, _) = call.trim().strip_prefix(PREFIX)?.split_once('(')?;
    (declared == variable).then(|| name.trim_end().to_string())
}
