//! `homi sweep`: explores each function of some files alone.

use super::print;
use super::status::{Exit, UsageError};
use super::test;
use super::triage;
use anyhow::{Context, anyhow};
use clap::Args;
use homi_app::options::{self, units};
use homi_app::sweep::{
    Exploration, Explored, NotExplored, SweepResult, classify, explore, json, text,
};
use homi_app::tester::{self, Given};
use homi_build::harness::{DefinedFunction, defined_functions};
use homi_config::{FailOn, TriageConfig};
use homi_llvm::{llvm_version, program_text};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Explore each function of some C files alone, and rank the bugs by what callers pass
///
/// Each function runs under homi test with any parameters; pointers are null only if a caller in
/// the files passes null. The command fails on bugs for which callers do not matter, and on bugs
/// that a caller in the files reaches. A repeated command goes on where it ended.
#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 no bug that fails, 1 failed, 2 wrong usage, 3 bugs found.")]
pub(super) struct SweepArgs {
    /// C sources of the functions
    #[arg(value_name = "FILE.c", required = true)]
    files: Vec<PathBuf>,
    /// Explore only functions whose names match; `*` stands for any characters
    #[arg(long, value_name = "PATTERN")]
    functions: Option<String>,
    /// Explore each function for this time
    #[arg(long, value_name = "TIME", default_value = "10s")]
    each: String,
    /// Begin no function after this time
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    max_time: Option<Duration>,
    /// Explore this many functions at the same time [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Write to this directory, and go on if it has results
    #[arg(long, value_name = "DIR", default_value = "homi-sweep")]
    output_dir: PathBuf,
    /// Compare the bugs with the list in this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the bugs of this sweep to the file of --baseline
    #[arg(long)]
    write_baseline: bool,
    /// Fail on these bugs only [default: new with --baseline, else any]
    #[arg(long, value_name = "BUGS")]
    fail_on: Option<FailOn>,
    /// Options of homi test for every function: -I include --checks leak
    #[arg(last = true, value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// Executes the command.
pub(super) fn execute(args: &SweepArgs) -> anyhow::Result<Exit> {
    let config = TriageConfig {
        baseline: args.baseline.clone(),
        write_baseline: args.write_baseline,
        fail_on: args.fail_on,
        ignores: Vec::new(),
    };
    triage::check(&config)?;
    units::budget(&args.each).map_err(|why| UsageError(format!("--each {}: {why}", args.each)))?;
    let all = functions(args)?;
    let chosen = chosen(&all, args.functions.as_deref());
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let text = format!("no function matches; the files define {}", names.join(", "));
        return Err(UsageError(text).into());
    }
    let how = Exploration {
        homi: std::env::current_exe().context("cannot find the homi executable")?,
        files: args.files.clone(),
        options: args.options.clone(),
        each: args.each.clone(),
        directory: args.output_dir.clone(),
    };
    std::fs::create_dir_all(&how.directory)
        .with_context(|| format!("cannot make {}", how.directory.display()))?;
    let (explored, left_out) = explore_all(&how, &all, &chosen, args);
    conclude(&explored, &left_out, &config, &how)
}

/// Returns the functions that the files define.
fn functions(args: &SweepArgs) -> anyhow::Result<Vec<DefinedFunction>> {
    let words = args.files.iter().map(|file| file.clone().into_os_string());
    let line = words.chain(args.options.iter().cloned()).collect();
    let wrong = |error: options::OptionError| UsageError(error.to_string());
    let line = options::sort_test(line).map_err(wrong)?;
    let typed = test::parse(line.all_arguments())?;
    let (native, run) = options::resolve_test(&typed.matches).map_err(wrong)?;
    let given = Given::of(&run.program.inputs, &native).map_err(UsageError)?;
    let Given::Sources(sources) = given else {
        return Err(UsageError("homi sweep takes C files".to_string()).into());
    };
    let compiled = tester::compile_bitcode(llvm_version(), &sources)?;
    let homi = std::env::current_exe().ok();
    let text = program_text(&compiled.files(), "main", homi.as_deref());
    let text = text.ok_or_else(|| anyhow!("cannot read the bitcode of the files"))?;
    let own: BTreeSet<String> = sources
        .files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let mut found = defined_functions(&text);
    found.retain(|function| own.contains(&function.file));
    Ok(found)
}

fn chosen<'a>(all: &'a [DefinedFunction], pattern: Option<&str>) -> Vec<&'a DefinedFunction> {
    let is_chosen = |function: &&DefinedFunction| {
        pattern.is_none_or(|pattern| homi_app::triage::matches(pattern, &function.name))
    };
    all.iter().filter(is_chosen).collect()
}

/// Explores the functions, several at a time.
fn explore_all(
    how: &Exploration,
    all: &[DefinedFunction],
    chosen: &[&DefinedFunction],
    args: &SweepArgs,
) -> (Vec<Explored>, Vec<NotExplored>) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.unwrap_or(processors).clamp(1, chosen.len());
    let deadline = args.max_time.map(|time| Instant::now() + time);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let work = || {
        while let Some(function) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            let is_late = deadline.is_some_and(|deadline| Instant::now() > deadline);
            let result = if is_late {
                Err("no time was left (--max-time)".to_string())
            } else {
                let mut callers = all.iter();
                let gets_null = callers.any(|other| other.gets_null.contains(&function.name));
                explore(how, function, gets_null)
            };
            let shown = match &result {
                Ok(explored) => format!("bugs: {}", explored.errors.len()),
                Err(why) => why.clone(),
            };
            eprintln!("homi: {}: {shown}", function.name);
            let result = result.map_err(|why| {
                Box::new(NotExplored {
                    function: (*function).clone(),
                    why,
                })
            });
            results
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut explored, mut left_out) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(one) => explored.push(one),
            Err(one) => left_out.push(*one),
        }
    }
    let place = |function: &DefinedFunction| (function.file.clone(), function.line);
    explored.sort_by_key(|one| place(&one.function));
    left_out.sort_by_key(|one| place(&one.function));
    (explored, left_out)
}

/// Writes the results, and returns the exit status.
fn conclude(
    explored: &[Explored],
    left_out: &[NotExplored],
    config: &TriageConfig,
    how: &Exploration,
) -> anyhow::Result<Exit> {
    let bugs = classify(explored);
    let result = SweepResult {
        explored,
        left_out,
        bugs: &bugs,
        directory: &how.directory,
    };
    let file = how.directory.join("sweep.json");
    let content = serde_json::to_string_pretty(&json(&result))? + "\n";
    std::fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))?;
    print(&text(&result))?;
    let counted = bugs.iter().filter(|bug| bug.0.fails());
    let mut counted: Vec<_> = counted.map(|bug| bug.2.clone()).collect();
    Ok(if triage::conclude(config, &mut counted)? {
        Exit::BugsFound
    } else {
        Exit::Done
    })
}
