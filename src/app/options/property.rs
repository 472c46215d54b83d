//! `--property`: what a verification task asks, and what it changes of a run.

use super::declare::{Declared, Single};
use super::fill::options;
use super::row::{Form, Heading};
use crate::config::{Check, Property, RunConfig};
use clap::builder::ValueParser;

/// Value of the option `--property`.
pub(super) struct PropertyOptions {
    pub(super) property: Option<Property>,
}

options! {
    /// The options of [`PropertyOptions`].
    Asked fills PropertyOptions;

    /// Verify a property of SV-COMP or Test-Comp
    ///
    /// A property file, or a name: unreach-call, no-overflow, valid-memsafety, valid-memcleanup,
    /// termination, no-data-race, coverage-branches, coverage-error-call. homi turns on the checks
    /// that the property needs. The run ends with the verdict TRUE, FALSE or UNKNOWN and the
    /// reason. TRUE requires that all paths were explored and nothing was dropped. For coverage
    /// homi also writes a Test-Comp suite.
    property: Option<Property> = property("property").heading(Heading::Program);
}

fn property(long: &'static str) -> Single<Property> {
    let form = Form::Value("FILE".to_string());
    let parser = |argument: &str| Property::named(argument);
    Single::new(long, form, ValueParser::new(parser), |property| {
        property.name.clone()
    })
}

/// Bytes of stack that a run for a verdict has at least: the rules know no limit of the stack.
const LEAST_STACK: u64 = 1 << 30;

/// The exporter of test suites.
const SUITE: &str = "test-comp";

/// Turns on what a property needs.
pub(super) fn apply(property: &Property, config: &mut RunConfig) {
    for meaning in property.goals.iter().map(|goal| goal.meaning()) {
        match meaning.check {
            Some(Check::Overflow) => config.checks.overflow = true,
            Some(Check::Leaks) => config.checks.leaks = true,
            Some(Check::Races) => config.symbolic.races = true,
            None => {}
        }
        let kinds = meaning.kinds.iter().map(|kind| (*kind).to_string());
        config.budget.exit_on_kinds.extend(kinds);
    }
    if !property.asks_for_tests() && config.budget.stack_size != 0 {
        config.budget.stack_size = config.budget.stack_size.max(LEAST_STACK);
    }
    // A path that takes one value for an undefined one shows nothing of the others.
    if !property.asks_for_tests() && config.subsume.is_none() {
        config.symbolic.undefined = true;
    }
    let exports = &mut config.output.exports;
    if property.asks_for_tests() && exports.iter().all(|name| name != SUITE) {
        exports.push(SUITE.to_string());
    }
}
