//! What is looked for beside what always is, and what may fail.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::{boolean, flag, number};
use crate::config::CheckConfig;

/// Why none of these goes with subsumption.
const NO_REASON: &str = "a reason why paths went as they did does not tell of it";

options! {
    /// The options of [`CheckConfig`].
    Checks fills CheckConfig;

    /// Report blocks of the heap that nothing points to when the program ends (.leak.err), with the
    /// stack of their allocation
    ///
    /// A pointer into a block counts, as for LeakSanitizer. Locals stay in memory for it.
    leaks: bool = flag("check-leaks")
        .common("Report lost blocks of the heap")
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Report sums, differences, products and shifts that overflow although the compiler was
    /// promised that they do not: signed ones in C (.overflow.err)
    ///
    /// Nothing has to be compiled for it. A place is reported once on a path, which goes on with
    /// the result that the processor has.
    overflow: bool = flag("check-overflow")
        .common("Report arithmetic that overflows")
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Let up to this many calls of malloc, calloc, realloc and their kin fail on a path, whatever
    /// room there is: each may be any
    malloc_failures: u32 = number("max-malloc-fail", "N")
        .default(0)
        .neutral("0")
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Report divisions by zero, and quotients that do not fit (.div.err, .overflow.err); without
    /// it they have the result that SMT-LIB gives them
    division: bool = boolean("check-div-zero").default(true).heading(Heading::Program);

    /// Report shifts by the width of the number or more (.overshift.err); without it nothing is
    /// left of the number but its sign
    shifts: bool = boolean("check-overshift").default(true).heading(Heading::Program);

    /// End a path without a word, not as a bug, where klee_assume cannot hold
    silent_assume: bool = flag("silent-assume").heading(Heading::Program);
}
