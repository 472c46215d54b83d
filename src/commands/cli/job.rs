//! `homi job`: does one job of a larger work, once.

use super::bench;
use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use crate::bench as study;
use crate::bench::Row;
use crate::jobs as job;
use crate::jobs::{
    Begun, Build, Done, Job, JobError, Outcome, ResultDir, SeedFile, StillOpen, StudyRun, Work,
};
use anyhow::Context;
use homi_app::options;
use homi_app::session;
use homi_app::session::{SessionJob, SessionJobWork};
use homi_config::RunConfig;
use homi_explore::engine::{Left, cpu_time};
use homi_explore::sources::SeedTest;
use homi_native::testcase::ktest::KTest;
use homi_report::{OutputDirectory, read_lines};
use homi_strategies::weights::learn_search::{Journal, Trial};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Do one job of a run or study that `homi jobs` split
///
/// homi does a job once: it leaves a directory that already holds the result unchanged. The result
/// appears completely or not at all, so a killed job can be repeated. Exit status: 0 done, 1
/// failed, 2 if the job belongs to another build of homi or another program.
#[derive(clap::Args, Debug)]
pub(super) struct JobArgs {
    /// Job file
    #[arg(value_name = "UNIT")]
    job: PathBuf,
    /// Write the result to this directory
    #[arg(long = "out", value_name = "DIR")]
    out: PathBuf,
    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

/// Returns the build of this homi.
pub(super) fn build() -> anyhow::Result<Build> {
    let executable = std::env::current_exe().context("cannot find the homi executable")?;
    Build::of(&executable).map_err(job_error)
}

pub(super) fn job_error(error: JobError) -> anyhow::Error {
    match error {
        JobError::Request(text) => UsageError(text).into(),
        error @ JobError::Failed(_) => error.into(),
    }
}

pub(super) fn execute(args: &JobArgs) -> anyhow::Result<Exit> {
    let began = Instant::now();
    without_input()?;
    let job = Job::read(&args.job, &build()?).map_err(job_error)?;
    let place = match job::begin(&job, &args.out).map_err(job_error)? {
        Begun::Finished(_) => {
            say(args, "its result already exists");
            return Ok(Exit::Done);
        }
        Begun::ResultDir(place) => place,
    };
    let done = match perform(&job, place.path()) {
        Ok(done) => done,
        Err(error) => {
            place.discard();
            return Err(error);
        }
    };
    let seconds = (began.elapsed().as_secs_f64(), cpu_time().as_secs_f64());
    finish(place, &job, Outcome::of(&job, seconds, done))?;
    say(args, "done");
    Ok(Exit::Done)
}

fn finish(place: ResultDir, job: &Job, outcome: Outcome) -> anyhow::Result<()> {
    place.finish(job, outcome).map_err(job_error)?;
    Ok(())
}

fn say(args: &JobArgs, what: &str) {
    if !args.quiet {
        eprintln!(
            "homi: {}: {what}: {}",
            args.job.display(),
            args.out.display()
        );
    }
}

/// Replaces standard input with /dev/null. A job gives equal results on any machine, and a worker's
/// standard input may be a pipe that never ends.
fn without_input() -> anyhow::Result<()> {
    let null = std::fs::File::open("/dev/null").context("cannot open /dev/null")?;
    nix::unistd::dup2_stdin(null).context("cannot replace standard input")
}

fn perform(job: &Job, place: &Path) -> anyhow::Result<Done> {
    let directory = Path::new(&job.directory);
    std::env::set_current_dir(directory).map_err(|error| {
        UsageError(format!(
            "cannot enter the job's directory {}: {error}; the files that its arguments name must \
             exist there under the same names",
            directory.display()
        ))
    })?;
    match &job.work {
        Work::Frontier {
            open,
            sides,
            segments,
            ..
        } => {
            let frontier = open.frontier().map_err(job_error)?;
            let work = SessionJobWork::Open {
                frontier,
                sides: sides.0.clone(),
                segments: segments.0.clone(),
            };
            let (report, _) = explore(job, place, work)?;
            let left = report
                .left
                .context("the run did not report its open states")?;
            Ok(Done::Frontier {
                summary: Box::new(report.summary),
                open: still_open(&left),
            })
        }
        Work::StudyRun { study_run, study } => self::study_run(study_run, study, directory, place),
        Work::Trials { trials } => self::trials(job, trials, place),
        Work::Run { run, tests } => {
            let work = SessionJobWork::Run {
                run: run.clone(),
                seeds: tests.iter().map(seed).collect::<anyhow::Result<_>>()?,
            };
            let (report, directory) = explore(job, place, work)?;
            let stored = homi_strategies::campaign::read(&directory)?.runs;
            let run = stored
                .into_iter()
                .next()
                .context("the run was not performed")?;
            Ok(Done::Run {
                summary: Box::new(report.summary),
                run: Box::new(run),
            })
        }
    }
}

/// Runs a run of a study, as a study with this run only.
fn study_run(study_run: &StudyRun, text: &str, base: &Path, place: &Path) -> anyhow::Result<Done> {
    let file = place.join("study.toml");
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    let (study, homi) = bench::read(&file, base)?;
    let signals = install_signals().context("cannot install signal handlers")?;
    let study = study
        .only(&study_run.subject, &study_run.configuration, study_run.seed)
        .map_err(bench::study_error)?;
    let directory = place.join("study");
    let ended = study::run(&study::Request {
        study: &study,
        file: &file,
        base,
        directory: &directory,
        resume: false,
        retry_failed: false,
        jobs: Some(1),
        shown: false,
        homi: &homi,
        interrupt: &signals.stop_requested,
    });
    ended.map_err(bench::study_error)?;
    let rows: Vec<Row> = read_lines(&directory.join(study::RUNS))?;
    let row = rows.into_iter().next().context(STOPPED)?;
    Ok(Done::StudyRun { row: Box::new(row) })
}

/// Performs trials of weights.
fn trials(job: &Job, trials: &[Trial], place: &Path) -> anyhow::Result<Done> {
    let weights = place.join("weights.json");
    let mut arguments: Vec<OsString> = vec!["--quiet".into(), "--jobs=1".into(), "--output".into()];
    arguments.push(weights.into());
    arguments.extend(job.arguments.iter().map(Into::into));
    let (learn, run) = options::parse_learn_search(arguments).map_err(usage)?;
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut caller = caller("homi learn-search", &signals)?;
    caller.job = Some(SessionJob {
        program: program_of(job)?,
        work: SessionJobWork::Trials(trials.to_vec()),
    });
    let report = session::learn_search(&learn, &run, &caller).map_err(failed)?;
    let (request, ended) = Journal::read(&report.directory.join("trials.jsonl"))?;
    if ended.len() < trials.len() {
        anyhow::bail!(STOPPED);
    }
    Ok(Done::Trials {
        request,
        trials: ended,
    })
}

const STOPPED: &str = "stopped: the job is incomplete, and its partial results are discarded";

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// Returns the hash of the program that a job names.
fn program_of(job: &Job) -> anyhow::Result<String> {
    let (_, hash) = job.program.clone().context("the job names no program")?;
    Ok(hash)
}

fn still_open(left: &Left) -> StillOpen {
    let (sides, segments) = (left.totals.sides.clone(), left.totals.segments.clone());
    StillOpen::new(&left.frontier, sides, segments)
}

fn seed(file: &SeedFile) -> anyhow::Result<SeedTest> {
    Ok(SeedTest {
        test: KTest::from_bytes(&file.test.0).context("cannot read a test of the job")?,
        known: file.known,
        file: None,
        shows: file.shows.clone(),
        whole_input: None,
    })
}

/// Performs the session of a job. Returns its report and its output directory.
fn explore(
    job: &Job,
    place: &Path,
    work: SessionJobWork,
) -> anyhow::Result<(session::Report, PathBuf)> {
    let line = options::sort(job.arguments.iter().map(Into::into).collect());
    let mut config: RunConfig = options::parse(&job.arguments).map_err(usage)?;
    config.command = options::kept(&line.map_err(usage)?);
    config.output.quiet = true;
    let directory = place.join("run");
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut caller = caller(&format!("homi run {}", job.arguments.join(" ")), &signals)?;
    caller.directory = Some(OutputDirectory::create(Some(&directory), place, "homi")?);
    caller.job = Some(SessionJob {
        program: program_of(job)?,
        work,
    });
    let report = session::run(&config, &caller).map_err(failed)?;
    if signals.stop_requested.load(Ordering::Relaxed) {
        anyhow::bail!(STOPPED);
    }
    match report.failure {
        Some(failure) => Err(failed(failure)),
        None => Ok((report, directory)),
    }
}
