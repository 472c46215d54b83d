//! Native runs of cases in the sandbox.
//!
//! Invariant: what is recorded was shown by each build twice: the second time in another directory,
//! at another time, as another user on another host, with other bytes in fresh memory. The kernel
//! lays addresses out anew for each run.

use super::builds::Builds;
use super::case::Case;
use super::directory::tree_of;
use super::expectation::{End, Expectation, tree};
use crate::replay::sandbox::{
    Ending, InputFile, Job, Limits, Node, Observation, Outcome, Sandbox, SandboxKind, Stream,
};
use crate::replay::{CLOCK, Executable};
use anyhow::Context;
use homi_report::gcov::{COUNTERS_VARIABLE, read_counters};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Times of files in the second run, in seconds since 1970.
const OTHER_TIMES: (i64, i64) = (1_234_567_890, 1_300_000_000);

/// Behavior of the program with counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Branch sides, ascending.
    pub sides: Vec<u32>,
    /// End; `None` if the time was up.
    pub end: Option<End>,
    /// True if the program prints to its output, to its standard error, and changes files.
    pub shows: [bool; 3],
}

/// Reason why nothing can be expected of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The case reaches out of its directory, or does not end.
    Unsafe(String),
    /// The behavior differs between runs or builds.
    Unsteady(String),
}

/// Runs cases on the builds of a program.
pub struct Recorder {
    name: String,
    here: Sandbox,
    elsewhere: Sandbox,
    /// Each build as it is in the two sandboxes; the last one has counters.
    builds: Vec<[Executable; 2]>,
    sides: usize,
    /// Object that sets the clock ahead; absent if it cannot be written.
    clock: Option<PathBuf>,
    libraries: Vec<u8>,
    limits: Limits,
    measured: Cell<usize>,
}

impl Recorder {
    /// Prepares the sandboxes. `interrupt` ends a run.
    ///
    /// # Errors
    /// Fails if there is no sandbox, or if a build is no executable.
    pub fn new(
        builds: &Builds,
        kind: SandboxKind,
        limits: Limits,
        interrupt: &Arc<AtomicBool>,
    ) -> anyhow::Result<Self> {
        let (mut here, mut elsewhere) = (Sandbox::new(kind)?, Sandbox::new(kind)?);
        here.interrupt_with(Arc::clone(interrupt));
        elsewhere.interrupt_with(Arc::clone(interrupt));
        let clock = CLOCK.install(&elsewhere).ok();
        let files = builds.compared.iter().chain([&builds.counted.0]);
        let open = |file: &PathBuf| {
            let first = Executable::open(file, &here)?;
            Ok([first, Executable::open(file, &elsewhere)?])
        };
        Ok(Self {
            name: builds.name.clone(),
            builds: files.map(open).collect::<anyhow::Result<_>>()?,
            here,
            elsewhere,
            sides: builds.counted.1,
            clock,
            libraries: std::env::join_paths(&builds.libraries)?.into_encoded_bytes(),
            limits,
            measured: Cell::new(0),
        })
    }

    /// Returns what all builds show for a case; the inner error is the reason why nothing can be
    /// expected of it.
    ///
    /// # Errors
    /// Fails if the program cannot be run, or if the user interrupted it.
    pub fn record(&self, case: &Case) -> anyhow::Result<Result<Expectation, Refusal>> {
        let mut found: Option<Expectation> = None;
        for build in &self.builds {
            let of_build = match self.record_build(build, case, found.is_none())? {
                Ok(of_build) => of_build,
                Err(why) => return Ok(Err(why)),
            };
            found = Some(match found {
                None => of_build,
                Some(before) => {
                    if let Some(part) = before.difference(&of_build) {
                        let why = format!("{part} differs between builds: undefined behavior");
                        return Ok(Err(Refusal::Unsteady(why)));
                    }
                    match before.in_common(&of_build) {
                        Ok(common) => common,
                        Err(why) => return Ok(Err(Refusal::Unsteady(why))),
                    }
                }
            });
        }
        found.map(Ok).context("there is no build")
    }

    /// Returns what both runs of one build show.
    fn record_build(
        &self,
        [here, elsewhere]: &[Executable; 2],
        case: &Case,
        accesses: bool,
    ) -> anyhow::Result<Result<Expectation, Refusal>> {
        let mut first = self.job(here, case);
        first.observation = Observation {
            accesses,
            files: true,
            is_elsewhere: false,
        };
        let mut outcome = self.here.run(&first)?;
        if let Some(touched) = &outcome.touched {
            return Ok(Err(Refusal::Unsafe(format!("it {touched}"))));
        }
        if accesses {
            // A watched process may be stopped at other moments.
            first.observation.accesses = false;
            outcome = self.here.run(&first)?;
        }
        let second = self.elsewhere.run(&self.varied(elsewhere, case))?;
        let ends = end(&outcome).is_some() && end(&second).is_some();
        let both = Expectation::of(outcome).and_then(|first| {
            let second = Expectation::of(second)?;
            first.in_common(&second)
        });
        let both = both.map_err(if ends {
            Refusal::Unsteady
        } else {
            Refusal::Unsafe
        });
        Ok(both)
    }

