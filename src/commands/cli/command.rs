//! The table of subcommands.

use super::klee_tools::Tool;
use super::{
    bench, compare, compiler, completions, doctor, explain, init, instrument, job, jobs, keep,
    klee, klee_tools, ktest, learn_search, lower, man, record, replay, report, run, schema, serve,
    solver, stats, svcomp, sweep, test, weights,
};
use clap::{Parser, Subcommand};
use homi_app::options::RunLine;
use std::process::ExitCode;

/// Symbolic execution of C programs from LLVM bitcode.
#[derive(Parser, Debug)]
#[command(
    name = "homi",
    version,
    about = "Runs a C program symbolically and writes tests that cover its branches",
    long_about = "homi reads the LLVM bitcode embedded in a C program, runs it symbolically \
        with an interpreted libc on a modeled POSIX kernel, and writes .ktest files that \
        `homi replay` runs on the same program natively.",
    after_help = "Example:\n  \
        homi test prog.c\n  \
        homi explain homi-last/test000001.ktest\n\n\
        Exit status: 0 done, 1 failed, 2 wrong usage, 3 bugs found (by homi test, and by homi run \
        with --error-exit-code), 4 no bug found but the native program diverges (likewise).",
    propagate_version = false,
    arg_required_else_help = true
)]
pub(super) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Subcommands. A variant without a comment takes its help text from its arguments.
#[derive(Subcommand, Debug)]
enum Command {
    /// Compile C sources, explore, run the tests natively, and report
    ///
    /// The report lists bugs, each with its input and a confirmation, and the lines that no test
    /// executes.
    ///
    /// Pass the program's arguments after `--`. They may include symbolic-input options, as for
    /// `homi run`. If you pass none and the program makes nothing symbolic, homi adds `--sym-args 0
    /// 2 8 --sym-files 1 8 --sym-stdin 8`. A campaign adds `--sym-args 0 4 16` and further input
    /// layouts.
    ///
    /// The command also takes the options of `homi run` except --resume, --coverage, --events and
    /// --error-exit-code. The first Ctrl-C ends the exploration and continues with the report; the
    /// second ends homi.
    Test(Box<test::TestArgs>),
    /// Find inputs on which two versions of a program differ
    ///
    /// OLD and NEW are C files or executables built by `homi cc`. homi explores both on the same
    /// symbolic input. It then runs both natively on all tests and on nearby inputs, and reports
    /// each difference in output, exit status or error with its input. The command takes the
    /// options of `homi test`.
    Compare(Box<compare::CompareArgs>),
    /// Run a program symbolically and write tests
    ///
    /// Pass the program's arguments after `--`. These make inputs symbolic: `--sym-arg N`,
    /// `--sym-args MIN MAX N`, `--sym-files NUM N`, `--sym-stdin N`, `--sym-stdout` and `--max-fail
    /// N`. If you pass none and the program makes nothing symbolic, --max-time 30s or more adds
    /// `--sym-args 0 4 16 --sym-files 1 8 --sym-stdin 8` and further input layouts.
    Run(Box<run::RunArgs>),
    /// Test a program concolically (alias of `run --concolic`)
    ///
    /// The command takes the options of `homi run`. A run executes the path of one input, negates
    /// one of its branches, and continues with an input for the other side. --strategy chooses the
    /// branch. Pass the program's arguments after `--`, as for `homi run`.
    Concolic(Box<run::ConcolicArgs>),
    /// Compile as gcc does, into objects with embedded bitcode (c++: as g++)
    #[command(alias = "c++")]
    Cc(compiler::CompilerArgs),
    /// Accept KLEE's command line; print and write what KLEE does
    ///
    /// Scripts that call klee keep working. A link named klee that points to homi does the same.
    /// See docs/guide/from-klee.md.
    Klee(klee::KleeArgs),
    /// Run tests on the native program (command line of klee-replay)
    KleeReplay(klee_tools::ToolArgs),
    /// Print tests (command line of ktest-tool)
    KtestTool(klee_tools::ToolArgs),
    /// Make a test from arguments and files (command line of ktest-gen)
    KtestGen(klee_tools::ToolArgs),
    /// Make a random test (command line of ktest-randgen)
    KtestRandgen(klee_tools::ToolArgs),
    /// Print statistics of runs as a table (command line of klee-stats)
    KleeStats(klee_tools::ToolArgs),
    /// Learn search weights for one program, for --strategy param:FILE
    ///
    /// Use the weights with `homi concolic FILE --strategy param:WEIGHTS`. Pass the program's
    /// arguments after `--`, as for `homi run`. Ctrl-C writes the best weights found so far.
    LearnSearch(Box<learn_search::LearnSearchArgs>),
    Doctor(doctor::DoctorArgs),
    Record(record::RecordArgs),
    Replay(replay::ReplayArgs),
    Keep(keep::KeepArgs),
    Bench(bench::BenchArgs),
    /// Show a test: its inputs, its coverage or bug, and how to replay it
    Explain(explain::ExplainArgs),
    /// Print, make, edit, import or minimize .ktest files
    Ktest(ktest::KtestArgs),
    /// Compile bitcode natively with one counter per branch side
    Instrument(instrument::InstrumentArgs),
    Report(report::ReportArgs),
    Serve(serve::ServeArgs),
    Stats(stats::StatsArgs),
    Init(init::InitArgs),
    Schema(schema::SchemaArgs),
    Svcomp(svcomp::SvcompArgs),
    Sweep(sweep::SweepArgs),
    Job(job::JobArgs),
    Jobs(jobs::JobsArgs),
    Weights(weights::WeightsArgs),
    Man(man::ManArgs),
    Completions(completions::CompletionsArgs),
    /// Print the options as a reference page (internal)
    #[command(name = "__options-markdown", hide = true)]
    OptionsMarkdown,
    /// Print KLEE's options as a reference page (internal)
    #[command(name = "__klee-options-markdown", hide = true)]
    KleeOptionsMarkdown,
    /// Print the statistics of runs as a reference page (internal)
    #[command(name = "__statistics-markdown", hide = true)]
    StatisticsMarkdown,
    /// Read and lower bitcode in a separate process (internal)
    #[command(name = "__lower", hide = true)]
    Lower(lower::LowerArgs),
    /// Write a program's bitcode, also as text (internal)
    #[command(name = "__print-bitcode", hide = true)]
    PrintBitcode(klee::PrintArgs),
    /// Answer solver queries on the standard input (internal)
    #[command(name = "__solver", hide = true)]
    Solver(solver::SolverArgs),
}

