//! `homi sweep`: explores each function of some files alone.

mod contracts;
mod parallel;

use super::print;
use super::status::{Exit, UsageError};
use super::test;
use super::triage;
use anyhow::{Context, anyhow};
use clap::Args;
use homi_app::options::{self, RunLine, units};
use homi_app::sweep::{
    Contracts, Exploration, Explored, NotExplored, SweepResult, classify, goals, json, suggestion,
    text, write_sarif,
};
use homi_app::tester::{self, Given};
use homi_build::harness::{DefinedFunction, defined_functions};
use homi_config::{FailOn, TriageConfig};
use homi_llvm::{llvm_version, program_text};
use homi_report::digest;
use parallel::{Limits, explore_again, explore_all};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
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
    #[arg(value_name = "FILE.c")]
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
    /// Take the preconditions of functions from this file
    #[arg(long, value_name = "FILE")]
    contracts: Option<PathBuf>,
    /// Write what is known of the functions as such a file, and explore nothing
    #[arg(long, value_name = "FILE")]
    suggest_contracts: Option<PathBuf>,
    /// Compare the bugs with the list in this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the bugs of this sweep to the file of --baseline
    #[arg(long)]
    write_baseline: bool,
    /// Fail on these bugs only [default: new with --baseline, else any]
    #[arg(long, value_name = "BUGS")]
    fail_on: Option<FailOn>,
    /// Read no homi.toml
    #[arg(long)]
    no_config: bool,
    /// Options of homi test for every function: -I include --checks leak
    #[arg(last = true, value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// Executes the command; `line` has the suppressions of `homi.toml`.
pub(super) fn execute(args: &SweepArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let config = TriageConfig {
        baseline: args.baseline.clone(),
        write_baseline: args.write_baseline,
        fail_on: args.fail_on,
        ignores: line.ignores.clone(),
    };
    triage::check(&config)?;
    units::budget(&args.each).map_err(|why| UsageError(format!("--each {}: {why}", args.each)))?;
    if args.files.is_empty() {
        let text = "homi sweep needs C files: homi sweep src/*.c, or `files` in homi.toml";
        return Err(UsageError(text.to_string()).into());
    }
    let objects = args.output_dir.join(Exploration::OBJECTS);
    if objects.exists() {
        std::fs::remove_dir_all(&objects)
            .with_context(|| format!("cannot empty {}", objects.display()))?;
    }
    let (all, program) = functions(args, &objects)?;
    let contracts = match &args.contracts {
        Some(file) => contracts::read(file, &all).map_err(|error| UsageError(error.to_string()))?,
        None => Contracts::new(),
    };
    if let Some(file) = &args.suggest_contracts {
        return suggest(file, &all, &contracts);
    }
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
        contracts,
        program,
        names: all.iter().map(|one| one.name.clone()).collect(),
    };
    let limits = Limits {
        jobs: args.jobs,
        deadline: args.max_time.map(|time| Instant::now() + time),
    };
    let (mut explored, left_out) = explore_all(&how, &chosen, &limits);
    let again = goals(&explored, &classify(&explored));
    explore_again(&how, &mut explored, &again, &limits);
    conclude(&explored, &left_out, &config, &how)
}

/// Writes a contracts file.
fn suggest(file: &Path, all: &[DefinedFunction], contracts: &Contracts) -> anyhow::Result<Exit> {
    if file.exists() {
        let text = format!("{} exists; remove it, or name another file", file.display());
        return Err(UsageError(text).into());
    }
    std::fs::write(file, suggestion(all, contracts))
        .with_context(|| format!("cannot write {}", file.display()))?;
    let shown = file.display();
    print(&format!(
        "wrote {shown}; check it, then: homi sweep --contracts {shown}\n"
    ))?;
    Ok(Exit::Done)
}

/// Returns the functions that the files define, and a text that is equal for equal programs. The
/// bitcode stays in `objects` for the explorations.
fn functions(args: &SweepArgs, objects: &Path) -> anyhow::Result<(Vec<DefinedFunction>, String)> {
    let words = args.files.iter().map(|file| file.clone().into_os_string());
    let shared = ["--build-objects".into(), objects.into()];
    let line = words.chain(shared).chain(args.options.iter().cloned());
    let wrong = |error: options::OptionError| UsageError(error.to_string());
    let line = options::sort_test(line.collect()).map_err(wrong)?;
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
    Ok((found, digest(&text)))
}

fn chosen<'a>(all: &'a [DefinedFunction], pattern: Option<&str>) -> Vec<&'a DefinedFunction> {
    let is_chosen = |function: &&DefinedFunction| {
        pattern.is_none_or(|pattern| homi_app::triage::matches(pattern, &function.name))
    };
    all.iter().filter(is_chosen).collect()
}

/// Writes the results, and returns the exit status.
fn conclude(
    explored: &[Explored],
    left_out: &[NotExplored],
    config: &TriageConfig,
    how: &Exploration,
) -> anyhow::Result<Exit> {
    let mut bugs = classify(explored);
    let counted = bugs.iter().take_while(|bug| bug.class.fails());
    let mut errors: Vec<_> = counted.map(|bug| bug.error.clone()).collect();
    let fails = triage::conclude(config, &mut errors)?;
    for (bug, error) in bugs.iter_mut().zip(errors) {
        bug.error = error;
    }
    let result = SweepResult {
        explored,
        left_out,
        bugs: &bugs,
        directory: &how.directory,
    };
    let file = how.directory.join("sweep.json");
    let content = serde_json::to_string_pretty(&json(&result))? + "\n";
    std::fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))?;
    let words: Vec<String> = std::env::args().skip(1).collect();
    let command = format!("homi {}", words.join(" "));
    let sarif = how.directory.join("homi.sarif");
    write_sarif(&sarif, &command, &bugs)
        .with_context(|| format!("cannot write {}", sarif.display()))?;
    print(&text(&result))?;
    Ok(if fails { Exit::BugsFound } else { Exit::Done })
}
