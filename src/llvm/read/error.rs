//! Reasons why a program could not be loaded; each message has the problem, the file and the
//! remedy.

use homi_ir::program::AliasNote;
use homi_ir::util::installation;
use std::path::PathBuf;

/// A load that failed. Undefined functions and unknown instructions are not a reason to fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum LoadError {
    #[error("cannot read {path}: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error("{path} is not LLVM bitcode ({found}); {remedy}")]
    NotBitcode {
        path: PathBuf,
        found: String,
        remedy: String,
    },
    #[error(
        "{path} names {bitcode} as its bitcode, which is missing; build the program again, with `homi cc` to embed the bitcode"
    )]
    Gone { path: PathBuf, bitcode: PathBuf },
    #[error("{path}: the bitcode is corrupt ({reason}); rebuild it")]
    Damaged { path: PathBuf, reason: String },
    #[error(
        "{path}: LLVM {supported} cannot read this text ({reason}); if a newer LLVM wrote it, use clang {supported}, or assemble it with that LLVM's llvm-as"
    )]
    Text {
        path: PathBuf,
        reason: String,
        supported: String,
    },
    #[error(
        "{path} was written by {producer}, newer than the LLVM {supported} that homi was built with; compile it with clang {supported} or older, or build homi with a newer LLVM"
    )]
    TooNew {
        path: PathBuf,
        producer: String,
        supported: String,
    },
    #[error(
        "{path} was compiled for {target}; homi runs x86-64 and i386 (-m32) programs; compile it for x86_64-linux-gnu"
    )]
    WrongTarget { path: PathBuf, target: String },
    #[error(
        "{path} has pointers of {bits} bits, the modules before it have others; compile all of a program with -m32, or none"
    )]
    OtherPointers { path: PathBuf, bits: u32 },
    #[error("cannot link {path} with the modules before it: {reason}")]
    Link { path: PathBuf, reason: String },
    #[error("`{symbol}` is defined in {first} and in {second}; give homi only one of the two")]
    Duplicate {
        symbol: String,
        first: PathBuf,
        second: PathBuf,
    },
    #[error("--function-alias {alias}: {reason}")]
    Alias {
        alias: String,
        reason: String,
        /// Notes about the aliases before it.
        notes: Vec<AliasNote>,
    },
    #[error("no input file")]
    NoInput,
    #[error("{path} has no function `{entry}` to start with; {candidates}{}", advice(.entry))]
    NoEntry {
        path: PathBuf,
        entry: String,
        candidates: String,
        /// The program has what a fuzzer calls in place of `main`.
        is_fuzz_driver: bool,
    },
    #[error(
        "the runtime in {path} cannot be used: {reason}; {}",
        installation::remedy()
    )]
    Runtime { path: PathBuf, reason: String },
    #[error(
        "{path} is missing, the runtime for 32-bit programs (-m32); make it with `scripts/setup runtime-32`"
    )]
    NoRuntimeOf32Bits { path: PathBuf },
    #[error(
        "reading {path} crashed LLVM ({reason}); the file is corrupt or of an unsupported LLVM \
         version; rebuild it"
    )]
    Crashed { path: PathBuf, reason: String },
    #[error("interrupted while {path} was read; nothing was explored")]
    Interrupted { path: PathBuf },
    #[error("LLVM passes failed: {reason}")]
    Passes { reason: String },
    #[error("cannot start the loader process: {reason}")]
    Process { reason: String },
    #[error("cannot build the instrumented program: {reason}")]
    Instrument { reason: String },
}

/// Returns advice for a program without a function to start with.
fn advice(entry: &str) -> &'static str {
    match entry {
        "main" => "; choose one with --entry-point, or explore all with homi sweep",
        _ => "",
    }
}

impl LoadError {
    /// True if the program has no `main`, but what a fuzzer calls.
    pub fn is_of_fuzz_driver(&self) -> bool {
        matches!(self, LoadError::NoEntry { entry, is_fuzz_driver: true, .. } if entry == "main")
    }
}
