//! `--stub`: replacements for functions that were not linked.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Form, Heading};
use super::uses::List;
use super::value::flag;
use clap::ValueEnum;
use clap::builder::ValueParser;
use homi_config::{StubConfig, StubSpec};

/// Reason why stubs exclude subsumption.
const NO_REASON: &str = "an interpolant does not cover stubs";

/// Values of the options about stubs.
pub(super) struct StubOptions {
    named: Vec<(String, StubSpec)>,
    missing: bool,
}

options! {
    /// The options of [`StubOptions`].
    Stubs fills StubOptions;

    /// Stub a function that was not linked, instead of ending the path; repeatable
    ///
    /// `any` returns any value and writes any bytes to what its arguments point to. `zero` returns
    /// 0. `errno` returns -1 with errno EINVAL. homi reports each stub call as an
    /// under-approximation, so such a run never ends as exhausted.
    named: Vec<(String, StubSpec)> = stubs("stub")
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Stub each missing function that no --stub names, as --stub NAME=any does
    missing: bool = flag("stub-missing")
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);
}

/// `NAME=any|zero|errno`, one for each use.
fn stubs(long: &'static str) -> List<(String, StubSpec), (String, StubSpec)> {
    let parser = |text: &str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        match StubSpec::from_str(value, false) {
            Ok(value) if !name.is_empty() => Ok((name.to_string(), value)),
            _ => Err("expected NAME=any, NAME=zero or NAME=errno".to_string()),
        }
    };
    let form = Form::List("NAME=any|zero|errno".to_string(), None);
    List::new(long, form, ValueParser::new(parser), |stub| {
        vec![stub.clone()]
    })
}

impl StubOptions {
    /// The configuration.
    pub(super) fn into_config(self) -> StubConfig {
        let Self { named, missing } = self;
        StubConfig {
            named,
            missing: missing.then_some(StubSpec::Any),
        }
    }
}
