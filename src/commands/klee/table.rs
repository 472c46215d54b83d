//! KLEE's options and their effects in homi.
//!
//! Invariant: every option of KLEE is listed once; all others are unknown.

use super::option::Becomes::{Already, Code, Flag, Nothing, Option};
use super::option::Setting;
use super::option::Value::{Bool, Choice, Choices, Many, Number, One};
use super::option::{Becomes, KleeOption, Value};

const SOLVER_CHAIN: &str = "homi has a fixed solver stack: its own layers, a SAT solver and Z3";
const CACHES: &str = "homi has its own caches and simplifications, which are always on";
const ALLOCATOR: &str = "addresses in homi are always the same in each run";
const EXTERNAL: &str = "homi makes no external calls: libc runs as bitcode on a modeled kernel, \
                        and a call of an undefined function ends the path with an error";
const LINKED: &str = "homi links libc and the modeled kernel if the program needs them";
const LOWERED: &str = "homi lowers the bitcode with its own passes, which keep every branch";
const CLOCKS: &str = "homi checks its clock between batches of instructions";
const PRINTED: &str = "homi prints constraints in one format only";
const QUERIES: &str = "homi logs queries with homi run --write-queries";
const MEMORY: &str = "above the limit homi swaps states out, or drops some of them";
const STATISTICS: &str = "homi writes statistics at one interval, --stats-write-interval";
const MEASURED: &str = "homi always computes the metrics of its searches";
const TREE: &str = "homi writes no exec_tree.db";
const POINTERS: &str = "homi forks for each object that a pointer can refer to";
const TESTING: &str = "the option tests KLEE itself";
const COLOUR: &str = "homi prints KLEE's lines without colors";

const SEARCHES: &[&str] = &[
    "dfs",
    "bfs",
    "random-state",
    "random-path",
    "nurs:covnew",
    "nurs:md2u",
    "nurs:depth",
    "nurs:rp",
    "nurs:icnt",
    "nurs:cpicnt",
    "nurs:qc",
];

/// Kinds of errors that `--exit-on-error-type` accepts.
const ERRORS: &[&str] = &[
    "Abort",
    "Assert",
    "BadVectorAccess",
    "Free",
    "Model",
    "Overflow",
    "Ptr",
    "ReadOnly",
    "ReportError",
    "InvalidBuiltin",
    "ImplicitTruncation",
    "ImplicitConversion",
    "UnreachableCall",
    "MissingReturn",
    "InvalidLoad",
    "NullableAttribute",
    "User",
    "Exec",
    "External",
];

const fn row(
    name: &'static str,
    value: Value,
    default: &'static str,
    becomes: Becomes,
) -> KleeOption {
    KleeOption {
        name,
        value,
        default,
        becomes,
    }
}

const SEARCH: &[KleeOption] = &[
    row(
        "search",
        Choices(SEARCHES),
        "random-path and nurs:covnew interleaved",
        Code(Setting::Search),
    ),
    row(
        "use-batching-search",
        Bool,
        "false",
        Code(Setting::UseBatching),
    ),
    row(
        "batch-instructions",
        Number,
        "10000",
        Code(Setting::BatchInstructions),
    ),
    row("batch-time", One, "5s", Code(Setting::BatchTime)),
    row(
        "use-iterative-deepening-time-search",
        Bool,
        "false",
        Code(Setting::SameFlag),
    ),
    row(
        "uncovered-update-interval",
        One,
        "30s",
        Option("tuning uncovered-update-interval"),
    ),
    row("rng-initial-seed", Number, "5489", Option("seed")),
    row("use-merge", Bool, "false", Flag("use-merge")),
    row("use-incomplete-merge", Bool, "false", Code(Setting::Merge)),
    row("debug-log-merge", Bool, "false", Code(Setting::Merge)),
    row(
        "debug-log-incomplete-merge",
        Bool,
        "false",
        Code(Setting::Merge),
    ),
    row("debug-log-state-merge", Bool, "false", Nothing(TESTING)),
];

