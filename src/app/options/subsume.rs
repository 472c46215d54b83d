//! `--subsume`: paths that can only do what followed ones have done are not followed.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::{choice, flag};
use homi_config::{Greedy, InterpolantForm, SubsumeConfig};

/// Values of the options about subsumption.
pub(super) struct SubsumeOptions {
    pub(super) subsume: bool,
    form: InterpolantForm,
    greedy: Greedy,
}

options! {
    /// The options of [`SubsumeOptions`].
    Subsume fills SubsumeOptions;

    /// Skip paths that provably repeat what earlier paths did
    ///
    /// No bug and no branch is lost. homi computes an interpolant at each point whose paths were
    /// all followed; a later state that satisfies the interpolant is subsumed. The session is one
    /// run without fuzzing, unless `--prune` or `--restart` is given: then each run computes its
    /// interpolants. docs/research/subsumption.md says when it pays.
    subsume: bool = flag("subsume")
        .excludes(Fact::Threads, "the tree of paths belongs to one thread")
        .excludes(Fact::Undefined, "re-executed subpaths do not track undefined values")
        .excludes(Fact::ReExecution, "an execution from the program's entry is not a successor of \
             the fork")
        .heading(Heading::Search);

    /// Choose the form of interpolants
    ///
    /// `wp` is the weakest precondition on the values at a point. `core` keeps the values that
    /// matter there with the path's constraints on them.
    form: InterpolantForm = choice("interpolant")
        .default(InterpolantForm::Wp)
        .needs(Fact::Subsume)
        .heading(Heading::Search);

    /// Explore the other side of a fork at once when one side is fully explored
    ///
    /// Each point of the program is explored at most once, so that the fork can subsume others.
    greedy: Greedy = choice("tuning greedy-confirmation")
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
