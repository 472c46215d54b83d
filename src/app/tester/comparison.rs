//! Two versions of one program on the same inputs, natively.
//!
//! Idea: the tests of both versions split the inputs by what either does; inputs near them show
//! differences of values that no branch depends on. Only what both programs do natively counts, and
//! only if they do it again.

use super::difference::StreamDifference;
use super::evidence::NativeReplays;
use super::sanitizer::sanitizer_report;
use super::variants::variants;
use anyhow::Context;
use homi_native::replay;
use homi_native::replay::{ReplayOptions, Status, TestResult, shell};
use homi_native::replay::{read_inputs, readable_inputs};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::tests_in;
use homi_report::described;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One of the two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Old,
    New,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Side::Old => "old",
            Side::New => "new",
        }
    }
}

/// One of the two versions.
#[derive(Clone, Debug)]
pub struct Version {
    pub side: Side,
    /// Name as the user gave it.
    pub name: String,
    pub bitcode: Vec<PathBuf>,
    /// Runs natively.
    pub exe: PathBuf,
}

/// Observable behavior of a program on an input.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Behaviour {
    status: String,
    output: Printed,
    errors: Printed,
}

/// Output of a program, raw and with a placeholder for the program's name.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Printed {
    bytes: Vec<u8>,
    nameless: Vec<u8>,
}

impl Printed {
    /// The name of a program may occur in its input, so either form may be the equal one.
    fn is_like(&self, other: &Self) -> bool {
        self.bytes == other.bytes || self.nameless == other.nameless
    }

    fn difference(&self, other: &Self, stream: &'static str) -> Option<StreamDifference> {
        if self.is_like(other) {
            None
        } else {
            StreamDifference::find(stream, &self.nameless, &other.nameless)
        }
    }
}

/// The two streams of a program by their names.
const OUTPUT: &str = "output";
const ERRORS: &str = "error output";

described! {
    /// An input on which the versions differ.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize)]
    pub struct InputDifference {
        /// Kinds of difference: `exit status`, `output`, `error output`.
        pub what: Vec<&'static str>,
        /// The test.
        pub test: PathBuf,
        /// Input of the test, as people read it.
        pub inputs: Vec<String>,
        /// Ends of the old and the new version: `exit 0`, `signal SIGABRT`, a sanitizer's finding.
        pub ended: [String; 2],
        /// First differences between the outputs.
        pub printed: Vec<StreamDifference>,
        /// The commands that show it.
        pub replay: Vec<String>,
    }
}

impl InputDifference {
    /// True if a person reads the same: bytes behind the end of a string differ, say.
    fn reads_as(&self, other: &Self) -> bool {
        self.inputs == other.inputs && self.ended == other.ended && self.printed == other.printed
    }
}

described! {
    /// Complete result of a comparison.
    #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
    pub struct Comparison {
        /// The old and the new version as they were given.
        pub names: [String; 2],
        /// Inputs that ran on both.
        pub inputs: usize,
        /// The first of each kind.
        pub differences: Vec<InputDifference>,
        /// Number of inputs that differ, including unlisted inputs.
        pub differing: usize,
        /// Inputs on which a program did not do the same twice.
        pub unstable: usize,
        /// Inputs that could not be run.
        pub refused: usize,
        /// Notes about parts that were not explored.
        pub notes: Vec<String>,
    }
}

/// Differences of one kind that are listed.
const LISTED: usize = 5;

/// The directory of the tests on which both run.
const INPUTS: &str = "inputs";

/// Runs the tests of both versions, and inputs near them, on both.
pub fn compare(
    versions: &[Version],
    directory: &Path,
    seed: u64,
    replays: &NativeReplays,
) -> anyhow::Result<Comparison> {
    let [old, new] = versions else {
        anyhow::bail!("two versions are compared");
    };
    let tests = gather(directory, seed)?;
    let before = behaviours(old, &tests, replays)?;
    let after = behaviours(new, &tests, replays)?;
    let mut found = Comparison {
        names: [old.name.clone(), new.name.clone()],
        ..Comparison::default()
    };
    let mut differing = Vec::new();
    for test in &tests {
        match (before.get(test), after.get(test)) {
            (Some(one), Some(other)) => {
                found.inputs += 1;
                if !what_differs(one, other).is_empty() {
                    differing.push(test.clone());
                }
            }
            _ => found.refused += 1,
        }
    }
    let again = [
        behaviours(old, &differing, replays)?,
        behaviours(new, &differing, replays)?,
    ];
    let mut listed: BTreeMap<Vec<&'static str>, usize> = BTreeMap::new();
    for test in differing {
        let (Some(one), Some(other)) = (before.get(&test), after.get(&test)) else {
            continue;
        };
        if again[0].get(&test) != Some(one) || again[1].get(&test) != Some(other) {
            found.unstable += 1;
            continue;
        }
        found.differing += 1;
        let what = what_differs(one, other);
        let count = listed.entry(what.clone()).or_insert(0);
        if *count < LISTED {
            let shown = difference(what, test, versions, [one, other]);
            if !found.differences.iter().any(|one| one.reads_as(&shown)) {
                *count += 1;
                found.differences.push(shown);
            }
        }
    }
    Ok(found)
}

fn what_differs(one: &Behaviour, other: &Behaviour) -> Vec<&'static str> {
    let mut what = Vec::new();
    if one.status != other.status {
        what.push("exit status");
    }
    if !one.output.is_like(&other.output) {
        what.push(OUTPUT);
    }
    if !one.errors.is_like(&other.errors) {
        what.push(ERRORS);
    }
    what
}

