//! Options on which tests are written, and which files accompany each.

use super::declare::Declared;
use super::fill::options;
use super::row::Heading;
use super::value::{boolean, flag, on_or_off};
use homi_config::TestConfig;

options! {
    /// The options of [`TestConfig`].
    Tests fills TestConfig;

    /// Write one test per path
    ///
    /// Without it homi writes tests that cover something new or show a new bug.
    all: bool = flag("all-tests")
        .common().heading(Heading::Tests);

    /// Write a test for every path with a bug, also for known bugs
    all_errors: bool = flag("emit-all-errors").heading(Heading::Tests);

    /// Write tests of the states that are open when the run stops
    dump_open: bool = boolean("dump-states-on-halt")
        .default(true)
        .heading(Heading::Tests);

    /// Write each test's path condition as testNNNNNN.kquery
    kquery: bool = flag("write-kqueries").heading(Heading::Tests);

    /// Write each test's path condition as testNNNNNN.smt2
    smt2: bool = flag("write-smt2s").heading(Heading::Tests);

    /// Write the lines that each test covers first as testNNNNNN.cov
    cov: bool = flag("write-cov").heading(Heading::Tests);

    /// Write each test's decisions as testNNNNNN.path
    path: bool = flag("write-paths").heading(Heading::Tests);

    /// Write the sides of each test's symbolic branches as testNNNNNN.sym.path
    ///
    /// One line per symbolic two-way branch: 1 if its condition held, else 0.
    sym_path: bool = flag("write-sym-paths").heading(Heading::Tests);

    /// Prefer printable characters in symbolic arguments of tests
    ///
    /// This takes solver time.
    readable: bool = flag("readable-posix-inputs")
        .heading(Heading::Tests)
        .of_klee();

    /// Predict the outcome of each test and compare it with the native program
    ///
    /// homi compares where the program is an executable that `homi cc` built: beside the
    /// exploration, or after it if a limit is in work or instructions. With off, a later
    /// `homi replay` compares nothing either.
    compare: bool = on_or_off("compare")
        .default(true)
        .heading(Heading::Tests);
}
