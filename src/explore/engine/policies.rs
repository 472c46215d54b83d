//! Policies of a run: sources of states, searcher, pruner, test selector, listeners of tests.
//!
//! Invariant: a policy belongs to one thread of one run. A maker serves several.

use crate::extensions::ExtensionMaker;
use crate::prune::{Pruner, pruner_of};
use crate::search::{Searcher, StateId};
use crate::select::{MadeTest, TestListener, TestSelector, selector_of};
use crate::sources::fuzz::Input;
use crate::sources::{SourceStart, StateSource, sources_of};
use homi_config::RunConfig;
use homi_machine::state::State;
use std::sync::Arc;

/// Makes a policy for one thread of one run, whose options (the seed of its random choices among
/// them) it is given.
pub type Maker<T> = Arc<dyn Fn(&RunConfig) -> Box<T> + Send + Sync>;

/// Makes a source of states for one run, if the run is to have it.
pub type SourceMaker = Arc<dyn Fn(&SourceStart<'_>) -> Option<Box<dyn StateSource>> + Send + Sync>;

/// A number of a state.
pub type StateNumber = Arc<dyn Fn(&State) -> f64 + Send + Sync>;

/// Policies of the caller, each in place of the options' policy. They are created for each run of a
/// campaign and for each thread.
#[derive(Clone, Default)]
pub struct PolicyMakers {
    /// Chooses the state that runs next. It sees the numbers that the heuristics named in the
    /// options look at, and `number`.
    pub searcher: Option<Maker<dyn Searcher>>,
    /// Gives searchers a further number of each state, as `Metrics::own`. It is asked whenever a
    /// state has run, so it must be cheap.
    pub number: Option<StateNumber>,
    /// Prunes states during a run; in a campaign, during its runs with pruning.
    pub pruner: Option<Maker<dyn Pruner>>,
    /// Chooses the paths that become tests. In a campaign only tests that show something new become
    /// files.
    pub selector: Option<Maker<dyn TestSelector>>,
    /// Further sources of states, asked after the usual ones. In a campaign each new run has them.
    pub sources: Vec<SourceMaker>,
    /// Extensions of the loop, asked after the usual ones.
    pub extensions: Vec<ExtensionMaker>,
}

impl PolicyMakers {
    /// Returns the selector of one thread of a run: the caller's, else the options'.
    pub fn selector(&self, config: &RunConfig) -> Box<dyn TestSelector> {
        match &self.selector {
            Some(make) => make(config),
            None => selector_of(&config.tests, &config.dialect),
        }
    }

    /// The sources of states that the options ask for, and the caller's.
    pub fn sources(&self, start: &SourceStart<'_>) -> Vec<Box<dyn StateSource>> {
        let mut sources = sources_of(start);
        sources.extend(self.sources_of_caller(start));
        sources
    }

    /// The caller's sources of states.
    pub fn sources_of_caller(&self, start: &SourceStart<'_>) -> Vec<Box<dyn StateSource>> {
        self.sources.iter().filter_map(|make| make(start)).collect()
    }

    /// The caller's searcher, if there is one.
    pub fn searcher(&self, config: &RunConfig) -> Option<Box<dyn Searcher>> {
        self.searcher.as_ref().map(|make| make(config))
    }

    /// The caller's pruner, if there is one.
    pub fn pruner(&self, config: &RunConfig) -> Option<Box<dyn Pruner>> {
        self.pruner.as_ref().map(|make| make(config))
    }
}

/// The policies of one run, or of one thread of it.
pub struct Policies<'r> {
    /// Searcher in place of the one of the options.
    pub searcher: Option<Box<dyn Searcher>>,
    /// A further number for searchers, if they are to see one.
    pub number: Option<StateNumber>,
    /// Pruner during the run.
    pub pruner: Option<Box<dyn Pruner + 'r>>,
    /// Sources of states, asked in this order.
    pub sources: Vec<Box<dyn StateSource + 'r>>,
    pub selector: Box<dyn TestSelector + 'r>,
    pub listeners: Listeners<'r>,
    /// The caller's extensions; each run has its own.
    pub extensions: Vec<ExtensionMaker>,
}

impl Policies<'_> {
    /// Returns the policies of the options and the caller; without sources of states, as for a
    /// thread that gets its states from others.
    pub fn of(config: &RunConfig, own: &PolicyMakers) -> Self {
        Self {
            searcher: own.searcher(config),
            number: own.number.clone(),
            // The starter of a run has checked that the pruner exists.
            pruner: own
                .pruner(config)
                .or_else(|| pruner_of(config).ok().flatten()),
            sources: Vec::new(),
            selector: own.selector(config),
            listeners: Listeners::default(),
            extensions: own.extensions.clone(),
        }
    }
}

impl Policies<'_> {
    /// Returns the number of states that the sources have swapped out.
    pub(super) fn waiting(&self) -> u64 {
        self.sources.iter().map(|root| root.waiting()).sum()
    }

    /// Returns true if states can be swapped out when memory is short.
    pub(super) fn brings_back(&self) -> bool {
        self.sources.iter().any(|root| root.brings_back())
    }

    /// Returns true if no state may move to another thread.
    pub(super) fn holds_some(&self) -> bool {
        self.sources.iter().any(|root| root.holds_some())
    }

    /// Returns true if a source holds a state.
    pub(super) fn holds(&self, id: StateId) -> bool {
        self.sources.iter().any(|root| root.holds(id))
    }

    /// Passes an input that is worth mutating to the sources.
    pub(super) fn note_input(&mut self, input: &Input, is_seed: bool) {
        for root in &mut self.sources {
            root.note_input(input, is_seed);
        }
    }
}

/// The listeners of a run, which hear of every test that it makes.
#[derive(Default)]
pub struct Listeners<'r>(pub Vec<Box<dyn TestListener + 'r>>);

impl TestListener for Listeners<'_> {
    fn needs_bytes(&self) -> bool {
        self.0.iter().any(|listener| listener.needs_bytes())
    }

    fn made(&mut self, test: &MadeTest<'_>) {
        for listener in &mut self.0 {
            listener.made(test);
        }
    }
}

/// Listeners of a run's tests, among them its pruner.
pub(super) struct AllListeners<'h, 'r> {
    pub(super) listeners: &'h mut Listeners<'r>,
    pub(super) pruner: Option<&'h mut (dyn Pruner + 'r)>,
}

impl TestListener for AllListeners<'_, '_> {
    fn needs_bytes(&self) -> bool {
        self.listeners.needs_bytes()
    }

    fn made(&mut self, test: &MadeTest<'_>) {
        self.listeners.made(test);
        if let Some(pruner) = &mut self.pruner {
            pruner.test_made(test);
        }
    }
}
