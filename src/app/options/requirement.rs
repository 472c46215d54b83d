//! Requirements and exclusions of options: an option that would have no effect is an error.

use super::declare::has_option;
use super::error::OptionError;
use super::row::Row;
use clap::ArgMatches;
use clap::parser::ValueSource;
use homi_config::CampaignKind;

/// A fact about the command line as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A campaign of short runs.
    Campaign,
    /// States leave by choice, within a campaign or within the one run.
    Pruning,
    /// Learned pruning.
    LearnedPruning,
    /// A resumed campaign.
    Resumed,
    /// A concolic run.
    Concolic,
    /// Several threads explore.
    Threads,
    /// A search was named.
    Search,
    /// Undefined values are followed.
    Undefined,
    /// Executions begin at the program's start.
    ReExecution,
    /// Paths are subsumed.
    Subsume,
    /// Paths are merged.
    Merge,
    /// A run directed to target lines.
    Target,
    /// The program's output is shown.
    ShowsOutput,
    /// A property is verified.
    Property,
}

impl Fact {
    /// Returns the options that make the fact true.
    pub fn remedy(self) -> &'static str {
        match self {
            Fact::Campaign => "--prune homi, --prune random or --restart divide",
            Fact::Pruning => "--prune homi or --prune random",
            Fact::LearnedPruning => "--prune homi",
            Fact::Resumed => "--resume",
            Fact::Concolic => "--concolic",
            Fact::Threads => "--threads",
            Fact::Search => "--search",
            Fact::Undefined => "--checks undef",
            Fact::ReExecution => "--re-execute",
            Fact::Subsume => "--subsume",
            Fact::Merge => "--use-merge",
            Fact::Target => "--target or --changed",
            Fact::ShowsOutput => "--show-output",
            Fact::Property => "--property",
        }
    }
}

/// A fact that an option excludes, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exclusion {
    pub fact: Fact,
    pub why: &'static str,
}

/// The facts about one command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    pub campaign: Option<CampaignKind>,
    /// Pruning within one run, without a campaign.
    pub prunes_one_run: bool,
    pub resumed: bool,
    pub concolic: bool,
    pub threads: bool,
    pub search: bool,
    pub undefined: bool,
    pub re_execution: bool,
    pub subsume: bool,
    pub merge: bool,
    pub target: bool,
    pub shows_output: bool,
    pub property: bool,
    /// True if the profile alone makes it a campaign.
    pub by_profile: bool,
}

impl Facts {
    fn hold(self, fact: Fact) -> bool {
        match fact {
            Fact::Campaign => self.campaign.is_some(),
            Fact::Pruning => {
                self.prunes_one_run
                    || matches!(
                        self.campaign,
                        Some(CampaignKind::Homi | CampaignKind::Random)
                    )
            }
            Fact::LearnedPruning => self.campaign == Some(CampaignKind::Homi),
            Fact::Resumed => self.resumed,
            Fact::Concolic => self.concolic,
            Fact::Threads => self.threads,
            Fact::Search => self.search,
            Fact::Undefined => self.undefined,
            Fact::ReExecution => self.re_execution,
            Fact::Subsume => self.subsume,
            Fact::Merge => self.merge,
            Fact::Target => self.target,
            Fact::ShowsOutput => self.shows_output,
            Fact::Property => self.property,
        }
    }
}

/// Returns the option that made a fact true.
fn cause(fact: Fact, facts: Facts) -> &'static str {
    match fact {
        Fact::Campaign if facts.by_profile => {
            "a campaign (--profile paper is one unless --prune none is given)"
        }
        Fact::Campaign => "--prune, --restart or --resume",
        Fact::Pruning | Fact::LearnedPruning => "--prune",
        Fact::Resumed => "--resume",
        Fact::Concolic => "--concolic",
        Fact::Threads => "--threads",
        Fact::Search => "--search",
        Fact::Undefined => "--checks undef",
        Fact::ReExecution => "--re-execute",
        Fact::Subsume => "--subsume",
        Fact::Merge => "--use-merge",
        Fact::Target => "--target or --changed",
        Fact::ShowsOutput => "--show-output",
        Fact::Property => "--property",
    }
}

/// Refuses the first option of the table that is given and would do nothing, or cannot be.
pub(super) fn refuse(rows: &[Row], typed: &ArgMatches, facts: Facts) -> Result<(), OptionError> {
    for row in rows.iter().filter(|row| says_something(row, typed)) {
        if let Some(need) = row.needs.filter(|need| !facts.hold(*need)) {
            return Err(OptionError(format!(
                "--{}{} needs {}",
                row.long,
                value_shown(row, typed),
                need.remedy()
            )));
        }
        let excluded = row.excludes.iter().find(|with| facts.hold(with.fact));
        if let Some(Exclusion { fact, why }) = excluded {
            return Err(OptionError(format!(
                "--{} cannot be combined with {}: {why}",
                row.long,
                cause(*fact, facts)
            )));
        }
    }
    Ok(())
}

/// True if an option is given, with a value that asks for something.
fn says_something(row: &Row, typed: &ArgMatches) -> bool {
    let is_known = has_option(typed, row.id);
    if !is_known || typed.value_source(row.id) != Some(ValueSource::CommandLine) {
        return false;
    }
    let mut values = typed.get_raw(row.id).into_iter().flatten();
    row.neutral
        .is_none_or(|neutral| !values.all(|value| value == neutral))
}

/// Returns the conflicting value of an option that also has harmless values, for the message.
fn value_shown(row: &Row, typed: &ArgMatches) -> String {
    let value = typed.get_raw(row.id).and_then(|mut values| values.next());
    match value {
        Some(value) if row.neutral.is_some() => format!(" {}", value.to_string_lossy()),
        _ => String::new(),
    }
}
