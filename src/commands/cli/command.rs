//! The table of subcommands.

use super::klee_tools::Tool;
use super::{
    bench, compare, compiler, completions, doctor, explain, instrument, klee, klee_tools, ktest,
    learn_search, lower, man, record, replay, report, run, serve, solver, stats, test, unit, units,
    weights,
};
use crate::app::options::RunLine;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Symbolic execution of C programs from LLVM bitcode.
#[derive(Parser, Debug)]
#[command(
    name = "homi",
    version,
    about = "Runs a C program symbolically and writes tests that cover its branches",
    long_about = "homi reads the LLVM bitcode that a C program carries, runs it symbolically \
        against an interpreted libc on a modelled POSIX kernel, and writes .ktest files that \
        `homi replay` runs on the same program natively.",
    after_help = "Example:\n  \
        homi test prog.c\n  \
        homi explain homi-last/test000001.ktest\n\n\
        Exit status: 0 done, 1 failed, 2 wrong usage, 3 bugs found (by homi test, and by homi run \
        with --error-exit-code).",
    propagate_version = false,
    arg_required_else_help = true
)]
pub(super) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What a command without a comment does is said at its arguments.
#[derive(Subcommand, Debug)]
enum Command {
    /// Compile C sources, explore, run the tests natively, and report
    ///
    /// The report names bugs, with input and confirmation, and lines that never ran.
    ///
    /// What stands after `--` are the program's arguments, symbolic ones among them, as for `homi
    /// run`. A program that gets none and makes nothing symbolic itself gets `--sym-args 0 2 8
    /// --sym-files 1 8 --sym-stdin 8`; a campaign, `--sym-args 0 4 16` and further shapes.
    ///
    /// Besides its own options it has those of `homi run`, but for --resume, --coverage, --events
    /// and --error-exit-code. Ctrl-C ends the exploration, not the report; again, it ends homi.
    Test(Box<test::TestArgs>),
    /// Find inputs on which two versions of a program differ
    ///
    /// OLD and NEW are C files or executables made by `homi cc`. Both are explored on the same
    /// symbolic input, and both run natively on the tests of both and on inputs near them; what
    /// differs in output, exit status or error is shown with its input. It has the options of `homi
    /// test`.
    Compare(Box<compare::CompareArgs>),
    /// Run a program symbolically and write tests
    ///
    /// The program's own arguments stand after `--`. Among them, `--sym-arg N`, `--sym-args MIN MAX
    /// N`, `--sym-files NUM N`, `--sym-stdin N`, `--sym-stdout` and `--max-fail N` make inputs
    /// symbolic. With --max-time 30s or more, a program that gets none and makes nothing symbolic
    /// itself gets `--sym-args 0 4 16 --sym-files 1 8 --sym-stdin 8` and further shapes of input.
    Run(Box<run::RunArgs>),
    /// The same, following one input after the other: short for run --concolic
    ///
    /// It has the options of `homi run`. A run follows the path of one input, negates one of its
    /// branches, and follows the input that goes the other way; --strategy says which branch. The
    /// program's own arguments stand after `--`, as for `homi run`.
    Concolic(Box<run::ConcolicArgs>),
    /// Compile as gcc does, into objects that carry their bitcode (c++: as g++)
    #[command(alias = "c++")]
    Cc(compiler::CompilerArgs),
    /// Take KLEE's command line, and print and write what KLEE does
    ///
    /// Scripts that call klee keep working; a link to homi that is called klee does the same. See
    /// docs/guide/from-klee.md.
    Klee(klee::KleeArgs),
    /// As KLEE's klee-replay: run tests on the native program
    KleeReplay(klee_tools::ToolArgs),
    /// As KLEE's ktest-tool: print tests
    KtestTool(klee_tools::ToolArgs),
    /// As KLEE's ktest-gen: make a test of words and files
    KtestGen(klee_tools::ToolArgs),
    /// As KLEE's ktest-randgen: make a random test
    KtestRandgen(klee_tools::ToolArgs),
    /// As KLEE's klee-stats: figures of runs as a table
    KleeStats(klee_tools::ToolArgs),
    /// Learn the weights of a search for one program, for --strategy param:FILE
    ///
    /// The weights are used with `homi concolic FILE --strategy param:WEIGHTS`. The program's own
    /// arguments stand after `--`, as for `homi run`. Ctrl-C writes the best that is known.
    LearnSearch(Box<learn_search::LearnSearchArgs>),
    Doctor(doctor::DoctorArgs),
    Record(record::RecordArgs),
    Replay(replay::ReplayArgs),
    Bench(bench::BenchArgs),
    /// Show a test: its inputs, what it covers or breaks, how to replay it
    Explain(explain::ExplainArgs),
    /// Print, make, change or import .ktest files
    Ktest(ktest::KtestArgs),
    /// Compile bitcode natively with a counter per branch
    Instrument(instrument::InstrumentArgs),
    Report(report::ReportArgs),
    Serve(serve::ServeArgs),
    Stats(stats::StatsArgs),
    Unit(unit::UnitArgs),
    Units(units::UnitsArgs),
    Weights(weights::WeightsArgs),
    Man(man::ManArgs),
    Completions(completions::CompletionsArgs),
    /// Print the options as a page of the guide (internal)
    #[command(name = "__options-markdown", hide = true)]
    OptionsMarkdown,
    /// Print KLEE's options as a page of the guide (internal)
    #[command(name = "__klee-options-markdown", hide = true)]
    KleeOptionsMarkdown,
    /// Print the figures of runs as a page of the guide (internal)
    #[command(name = "__figures-markdown", hide = true)]
    FiguresMarkdown,
    /// Read and lower bitcode in a process of its own (internal)
    #[command(name = "__lower", hide = true)]
    Lower(lower::LowerArgs),
    /// Write a program's bitcode, as text too (internal)
    #[command(name = "__print-bitcode", hide = true)]
    PrintBitcode(klee::PrintArgs),
    /// Answer solver questions on the standard input (internal)
    #[command(name = "__solver", hide = true)]
    Solver(solver::SolverArgs),
}

impl Cli {
    /// `line` is what follows `homi run`, `homi test` or `homi learn-search`.
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
            Command::Bench(args) => bench::execute(&args),
            Command::Explain(args) => explain::execute(args),
            Command::Ktest(args) => ktest::execute(args),
            Command::Instrument(args) => instrument::execute(args),
            Command::Report(args) => report::execute(&args),
            Command::Serve(args) => serve::execute(&args),
            Command::Stats(args) => stats::execute(args),
            Command::Unit(args) => unit::execute(&args),
            Command::Units(args) => units::execute(&args),
            Command::Weights(args) => weights::execute(args),
            Command::Man(args) => man::execute(args),
            Command::Completions(args) => completions::execute(args),
            Command::OptionsMarkdown => man::options_markdown(),
            Command::KleeOptionsMarkdown => man::klee_options_markdown(),
            Command::FiguresMarkdown => man::figures_markdown(),
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
