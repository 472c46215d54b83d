//! Finds what a program's code says about its inputs: environment variables, options, and whether
//! it makes something symbolic.
//!
//! Invariant: only the code and data of the program count, never libc's.

use homi_ir::program::{Callee, ConstValue, Function, GlobalInit, Origin, Program};
use std::collections::BTreeSet;

/// Functions that look a variable up by the name in their first argument.
const LOOKUPS: [&str; 3] = ["getenv", "secure_getenv", "__secure_getenv"];
/// An entry of the array that `getopt_long` gets: name, whether it has an argument, flag, value.
const OPTION_ENTRY: u64 = 32;
const HAS_ARGUMENT: u64 = 8;

/// Functions that make something symbolic.
const MAKERS: [&str; 4] = [
    "klee_make_symbolic",
    "klee_range",
    "klee_int",
    "klee_choose",
];
/// Prefix of the functions that do so in verification tasks.
const VERIFIER: &str = "__VERIFIER_";

/// True if the program's own code makes something symbolic.
pub(super) fn makes_symbolic(program: &Program) -> bool {
    calls_any(program, |name| {
        MAKERS.contains(&name) || name.starts_with(VERIFIER)
    })
}

/// True if the program's own code calls a function of such a name.
pub(super) fn calls_any(program: &Program, is_meant: impl Fn(&str) -> bool) -> bool {
    let own = |one: &&Function| one.origin == Origin::Program;
    let calls = program.functions.iter().filter(own);
    let mut calls = calls.flat_map(|one| &one.calls);
    calls.any(|call| match call.callee {
        Callee::Direct(callee) => is_meant(&program.function(callee).name),
        _ => false,
    })
}

/// The names of variables for which the program's own code asks, in alphabetical order.
pub(super) fn variables(program: &Program) -> Vec<String> {
    let own = program
        .functions
        .iter()
        .filter(|one| one.origin == Origin::Program);
    let names: BTreeSet<String> = own.flat_map(|one| asked_for(program, one)).collect();
    names.into_iter().collect()
}

fn asked_for(program: &Program, function: &Function) -> Vec<String> {
    let constant = |slot| {
        let mut constants = function.constants.iter();
        constants
            .find(|(known, _)| *known == slot)
            .map(|(_, value)| value)
    };
    let mut names = Vec::new();
    for call in &function.calls {
        let Callee::Direct(callee) = call.callee else {
            continue;
        };
        let looks_up = LOOKUPS.contains(&program.function(callee).name.as_str());
        let first = call.args.first().filter(|_| looks_up);
        let value = first.and_then(|(slot, _)| constant(*slot));
        names.extend(value.and_then(|value| text(program, value)));
    }
    names
}

/// One of the program's long options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LongOption {
    pub(super) name: String,
    pub(super) has_argument: bool,
}

/// Returns the entries of arrays in the layout of `getopt_long`: the first eight bytes of each
/// entry except the last point to a name, and the last entry is zero.
pub(super) fn options(program: &Program) -> Vec<LongOption> {
    let mut found: Vec<LongOption> = Vec::new();
    for global in program
        .globals
        .iter()
        .filter(|one| one.origin == Origin::Program)
    {
        let GlobalInit::Bytes { bytes, relocations } = &global.init else {
            continue;
        };
        if global.size % OPTION_ENTRY != 0 || global.size < 2 * OPTION_ENTRY {
            continue;
        }
        let entries = global.size / OPTION_ENTRY - 1;
        let entry = |number: u64| {
            let offset = number * OPTION_ENTRY;
            let mut pointers = relocations.iter();
            let name = pointers.find(|one| one.offset == offset)?;
            let kind = (offset + HAS_ARGUMENT) as usize;
            let kind = i32::from_le_bytes(bytes.get(kind..kind + 4)?.try_into().ok()?);
            let name = text(program, &name.value).filter(|name| is_option_name(name))?;
            let has_argument = (0..=2).contains(&kind).then_some(kind == 1)?;
            Some(LongOption { name, has_argument })
        };
        let array: Option<Vec<LongOption>> = (0..entries).map(entry).collect();
        let last = relocations
            .iter()
            .all(|one| one.offset < entries * OPTION_ENTRY);
        for option in array.into_iter().flatten().filter(|_| last) {
            if !found.contains(&option) {
                found.push(option);
            }
        }
    }
    // They say what is known without running, and end the program.
    found.retain(|option| !["help", "version"].contains(&option.name.as_str()));
    found
}

fn is_option_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphanumeric())
        && characters.all(|one| one.is_ascii_alphanumeric() || "-_.".contains(one))
}

/// Returns the text that a constant points to; `None` if it is empty or no UTF-8.
fn text(program: &Program, value: &ConstValue) -> Option<String> {
    let text = std::str::from_utf8(program.text_at(value)?).ok()?;
    (!text.is_empty()).then(|| text.to_string())
}
