//! Job directory of a run or study that is split into jobs: jobs in progress and results received.
//!
//! ```text
//! jobs.json     kind and arguments of the work
//! state.json    progress
//! jobs/N.json  jobs that were created
//! out/          merged results, as an output directory
//! ```
//!
//! Invariant: a killed command has no effect. `state.json` is replaced at the end of a command;
//! later commands remove or repeat work that it does not record.

use super::error::{JobError, Result, failed, request};
use super::file::{Build, Job, Work};
use super::merging::Shown;
use super::outcome::{Done, Outcome};
use super::plan::{Plan, PlanKind};
use super::state::{State, write_whole};
use super::trials::Rounds;
use super::{open, result_dir, runs, study_runs};
use homi_app::options;
use homi_app::options::units;
use homi_config::RunConfig;
use homi_explore::sources::checkpoint::Frontier;
use homi_strategies::campaign::RunIssuer;
use nix::fcntl::{Flock, FlockArg};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const PLAN: &str = "jobs.json";
const JOBS: &str = "jobs";

/// Job directory of a run or study, locked by this process.
pub struct JobDirectory {
    path: PathBuf,
    plan: Plan,
    /// Configuration of the run; `None` for studies and learning.
    config: Option<RunConfig>,
    state: State,
    shown: Shown,
    /// Learner of a campaign; `None` for other work.
    issuer: Option<RunIssuer>,
    /// Algorithm of learned search; `None` for other work.
    rounds: Option<Rounds>,
    _lock: Flock<File>,
}

/// Progress of a job directory, for users and scripts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    pub kind: PlanKind,
    /// Number of jobs created.
    pub issued: u64,
    pub running: u64,
    pub taken: u64,
    /// Number of results received again, which count once.
    pub again: u64,
    /// Number of open states that no job holds.
    pub open: u64,
    /// Number of open states that a job could not reach again.
    pub lost: u64,
    /// Instructions that jobs executed to reach their open states.
    pub walked: u64,
    pub instructions: u64,
    pub paths: u64,
    pub tests: u64,
    pub branches: u64,
    pub bugs: u64,
    /// Wall time and CPU time of all jobs, in seconds.
    pub wall_s: f64,
    pub cpu_s: f64,
    /// Reason why the work is complete; `None` if it is not.
    pub ended: Option<String>,
}

impl JobDirectory {
    /// Creates a job directory in a new directory.
    pub fn begin(path: &Path, plan: &Plan) -> Result<Self> {
        if let Err(error) = fs::create_dir(path) {
            return match error.kind() {
                std::io::ErrorKind::AlreadyExists => request(format!(
                    "{} already exists; continue it with `homi jobs next`, or choose another \
                     directory",
                    path.display()
                )),
                _ => Err(failed("make", path, &error)),
            };
        }
        let jobs = path.join(JOBS);
        fs::create_dir(&jobs).map_err(|error| failed("make", &jobs, &error))?;
        let mut state = State::new();
        if plan.kind == PlanKind::Frontier {
            state.open.set(&Frontier::start());
        }
        state.write(path)?;
        // The plan is written last: it marks the directory as a job directory.
        write_whole(&path.join(PLAN), plan)?;
        Self::open(path, &plan.homi)
    }

    /// Opens an existing job directory.
    pub fn open(path: &Path, homi: &Build) -> Result<Self> {
        let path = std::path::absolute(path).map_err(|error| failed("find", path, &error))?;
        let file = path.join(PLAN);
        let bytes = fs::read(&file).map_err(|error| failed("read", &file, &error))?;
        let plan: Plan = serde_json::from_slice(&bytes).map_err(|error| {
            JobError::Request(format!(
                "{} does not describe a job directory: {error}",
                file.display()
            ))
        })?;
        if plan.homi != *homi {
            return request(format!(
                "{} belongs to homi {} ({}), but this is {} ({}); use a copy of that executable, \
                 or create a new job directory",
                path.display(),
                plan.homi.version,
                plan.homi.digest,
                homi.version,
                homi.digest
            ));
        }
        let lock =
            File::create(path.join("lock")).map_err(|error| failed("write", &path, &error))?;
        let lock = Flock::lock(lock, FlockArg::LockExclusive)
            .map_err(|(_, error)| failed("lock", &path, &error.into()))?;
        let state = State::read(&path)?;
        let shown = Shown::read(&path, &state)?;
        let mut job_directory = Self {
            config: None,
            issuer: None,
            rounds: None,
            path,
            plan,
            state,
            shown,
            _lock: lock,
        };
        job_directory.prepare()?;
        Ok(job_directory)
    }

