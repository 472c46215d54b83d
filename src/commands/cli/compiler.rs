//! `homi cc` and `homi c++`: environment variables become settings; all arguments go to the native
//! compiler.

use anyhow::Context;
use homi_app::session;
use homi_build::cc::{DEFAULT_FLAGS, Driver, HarnessParts, Settings, drive};
use homi_build::toolchain::clang_in;
use homi_llvm::llvm_version;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of a compiler, for the help page only: `main` passes them to [`execute`] unparsed.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "homi cc [ARGUMENT]...   (as gcc)\n       homi c++ [ARGUMENT]...  (as g++)",
    after_help = "homi compiles each source natively, exactly as requested, and to bitcode, which \
it embeds in a section of the object file that linkers keep. `homi run` takes the executable:\n\n  \
CC=\"homi cc\" CXX=\"homi c++\" ./configure && make\n  homi run ./prog -- --sym-args 0 2 8\n\n\
Links named homi-cc and homi-c++ that point to homi do the same, for builds that need one word.\n\n\
Environment variables:\n  \
HOMI_CC, HOMI_CXX         the native compilers [default: gcc, g++]\n  \
HOMI_CC_COVERAGE=1        build for gcov: --coverage -O0 -g\n  \
HOMI_CC_CLANG             the clang that emits bitcode [default: the newest supported]\n  \
HOMI_CC_BITCODE_FLAGS     its flags [default: -g -O0 -Xclang -disable-O0-optnone]\n  \
HOMI_CC_VERBOSE=1         print each step"
)]
pub(super) struct CompilerArgs {
    /// Arguments of gcc or clang
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

/// Returns the compiler that the command line names and the index of its first argument; `None` for
/// other commands and for help.
pub(super) fn asked_for(arguments: &[OsString]) -> Option<(Driver, usize)> {
    let program = arguments
        .first()
        .map(|argument| Path::new(argument).file_name());
    match program.flatten().and_then(OsStr::to_str) {
        Some("homi-cc") => return Some((Driver::C, 1)),
        Some("homi-c++") => return Some((Driver::Cxx, 1)),
        _ => {}
    }
    // clap prints the help page; the native compiler gets all other arguments.
    if arguments.len() == 3 && (arguments[2] == "--help" || arguments[2] == "-h") {
        return None;
    }
    match arguments.get(1).and_then(|argument| argument.to_str()) {
        Some("cc") => Some((Driver::C, 2)),
        Some("c++") => Some((Driver::Cxx, 2)),
        _ => None,
    }
}

/// Runs [`execute`] on arguments that clap parsed.
pub(super) fn from_table(args: CompilerArgs) -> anyhow::Result<ExitCode> {
    execute(Driver::C, args.arguments)
}

/// Compiles and returns the native compiler's exit status.
pub(super) fn execute(driver: Driver, arguments: Vec<OsString>) -> anyhow::Result<ExitCode> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let (name, default) = match driver {
        Driver::C => ("HOMI_CC", "gcc"),
        Driver::Cxx => ("HOMI_CXX", "g++"),
    };
    let native = split(&variable(name).unwrap_or_else(|| default.into()));
    let named = variable("HOMI_CC_CLANG").map(PathBuf::from);
    let path = variable("PATH").unwrap_or_default();
    let flags = variable("HOMI_CC_BITCODE_FLAGS").unwrap_or_else(|| DEFAULT_FLAGS.into());
    let shown: Vec<_> = native
        .iter()
        .map(|argument| argument.to_string_lossy())
        .collect();
    let shown = shown.join(" ");
    let settings = Settings {
        driver,
        clang: named.or_else(|| clang_in(&path, llvm_version())),
        native,
        flags: split(&flags),
        coverage: is_set("HOMI_CC_COVERAGE"),
        verbose: is_set("HOMI_CC_VERBOSE"),
        arguments,
        directory: std::env::current_dir().context("cannot find the current directory")?,
        harness: harness_parts(),
        cxx_headers: cxx_headers(),
    };
    let status = drive(&settings).with_context(|| {
        format!("cannot run the native compiler {shown}; choose another with {name}")
    })?;
    Ok(ExitCode::from(status))
}

/// Returns the installed parts that harnesses need; `None` if homi's runtime is not installed.
fn harness_parts() -> Option<HarnessParts> {
    let executable = std::env::current_exe().ok();
    let runtime = session::runtime_directory(executable.as_deref()).ok()?;
    HarnessParts::of(&runtime)
}

/// Returns the directory of the headers of LLVM's C++ library; `None` if it was not set up.
fn cxx_headers() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok();
    let runtime = session::runtime_directory(executable.as_deref()).ok()?;
    let headers = runtime.join(session::CXX_HEADERS);
    headers.join("__config").is_file().then_some(headers)
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

fn split(arguments: &OsStr) -> Vec<OsString> {
    let arguments = arguments.to_string_lossy();
    arguments.split_whitespace().map(OsString::from).collect()
}
