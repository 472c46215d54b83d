//! Cause of a divergence: the first library call that gets the same in homi and natively, and gives
//! something else.
//!
//! Invariant: no guess. A call that gets other arguments is not at fault; from there on, and where
//! the sequences of calls part, there is no cause.

use super::library_calls::{CallArgument, CallResult, LibraryCall, until_zero};
use std::collections::BTreeSet;

/// Calls that only one of the two compilers kept, which the comparison passes over.
const MOST_SKIPPED: usize = 4;
/// Characters of a text that are shown.
const TEXT_SHOWN: usize = 30;

/// Functions with a floating-point result that are not in the mathematics library.
pub(super) const FLOAT_FUNCTIONS: [&str; 12] = [
    "nan", "nanf", "strtod_l", "strtof_l", "strtod", "strtof", "atof", "wcstod", "wcstof",
    "difftime", "drand48", "erand48",
];

/// Function that returns the address of `errno`. A call that succeeds may leave any number there,
/// and the program that asks for the address may be about to write.
const ERRNO: &str = "__errno_location";

/// Result of comparing a call with the native one.
enum Compared {
    Same,
    /// The call gets other arguments.
    GetsOther,
    /// The call gives something else: what.
    GivesOther(String),
}

/// Cause of a divergence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The call and what it gives, in words.
    pub text: String,
    /// Number of the call among the calls in homi.
    pub call: usize,
    /// Number of the call among the native calls.
    pub native_call: usize,
}

/// Returns the first call that gives something else natively; `None` if there is none.
pub fn cause(ours: &[LibraryCall], native: &[LibraryCall]) -> Option<Cause> {
    let (our_names, native_names) = (names(ours), names(native));
    let both: BTreeSet<&str> = our_names.intersection(&native_names).copied().collect();
    let kept = |calls: &'_ [LibraryCall]| -> Vec<usize> {
        let calls = calls.iter().enumerate();
        let kept = calls.filter(|(_, call)| both.contains(plain_name(&call.name)));
        kept.map(|(place, _)| place).collect()
    };
    let (our_places, native_places) = (kept(ours), kept(native));
    let ours: Vec<&LibraryCall> = our_places.iter().map(|place| &ours[*place]).collect();
    let native: Vec<&LibraryCall> = native_places.iter().map(|place| &native[*place]).collect();
    let (mut here, mut there) = (0, 0);
    while let (Some(call), Some(other)) = (ours.get(here), native.get(there)) {
        if plain_name(&call.name) != plain_name(&other.name) {
            let (skipped, native_skipped) = skipped(&ours[here..], &native[there..])?;
            (here, there) = (here + skipped, there + native_skipped);
            continue;
        }
        match compared(call, other) {
            Compared::Same => {}
            Compared::GetsOther => return None,
            Compared::GivesOther(what) => {
                let name = plain_name(&call.name);
                let place = call.location.as_ref();
                let place = place.map_or_else(String::new, |place| format!("{place}: "));
                return Some(Cause {
                    text: format!("{place}{name} {what}"),
                    call: our_places[here],
                    native_call: native_places[there],
                });
            }
        }
        (here, there) = (here + 1, there + 1);
    }
    None
}

/// Marks the calls of one execution that another execution of the same test makes differently, and
/// drops those behind the first call of another function.
pub fn mark_varying(calls: &mut Vec<LibraryCall>, again: &[LibraryCall]) {
    let pairs = calls.iter().zip(again);
    let common = pairs.take_while(|(call, other)| call.name == other.name);
    let common = common.count();
    calls.truncate(common);
    for (call, other) in calls.iter_mut().zip(again) {
        call.varies = !matches!(compared(call, other), Compared::Same);
    }
}

fn names(calls: &[LibraryCall]) -> BTreeSet<&str> {
    calls.iter().map(|call| plain_name(&call.name)).collect()
}

/// Returns the name that the program's source has for a function of the C library.
pub(super) fn plain_name(name: &str) -> &str {
    for prefix in ["__isoc99_", "__isoc23_"] {
        if let Some(name) = name.strip_prefix(prefix) {
            return name;
        }
    }
    let checked = name
        .strip_prefix("__")
        .and_then(|name| name.strip_suffix("_chk"));
    checked.unwrap_or(name)
}

/// Returns how many calls to pass over on either side, so that the next two have the same names.
fn skipped(ours: &[&LibraryCall], native: &[&LibraryCall]) -> Option<(usize, usize)> {
    let name = |calls: &[&LibraryCall], at: usize| {
        let call = calls.get(at);
        call.map(|call| plain_name(&call.name).to_string())
    };
    let meets = |here: usize, there: usize| {
        name(ours, here).is_some()
            && name(ours, here) == name(native, there)
            && name(ours, here + 1) == name(native, there + 1)
    };
    (1..=MOST_SKIPPED).find_map(|count| {
        if meets(count, 0) {
            Some((count, 0))
        } else {
            meets(0, count).then_some((0, count))
        }
    })
}

