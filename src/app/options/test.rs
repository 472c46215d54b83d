//! The options of `homi test`: how to compile the program, and the options of `homi run` that make
//! sense for a program that has just been compiled.
//!
//! Invariant: the exploration is what `homi run` does with the same options; only [`USUAL_TIME`] is
//! a separate default, because a test should end.

use super::declare::Declared;
use super::error::OptionError;
use super::fill::options;
use super::line::{RunLine, sort_by};
use super::profile::Profile;
use super::resolve::resolve;
use super::row::{DefaultText, Form, Heading, Row, Scope};
use super::situation::Situation;
use super::table::{Files, augment_with, refer_to_run, rows};
use super::uses::List;
use super::value::{duration, flag, path};
use clap::builder::ValueParser;
use clap::{ArgMatches, Command};
use homi_config::{Budget, NativeConfig, RunConfig};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `homi run` that `homi test` does not have: it never resumes, counts by gcov itself,
/// its exit status always says whether there are bugs, and its report is on the standard output.
const LEFT_OUT: [&str; 4] = ["resume", "coverage", "error-exit-code", "events"];

/// The option that ends the exploration.
const TIME: &str = "max-time";

/// Default of `--max-time`.
const USUAL_TIME: &str = "60s";

/// Values of the options about compiling and replaying.
pub(super) struct TestOptions {
    cflags: Vec<String>,
    ldflags: Vec<String>,
    include: Vec<String>,
    define: Vec<String>,
    library: Vec<String>,
    timeout: Duration,
    keep: bool,
    objects: Option<PathBuf>,
}

options! {
    /// The options of [`TestOptions`].
    Tested fills TestOptions;

    /// Pass these flags to both compilers: --cflags '-std=gnu11 -pthread'
    ///
    /// homi splits the flags as a shell does.
    cflags: Vec<String> = arguments("cflags")
        .common().scope(Scope::Session).heading(Heading::Compile);

    /// Pass these flags to the linker of the native programs: --ldflags '-L lib -lfoo'
    ldflags: Vec<String> = arguments("ldflags")
        .common().scope(Scope::Session).heading(Heading::Compile);

    /// Search this directory for header files; repeatable
    include: Vec<String> = texts("include-dir", "DIR")
        .common()
        .short('I')
        .scope(Scope::Session)
        .heading(Heading::Compile);

    /// Define a macro: NAME or NAME=VALUE; repeatable
    define: Vec<String> = texts("define", "NAME")
        .common()
        .short('D')
        .scope(Scope::Session)
        .heading(Heading::Compile);

    /// Link the native programs with this library; repeatable
    ///
    /// The math and thread libraries are always linked.
    library: Vec<String> = texts("library", "NAME")
        .common()
        .short('l')
        .scope(Scope::Session)
        .heading(Heading::Compile);

    /// Kill a test that runs natively after this time
    timeout: Duration = duration("replay-timeout")
        .common()
        .default(Duration::from_secs(5))
        .scope(Scope::Session)
        .heading(Heading::Compile);

    /// Keep the tests in tests/homi, as `homi keep` does
    keep: bool = flag("keep")
        .common()
        .scope(Scope::Session)
        .heading(Heading::Compile);

    /// Take compiled sources from this directory, as the functions of a sweep do
    objects: Option<PathBuf> = path("build-objects", "DIR")
        .hidden()
        .scope(Scope::Session)
        .heading(Heading::Compile);
}

/// Declares an option of which each value holds several arguments.
fn arguments(long: &'static str) -> List<Vec<String>, String> {
    List::new(
        long,
        Form::Arguments,
        ValueParser::new(shell_arguments),
        Vec::clone,
    )
}

/// Returns the arguments in a text, split as a shell does without expansions.
///
/// # Errors
/// An open quote, or a backslash at the end.
pub fn shell_arguments(text: &str) -> Result<Vec<String>, &'static str> {
    shlex::split(text).ok_or("a quote is not closed, or nothing follows its last backslash")
}

/// Texts, one for each use.
fn texts(long: &'static str, name: &str) -> List<String, String> {
    let form = Form::List(name.to_string(), None);
    List::new(long, form, ValueParser::string(), |text| vec![text.clone()])
}

/// The options of `homi test`.
pub fn test_rows() -> Vec<Row> {
    let of_run = rows()
        .into_iter()
        .filter(|row| !LEFT_OUT.contains(&row.long));
    let mut all = Tested::rows();
    all.extend(of_run);
    for row in &mut all {
        if row.long == TIME {
            row.default = DefaultText::Always(USUAL_TIME.to_string());
        }
    }
    all
}

/// Name and help of the files that `homi test` takes.
const FILES: Files = Files {
    name: "FILE",
    help: "C sources of one program, an executable built by `homi cc`, or bitcode (not replayed)",
    long_help: None,
};

/// Options that `homi test` and `homi compare` take and their help does not list.
const OTHERS: &str = "This command takes all options of `homi run` except --resume, --coverage, \
    --error-exit-code and --events;";

/// Adds what `homi test` takes to a command; `statuses` says what its exit statuses mean.
pub fn augment_test(command: Command, statuses: &str) -> Command {
    let command = refer_to_run(augment_with(command, test_rows(), FILES)).after_help(format!(
        "{statuses}\n\n{OTHERS} `homi run --help` lists them, and `--tuning help` lists the \
         constants."
    ));
    // The table says it in the help.
    command.mut_arg(TIME, |time| {
        time.default_value(USUAL_TIME).hide_default_value(true)
    })
}

/// Sorts the arguments of `homi test`: only the arguments after `--` are the program's.
pub fn sort_test(mut arguments: Vec<OsString>) -> Result<RunLine, OptionError> {
    if !arguments.iter().any(|argument| argument == "--") {
        arguments.push("--".into());
    }
    sort_by(arguments, &test_rows())
}

/// Returns how to compile and how to explore. The files of the run are the given ones, sources or
/// not.
pub fn resolve_test(typed: &ArgMatches) -> Result<(NativeConfig, RunConfig), OptionError> {
    let situation = Situation {
        profile: Profile::Homi,
        total: Budget::Time(Duration::ZERO),
        wants_paths: false,
        concolic: false,
        targeted: false,
        earlier: None,
    };
    let options = Tested::resolve(typed, &situation, None);
    let prefixed = |prefix: &str, arguments: Vec<String>| {
        arguments
            .into_iter()
            .map(move |argument| format!("{prefix}{argument}"))
            .collect::<Vec<_>>()
    };
    let mut run = resolve(typed, None)?;
    run.pins_boundaries = options.keep;
    let native = NativeConfig {
        checks: run.checks,
        compile: [
            options.cflags,
            prefixed("-I", options.include),
            prefixed("-D", options.define),
        ]
        .concat(),
        link: [options.ldflags, prefixed("-l", options.library)].concat(),
        timeout: options.timeout,
        keep: options.keep,
        objects: options.objects,
    };
    Ok((native, run))
}
