//! Native results of library calls, in a form that another execution can take over: pointers are
//! offsets from the call's arguments.
//!
//! Invariant: no guess. A call whose results are not all known has no native result.

use super::cause::{FLOAT_FUNCTIONS, masked, plain_name};
use super::library_calls::{CallArgument, LibraryCall, TEXT_BYTES, until_zero};

/// Bytes behind a text without a recorded end that a pointer may lie in.
const LONGEST_TEXT: u64 = 4096;

/// Native result of a library call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeResult {
    /// Name of the function.
    pub function: String,
    /// Number of the call among the library calls of the execution.
    pub call: usize,
    /// Value that the call returns; `None` if it stays as it is.
    pub value: Option<NativeValue>,
    /// Memory that the call leaves.
    pub outputs: Vec<NativeOutput>,
}

/// Value that a call gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeValue {
    Number(u64),
    /// A pointer: this many bytes behind the one that the argument is.
    BehindArgument {
        argument: usize,
        offset: u64,
    },
}

/// Value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeOutput {
    /// Argument that points to the memory; `None` for the call's result.
    pub argument: Option<usize>,
    pub offset: u64,
    /// Size in bytes.
    pub bytes: u32,
    pub value: NativeValue,
}

/// Returns the native result of a call, whose number in the engine is `call`; `None` if it is not
/// known completely.
pub fn native_result(
    call: usize,
    ours: &LibraryCall,
    native: &LibraryCall,
) -> Option<NativeResult> {
    if !ours.has_all_arguments || native.result.is_none() {
        return None;
    }
    let (value, mut outputs) = value(ours, native)?;
    let pairs = ours.arguments.iter().zip(&native.arguments);
    for (number, pair) in pairs.enumerate() {
        outputs.extend(left_behind(number, pair, native)?);
    }
    Some(NativeResult {
        function: plain_name(&ours.name).to_string(),
        call,
        value,
        outputs,
    })
}

/// Returns the value that a call returns natively, and the text behind it.
fn value(
    ours: &LibraryCall,
    native: &LibraryCall,
) -> Option<(Option<NativeValue>, Vec<NativeOutput>)> {
    let Some(result) = ours.result else {
        return Some((None, Vec::new()));
    };
    let theirs = native.result?;
    let number = |value| Some((Some(NativeValue::Number(value)), Vec::new()));
    if FLOAT_FUNCTIONS.contains(&plain_name(&ours.name)) {
        return number(masked(theirs.float, result.width));
    }
    if result.width < 64 || !is_native_address(theirs.value) {
        return number(masked(theirs.value, result.width));
    }
    if let Some(place) = behind_argument(theirs.value, native) {
        return Some((Some(place), Vec::new()));
    }
    // Memory of the library: homi's keeps its address and gets the text.
    let our_text = until_zero(ours.result_text.as_ref()?);
    let text = ended_text(native.result_text.as_ref()?)?;
    (text.len() <= our_text.len() + 1).then_some(())?;
    let outputs = (0..).zip(text).map(|(offset, byte)| NativeOutput {
        argument: None,
        offset,
        bytes: 1,
        value: NativeValue::Number(u64::from(*byte)),
    });
    Some((None, outputs.collect()))
}

/// Returns a text with its zero; `None` if it has none.
fn ended_text(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some(&bytes[..=end])
}

/// Returns what a call leaves natively where an argument points to, if the call changes that memory
/// natively or in homi.
fn left_behind(
    number: usize,
    (ours, theirs): (&CallArgument, &CallArgument),
    native: &LibraryCall,
) -> Option<Vec<NativeOutput>> {
    let (Some(before), Some(after)) = (&theirs.before, &theirs.after) else {
        return Some(Vec::new());
    };
    let (our_before, our_after) = (ours.before.as_ref(), ours.after.as_ref());
    let ours_at = |at: usize| {
        let byte = |bytes: Option<&Vec<u8>>| bytes.and_then(|bytes| bytes.get(at).copied());
        (byte(our_before), byte(our_after))
    };
    let is_changed = |at: usize| {
        let (our_before, our_after) = ours_at(at);
        before[at] != after[at] || our_before != our_after
    };
    let last = before.len().min(after.len()).min(TEXT_BYTES);
    // What is changed up to the last recorded byte may go on.
    if last > 0 && is_changed(last - 1) {
        return None;
    }
    let mut left = Vec::new();
    for start in (0..last).step_by(8) {
        let end = (start + 8).min(last);
        if !(start..end).any(is_changed) {
            continue;
        }
        let word = after[start..end].try_into().map(u64::from_le_bytes);
        let output = |at: usize, bytes, value| NativeOutput {
            argument: Some(number),
            offset: at as u64,
            bytes,
            value,
        };
        if let Ok(word) = word
            && is_native_address(word)
        {
            left.push(output(start, 8, behind_argument(word, native)?));
            continue;
        }
        let changed = (start..end).filter(|at| is_changed(*at));
        left.extend(changed.map(|at| output(at, 1, NativeValue::Number(after[at].into()))));
    }
    Some(left)
}

