//! KLEE as an engine to compare with: its command line and its statistics.
//!
//! KLEE gets the options that its authors recommend for coreutils. STP recurses over deep terms and
//! crashes KLEE with the usual stack of 8 MiB, so the stack is unlimited. Functions that coreutils
//! call and KLEE's C library lacks are linked in; otherwise KLEE would call the host's functions
//! and drop paths. Only replays count the coverage of KLEE's tests.

use super::configurations::Configuration;
use super::jobs::Ready;
use super::measure::inputs_of;
use super::plan::Study;
use super::study_run::{Bug, Row};
use homi_config::Budget;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of https://klee-se.org/docs/coreutils-experiments, without output files that studies do
/// not read.
const USUAL: [&str; 17] = [
    "--posix-runtime",
    "--libc=uclibc",
    "--external-calls=all",
    "--simplify-sym-indices",
    "--optimize",
    "--disable-inlining",
    "--use-forked-solver",
    "--use-cex-cache",
    "--only-output-states-covering-new",
    "--max-sym-array-size=4096",
    "--max-solver-time=30s",
    "--watchdog",
    "--max-memory-inhibit=false",
    "--max-static-fork-pct=1",
    "--max-static-solve-pct=1",
    "--max-static-cpfork-pct=1",
    "--switch-type=internal",
];
/// Search options of KLEE, unless the configuration sets others.
const USUAL_SEARCH: [&str; 4] = [
    "--search=random-path",
    "--search=nurs:covnew",
    "--use-batching-search",
    "--batch-instructions=10000",
];

/// C source of functions that programs call and KLEE's C library lacks.
const LIBRARY: &str = include_str!("klee_library.c");

/// Installed KLEE that a study uses.
#[derive(Clone, Debug)]
pub(super) struct Klee {
    /// First line of the output of `klee --version`.
    pub(super) version: String,
    /// Major version of KLEE's LLVM.
    llvm: u32,
    /// Bitcode of `LIBRARY`; `None` before it is compiled.
    library: Option<PathBuf>,
}

impl Klee {
    /// Returns the `klee` on the PATH; `None` if it does not report its version.
    pub(super) fn find() -> Option<Klee> {
        let said = Command::new("klee").arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&said.stdout);
        let version = text.lines().next().filter(|_| said.status.success())?;
        Some(Klee {
            version: version.to_string(),
            llvm: llvm_of(&text).unwrap_or(KLEES_LLVM),
            library: None,
        })
    }

    /// Compiles the functions that KLEE's library lacks, with a clang whose bitcode KLEE's LLVM
    /// reads. The error is the reason for a failure.
    pub(super) fn add_library(&mut self, place: &Path) -> Result<(), String> {
        let (source, library) = (place.join("klee_library.c"), place.join("klee_library.bc"));
        let written =
            std::fs::create_dir_all(place).and_then(|()| std::fs::write(&source, LIBRARY));
        written.map_err(|error| format!("{}: {error}", source.display()))?;
        let clang = format!("clang-{}", self.llvm);
        let mut compiled = Command::new(&clang);
        compiled
            .args(["-D_GNU_SOURCE", "-O1", "-emit-llvm", "-c"])
            .arg(&source)
            .arg("-o")
            .arg(&library);
        let why = match compiled.output() {
            Ok(output) if output.status.success() => {
                self.library = Some(library);
                return Ok(());
            }
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_string(),
            Err(error) => error.to_string(),
        };
        Err(format!(
            "cannot run {clang}: {why}; run apt-get install {clang}"
        ))
    }
}

/// Returns the major version of LLVM in a text such as `Debian LLVM version 16.0.6`.
fn llvm_of(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("LLVM version ")?;
    rest.split('.').next()?.trim().parse().ok()
}

/// Major version of LLVM assumed for a KLEE that does not report it.
const KLEES_LLVM: u32 = 16;

