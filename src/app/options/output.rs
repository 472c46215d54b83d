//! What the user sees while and after a run, and the limits of the solver.

use super::declare::Declared;
use super::exports::ExportParser;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Form, Heading, Scope};
use super::uses::List;
use super::value::{duration, flag, path, size, time_or_work};
use crate::config::{OutputConfig, SolverLimits, Span};
use crate::output::export::{ExporterRow, Occasion};
use clap::builder::ValueParser;
use std::path::PathBuf;
use std::time::Duration;

options! {
    /// The options of [`SolverLimits`].
    Solver fills SolverLimits;

    /// Time for one SMT question; counted in the solver's own units unless --max-time is a time, so
    /// that equal seeds give equal runs. 5000000w is that much counted work whatever --max-time is
    time: Span = time_or_work("max-solver-time")
        .default(Span::Time(Duration::from_secs(1)))
        .heading(Heading::Solver);

    /// Memory of one solver process
    memory: u64 = size("max-solver-memory")
        .default(1 << 30)
        .heading(Heading::Solver);
}

options! {
    /// The options of [`OutputConfig`].
    Output fills OutputConfig;

    /// Where to write; must not exist
    directory: Option<PathBuf> = path("output-dir", "DIR")
        .common("Where to write; must not exist")
        .absent_means("homi-out-N, with the link homi-last")
        .excludes(Fact::Resumed, "it goes on in its own directory")
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Show what the program prints instead of keeping it in the output directory
    show_program_output: bool = flag("show-output")
        .common("Show what the program prints").heading(Heading::Output);

    /// Print nothing while running
    quiet: bool = flag("quiet")
        .common("Print nothing while running")
        .short('q')
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Exit with status 3 if bugs were found
    error_exit_code: bool = flag("error-exit-code")
        .common("Exit with status 3 if bugs were found").heading(Heading::Output);

    /// How often figures are added to run.stats, which `homi stats` reads; 0: at the start and the
    /// end only
    stats_interval: Duration = duration("stats-write-interval")
        .default(Duration::from_secs(1))
        .heading(Heading::Output);

    /// Write what the program under test costs: run.istats (callgrind's format, for kcachegrind)
    /// and flame graphs
    ///
    /// Instructions, forks, questions and microseconds in the solver, by source line and function
    /// with calls.
    profile: bool = flag("write-profile").heading(Heading::Output);

    /// Also write tests and bugs in these formats, several with commas between them: sarif, junit,
    /// ctest, afl, test-comp
    ///
    /// Each is a file in the output directory; the guide's page on exports says what is in it.
    exports: Vec<String> = exports("export")
        .common("Write the results in this format, too")
        .scope(Scope::Session)
        .listing_words()
        .heading(Heading::Output);

    /// Write what happens as lines of JSON to the standard output; progress stays on the standard
    /// error
    events: bool = flag("events")
        .scope(Scope::Session)
        .excludes(Fact::ShowsOutput, "both write to the standard output")
        .heading(Heading::Output);
}

/// Names of exporters of a run, several with commas between them.
fn exports(long: &'static str) -> List<&'static ExporterRow, String> {
    let form = Form::List("FORMAT".to_string(), Some(','));
    let parser = ValueParser::new(ExportParser(Occasion::Run));
    List::new(long, form, parser, |row| vec![row.name.to_string()])
}
