//! Jobs of a study: its runs, their commands, their rows.

use super::configurations::{Configuration, Engine};
use super::klee::{self, Klee};
use super::measure::{self, last_lines};
use super::origin::Origin;
use super::plan::Study;
use super::process::{self, Cause, Ended, Limits};
use super::replays::Replays;
use super::study_run::{Key, Outcome, Row, SCHEMA};
use super::subjects::Subject;
use homi_app::options::units;
use homi_report::utc_date;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

/// Program of a study that is ready to run, or the reason why it is not.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    pub(super) subject: Subject,
    /// Files that homi gets as the program.
    pub(super) files: Vec<PathBuf>,
    /// Digest of the files.
    pub(super) digest: String,
    /// Reason why the program could not be built, and the last lines of the log.
    pub(super) failure: Option<(String, Vec<String>)>,
}

/// Run to run.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) key: Key,
    pub(super) program: usize,
    pub(super) configuration: usize,
}

/// Data that all jobs share.
pub(super) struct Shared<'s> {
    pub(super) study: &'s Study,
    pub(super) programs: &'s [Ready],
    pub(super) origin: &'s Origin,
    /// KLEE; `None` if no configuration uses it.
    pub(super) klee: Option<&'s Klee>,
    /// Directory of the study file, to which relative paths in options refer.
    pub(super) base: &'s Path,
    pub(super) interrupt: &'s AtomicBool,
}

/// Returns the options of homi for a run. A job uses one thread unless they set another number,
/// because jobs run in parallel.
fn options(study: &Study, subject: &Subject, configuration: &Configuration) -> Vec<String> {
    let given = [&study.options, &subject.options, &configuration.options];
    let given = given.into_iter().flatten().cloned();
    let says_threads = given
        .clone()
        .any(|argument| argument.split('=').next() == Some(THREADS));
    let usual = [THREADS, "1"].map(str::to_string).into_iter();
    usual.filter(|_| !says_threads).chain(given).collect()
}

const THREADS: &str = "--threads";

/// Returns the settings that a run's statistics depend on, except program, configuration, seed and
/// budget.
pub(super) fn settings(
    study: &Study,
    subject: &Subject,
    configuration: &Configuration,
) -> Vec<String> {
    let mut settings = vec![format!("memory={}", units::show_size(study.memory))];
    match configuration.engine {
        Engine::Homi => settings.extend(options(study, subject, configuration)),
        Engine::Klee => {
            settings.push(format!("usual={}", configuration.usual));
            settings.extend(configuration.options.clone());
        }
    }
    settings.push("--".to_string());
    settings.extend(subject.arguments.clone());
    settings
}

/// Returns the memory in bytes at which a job is killed; the engine enforces the lower limit
/// itself.
fn hard_limit(memory: u64) -> u64 {
    memory + memory / 4 + (256 << 20)
}

