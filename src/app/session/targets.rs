//! `--target`, `--changed`: which lines the run goes for, and what became of each.
//!
//! Invariant: a run that could reach none of its lines does not begin.

use super::SessionError;
use homi_config::{RunConfig, TargetConfig};
use homi_explore::coverage::Targets;
use homi_explore::engine::Outcome;
use homi_explore::extensions::targets::{TargetCode, blocking_branch, changed_lines, target_code};
use homi_ir::program::Program;
use homi_machine::exec::{Executor, Observer, Segments};
use homi_report::TargetSummary;
use std::collections::BTreeSet;
use std::process::Command;

/// Files that are named where none is the right one.
const FILES_NAMED: usize = 5;
/// Lines for which the nearest branch is looked for, which takes a while each.
const EXPLAINED: usize = 50;

/// Adds the changed lines of `git diff` to the target lines.
pub(super) fn add_changed(config: &mut RunConfig) -> Result<(), SessionError> {
    let Some(target) = &mut config.search.target else {
        return Ok(());
    };
    let Some(revision) = &target.changed_since else {
        return Ok(());
    };
    let changed = changed_lines(&difference(revision)?);
    if changed.is_empty() {
        return Err(SessionError::Request(format!(
            "--changed: `git diff {revision}` shows no new or changed line of C; name an earlier \
             revision"
        )));
    }
    target.lines.extend(changed);
    Ok(())
}

/// Returns the output of `git diff` in the current directory.
fn difference(revision: &str) -> Result<String, SessionError> {
    let arguments = [
        "diff",
        "--no-color",
        "--no-ext-diff",
        "-U0",
        revision,
        "--",
        ".",
    ];
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(SessionError::io("--changed: cannot run git"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let message = message
        .lines()
        .next()
        .unwrap_or("unknown error")
        .to_string();
    Err(SessionError::Request(format!(
        "--changed: `git diff {revision}` failed: {message}"
    )))
}

/// The code that the run is to reach, if it is to reach some. Fails if no line can be reached.
pub(super) fn targets(
    config: &RunConfig,
    program: &Program,
) -> Result<Option<Targets>, SessionError> {
    let Some(target) = &config.search.target else {
        return Ok(None);
    };
    let all = codes(target, program, &Segments::new(program));
    let code = all.iter().filter_map(|(_, code)| match code {
        TargetCode::Segments(segments) => Some(segments.clone()),
        _ => None,
    });
    let code: Vec<BTreeSet<u32>> = code.collect();
    if !code.is_empty() {
        return Ok(Some(Targets::new(&code)));
    }
    let mut reasons = all
        .iter()
        .filter_map(|(line, code)| Some(format!("{line}: {}", absent(code)?)));
    let reasons: Vec<String> = reasons.by_ref().take(FILES_NAMED).collect();
    Err(SessionError::Request(if reasons.is_empty() {
        "--changed: the program has no code on the changed lines".to_string()
    } else {
        format!("no target line can be reached: {}", reasons.join("; "))
    }))
}

/// Returns the target lines with their code. Changed lines without code are skipped: comments,
/// declarations, files of other programs.
fn codes(
    target: &TargetConfig,
    program: &Program,
    segments: &Segments,
) -> Vec<(String, TargetCode)> {
    let codes = target_code(program, segments, &target.lines);
    let all = target.lines.iter().zip(codes).enumerate();
    let kept = all.filter(|(place, (_, code))| {
        let has_none = matches!(code, TargetCode::NoFile { .. } | TargetCode::NoCode { .. });
        *place < target.named || !has_none
    });
    kept.map(|(_, (line, code))| (line.to_string(), code))
        .collect()
}

/// Returns why the program has no reachable code on the line; `None` if it has.
fn absent(code: &TargetCode) -> Option<String> {
    match code {
        TargetCode::Segments(_) => None,
        TargetCode::NoFile { files } => {
            let named = files.iter().take(FILES_NAMED).cloned().collect::<Vec<_>>();
            let more = if files.len() > FILES_NAMED {
                ", ..."
            } else {
                ""
            };
            Some(format!(
                "the program has no such file (its files: {}{more})",
                named.join(", ")
            ))
        }
        TargetCode::NoCode { before, after } => {
            let near = [before, after].into_iter().flatten();
            let near = near.map(u32::to_string).collect::<Vec<_>>();
            Some(format!(
                "the line has no code, or nothing calls its function (nearest line: {})",
                near.join(" and ")
            ))
        }
        TargetCode::Unreachable { functions } => {
            let named = functions.iter().map(|(name, called)| {
                if *called {
                    format!("no code of {name} leads to the line")
                } else {
                    format!("nothing calls {name}")
                }
            });
            Some(named.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns the result for each target line.
pub(super) fn summaries(
    config: &RunConfig,
    executor: &Executor<'_>,
    outcome: &Outcome,
) -> Vec<TargetSummary> {
    let Some(target) = &config.search.target else {
        return Vec::new();
    };
    let (program, segments) = (executor.program(), executor.segments());
    let mut explained = 0;
    let all = codes(target, program, segments).into_iter();
    all.map(|(line, code)| {
        let mut test = None;
        let blocking_branch = match &code {
            TargetCode::Segments(code) if is_reached(code, &outcome.observer) => {
                test = outcome.results.test_of(code);
                None
            }
            TargetCode::Segments(_) if explained == EXPLAINED => {
                Some("not analyzed: too many unreached lines".to_string())
            }
            TargetCode::Segments(code) => {
                explained += 1;
                Some(what_stood_in_the_way(code, executor, outcome))
            }
            other => absent(other),
        };
        TargetSummary {
            line,
            reached: blocking_branch.is_none(),
            test,
            blocking_branch,
        }
    })
    .collect()
}

fn is_reached(code: &BTreeSet<u32>, observer: &Observer) -> bool {
    let mut entries = code
        .iter()
        .map(|segment| observer.segment_entries[*segment as usize]);
    entries.any(|entries| entries > 0)
}

fn what_stood_in_the_way(
    code: &BTreeSet<u32>,
    executor: &Executor<'_>,
    outcome: &Outcome,
) -> String {
    let program = executor.program();
    match blocking_branch(program, executor.segments(), &outcome.observer, code) {
        Some(branch) => in_the_way(
            &program.describe_location(branch.location),
            &branch.function,
            outcome.reason.is_exhausted(),
        ),
        None => "both sides of every branch before it were taken, but no path continued to the \
             line"
            .to_string(),
    }
}

fn in_the_way(place: &str, function: &str, exhausted: bool) -> String {
    let how_far = if exhausted {
        "the side that leads to the line is infeasible"
    } else {
        "no path has taken the side that leads to the line"
    };
    format!("the nearest branch is at {place} in {function}, and {how_far}")
}
