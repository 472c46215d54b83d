//! Names of the C library whose uses within the library reach a program's definition.
//!
//! Invariant: glibc has dynamic relocations for the names (`readelf -r libc.so.6`). glibc
//! binds its other calls of its own functions when it is linked.

/// Prefix of the runtime's functions and variables that the program defines as well; a built-in
/// function is found without it.
pub(crate) use homi_ir::program::OWN;

/// Functions.
const FUNCTIONS: [&str; 11] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "malloc_usable_size",
    "cfree",
];

/// Variables.
const VARIABLES: [&str; 34] = [
    "__daylight",
    "__environ",
    "__progname",
    "__progname_full",
    "__timezone",
    "__tzname",
    "_environ",
    "argp_err_exit_status",
    "argp_program_bug_address",
    "argp_program_version",
    "argp_program_version_hook",
    "daylight",
    "environ",
    "error_message_count",
    "error_one_per_line",
    "error_print_progname",
    "getdate_err",
    "obstack_alloc_failed_handler",
    "obstack_exit_failure",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "re_syntax_options",
    "rpl_re_syntax_options",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "svc_fdset",
    "timezone",
    "tzname",
];

/// Beginnings of names of C++'s runtime, all of which is bound when the program is loaded.
const OF_CXX: [&str; 4] = ["_Z", "__cxa_", "_Unwind_", "__gxx_"];

/// True for a name whose uses within the C library reach a program's definition.
pub(super) fn is_interposed(name: &str) -> bool {
    FUNCTIONS.contains(&name)
        || VARIABLES.contains(&name)
        || OF_CXX.iter().any(|start| name.starts_with(start))
}
