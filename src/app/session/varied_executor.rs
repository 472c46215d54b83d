//! Executors of varied executions, in which global variables have other addresses.

use homi_ir::program::Program;
use homi_machine::exec::{ExecConfig, Executor};
use homi_solver::term::Terms;
use std::sync::atomic::AtomicBool;

/// Numbers of the variations of further executions. The low bits of an address have few values, so
/// two executions often have the same.
pub(super) const VARIATIONS: [u16; 3] = [77, 30, 34];
/// Executor of varied executions, whose global variables have other addresses; prepared when it is
/// needed.
pub(super) struct VariedExecutor<'t> {
    program: &'t Program,
    terms: &'t Terms,
    configs: &'t VariedConfigs,
    interrupt: &'t AtomicBool,
    /// The executor of the latest variation; `None` within if the variables do not fit.
    prepared: Option<(u16, Option<Executor<'t>>)>,
}

/// Configurations of varied executions, in the order of [`VARIATIONS`].
pub(super) type VariedConfigs = [ExecConfig; VARIATIONS.len()];

impl<'t> VariedExecutor<'t> {
    pub(super) fn new(
        program: &'t Program,
        terms: &'t Terms,
        configs: &'t VariedConfigs,
        interrupt: &'t AtomicBool,
    ) -> Self {
        Self {
            program,
            terms,
            configs,
            interrupt,
            prepared: None,
        }
    }

    pub(super) fn executor(&mut self, variation: u16) -> Option<&Executor<'t>> {
        if self.prepared.as_ref().is_none_or(|one| one.0 != variation) {
            let mut configs = self.configs.iter();
            let config = configs.find(|config| config.variation == variation)?;
            let executor = Executor::new(self.program, self.terms, config, self.interrupt);
            self.prepared = Some((variation, executor.ok()));
        }
        self.prepared.as_ref()?.1.as_ref()
    }
}
