//! Parts of a harness other than the compiler: the headers of `klee/klee.h` and the library that
//! passes a test to the native program.
//!
//! Idea: the headers are searched after all others, and the archive comes last and defines what
//! nothing else does. So a program that does not need them compiles as without them.

use super::invocation::{Invocation, Stage};
use super::known::takes_next;
use super::linked;
use super::settings::Settings;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Paths of headers and library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HarnessParts {
    headers: PathBuf,
    library: PathBuf,
    /// For programs of 32 bits, if it could be made.
    library_32: Option<PathBuf>,
}

/// From the runtime's directory to headers and library: in the source tree, and installed.
const PLACES: [(&str, &str); 2] = [
    ("../../runtime/include", "lib/libhomi-replay.a"),
    ("../../include", "../libhomi-replay.a"),
];

/// From the runtime's directory to the library for `-m32`.
const LIBRARY_OF_32_BITS: &str = "i386/lib/libhomi-replay.a";

impl HarnessParts {
    /// The directory of the headers.
    pub(super) fn headers(&self) -> &Path {
        &self.headers
    }

    /// Returns the parts of the runtime in this directory, if they are there.
    pub fn of(runtime: &Path) -> Option<Self> {
        PLACES.iter().find_map(|(headers, library)| {
            let parts = Self {
                headers: runtime.join(headers).canonicalize().ok()?,
                library: runtime.join(library).canonicalize().ok()?,
                library_32: runtime.join(LIBRARY_OF_32_BITS).canonicalize().ok(),
            };
            parts.headers.join("klee/klee.h").is_file().then_some(parts)
        })
    }
}

/// The arguments of a build with what a harness needs.
pub(super) fn arguments(settings: &Settings, invocation: &Invocation) -> Vec<OsString> {
    let arguments = settings.arguments.iter().cloned();
    let Some(parts) = settings.harness.as_ref().filter(|_| is_whole(invocation)) else {
        return arguments.collect();
    };
    let headers = ["-idirafter".into(), parts.headers.clone().into()];
    let mut all: Vec<OsString> = headers.into_iter().chain(arguments).collect();
    let of_program = ["-shared", "-nostdlib", "-nodefaultlibs", "-static-pie"];
    let is_program = invocation.stage() == Stage::Link
        && !linked::is_partial(invocation)
        && !of_program.iter().any(|option| invocation.has(option));
    if is_program {
        if invocation.options().any(|item| item.value("-x").is_some()) {
            all.extend(["-x".into(), "none".into()]);
        }
        let library = if is_of_32_bits(invocation) {
            parts.library_32.as_ref()
        } else {
            Some(&parts.library)
        };
        all.extend(library.cloned().map(PathBuf::into_os_string));
    }
    all
}

/// The last of such options counts.
fn is_of_32_bits(invocation: &Invocation) -> bool {
    let arguments = invocation.options().map(|item| item.text());
    let of_machine =
        arguments.filter(|argument| ["-m32", "-m64", "-mx32", "-m16"].contains(argument));
    of_machine.last() == Some("-m32")
}

/// True if there are files to compile or link, and the last option has its value.
fn is_whole(invocation: &Invocation) -> bool {
    let last = invocation.items.last();
    let wants_more = last.is_some_and(|item| {
        item.language.is_none() && item.arguments.len() == 1 && takes_next(item.text())
    });
    invocation.inputs().next().is_some() && !wants_more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cc::Driver;

    fn added(line: &str) -> String {
        let split = |line: &str| line.split_whitespace().map(OsString::from).collect();
        let settings = Settings {
            driver: Driver::C,
            native: split("gcc"),
            clang: None,
            flags: Vec::new(),
            coverage: false,
            verbose: false,
            arguments: split(line),
            directory: PathBuf::from("/"),
            cxx_headers: None,
            harness: Some(HarnessParts {
                headers: "/h".into(),
                library: "/l.a".into(),
                library_32: Some("/l32.a".into()),
            }),
        };
        let invocation = Invocation::parse(&settings.arguments, Driver::C);
        let arguments = arguments(&settings, &invocation);
        let text: Vec<_> = arguments
            .iter()
            .map(|argument| argument.to_string_lossy())
            .collect();
        text.join(" ")
    }

    #[test]
    fn headers_come_after_all_others_and_the_library_last() {
        for (line, with) in [
            ("-c a.c", "-idirafter /h -c a.c"),
            ("-E a.c", "-idirafter /h -E a.c"),
            ("a.c -o a", "-idirafter /h a.c -o a /l.a"),
            ("-x c a", "-idirafter /h -x c a -x none /l.a"),
            ("-m32 a.c", "-idirafter /h -m32 a.c /l32.a"),
            ("-m32 -m64 a.c", "-idirafter /h -m32 -m64 a.c /l.a"),
            ("-shared a.o", "-idirafter /h -shared a.o"),
            ("-r a.o -o b.o", "-idirafter /h -r a.o -o b.o"),
            ("--version", "--version"),
            ("a.c -o", "a.c -o"),
        ] {
            assert_eq!(added(line), with);
        }
    }
}
