//! The waypoints of an execution that violates a property.

use super::InputCall;
use super::nondet::{constant, type_of};
use super::source::SourceFiles;
use homi_report::SourceLocation;

/// Kind of a waypoint, with its constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WaypointKind {
    /// A condition of C holds before a statement.
    Assumption(String),
    /// A condition of ACSL holds for the result of a call.
    FunctionReturn(String),
    /// The statement violates the property.
    Target,
}

/// A point that the execution passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Waypoint {
    pub(super) kind: WaypointKind,
    /// Column 0: the first suitable place of the line.
    pub(super) position: SourceLocation,
}

/// Returns the waypoint of an input; `None` if its position or its value is not certain.
pub(super) fn input(files: &SourceFiles, call: &InputCall) -> Option<Waypoint> {
    let value = constant(&call.function, call.value, call.width)?;
    let start = files.resolve(&call.position)?;
    let end = files.end_of_call(&call.function, &start)?;
    if let Some((variable, position)) = declared(files, &call.function, (&start, &end)) {
        return Some(Waypoint {
            kind: WaypointKind::Assumption(format!("{variable} == {value}")),
            position,
        });
    }
    Some(Waypoint {
        kind: WaypointKind::FunctionReturn(format!("\\result == {value}")),
        position: end,
    })
}

/// Returns the variable of `TYPE VARIABLE = CALL;` on a line of its own, and the position of the
/// statement that follows on the next line with text. Some validators check such variables, but not
/// the results of calls.
fn declared(
    files: &SourceFiles,
    function: &str,
    (start, end): (&SourceLocation, &SourceLocation),
) -> Option<(String, SourceLocation)> {
    let (before, _) = files.around(start)?;
    let (_, behind) = files.around(end)?;
    if behind.trim_end() != ");" {
        return None;
    }
    let declaration = before.trim().strip_suffix('=')?.trim_end();
    let name = declaration
        .rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .map(|at| at + 1)?;
    let (written, variable) = declaration.split_at(name);
    let words: Vec<&str> = written.split_whitespace().collect();
    if variable.is_empty() || words.join(" ") != type_of(function)? {
        return None;
    }
    let lines = files.lines(&end.file).iter().enumerate();
    let mut following = lines.skip(end.line as usize);
    let (index, next) = following.find(|(_, line)| !line.trim().is_empty())?;
    begins_statement(next.trim()).then(|| {
        let position = SourceLocation {
            file: end.file.clone(),
            line: index as u32 + 1,
            column: 0,
        };
        (variable.to_string(), position)
    })
}

/// True if a line begins with a statement or declaration for certain.
fn begins_statement(line: &str) -> bool {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let word: &str = line.split(|letter| !is_word(letter)).next().unwrap_or("");
    let rest = line[word.len()..].trim_start();
    !word.is_empty() && !rest.starts_with(':') && !["else", "case", "default"].contains(&word)
}

/// Returns the waypoint of the violation: the statement at a position. `None` if the position is
/// not in a file of the task.
pub(super) fn target(files: &SourceFiles, at: &SourceLocation) -> Option<Waypoint> {
    let at = files.resolve(at)?;
    let column = files.around(&at).map_or(0, |(before, _)| statement(before));
    Some(Waypoint {
        kind: WaypointKind::Target,
        position: SourceLocation { column, ..at },
    })
}

/// Returns the column of the statement that begins in the text before a position; 0 if it is the
/// line's first, or uncertain.
fn statement(before: &str) -> u32 {
    let is_uncertain = before.contains(['"', '\'', '#', '?']) || before.contains("//");
    let inside = before.matches('(').count() != before.matches(')').count();
    let Some(end) = before
        .rfind([';', '{', '}'])
        .filter(|_| !is_uncertain && !inside)
    else {
        return 0;
    };
    let behind = &before[end + 1..];
    (end + 1 + behind.len() - behind.trim_start().len()) as u32 + 1
}
