//! The flags with which clang makes bitcode of what the native compiler was asked for.
//!
//! Invariant: flags that decide the meaning of the source stay (directories of headers, macros, the
//! language, the target); flags that decide the form of machine code, warnings and additional
//! output files are removed. A flag that is in no table is removed too: gcc has hundreds that clang
//! does not know.

use super::invocation::{Invocation, Item};
use super::known::stays;
use crate::sanitizers::{Receiver, split};
use std::ffi::OsString;

/// Default flags: lines, all branches, and code that homi may still simplify.
pub const DEFAULT: &str = "-g -O0 -Xclang -disable-O0-optnone";

/// Flags that print nothing, and accept what only newer clangs reject, as gcc does.
const LENIENT: [&str; 9] = [
    "-w",
    "-Qunused-arguments",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-incompatible-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-return-type",
];

/// The flag with which the bitcode says what checks it was compiled with.
const RECORDED: &str = "-frecord-command-line";

/// Options with the prefix `-f` that are kept, with and without `no-`: they decide the language or
/// the meaning of the code, or macros that headers read.
const LANGUAGE: [&str; 37] = [
    "access-control",
    "aligned-new",
    "asm",
    "blocks",
    "builtin",
    "char8_t",
    "common",
    "concepts",
    "coroutines",
    "dollars-in-identifiers",
    "exceptions",
    "file-prefix-map=",
    "finite-math-only",
    "freestanding",
    "gnu-keywords",
    "gnu89-inline",
    "hosted",
    "macro-prefix-map=",
    "ms-extensions",
    "operator-names",
    "pack-struct",
    "permissive",
    "PIC",
    "PIE",
    "pic",
    "pie",
    "rtti",
    "short-enums",
    "short-wchar",
    "signed-bitfields",
    "signed-char",
    "sized-deallocation",
    "template-depth",
    "threadsafe-statics",
    "trapv",
    "unsigned-char",
    "wrapv",
];

/// The arguments for clang, without the source, its language and the output.
pub fn for_clang(invocation: &Invocation, own: &[OsString]) -> Vec<OsString> {
    let mut arguments = Vec::new();
    for item in invocation.options() {
        arguments.extend(kept(item));
    }
    let has_checks = |argument: &OsString| argument.to_string_lossy().starts_with("-fsanitize=");
    if arguments.iter().any(has_checks) {
        arguments.push(RECORDED.into());
    }
    arguments.extend(LENIENT.iter().map(OsString::from));
    arguments.extend(own.iter().cloned());
    arguments
}

/// Returns the kept part of an option.
fn kept(item: &Item) -> Vec<OsString> {
    let text = item.text();
    if let Some(list) = text.strip_prefix("-Wp,") {
        return macros(list);
    }
    if text == "-Xpreprocessor" {
        let value = item.arguments.get(1).and_then(|argument| argument.to_str());
        return value.map(macros).unwrap_or_default();
    }
    if let Some(parts) = split(text, Receiver::Bitcode) {
        return parts.kept.into_iter().map(OsString::from).collect();
    }
    if let Some(name) = text.strip_prefix("-f") {
        let name = name.strip_prefix("no-").unwrap_or(name);
        let stays = LANGUAGE.iter().any(|known| name.starts_with(known));
        return if stays {
            item.arguments.clone()
        } else {
            Vec::new()
        };
    }
    if stays(text) {
        item.arguments.clone()
    } else {
        Vec::new()
    }
}

/// Returns the macros and directories in a list for the preprocessor. Other options there write
/// dependencies.
fn macros(list: &str) -> Vec<OsString> {
    let parts = list.split(',');
    let stays = |part: &&str| {
        ["-D", "-U", "-I"]
            .iter()
            .any(|begin| part.starts_with(begin))
    };
    parts.filter(stays).map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::super::language::Driver;
    use super::*;

    fn left(line: &str) -> String {
        let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let parsed = Invocation::parse(&arguments, Driver::C);
        let kept: Vec<OsString> = parsed.options().flat_map(kept).collect();
        let kept: Vec<_> = kept
            .iter()
            .map(|argument| argument.to_string_lossy())
            .collect();
        kept.join(" ")
    }

    #[test]
    fn what_decides_the_meaning_stays() {
        for line in [
            "-I inc -DX=1 -include config.h -std=gnu99 -isystem /x",
            "-fno-builtin-memcpy -funsigned-char -fPIC -fcommon -fwrapv -fno-exceptions",
            "-march=x86-64-v2 -msse4.2 -pthread",
            "-fsanitize=undefined -fno-sanitize=alignment -fno-sanitize-recover=all",
        ] {
            assert_eq!(left(line), line);
        }
    }

    #[test]
    fn what_does_not_goes() {
        for line in [
            "-c -O2 -g3 -ggdb -pipe -save-temps -MMD -MF a.d -MT x -o a.o",
            "-Wall -Werror -Wa,--noexecstack -Wl,-z,now -lm -L. -s",
            "-flto=auto -ffat-lto-objects --coverage -fprofile-arcs -ftest-coverage",
            "-fsanitize=address,thread -fno-semantic-interposition -fanalyzer -mllvm x",
            "-fstack-protector-strong -fcf-protection -fdiagnostics-color=always",
        ] {
            assert_eq!(left(line), "");
        }
        assert_eq!(left("-Wp,-MD,x.d,-DX=1 -Xpreprocessor -DY"), "-DX=1 -DY");
    }
}