impl Shared<'_> {
    /// Returns all runs, seed by seed with interleaved configurations, so that a stopped study is
    /// balanced.
    pub(super) fn jobs(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for seed in &self.study.seeds {
            for (program, ready) in self.programs.iter().enumerate() {
                for (number, configuration) in self.study.configurations.iter().enumerate() {
                    let key = self.key(ready, configuration, *seed);
                    jobs.push(Job {
                        key,
                        program,
                        configuration: number,
                    });
                }
            }
        }
        jobs
    }

    fn key(&self, ready: &Ready, configuration: &Configuration, seed: u64) -> Key {
        let klee = self.klee.filter(|_| configuration.engine == Engine::Klee);
        let klee = klee.map(|klee| klee.version.as_str());
        let build = [Some(self.origin.build.as_str()), klee];
        Key {
            subject: ready.subject.name.clone(),
            configuration: configuration.name.clone(),
            seed,
            budget: units::show_budget(self.study.budget),
            settings: settings(self.study, &ready.subject, configuration),
            program: ready.digest.clone(),
            commit: self.origin.commit.clone(),
            build: build.into_iter().flatten().collect::<Vec<_>>().join(", "),
            machine: self.origin.machine.clone(),
        }
    }

    /// Runs a run in its directory; `None` if the user stopped the study.
    pub(super) fn run(&self, job: &Job, place: &Path) -> Option<Row> {
        let ready = &self.programs[job.program];
        let mut row = Row {
            schema: SCHEMA,
            key: job.key.clone(),
            began: now(),
            ..Row::default()
        };
        if let Some((reason, lines)) = &ready.failure {
            row.outcome = Outcome::NotBuilt;
            (row.reason, row.last_lines) = (reason.clone(), lines.clone());
            return Some(row);
        }
        let log = place.join("log.txt");
        let began = SystemTime::now();
        let command = match self.command(job, place) {
            Ok(command) => command,
            Err(reason) => {
                return Some(Row {
                    outcome: Outcome::Failed,
                    reason,
                    ..row
                });
            }
        };
        let limits = Limits {
            time: self.study.timeout,
            memory: hard_limit(self.study.memory),
        };
        let starts_at = match self.study.configurations[job.configuration].engine {
            Engine::Homi if self.base.is_dir() => self.base,
            Engine::Homi | Engine::Klee => place,
        };
        let ended = match start(command, starts_at, &log, limits, self.interrupt) {
            Ok(ended) => ended,
            Err(error) => {
                return Some(Row {
                    reason: format!("cannot start: {error}"),
                    ..row
                });
            }
        };
        if ended.cause == Some(Cause::Interrupt) {
            return None;
        }
        (row.wall_s, row.cpu_s) = (ended.wall.as_secs_f64(), ended.cpu.as_secs_f64());
        let output = place.join("out");
        let stopped = match self.study.configurations[job.configuration].engine {
            Engine::Homi => measure::homi(&mut row, &output, began),
            Engine::Klee => klee::figures(&mut row, &output, &log),
        };
        (row.outcome, row.reason) = judged(ended, stopped);
        if !row.outcome.counts() {
            row.last_lines = last_lines(&log);
        }
        if let (true, Some(program), true) =
            (self.study.replay, &ready.subject.gcov, output.is_dir())
        {
            let replays = Replays {
                homi: &self.origin.homi,
                program,
                main: &ready.subject.main,
                place,
                tests: output,
                began,
                timeout: self.study.timeout,
            };
            replays.count(&mut row, self.interrupt);
        }
        let is_interrupted = self.interrupt.load(std::sync::atomic::Ordering::Relaxed);
        (!is_interrupted).then_some(row)
    }

    fn command(&self, job: &Job, place: &Path) -> Result<Vec<OsString>, String> {
        let (ready, configuration) = (
            &self.programs[job.program],
            &self.study.configurations[job.configuration],
        );
        if configuration.engine == Engine::Klee {
            let output = place.join("out");
            return klee::command(
                self.klee,
                self.study,
                ready,
                configuration,
                (job.key.seed, &output),
            );
        }
        let mut arguments: Vec<OsString> = vec![self.origin.homi.clone().into(), "run".into()];
        arguments.push("--output-dir".into());
        arguments.push(place.join("out").into());
        let given = [
            ("--seed", job.key.seed.to_string()),
            ("--max-time", job.key.budget.clone()),
            ("--max-memory", units::show_size(self.study.memory)),
        ];
        arguments.extend(
            given
                .into_iter()
                .flat_map(|(name, value)| [name.into(), value.into()]),
        );
        let options = options(self.study, &ready.subject, configuration);
        arguments.extend(options.into_iter().map(OsString::from));
        arguments.extend(ready.files.iter().map(OsString::from));
        arguments.push("--".into());
        arguments.extend(ready.subject.arguments.iter().map(OsString::from));
        Ok(arguments)
    }
}

fn start(
    arguments: Vec<OsString>,
    place: &Path,
    log: &Path,
    limits: Limits,
    interrupt: &AtomicBool,
) -> std::io::Result<Ended> {
    let shown: Vec<String> = arguments
        .iter()
        .map(|argument| homi_native::replay::shell::quote(argument.as_encoded_bytes()))
        .collect();
    std::fs::write(log, format!("$ {}\n", shown.join(" ")))?;
    let mut command = Command::new(&arguments[0]);
    command.args(&arguments[1..]).current_dir(place);
    process::run(&mut command, log, limits, interrupt)
}

/// Returns the outcome of a job and the reason why it ended.
fn judged(ended: Ended, stopped: Option<String>) -> (Outcome, String) {
    match (ended.cause, stopped) {
        (Some(Cause::Time), _) => (
            Outcome::OutOfTime,
            "killed: it exceeded `timeout`".to_string(),
        ),
        (Some(Cause::Memory), _) => (
            Outcome::OutOfMemory,
            "killed: it exceeded `memory`".to_string(),
        ),
        (_, Some(reason)) if reason == "out-of-memory" => (Outcome::OutOfMemory, reason),
        (_, Some(reason)) if ended.status.success() && reason != WRITE_FAILED => {
            (Outcome::Done, reason)
        }
        (_, Some(reason)) if reason == WRITE_FAILED => (Outcome::Failed, reason),
        (_, _) => (Outcome::Failed, ended.status.to_string()),
    }
}

/// Stop reason of a run that could not write a file.
pub(super) const WRITE_FAILED: &str = "write-failed";

/// Returns the time in UTC, to the second.
fn now() -> String {
    let seconds = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    utc_date(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    #[test]
    fn the_end_of_a_job_names_its_cause() {
        let ended = |status: i32, cause| Ended {
            status: ExitStatus::from_raw(status),
            cause,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
        };
        let stopped = |reason: &str| Some(reason.to_string());
        for (status, cause, reason, outcome) in [
            (0, None, stopped("max-time"), Outcome::Done),
            (0, None, None, Outcome::Failed),
            (1 << 8, None, stopped("max-time"), Outcome::Failed),
            (9, None, None, Outcome::Failed),
            (
                0,
                Some(Cause::Time),
                stopped("interrupted"),
                Outcome::OutOfTime,
            ),
            (9, Some(Cause::Memory), None, Outcome::OutOfMemory),
            (1 << 8, None, stopped("out-of-memory"), Outcome::OutOfMemory),
            (0, None, stopped(WRITE_FAILED), Outcome::Failed),
        ] {
            let (found, _) = judged(ended(status, cause), reason.clone());
            assert_eq!(found, outcome, "{status} {cause:?} {reason:?}");
        }
    }
}
