//! `homi stats`: arguments, and the search for run directories.

use super::status::{Exit, UsageError};
use anyhow::Context;
use homi_native::testcase::BRANCH_TABLE;
use homi_output::html_report::{RunData, SourceRoots, uncovered_sides};
use homi_report::{
    RunStats, STATS_FILE, Summary, read_stats, stats_csv, stats_details, stats_json, stats_legend,
    stats_table,
};
use std::path::{Path, PathBuf};

/// Show statistics of runs: speed, solver, memory, hottest lines, uncovered sides
///
/// homi shows one run in detail and several as a table. It reads run.stats, also of runs in
/// progress, of killed runs and of KLEE. The columns are named as in klee-stats. States is the
/// largest number at one time. The columns after TSolver are the time of each solver layer, in
/// percent.
#[derive(clap::Args, Debug)]
pub(super) struct StatsArgs {
    /// Output directories of `homi run`, or directories that contain some
    #[arg(value_name = "DIR", required_unless_present = "legend")]
    directories: Vec<PathBuf>,
    /// Print a table even for one run
    #[arg(long)]
    table: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "table")]
    json: bool,
    /// Print comma-separated values, one line per run
    #[arg(long, conflicts_with_all = ["json", "table"])]
    csv: bool,
    /// Print every row of each run, not only the last (with --json or --csv)
    #[arg(long)]
    all_rows: bool,
    /// List every uncovered branch side with the reason, and nothing else
    ///
    /// Without it, the details of a run show the first ones.
    #[arg(long, conflicts_with_all = ["json", "table", "csv"])]
    uncovered: bool,
    /// Explain the columns of run.stats
    #[arg(long)]
    legend: bool,
}

/// Rows of uncovered branch sides in the details of a run.
const UNCOVERED_SHOWN: usize = 12;

pub(super) fn execute(args: StatsArgs) -> anyhow::Result<Exit> {
    if args.legend {
        super::print(&stats_legend())?;
        return Ok(Exit::Done);
    }
    let mut found = Vec::new();
    for directory in &args.directories {
        let before = found.len();
        find_runs(directory, &mut found)?;
        if found.len() == before {
            let shown = directory.display();
            let text = format!("{shown} is not an output directory of homi run and contains none");
            return Err(UsageError(format!("{text} (no {STATS_FILE} found)")).into());
        }
    }
    let runs = found
        .iter()
        .map(|directory| read_run(directory))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let text = match runs.as_slice() {
        _ if args.json => stats_json(&runs, args.all_rows),
        _ if args.csv => stats_csv(&runs, args.all_rows),
        _ if args.uncovered => found.iter().map(|run| all_uncovered(run)).collect(),
        [run] if !args.table => stats_details(run) + &uncovered(&found[0], UNCOVERED_SHOWN),
        _ => stats_table(&runs),
    };
    super::print(&text)?;
    Ok(Exit::Done)
}

/// Returns all uncovered branch sides of a run, below its name.
fn all_uncovered(directory: &Path) -> String {
    let shown = directory.display();
    if !directory.join(BRANCH_TABLE).exists() {
        return format!("{shown}: no {BRANCH_TABLE}, so the branches are unknown\n");
    }
    match uncovered(directory, usize::MAX) {
        none if none.is_empty() => format!("{shown}: every branch side is covered\n"),
        sides => format!("{shown}:{sides}"),
    }
}

fn uncovered(directory: &Path, limit: usize) -> String {
    uncovered_sides(&RunData::read(directory, &SourceRoots::default()), limit)
}

/// Collects the output directories at or below a path, sorted by name.
fn find_runs(directory: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if directory.join(STATS_FILE).exists() {
        found.push(directory.to_path_buf());
        return Ok(());
    }
    let shown = directory.display();
    let entries = std::fs::read_dir(directory).map_err(|error| {
        if directory.is_file() {
            UsageError(format!(
                "{shown} is a file; expected an output directory of homi run"
            ))
        } else {
            UsageError(format!("cannot read {shown} as a directory: {error}"))
        }
    })?;
    let mut below: Vec<PathBuf> = entries
        .flatten()
        // Links such as homi-last would show their run twice.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    below.sort();
    for path in below {
        // An unreadable directory below the named one is skipped.
        let _ = find_runs(&path, found);
    }
    Ok(())
}

fn read_run(directory: &Path) -> anyhow::Result<RunStats> {
    let shown = directory.display();
    let history =
        read_stats(directory).with_context(|| format!("cannot read the statistics of {shown}"))?;
    anyhow::ensure!(
        !history.rows.is_empty(),
        "{shown}/{STATS_FILE} has no rows: the run has just started, or was killed at its start"
    );
    let path = directory.join("summary.json");
    let summary = match std::fs::read_to_string(&path) {
        Ok(text) => {
            let summary = serde_json::from_str::<Summary>(&text);
            Some(summary.with_context(|| format!("cannot read {}", path.display()))?)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", path.display()));
        }
    };
    Ok(RunStats {
        path: shown.to_string(),
        history,
        summary,
    })
}