fn difference(
    what: Vec<&'static str>,
    test: PathBuf,
    versions: &[Version],
    did: [&Behaviour; 2],
) -> InputDifference {
    let [old, new] = did;
    let printed = [
        old.output.difference(&new.output, OUTPUT),
        old.errors.difference(&new.errors, ERRORS),
    ];
    let inputs = match read_inputs(&test) {
        Ok(inputs) => readable_inputs(&inputs),
        Err(why) => vec![why],
    };
    let command = |version: &Version| {
        format!(
            "homi replay --show-output {} {}",
            shell::command_name(&version.exe),
            shell::command_name(&test)
        )
    };
    InputDifference {
        replay: versions.iter().map(command).collect(),
        printed: printed.into_iter().flatten().collect(),
        ended: did.map(|did| did.status.clone()),
        what,
        test,
        inputs,
    }
}

/// Copies the tests of both, and variants of them, into one directory; those with equal objects
/// once.
fn gather(directory: &Path, seed: u64) -> anyhow::Result<Vec<PathBuf>> {
    let place = directory.join(INPUTS);
    std::fs::create_dir_all(&place).context("cannot make the directory of inputs")?;
    let mut known = BTreeSet::new();
    let mut kept = Vec::new();
    for side in [Side::Old, Side::New] {
        for test in tests_in(&directory.join(side.name())).unwrap_or_default() {
            let stem = test
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let ktest = KTest::read(&test)?;
            let near = variants(&ktest, seed, &stem);
            for (number, one) in std::iter::once(ktest).chain(near).enumerate() {
                let mut named = one.clone();
                named.args.clear();
                if !known.insert(named.to_bytes()) {
                    continue;
                }
                let name = format!("{}-{stem}-{number}.ktest", side.name());
                let path = place.join(name);
                std::fs::write(&path, one.to_bytes()).context("cannot write an input")?;
                kept.push(path);
            }
        }
    }
    Ok(kept)
}

/// Returns the behavior of a version on each test that it can run.
fn behaviours(
    version: &Version,
    tests: &[PathBuf],
    replays: &NativeReplays,
) -> anyhow::Result<BTreeMap<PathBuf, Behaviour>> {
    if tests.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut options = ReplayOptions {
        exe: version.exe.clone(),
        tests: tests.to_vec(),
        interrupt: Arc::clone(&replays.interrupt),
        ..ReplayOptions::default()
    };
    options.limits.timeout = replays.timeout;
    let mut found = BTreeMap::new();
    replay::run(&options, &mut |result| {
        if let Some(behaviour) = behaviour(version, result) {
            found.insert(result.test.clone(), behaviour);
        }
        Ok(())
    })?;
    Ok(found)
}

fn behaviour(version: &Version, result: &TestResult) -> Option<Behaviour> {
    let Status::Ended(_) = &result.status else {
        return None;
    };
    let report = sanitizer_report(&String::from_utf8_lossy(&result.stderr));
    let status = match report {
        Some(report) => report.key(),
        None => result.status.to_string(),
    };
    Some(Behaviour {
        status,
        output: printed(&result.stdout, &version.exe),
        errors: printed(&result.stderr, &version.exe),
    })
}

fn printed(bytes: &[u8], exe: &Path) -> Printed {
    Printed {
        bytes: bytes.to_vec(),
        nameless: without_name(bytes, exe),
    }
}

/// Returns the output with a placeholder for the program's name.
fn without_name(bytes: &[u8], exe: &Path) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let path = exe.display().to_string();
    let name = exe
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let absolute = std::path::absolute(exe)
        .unwrap_or_default()
        .display()
        .to_string();
    let text = text.replace(&absolute, "PROGRAM").replace(&path, "PROGRAM");
    text.replace(&name, "PROGRAM").into_bytes()
}

/// The report for people.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_comparison(&mut out, comparison);
    out
}

fn write_comparison(out: &mut String, found: &Comparison) -> fmt::Result {
    let [old, new] = &found.names;
    match found.differing {
        0 => writeln!(
            out,
            "No difference between {old} and {new} found on {} inputs.",
            found.inputs
        )?,
        count => writeln!(
            out,
            "{count} of {} inputs show a difference between {old} and {new}:",
            found.inputs
        )?,
    }
    for (number, one) in (1..).zip(&found.differences) {
        writeln!(out, "\n{number}. another {}", one.what.join(", "))?;
        for (index, input) in one.inputs.iter().enumerate() {
            let label = if index == 0 { "input" } else { "" };
            writeln!(out, "   {label:<8} {input}")?;
        }
        writeln!(out, "   old      {}", one.ended[0])?;
        writeln!(out, "   new      {}", one.ended[1])?;
        for place in &one.printed {
            let label = if place.stream == OUTPUT {
                "output"
            } else {
                "errors"
            };
            writeln!(out, "   {label:<8} {place}")?;
        }
        for command in &one.replay {
            writeln!(out, "   replay   {command}")?;
        }
    }
    writeln!(out)?;
    if found.differing > found.differences.len() {
        writeln!(
            out,
            "{} more are not listed.",
            found.differing - found.differences.len()
        )?;
    }
    if found.unstable > 0 {
        writeln!(
            out,
            "note: {} inputs are left out because a program was not deterministic on them",
            found.unstable
        )?;
    }
    if found.refused > 0 {
        writeln!(out, "note: {} inputs could not run natively", found.refused)?;
    }
    for note in &found.notes {
        writeln!(out, "note: {note}")?;
    }
    match found.differing {
        0 => writeln!(
            out,
            "This is not a proof: homi samples values that no branch depends on."
        ),
        _ => writeln!(
            out,
            "Both programs ran natively on each of these inputs, twice."
        ),
    }
}
