//! `--checks`, and library functions that may fail.

use super::check_choice::CheckChoice;
use super::declare::Declared;
use super::error::OptionError;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Form, Heading};
use super::uses::List;
use super::value::{boolean, flag, number};
use clap::builder::EnumValueParser;
use homi_config::{CheckConfig, CheckKind, KindSet};

/// Reason why some checks exclude subsumption.
const NO_REASON: &str = "an interpolant does not cover it";

/// Values of the options about checks.
pub(super) struct CheckOptions {
    chosen: Vec<CheckChoice>,
    malloc_failures: u32,
    divisions: bool,
    shifts: bool,
    silent_assume: bool,
}

options! {
    /// The options of [`CheckOptions`].
    Checks fills CheckOptions;

    /// Report these kinds of faults, too: --checks leak,undef
    ///
    /// `no-KIND` removes a kind. homi checks some kinds itself. The compiler checks others: `homi
    /// test` compiles them into the bitcode, `homi cc` keeps `-fsanitize=KIND` for it. After a
    /// report the path continues where the program can. docs/guide/checks.md has the messages.
    chosen: Vec<CheckChoice> = choices("checks")
        .common().heading(Heading::Program).listing_values();

    /// Let up to N calls of the malloc family fail on a path
    ///
    /// malloc, calloc, realloc, and functions that allocate through them. Any of the calls
    /// may fail, whatever memory is left.
    malloc_failures: u32 = number("max-malloc-fail", "N")
        .default(0)
        .neutral("0")
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Report divisions by zero and quotients that do not fit
    divisions: bool = boolean("check-div-zero")
        .default(true)
        .heading(Heading::Program)
        .of_klee();

    /// Report shifts by the width of the operand or more
    shifts: bool = boolean("check-overshift")
        .default(true)
        .heading(Heading::Program)
        .of_klee();

    /// End a path without a bug report if klee_assume cannot hold
    silent_assume: bool = flag("silent-assume").heading(Heading::Program);
}

/// Declares an option with kinds of checks, separated by commas.
fn choices(long: &'static str) -> List<CheckChoice, CheckChoice> {
    let form = Form::List("KIND,...".to_string(), Some(','));
    let parser = EnumValueParser::<CheckChoice>::new();
    List::new(long, form, parser.into(), |choice| vec![*choice])
}

impl CheckOptions {
    /// Returns the configuration: the values of `--checks` apply from left to right.
    pub(super) fn into_config(self) -> CheckConfig {
        let basic = CheckConfig::BASIC;
        let klees = [
            (CheckKind::IntegerDivideByZero, self.divisions),
            (CheckKind::Shift, self.shifts),
        ];
        let removed = klees.iter().filter(|(_, is_on)| !is_on);
        let removed = removed.fold(KindSet::NONE, |set, (kind, _)| set.with(*kind));
        let start = CheckConfig {
            on: basic.on.without(removed),
            malloc_failures: self.malloc_failures,
            silent_assume: self.silent_assume,
            ..basic
        };
        self.chosen.iter().fold(start, |checks, choice| {
            let apply = |set: KindSet| {
                if choice.adds {
                    set.union(choice.kinds)
                } else {
                    set.without(choice.kinds)
                }
            };
            CheckConfig {
                on: apply(checks.on),
                named: apply(checks.named),
                ..checks
            }
        })
    }
}

/// Refuses checks that a run with subsumption cannot have.
pub(super) fn refuse_with_subsumption(checks: &CheckConfig) -> Result<(), OptionError> {
    match checks.on.rows().find(|row| !row.subsumes) {
        Some(row) => Err(OptionError(format!(
            "--checks {} cannot be combined with --subsume: {NO_REASON}",
            row.name
        ))),
        None => Ok(()),
    }
}
