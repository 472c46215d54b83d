//! Execution of a study: builds programs, runs runs in parallel, writes a row when a run ends.
//!
//! Invariant: only this thread writes rows. A killed process loses only the runs in progress.

use super::builds::Builder;
use super::directory::Directory;
use super::error::{Result, StudyError};
use super::jobs::{Job, Ready, Shared, WRITE_FAILED};
use super::klee::Klee;
use super::origin::{Origin, processors};
use super::plan::Study;
use super::progress::Progress;
use super::study_run::{Outcome, Row};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Request to run a study.
#[derive(Clone, Debug)]
pub struct Request<'r> {
    pub study: &'r Study,
    /// Study file.
    pub file: &'r Path,
    /// Directory of the file's relative paths.
    pub base: &'r Path,
    /// Directory of the study.
    pub directory: &'r Path,
    /// True if the directory exists and the study resumes.
    pub resume: bool,
    /// True if failed runs run again.
    pub retry_failed: bool,
    /// Number of parallel jobs; `None` for the study's setting.
    pub jobs: Option<usize>,
    /// True if progress and outcomes of runs are shown.
    pub shown: bool,
    /// Executable of homi.
    pub homi: &'r Path,
    /// Flag set by Ctrl-C.
    pub interrupt: &'r AtomicBool,
}

/// Result of running a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    pub directory: PathBuf,
    /// Number of runs without a row: the user stopped the study.
    pub left: usize,
    /// Number of runs whose statistics do not count.
    pub failed: usize,
}

/// Runs the missing runs of a study.
pub fn run(request: &Request<'_>) -> Result<Ended> {
    let origin = Origin::of(request.homi)?;
    let mut klee = klee(request.study)?;
    let asked = Some((request.file, request.study, request.base));
    let mut directory = if request.resume {
        Directory::resume(request.directory, asked)?
    } else {
        Directory::create(request.directory, request.file, request.base)?
    };
    if request.retry_failed {
        directory.forget_failed()?;
    }
    let jobs = request
        .jobs
        .or(request.study.jobs)
        .unwrap_or_else(processors);
    let progress = Progress::new(request.shown, request.study, jobs);
    warn(request.study, jobs, &progress);
    let path = directory.path.clone();
    if let Some(klee) = &mut klee
        && let Err(why) = klee.add_library(&path.join("build"))
    {
        progress.say(&format!(
            "WARNING: cannot add the functions that coreutils need and KLEE's C library lacks: \
             {why}"
        ));
    }
    let builder = Builder {
        homi: request.homi,
        place: path.join("build"),
        jobs,
        interrupt: request.interrupt,
    };
    let mut programs = Vec::new();
    for subject in &request.study.subjects {
        match builder.ready(subject, &|text| progress.say(text))? {
            Some(ready) => programs.push(ready),
            None => {
                return Ok(Ended {
                    directory: path,
                    left: usize::MAX,
                    failed: 0,
                });
            }
        }
    }
    for (reason, ready) in programs
        .iter()
        .filter_map(|ready| Some((ready.failure.as_ref()?, ready)))
    {
        progress.say(&failure_text(ready, reason));
    }
    let shared = Shared {
        study: request.study,
        programs: &programs,
        origin: &origin,
        klee: klee.as_ref(),
        base: request.base,
        interrupt: request.interrupt,
    };
    let all = shared.jobs();
    let missing: VecDeque<Job> = all
        .iter()
        .filter(|job| !directory.has(&job.key))
        .cloned()
        .collect();
    let is_asked_for = |row: &Row| all.iter().any(|job| job.key.is_same_study_run(&row.key));
    let others = directory
        .rows
        .iter()
        .filter(|row| !is_asked_for(row))
        .count();
    progress.begin(all.len(), missing.len(), others);
    let outcome = Pool {
        shared: &shared,
        jobs,
        queue: Mutex::new(missing),
    }
    .run(&mut directory, &progress);
    progress.end();
    outcome?;
    let has = |job: &&Job| directory.has(&job.key);
    let rows = directory
        .rows
        .iter()
        .filter(|row| all.iter().any(|job| job.key.is_same_study_run(&row.key)));
    Ok(Ended {
        left: all.len() - all.iter().filter(has).count(),
        failed: rows.filter(|row| !row.outcome.counts()).count(),
        directory: path,
    })
}

/// Returns KLEE if the study uses it.
fn klee(study: &Study) -> Result<Option<Klee>> {
    if !study.wants_klee() {
        return Ok(None);
    }
    match Klee::find() {
        Some(klee) => Ok(Some(klee)),
        None => Err(StudyError::Request(
            "a configuration has engine = \"klee\", but `klee \
             --version` fails; put `klee` on the PATH"
                .to_string(),
        )),
    }
}

