//! `homi jobs`: the job directory of a run or study that is split into jobs.

use super::bench;
use super::job::{build, job_error};
use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use crate::bench::Program;
use crate::jobs::{JobDirectory, Plan, PlanKind, StudyRun};
use anyhow::Context;
use homi_app::options;
use homi_app::session;
use homi_config::RunConfig;
use std::path::{Path, PathBuf};

/// Split a run or study into jobs and merge their results
///
/// A short script distributes the jobs to other machines. `homi jobs init` creates the job
/// directory, `homi jobs next` takes results and prints the files of the next jobs, and `homi job`
/// does one job. scripts/campaign_ray.py and scripts/campaign.sbatch are examples; see
/// docs/research/jobs.md.
#[derive(clap::Args, Debug)]
pub(super) struct JobsArgs {
    #[command(subcommand)]
    command: JobsCommand,
}

#[derive(clap::Subcommand, Debug)]
enum JobsCommand {
    Init(InitArgs),
    Next(NextArgs),
    Status(StatusArgs),
}

/// Create the job directory of a run or study
#[derive(clap::Args, Debug)]
struct InitArgs {
    /// Create the job directory in this directory
    #[arg(value_name = "BOOK")]
    job_directory: PathBuf,
    /// Kind of work to split
    #[arg(long, value_enum)]
    kind: PlanKind,
    /// Budget of a job, as --max-time of `homi run`
    ///
    /// A campaign draws the budgets of its runs itself.
    #[arg(long, value_name = "SPAN", default_value = "10s")]
    job_budget: String,
    /// Arguments of `homi run`
    ///
    /// Options and files; the program's arguments follow after another `--`.
    #[arg(last = true, value_name = "ARGUMENT", required = true)]
    arguments: Vec<String>,
}

/// Take results, then create jobs and print their files
#[derive(clap::Args, Debug)]
struct NextArgs {
    /// Directory of the job directory
    #[arg(value_name = "BOOK")]
    job_directory: PathBuf,
    /// Directories of results; each counts once
    #[arg(value_name = "RESULT")]
    results: Vec<PathBuf>,
    /// Create at most N jobs
    #[arg(long, value_name = "N", default_value_t = 0)]
    count: usize,
    /// Also print the files of jobs in progress, after a driver was stopped
    #[arg(long)]
    again: bool,
}

/// Print the state of a job directory as JSON
#[derive(clap::Args, Debug)]
struct StatusArgs {
    /// Directory of the job directory
    #[arg(value_name = "BOOK")]
    job_directory: PathBuf,
}

pub(super) fn execute(args: &JobsArgs) -> anyhow::Result<Exit> {
    match &args.command {
        JobsCommand::Init(args) => begin(args),
        JobsCommand::Next(args) => step(args),
        JobsCommand::Status(args) => {
            let job_directory =
                JobDirectory::open(&args.job_directory, &build()?).map_err(job_error)?;
            let text = serde_json::to_string_pretty(&job_directory.status())?;
            super::print(&format!("{text}\n"))?;
            Ok(Exit::Done)
        }
    }
}

fn begin(args: &InitArgs) -> anyhow::Result<Exit> {
    let directory = std::env::current_dir().context("cannot find the current directory")?;
    let mut plan = Plan {
        kind: args.kind,
        homi: build()?,
        program: None,
        directory: text(&directory)?,
        arguments: args.arguments.clone(),
        keeps_all: false,
        study: String::new(),
        study_runs: Vec::new(),
        learning: None,
        budget: args.job_budget.clone(),
    };
    match args.kind {
        PlanKind::Frontier | PlanKind::Campaign => {
            let (arguments, config) =
                Plan::arguments_of_jobs(args.kind, &args.job_budget, &args.arguments)
                    .map_err(job_error)?;
            plan.program = Some(program(&config)?);
            plan.keeps_all = config.tests.all;
            plan.arguments = arguments;
        }
        PlanKind::Trials => {
            let arguments = ["--output=weights.json"].into_iter().map(String::from);
            let arguments: Vec<String> = arguments.chain(args.arguments.iter().cloned()).collect();
            let parsed = options::parse_learn_search(arguments);
            let (learn, run) = parsed.map_err(|error| UsageError(error.to_string()))?;
            plan.program = Some(program(&run)?);
            plan.learning = Some(session::learning_plan(&learn, &run));
        }
        PlanKind::Study => add_study_runs(&mut plan, &args.arguments)?,
    }
    JobDirectory::begin(&args.job_directory, &plan).map_err(job_error)?;
    Ok(Exit::Done)
}

/// Returns the name and the hash of the program of a run.
fn program(config: &RunConfig) -> anyhow::Result<(String, String)> {
    let signals = install_signals().context("cannot install signal handlers")?;
    let caller = caller("homi jobs init", &signals)?;
    session::program_mark(config, &caller).map_err(failed)
}

/// Adds all runs of the study in a file to the plan.
fn add_study_runs(plan: &mut Plan, arguments: &[String]) -> anyhow::Result<()> {
    let [file] = arguments else {
        return Err(UsageError("a study takes one argument: its file".to_string()).into());
    };
    let file = std::path::absolute(file).with_context(|| format!("cannot find {file}"))?;
    let base = file.parent().unwrap_or(Path::new("/"));
    let (study, _) = bench::read(&file, base)?;
    plan.study = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}", file.display()))?;
    plan.directory = text(base)?;
    for subject in &study.subjects {
        if matches!(subject.program, Program::Built(_)) {
            // Rows of different programs cannot be compared in one study.
            return Err(UsageError(format!(
                "{}: the study builds `{}`, so each job would build a different program; build it \
                 once with `homi cc` and set its `bitcode`",
                file.display(),
                subject.name
            ))
            .into());
        }
        for configuration in &study.configurations {
            plan.study_runs
                .extend(study.seeds.iter().map(|seed| StudyRun {
                    subject: subject.name.clone(),
                    configuration: configuration.name.clone(),
                    seed: *seed,
                }));
        }
    }
    Ok(())
}

fn text(directory: &Path) -> anyhow::Result<String> {
    let text = directory
        .to_str()
        .context("the directory's name is not UTF-8")?;
    Ok(text.to_string())
}

fn step(args: &NextArgs) -> anyhow::Result<Exit> {
    let mut job_directory =
        JobDirectory::open(&args.job_directory, &build()?).map_err(job_error)?;
    job_directory.take(&args.results).map_err(job_error)?;
    let mut files = if args.again {
        job_directory.running()
    } else {
        Vec::new()
    };
    files.extend(job_directory.issue(args.count).map_err(job_error)?);
    let lines: String = files
        .iter()
        .map(|file| format!("{}\n", file.display()))
        .collect();
    super::print(&lines)?;
    Ok(Exit::Done)
}
