//! `homi replay`: arguments, and the destinations of the results.

use super::check_coverage::check_coverage;
use super::reexecutions::Reexecutions;
use super::status::{Exit, UsageError};
use super::traces::{counts_branches, library_directories};
use anyhow::Context;
use homi_app::options::{ExportParser, units};
use homi_llvm::behind_libtool;
use homi_llvm::embedded::records_of;
use homi_native::replay;
use homi_native::replay::sandbox::{Limits, SandboxKind};
use homi_native::replay::{ReplayOptions, Status, report};
use homi_output::export;
use homi_output::export::{ExporterRow, JsonLines, Occasion, OutputDestination, lcov};
use homi_report::{EventStream, LiveLine, Progress, Verdict};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Run tests on the natively compiled program, in a sandbox
///
/// homi prints how the program ended for each test. With --gcov it also prints the number of
/// branches that the test took and the number of new ones. Tests run in the
/// order in which they were written. In the sandbox the program can read the machine's files but
/// has no network. It can write only to a private current directory, which homi deletes after the
/// test.
#[derive(clap::Args, Debug)]
pub(super) struct ReplayArgs {
    /// Native program
    ///
    /// For --gcov, build it with gcc --coverage -O0 -g. With -fsanitize=address, a memory error
    /// ends the program with SIGABRT, and --show-output prints the report.
    #[arg(value_name = "EXE")]
    exe: PathBuf,
    /// Tests, or directories of tests such as homi-last
    #[arg(value_name = "DIR|KTEST", required = true)]
    tests: Vec<PathBuf>,

    /// Count the branches that the tests take
    ///
    /// This is the default for programs that were built for coverage.
    #[arg(long)]
    gcov: bool,
    /// Compare native branch sides with the recorded ones, per test
    ///
    /// EXE must be built by `homi instrument`, and the tests must be output directories of homi.
    #[arg(long, conflicts_with_all = ["gcov", "json"])]
    check_coverage: bool,
    /// Write the results as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the counts as an lcov tracefile (with --gcov)
    #[arg(long, value_name = "FILE", requires = "gcov")]
    lcov: Option<PathBuf>,
    /// Also write the results in these formats, separated by commas
    ///
    /// Formats: junit, ctest, and with --gcov lcov, cobertura.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    #[arg(value_parser = ON_REPLAY, hide_possible_values = true)]
    export: Vec<&'static ExporterRow>,
    /// Write the files of --export to this directory
    #[arg(long, value_name = "DIR", default_value = ".", requires = "export")]
    export_dir: PathBuf,
    /// Write events as lines of JSON to the standard output, without the table
    #[arg(long, conflicts_with_all = ["show_output", "check_coverage"])]
    events: bool,
    /// Exit with status 3 if a test fails, 4 if a test diverges
    ///
    /// A test fails if it crashes or times out. A test diverges if the program exits with another
    /// status or prints something else than the run of the test predicted.
    #[arg(long, conflicts_with = "check_coverage")]
    error_exit_code: bool,
    /// Show the output of the programs
    #[arg(long)]
    show_output: bool,
    /// Print only the summary
    #[arg(long, short)]
    quiet: bool,

    /// Use real files and the real clock instead of the modeled kernel
    #[arg(long)]
    real_files: bool,
    /// Run N tests in parallel [default: one per CPU; 1 without namespaces]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Kill a test after this time
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration)]
    timeout: Duration,
    /// Limit the address space of a test
    ///
    /// If EXE uses AddressSanitizer, this limits each allocation.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    max_memory: u64,
    /// Limit the total size of the files that a test writes
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = units::size)]
    max_disk: u64,
    /// Run the program with your permissions; it can change and delete your files
    #[arg(long)]
    unsafe_no_sandbox: bool,
}

pub(super) fn execute(mut args: ReplayArgs) -> anyhow::Result<Exit> {
    if let Some(real) = behind_libtool(&args.exe) {
        args.exe = real;
    }
    let records = records_of(&args.exe).unwrap_or_default();
    let gcov = args.gcov || (!args.check_coverage && counts_branches(&args.exe));
    let reexecutions = if args.real_files || args.check_coverage {
        None
    } else {
        Some(Arc::new(Reexecutions::of(&args.exe, !records.is_empty())?))
    };
    let options = ReplayOptions {
        exe: args.exe.clone(),
        libraries: library_directories(&records),
        tests: args.tests.clone(),
        gcov,
        second: reexecutions.as_ref().map(Reexecutions::second),
        records_calls: reexecutions.is_some(),
        explainer: reexecutions.as_ref().map(Reexecutions::explainer),
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
    let (mut failed, mut diverged) = (0, 0);
    let replay = replay::run_with_events(
        &options,
        homi.as_deref(),
        &events,
        &mut |result, verdict| {
            failed += usize::from(matches!(verdict, Verdict::Failed { .. }));
            diverged += usize::from(matches!(verdict, Verdict::Diverged { .. }));
            progress.print(|| show(&args, &mut head, result))
        },
    )?;
    for warning in &replay.warnings {
        eprintln!("homi: warning: {warning}");
    }
    write_files(&args, &replay)?;
    if let Some(lost) = events.take_incomplete().into_iter().next() {
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
        } else if args.error_exit_code && diverged > 0 {
            Exit::Diverged
        } else {
            Exit::Done
        },
    )
}

/// Prints the result of a test. `head` holds the table's head until the first result is printed.
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

/// Export formats that `homi replay` supports.
const ON_REPLAY: ExportParser = ExportParser(Occasion::Replay);

/// Returns the event stream with the listeners that the options request.
fn listeners(args: &ReplayArgs, gcov: bool) -> anyhow::Result<EventStream> {
    let events = EventStream::default();
    if args.events {
        let lines = JsonLines::new(std::io::stdout());
        events.add("the standard output", Box::new(lines));
    }
    for row in &args.export {
        if row.needs_gcov && !gcov {
            let text = format!(
                "--export {}: this format needs counts; add --gcov",
                row.name
            );
            return Err(UsageError(text).into());
        }
        std::fs::create_dir_all(&args.export_dir)
            .with_context(|| format!("cannot create {}", args.export_dir.display()))?;
        let place = OutputDestination {
            directory: &args.export_dir,
            line: &LiveLine::default(),
            words: &[],
        };
        export::attach(row, &events, &place);
    }
    Ok(events)
}

/// Writes the files that --json and --lcov name.
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

/// Installs signal handlers: Ctrl-C (or a termination request) ends the current test. homi then
/// prints the results and deletes the private directories.
fn install_signals() -> std::io::Result<Arc<AtomicBool>> {
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupt))?;
    }
    Ok(interrupt)
}

/// Indents a program's output, to set it off from the table.
fn indented(stream: &[u8]) -> String {
    let text = String::from_utf8_lossy(stream);
    text.lines().map(|line| format!("    {line}\n")).collect()
}
