//! The program that is run: reading and lowering it, warnings about it.

use super::compiled_checks;
use super::{Caller, SessionError};
use homi_build::harness;
use homi_build::harness::Harness;
use homi_config::{CheckKind, Goal, LibcChoice, Property, RunConfig, StubConfig, StubSpec};
use homi_ir::program::watch::Watch;
use homi_ir::program::{FUZZED, FuncId, PointerWidth, Program};
use homi_ir::util::installation;
use homi_llvm as llvm;
use homi_machine::exec::ERRNO_SETTER;
use homi_report::{Log, SharedLog};
use std::path::{Path, PathBuf};

/// The harness for a function that is not `main`; none if it is called as `main` is.
fn harness(config: &RunConfig, caller: &Caller) -> Result<Option<Harness>, SessionError> {
    let entry = &config.program.entry;
    let as_it_is = entry == "main" || !config.dialect.calls_entry_by_harness();
    if as_it_is && entry != FUZZED {
        return Ok(None);
    }
    let inputs = &config.program.inputs;
    let Some(text) = llvm::program_text(inputs, entry, caller.executable.as_deref()) else {
        return Ok(None);
    };
    let has_arguments = !config.program.arguments.is_empty();
    match harness::source(&text, &config.function, has_arguments)? {
        Some(source) if source.is_symbolic => {
            let version = llvm::llvm_version();
            Ok(Some(Harness::compile(source.text, entry, version)?))
        }
        Some(_) | None => Ok(None),
    }
}

/// A loaded program.
pub(super) struct Loaded {
    pub(super) program: Program,
    /// The harness that calls the function that the run is about.
    pub(super) harness: Option<Harness>,
    /// The options with which the program was loaded.
    pub(super) options: llvm::LoadOptions,
}

/// Reads and lowers the program, with the runtime unless it is not wanted. One without `main` that
/// is made for fuzzers begins as those call it.
pub(super) fn load(config: &RunConfig, caller: &Caller) -> Result<Loaded, SessionError> {
    match load_from(config, caller) {
        Err(SessionError::Load(error)) if error.is_of_fuzz_driver() => {
            let mut config = config.clone();
            config.program.entry = FUZZED.to_string();
            config.function.entry = FUZZED.to_string();
            load_from(&config, caller)
        }
        loaded => loaded,
    }
}

fn load_from(config: &RunConfig, caller: &Caller) -> Result<Loaded, SessionError> {
    let runtime_dir = match config.program.libc {
        LibcChoice::None => None,
        // A program that needs no libc runs without; the undefined functions of another are listed.
        LibcChoice::Auto => runtime_dir(config, caller)
            .inspect_err(|error| log_early(config, &format!("running without a libc: {error}")))
            .ok(),
        LibcChoice::Musl => Some(runtime_dir(config, caller)?),
    };
    if !config.output.quiet {
        for note in llvm::find_modules(&config.program.inputs)?.notes {
            eprintln!("homi: note: {note}");
        }
    }
    let harness = harness(config, caller)?;
    let options = llvm::LoadOptions {
        inputs: config.program.inputs.clone(),
        runtime_dir,
        entry: config.program.entry.clone(),
        harness: harness
            .as_ref()
            .map(|one| (one.bitcode(), harness::MAIN.to_string())),
        replaced: replaced(config),
        keep: kept(config),
        cache_dir: caller.cache_directory.clone(),
        track_undefined: config.symbolic.undefined || config.symbolic.unset_is_any,
        unset_is_any: config.symbolic.unset_is_any,
        track_overflow: config.checks.has(CheckKind::SignedIntegerOverflow),
        keep_locals: config.checks.has(CheckKind::Leak) || config.checks.has(CheckKind::Pointers),
        // An interpolant does not cover which blocks have ended.
        ends_blocks: config.subsume.is_none(),
        aliases: config.program.aliases.clone(),
        simple_switches: config.program.simple_switches,
        watch: Watch {
            points: config.symbolic.preemptions > 0,
            accesses: config.symbolic.races,
            marks: wants_verdict(config),
            folds: config
                .property
                .as_ref()
                .is_some_and(|property| property.has(Goal::NoOverflow)),
            loops: config.generalizes_loops()
                || (config.property.as_ref())
                    .is_some_and(|property| property.has(Goal::Termination)),
            pointers: config.checks.has(CheckKind::Pointers),
        },
        reading_time: llvm::READING_TIME,
    };
    let mut program = match &caller.executable {
        Some(executable) => llvm::load_in_child(&options, executable)?,
        None => llvm::load(&options)?,
    };
    if program.pointers == PointerWidth::Bits32 && config.subsume.is_some() {
        let reason = "--subsume needs a 64-bit program; leave it out, or compile without -m32";
        return Err(SessionError::Request(reason.to_string()));
    }
    if config.dialect.unbuffers_output() {
        unbuffer(&mut program);
    }
    if config.dialect.names_files_in_full() {
        program.name_files_in_full();
    }
    Ok(Loaded {
        program,
        harness,
        options,
    })
}

