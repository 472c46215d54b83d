//! `--subsume`: paths that can only do what followed ones have done are not followed.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::flag;

/// What was said of subsumption.
pub(super) struct SubsumeOptions {
    pub(super) subsume: bool,
}

options! {
    /// The options of [`SubsumeOptions`].
    Subsume fills SubsumeOptions;

    /// Do not follow paths of which it is proven that they can only do what followed ones have
    /// done: no bug and no branch is lost by it
    ///
    /// The reason why all paths below a point went as they did spares later paths through it. It
    /// is one run without probes. The guide's page on subsumption says when it pays.
    subsume: bool = flag("subsume")
        .excludes(Fact::Campaign, "the tree of paths belongs to one run")
        .excludes(Fact::Threads, "the tree of paths belongs to one thread")
        .excludes(Fact::Undefined, "undefined values are not followed a second time")
        .excludes(Fact::ReExecution, "a path that begins at the start again is no successor")
        .heading(Heading::Search);
}
