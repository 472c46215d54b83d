//! `homi report`: what was typed.

use super::status::{Exit, UsageError};
use crate::report::{Summary, page, read_learning};
use anyhow::Context;
use std::path::PathBuf;

/// Make one HTML page from a run's output directory: branches and states over time, totals, runs.
#[derive(clap::Args, Debug)]
pub(super) struct ReportArgs {
    /// Output directory of `homi run`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The page to write; - is the standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

pub(super) fn execute(args: ReportArgs) -> anyhow::Result<Exit> {
    let shown = args.directory.display();
    let runs = read_learning(&args.directory).map_err(|error| {
        UsageError(format!(
            "{shown} is no output directory of homi run: learning.jsonl: {error}"
        ))
    })?;
    // Both are missing while a run is under way; the page then shows what there is.
    let read = |name: &str| std::fs::read_to_string(args.directory.join(name)).ok();
    let summary = match read("summary.json") {
        Some(text) => Some(
            serde_json::from_str::<Summary>(&text)
                .with_context(|| format!("cannot read {shown}/summary.json"))?,
        ),
        None => None,
    };
    let info = read("info");
    let command = info.as_deref().and_then(|text| text.lines().next());
    let text = page(summary.as_ref(), &runs, command);
    if args.output.as_os_str() == "-" {
        super::print(&text)?;
    } else {
        std::fs::write(&args.output, text)
            .with_context(|| format!("cannot write {}", args.output.display()))?;
    }
    Ok(Exit::Done)
}