/// The libc's function after which standard output has no buffer.
const UNBUFFER: &str = "__homi_unbuffer_stdout";

/// Lets the program begin by taking standard output's buffer away, if it has a libc.
fn unbuffer(program: &mut Program) {
    let mut functions = program.functions.iter();
    let found = functions.position(|function| function.name == UNBUFFER && function.is_defined());
    if let Some(function) = found {
        program.constructors.insert(0, FuncId::new(function));
    }
}

/// Functions that a verification task calls to report an error.
const ERROR_CALLS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// True if the run ends with a verdict that may be TRUE.
fn wants_verdict(config: &RunConfig) -> bool {
    let property = config.property.as_ref();
    property.is_some_and(|property| !property.asks_for_tests())
}

/// Functions of the program that it is not asked what they do: that they are called is the error.
fn replaced(config: &RunConfig) -> Vec<String> {
    let property = config.property.as_ref();
    if property.is_some_and(Property::is_about_error) {
        ERROR_CALLS.map(str::to_string).to_vec()
    } else {
        Vec::new()
    }
}

/// Functions of the libc that the run needs though the program may not.
fn kept(config: &RunConfig) -> Vec<String> {
    let named = config.stubs.named.iter();
    let sets_errno = named.into_iter().any(|(_, stub)| *stub == StubSpec::Errno);
    let errno = sets_errno.then(|| ERRNO_SETTER.to_string());
    let unbuffers = config.dialect.unbuffers_output();
    let unbuffer = unbuffers.then(|| UNBUFFER.to_string());
    errno.into_iter().chain(unbuffer).collect()
}

/// A warning from before there is an output directory.
pub(super) fn log_early(config: &RunConfig, text: &str) {
    if !config.output.quiet {
        eprintln!("homi: WARNING: {text}");
    }
}

/// Directory of the headers of LLVM's C++ library, within the runtime's directory (`scripts/setup
/// cxx`).
pub const CXX_HEADERS: &str = "cxx/include/c++/v1";

/// Returns the directory of the runtime's bitcode: the given one, or one next to the installed
/// command, or in the source tree.
pub(super) fn runtime_dir(config: &RunConfig, caller: &Caller) -> Result<PathBuf, SessionError> {
    match &config.program.runtime_dir {
        Some(directory) => Ok(directory.clone()),
        None => runtime_directory(caller.executable.as_deref()),
    }
}

/// Returns the directory of the bitcode of libc and modeled kernel by default: next to the
/// installed command `executable`, or in the source tree.
pub fn runtime_directory(executable: Option<&Path>) -> Result<PathBuf, SessionError> {
    let beside = |relative: &str| Some(executable?.parent()?.join(relative));
    let mut candidates: Vec<PathBuf> = ["../lib/homi", "../../.deps/runtime"]
        .into_iter()
        .filter_map(beside)
        .collect();
    candidates.push(installation::source_tree().join(".deps/runtime"));
    candidates
        .iter()
        .find(|directory| directory.join("libc.bc").exists())
        .cloned()
        .ok_or_else(|| {
            let places: Vec<_> = candidates
                .iter()
                .map(|place| place.display().to_string())
                .collect();
            SessionError::Missing(format!(
                "cannot find the libc and kernel bitcode (searched {}); {}, pass its directory \
                 with --runtime-dir, or use --libc none",
                places.join(", "),
                installation::remedy()
            ))
        })
}

