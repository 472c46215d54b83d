//! `--concolic`: runs that follow an input, and the strategy that chooses the branch to negate.

use super::declare::{Declared, Single};
use super::error::OptionError;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Form, Heading, Scope};
use super::uses::List;
use super::value::{choice, flag};
use clap::builder::ValueParser;
use homi_config::{ConcolicConfig, GivenObject, InitialInput};
use homi_strategies::concolic::StrategyChoice;
use std::path::PathBuf;

/// Values of the options about concolic testing.
pub(super) struct ConcolicOptions {
    pub(super) concolic: bool,
    strategy: String,
    pub(super) re_execute: bool,
    canonical_inputs: bool,
    initial_input: InitialInput,
    inputs: Vec<(String, PathBuf)>,
}

options! {
    /// The options of [`ConcolicOptions`].
    Concolic fills ConcolicOptions;

    /// Test concolically: run an input to its end, negate a branch, repeat
    ///
    /// `homi concolic` is a shorthand. The session is one run, without pruning and fuzzing unless
    /// you ask for them. `--strategy` replaces `--search`.
    concolic: bool = flag("concolic")
        .excludes(
            Fact::Campaign,
            "it is one run; --prune random --restart none prunes within one",
        )
        .excludes(Fact::Threads, "it follows one path at a time")
        .excludes(Fact::Search, "--strategy chooses what runs next")
        .heading(Heading::Concolic);

    /// Choose the branch to negate next by this strategy
    ///
    /// dfs, bfs, random-branch, random-path, cfg, cgs, generational or param:FILE; some take
    /// parameters after a colon (docs/research/concolic.md).
    strategy: String = strategy("strategy")
        .depends(
            "random-branch; cfg with --target or --changed",
            |situation| {
                let name = if situation.targeted { "cfg" } else { "random-branch" };
                name.to_string()
            },
        )
        .needs(Fact::Concolic)
        .heading(Heading::Concolic);

    /// Start each execution at the program's entry, as native concolic testers do
    ///
    /// Without it an execution continues from the negated branch. homi counts executions that
    /// diverge from their predicted path.
    re_execute: bool = flag("re-execute")
        .needs(Fact::Concolic)
        .heading(Heading::Concolic);

    /// Run the least input of each negated path
    ///
    /// An execution then depends on the path and the branch alone, not on earlier queries.
    /// `--strategy param:FILE` and `homi learn-search` always do so, so that weights have the same
    /// effect in a run as in the trials that learned them. Finding least inputs takes solver time.
    canonical_inputs: bool = flag("canonical-inputs")
        .needs(Fact::Concolic)
        .heading(Heading::Concolic);

    /// Choose the bytes of the first input
    ///
    /// `zeros`, or `random` (set by `--seed`).
    initial_input: InitialInput = choice("initial-input")
        .default(InitialInput::Zeros)
        .needs(Fact::Concolic)
        .heading(Heading::Concolic);

    /// Read the bytes of a symbolic object of the first input from a file; repeatable
    ///
    /// The object is named as in a .ktest file, such as A_data or arg00. The file must be as long
    /// as the object.
    inputs: Vec<(String, PathBuf)> = given("input")
        .needs(Fact::Concolic)
        .scope(Scope::Session)
        .heading(Heading::Concolic);
}

fn strategy(long: &'static str) -> Single<String> {
    let parser = |text: &str| StrategyChoice::parse(text).map(|_| text.to_string());
    let form = Form::Value("NAME".to_string());
    Single::new(long, form, ValueParser::new(parser), String::clone)
}

/// `OBJECT=FILE`, one for each use.
fn given(long: &'static str) -> List<(String, PathBuf), (String, PathBuf)> {
    let parser = |text: &str| match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((name.to_string(), PathBuf::from(file)))
        }
        _ => Err("expected OBJECT=FILE".to_string()),
    };
    let form = Form::List("OBJECT=FILE".to_string(), None);
    List::new(long, form, ValueParser::new(parser), |given| {
        vec![given.clone()]
    })
}

impl ConcolicOptions {
    /// The configuration of a concolic run, with the bytes that were given.
    pub(super) fn into_config(self) -> Result<Option<ConcolicConfig>, OptionError> {
        if !self.concolic {
            return Ok(None);
        }
        let mut given: Vec<GivenObject> = Vec::new();
        for (name, file) in self.inputs {
            if given.iter().any(|object| object.name == name) {
                return Err(OptionError(format!(
                    "--input {name}=...: the object is given twice"
                )));
            }
            let shown = file.display();
            let bytes = std::fs::read(&file)
                .map_err(|error| OptionError(format!("--input {name}={shown}: {error}")))?;
            given.push(GivenObject { name, bytes });
        }
        let canonical_by_strategy = StrategyChoice::parse(&self.strategy)
            .is_ok_and(|strategy| strategy.wants_canonical_inputs());
        Ok(Some(ConcolicConfig {
            strategy: self.strategy,
            re_execute: self.re_execute,
            canonical_inputs: self.canonical_inputs || canonical_by_strategy,
            initial_input: self.initial_input,
            given,
        }))
    }
}
