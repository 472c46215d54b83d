//! Plan of a job directory: the kind of its jobs and the arguments that all of them share.

use super::error::{Result, request};
use super::file::{Build, StudyRun};
use homi_app::options;
use homi_app::options::units;
use homi_config::RunConfig;
use homi_strategies::weights::learn_search;
use serde::{Deserialize, Serialize};

/// Kind of work that is split into jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PlanKind {
    /// Exploration of a program; a job gets some open states and a budget
    Frontier,
    /// Campaign (Algorithm 2 of Homi); a job is one run
    Campaign,
    /// Study of `homi bench`; a job is one run; the argument is the study file
    Study,
    /// `homi learn-search`; a job is a batch of trials; arguments without --output
    Trials,
}

/// Kind and arguments of a job directory's work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub kind: PlanKind,
    pub homi: Build,
    /// Name and hash of the program.
    pub program: Option<(String, String)>,
    pub directory: String,
    /// Arguments of each job.
    pub arguments: Vec<String>,
    /// True if the test of every path is kept.
    pub keeps_all: bool,
    /// Text of the study file; empty for other work.
    #[serde(default)]
    pub study: String,
    #[serde(default)]
    pub study_runs: Vec<StudyRun>,
    /// Plan of learning; `None` for other work.
    #[serde(default)]
    pub learning: Option<learn_search::Plan>,
    /// Budget of a job that explores open states, as typed.
    pub budget: String,
}

/// Options that each job sets itself.
const OWN: [&str; 4] = ["--resume", "--output-dir", "--events", "--seed-dir"];

impl Plan {
    /// Derives the arguments of the jobs from the typed ones.
    ///
    /// # Errors
    /// Names the option that a job cannot have.
    pub fn arguments_of_jobs(
        kind: PlanKind,
        budget: &str,
        arguments: &[String],
    ) -> Result<(Vec<String>, RunConfig)> {
        let typed: Vec<&str> = arguments
            .iter()
            .take_while(|argument| *argument != "--")
            .map(String::as_str)
            .collect();
        let has = |name: &str| {
            let mut named = typed.iter().map(|argument| argument.split('=').next());
            named.any(|argument| argument == Some(name))
        };
        if let Some(name) = OWN.iter().find(|name| has(name)) {
            return request(format!("{name} cannot be combined with jobs; leave it out"));
        }
        let own: &[&str] = match kind {
            PlanKind::Campaign | PlanKind::Study | PlanKind::Trials => &[],
            PlanKind::Frontier if has("--max-time") => {
                return request(
                    "every job has its own limit; use --job-budget in place of \
                     --max-time"
                        .to_string(),
                );
            }
            PlanKind::Frontier if has("--prune") => &["--max-time", budget],
            PlanKind::Frontier => &["--max-time", budget, "--prune", "none"],
        };
        if let Err(error) = units::time_or_work(budget) {
            return request(format!("--job-budget {budget}: {error}"));
        }
        let own = own.iter().map(ToString::to_string);
        let arguments: Vec<String> = own.chain(arguments.iter().cloned()).collect();
        let config = match options::parse(&arguments) {
            Ok(config) => config,
            Err(error) => return request(error.to_string()),
        };
        match kind {
            PlanKind::Campaign if config.campaign.is_none() => {
                request("the options start no campaign; add --prune homi".to_string())
            }
            PlanKind::Frontier if config.campaign.is_some() => {
                request("a campaign has no open states for jobs; leave out --prune".to_string())
            }
            PlanKind::Frontier if config.merge.is_some() => request(
                "a merged path is not a list of decisions; leave out --use-merge".to_string(),
            ),
            _ => Ok((arguments, config)),
        }
    }
}
