//! `--subsume`: paths that can only do what followed ones have done are not followed.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::{flag, word};
use crate::config::{Greedy, InterpolantForm, SubsumeConfig};

/// What was said of subsumption.
pub(super) struct SubsumeOptions {
    pub(super) subsume: bool,
    form: InterpolantForm,
    greedy: Greedy,
}

options! {
    /// The options of [`SubsumeOptions`].
    Subsume fills SubsumeOptions;

    /// Do not follow paths of which it is proven that they can only do what followed ones have
    /// done: no bug and no branch is lost by it
    ///
    /// The reason why all paths below a point went as they did spares later paths through it. It
    /// is one run without probes, unless --prune or --restart ask for more: then each run has
    /// reasons of its own. The guide's page on subsumption says when it pays.
    subsume: bool = flag("subsume")
        .excludes(Fact::Threads, "the tree of paths belongs to one thread")
        .excludes(Fact::Undefined, "undefined values are not followed a second time")
        .excludes(Fact::ReExecution, "a path that begins at the start again is no successor")
        .heading(Heading::Search);

    /// The form of the reasons: wp (the weakest condition on the values at a point), or core (the
    /// values that matter there, with the path's constraints on them)
    form: InterpolantForm = word("interpolant")
        .default(InterpolantForm::Wp)
        .needs(Fact::Subsume)
        .heading(Heading::Search);

    /// When all below one side of a fork was followed, explore the other side at once, each point
    /// of the program once at most, so that the fork can spare others
    greedy: Greedy = word("tuning greedy-confirmation")
        .default(Greedy::On)
        .needs(Fact::Subsume)
        .heading(Heading::Search);
}

impl SubsumeOptions {
    /// The configuration, if paths are to be subsumed.
    pub(super) fn into_config(self) -> Option<SubsumeConfig> {
        let Self {
            subsume,
            form,
            greedy,
        } = self;
        subsume.then_some(SubsumeConfig { greedy, form })
    }
}
