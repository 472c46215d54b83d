//! A test of a function as a candidate for a case.

use super::super::bug_text::BugText;
use super::test_file::digest;
use homi_build::harness::{Call, Function};
use homi_native::replay::Inputs;
use homi_native::replay::sandbox::Stream;
use homi_native::testcase::ktest::KTest;
use std::path::{Path, PathBuf};

/// A test that may become a case.
pub(super) struct Candidate {
    pub(super) test: PathBuf,
    pub(super) id: String,
    pub(super) call: Call,
    pub(super) sides: Vec<u32>,
    pub(super) bug: Option<BugText>,
}

/// Returns the call of a test and the digest of its objects.
pub(super) fn call_of(test: &Path, function: &Function) -> Result<(Call, String), String> {
    let test = KTest::read(test).map_err(|error| error.to_string())?;
    let inputs = Inputs::of(&test).map_err(|error| error.to_string())?;
    if let Some(note) = inputs.notes.first() {
        return Err(format!("it needs `homi replay`: {note}"));
    }
    if inputs.stdin != Stream::default() {
        return Err("it reads the standard input".to_string());
    }
    let objects: Vec<(String, &[u8])> = inputs
        .harness
        .iter()
        .map(|object| (object.name_text(), object.bytes.as_slice()))
        .collect();
    let call = function.call(&objects, true)?;
    let mut bytes = Vec::new();
    for (name, content) in &objects {
        bytes.extend([name.as_bytes(), &[0], content, &[0]].concat());
    }
    Ok((call, digest(&bytes)))
}
