//! The arguments that a command's linker sees, in their order.
//!
//! Invariant: `@file`, `-Wl,a,b` and `-Xlinker a` are taken apart; arguments for the compiler alone
//! are left out. A script of the linker among the inputs stands behind a `-T`, as if it were given
//! so.

use super::invocation::{Invocation, Item};
use super::language::Language;
use homi_ir::util::response_file;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Arguments of a compiler's driver that it passes to the linker, without their values.
const PASSED: [&str; 12] = [
    "-shared",
    "-static",
    "-pie",
    "-no-pie",
    "-rdynamic",
    "-symbolic",
    "-s",
    "-r",
    "-nostdlib",
    "-nostartfiles",
    "-static-pie",
    "-pthread",
];
/// Options of a compiler's driver that it passes to the linker with their values.
const WITH_VALUE: [&str; 7] = ["-l", "-L", "-u", "-e", "-T", "-z", "-R"];

/// The arguments for the linker.
pub fn arguments(invocation: &Invocation, directory: &Path) -> Vec<String> {
    let arguments = invocation
        .items
        .iter()
        .flat_map(|item| of_item(item, directory));
    let arguments: Vec<OsString> = arguments.collect();
    let arguments = response_file::expand(&arguments).into_iter();
    arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}

fn of_item(item: &Item, directory: &Path) -> Vec<OsString> {
    let text = item.text();
    if item.language == Some(Language::Object) {
        let argument = item.arguments[0].clone();
        let script = is_script(&directory.join(&argument));
        return script
            .then(|| "-T".into())
            .into_iter()
            .chain([argument])
            .collect();
    }
    if item.language.is_some() {
        return item.arguments.clone();
    }
    if let Some(list) = text.strip_prefix("-Wl,") {
        return list.split(',').map(OsString::from).collect();
    }
    if text == "-Xlinker" {
        return item.arguments[1..].to_vec();
    }
    let passed =
        PASSED.contains(&text) || WITH_VALUE.iter().any(|option| item.value(option).is_some());
    if passed {
        item.arguments.clone()
    } else {
        Vec::new()
    }
}

/// True for a file that is neither an ELF file nor an archive.
fn is_script(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && &magic != b"\x7fELF" && &magic[..2] != b"!<"
}

#[cfg(test)]
mod tests {
    use super::super::language::Driver;
    use super::*;

    #[test]
    fn arguments_of_the_compiler_alone_are_left_out() {
        let line = "-O2 -g a.c -Wl,--wrap=f,-u,g -Xlinker --defsym -Xlinker a=b -lm -u h -static";
        let line: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let arguments = arguments(&Invocation::parse(&line, Driver::C), Path::new("/"));
        let wanted = "a.c --wrap=f -u g --defsym a=b -lm -u h -static";
        assert_eq!(arguments.join(" "), wanted);
    }
}
