//! `--target`, `--changed`: lines that a run is to reach.

use super::declare::{Declared, Single};
use super::fill::options;
use super::requirement::Fact;
use super::row::{Form, Heading};
use super::uses::List;
use super::value::switch;
use clap::builder::ValueParser;
use homi_config::{TargetConfig, TargetLine};

/// Values of the options about target lines.
pub(super) struct TargetOptions {
    lines: Vec<TargetLine>,
    changed_since: Option<String>,
    stop: bool,
}

options! {
    /// The options of [`TargetOptions`].
    Target fills TargetOptions;

    /// Direct the search to this source line; repeatable
    ///
    /// Unless `--search` is given, the searchers are md2u,cpicnt, and md2u measures the distance to
    /// the target lines alone. The run stops when it has reached all of them, and reports the
    /// blocking branch of each line that it did not reach.
    lines: Vec<TargetLine> = target_lines("target")
        .common()
        .heading(Heading::Search);

    /// Direct the search to the lines that `git diff` shows as new or changed
    ///
    /// The diff is against the last commit, or against REVISION.
    changed_since: Option<String> = revision("changed")
        .common()
        .heading(Heading::Search);

    /// Stop when every line of --target and --changed is reached
    stop: bool = switch("stop-at-targets")
        .default(true)
        .needs(Fact::Target)
        .heading(Heading::Search);
}

fn target_lines(long: &'static str) -> List<TargetLine, TargetLine> {
    let parser = |text: &str| {
        let parts = text.rsplit_once(':');
        let parts = parts.and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
        match parts {
            Some((file, line)) if line > 0 && !file.is_empty() => Ok(TargetLine {
                file: file.into(),
                line,
            }),
            _ => Err("expected FILE:LINE, such as src/parse.c:120".to_string()),
        }
    };
    let form = Form::List("FILE:LINE".to_string(), None);
    List::new(long, form, ValueParser::new(parser), |line| {
        vec![line.clone()]
    })
}

/// The revision that is used if none is given.
pub(super) const LAST_COMMIT: &str = "HEAD";

fn revision(long: &'static str) -> Single<String> {
    let form = Form::Optional("REVISION".to_string(), LAST_COMMIT);
    Single::new(long, form, ValueParser::string(), String::clone)
}

impl TargetOptions {
    /// Returns `None` if no line was named.
    pub(super) fn into_config(self) -> Option<TargetConfig> {
        let TargetOptions {
            lines,
            changed_since,
            stop,
        } = self;
        let named = lines.len();
        (named > 0 || changed_since.is_some()).then_some(TargetConfig {
            lines,
            named,
            changed_since,
            stop,
        })
    }
}
