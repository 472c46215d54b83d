//! `homi unit`: does a piece of a larger work, once.

use super::bench;
use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use crate::app::options;
use crate::app::session;
use crate::app::session::{Piece, PieceWork};
use crate::commands::bench as study;
use crate::commands::bench::Row;
use crate::commands::jobs as unit;
use crate::commands::jobs::{
    Begun, Build, Cell, Done, Outcome, Place, SeedFile, StillOpen, Unit, UnitError, Work,
};
use crate::config::RunConfig;
use crate::explore::engine::{Left, processor_time};
use crate::explore::sources::SeedTest;
use crate::native::testcase::ktest::KTest;
use crate::report::{OutputDirectory, read_lines};
use crate::strategies::weights::learn_search::{Journal, Trial};
use anyhow::Context;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Do a unit: a piece of work that `homi units` has dealt out
///
/// A unit is done once: a directory that holds its result already is left as it is. The result is
/// there as a whole or not at all, so a unit that was killed is done again. Exit status: 0 done, 1
/// failed, 2 if it is the unit of another homi or of another program.
#[derive(clap::Args, Debug)]
pub(super) struct UnitArgs {
    /// The unit's file
    #[arg(value_name = "UNIT")]
    unit: PathBuf,
    /// The directory for its result
    #[arg(long = "out", value_name = "DIR")]
    out: PathBuf,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// This homi.
pub(super) fn build() -> anyhow::Result<Build> {
    let executable = std::env::current_exe().context("cannot find homi's own file")?;
    Build::of(&executable).map_err(told)
}

pub(super) fn told(error: UnitError) -> anyhow::Error {
    match error {
        UnitError::Request(text) => UsageError(text).into(),
        error @ UnitError::Failed(_) => error.into(),
    }
}

pub(super) fn execute(args: &UnitArgs) -> anyhow::Result<Exit> {
    let began = Instant::now();
    without_input()?;
    let unit = Unit::read(&args.unit, &build()?).map_err(told)?;
    let place = match unit::begin(&unit, &args.out).map_err(told)? {
        Begun::Finished(_) => {
            say(args, "its result is there already");
            return Ok(Exit::Done);
        }
        Begun::Place(place) => place,
    };
    let done = match perform(&unit, place.path()) {
        Ok(done) => done,
        Err(error) => {
            place.discard();
            return Err(error);
        }
    };
    let seconds = (
        began.elapsed().as_secs_f64(),
        processor_time().as_secs_f64(),
    );
    finish(place, &unit, Outcome::of(&unit, seconds, done))?;
    say(args, "done");
    Ok(Exit::Done)
}

fn finish(place: Place, unit: &Unit, outcome: Outcome) -> anyhow::Result<()> {
    place.finish(unit, outcome).map_err(told)?;
    Ok(())
}

fn say(args: &UnitArgs, what: &str) {
    if !args.quiet {
        eprintln!(
            "homi: {}: {what}: {}",
            args.unit.display(),
            args.out.display()
        );
    }
}

/// A unit gives the same wherever it is done, so whoever does it has no part in it, and a worker's
/// standard input may be a pipe that never ends.
fn without_input() -> anyhow::Result<()> {
    let null = std::fs::File::open("/dev/null").context("cannot open /dev/null")?;
    nix::unistd::dup2_stdin(null).context("cannot do without standard input")
}

fn perform(unit: &Unit, place: &Path) -> anyhow::Result<Done> {
    let directory = Path::new(&unit.directory);
    std::env::set_current_dir(directory).map_err(|error| {
        UsageError(format!(
            "the unit's directory {} is not here: {error}; what its words name must be there under \
             the same names",
            directory.display()
        ))
    })?;
    match &unit.work {
        Work::Frontier {
            open,
            sides,
            segments,
            ..
        } => {
            let frontier = open.frontier().map_err(told)?;
            let work = PieceWork::Open {
                frontier,
                sides: sides.0.clone(),
                segments: segments.0.clone(),
            };
            let (report, _) = explore(unit, place, work)?;
            let left = report
                .left
                .context("the run has left no word of its open states")?;
            Ok(Done::Frontier {
                summary: Box::new(report.summary),
                open: still_open(&left),
            })
        }
        Work::Cell { cell, study } => self::cell(cell, study, directory, place),
        Work::Trials { trials } => self::trials(unit, trials, place),
        Work::Run { run, tests } => {
            let work = PieceWork::Run {
                run: run.clone(),
                seeds: tests.iter().map(seed).collect::<anyhow::Result<_>>()?,
            };
            let (report, directory) = explore(unit, place, work)?;
            let stored = crate::strategies::campaign::read(&directory)?.runs;
            let run = stored.into_iter().next().context("the run was not made")?;
            Ok(Done::Run {
                summary: Box::new(report.summary),
                run: Box::new(run),
            })
        }
    }
}

/// Runs a cell of a study: the study with nothing else in it.
fn cell(cell: &Cell, text: &str, base: &Path, place: &Path) -> anyhow::Result<Done> {
    let file = place.join("study.toml");
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    let (study, homi) = bench::read(&file, base)?;
    let signals = install_signals().context("cannot install signal handlers")?;
    let study = study
        .only(&cell.subject, &cell.arm, cell.seed)
        .map_err(bench::told)?;
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
    ended.map_err(bench::told)?;
    let rows: Vec<Row> = read_lines(&directory.join(study::CELLS))?;
    let row = rows.into_iter().next().context(STOPPED)?;
    Ok(Done::Cell { row: Box::new(row) })
}

/// Makes trials of weights.
fn trials(unit: &Unit, trials: &[Trial], place: &Path) -> anyhow::Result<Done> {
    let weights = place.join("weights.json");
    let mut words: Vec<OsString> = vec!["--quiet".into(), "--jobs=1".into(), "--output".into()];
    words.push(weights.into());
    words.extend(unit.words.iter().map(Into::into));
    let (learn, run) = options::parse_learn_search(words).map_err(usage)?;
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut caller = caller("homi learn-search", &signals)?;
    caller.piece = Some(Piece {
        program: program_of(unit)?,
        work: PieceWork::Trials(trials.to_vec()),
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

const STOPPED: &str = "stopped: the unit is not done, and nothing of it counts";

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// The hash of the program that a unit is about.
fn program_of(unit: &Unit) -> anyhow::Result<String> {
    let (_, hash) = unit.program.clone().context("the unit names no program")?;
    Ok(hash)
}

fn still_open(left: &Left) -> StillOpen {
    let (sides, segments) = (left.said.sides.clone(), left.said.segments.clone());
    StillOpen::new(&left.frontier, sides, segments)
}

fn seed(file: &SeedFile) -> anyhow::Result<SeedTest> {
    Ok(SeedTest {
        test: KTest::from_bytes(&file.test.0).context("a test of the unit")?,
        known: file.known,
        file: None,
        shows: file.shows.clone(),
    })
}

/// Performs the session of a unit; its report and its directory.
fn explore(
    unit: &Unit,
    place: &Path,
    work: PieceWork,
) -> anyhow::Result<(session::Report, PathBuf)> {
    let line = options::sort(unit.words.iter().map(Into::into).collect());
    let mut config: RunConfig = options::parse(&unit.words).map_err(usage)?;
    config.command = options::kept(&line.map_err(usage)?);
    config.output.quiet = true;
    let directory = place.join("run");
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut caller = caller(&format!("homi run {}", unit.words.join(" ")), &signals)?;
    caller.directory = Some(OutputDirectory::create(Some(&directory), place, "homi")?);
    caller.piece = Some(Piece {
        program: program_of(unit)?,
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