    /// Returns what the program with counters does.
    ///
    /// # Errors
    /// Fails if the program cannot be run, or if the user interrupted it.
    pub fn measure(&self, case: &Case) -> anyhow::Result<Ran> {
        let [exe, _] = self.builds.last().context("there is no build")?;
        let number = self.measured.replace(self.measured.get() + 1);
        let counts = self.here.new_writable(&format!("counts{number}"))?;
        let file = counts.join("sides");
        let mut job = self.job(exe, case);
        let variable = format!("{COUNTERS_VARIABLE}={}", file.display());
        job.environment.push(variable.into_bytes());
        job.writable = Some(counts.clone());
        job.observation.files = true;
        let outcome = self.here.run(&job)?;
        let taken = read_counters(&file, &vec![1; self.sides])?;
        // Left over files do no harm; the sandbox's directory goes at the end.
        let _ = fs::remove_dir_all(counts);
        Ok(Ran {
            sides: taken.into_iter().map(|(side, _)| side).collect(),
            end: end(&outcome),
            shows: shows(outcome, case),
        })
    }

    fn job(&self, exe: &Executable, case: &Case) -> Job {
        let mut limits = self.limits.clone();
        let mut environment = vec![
            b"PATH=/usr/local/bin:/usr/bin:/bin".to_vec(),
            b"LC_ALL=C".to_vec(),
            b"TZ=UTC".to_vec(),
        ];
        environment.extend(case.environment.iter().cloned());
        environment.extend(exe.sanitizer_environment(limits.memory));
        if exe.is_sanitized {
            limits.memory = u64::MAX;
        }
        if !self.libraries.is_empty() {
            environment.push([b"LD_LIBRARY_PATH=", &self.libraries[..]].concat());
        }
        let files = case.files.iter().map(|file| InputFile {
            path: file.path.clone(),
            node: Node::File(file.content.clone()),
            mode: file.mode,
            times: None,
        });
        let stdin = match case.stdin.as_slice() {
            [] => Stream::Plain,
            content => Stream::File {
                content: content.to_vec(),
                mode: 0o644,
            },
        };
        let called = std::iter::once(self.name.clone().into_bytes());
        Job {
            exe: exe.path.clone(),
            argv: called.chain(case.arguments.iter().cloned()).collect(),
            environment,
            stdin,
            stdout: Stream::File {
                content: Vec::new(),
                mode: 0o644,
            },
            files: files.collect(),
            writable: None,
            warning_signal: None,
            reports: false,
            observation: Observation::default(),
            process: 0,
            limits,
        }
    }

    /// Returns the job of a second run, with other surroundings.
    fn varied(&self, exe: &Executable, case: &Case) -> Job {
        let mut job = self.job(exe, case);
        job.environment[0].extend(b":/nonexistent");
        job.environment.push(b"MALLOC_PERTURB_=165".to_vec());
        if let Some(clock) = self.clock.as_deref().filter(|_| is_preloadable(exe)) {
            job.environment.push(preload(clock));
        }
        for file in &mut job.files {
            file.times = Some(OTHER_TIMES);
        }
        job.observation = Observation {
            files: true,
            is_elsewhere: true,
            ..Observation::default()
        };
        job.process = 4_321;
        job
    }
}

fn is_preloadable(exe: &Executable) -> bool {
    exe.is_dynamic && !exe.is_of_32_bits && !exe.is_sanitized
}

fn preload(object: &Path) -> Vec<u8> {
    format!("LD_PRELOAD={}", object.display()).into_bytes()
}

/// Returns which kinds of effects a run has.
fn shows(outcome: Outcome, case: &Case) -> [bool; 3] {
    let prints = [!outcome.stdout.is_empty(), !outcome.stderr.is_empty()];
    let left = outcome.left.and_then(tree);
    [prints[0], prints[1], left != Some(tree_of(case))]
}

fn end(outcome: &Outcome) -> Option<End> {
    match outcome.ending {
        Ending::Exit(status) => Some(End::Exit(status)),
        Ending::Signal(number) => Some(End::Signal(number)),
        Ending::Timeout => None,
    }
}
