//! `homi cc` and `homi c++`: variables of the environment become settings, and all words are the
//! native compiler's.

use crate::app::session;
use crate::build::cc::{DEFAULT_FLAGS, Driver, HarnessParts, Settings, drive};
use crate::build::toolchain::clang_in;
use crate::llvm::llvm_version;
use anyhow::Context;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Words of a compiler, for the page of help only: `main` gives them to [`execute`] unread.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "homi cc [WORD]...   (as gcc)\n       homi c++ [WORD]...  (as g++)",
    after_help = "Each source is compiled natively, exactly as asked, and to bitcode, which the \
object file carries in a section that linkers keep. So `homi run` takes the executable:\n\n  \
CC=\"homi cc\" CXX=\"homi c++\" ./configure && make\n  homi run ./prog -- --sym-args 0 2 8\n\n\
Files named homi-cc and homi-c++ that link to homi do the same, for builds that want one word.\n\n\
Environment variables:\n  \
HOMI_CC, HOMI_CXX         the native compilers [default: gcc, g++]\n  \
HOMI_CC_COVERAGE=1        build for gcov: --coverage -O0 -g\n  \
HOMI_CC_CLANG             the clang that makes bitcode [default: the newest that homi reads]\n  \
HOMI_CC_BITCODE_FLAGS     its flags [default: -g -O0 -Xclang -disable-O0-optnone]\n  \
HOMI_CC_VERBOSE=1         say what is done"
)]
pub(super) struct CompilerArgs {
    /// Words of gcc or clang
    #[arg(
        value_name = "WORD",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<OsString>,
}

/// Which compiler the command line asks for, and where its words begin.
pub(super) fn asked_for(words: &[OsString]) -> Option<(Driver, usize)> {
    let program = words.first().map(|word| Path::new(word).file_name());
    match program.flatten().and_then(OsStr::to_str) {
        Some("homi-cc") => return Some((Driver::C, 1)),
        Some("homi-c++") => return Some((Driver::Cxx, 1)),
        _ => {}
    }
    // The page of help is for people; every other word is for the native compiler.
    if words.len() == 3 && (words[2] == "--help" || words[2] == "-h") {
        return None;
    }
    match words.get(1).and_then(|word| word.to_str()) {
        Some("cc") => Some((Driver::C, 2)),
        Some("c++") => Some((Driver::Cxx, 2)),
        _ => None,
    }
}

/// As [`execute`], of what clap read.
pub(super) fn from_table(args: CompilerArgs) -> anyhow::Result<ExitCode> {
    execute(Driver::C, args.words)
}

/// Compiles; the native compiler's exit status.
pub(super) fn execute(driver: Driver, words: Vec<OsString>) -> anyhow::Result<ExitCode> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let (name, default) = match driver {
        Driver::C => ("HOMI_CC", "gcc"),
        Driver::Cxx => ("HOMI_CXX", "g++"),
    };
    let native = split(&variable(name).unwrap_or_else(|| default.into()));
    let named = variable("HOMI_CC_CLANG").map(PathBuf::from);
    let path = variable("PATH").unwrap_or_default();
    let flags = variable("HOMI_CC_BITCODE_FLAGS").unwrap_or_else(|| DEFAULT_FLAGS.into());
    let shown: Vec<_> = native.iter().map(|word| word.to_string_lossy()).collect();
    let shown = shown.join(" ");
    let settings = Settings {
        driver,
        clang: named.or_else(|| clang_in(&path, llvm_version())),
        native,
        flags: split(&flags),
        coverage: is_set("HOMI_CC_COVERAGE"),
        verbose: is_set("HOMI_CC_VERBOSE"),
        words,
        directory: std::env::current_dir().context("there is no current directory")?,
        harness: harness_parts(),
        cxx_headers: cxx_headers(),
    };
    let status = drive(&settings).with_context(|| {
        format!("cannot run the native compiler {shown} ({name} names another)")
    })?;
    Ok(ExitCode::from(status))
}

/// What harnesses need, where homi's own parts are installed.
fn harness_parts() -> Option<HarnessParts> {
    let executable = std::env::current_exe().ok();
    let runtime = session::runtime_directory(executable.as_deref()).ok()?;
    HarnessParts::of(&runtime)
}

/// The headers of LLVM's C++ library, where it was set up.
fn cxx_headers() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok();
    let runtime = session::runtime_directory(executable.as_deref()).ok()?;
    let headers = runtime.join(session::CXX_HEADERS);
    headers.join("__config").is_file().then_some(headers)
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

fn split(words: &OsStr) -> Vec<OsString> {
    let words = words.to_string_lossy();
    words.split_whitespace().map(OsString::from).collect()
}
