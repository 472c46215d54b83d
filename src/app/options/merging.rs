//! `--use-merge`: paths become one where the program says so.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::flag;
use homi_config::MergeConfig;

/// Values of the options about merging.
pub(super) struct MergeOptions {
    pub(super) marked: bool,
    incomplete: bool,
}

/// Reason why learning and path-by-path reasoning exclude merging.
const CAMPAIGN: &str = "a campaign cannot learn from merged paths";
const CONCOLIC: &str = "an execution follows one input, and a merged path has several";
const SUBSUME: &str = "a merged path has no single interpolant";
const THREADS: &str = "paths that wait for each other belong to one thread";

options! {
    /// The options of [`MergeOptions`].
    Merge fills MergeOptions;

    /// Merge paths between klee_open_merge and klee_close_merge
    ///
    /// Paths that open together wait for each other at the close and continue as one. Values that
    /// differ become if-then-else terms, and the path condition becomes the disjunction of the
    /// paths. Paths whose objects or calls differ stay separate. The session is one run.
    marked: bool = flag("use-merge")
        .excludes(Fact::Campaign, CAMPAIGN)
        .excludes(Fact::Concolic, CONCOLIC)
        .excludes(Fact::Subsume, SUBSUME)
        .excludes(Fact::Threads, THREADS)
        .heading(Heading::Search);

    /// Merge waiting paths when no other path approaches the end of the merge
    incomplete: bool = flag("use-incomplete-merge")
        .needs(Fact::Merge)
        .heading(Heading::Search);
}

impl MergeOptions {
    /// The configuration, if paths are to be merged.
    pub(super) fn into_config(self) -> Option<MergeConfig> {
        let Self { marked, incomplete } = self;
        marked.then_some(MergeConfig {
            incomplete,
            logs: false,
        })
    }
}