fn compared(call: &LibraryCall, other: &LibraryCall) -> Compared {
    if call.varies || other.varies || call.name == ERRNO {
        return Compared::Same;
    }
    let mut changed = None;
    // A checking form of a function has more arguments.
    if call.name.ends_with("_chk") == other.name.ends_with("_chk") {
        for (argument, native) in call.arguments.iter().zip(&other.arguments) {
            if gets_other(argument, native) {
                return Compared::GetsOther;
            }
            if let Some((ours, theirs)) = texts_after(argument, native)
                && changed.is_none()
            {
                let (ours, theirs) = (shown(ours), shown(theirs));
                changed = Some(format!("leaves {ours} in homi, {theirs} natively"));
            }
        }
    }
    let results = call.result.zip(other.result);
    let given = results.and_then(|(ours, theirs)| {
        let name = plain_name(&call.name);
        if FLOAT_FUNCTIONS.contains(&name) {
            return gives_other_number(ours, theirs);
        }
        match (&call.result_text, &other.result_text) {
            // Both are pointers.
            (Some(_), Some(_)) => other_text(text(&call.result_text)?, text(&other.result_text)?),
            (Some(_), None) if theirs.value == 0 => {
                Some("gives a pointer in homi, a null pointer natively".into())
            }
            (None, Some(_)) if ours.value == 0 && ours.width == 64 => {
                Some("gives a null pointer in homi, another natively".into())
            }
            (_, _) if ours.width < 64 => gives_other(name, ours, theirs),
            (None, None) => gives_other(name, ours, theirs),
            _ => None,
        }
    });
    match given.or(changed) {
        Some(what) => Compared::GivesOther(what),
        None => Compared::Same,
    }
}

/// True if an argument is another number, or points to another text that the call does not change.
fn gets_other(ours: &CallArgument, native: &CallArgument) -> bool {
    match (text(&ours.before), text(&native.before)) {
        (Some(our_text), Some(native_text)) => {
            our_text != native_text && !changes_text(ours) && !changes_text(native)
        }
        _ if ours.before.is_some() || native.before.is_some() => false,
        // The address of a function, or of memory that was freed.
        _ if is_address(ours.value) || is_address(native.value) => false,
        _ => masked(ours.value, ours.width) != masked(native.value, ours.width),
    }
}

/// Returns the texts that a call left, if it left different ones; bytes that are no text are not
/// compared.
fn texts_after<'c>(ours: &'c CallArgument, native: &'c CallArgument) -> Option<(&'c str, &'c str)> {
    let has_changed = changes_text(ours) || changes_text(native);
    let (our_text, native_text) = (text(&ours.after)?, text(&native.after)?);
    (has_changed && our_text != native_text).then_some((our_text, native_text))
}

/// True if a call changes the text that an argument points to.
fn changes_text(argument: &CallArgument) -> bool {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(until_zero);
    text(&argument.before) != text(&argument.after)
}

/// Returns a text that can be read; `None` for other bytes.
fn text(bytes: &Option<Vec<u8>>) -> Option<&str> {
    let bytes = bytes.as_ref()?.split(|byte| *byte == 0).next()?;
    let text = std::str::from_utf8(bytes).ok()?;
    let is_readable = |letter: char| !letter.is_control() || letter.is_whitespace();
    text.chars().all(is_readable).then_some(text)
}

/// Returns how a result differs, in words.
fn gives_other(name: &str, ours: CallResult, native: CallResult) -> Option<String> {
    let width = ours.width.min(native.width);
    let (value, theirs) = (masked(ours.value, width), masked(native.value, width));
    if value == theirs {
        return None;
    }
    // Addresses, and functions of the program's own types.
    let is_integer = |value: u64| width < 64 || !(1 << 32..u64::MAX << 32).contains(&value);
    if !is_integer(value) || !is_integer(theirs) {
        return None;
    }
    let (value, theirs) = (signed(value, width), signed(theirs, width));
    // Only the sign of a comparison means something, and of a class only that it is not zero.
    let is_comparison = name.contains("cmp") || name.contains("coll");
    if is_comparison && value.signum() == theirs.signum() {
        return None;
    }
    if name.starts_with("is") && (value == 0) == (theirs == 0) {
        return None;
    }
    Some(format!("gives {value} in homi, {theirs} natively"))
}

/// True if a register may hold an address: neither a small number nor a small negative one.
pub(super) fn is_address(value: u64) -> bool {
    (1 << 32..1 << 47).contains(&value)
}

/// Returns how a floating-point result differs, in words.
fn gives_other_number(ours: CallResult, native: CallResult) -> Option<String> {
    let (value, float) = (ours.value, masked(native.float, ours.width));
    let (ours, native) = (float_text(value, ours.width), float_text(float, ours.width));
    (value != float).then(|| format!("gives {ours} in homi, {native} natively"))
}

/// Returns how the text of a result differs, in words.
fn other_text(ours: &str, native: &str) -> Option<String> {
    let (shown_ours, shown_native) = (shown(ours), shown(native));
    (ours != native).then(|| format!("gives {shown_ours} in homi, {shown_native} natively"))
}