const LIMITS: &[KleeOption] = &[
    row("max-time", One, "0", Option("max-time")),
    row("watchdog", Bool, "false", Nothing(CLOCKS)),
    row(
        "max-instructions",
        Number,
        "0",
        Code(Setting::MaxInstructions),
    ),
    row("max-forks", Number, "-1", Code(Setting::MaxForks)),
    row("max-depth", Number, "0", Option("max-depth")),
    row("max-tests", Number, "0", Option("max-tests")),
    row(
        "max-stack-frames",
        Number,
        "8192",
        Option("max-stack-frames"),
    ),
    row(
        "max-memory",
        Number,
        "2000",
        Code(Setting::AllocationsInMemory),
    ),
    row("max-memory-inhibit", Bool, "true", Nothing(MEMORY)),
    row(
        "max-static-fork-pct",
        One,
        "1.0",
        Option("max-static-fork-pct"),
    ),
    row(
        "max-static-solve-pct",
        One,
        "1.0",
        Option("max-static-solve-pct"),
    ),
    row(
        "max-static-cpfork-pct",
        One,
        "1.0",
        Option("max-static-cpfork-pct"),
    ),
    row(
        "max-static-cpsolve-pct",
        One,
        "1.0",
        Option("max-static-cpsolve-pct"),
    ),
    row(
        "max-static-pct-check-delay",
        Number,
        "1000",
        Option("max-static-pct-check-delay"),
    ),
    row("exit-on-error", Bool, "false", Flag("exit-on-error")),
    row(
        "exit-on-error-type",
        Choices(ERRORS),
        "",
        Code(Setting::ExitOnErrorType),
    ),
    row("timer-interval", One, "1s", Nothing(CLOCKS)),
    row("max-instruction-time", One, "0", Nothing(CLOCKS)),
];

const SOLVER: &[KleeOption] = &[
    row("solver-backend", One, "stp", Nothing(SOLVER_CHAIN)),
    row(
        "stp-sat-solver",
        One,
        "cryptominisat",
        Nothing(SOLVER_CHAIN),
    ),
    row("metasmt-backend", One, "stp", Nothing(SOLVER_CHAIN)),
    row("max-solver-time", One, "0", Option("max-solver-time")),
    row("use-forked-solver", Bool, "true", Nothing(SOLVER_CHAIN)),
    row("solver-optimize-divides", Bool, "false", Nothing(CACHES)),
    row("equality-substitution", Bool, "true", Nothing(CACHES)),
    row("rewrite-equalities", Bool, "true", Nothing(CACHES)),
    row("simplify-sym-indices", Bool, "false", Nothing(CACHES)),
    row("optimize-array", One, "", Nothing(CACHES)),
    row("array-value-ratio", One, "1.0", Nothing(CACHES)),
    row("array-value-symb-ratio", One, "1.0", Nothing(CACHES)),
    row("max-sym-array-size", Number, "0", Nothing(POINTERS)),
    row("use-constant-arrays", Bool, "true", Nothing(CACHES)),
    row("const-array-opt", Bool, "false", Nothing(CACHES)),
    row("use-query-log", Many, "", Option("use-query-log")),
    row(
        "min-query-time-to-log",
        One,
        "0",
        Option("min-query-time-to-log"),
    ),
    row(
        "log-timed-out-queries",
        Bool,
        "true",
        Already("homi logs timed-out queries like others"),
    ),
    row(
        "log-partial-queries-early",
        Bool,
        "false",
        Nothing("homi logs a query with its answer"),
    ),
    row(
        "compress-query-log",
        Bool,
        "false",
        Nothing("homi does not compress logs"),
    ),
    row("ignore-stp-failures", Bool, "false", Nothing(SOLVER_CHAIN)),
    row(
        "ignore-solver-failures",
        Bool,
        "false",
        Nothing(SOLVER_CHAIN),
    ),
    row("debug-validate-solver", Bool, "false", Flag("self-check")),
    row(
        "debug-crosscheck-core-solver",
        One,
        "",
        Nothing(SOLVER_CHAIN),
    ),
    row(
        "debug-assignment-validating-solver",
        Bool,
        "false",
        Flag("self-check"),
    ),
    row("debug-dump-stp-queries", Bool, "false", Nothing(QUERIES)),
    row("debug-z3-dump-queries", One, "", Nothing(QUERIES)),
    row("debug-z3-log-api-interaction", One, "", Nothing(QUERIES)),
    row(
        "debug-z3-validate-models",
        Bool,
        "false",
        Nothing(SOLVER_CHAIN),
    ),
    row("debug-z3-verbosity", Number, "0", Nothing(QUERIES)),
    row("debug-stp-dump-queries", Bool, "false", Nothing(QUERIES)),
    row("use-branch-cache", Bool, "true", Nothing(CACHES)),
    row("use-cex-cache", Bool, "true", Nothing(CACHES)),
    row("cex-cache-try-all", Bool, "false", Nothing(CACHES)),
    row("cex-cache-superset", Bool, "false", Nothing(CACHES)),
    row("cex-cache-exp", Bool, "false", Nothing(CACHES)),
    row("use-independent-solver", Bool, "true", Nothing(CACHES)),
    row("use-fast-cex-solver", Bool, "false", Nothing(CACHES)),
    row("use-construct-hash-stp", Bool, "true", Nothing(CACHES)),
    row("use-construct-hash-z3", Bool, "true", Nothing(CACHES)),
    row("use-construct-hash-metasmt", Bool, "true", Nothing(CACHES)),
    row("use-visitor-hash", Bool, "true", Nothing(CACHES)),
    row(
        "use-assignment-validating-solver",
        Bool,
        "false",
        Flag("self-check"),
    ),
];

