//! Options on output during and after a run, and limits of the solver.

use super::declare::Declared;
use super::exports::ExportParser;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Form, Heading, Scope};
use super::uses::List;
use super::value::{duration, flag, path, size, time_or_work};
use clap::builder::ValueParser;
use homi_config::{Budget, OutputConfig, SolverLimits};
use homi_output::export::{ExporterRow, Occasion};
use std::path::PathBuf;
use std::time::Duration;

options! {
    /// The options of [`SolverLimits`].
    Solver fills SolverLimits;

    /// Limit the time of one SMT query
    ///
    /// Unless `--max-time` is a time, the limit counts the solver's resource units, so that equal
    /// seeds give equal runs. 5000000w is a limit in work for every kind of run.
    time: Budget = time_or_work("max-solver-time")
        .default(Budget::Time(Duration::from_secs(1)))
        .heading(Heading::Solver);

    /// Limit the memory of one solver process
    memory: u64 = size("max-solver-memory")
        .default(1 << 30)
        .heading(Heading::Solver);
}

options! {
    /// The options of [`OutputConfig`].
    Output fills OutputConfig;

    /// Write to this directory, which must not exist
    directory: Option<PathBuf> = path("output-dir", "DIR")
        .common()
        .absent_means("homi-out-N, with the link homi-last")
        .excludes(Fact::Resumed, "a resumed run stays in its directory")
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Show what the program prints instead of saving it in the output directory
    show_program_output: bool = flag("show-output")
        .common().heading(Heading::Output);

    /// Print nothing while running
    quiet: bool = flag("quiet")
        .common()
        .short('q')
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Exit with status 3 if bugs were found, else 4 if a test diverges
    error_exit_code: bool = flag("error-exit-code")
        .common().heading(Heading::Output);

    /// Add figures to run.stats at this interval
    ///
    /// `homi stats` reads them. 0 writes them at the start and the end only.
    stats_interval: Duration = duration("stats-write-interval")
        .default(Duration::from_secs(1))
        .heading(Heading::Output);

    /// Write a profile of the program under test
    ///
    /// run.istats is in callgrind's format, for kcachegrind; flame graphs are SVG files. Both have
    /// instructions, forks, queries and microseconds in the solver, by source line, and by function
    /// with calls.
    profile: bool = flag("write-callgrind").heading(Heading::Output);

    /// Write tests and bugs in these formats, separated by commas
    ///
    /// Each format is a file in the output directory.
    exports: Vec<String> = exports("export")
        .common()
        .scope(Scope::Session)
        .listing_values()
        .heading(Heading::Output);

    /// Write events as JSON lines to the standard output
    ///
    /// Progress stays on the standard error.
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
