//! One row of the table: everything about an option except its parsed value.
//!
//! Invariant: parser, help, manual page, completions, `--resume`, refusals and the reference page
//! read the same row.

use super::profile::ByProfile;
use super::requirement::{Exclusion, Fact};
use clap::builder::ValueParser;

/// Headings that group options in help, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Heading {
    /// Options of `homi test`.
    Compile,
    Profile,
    Budget,
    Search,
    Concolic,
    /// Options of `homi learn-search`.
    LearnSearch,
    Seeds,
    Pruning,
    Program,
    Tests,
    Solver,
    Output,
}

impl Heading {
    /// Headings of `homi run`, in order.
    pub const ALL: [Heading; 10] = [
        Heading::Profile,
        Heading::Budget,
        Heading::Search,
        Heading::Concolic,
        Heading::Seeds,
        Heading::Pruning,
        Heading::Program,
        Heading::Tests,
        Heading::Solver,
        Heading::Output,
    ];

    /// Returns the text of the heading.
    pub fn title(self) -> &'static str {
        match self {
            Heading::Compile => "Build and replay",
            Heading::Profile => "Profile",
            Heading::Budget => "Limits",
            Heading::Search => "Search",
            Heading::Concolic => "Concolic testing",
            Heading::LearnSearch => "Learning weights",
            Heading::Seeds => "Seeds",
            Heading::Pruning => "Pruning (Homi, FSE 2020)",
            Heading::Program => "Program and environment",
            Heading::Tests => "Tests",
            Heading::Solver => "Solver",
            Heading::Output => "Output",
        }
    }
}

/// Form of an option on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// `--name`.
    Flag,
    /// `--name VALUE`.
    Value(String),
    /// `--name VALUE`, repeatable; with a delimiter one value may be several.
    List(String, Option<char>),
    /// `--name 'FLAG...'`, repeatable; the first flag may begin with a dash.
    Arguments,
    /// `--name` or `--name=true|false`.
    Switch,
    /// `--name` or `--name=VALUE`; the name of the value, and the value if none is given.
    Optional(String, &'static str),
}

/// The runs or sessions that a value applies to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// A run. A session that resumes a campaign has it from the first session if it is not given
    /// again.
    Run,
    /// A campaign of short runs; a session that resumes it has it from there.
    Campaign,
    /// One session: where it writes, what it shows. Not kept for `--resume`.
    Session,
}

/// Part of a value that is a path. A session that is resumed from another directory must find it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paths {
    None,
    /// The whole value is a path.
    Whole,
    /// The path follows this prefix.
    After(&'static str),
}

/// Default of an option, as the user would type it or as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DefaultText {
    /// Off, or without a value.
    Absent,
    Always(String),
    ByProfile(ByProfile<String>),
    /// The default depends on other options.
    Text(&'static str),
}

/// Prefix of the names of constants: the user types `--tuning NAME=VALUE`, which clap gets as one
/// argument.
pub const CONSTANT: &str = "tuning ";

/// One option of `homi run`.
#[derive(Clone)]
pub struct Row {
    /// The name after `--`.
    pub long: &'static str,
    /// The name of the option among clap's matches; the long name unless a command has two options
    /// of that name.
    pub(super) id: &'static str,
    /// The letter after `-`.
    pub short: Option<char>,
    /// Help text in Markdown; the short help shows its first paragraph.
    pub text: &'static str,
    pub heading: Heading,
    pub form: Form,
    pub scope: Scope,
    pub paths: Paths,
    /// Fact without which the option has no effect; homi then refuses the option.
    pub needs: Option<Fact>,
    /// Facts that exclude the option.
    pub excludes: Vec<Exclusion>,
    /// Group of options that replace one another: if the line of a resumed campaign gives one of
    /// them, `--resume` keeps none of the others.
    pub group: Option<&'static str>,
    /// The value that counts as giving nothing.
    pub neutral: Option<&'static str>,
    pub default: DefaultText,
    /// True if the short help lists the option.
    pub common: bool,
    pub hidden: bool,
    /// True if only `homi klee` sets the option.
    pub(super) of_klee: bool,
    /// True if help lists the values that it takes, with what they mean.
    pub lists_values: bool,
    pub(super) parser: ValueParser,
}

impl Row {
    /// A row with nothing special about it.
    pub(super) fn new(long: &'static str, form: Form, parser: ValueParser) -> Self {
        Self {
            long,
            id: long,
            short: None,
            text: "",
            heading: Heading::Budget,
            form,
            scope: Scope::Run,
            paths: Paths::None,
            needs: None,
            excludes: Vec::new(),
            group: None,
            neutral: None,
            default: DefaultText::Absent,
            common: false,
            hidden: long.starts_with(CONSTANT),
            of_klee: false,
            lists_values: false,
            parser,
        }
    }

    /// The spellings: `--long`, and `-s` if there is one.
    pub fn spellings(&self) -> impl Iterator<Item = String> {
        let long = format!("--{}", self.long);
        std::iter::once(long).chain(self.short.map(|short| format!("-{short}")))
    }

    /// True if the next argument is its value.
    pub fn takes_next_argument(&self) -> bool {
        matches!(self.form, Form::Value(_) | Form::List(..) | Form::Arguments)
    }

    /// The name of the constant that it is.
    pub fn constant(&self) -> Option<&'static str> {
        self.long.strip_prefix(CONSTANT)
    }

    /// The paragraphs of the text, each on one line.
    pub fn paragraphs(&self) -> Vec<String> {
        self.text
            .split("\n\n")
            .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|paragraph| !paragraph.is_empty())
            .collect()
    }

    /// The values that it takes, with what they mean, if help lists them.
    pub fn listed_values(&self) -> Vec<(String, String)> {
        let values = self.parser.possible_values().filter(|_| self.lists_values);
        let values = values.into_iter().flatten();
        values
            .filter(|value| !value.is_hide_set())
            .map(|value| {
                let meaning = value.get_help().map(ToString::to_string);
                (value.get_name().to_string(), meaning.unwrap_or_default())
            })
            .collect()
    }

    /// Every value that it takes, other spellings among them; none where any value will do.
    pub fn all_values(&self) -> Vec<String> {
        let values = self.parser.possible_values().into_iter().flatten();
        let names = values.flat_map(|value| {
            let names = value.get_name_and_aliases();
            names.map(str::to_string).collect::<Vec<_>>()
        });
        names.collect()
    }

    /// The default as help shows it, if there is one to show.
    pub fn default_text(&self) -> Option<String> {
        match &self.default {
            DefaultText::Absent => None,
            DefaultText::Always(value) => Some(value.clone()),
            DefaultText::Text(text) => Some((*text).to_string()),
            DefaultText::ByProfile(value) => Some(by_profile(value)),
        }
    }
}

/// `5000; 0 with --profile klee or paper`.
fn by_profile(value: &ByProfile<String>) -> String {
    let ByProfile { homi, klee, paper } = value;
    match (klee == homi, paper == homi, klee == paper) {
        (true, true, _) => homi.clone(),
        (_, _, true) => format!("{homi}; {klee} with --profile klee or paper"),
        (true, ..) => format!("{homi}; {paper} with --profile paper"),
        (_, true, _) => format!("{homi}; {klee} with --profile klee"),
        _ => format!("{homi}; {klee} with --profile klee, {paper} with --profile paper"),
    }
}