    /// Creates the objects that choose the next jobs.
    fn prepare(&mut self) -> Result<()> {
        match self.plan.kind {
            PlanKind::Frontier | PlanKind::Campaign => {
                let config = options::parse(&self.plan.arguments).map_err(|error| {
                    JobError::Request(format!("invalid arguments in the job directory: {error}"))
                })?;
                if self.plan.kind == PlanKind::Campaign {
                    self.issuer = Some(runs::issuer(&config, &self.shown, &self.state)?);
                }
                self.config = Some(config);
            }
            PlanKind::Trials => {
                let Some(plan) = self.plan.learning else {
                    return request(
                        "the job directory has no learning plan; create a new one".to_string(),
                    );
                };
                let mut running = BTreeSet::new();
                for file in self.running() {
                    if let Work::Trials { trials } = Job::read(&file, &self.plan.homi)?.work {
                        running.extend(trials.iter().map(|trial| trial.id));
                    }
                }
                self.rounds = Some(Rounds::new(plan, &self.shown, &self.state, &running)?);
            }
            PlanKind::Study => {}
        }
        Ok(())
    }

    fn job_file(&self, number: u64) -> PathBuf {
        self.path.join(JOBS).join(format!("{number:06}.json"))
    }

    /// Creates at most `most` jobs and returns their files.
    pub fn issue(&mut self, most: usize) -> Result<Vec<PathBuf>> {
        let share = open::share(&self.state, most);
        let works = match self.plan.kind {
            PlanKind::Frontier => open::issue(&mut self.state, most)?,
            PlanKind::Trials => self
                .rounds
                .as_mut()
                .map_or(Vec::new(), |one| one.issue(most)),
            // These are created one by one: each depends on the number of its job.
            PlanKind::Campaign | PlanKind::Study => Vec::new(),
        };
        let mut files = Vec::new();
        for work in works {
            files.push(self.issue_job(work, share)?);
        }
        while files.len() < most {
            let work = match (self.plan.kind, &mut self.issuer, &self.config) {
                (PlanKind::Campaign, Some(issuer), Some(config)) => {
                    runs::issue(config, issuer, &self.shown, &self.state)?
                }
                (PlanKind::Study, ..) => study_runs::issue(&self.plan, &self.state),
                _ => None,
            };
            let Some(work) = work else { break };
            files.push(self.issue_job(work, share)?);
        }
        self.state.write(&self.path)?;
        Ok(files)
    }

    fn issue_job(&mut self, work: Work, share: f64) -> Result<PathBuf> {
        let (plan, number) = (&self.plan, self.state.next);
        let arguments = match plan.kind {
            PlanKind::Frontier => with_share(&plan.arguments, &plan.budget, share),
            PlanKind::Campaign | PlanKind::Study | PlanKind::Trials => plan.arguments.clone(),
        };
        let place = (plan.directory.clone(), arguments);
        let job = Job::new(plan.homi.clone(), number, plan.program.clone(), place, work);
        let file = self.job_file(number);
        write_whole(&file, &job)?;
        self.state.next += 1;
        self.state.running.insert(number, job.id());
        Ok(file)
    }

    /// Returns the files of jobs without a result.
    pub fn running(&self) -> Vec<PathBuf> {
        let numbers = self.state.running.keys();
        numbers.map(|number| self.job_file(*number)).collect()
    }

    /// Takes the results in these directories, each once.
    pub fn take(&mut self, results: &[PathBuf]) -> Result<()> {
        for directory in results {
            let outcome = result_dir::read(directory)?;
            if self.state.taken.get(&outcome.number) == Some(&outcome.job) {
                self.state.again += 1;
                continue;
            }
            if self.state.running.get(&outcome.number) != Some(&outcome.job) {
                return request(format!(
                    "{} is the result of a job that {} did not issue; pass the results of its own \
                     jobs",
                    directory.display(),
                    self.path.display()
                ));
            }
            let job = Job::read(&self.job_file(outcome.number), &self.plan.homi)?;
            self.take_one(&job, &outcome, directory)?;
            self.state.running.remove(&outcome.number);
            self.state.taken.insert(outcome.number, outcome.job);
            self.state.wall_s += outcome.wall_s;
            self.state.cpu_s += outcome.cpu_s;
        }
        self.see_whether_over()?;
        self.state.write(&self.path)
    }