impl Cli {
    /// Executes the subcommand; `line` holds the arguments that follow `homi run`, `homi test` or
    /// `homi learn-search`.
    pub(super) fn execute(self, line: &RunLine) -> anyhow::Result<ExitCode> {
        let exit = match self.command {
            Command::Cc(args) => return compiler::from_table(args),
            Command::Klee(args) => return klee::from_table(args),
            Command::KleeReplay(args) => return klee_tools::from_table(Tool::Replay, args),
            Command::KtestTool(args) => return klee_tools::from_table(Tool::PrintTests, args),
            Command::KtestGen(args) => return klee_tools::from_table(Tool::KtestGen, args),
            Command::KtestRandgen(args) => return klee_tools::from_table(Tool::KtestRandgen, args),
            Command::KleeStats(args) => return klee_tools::from_table(Tool::Stats, args),
            Command::Record(args) => return record::execute(&args),
            Command::PrintBitcode(args) => klee::print_bitcode(&args),
            Command::Test(args) => test::execute(&args, line),
            Command::Compare(args) => compare::execute(&args, line),
            Command::Run(args) => run::execute(&args.matches, line),
            Command::Concolic(args) => run::execute(&args.matches, line),
            Command::LearnSearch(args) => learn_search::execute(&args, line),
            Command::Doctor(args) => doctor::execute(&args),
            Command::Replay(args) => replay::execute(args),
            Command::Keep(args) => keep::execute(&args),
            Command::Bench(args) => bench::execute(&args),
            Command::Explain(args) => explain::execute(args),
            Command::Ktest(args) => ktest::execute(args),
            Command::Instrument(args) => instrument::execute(args),
            Command::Report(args) => report::execute(&args),
            Command::Serve(args) => serve::execute(&args),
            Command::Stats(args) => stats::execute(args),
            Command::Init(args) => init::execute(&args),
            Command::Schema(args) => schema::execute(&args),
            Command::Svcomp(args) => svcomp::execute(&args),
            Command::Sweep(args) => sweep::execute(&args, line),
            Command::Job(args) => job::execute(&args),
            Command::Jobs(args) => jobs::execute(&args),
            Command::Weights(args) => weights::execute(args),
            Command::Man(args) => man::execute(args),
            Command::Completions(args) => completions::execute(args),
            Command::OptionsMarkdown => man::options_markdown(),
            Command::KleeOptionsMarkdown => man::klee_options_markdown(),
            Command::StatisticsMarkdown => man::statistics_markdown(),
            Command::Lower(args) => lower::execute(args),
            Command::Solver(args) => solver::execute(args),
        };
        Ok(exit?.code())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_table_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
