//! `--use-merge`: paths become one where the program says so.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::flag;
use crate::config::MergeConfig;

/// What was said of merging.
pub(super) struct MergeOptions {
    pub(super) merges: bool,
    incomplete: bool,
    logs: bool,
}

options! {
    /// The options of [`MergeOptions`].
    Merge fills MergeOptions;

    /// Merge the paths between klee_open_merge and klee_close_merge: those that open together wait
    /// at the close for each other and go on as one
    ///
    /// Values that differ become choices, and the path condition says that one of the paths was
    /// taken. Paths whose objects or calls differ stay apart. It is one run.
    merges: bool = flag("use-merge")
        .excludes(Fact::Campaign, "a merged path is none that a campaign could learn from")
        .excludes(Fact::Concolic, "an execution follows one input, and a merged path has several")
        .excludes(Fact::Subsume, "what a merged path depends on has no single reason")
        .excludes(Fact::Threads, "paths that wait for each other belong to one thread")
        .heading(Heading::Search);

    /// Merge early: the paths that wait go on when no other is close to the close
    incomplete: bool = flag("use-incomplete-merge")
        .needs(Fact::Merge)
        .heading(Heading::Search);

    /// Say which paths wait, become one or stay apart, and why
    logs: bool = flag("debug-log-merge")
        .needs(Fact::Merge)
        .heading(Heading::Search);
}

impl MergeOptions {
    /// The configuration, if paths are to be merged.
    pub(super) fn into_config(self) -> Option<MergeConfig> {
        let Self {
            merges,
            incomplete,
            logs,
        } = self;
        merges.then_some(MergeConfig { incomplete, logs })
    }
}