/// Warns of undefined symbols and unsupported features of the program.
pub(super) fn warn_about_program(config: &RunConfig, program: &Program, log: &SharedLog) {
    let mut log = log.lock();
    // They were read already; a file that has gone since is the next run's error.
    let inputs = llvm::find_modules(&config.program.inputs).unwrap_or_default();
    for warning in &inputs.warnings {
        log.warning(warning);
    }
    for warning in &program.link_warnings {
        log.warning(warning);
    }
    if let Some(warning) = compiled_checks::warning(&config.checks, program) {
        log.warning(&warning);
    }
    for note in &program.alias_notes {
        let text = format!("function-alias: {}", note.text);
        if note.is_warning {
            log.warning(&text)
        } else {
            log.message(&text)
        }
    }
    let undefined = warn_about_stubs(&config.stubs, program, &mut log);
    let warnings = if config.dialect.reports_undefined_references() {
        references(&undefined)
    } else {
        undefined_names(program, &undefined)
    };
    for warning in &warnings {
        log.warning(warning);
    }
    if !program.unsupported_in_lowering.is_empty() {
        let unsupported = program.unsupported_in_lowering.join("; ");
        log.warning(&format!(
            "unsupported features; a path that reaches one ends there: {unsupported}"
        ));
    }
}

/// The name and the hash of the program that a run would have.
///
/// # Errors
/// Fails if the program cannot be loaded.
pub fn program_mark(config: &RunConfig, caller: &Caller) -> Result<(String, String), SessionError> {
    let program = load(config, caller)?.program;
    Ok((program.name.clone(), program.hash()?))
}

/// Number of undefined names that are listed one per line.
const NAMED: usize = 8;

/// Warns about missing functions with stubs, and about stubs whose functions are not missing.
/// Returns the names without a stub.
fn warn_about_stubs(stubs: &StubConfig, program: &Program, log: &mut Log) -> Vec<String> {
    let is_variable = |name: &String| program.globals.iter().any(|global| global.name == *name);
    let is_stub = |name: &String| {
        let mut named = stubs.named.iter();
        let is_named = stubs.missing.is_some() || named.any(|(stub, _)| stub == name);
        is_named && !is_variable(name)
    };
    let names = program.undefined.iter().cloned();
    let (with, without): (Vec<String>, Vec<String>) = names.partition(is_stub);
    if !with.is_empty() {
        let names = with.join(", ");
        log.warning(&format!("undefined functions, replaced by stubs: {names}"));
    }
    for (name, _) in stubs.named.iter().filter(|(name, _)| !with.contains(name)) {
        log.warning(&format!(
            "--stub {name}: the program does not call an undefined function of this name; remove \
             the option or correct the name"
        ));
    }
    without
}

/// Returns the warnings in KLEE's format, and once what homi does differently.
fn references(names: &[String]) -> Vec<String> {
    let references = names.iter();
    let references = references.map(|name| format!("undefined reference to function: {name}"));
    let instead = "a call of an undefined function ends its path as an error; homi never calls the \
         host";
    let instead = (!names.is_empty()).then(|| instead.to_string());
    references.chain(instead).collect()
}

/// A warning for each name that is defined nowhere, with the file that wants it; the last ones
/// together.
fn undefined_names(program: &Program, names: &[String]) -> Vec<String> {
    let wanted = |name: &String| match program.wanted_by.get(name) {
        Some(file) => format!("{name} (needed by {file})"),
        None => name.clone(),
    };
    let (first, rest) = names.split_at(names.len().min(NAMED));
    let first = first.iter().map(|name| {
        format!(
            "undefined symbol; a path that uses it ends there: {}",
            wanted(name)
        )
    });
    let rest = (!rest.is_empty()).then(|| {
        let (count, names) = (rest.len(), rest.join(", "));
        format!("{count} more undefined symbols: {names}")
    });
    let remedy = library_of_cxx(names).map(str::to_string);
    first.chain(rest).chain(remedy).collect()
}

/// Returns the remedy for undefined names of a C++ library.
fn library_of_cxx(names: &[String]) -> Option<&'static str> {
    let any = |part: &str| names.iter().any(|name| name.contains(part));
    let is_gnus = || {
        ["St7__cxx11", "_ZSt4cout", "_ZSt3cin", "_ZNSs", "_ZNSo"]
            .into_iter()
            .any(any)
    };
    match () {
        () if any("St3__1") => {
            Some("the symbols belong to LLVM's C++ library; `scripts/setup cxx` builds its bitcode")
        }
        () if is_gnus() => Some(
            "the symbols belong to GNU's C++ library, but homi uses LLVM's; compile with `homi \
             c++`, or with clang++-19 -stdlib=libc++",
        ),
        () => None,
    }
}
