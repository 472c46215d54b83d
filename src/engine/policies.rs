//! What decides within a run, apart from the search: which paths become tests, and who hears of
//! them.

use crate::config::RunConfig;
use crate::prune::Pruner;
use crate::select::{MadeTest, TestListener, TestSelector, selector_of};

/// The policies of one run, or of one thread of it.
pub struct Policies<'r> {
    /// Present if states are to leave in the midst of the run.
    pub pruner: Option<Box<dyn Pruner + 'r>>,
    pub selector: Box<dyn TestSelector + 'r>,
    pub listeners: Listeners<'r>,
}

impl Policies<'_> {
    /// What the options ask for.
    pub fn of(config: &RunConfig) -> Self {
        Self {
            pruner: None,
            selector: selector_of(&config.tests),
            listeners: Listeners::default(),
        }
    }
}

/// Those that hear of every test of a run.
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