const MEMORY_OPTIONS: &[KleeOption] = &[
    row("kdalloc", Bool, "true", Nothing(ALLOCATOR)),
    row("kdalloc-globals-size", Number, "10", Nothing(ALLOCATOR)),
    row("kdalloc-constants-size", Number, "10", Nothing(ALLOCATOR)),
    row("kdalloc-heap-size", Number, "1024", Nothing(ALLOCATOR)),
    row("kdalloc-stack-size", Number, "128", Nothing(ALLOCATOR)),
    row("kdalloc-globals-start-address", One, "", Nothing(ALLOCATOR)),
    row(
        "kdalloc-constants-start-address",
        One,
        "",
        Nothing(ALLOCATOR),
    ),
    row("kdalloc-heap-start-address", One, "", Nothing(ALLOCATOR)),
    row("kdalloc-stack-start-address", One, "", Nothing(ALLOCATOR)),
    row("kdalloc-quarantine", Number, "8", Nothing(ALLOCATOR)),
    row("kdalloc-mark-as-unneeded", Bool, "true", Nothing(ALLOCATOR)),
    row(
        "kdalloc-external-page-threshold",
        Number,
        "1024",
        Nothing(ALLOCATOR),
    ),
    row("allocate-determ", Bool, "false", Nothing(ALLOCATOR)),
    row("allocate-determ-size", Number, "100", Nothing(ALLOCATOR)),
    row("allocate-determ-start-address", One, "", Nothing(ALLOCATOR)),
    row(
        "return-null-on-zero-malloc",
        Bool,
        "false",
        Nothing("malloc(0) behaves as in glibc"),
    ),
    row("single-object-resolution", Bool, "false", Nothing(POINTERS)),
    row(
        "external-calls",
        Choice(&["none", "concrete", "all", "over-approx"]),
        "concrete",
        Nothing(EXTERNAL),
    ),
    row(
        "external-call-warnings",
        Choice(&["none", "once-per-function", "all"]),
        "once-per-function",
        Nothing(EXTERNAL),
    ),
    row(
        "warn-all-external-symbols",
        Bool,
        "false",
        Nothing(EXTERNAL),
    ),
    row(
        "suppress-external-warnings",
        Bool,
        "false",
        Nothing(EXTERNAL),
    ),
    row("all-external-warnings", Bool, "false", Nothing(EXTERNAL)),
    row("allow-external-sym-calls", Bool, "false", Nothing(EXTERNAL)),
];

