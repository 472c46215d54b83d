//! Optional checks, and allocations that may fail.

use super::declare::Declared;
use super::fill::options;
use super::requirement::Fact;
use super::row::Heading;
use super::value::{boolean, flag, number};
use crate::config::CheckConfig;

/// Reason why these checks exclude subsumption.
const NO_REASON: &str = "an interpolant does not cover it";

options! {
    /// The options of [`CheckConfig`].
    Checks fills CheckConfig;

    /// Report heap blocks that nothing points to when the program ends
    ///
    /// Kind of error: leak, with the stack of the allocation. A pointer into a block counts, as for
    /// LeakSanitizer. Locals of all calls stay in memory for it.
    leaks: bool = flag("check-leaks")
        .common()
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Report sums, differences, products and shifts that overflow
    ///
    /// Kind of error: overflow. Checked are operations that the compiler was promised not to
    /// overflow: signed ones in C. The program needs no special build. A location is reported once
    /// per path, which continues with the processor's result.
    overflow: bool = flag("check-overflow")
        .common()
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Let up to N calls of the malloc family fail on a path
    ///
    /// malloc, calloc, realloc, and functions that allocate through them. Any of the calls may
    /// fail, whatever memory is left.
    malloc_failures: u32 = number("max-malloc-fail", "N")
        .default(0)
        .neutral("0")
        .excludes(Fact::Subsume, NO_REASON)
        .heading(Heading::Program);

    /// Report divisions by zero and quotients that do not fit
    ///
    /// Kinds of error: div, overflow. Without the check they have the result of SMT-LIB.
    division: bool = boolean("check-div-zero").default(true).heading(Heading::Program);

    /// Report shifts by the width of the operand or more
    ///
    /// Kind of error: overshift. Without the check the result is zero, or the sign in all bits.
    shifts: bool = boolean("check-overshift").default(true).heading(Heading::Program);

    /// End a path without a bug report if klee_assume cannot hold
    silent_assume: bool = flag("silent-assume").heading(Heading::Program);
}
