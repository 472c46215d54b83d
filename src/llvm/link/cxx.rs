//! Bitcode that C++ programs need in addition to libc and kernel.
//!
//! Invariant: the runtime of the language (exceptions, types, `operator new`) is always there; the
//! standard library is LLVM's, is linked if it was set up, and is wanted by programs that were
//! compiled with its headers. The library comes first and has precedence over the runtime.

use super::super::c_api::ModuleRef;
use super::super::read::error::LoadError;
use super::definitions::{is_definition, symbols};
use std::path::{Path, PathBuf};

/// Below the language.
const BELOW: &str = "cxxabi.bc";
/// The standard library.
const LIBRARY: &str = "cxx/libcxx.bc";
/// Module that makes `std::cout` and the other streams at the start of each program that uses them.
const STREAMS: &str = "cxx/streams.bc";

/// All bitcode files for C++, in the runtime's directory.
pub(crate) const FILES: [&str; 3] = [BELOW, LIBRARY, STREAMS];

/// Beginnings of names that only C++ asks for.
const NAMES: &[&str] = &["_Z", "__cxa_", "_Unwind_", "__gxx_", "__dynamic_cast"];
/// Functions of the C library among them.
const NOT_OF_CXX: &[&str] = &["__cxa_atexit", "__cxa_finalize"];
/// The namespace of LLVM's library in mangled names.
const OF_LIBRARY: &str = "St3__1";
/// Standard streams, mangled.
const OF_STREAMS: &[&str] = &[
    "3cinE", "4coutE", "4cerrE", "4clogE", "4wcinE", "5wcoutE", "5wcerrE", "5wclogE",
];

/// True if a program is one of C++.
pub(crate) fn is_wanted(program: ModuleRef) -> bool {
    asked(program).iter().any(|name| {
        NAMES.iter().any(|start| name.starts_with(start)) && !NOT_OF_CXX.contains(&name.as_str())
    })
}

/// Returns the functions that a program declares and does not define.
fn asked(program: ModuleRef) -> Vec<String> {
    let declared = symbols(program).into_iter();
    let declared = declared.filter(|value| !is_definition(*value));
    declared.map(|value| value.name()).collect()
}

/// The files that a program of C++ needs, in link order.
pub(crate) fn files(directory: &Path, program: ModuleRef) -> Result<Vec<PathBuf>, LoadError> {
    let asked = asked(program);
    let mut files = Vec::new();
    if asked.iter().any(|name| name.contains(OF_LIBRARY)) {
        files.push(LIBRARY);
    }
    let is_stream = |name: &String| {
        let own = name.split_once(OF_LIBRARY).map(|(_, own)| own);
        own.is_some_and(|own| OF_STREAMS.contains(&own))
    };
    if asked.iter().any(is_stream) {
        files.push(STREAMS);
    }
    let mut paths: Vec<PathBuf> = files.iter().map(|file| directory.join(file)).collect();
    // A program does without what was not set up as far as it does not call it.
    if !paths.iter().all(|path| path.exists()) {
        paths.clear();
    }
    let below = directory.join(BELOW);
    if !below.exists() {
        return Err(LoadError::Runtime {
            path: directory.to_path_buf(),
            reason: format!("{BELOW} is missing"),
        });
    }
    paths.push(below);
    Ok(paths)
}
