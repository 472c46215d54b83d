//! The campaign that a run is part of, if it is one: its options, its learning data of earlier
//! sessions, its coverage.

use super::SessionError;
use super::resumption::Resumption;
use homi_config::{CampaignConfig, RunConfig};
use homi_explore::engine::{EarlierTests, PathResults};
use homi_ir::program::Program;
use homi_report::OutputDirectory;
use homi_strategies::campaign;
use homi_strategies::campaign::{Header, Store, Stored};
use std::fmt::Display;

/// A campaign of the loaded program.
pub(super) struct CampaignPlan {
    pub(super) config: CampaignConfig,
    /// Data of earlier sessions of the campaign.
    pub(super) stored: Option<Stored>,
    /// The header of the learning data.
    header: Header,
}

impl CampaignPlan {
    /// Returns `None` if the run is not a campaign. Fails if earlier sessions ran another program,
    /// or with other options.
    pub(super) fn make(
        config: &RunConfig,
        program: &Program,
    ) -> Result<Option<Self>, SessionError> {
        let Some(campaign) = &config.campaign else {
            return Ok(None);
        };
        let refused = |error: &dyn Display| SessionError::Request(error.to_string());
        let stored = config.resume.as_deref().map(campaign::read).transpose();
        let stored = stored.map_err(|error| refused(&error))?;
        if let Some(stored) = &stored {
            campaign::check_continued(campaign, &stored.header.campaign)
                .map_err(|error| refused(&error))?;
        }
        let header = header(config, campaign, program)?;
        if let Some(stored) = &stored {
            header
                .check(&stored.header, stored.path())
                .map_err(|error| refused(&error))?;
        }
        Ok(Some(Self {
            config: campaign.clone(),
            stored,
            header,
        }))
    }

    /// Opens the learning data of the earlier session, or a new file.
    pub(super) fn store(&self, directory: &OutputDirectory) -> Result<Store, SessionError> {
        Ok(match &self.stored {
            Some(stored) => Store::reopen(stored)?,
            None => Store::create(directory.path(), &self.header)?,
        })
    }
}

/// The header of the learning data of a campaign.
fn header(
    config: &RunConfig,
    campaign: &CampaignConfig,
    program: &Program,
) -> Result<Header, SessionError> {
    let heuristics = config.search.heuristics.iter();
    Ok(Header::new(
        (program.name.clone(), program.hash()?),
        config.program.arguments.clone(),
        heuristics.map(|one| one.name().to_string()).collect(),
        config.search.seed,
        match &config.gcov {
            // However it is spelled, and from whichever directory.
            Some(exe) => {
                let exe = exe.canonicalize().unwrap_or_else(|_| exe.clone());
                format!("gcov={}", exe.display())
            }
            None => "engine".to_string(),
        },
        campaign.clone(),
        config.command.clone(),
    ))
}

/// Returns the writer of a run's tests, which continues the numbers of a resumed session.
pub(super) fn path_results(
    plan: Option<&CampaignPlan>,
    config: &RunConfig,
    directory: &OutputDirectory,
    arguments: Vec<Vec<u8>>,
    resumption: Option<&Resumption>,
) -> PathResults {
    let (path, options) = (directory.path(), config.tests.clone());
    if let Some(resumption) = resumption {
        let results = PathResults::reopen(path, options, arguments, resumption.tests.clone());
        return results.counting_from(&resumption.checkpoint_totals.tally);
    }
    match plan.and_then(|plan| plan.stored.as_ref()) {
        Some(_) => {
            let last = directory.last_test();
            let tests = EarlierTests {
                last,
                count: last,
                ..EarlierTests::default()
            };
            PathResults::reopen(path, options, arguments, tests)
        }
        None => PathResults::new(path, options, arguments),
    }
}
