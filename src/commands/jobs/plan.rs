//! What a book's work is: which kind of units it consists of, and the words that all of them share.

use super::error::{Result, request};
use super::file::{Build, Cell};
use crate::app::options;
use crate::app::options::units;
use crate::config::RunConfig;
use crate::strategies::weights::learn_search;
use serde::{Deserialize, Serialize};

/// Kinds of work that is dealt out in units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PlanKind {
    /// Follow all paths of a program: a unit is some open states and a budget
    Frontier,
    /// Algorithm 2 of Homi: a unit is a run, made with what all runs before it have taught
    Campaign,
    /// A study of `homi bench`: a unit is a cell; the word is the study's file
    Study,
    /// `homi learn-search`: a unit is a batch of trials; the words are its, without --output
    Trials,
}

/// The work of a book.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub kind: PlanKind,
    pub homi: Build,
    /// The program by its name and hash.
    pub program: Option<(String, String)>,
    pub directory: String,
    /// What units get.
    pub words: Vec<String>,
    /// Every path's test is kept.
    pub keeps_all: bool,
    /// Of a study: its file, and all cells.
    #[serde(default)]
    pub study: String,
    #[serde(default)]
    pub cells: Vec<Cell>,
    /// Of learning.
    #[serde(default)]
    pub learning: Option<learn_search::Plan>,
    /// The budget of a unit about open states, as it is typed.
    pub budget: String,
}

/// Options that a unit has of its own.
const OWN: [&str; 4] = ["--resume", "--output-dir", "--events", "--seed-dir"];

impl Plan {
    /// Makes the words of units out of those that were typed.
    ///
    /// # Errors
    /// Says which of them a unit cannot have.
    pub fn words_of_units(
        kind: PlanKind,
        budget: &str,
        words: &[String],
    ) -> Result<(Vec<String>, RunConfig)> {
        let typed: Vec<&str> = words
            .iter()
            .take_while(|word| *word != "--")
            .map(String::as_str)
            .collect();
        let has = |name: &str| {
            let mut named = typed.iter().map(|word| word.split('=').next());
            named.any(|word| word == Some(name))
        };
        if let Some(name) = OWN.iter().find(|name| has(name)) {
            return request(format!(
                "{name} is for a run of its own, not for units of one"
            ));
        }
        let own: &[&str] = match kind {
            PlanKind::Campaign | PlanKind::Study | PlanKind::Trials => &[],
            PlanKind::Frontier if has("--max-time") => {
                return request("--max-time is a unit's own: say it as --unit".to_string());
            }
            PlanKind::Frontier if has("--prune") => &["--max-time", budget],
            PlanKind::Frontier => &["--max-time", budget, "--prune", "none"],
        };
        if let Err(error) = units::time_or_work(budget) {
            return request(format!("--unit {budget}: {error}"));
        }
        let own = own.iter().map(ToString::to_string);
        let words: Vec<String> = own.chain(words.iter().cloned()).collect();
        let config = match options::parse(&words) {
            Ok(config) => config,
            Err(error) => return request(error.to_string()),
        };
        match kind {
            PlanKind::Campaign if config.campaign.is_none() => {
                request("these words ask for no campaign: say --prune homi".to_string())
            }
            PlanKind::Frontier if config.campaign.is_some() => {
                request("a campaign has no open states for units: leave --prune out".to_string())
            }
            PlanKind::Frontier if config.merge.is_some() => {
                request("merged paths are no lists of decisions: leave --use-merge out".to_string())
            }
            _ => Ok((words, config)),
        }
    }
}
