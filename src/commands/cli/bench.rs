//! `homi bench`: what was typed becomes a study that is run, gone on with or reported.

use super::run::install_signals;
use super::status::{Exit, UsageError};
use crate::commands::bench;
use crate::commands::bench::{KnownBuilds, Request, Study, StudyError};
use crate::llvm::llvm_version;
use crate::output::page::Page;
use anyhow::Context;
use std::path::{Path, PathBuf};

/// Compare searches on programs, over seeds: a study
///
/// The study's file says which programs, which arms (ways to explore) and which seeds are crossed,
/// and what each run may take; docs/research/studies.md has its form. Each run is a process of its
/// own. Its figures are a line of DIR/cells.jsonl as soon as it ends, so what is stopped, even by
/// kill -9, loses only the runs in flight; --resume goes on. A run that fails is a row, never a
/// hole.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "homi bench [OPTIONS] STUDY.toml\n       homi bench [OPTIONS] --resume DIR [STUDY.toml]\n       \
        homi bench DIR --report"
)]
pub(super) struct BenchArgs {
    /// The study; with --resume, what it is to be from now on (further seeds or arms, say); with
    /// --report, the directory of one
    #[arg(value_name = "STUDY.toml|DIR", required_unless_present = "resume")]
    study: Option<PathBuf>,

    /// The study's directory, which must be new [default: the study's name with -study]
    #[arg(long, short, value_name = "DIR", conflicts_with_all = ["resume", "report"])]
    output_dir: Option<PathBuf>,
    /// Go on with the study in this directory
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Print what the study in this directory came to so far, and run nothing
    #[arg(long, conflicts_with_all = ["resume", "jobs", "retry_failed"])]
    report: bool,
    /// Run so many jobs at a time [default: what the study says, else one for each processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Run cells again that failed
    #[arg(long, requires = "resume")]
    retry_failed: bool,
    /// Print nothing but the report
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn execute(args: &BenchArgs) -> anyhow::Result<Exit> {
    let homi = std::env::current_exe().context("cannot find homi's own file")?;
    let subjects = built_subjects(&homi);
    let (file, base) = match (&args.study, &args.resume) {
        (Some(directory), _) if args.report => return show(&kept_study(directory)?, directory),
        (Some(directory), _) if directory.is_dir() => {
            return Err(UsageError(format!(
                "{0} is a directory: {0} --report prints what its study came to, --resume {0} goes on",
                directory.display()
            ))
            .into());
        }
        (Some(file), _) => (file.clone(), folder_of(file)?),
        (None, Some(directory)) => bench::kept_study(directory).map_err(told)?,
        // clap asks for one of the two.
        (None, None) => return Err(UsageError("no study".to_string()).into()),
    };
    let study = Study::read(&file, &base, subjects.as_ref()).map_err(told)?;
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
    let ended = bench::run(&request).map_err(told)?;
    let shown = ended.directory.display();
    if ended.left > 0 {
        eprintln!("homi: stopped; go on with: homi bench --resume {shown}");
        return Ok(Exit::Failure);
    }
    let exit = show(&study, &ended.directory)?;
    if !args.quiet {
        eprintln!("homi: {shown} has report.md, curves.csv, cells.jsonl and all runs");
        if ended.failed > 0 {
            let text =
                "cells failed; their last lines are in the report, --retry-failed tries again";
            eprintln!("homi: WARNING: {} {text}", ended.failed);
        }
    }
    Ok(exit)
}

/// The study in a file whose relative paths begin at `base`, and homi's own file.
pub(super) fn read(file: &Path, base: &Path) -> anyhow::Result<(Study, PathBuf)> {
    let homi = std::env::current_exe().context("cannot find homi's own file")?;
    let subjects = built_subjects(&homi);
    let study = Study::read(file, base, subjects.as_ref()).map_err(told)?;
    Ok((study, homi))
}

/// The study that a directory holds.
fn kept_study(directory: &Path) -> anyhow::Result<Study> {
    let homi = std::env::current_exe().context("cannot find homi's own file")?;
    let subjects = built_subjects(&homi);
    let (file, base) = bench::kept_study(directory).map_err(told)?;
    Study::read(&file, &base, subjects.as_ref()).map_err(told)
}

/// The page on the study in a directory.
pub(super) fn page(directory: &Path) -> anyhow::Result<Page> {
    let report = bench::report(&kept_study(directory)?, directory).map_err(told)?;
    bench::page(report).map_err(told)
}

/// Prints the report and writes it beside the rows.
fn show(study: &Study, directory: &Path) -> anyhow::Result<Exit> {
    let report = bench::report(study, directory).map_err(told)?;
    bench::write(&report, directory).map_err(told)?;
    super::print(&report.text)?;
    Ok(Exit::Done)
}

pub(super) fn told(error: StudyError) -> anyhow::Error {
    match error {
        StudyError::Request(text) => UsageError(text).into(),
        error @ StudyError::Failed(_) => error.into(),
    }
}

/// The folder of a file, as an absolute path.
fn folder_of(file: &Path) -> anyhow::Result<PathBuf> {
    let file =
        std::path::absolute(file).with_context(|| format!("cannot find {}", file.display()))?;
    Ok(file.parent().unwrap_or(Path::new("/")).to_path_buf())
}

/// Where `scripts/setup subjects` puts its builds: in the checkout that homi was built from.
fn built_subjects(homi: &Path) -> Option<KnownBuilds> {
    let beside = homi
        .parent()
        .map(|folder| folder.join("../../.deps/subjects"));
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps/subjects");
    beside
        .into_iter()
        .chain([sources])
        .find_map(|folder| folder.canonicalize().ok())
        .map(|directory| KnownBuilds {
            directory,
            newest_llvm: llvm_version(),
        })
}
