//! Calls of library functions that an execution of a test makes: recorded natively by an audit
//! library of the dynamic loader (runtime/replay/library_calls.c), and by homi in the engine.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

/// Name of the file of records within the test's writable directory.
const RECORDS: &str = "calls";
/// Calls that are recorded.
pub const MOST_CALLS: usize = 16384;
/// Arguments of a call that are recorded.
pub const RECORDED_ARGUMENTS: usize = 6;
/// Bytes behind a pointer that are recorded.
pub const TEXT_BYTES: usize = 48;
/// Bytes of a record in the file (runtime/replay/library_calls.h).
const RECORD_BYTES: usize = 752;
/// Offsets of the fields of a record.
const ARGUMENTS: usize = 48;
const RESULT: usize = 96;
const FLOAT_RESULT: usize = 104;
const HAS_RETURNED: usize = 120;
const BEFORE: usize = 128;
const AFTER: usize = BEFORE + RECORDED_ARGUMENTS * TEXT_BYTES;
const RESULT_TEXT: usize = AFTER + RECORDED_ARGUMENTS * TEXT_BYTES;

/// A call of a library function by the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LibraryCall {
    /// Name of the function.
    pub name: String,
    /// `FILE:LINE` of the call, if known.
    pub location: Option<String>,
    /// Integer arguments; a native call has a value for each register.
    pub arguments: Vec<CallArgument>,
    /// True if the call has no other arguments; false for a native call, which does not know.
    pub has_all_arguments: bool,
    /// Result; `None` if the call did not return, or if there is none.
    pub result: Option<CallResult>,
    /// Bytes that the result points to; `None` if it is no pointer.
    pub result_text: Option<Vec<u8>>,
    /// True if the call differs between two executions of the test in the engine.
    pub varies: bool,
}

/// Library calls of tests in each recorded run, by name of the test.
pub type TestCalls = BTreeMap<String, Vec<Vec<LibraryCall>>>;

/// One integer argument.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallArgument {
    pub value: u64,
    /// Width in bits; natively the width of the register.
    pub width: u32,
    /// Bytes that the argument points to at the call; `None` if it is no pointer.
    pub before: Option<Vec<u8>>,
    /// Bytes that it points to when the call returns.
    pub after: Option<Vec<u8>>,
}

/// Result of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallResult {
    pub value: u64,
    /// Width in bits; natively the width of the register.
    pub width: u32,
    /// Natively the register of floating-point results, in the engine the result again.
    pub float: u64,
}

/// Finds the cause of a divergence of a test from its library calls in the recorded runs.
#[derive(Clone)]
pub struct Explainer(Arc<Explain>);

type Explain = dyn Fn(&Path, &[Vec<LibraryCall>]) -> Option<String> + Send + Sync;

impl Explainer {
    pub fn new(
        explain: impl Fn(&Path, &[Vec<LibraryCall>]) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(explain))
    }

    pub(super) fn explain(&self, test: &Path, calls: &[Vec<LibraryCall>]) -> Option<String> {
        (self.0)(test, calls)
    }
}

impl Debug for Explainer {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("Explainer")
    }
}

/// Makes the file of records in a test's writable directory, and returns the variables that tell
/// the recorder about it.
pub(super) fn recording(recorder: &Path, writable: &Path) -> io::Result<[Vec<u8>; 2]> {
    let path = writable.join(RECORDS);
    let file = fs::File::create(&path)?;
    file.set_len((MOST_CALLS * RECORD_BYTES) as u64)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666))?;
    let variables = [
        format!("LD_AUDIT={}", recorder.display()),
        format!("HOMI_CALLS={}", path.display()),
    ];
    Ok(variables.map(String::into_bytes))
}

/// Reads the records of a run; empty if the program was not recorded.
pub(super) fn recorded_calls(writable: &Path) -> io::Result<Vec<LibraryCall>> {
    let bytes = fs::read(writable.join(RECORDS))?;
    let records = bytes.chunks_exact(RECORD_BYTES);
    Ok(records
        .take_while(|record| record[0] != 0)
        .map(native_call)
        .collect())
}

fn native_call(record: &[u8]) -> LibraryCall {
    let number = |at: usize| {
        let bytes = record[at..at + 8].try_into();
        bytes.map_or(0, u64::from_le_bytes)
    };
    let bytes = |known: usize, at: usize, argument: usize| {
        let is_known = record[HAS_RETURNED + known] >> argument & 1 == 1;
        let start = at + argument * TEXT_BYTES;
        is_known.then(|| record[start..start + TEXT_BYTES].to_vec())
    };
    let argument = |index: usize| CallArgument {
        value: number(ARGUMENTS + 8 * index),
        width: 64,
        before: bytes(1, BEFORE, index),
        after: bytes(2, AFTER, index),
    };
    LibraryCall {
        name: String::from_utf8_lossy(&until_zero(&record[..40])).into_owned(),
        location: None,
        arguments: (0..RECORDED_ARGUMENTS).map(argument).collect(),
        has_all_arguments: false,
        result: (record[HAS_RETURNED] == 1).then(|| CallResult {
            value: number(RESULT),
            width: 64,
            float: number(FLOAT_RESULT),
        }),
        result_text: (record[HAS_RETURNED + 3] == 1)
            .then(|| record[RESULT_TEXT..RESULT_TEXT + TEXT_BYTES].to_vec()),
        varies: false,
    }
}

/// Returns the bytes before the first zero.
pub(super) fn until_zero(bytes: &[u8]) -> Vec<u8> {
    let text = bytes.split(|byte| *byte == 0).next();
    text.unwrap_or_default().to_vec()
}
