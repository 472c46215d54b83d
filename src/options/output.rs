//! What the user sees while and after a run, and the limits of the solver.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::{Heading, Scope};
use super::value::{duration, flag, path, size, time_or_work};
use crate::config::{OutputConfig, SolverLimits, Span};
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
        .absent_means("homi-out-N, with the link homi-last")
        .excludes(Fact::Resumed, "it goes on in its own directory")
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Show what the program prints instead of keeping it in the output directory
    show_program_output: bool = flag("show-output").heading(Heading::Output);

    /// Print nothing while running
    quiet: bool = flag("quiet")
        .short('q')
        .scope(Scope::Session)
        .heading(Heading::Output);

    /// Exit with status 3 if bugs were found
    error_exit_code: bool = flag("error-exit-code").heading(Heading::Output);

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
}
