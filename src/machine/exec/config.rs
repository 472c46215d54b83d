//! Limits and choices of execution: the options of the run, and parameters that only execution has.
//!
//! Invariant: options about execution are the structs of `config`, as they are, so a new check or
//! limit needs no copy. The executor keeps the fields that its loops read separately.

use super::side_answers::SideAnswers;
use crate::memory;
use crate::state::ForkRule;
use homi_config::{
    BudgetConfig, CheckConfig, ConcolicConfig, Dialect, Forks, Goal, MergeConfig, Property,
    RunConfig, SeedSizes, StubConfig, SubsumeConfig, SymbolicConfig,
};
use std::sync::Arc;

/// Limits and choices of execution.
#[derive(Clone, Debug)]
pub struct ExecConfig {
    /// Symbolic values and forks.
    pub symbolic: SymbolicConfig,
    /// Optional checks. The program must be read for some of them.
    pub checks: CheckConfig,
    /// Stubs of functions that were not linked.
    pub stubs: StubConfig,
    /// Limits of a path: forks, nested calls, stack, shares of one place.
    pub budget: BudgetConfig,
    /// Configuration of merging; `None` without it.
    pub merge: Option<MergeConfig>,
    /// Configuration of subsumption; `None` without it.
    pub subsume: Option<SubsumeConfig>,
    /// Property to verify, if any.
    pub property: Option<Property>,
    /// Loops are proven by invariants where that succeeds.
    pub generalizes_loops: bool,
    /// Configuration of a concolic run.
    pub concolic: Option<ConcolicConfig>,
    /// Seed of the random bytes of a first input.
    pub random_seed: u64,
    /// Treatment of tests whose objects differ in size from the program's.
    pub seed_sizes: SeedSizes,
    /// Differences to KLEE.
    pub dialect: Dialect,
    /// Wishes for readable inputs are heeded.
    pub readable_inputs: bool,
    /// The sides of the program's own two-way branches are kept in order.
    pub keeps_sides: bool,
    /// The sides that paths must take.
    pub given_sides: Option<Arc<[bool]>>,
    /// Largest object in bytes that an allocation may ask for; more gives a null pointer.
    pub max_object_size: u64,
    /// Objects that one symbolic address forks over; where they are more, and the addresses known
    /// one by one, one access chooses between them.
    pub max_pointer_forks: u32,
    /// Positions that one access with a symbolic address may touch in an object before the address
    /// is made concrete.
    pub max_symbolic_span: u64,
    /// Positions that one access with a symbolic address may touch where the cost does not grow
    /// with each of them: reads of concrete bytes, and writes.
    pub max_table_span: u64,
    /// Values that a symbolic size or count may fork over before it is made concrete.
    pub max_value_forks: u32,
    /// Execution of concrete instructions.
    pub speed: Speed,
    /// Variation of the addresses of global variables; 0: none.
    pub variation: u16,
    /// Results of the queries about branch sides.
    pub side_answers: SideAnswers,
}

/// The ways to execute concrete instructions. All mean the same; tests compare them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Speed {
    /// Decoded operations where a frame has no terms, else instructions with a look at each
    /// operand.
    #[default]
    Decoded,
    /// Instructions with a look at each operand.
    Checked,
    /// The general way for each instruction.
    General,
}

impl ExecConfig {
    /// Returns the configuration for the paths of a run.
    pub fn of(run: &RunConfig) -> Self {
        Self {
            symbolic: run.symbolic.clone(),
            checks: run.checks,
            stubs: run.stubs.clone(),
            budget: run.budget.clone(),
            merge: run.merge,
            subsume: run.subsume,
            property: run.property.clone(),
            generalizes_loops: run.generalizes_loops(),
            concolic: run.concolic.clone(),
            random_seed: run.search.seed,
            seed_sizes: run.seeds.sizes,
            dialect: run.dialect,
            readable_inputs: run.tests.readable,
            keeps_sides: run.dialect.writes_sides_as_path() && run.tests.path,
            ..Self::default()
        }
    }

    /// Paths take these sides, if some are given. Only the general way looks at each branch.
    pub fn with_sides(mut self, given: Option<Arc<[bool]>>) -> Self {
        self.given_sides = given;
        if self.records_sides() {
            self.speed = Speed::General;
        }
        self
    }

    /// True if loops that never end violate the property.
    pub fn finds_endless(&self) -> bool {
        let property = self.property.as_ref();
        property.is_some_and(|property| property.has(Goal::Termination))
    }

    /// Returns true if the sides of two-way branches are recorded.
    pub fn records_sides(&self) -> bool {
        self.keeps_sides || self.given_sides.is_some()
    }

    /// Returns the rule for the sides that a path does not take, by default.
    pub fn fork_rule(&self) -> ForkRule {
        ForkRule {
            enabled: true,
            lazy: self.symbolic.forks == Forks::Lazy,
            only_executions_cover: self.concolic.is_some(),
        }
    }
}

impl Default for ExecConfig {
    fn default() -> Self {
        Self {
            symbolic: SymbolicConfig::BASIC,
            checks: CheckConfig::BASIC,
            stubs: StubConfig::NONE,
            budget: BudgetConfig {
                stack_size: 8 << 20,
                ..BudgetConfig::UNLIMITED
            },
            merge: None,
            subsume: None,
            property: None,
            generalizes_loops: false,
            concolic: None,
            random_seed: 0,
            seed_sizes: SeedSizes::Resize,
            dialect: Dialect::homi(),
            readable_inputs: false,
            keeps_sides: false,
            given_sides: None,
            max_object_size: memory::MAX_OBJECT_SIZE,
            max_pointer_forks: 16,
            max_symbolic_span: 4096,
            max_table_span: 1 << 21,
            max_value_forks: 256,
            speed: Speed::default(),
            variation: 0,
            side_answers: SideAnswers::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_that_are_given_are_followed_the_general_way() {
        let given: Arc<[bool]> = Arc::from([true, false]);
        let config = ExecConfig::default().with_sides(Some(given));
        assert!(config.records_sides() && config.speed == Speed::General);
        assert_eq!(ExecConfig::default().with_sides(None).speed, Speed::Decoded);
    }
}