/// Returns KLEE's command line, or the reason why there is none.
pub(super) fn command(
    klee: Option<&Klee>,
    study: &Study,
    ready: &Ready,
    configuration: &Configuration,
    (seed, output): (u64, &Path),
) -> Result<Vec<OsString>, String> {
    let bitcode = match (&ready.subject.klee, ready.files.as_slice()) {
        (Some(file), _) => file,
        (None, [file]) if file.extension().is_some_and(|ending| ending == "bc") => file,
        _ => return Err("KLEE needs a single bitcode file; set `klee-bitcode`".to_string()),
    };
    let mut arguments: Vec<OsString> = ["prlimit", "--stack=unlimited", "klee"]
        .map(OsString::from)
        .to_vec();
    // Options of the configuration replace the usual ones of the same name.
    let name = |argument: &str| {
        argument
            .split('=')
            .next()
            .unwrap_or_default()
            .trim_start_matches('-')
            .to_string()
    };
    let own: Vec<String> = configuration
        .options
        .iter()
        .map(|argument| name(argument))
        .collect();
    let chooses = own.iter().any(|argument| argument == "search");
    let search: &[&str] = if chooses { &[] } else { &USUAL_SEARCH };
    let usual = USUAL
        .iter()
        .chain(search)
        .filter(|argument| configuration.usual && !own.contains(&name(argument)));
    arguments.extend(usual.map(OsString::from));
    let library = klee.and_then(|klee| klee.library.as_ref());
    if let Some(library) = library.filter(|_| configuration.usual) {
        let mut argument = OsString::from("--link-llvm-lib=");
        argument.push(library);
        arguments.push(argument);
    }
    arguments.push(format!("--max-memory={}", study.memory >> 20).into());
    arguments.push(match study.budget {
        Budget::Time(time) => format!("--max-time={}s", time.as_secs_f64()).into(),
        Budget::Instructions(count) => format!("--max-instructions={count}").into(),
        Budget::Work(_) => {
            let text = "KLEE does not count work; set `budget` in time or instructions";
            return Err(text.to_string());
        }
    });
    arguments.push(format!("--rng-initial-seed={seed}").into());
    arguments.extend(configuration.options.iter().map(OsString::from));
    let mut directory = OsString::from("--output-dir=");
    directory.push(output);
    arguments.push(directory);
    arguments.push(bitcode.into());
    arguments.extend(ready.subject.arguments.iter().map(OsString::from));
    Ok(arguments)
}

/// Fills in the statistics that a run of KLEE reports. Returns its stop reason; `None` if it did
/// not finish.
pub(super) fn figures(row: &mut Row, output: &Path, log: &Path) -> Option<String> {
    let mut names: Vec<String> = std::fs::read_dir(output)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    row.tests = names.iter().filter(|name| name.ends_with(".ktest")).count() as u64;
    row.bugs = names.iter().filter_map(|name| bug(output, name)).collect();
    let info = std::fs::read_to_string(output.join("info")).unwrap_or_default();
    let said = info + &std::fs::read_to_string(log).unwrap_or_default();
    row.instructions = figure(&said, "total instructions")?;
    row.queries = figure(&said, "total queries").unwrap_or_default();
    let is_halted = said.contains("HaltTimer invoked") || said.contains("halting execution");
    Some(if is_halted { "max-time" } else { "ended" }.to_string())
}

/// Returns the number in the last `done: NAME = NUMBER`.
fn figure(said: &str, name: &str) -> Option<u64> {
    let (_, rest) = said.rsplit_once(&format!("done: {name} = "))?;
    let digits = rest.chars().take_while(char::is_ascii_digit);
    digits.collect::<String>().parse().ok()
}

/// Reads the bug from a file such as `test000003.ptr.err`.
fn bug(output: &Path, name: &str) -> Option<Bug> {
    let (test, kind) = name.strip_suffix(".err")?.split_once('.')?;
    let text = std::fs::read_to_string(output.join(name)).ok()?;
    let value = |key: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(key))
            .map(|value| value.trim().to_string())
    };
    let file = value("File:").unwrap_or_default();
    Some(Bug {
        kind: kind.to_string(),
        message: value("Error:").unwrap_or_default(),
        location: format!(
            "{file}:{}",
            value("Line:")
                .or_else(|| value("line:"))
                .unwrap_or_default()
        ),
        test: test.to_string(),
        inputs: inputs_of(&output.join(format!("{test}.ktest"))),
    })
}
