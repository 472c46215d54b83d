//! A session on the terminal: its caller, its last lines and its exit status.

use super::native_runs;
use super::status::{Exit, UsageError, end_at_once};
use super::triage;
use anyhow::Context;
use homi_app::session;
use homi_app::session::{Caller, NativeComparison, Report, SessionError};
use homi_config::RunConfig;
use homi_explore::engine::{PolicyMakers, Signals};
use homi_output::export::JsonLines;
use homi_report::{EventStream, Summary};
use std::path::PathBuf;

/// Performs the run that `command_line` requested.
pub(super) fn run(
    config: &RunConfig,
    command_line: &str,
    signals: &Signals,
) -> anyhow::Result<Exit> {
    triage::check(&config.triage)?;
    let mut caller = caller(command_line, signals)?;
    caller.compare = native_runs::comparison(config);
    if config.output.events {
        let lines = JsonLines::new(std::io::stdout());
        caller.events.add("the standard output", Box::new(lines));
    }
    let report = session::run(config, &caller).map_err(failed)?;
    // After a wrong command line only the error is printed: no program was run.
    let is_misuse = matches!(report.failure, Some(SessionError::Request(_)));
    if !config.output.quiet && !is_misuse {
        eprint!("homi: done: {}\n{}", report.stopped, report.totals());
        show_hottest_line(&report);
        show_how_to_go_on(&report);
    }
    if let Some(failure) = report.failure {
        return Err(failed(failure));
    }
    exit(config, report.summary)
}

/// Returns the caller of a session that `command_line` requested.
pub(super) fn caller(command_line: &str, signals: &Signals) -> anyhow::Result<Caller> {
    let executable = std::env::current_exe().context("cannot find the homi executable")?;
    Ok(Caller {
        command_line: command_line.to_string(),
        signals: signals.clone(),
        executable: Some(executable),
        cache_directory: cache_directory(),
        warnings: Vec::new(),
        directory: None,
        sources: Vec::new(),
        compare: NativeComparison::default(),
        brief: false,
        policies: PolicyMakers::default(),
        events: EventStream::default(),
        job: None,
        process_ends: true,
        end_without_memory: Some(end_at_once),
    })
}

/// Prints how to resume a run that left open paths.
fn show_how_to_go_on(report: &Report) {
    let shown = report.directory.display();
    if let Some(failure) = &report.failure {
        if matches!(failure, SessionError::Stopped(_)) {
            let way = if report.goes_on {
                format!("homi run --resume {shown}")
            } else {
                format!("add --seed-dir {shown} to the same command, which starts from its tests")
            };
            eprintln!("homi: to continue once the disk has free space: {way}");
        }
        return;
    }
    if !report.goes_on {
        return;
    }
    let open = match report.left_open {
        0 => String::new(),
        1 => " (1 path is open)".to_string(),
        open => format!(" ({open} paths are open)"),
    };
    eprintln!("homi: to resume: homi run --resume {shown}{open}");
}

/// Returns the directory that caches lowered programs between runs.
fn cache_directory() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(base.join("homi"))
}

fn exit(config: &RunConfig, mut summary: Summary) -> anyhow::Result<Exit> {
    let fails = triage::conclude(&config.triage, &mut summary.errors)?;
    Ok(if config.output.error_exit_code && fails {
        Exit::BugsFound
    } else if config.output.error_exit_code && has_divergence(&summary) {
        Exit::Diverged
    } else {
        Exit::Done
    })
}

fn has_divergence(summary: &Summary) -> bool {
    let outcomes = summary.outcomes.as_ref();
    outcomes.is_some_and(|outcomes| !outcomes.divergences.is_empty())
}

pub(super) fn failed(error: SessionError) -> anyhow::Error {
    match error {
        SessionError::Request(text) => UsageError(text).into(),
        error => error.into(),
    }
}

fn show_hottest_line(report: &Report) {
    let mut lines = report.summary.hot_lines.iter();
    let Some(line) = lines.next().filter(|line| line.forks > 0) else {
        return;
    };
    let shown = report.directory.display();
    eprintln!(
        "homi: done: most forks = {} at {}; homi stats {shown} shows more",
        line.forks,
        line.shown()
    );
}