fn float_text(value: u64, width: u32) -> String {
    match width {
        32 => f32::from_bits(value as u32).to_string(),
        _ => f64::from_bits(value).to_string(),
    }
}

pub(super) fn masked(value: u64, width: u32) -> u64 {
    match width {
        0..=63 => value & ((1 << width) - 1),
        _ => value,
    }
}

fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// Returns a text in quotes, cut if it is long.
fn shown(text: &str) -> String {
    let cut: String = text.chars().take(TEXT_SHOWN).collect();
    let more = if cut.len() < text.len() { "..." } else { "" };
    format!("{cut:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cause in words.
    fn words(ours: &[LibraryCall], native: &[LibraryCall]) -> Option<String> {
        cause(ours, native).map(|found| found.text)
    }

    fn call(name: &str, arguments: &[u64], result: u64) -> LibraryCall {
        let argument = |value: &u64| CallArgument {
            value: *value,
            width: 32,
            ..CallArgument::default()
        };
        LibraryCall {
            name: name.to_string(),
            arguments: arguments.iter().map(argument).collect(),
            result: Some(CallResult {
                value: result,
                width: 32,
                float: 77,
            }),
            ..LibraryCall::default()
        }
    }

    /// A call whose argument points to texts before and after.
    fn writing(name: &str, before: &str, after: &str) -> LibraryCall {
        let mut call = call(name, &[], 0);
        call.arguments.push(CallArgument {
            value: 1 << 40,
            width: 64,
            before: Some(before.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        });
        call
    }

    #[test]
    fn the_first_other_result_is_the_cause() {
        let ours = [call("getuid", &[], 5), call("sscanf", &[3], 1)];
        let native = [call("getuid", &[], 5), call("__isoc99_sscanf", &[3], 2)];
        let found = words(&ours, &native);
        assert_eq!(found.as_deref(), Some("sscanf gives 1 in homi, 2 natively"));
        let minus = u64::from(u32::MAX);
        let found = words(&[call("f", &[], minus)], &[call("f", &[], 0)]);
        assert_eq!(found.as_deref(), Some("f gives -1 in homi, 0 natively"));
        assert_eq!(words(&ours, &ours), None);
        // The floating-point register has the result.
        let [float, other] = [77, 1].map(|result| call("strtof", &[], result));
        assert_eq!(words(&[float], &[other]), None);
    }

    #[test]
    fn what_a_call_left_in_errno_is_no_cause() {
        let left = |number: u8| LibraryCall {
            result_text: Some(vec![number, 0]),
            ..call(ERRNO, &[], 1 << 20)
        };
        assert_eq!(words(&[left(34)], &[left(2)]), None);
        assert!(
            words(
                &[LibraryCall {
                    name: "f".into(),
                    ..left(50)
                }],
                &[LibraryCall {
                    name: "f".into(),
                    ..left(51)
                }]
            )
            .is_some()
        );
    }

    #[test]
    fn a_call_that_gets_other_arguments_is_not_at_fault() {
        assert_eq!(words(&[call("f", &[1], 1)], &[call("f", &[2], 2)]), None);
        let same = |name: &str, text: &str| writing(name, text, text);
        assert_eq!(words(&[same("puts", "a")], &[same("puts", "b")]), None);
    }

    #[test]
    fn a_text_that_a_call_leaves_is_compared() {
        let ours = [writing("strftime", "", "Mon")];
        let native = [writing("strftime", "?", "Monday")];
        let expected = "strftime leaves \"Mon\" in homi, \"Monday\" natively";
        assert_eq!(words(&ours, &native).as_deref(), Some(expected));
        let bytes = [writing("read", "", "\u{1}\u{2}")];
        assert_eq!(words(&bytes, &[writing("read", "", "\u{1}\u{3}")]), None);
    }

    #[test]
    fn calls_that_one_compiler_left_out_are_passed_over() {
        let [a, b] = ["strlen", "puts"].map(|name| call(name, &[], 1));
        let [c, other] = [3, 4].map(|result| call("atoi", &[], result));
        let ours = [a.clone(), b.clone(), a.clone(), c, b.clone()];
        let native = [a.clone(), b.clone(), other, b, a];
        let expected = "atoi gives 3 in homi, 4 natively";
        assert_eq!(words(&ours, &native).as_deref(), Some(expected));
    }

    #[test]
    fn what_varies_is_not_compared() {
        let mut ours = vec![call("getpid", &[], 7), call("f", &[], 1), call("g", &[], 1)];
        mark_varying(
            &mut ours,
            &[call("getpid", &[], 8), call("f", &[], 1), call("h", &[], 1)],
        );
        assert_eq!(ours.len(), 2);
        assert_eq!(
            words(&ours, &[call("getpid", &[], 9), call("f", &[], 2)]).as_deref(),
            Some("f gives 1 in homi, 2 natively")
        );
    }
}
