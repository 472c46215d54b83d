//! `homi replay`: what was typed, and where the results go.

use super::check_coverage::check_coverage;
use super::status::{Exit, UsageError};
use super::traces::{counts_branches, library_directories};
use crate::app::options::{ExportParser, units};
use crate::llvm::behind_libtool;
use crate::llvm::embedded::records_of;
use crate::native::replay;
use crate::native::replay::sandbox::{Limits, SandboxKind};
use crate::native::replay::{ReplayOptions, Status, report};
use crate::output::export;
use crate::output::export::{ExporterRow, JsonLines, Occasion, Place, lcov};
use crate::report::{EventStream, LiveLine, Progress, Verdict};
use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Run tests on the natively compiled program, in a sandbox
///
/// Prints per test how the program ended, and with --gcov how many branches it took and how many of
/// them no earlier test had. Tests run in the order in which they were made. The program sees the
/// machine's files read only, has no network, and can write only to a private directory that is its
/// current one and goes with the test.
#[derive(clap::Args, Debug)]
pub(super) struct ReplayArgs {
    /// The native program (for --gcov: built with gcc --coverage -O0 -g; with -fsanitize=address a
    /// memory error ends it by SIGABRT and --show-output shows the report)
    #[arg(value_name = "EXE")]
    exe: PathBuf,
    /// Tests, or directories of them such as homi-last
    #[arg(value_name = "DIR|KTEST", required = true)]
    tests: Vec<PathBuf>,

    /// Count the branches that the tests take; goes without saying for what `homi cc` built for
    /// coverage
    #[arg(long)]
    gcov: bool,
    /// Compare the branch sides that the program takes with what homi recorded for each test of the
    /// given output directories (EXE built by `homi instrument`)
    #[arg(long, conflicts_with_all = ["gcov", "json"])]
    check_coverage: bool,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the counts as an lcov tracefile (with --gcov)
    #[arg(long, value_name = "FILE", requires = "gcov")]
    lcov: Option<PathBuf>,
    /// Also write the results in these formats, several with commas between them: junit, ctest, and
    /// with --gcov lcov, cobertura
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    #[arg(value_parser = ON_REPLAY, hide_possible_values = true)]
    export: Vec<&'static ExporterRow>,
    /// Where --export writes
    #[arg(long, value_name = "DIR", default_value = ".", requires = "export")]
    export_dir: PathBuf,
    /// Write what happens as lines of JSON to the standard output, in place of the table
    #[arg(long, conflicts_with_all = ["show_output", "check_coverage"])]
    events: bool,
    /// Exit with status 3 if a test crashes, takes too long, or exits with another status than its
    /// run said
    #[arg(long, conflicts_with = "check_coverage")]
    error_exit_code: bool,
    /// Show what the programs print
    #[arg(long)]
    show_output: bool,
    /// Print the summary only
    #[arg(long, short)]
    quiet: bool,

    /// Give tests real files and the real clock instead of the modelled kernel that their paths met
    #[arg(long)]
    real_files: bool,
    /// Run so many tests at a time (one for each processor); one where there are no namespaces
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// End a test after this time
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration)]
    timeout: Duration,
    /// Memory (address space) of a test; of one allocation where AddressSanitizer is in EXE
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    max_memory: u64,
    /// Size of all files that a test writes
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = units::size)]
    max_disk: u64,
    /// Run the program with your own rights, free to change and delete your files
    #[arg(long)]
    unsafe_no_sandbox: bool,
}

