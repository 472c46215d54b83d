//! The outcome of a run.

use super::lengths::PathLengths;
use super::limits::ModelLimit;
use super::paths::PathResults;
use super::pruning::PruneEvent;
use super::sampling::Sample;
use super::stop::StopReason;
use crate::coverage::Totals;
use crate::extensions::ExtensionStatistics;
use crate::sources::SourceStatistics;
use homi_machine::exec::{Observer, Underapproximations};
use std::collections::BTreeSet;
use std::time::Duration;

/// Result of a run, or of all runs of a session together.
pub struct Outcome {
    pub reason: StopReason,
    pub results: PathResults,
    pub totals: Totals,
    pub instructions: u64,
    /// Units of work (docs/research/work.md).
    pub work: u64,
    pub states_peak: u64,
    pub memory_peak: u64,
    pub wall: Duration,
    /// User and system time of all processes, in seconds.
    pub cpu_seconds: f64,
    /// Counts of what the run executed and covered.
    pub observer: Observer,
    /// Losses of the run since it began or resumed.
    pub underapproximations: Underapproximations,
    /// Model limitations that the run met.
    pub limits: BTreeSet<ModelLimit>,
    pub extras: Extras,
}

/// Results that only some runs have.
#[derive(Default)]
pub struct Extras {
    /// A look at a single run once a second.
    pub samples: Vec<Sample>,
    /// When states left a single run.
    pub prune_events: Vec<PruneEvent>,
    /// Statistics of the sources of states.
    pub sources: SourceStatistics,
    /// Growth of a concolic run: ended paths and branches when branches grew, and at its end.
    pub growth: Vec<(u64, u64)>,
    /// Lengths of a concolic run's paths, in instructions.
    pub lengths: PathLengths,
    /// Statistics of the extensions.
    pub extensions: ExtensionStatistics,
}

impl Outcome {
    /// Adds what another thread of the run did. Coverage, the peak of states and the reason are the
    /// group of threads's to tell.
    pub fn add(&mut self, other: &Outcome) {
        self.results.tally.add(&other.results.tally);
        self.underapproximations.add(&other.underapproximations);
        self.limits.extend(&other.limits);
        self.instructions += other.instructions;
        self.work += other.work;
        self.memory_peak = self.memory_peak.max(other.memory_peak);
        self.wall = self.wall.max(other.wall);
        self.cpu_seconds = self.cpu_seconds.max(other.cpu_seconds);
    }
}
