//! One call of the compiler, from its arguments to its exit status.
//!
//! Invariant: status and output are the native compiler's. Bitcode is made where an object is made
//! and nowhere else; an error of it never fails the build.

use super::embed::{self, Source};
use super::flags;
use super::fortify;
use super::harness;
use super::invocation::{Invocation, Stage};
use super::language::Language;
use super::linked;
use super::native;
use super::probe::is_probe;
use super::settings::Settings;
use crate::sanitizers::{Receiver, for_receiver, sentence};
use homi_llvm::embedded::{SECTION, append_section, encode};
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// Does what a compiler would do; the exit status. Err: the native compiler cannot be run.
pub fn drive(settings: &Settings) -> std::io::Result<u8> {
    let asked = Invocation::parse(&settings.arguments, settings.driver);
    let settings = &Settings {
        arguments: harness::arguments(settings, &asked),
        ..settings.clone()
    };
    let invocation = Invocation::parse(&settings.arguments, settings.driver);
    let stage = invocation.stage();
    let sources = sources(&invocation, stage);
    let probe = sources
        .iter()
        .any(|source| is_probe(source.name, &settings.directory));
    let arguments = native::arguments(settings, &invocation, stage, probe);
    let nothing_made = match stage {
        Stage::Other => true,
        Stage::Compile => sources.is_empty(),
        Stage::Link => false,
    };
    if nothing_made || probe || discards(&invocation) {
        return Err(native::replace(settings, &arguments));
    }
    if !sources.is_empty() {
        tell_of_sanitizers(settings, &invocation);
    }
    let input = standard_input(&invocation)?;
    let input = input.as_deref();
    let (status, records) = std::thread::scope(|scope| {
        let records = scope.spawn(|| records(settings, &invocation, &sources, input));
        let status = native::run(settings, &arguments, input);
        // A panic is homi's own fault and must not hide what the native compiler said.
        (status, records.join().unwrap_or_default())
    });
    let status = status?;
    if status.success() {
        for (source, record) in sources.iter().zip(records) {
            add(settings, &source.output, &record);
        }
        if stage == Stage::Link && !linked::is_partial(&invocation) {
            let output = settings
                .directory
                .join(invocation.output_of(stage, OsStr::new("")));
            let head = linked::record(&invocation, &settings.directory, &output);
            add(settings, &output, &encode(&head, &[]));
        }
    }
    Ok(exit_code(status))
}

fn sources(invocation: &Invocation, stage: Stage) -> Vec<Source<'_>> {
    let inputs = invocation.inputs();
    inputs
        .filter(|(_, language)| matches!(language, Language::Source(_) | Language::Assembler))
        .map(|(name, language)| Source {
            name,
            language,
            output: invocation.output_of(stage, name),
        })
        .collect()
}

/// Says which sanitizers of the build the bitcode or the native program is without.
fn tell_of_sanitizers(settings: &Settings, invocation: &Invocation) {
    let flags: Vec<String> = invocation
        .options()
        .map(|item| item.text().to_string())
        .collect();
    let receivers = [Receiver::Bitcode, Receiver::Gcc];
    let receivers = receivers
        .iter()
        .filter(|one| **one != Receiver::Gcc || !native::is_clang(settings));
    for receiver in receivers {
        let (_, left_out) = for_receiver(&flags, *receiver);
        if let Some(text) = sentence(&left_out, *receiver) {
            eprintln!("homi cc: {text}");
        }
    }
}

/// The output goes nowhere, as in scripts that ask whether something compiles.
fn discards(invocation: &Invocation) -> bool {
    let output = invocation.output();
    output.is_some_and(|output| output.starts_with("/dev"))
}

/// The standard input, if it is compiled.
fn standard_input(invocation: &Invocation) -> std::io::Result<Option<Vec<u8>>> {
    if !invocation.inputs().any(|(name, _)| name == "-") {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn records(
    settings: &Settings,
    invocation: &Invocation,
    sources: &[Source<'_>],
    input: Option<&[u8]>,
) -> Vec<Vec<u8>> {
    let mut flags = fortify::arguments(settings.harness.as_ref(), invocation);
    flags.extend(flags::for_clang(invocation, &settings.flags));
    let counts = ["--coverage", "-coverage", "-fprofile-arcs"];
    let coverage = settings.coverage || counts.iter().any(|option| invocation.has(option));
    sources
        .iter()
        .map(|source| embed::record(settings, source, &flags, coverage, input))
        .collect()
}

/// Adds a record to what the native compiler has made.
fn add(settings: &Settings, output: &Path, record: &[u8]) {
    let shown = output.display();
    match append_section(output, SECTION, record) {
        Ok(true) => settings.say(&format!("{shown} carries {} bytes", record.len())),
        Ok(false) => settings.say(&format!("{shown} cannot carry bitcode")),
        Err(error) => settings.say(&error.to_string()),
    }
}

/// Returns the exit status as a shell reports it for a compiler that a signal ended.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
