//! `--property`: what a verification task asks, and what it changes of a run.

use super::declare::{Declared, Single};
use super::fill::options;
use super::requirement::Fact;
use super::row::{Form, Heading};
use super::value::path;
use clap::builder::ValueParser;
use homi_config::{CheckKind, Property, RunConfig};
use std::path::PathBuf;

/// Values of the options on a property.
pub(super) struct PropertyOptions {
    pub(super) property: Option<Property>,
    /// File for the witness of the verdict.
    pub(super) witness: Option<PathBuf>,
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

    /// Write a witness of the verdict to this file
    ///
    /// The file has SV-COMP's format, version 2.0. The witness of FALSE has the inputs of the test
    /// that violates the property. The witness of TRUE has no invariants. UNKNOWN has no witness.
    witness: Option<PathBuf> = path("witness", "FILE")
        .needs(Fact::Property)
        .heading(Heading::Program);
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
        for kind in meaning.checks {
            config.checks.ask_for(*kind);
        }
        config.symbolic.races |= config.checks.has(CheckKind::Race);
        let kinds = meaning.kinds.iter().map(|kind| (*kind).to_string());
        config.budget.exit_on_kinds.extend(kinds);
    }
    if !property.asks_for_tests() && config.budget.stack_size != 0 {
        config.budget.stack_size = config.budget.stack_size.max(LEAST_STACK);
    }
    // A path that takes one value for an undefined one shows nothing of the others.
    if !property.asks_for_tests() && config.subsume.is_none() {
        let symbolic = &mut config.symbolic;
        symbolic.unset_is_any = !symbolic.undefined;
        symbolic.undefined = true;
        config.checks.ask_for(CheckKind::Undef);
    }
    let exports = &mut config.output.exports;
    if property.asks_for_tests() && exports.iter().all(|name| name != SUITE) {
        exports.push(SUITE.to_string());
    }
}
