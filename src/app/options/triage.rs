//! Options on the bugs that make a command fail.

use super::declare::Declared;
use super::fill::options;
use super::row::{Heading, Scope};
use super::value::{choice, flag, path};
use homi_config::{FailOn, IgnoreRule, TriageConfig};
use std::path::PathBuf;

options! {
    /// The options of [`TriageConfig`].
    Triage fills TriageConfig with { ignores: Vec<IgnoreRule> };

    /// Compare the bugs with the list in this file
    ///
    /// Only bugs that it does not list make the command fail, unless `--fail-on` says more. The
    /// list knows a bug by its fingerprint, which stays the same while lines move and files are
    /// renamed.
    baseline: Option<PathBuf> = path("baseline", "FILE")
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Write the bugs of this run to the file of `--baseline`
    write_baseline: bool = flag("write-baseline")
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Fail on these bugs only
    fail_on: Option<FailOn> = choice("fail-on")
        .absent_means("new with --baseline, else any")
        .listing_values()
        .scope(Scope::Session)
        .heading(Heading::Output);
}