const PROGRAM: &[KleeOption] = &[
    row("posix-runtime", Bool, "false", Already(LINKED)),
    row(
        "libc",
        Choice(&["none", "klee", "uclibc"]),
        "none",
        Already(LINKED),
    ),
    row(
        "libcxx",
        Bool,
        "false",
        Nothing("homi links the C++ library if it is set up (scripts/setup cxx)"),
    ),
    row(
        "ubsan-runtime",
        Bool,
        "false",
        Already("homi links UBSan's handlers if the program calls them"),
    ),
    row("link-llvm-lib", Many, "", Code(Setting::LinkLibrary)),
    row("entry-point", One, "main", Option("entry-point")),
    row("main-module-name", One, "", Nothing(LINKED)),
    row("run-in-dir", One, "", Option("run-in-dir")),
    row("env-file", One, "", Option("env-file")),
    row("environ", One, "", Option("env-file")),
    row("output-dir", One, "", Option("output-dir")),
    row("optimize", Bool, "false", Nothing(LOWERED)),
    row("disable-inlining", Bool, "false", Nothing(LOWERED)),
    row("disable-internalize", Bool, "false", Nothing(LOWERED)),
    row("disable-opt", Bool, "false", Nothing(LOWERED)),
    row("disable-verify", Bool, "false", Nothing(LOWERED)),
    row("klee-call-optimisation", Bool, "true", Nothing(LOWERED)),
    row("strip-debug", Bool, "false", Nothing(LOWERED)),
    row("strip-all", Bool, "false", Nothing(LOWERED)),
    row("strip-unwanted-calls", Bool, "false", Nothing(LOWERED)),
    row("check-div-zero", Bool, "true", Option("check-div-zero")),
    row("check-overshift", Bool, "true", Option("check-overshift")),
    row(
        "switch-type",
        Choice(&["internal", "llvm", "simple"]),
        "internal",
        Code(Setting::SwitchType),
    ),
    row("function-alias", Many, "", Code(Setting::FunctionAlias)),
    row("output-source", Bool, "true", Code(Setting::OutputSource)),
    row("output-module", Bool, "false", Code(Setting::OutputModule)),
    row(
        "save-all-writes",
        Bool,
        "false",
        Already("files grow as on Linux"),
    ),
];

const TESTS: &[KleeOption] = &[
    row(
        "only-output-states-covering-new",
        Bool,
        "false",
        Code(Setting::CoveringNewOnly),
    ),
    row("emit-all-errors", Bool, "false", Flag("emit-all-errors")),
    row(
        "dump-states-on-halt",
        Bool,
        "true",
        Option("dump-states-on-halt"),
    ),
    row("write-ktests", Bool, "true", Code(Setting::WriteTests)),
    row("write-no-tests", Bool, "false", Code(Setting::WriteNoTests)),
    row("write-kqueries", Bool, "false", Flag("write-kqueries")),
    row("write-smt2s", Bool, "false", Flag("write-smt2s")),
    row(
        "write-cvcs",
        Bool,
        "false",
        Nothing("homi prints constraints as .kquery and .smt2"),
    ),
    row("write-cov", Bool, "false", Flag("write-cov")),
    row("write-paths", Bool, "false", Flag("write-paths")),
    row("write-sym-paths", Bool, "false", Flag("write-sym-paths")),
    row(
        "write-test-info",
        Bool,
        "false",
        Nothing("events have the time of each test (homi run --events)"),
    ),
    row("write-xml-tests", Bool, "false", Code(Setting::WriteXml)),
    row(
        "xml-metadata-programfile",
        One,
        "",
        Code(Setting::WritesOneFile),
    ),
    row(
        "xml-metadata-programhash",
        One,
        "",
        Code(Setting::WritesOneFile),
    ),
    row(
        "readable-posix-inputs",
        Bool,
        "false",
        Code(Setting::SameFlag),
    ),
    row(
        "output-stats",
        Bool,
        "true",
        Already("homi always writes run.stats; its cost is negligible"),
    ),
    row(
        "output-istats",
        Bool,
        "true",
        Already("homi always writes run.istats; its cost is negligible"),
    ),
    row(
        "stats-write-interval",
        One,
        "1s",
        Option("stats-write-interval"),
    ),
    row("istats-write-interval", One, "10s", Nothing(STATISTICS)),
    row(
        "stats-write-after-instructions",
        Number,
        "0",
        Nothing(STATISTICS),
    ),
    row(
        "istats-write-after-instructions",
        Number,
        "0",
        Nothing(STATISTICS),
    ),
    row("stats-commit-after", Number, "0", Nothing(STATISTICS)),
    row("stats-commit-interval", One, "0", Nothing(STATISTICS)),
    row("track-instruction-time", Bool, "false", Nothing(MEASURED)),
    row("use-call-paths", Bool, "true", Nothing(MEASURED)),
    row("write-exec-tree", Bool, "false", Nothing(TREE)),
    row("compress-exec-tree", Bool, "false", Nothing(TREE)),
    row("exec-tree-batch-size", Number, "100", Nothing(TREE)),
    row("smtlib-display-constants", One, "dec", Nothing(PRINTED)),
    row("smtlib-human-readable", Bool, "false", Nothing(PRINTED)),
    row("smtlib-abbreviation-mode", One, "let", Nothing(PRINTED)),
    row("pc-all-widths", Bool, "false", Nothing(PRINTED)),
    row("pc-all-const-widths", Bool, "false", Nothing(PRINTED)),
    row("pc-multibyte-reads", Bool, "true", Nothing(PRINTED)),
    row("pc-prefix-width", Bool, "true", Nothing(PRINTED)),
    row("pc-width-as-arg", Bool, "true", Nothing(PRINTED)),
];

