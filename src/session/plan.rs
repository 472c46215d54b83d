//! The campaign that a run is part of, if it is one: its options, its learning data of earlier
//! sessions, its coverage.

use super::SessionError;
use super::native::GcovReplay;
use super::program::program_hash;
use super::resumption::Resumption;
use crate::campaign::{self, Header, Store, Stored};
use crate::config::{CampaignConfig, RunConfig};
use crate::engine::{EarlierTests, PathResults};
use crate::program::Program;
use crate::report::OutputDirectory;

/// What is known of a campaign before the program is loaded.
pub(super) struct CampaignPlan {
    pub(super) config: CampaignConfig,
    pub(super) stored: Option<Stored>,
}

impl CampaignPlan {
    /// Nothing if the run is no campaign.
    pub(super) fn make(config: &RunConfig) -> Result<Option<Self>, SessionError> {
        let Some(campaign) = &config.campaign else {
            return Ok(None);
        };
        let stored = match &config.resume {
            Some(directory) => Some(
                campaign::read(directory)
                    .map_err(|error| SessionError::Request(error.to_string()))?,
            ),
            None => None,
        };
        if let Some(stored) = &stored {
            campaign::check_continued(campaign, &stored.header.campaign)
                .map_err(|error| SessionError::Request(error.to_string()))?;
        }
        Ok(Some(Self {
            config: campaign.clone(),
            stored,
        }))
    }

    /// The header of the learning data, checked against that of the earlier session.
    pub(super) fn header(
        &self,
        config: &RunConfig,
        program: &Program,
    ) -> Result<Header, SessionError> {
        let heuristics = config.search.heuristics.iter();
        let header = Header::new(
            (program.name.clone(), program_hash(program)?),
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
            self.config.clone(),
            config.command.clone(),
        );
        if let Some(stored) = &self.stored {
            header
                .check(&stored.header, stored.path())
                .map_err(|error| SessionError::Request(error.to_string()))?;
        }
        Ok(header)
    }

    /// Where the learning data go: on with the earlier session's, or a new file.
    pub(super) fn store(
        &self,
        directory: &OutputDirectory,
        header: &Header,
    ) -> Result<Store, SessionError> {
        Ok(match &self.stored {
            Some(stored) => Store::reopen(stored)?,
            None => Store::create(directory.path(), header)?,
        })
    }
}

/// Where a run's tests go, numbered on from those of the session that it resumes.
pub(super) fn path_results(
    plan: Option<&CampaignPlan>,
    config: &RunConfig,
    directory: &OutputDirectory,
    words: Vec<Vec<u8>>,
    resumption: Option<&Resumption>,
) -> PathResults {
    let (path, options) = (directory.path(), config.tests.clone());
    if let Some(resumption) = resumption {
        let results = PathResults::reopen(path, options, words, resumption.tests.clone());
        return results.counting_from(&resumption.so_far.tally);
    }
    match plan.and_then(|plan| plan.stored.as_ref()) {
        Some(_) => {
            let last = directory.last_test();
            let tests = EarlierTests {
                last,
                count: last,
                ..EarlierTests::default()
            };
            PathResults::reopen(path, options, words, tests)
        }
        None => PathResults::new(path, options, words),
    }
}

/// What replays tests for `--coverage gcov=EXE`.
pub(super) fn native_coverage(config: &RunConfig) -> Result<Option<GcovReplay>, SessionError> {
    let replay = config.gcov.as_deref().map(GcovReplay::new).transpose();
    replay.map_err(|error| SessionError::Request(format!("{error:#}")))
}
