//! `homi bench`: runs, resumes or reports the study that the command line names.

use super::run::install_signals;
use super::status::{Exit, UsageError};
use crate::bench;
use crate::bench::{KnownBuilds, Request, Study, StudyError};
use anyhow::Context;
use homi_llvm::llvm_version;
use homi_output::html_report::HtmlReport;
use std::path::{Path, PathBuf};

/// Compare searches on several programs and random seeds
///
/// The study file names the programs, the configurations to compare, the seeds and the budget of
/// each run; docs/research/studies.md describes its format. Each run is a separate process. homi
/// appends the statistics of a run to DIR/runs.jsonl when it ends. A study that is stopped, even by
/// kill -9, loses only the runs in progress. Continue it with --resume. A failed run is recorded as
/// such.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "homi bench [OPTIONS] STUDY.toml\n       homi bench [OPTIONS] --resume DIR [STUDY.toml]\n       \
        homi bench DIR --report"
)]
pub(super) struct BenchArgs {
    /// Study file; with --report, the directory of a study
    ///
    /// The file may add seeds or configurations to a study that --resume continues.
    #[arg(value_name = "STUDY.toml|DIR", required_unless_present = "resume")]
    study: Option<PathBuf>,

    /// Create the study in this new directory [default: NAME-study]
    #[arg(long, short, value_name = "DIR", conflicts_with_all = ["resume", "report"])]
    output_dir: Option<PathBuf>,
    /// Resume the study in this directory
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Print the report of the study in this directory, and run nothing
    #[arg(long, conflicts_with_all = ["resume", "jobs", "retry_failed"])]
    report: bool,
    /// Run N jobs in parallel [default: the study's setting, else one per CPU]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Repeat failed runs
    #[arg(long, requires = "resume")]
    retry_failed: bool,
    /// Print only the report
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn execute(args: &BenchArgs) -> anyhow::Result<Exit> {
    let homi = std::env::current_exe().context("cannot find the homi executable")?;
    let subjects = built_subjects(&homi);
    let (file, base) = match (&args.study, &args.resume) {
        (Some(directory), _) if args.report => return show(&kept_study(directory)?, directory),
        (Some(directory), _) if directory.is_dir() => {
            return Err(UsageError(format!(
                "{0} is a directory; print its report with {0} --report, or resume it with \
                 --resume {0}",
                directory.display()
            ))
            .into());
        }
        (Some(file), _) => (file.clone(), folder_of(file)?),
        (None, Some(directory)) => bench::kept_study(directory).map_err(study_error)?,
        // clap requires one of the two arguments.
        (None, None) => return Err(UsageError("no study file given".to_string()).into()),
    };
    let study = Study::read(&file, &base, subjects.as_ref()).map_err(study_error)?;
    let usual = PathBuf::from(format!("{}-study", study.name));
    let named = args.resume.as_ref().or(args.output_dir.as_ref());
    let signals = install_signals().context("cannot install signal handlers")?;
    let request = Request {
        study: &study,
        file: &file,
        base: &base,
        directory: named.unwrap_or(&usual),
        resume: args.resume.is_some(),
        retry_failed: args.retry_failed,
        jobs: args.jobs.map(usize::from),
        shown: !args.quiet,
        homi: &homi,
        interrupt: &signals.stop_requested,
    };
    let ended = bench::run(&request).map_err(study_error)?;
    let shown = ended.directory.display();
    if ended.left > 0 {
        eprintln!("homi: stopped; resume with: homi bench --resume {shown}");
        return Ok(Exit::Failure);
    }
    let exit = show(&study, &ended.directory)?;
    if !args.quiet {
        eprintln!("homi: report.md, curves.csv, runs.jsonl and all runs are in {shown}");
        if ended.failed > 0 {
            let text =
                "runs failed; the report shows their last lines; repeat them with --retry-failed";
            eprintln!("homi: WARNING: {} {text}", ended.failed);
        }
    }
    Ok(exit)
}

/// Reads a study file, whose relative paths start at `base`. Also returns the path of the homi
/// executable.
pub(super) fn read(file: &Path, base: &Path) -> anyhow::Result<(Study, PathBuf)> {
    let homi = std::env::current_exe().context("cannot find the homi executable")?;
    let subjects = built_subjects(&homi);
    let study = Study::read(file, base, subjects.as_ref()).map_err(study_error)?;
    Ok((study, homi))
}

/// Reads the study that a study directory holds.
fn kept_study(directory: &Path) -> anyhow::Result<Study> {
    let homi = std::env::current_exe().context("cannot find the homi executable")?;
    let subjects = built_subjects(&homi);
    let (file, base) = bench::kept_study(directory).map_err(study_error)?;
    Study::read(&file, &base, subjects.as_ref()).map_err(study_error)
}

/// Builds the HTML report of a study directory.
pub(super) fn page(directory: &Path) -> anyhow::Result<HtmlReport> {
    let report = bench::report(&kept_study(directory)?, directory).map_err(study_error)?;
    bench::page(report).map_err(study_error)
}

/// Prints the report and writes it next to the rows.
fn show(study: &Study, directory: &Path) -> anyhow::Result<Exit> {
    let report = bench::report(study, directory).map_err(study_error)?;
    bench::write(&report, directory).map_err(study_error)?;
    super::print(&report.text)?;
    Ok(Exit::Done)
}

pub(super) fn study_error(error: StudyError) -> anyhow::Error {
    match error {
        StudyError::Request(text) => UsageError(text).into(),
        error @ StudyError::Failed(_) => error.into(),
    }
}

/// Returns the directory of a file as an absolute path.
fn folder_of(file: &Path) -> anyhow::Result<PathBuf> {
    let file =
        std::path::absolute(file).with_context(|| format!("cannot find {}", file.display()))?;
    Ok(file.parent().unwrap_or(Path::new("/")).to_path_buf())
}

/// Returns the programs that `scripts/setup subjects` built in the checkout of this homi; `None` if
/// there are none.
fn built_subjects(homi: &Path) -> Option<KnownBuilds> {
    let beside = homi
        .parent()
        .map(|folder| folder.join("../../.deps/subjects"));
    let sources = homi_ir::util::installation::source_tree().join(".deps/subjects");
    beside
        .into_iter()
        .chain([sources])
        .find_map(|folder| folder.canonicalize().ok())
        .map(|directory| KnownBuilds {
            directory,
            newest_llvm: llvm_version(),
        })
}