/// True if a number may be an address of a native process: its program and heap, or its libraries
/// and stack.
fn is_native_address(value: u64) -> bool {
    matches!(value >> 40, 0x55 | 0x56 | 0x7e | 0x7f)
}

/// Returns an address within the text of one of the arguments as such.
fn behind_argument(address: u64, native: &LibraryCall) -> Option<NativeValue> {
    let arguments = native.arguments.iter().enumerate();
    let mut found = arguments.filter_map(|(argument, given)| {
        let before = given.before.as_ref()?;
        let length = match ended_text(before) {
            Some(text) => text.len() as u64,
            None => LONGEST_TEXT,
        };
        let offset = address.checked_sub(given.value)?;
        (offset < length).then_some(NativeValue::BehindArgument { argument, offset })
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::super::library_calls::CallResult;
    use super::*;

    const ADDRESS: u64 = 0x7f00_0000_1000;

    fn argument(value: u64, before: &[u8], after: &[u8]) -> CallArgument {
        let bytes = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            bytes.resize(TEXT_BYTES, 0);
            Some(bytes)
        };
        CallArgument {
            value,
            width: 64,
            before: bytes(before),
            after: bytes(after),
        }
    }

    fn call(value: u64, width: u32, arguments: Vec<CallArgument>) -> LibraryCall {
        LibraryCall {
            name: "strtol".to_string(),
            arguments,
            has_all_arguments: true,
            result: Some(CallResult {
                value,
                width,
                float: 0,
            }),
            ..LibraryCall::default()
        }
    }

    #[test]
    fn pointers_are_offsets_from_arguments_and_numbers_stay() {
        let end = (ADDRESS + 2).to_le_bytes();
        let native = vec![
            argument(ADDRESS, b"12x", b"12x"),
            argument(ADDRESS + 0x1000, &[], &end),
        ];
        let ours = vec![
            argument(4096, b"12x", b"12x"),
            argument(8192, &[], &4097u64.to_le_bytes()),
        ];
        let found = native_result(3, &call(1, 32, ours), &call(u64::MAX, 64, native));
        let found = found.expect("a result");
        assert_eq!(found.value, Some(NativeValue::Number(u64::from(u32::MAX))));
        assert_eq!(
            found.outputs,
            [NativeOutput {
                argument: Some(1),
                offset: 0,
                bytes: 8,
                value: NativeValue::BehindArgument {
                    argument: 0,
                    offset: 2,
                },
            }]
        );
    }

    #[test]
    fn changed_bytes_are_outputs_and_unknown_pointers_are_refused() {
        let native = vec![argument(ADDRESS, b"ab", b"axc")];
        let ours = vec![argument(4096, b"ab", b"ab")];
        let found = native_result(0, &call(0, 32, ours.clone()), &call(3, 64, native));
        let found = found.expect("a result").outputs;
        let places: Vec<(u64, NativeValue)> =
            found.iter().map(|one| (one.offset, one.value)).collect();
        let expected = [(1, b'x'), (2, b'c')];
        assert_eq!(
            places,
            expected.map(|(at, byte)| (at, NativeValue::Number(byte.into())))
        );
        let pointer = (ADDRESS + (1 << 30)).to_le_bytes();
        let native = vec![argument(ADDRESS, &[], &pointer)];
        assert_eq!(
            native_result(0, &call(0, 32, ours), &call(3, 64, native)),
            None
        );
        let long = vec![argument(ADDRESS, &[], &[b'a'; TEXT_BYTES])];
        let ours = vec![argument(4096, &[], &[])];
        assert_eq!(
            native_result(0, &call(0, 32, ours), &call(3, 64, long)),
            None
        );
    }
}