fn warn(study: &Study, jobs: usize, progress: &Progress) {
    if study.budget.is_timed() && jobs > processors() {
        progress.say(&format!(
            "WARNING: {jobs} parallel jobs share {} CPUs, so time budgets are too short; lower \
             --jobs",
            processors()
        ));
    }
    let can_count = study
        .subjects
        .iter()
        .all(|subject| subject.gcov.is_some() || !subject.main.is_empty());
    if study.wants_klee() && !(study.replay && can_count) {
        progress.say(
            "WARNING: KLEE's coverage is measured only in replays; set `gcov` for every \
             program to compare it",
        );
    }
}

fn failure_text(ready: &Ready, (reason, lines): &(String, Vec<String>)) -> String {
    let lines = lines.iter().map(|line| format!("\n    {line}"));
    format!(
        "cannot build {}; the study continues without it: {reason}{}",
        ready.subject.name,
        lines.collect::<String>()
    )
}

/// True if the disk has space for the first files of a run.
fn has_room(directory: &Path) -> bool {
    let free = nix::sys::statvfs::statvfs(directory);
    free.is_ok_and(|free| free.blocks_available() * free.fragment_size() >= LEAST_ROOM)
}

/// Bytes of disk space that a run needs to start.
const LEAST_ROOM: u64 = 1 << 20;

/// Threads that run runs in parallel.
struct Pool<'p, 's> {
    shared: &'p Shared<'s>,
    jobs: usize,
    queue: Mutex<VecDeque<Job>>,
}

/// Message of a thread that runs runs.
enum Message {
    Begun(Box<Job>),
    Over(Box<Row>),
    /// The user stopped the run, or its directory could not be created.
    Stopped(Option<StudyError>),
}

/// Interval between updates of the progress display.
const TICK: Duration = Duration::from_millis(500);

impl Pool<'_, '_> {
    fn run(&self, directory: &mut Directory, progress: &Progress) -> Result<()> {
        let (sender, receiver) = mpsc::channel();
        let path = directory.path.clone();
        let places = |key: &_| super::directory::fresh_study_run(&path, key);
        let mut failure = None;
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                let (sender, places) = (sender.clone(), &places);
                scope.spawn(move || self.work(&sender, places));
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(Message::Begun(job)) => progress.begun(&job.key),
                    Ok(Message::Over(row)) => {
                        progress.over(&row);
                        failure = failure.take().or(self.keep(*row, directory).err());
                    }
                    Ok(Message::Stopped(error)) => failure = failure.take().or(error),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                if failure.is_some() {
                    // Jobs in progress would be wasted, so they end now.
                    self.shared.interrupt.store(true, Ordering::Relaxed);
                }
                progress.tick();
            }
        });
        failure.map_or(Ok(()), Err)
    }

    /// Adds a row to the study, unless its run failed for lack of disk space.
    fn keep(&self, row: Row, directory: &mut Directory) -> Result<()> {
        // The log may be incomplete for the same reason.
        let cannot_write = row.reason == WRITE_FAILED
            || row
                .last_lines
                .iter()
                .any(|line| line.contains("No space left"));
        let no_room =
            row.outcome == Outcome::Failed && (cannot_write || !has_room(&directory.path));
        if no_room {
            Err(StudyError::Failed(format!(
                "the disk is full: {} {} {} could not write its files; free disk space, then run \
                 `homi bench --resume {}`",
                row.key.subject,
                row.key.configuration,
                row.key.seed,
                directory.path.display()
            )))
        } else {
            directory.add(row)
        }
    }

    /// Runs run after run on a thread.
    fn work(
        &self,
        sender: &mpsc::Sender<Message>,
        place: &dyn Fn(&super::study_run::Key) -> Result<PathBuf>,
    ) {
        while !self.shared.interrupt.load(Ordering::Relaxed) {
            let next = self
                .queue
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front();
            let Some(job) = next else { return };
            let _ = sender.send(Message::Begun(Box::new(job.clone())));
            let message = match self.checked(&job, place) {
                Ok(Some(row)) => Message::Over(Box::new(row)),
                Ok(None) => Message::Stopped(None),
                Err(error) => Message::Stopped(Some(error)),
            };
            let _ = sender.send(message);
        }
    }

    fn checked(
        &self,
        job: &Job,
        place: &dyn Fn(&super::study_run::Key) -> Result<PathBuf>,
    ) -> Result<Option<Row>> {
        let begun_with = self.shared.origin;
        if !begun_with.is_same() {
            return Err(StudyError::Failed(format!(
                "{} was replaced during the study; use a copy of the executable and resume with \
                 --resume",
                begun_with.homi.display()
            )));
        }
        let row = self.shared.run(job, &place(&job.key)?);
        // A changed executable invalidates the results of this run.
        match row {
            Some(_) if !begun_with.is_same() => self.checked(job, place),
            row => Ok(row),
        }
    }
}