pub(super) fn execute(mut args: ReplayArgs) -> anyhow::Result<Exit> {
    if let Some(real) = behind_libtool(&args.exe) {
        args.exe = real;
    }
    let records = records_of(&args.exe).unwrap_or_default();
    let gcov = args.gcov || (!args.check_coverage && counts_branches(&args.exe, &records));
    let options = ReplayOptions {
        exe: args.exe.clone(),
        libraries: library_directories(&records),
        tests: args.tests.clone(),
        gcov,
        sides: None,
        real_files: args.real_files,
        limits: Limits {
            timeout: args.timeout,
            memory: args.max_memory,
            file_size: args.max_disk,
            disk: args.max_disk,
            ..Limits::default()
        },
        sandbox: args.unsafe_no_sandbox.then_some(SandboxKind::None),
        interrupt: install_signals().context("cannot install signal handlers")?,
        deadline: None,
        jobs: args.jobs.map_or(ReplayOptions::default().jobs, usize::from),
    };
    if args.check_coverage {
        return check_coverage(&options, args.quiet);
    }
    let events = listeners(&args, gcov)?;
    let progress = if args.quiet {
        Progress::hidden()
    } else {
        Progress::new("replayed")
    };
    events.add("the progress", Box::new(progress.clone()));
    let homi = std::env::current_exe().ok();
    let mut head = Some(report::table_head(gcov));
    let mut failed = 0;
    let replay = replay::run_telling(
        &options,
        homi.as_deref(),
        &events,
        &mut |result, verdict| {
            failed += usize::from(matches!(verdict, Verdict::Failed { .. }));
            progress.print(|| show(&args, &mut head, result))
        },
    )?;
    for warning in &replay.warnings {
        eprintln!("homi: warning: {warning}");
    }
    write_files(&args, &replay)?;
    if let Some(lost) = events.take_lost().into_iter().next() {
        return Err(lost.into());
    }
    if !args.events {
        super::print(&report::summary(&replay))?;
    }
    let not_run = |result: &replay::TestResult| matches!(result.status, Status::Error(_));
    Ok(
        if replay.interrupted || replay.results.iter().any(not_run) {
            Exit::Failure
        } else if args.error_exit_code && failed > 0 {
            Exit::BugsFound
        } else {
            Exit::Done
        },
    )
}

/// Shows what a test did; before the first one the table's head, which `head` has until then.
fn show(
    args: &ReplayArgs,
    head: &mut Option<String>,
    result: &replay::TestResult,
) -> anyhow::Result<()> {
    if let Status::Error(text) = &result.status {
        eprintln!("homi: warning: {}: {text}", result.test.display());
    }
    for note in &result.notes {
        eprintln!("homi: note: {}: {note}", result.test.display());
    }
    if !args.quiet && !args.events {
        let head = head.take().unwrap_or_default();
        super::print(&(head + &report::table_row(result)))?;
    }
    if args.show_output {
        for stream in [&result.stdout, &result.stderr] {
            super::print(&indented(stream))?;
        }
    }
    Ok(())
}

/// The formats of results.
const ON_REPLAY: ExportParser = ExportParser(Occasion::Replay);

/// Who hears what happens.
fn listeners(args: &ReplayArgs, gcov: bool) -> anyhow::Result<EventStream> {
    let events = EventStream::default();
    if args.events {
        let lines = JsonLines::new(std::io::stdout());
        events.add("the standard output", Box::new(lines));
    }
    for row in &args.export {
        if row.needs_gcov && !gcov {
            let text = format!("--export {}: counts need --gcov", row.name);
            return Err(UsageError(text).into());
        }
        std::fs::create_dir_all(&args.export_dir)
            .with_context(|| format!("cannot make {}", args.export_dir.display()))?;
        let place = Place {
            directory: &args.export_dir,
            line: &LiveLine::default(),
        };
        export::attach(row, &events, &place);
    }
    Ok(events)
}

/// The files that are asked for one by one.
fn write_files(args: &ReplayArgs, replay: &replay::Replay) -> anyhow::Result<()> {
    let write = |path: &PathBuf, text: String| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if let Some(path) = &args.json {
        write(
            path,
            serde_json::to_string_pretty(&report::json(replay))? + "\n",
        )?;
    }
    if let (Some(path), Some(program)) = (&args.lcov, &replay.program) {
        write(path, lcov(&program.sources()))?;
    }
    Ok(())
}

/// Ctrl-C (or a request to terminate) ends the current test; what was done is printed and the
/// private directories go.
fn install_signals() -> std::io::Result<Arc<AtomicBool>> {
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupt))?;
    }
    Ok(interrupt)
}

/// A program's output, set off from the table.
fn indented(stream: &[u8]) -> String {
    let text = String::from_utf8_lossy(stream);
    text.lines().map(|line| format!("    {line}\n")).collect()
}
