//! `--use-merge` and `--merge auto`: paths become one where the program says so, or where homi
//! finds that they meet.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::{flag, word};
use crate::config::{AutoMerge, MergeConfig};

/// What was said of merging.
pub(super) struct MergeOptions {
    pub(super) marked: bool,
    auto: AutoMerge,
    incomplete: bool,
    logs: bool,
}

/// Why nothing that learns from paths, or reasons about them one by one, merges.
const CAMPAIGN: &str = "a merged path is none that a campaign could learn from";
const CONCOLIC: &str = "an execution follows one input, and a merged path has several";
const SUBSUME: &str = "what a merged path depends on has no single reason";
const THREADS: &str = "paths that wait for each other belong to one thread";

options! {
    /// The options of [`MergeOptions`].
    Merge fills MergeOptions;

    /// Merge the paths between klee_open_merge and klee_close_merge: those that open together wait
    /// at the close for each other and go on as one
    ///
    /// Values that differ become choices, and the path condition says that one of the paths was
    /// taken. Paths whose objects or calls differ stay apart. It is one run.
    marked: bool = flag("use-merge")
        .excludes(Fact::Campaign, CAMPAIGN)
        .excludes(Fact::Concolic, CONCOLIC)
        .excludes(Fact::Subsume, SUBSUME)
        .excludes(Fact::Threads, THREADS)
        .heading(Heading::Search);

    /// Merge paths without being told to: the sides of a fork that meet again within some 300
    /// instructions, and differ in little, go on as one
    ///
    /// Few bytes may differ, no address, and the terms of what differs must be small. It is one
    /// run.
    auto: AutoMerge = word("merge")
        .default(AutoMerge::Off)
        .neutral("off")
        .excludes(Fact::MarkedMerge, "either the program says what is merged, or homi does")
        .excludes(Fact::LazyForks, "a side that nobody has asked for is not waited for")
        .excludes(Fact::Campaign, CAMPAIGN)
        .excludes(Fact::Concolic, CONCOLIC)
        .excludes(Fact::Subsume, SUBSUME)
        .excludes(Fact::Threads, THREADS)
        .heading(Heading::Search);

    /// Merge early: the paths that wait go on when no other is close to the close
    incomplete: bool = flag("use-incomplete-merge")
        .needs(Fact::MarkedMerge)
        .heading(Heading::Search);

    /// Say which paths wait, become one or stay apart, and why
    logs: bool = flag("debug-log-merge")
        .needs(Fact::Merge)
        .heading(Heading::Search);
}

impl MergeOptions {
    /// Whether paths are merged.
    pub(super) fn merges(&self) -> bool {
        self.marked || self.auto == AutoMerge::Auto
    }

    /// The configuration, if paths are to be merged.
    pub(super) fn into_config(self) -> Option<MergeConfig> {
        let merges = self.merges();
        let Self {
            marked: _,
            auto,
            incomplete,
            logs,
        } = self;
        merges.then_some(MergeConfig {
            auto: auto == AutoMerge::Auto,
            incomplete,
            logs,
        })
    }
}
