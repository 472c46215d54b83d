//! Bitcode of a source, as the record that the object will carry.
//!
//! Invariant: every source that was compiled natively leaves a record; without bitcode it says why.

use super::clang;
use super::language::Language;
use super::settings::Settings;
use homi_llvm::embedded::{Head, encode};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// A source of a command, and the file that is made of it.
pub struct Source<'a> {
    /// Name in the build; `-` is the standard input.
    pub name: &'a OsStr,
    /// Language of the source.
    pub language: Language,
    /// The object, or the program if it is linked at once.
    pub output: PathBuf,
}

/// The record of a source, made by clang with these flags.
pub fn record(
    settings: &Settings,
    source: &Source<'_>,
    flags: &[OsString],
    coverage: bool,
    input: Option<&[u8]>,
) -> Vec<u8> {
    let name = source.name.to_string_lossy().into_owned();
    let object = settings.directory.join(&source.output);
    let object = object.to_string_lossy().into_owned();
    match bitcode(settings, source, flags, input) {
        Ok(body) => {
            let head = Head::Module {
                source: name,
                object,
                coverage,
            };
            encode(&head, &body)
        }
        Err(reason) => {
            settings.say(&format!("no bitcode of {name}: {reason}"));
            let head = Head::Without {
                source: name,
                object,
                reason,
            };
            encode(&head, &[])
        }
    }
}

fn bitcode(
    settings: &Settings,
    source: &Source<'_>,
    flags: &[OsString],
    input: Option<&[u8]>,
) -> Result<Vec<u8>, String> {
    let Language::Source(language) = source.language else {
        return Err("it is assembler".to_string());
    };
    let Some(clang) = &settings.clang else {
        return Err(
            "no clang was found at compile time; install clang-19, or name one by \
             HOMI_CC_CLANG"
                .to_string(),
        );
    };
    let input = input.filter(|_| source.name == "-");
    let flags = [flags, &of_cxx(settings, language, flags)].concat();
    clang::compile(clang, &flags, language, source.name, input)
}

/// The arguments that let C++ be read with the headers of the library that homi has.
fn of_cxx(settings: &Settings, language: &str, flags: &[OsString]) -> Vec<OsString> {
    let headers = settings.cxx_headers.as_ref();
    let has_no_headers = flags.iter().any(|flag| flag == "-nostdinc");
    match headers.filter(|_| language == "c++" && !has_no_headers) {
        Some(headers) => vec!["-nostdinc++".into(), "-isystem".into(), headers.into()],
        None => Vec::new(),
    }
}
