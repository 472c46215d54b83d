//! Differences between homi's behavior and KLEE's.
//!
//! Invariant: this file has both values of every difference. Other code asks for one difference by
//! its name, never for the dialect.

/// Declares the differences, a row each: name, type, value of homi, value of KLEE.
macro_rules! differences {
    ($(
        $(#[doc = $text:literal])+
        $name:ident: $type:ty, homi $homi:expr, klee $klee:expr;
    )*) => {
        /// Behavior, messages and files of a run, with a value for each difference.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Dialect {
            $($name: $type,)*
        }

        impl Dialect {
            /// Returns the behavior of homi's commands.
            pub const fn homi() -> Self {
                Self { $($name: $homi,)* }
            }

            /// Returns the behavior that scripts and programs written for KLEE expect.
            pub const fn klee() -> Self {
                Self { $($name: $klee,)* }
            }

            $(
                $(#[doc = $text])+
                #[inline]
                pub const fn $name(&self) -> $type {
                    self.$name
                }
            )*
        }
    };
}

differences! {
    // Instructions and built-in functions.

    /// A division whose quotient does not fit is a bug. KLEE checks the divisor alone.
    checks_quotients: bool, homi true, klee false;

    /// A state takes the first possible target of a switch in KLEE's order, cases from the last to
    /// the first and then the default, and not the one that its model takes.
    takes_last_case_first: bool, homi false, klee true;

    /// A call of a function without a definition is a bug of the program (KLEE's external error).
    missing_function_is_bug: bool, homi false, klee true;

    /// A report of a sanitizer's handler ends the path. Else a sibling ends, and the path
    /// continues.
    sanitizer_ends_path: bool, homi false, klee true;

    /// Freeing a block by another family of functions than allocated it (`malloc`, `new`, `new[]`)
    /// is a bug. KLEE does not check it.
    checks_allocation_families: bool, homi true, klee false;

    /// Allocations of more than 10 MB are warned of.
    warns_of_large_allocations: bool, homi false, klee true;

    /// Every symbolic object with an empty name is warned of, not the first alone.
    warns_of_each_empty_name: bool, homi false, klee true;

    /// The warning about merges that the options do not ask for.
    ignored_merge_warning: &'static str,
        homi "klee_open_merge and klee_close_merge are ignored: paths are merged with --use-merge",
        klee "klee_open_merge ignored, use '-use-merge'";

    /// Every close of a merge that was not opened is warned of, not the first alone.
    warns_of_each_unopened_merge: bool, homi false, klee true;

    /// The log of merges goes to the program's standard error.
    logs_merges_to_program: bool, homi false, klee true;

    /// The outcome of each test is predicted, for comparisons with the native program.
    predicts_outcomes: bool, homi true, klee false;

    // The program and its inputs.

    /// An entry other than `main` is called by a harness that makes its parameters symbolic. KLEE
    /// calls it as it calls `main`.
    calls_entry_by_harness: bool, homi true, klee false;

    /// The program's standard output has no buffer, so that paths that end in a bug have printed.
    unbuffers_output: bool, homi false, klee true;

    /// Source files have their full paths.
    names_files_in_full: bool, homi false, klee true;

    /// Instructions before `main` do not count. KLEE has none.
    counts_from_main: bool, homi false, klee true;

    /// A program that nothing is symbolic for gets inputs of several layouts.
    tries_input_layouts: bool, homi true, klee false;

    /// A run fails if its program refused the arguments that describe its input. For KLEE that is
    /// an error of the program.
    fails_on_misused_arguments: bool, homi true, klee false;

    /// An object whose name no object of the seed has gets the next unused one of its size.
    matches_seeds_by_size: bool, homi false, klee true;

    // Tests and their additional files.

    /// Every path becomes a test, but of those with an error the first of each error. With
    /// --only-output-states-covering-new paths without an error must cover something new.
    tests_each_path: bool, homi false, klee true;

    /// Errors and early ends have KLEE's kinds, texts and locations (`outcome::klee`).
    renames_endings: bool, homi false, klee true;

    /// A test whose path was ended by a bug or a limit has its path condition as `.kquery`.
    writes_conditions_of_errors: bool, homi false, klee true;

    /// `.path` files have the side of each two-way branch, not each decision of the path.
    writes_sides_as_path: bool, homi false, klee true;

    /// The run itself writes `info`. The front end of KLEE writes KLEE's.
    writes_info: bool, homi true, klee false;

    // Messages.

    /// Name at the beginning of each message line.
    speaker: &'static str, homi "homi", klee "KLEE";

    /// The beginning of the names of output directories.
    directory_stem: &'static str, homi "homi", klee "klee";

    /// Messages name the output directory in quotes and by its absolute path.
    quotes_directory: bool, homi false, klee true;

    /// Prefix of a warning that is given once for each cause.
    once_warning: &'static str, homi "WARNING", klee "WARNING ONCE";

    /// A run reports details of its work.
    reports_details: bool, homi true, klee false;

    /// A message about a bug names the test that shows it. KLEE reports instead that it will ignore
    /// this error from then on.
    names_tests_of_bugs: bool, homi true, klee false;

    /// A run with --emit-all-errors reports each path with a bug, also if the bug is known.
    reports_repeated_bugs: bool, homi false, klee true;

    /// A path that ends for the depth of its stack is warned of.
    warns_of_deep_stacks: bool, homi false, klee true;

    /// Messages about undefined functions have KLEE's form, without the file that refers to them.
    reports_undefined_references: bool, homi false, klee true;
}
