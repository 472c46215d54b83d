//! Profiles: three sets of defaults for omitted options.

/// Whose defaults the options have that are not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Profile {
    /// Best coverage: fuzzing, one weight per code location, batches that count solver work, and
    /// learned pruning if there is time for it
    Homi,
    /// KLEE's search alone: its weights, no fuzzing runs, no pruning
    Klee,
    /// The Homi paper's algorithm as printed (FSE 2020), with KLEE's weights and no fuzzing runs
    Paper,
}

/// A value for each profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByProfile<T> {
    pub homi: T,
    pub klee: T,
    pub paper: T,
}

impl<T> ByProfile<T> {
    /// The value of one of them.
    pub fn of(&self, profile: Profile) -> &T {
        match profile {
            Profile::Homi => &self.homi,
            Profile::Klee => &self.klee,
            Profile::Paper => &self.paper,
        }
    }

    /// Each value made into another.
    pub fn map<R>(&self, change: impl Fn(&T) -> R) -> ByProfile<R> {
        ByProfile {
            homi: change(&self.homi),
            klee: change(&self.klee),
            paper: change(&self.paper),
        }
    }
}
