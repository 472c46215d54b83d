//! `homi compare`: two versions of one program, explored on the same symbolic input and run
//! natively on the tests of both.

use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use super::typed::{TableCommand, Typed};
use crate::bitcode::llvm_version;
use crate::config::{NativeConfig, Others, RunConfig, Span, usual_inputs};
use crate::engine::Signals;
use crate::options::{self, RunLine};
use crate::report::{OutputDirectory, Summary};
use crate::session;
use crate::tester::{self, Comparison, Given, NativeReplays, Side, Version};
use anyhow::Context;
use clap::Command;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// `homi compare`.
#[derive(Debug)]
pub(super) struct Compare;

pub(super) type CompareArgs = Typed<Compare>;

impl TableCommand for Compare {
    fn augment(command: Command) -> Command {
        let command = command
            .after_help(
                "Exit status: 0 no difference found, 1 it could not be done, 2 wrong usage, 3 \
                 differences found.",
            )
            .override_usage("homi compare [OPTIONS] OLD NEW [-- ARGUMENT...]");
        options::augment_test(command)
    }
}

/// What was found, as JSON, in the output directory.
const COMPARISON: &str = "comparison.json";

/// Tests of the old version that the new one follows first.
const SEEDS: usize = 200;

/// `line` is what `args` were parsed from.
pub(super) fn execute(args: &CompareArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let usage = |text: String| UsageError(text);
    let (native, run) =
        options::resolve_test(&args.matches, line).map_err(|error| usage(error.to_string()))?;
    let [old, new] = run.program.inputs.as_slice() else {
        let text = "two programs are compared: homi compare OLD NEW [-- ARGUMENT...]";
        return Err(usage(text.to_string()).into());
    };
    if run.program.entry != "main" {
        let text = "--entry-point: whole programs are compared (`homi test` tests one function)";
        return Err(usage(text.to_string()).into());
    }
    let sides = [(Side::Old, old), (Side::New, new)];
    let directory =
        OutputDirectory::reserve(run.output.directory.as_deref(), Path::new("."), "homi")?;
    let prepared = prepare(&sides, &native, &directory);
    let (versions, makes_symbolic) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            directory.remove_unused();
            return Err(error);
        }
    };
    let mut run = run.clone();
    if run.program.arguments.is_empty() && !makes_symbolic {
        run.program.arguments = usual_inputs(run.campaign.is_some())
            .split(' ')
            .map(str::to_string)
            .collect();
    }
    run.tests.all = true;
    run.output.directory = None;
    if let Span::Time(time) = run.budget.time {
        run.budget.time = Span::Time(time / 2);
    }
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut summaries = Vec::new();
    for version in &versions {
        say(&run, &format!("exploring {}", version.name));
        let place = directory.file(version.side.name());
        if let (Side::New, None) = (version.side, &run.campaign) {
            let mut seeds = tester::tests_in(&directory.file(Side::Old.name()));
            seeds.truncate(SEEDS);
            (run.seeds.files, run.seeds.others) = (seeds, Others::Later);
        }
        summaries.push(explore(&run, version, &place, line, &signals)?);
    }
    let interrupt = &signals.stop_requested;
    interrupt.store(false, Ordering::Relaxed);
    let replays = NativeReplays {
        timeout: native.timeout,
        interrupt: Arc::clone(interrupt),
        progress: crate::report::Progress::hidden(),
    };
    say(&run, "running the tests of both natively on both");
    let mut comparison = tester::compare(&versions, directory.path(), run.search.seed, &replays)?;
    comparison.notes = notes(&summaries);
    let json = serde_json::to_string_pretty(&comparison).context("cannot write JSON")? + "\n";
    let file = directory.file(COMPARISON);
    std::fs::write(&file, json).with_context(|| format!("cannot write {}", file.display()))?;
    super::print(&tester::comparison_text(&comparison))?;
    Ok(exit(&comparison))
}

fn exit(comparison: &Comparison) -> Exit {
    match comparison.differences.is_empty() {
        true => Exit::Done,
        false => Exit::BugsFound,
    }
}

/// Compiles what has to be compiled. Also says whether a program makes its inputs symbolic itself.
fn prepare(
    sides: &[(Side, &PathBuf)],
    native: &NativeConfig,
    directory: &OutputDirectory,
) -> anyhow::Result<(Vec<Version>, bool)> {
    let mut versions = Vec::new();
    let mut makes_symbolic = false;
    for (side, file) in sides {
        let file = (*file).clone();
        let place = directory.file(&format!("{}-build", side.name()));
        let given = Given::of(std::slice::from_ref(&file), native).map_err(UsageError)?;
        let name = file.display().to_string();
        let (bitcode, exe) = match given {
            Given::Sources(sources) => {
                let compiled = tester::compile_bitcode(llvm_version(), &sources)?;
                let bitcode = compiled.keep_in(&place)?;
                let calls = tester::harness_calls(&bitcode).context("cannot read the bitcode")?;
                makes_symbolic |= calls.makes_symbolic;
                let exe = tester::build_plain(&sources, calls, &place)?;
                (bitcode, exe)
            }
            Given::Executable(exe) => (vec![exe.clone()], exe),
            Given::Bitcode(_) => {
                return Err(UsageError(format!(
                    "{name} is bitcode, which does not run natively, so no difference could be \
                     confirmed: give C files, or executables made by `homi cc`"
                ))
                .into());
            }
        };
        versions.push(Version {
            side: *side,
            name,
            bitcode,
            exe,
        });
    }
    Ok((versions, makes_symbolic))
}

fn explore(
    run: &RunConfig,
    version: &Version,
    place: &Path,
    line: &RunLine,
    signals: &Signals,
) -> anyhow::Result<Summary> {
    let mut run = run.clone();
    run.program.inputs.clone_from(&version.bitcode);
    run.output.quiet = true;
    let words = line.words();
    let words = words.iter().map(|word| word.to_string_lossy());
    let words: Vec<_> = std::iter::once("homi compare".into())
        .chain(words)
        .collect();
    let mut caller = caller(&words.join(" "), signals)?;
    // The second run needs the process.
    (caller.brief, caller.process_ends) = (true, false);
    caller.directory = Some(OutputDirectory::reserve(
        Some(place),
        Path::new("."),
        "homi",
    )?);
    let explored = session::run(&run, &caller).map_err(failed)?;
    match explored.failure {
        Some(failure) => Err(failed(failure)),
        None => Ok(explored.summary),
    }
}

/// What was not explored.
fn notes(summaries: &[Summary]) -> Vec<String> {
    let both = [Side::Old, Side::New].into_iter().zip(summaries);
    let open = both.filter(|(_, summary)| summary.stop_reason != "exhausted");
    open.map(|(side, summary)| {
        let (side, reason) = (side.name(), &summary.stop_reason);
        format!("not every path of the {side} version was followed ({reason})")
    })
    .collect()
}

fn say(run: &RunConfig, text: &str) {
    if !run.output.quiet {
        eprintln!("homi: {text}");
    }
}
