//! `homi report`: arguments and output.

use super::bench;
use super::status::{Exit, UsageError};
use crate::bench as study;
use anyhow::Context;
use homi_output::html_report::{HtmlReport, RunData, SourceRoots, is_output_directory, run_report};
use homi_output::plot::{ENDINGS, Plot};
use std::path::{Path, PathBuf};

/// Write an HTML report of a run, a campaign or a study
///
/// The report is one self-contained file. It shows the result of the run, bugs with their inputs,
/// and statistics over time. It also lists all tests, and shows the source with the branches that
/// no test takes and the reasons. For a study (directory of `homi bench`) it has the tables and the
/// curves. The report of an unfinished run covers the results so far; `homi serve` follows a run.
#[derive(clap::Args, Debug)]
pub(super) struct ReportArgs {
    /// Output directory of `homi run`, `homi test` or `homi bench`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Write the report to this file; - is the standard output
    #[arg(long, short, value_name = "FILE", required_unless_present = "plots")]
    output: Option<PathBuf>,
    /// Write each plot to this directory as SVG, PNG and CSV
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    sources: SourceArgs,
}

/// Options that locate the source files.
#[derive(clap::Args, Debug)]
pub(super) struct SourceArgs {
    /// Search for source files here too; repeatable
    ///
    /// DIR is the directory in which the compiler ran, or one above it.
    #[arg(long = "source", value_name = "DIR")]
    directories: Vec<PathBuf>,
}

impl SourceArgs {
    pub(super) fn roots(&self) -> SourceRoots {
        SourceRoots::new(&self.directories)
    }
}

pub(super) fn execute(args: &ReportArgs) -> anyhow::Result<Exit> {
    let page = make_report(&args.directory, &args.sources.roots())?;
    if let Some(directory) = &args.plots {
        write_plots(&page.plots, directory)?;
    }
    match &args.output {
        Some(output) if output.as_os_str() == "-" => super::print(&page.document.html())?,
        Some(output) => std::fs::write(output, page.document.html())
            .with_context(|| format!("cannot write {}", output.display()))?,
        None => {}
    }
    Ok(Exit::Done)
}

/// Builds the report of an output directory or a study.
pub(super) fn make_report(directory: &Path, roots: &SourceRoots) -> anyhow::Result<HtmlReport> {
    let shown = directory.display();
    if !directory.is_dir() {
        return Err(UsageError(format!("{shown} is not a directory")).into());
    }
    if study::is_study(directory) {
        return bench::page(directory);
    }
    if !is_output_directory(directory) {
        return Err(UsageError(format!(
            "{shown} is not an output directory of homi run, homi test or homi bench"
        ))
        .into());
    }
    Ok(run_report(&RunData::read(directory, roots))?)
}

fn write_plots(plots: &[Plot], directory: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    for plot in plots {
        for ending in ENDINGS {
            let path = directory.join(format!("{}.{ending}", plot.name));
            std::fs::write(&path, plot.file(ending)?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