const SEEDS_AND_REPLAYS: &[KleeOption] = &[
    row("seed-file", Many, "", Option("seed-file")),
    row("seed-dir", Many, "", Option("seed-dir")),
    row("seed-out", Many, "", Option("seed-file")),
    row("seed-out-dir", Many, "", Option("seed-dir")),
    row("seed-time", One, "0", Option("seed-time")),
    row("only-seed", Bool, "false", Flag("only-seed")),
    row(
        "only-replay-seeds",
        Bool,
        "false",
        Flag("only-replay-seeds"),
    ),
    row("replay-path", One, "", Option("replay-path")),
    row("replay-ktest-file", Many, "", Option("replay-ktest-file")),
    row("replay-ktest-dir", Many, "", Option("replay-ktest-dir")),
    row(
        "always-output-seeds",
        Bool,
        "true",
        Nothing("homi always writes the test of a seed's path"),
    ),
    row(
        "named-seed-matching",
        Bool,
        "false",
        Code(Setting::NamedSeeds),
    ),
    row(
        "allow-seed-extension",
        Bool,
        "false",
        Code(Setting::SeedSizes),
    ),
    row(
        "allow-seed-truncation",
        Bool,
        "false",
        Code(Setting::SeedSizes),
    ),
    row(
        "zero-seed-extension",
        Bool,
        "false",
        Code(Setting::SeedSizes),
    ),
    row(
        "silent-klee-assume",
        Bool,
        "false",
        Code(Setting::SilentAssume),
    ),
    row(
        "debug-print-instructions",
        Many,
        "",
        Nothing("homi does not print instructions"),
    ),
    row(
        "debug-compress-instructions",
        Bool,
        "false",
        Nothing("homi does not print instructions"),
    ),
    row(
        "debug-print-escaping-functions",
        Bool,
        "false",
        Nothing(TESTING),
    ),
    row(
        "debug-check-for-implied-values",
        Bool,
        "false",
        Nothing(TESTING),
    ),
    row("make-concrete-symbolic", Number, "0", Nothing(TESTING)),
    row(
        "warnings-only-to-file",
        Bool,
        "false",
        Nothing("homi always prints warnings"),
    ),
    row("color", Bool, "false", Nothing(COLOUR)),
];

/// Returns all options of KLEE.
pub fn options() -> impl Iterator<Item = &'static KleeOption> {
    [
        SEARCH,
        LIMITS,
        SOLVER,
        MEMORY_OPTIONS,
        PROGRAM,
        TESTS,
        SEEDS_AND_REPLAYS,
    ]
    .into_iter()
    .flatten()
}

/// Tables of options with their titles, for generated pages.
pub(super) const GROUPS: [(&str, &[KleeOption]); 7] = [
    ("Search", SEARCH),
    ("When to stop", LIMITS),
    ("Solver", SOLVER),
    ("Memory and external calls", MEMORY_OPTIONS),
    ("The program", PROGRAM),
    ("Tests and statistics", TESTS),
    ("Seeds, replays and the rest", SEEDS_AND_REPLAYS),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_option_is_there_once_and_what_it_becomes_exists() {
        let mut names = BTreeSet::new();
        let rows = homi_app::options::rows_for_klee();
        for option in options() {
            assert!(names.insert(option.name), "{} stands twice", option.name);
            if let Option(name) | Flag(name) = option.becomes {
                assert!(
                    rows.iter().any(|row| row.long == name),
                    "{name} is no option"
                );
            }
            if let Nothing(why) | Already(why) = option.becomes {
                assert!(!why.is_empty() && !why.ends_with('.'), "{}", option.name);
            }
        }
    }
}