    fn take_one(&mut self, job: &Job, outcome: &Outcome, result: &Path) -> Result<()> {
        let (state, shown) = (&mut self.state, &mut self.shown);
        let run = &result.join("run");
        match (&job.work, &outcome.done) {
            (Work::Frontier { states, .. }, Done::Frontier { summary, open }) => {
                let keeps_all = self.plan.keeps_all;
                shown.take(state, run, summary, |_| keeps_all)?;
                open::take(state, *states, open, summary)?;
                state.reason = Some(open::reason(state.reason.as_deref(), &summary.stop_reason));
            }
            (
                Work::Run { run: assigned, .. },
                Done::Run {
                    summary,
                    run: stored,
                },
            ) => {
                let Some(issuer) = &mut self.issuer else {
                    return Ok(());
                };
                let keeps_all = self.plan.keeps_all;
                let stays = |test: &str| keeps_all || issuer.adds(stored, test);
                let kept = shown.take(state, run, summary, stays)?;
                runs::take(issuer, shown, state, (assigned, stored), (run, &kept))?;
                runs::note_end(self.config.as_ref(), state, summary);
            }
            (Work::StudyRun { study_run, .. }, Done::StudyRun { row }) => {
                study_runs::take(shown, state, (&self.plan, study_run), (row, result))?;
            }
            (Work::Trials { .. }, Done::Trials { request, trials }) => {
                if let Some(rounds) = &mut self.rounds {
                    rounds.take(shown, state, (request, trials))?;
                }
            }
            _ => {
                return request(format!(
                    "the result of job {} does not match the kind of the job",
                    job.number
                ));
            }
        }
        Ok(())
    }

    /// Records if the work is complete, and writes its summary.
    fn see_whether_over(&mut self) -> Result<()> {
        let state = &mut self.state;
        let is_idle = state.running.is_empty() && !state.taken.is_empty();
        let over = |is_over: bool, reason: &str| is_over.then(|| reason.to_string());
        state.ended = match self.plan.kind {
            PlanKind::Frontier if is_idle && state.open.states == 0 => state.reason.clone(),
            PlanKind::Frontier => None,
            PlanKind::Campaign => runs::ended(self.config.as_ref(), state),
            PlanKind::Study => over(
                state.taken.len() == self.plan.study_runs.len(),
                "all runs finished",
            ),
            PlanKind::Trials => over(
                self.rounds.as_ref().is_some_and(Rounds::is_over),
                "converged",
            ),
        };
        let reason = state
            .ended
            .clone()
            .unwrap_or_else(|| "interrupted".to_string());
        self.shown.write_summary(state, &reason)
    }

    /// Returns the progress of the work.
    pub fn status(&self) -> Status {
        let state = &self.state;
        let summary = state.summary.as_ref();
        let statistic = |get: fn(&homi_report::Summary) -> u64| summary.map_or(0, get);
        Status {
            kind: self.plan.kind,
            issued: state.next - 1,
            running: state.running.len() as u64,
            taken: state.taken.len() as u64,
            again: state.again,
            open: state.open.states,
            lost: state.lost,
            walked: state.walked,
            instructions: statistic(|summary| summary.instructions),
            paths: statistic(|summary| summary.paths.total()),
            tests: state.last_test,
            branches: self.shown.branches(),
            bugs: statistic(|summary| summary.errors.len() as u64),
            wall_s: state.wall_s,
            cpu_s: state.cpu_s,
            ended: state.ended.clone(),
        }
    }
}

/// Returns the arguments of a job that gets `share` of a job's budget.
fn with_share(arguments: &[String], budget: &str, share: f64) -> Vec<String> {
    let mut arguments = arguments.to_vec();
    // `--max-time BUDGET` comes first.
    if let (Ok(span), Some(argument)) = (units::time_or_work(budget), arguments.get_mut(1)) {
        *argument = units::show_budget(span.of_same_unit(span.amount() * share));
    }
    arguments
}
