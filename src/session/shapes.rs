//! The shapes of input that a campaign tries besides the one that was asked for
//! (`--shapes auto`): sizes that programs read, variables that this one asks for, options that it
//! knows.
//!
//! Invariant: the words before the first symbolic one stay, so a program that was told what to do
//! goes on to do it. Which shapes there are, and their order, depends on the program and its words
//! alone.

use super::bare::first_state;
use crate::campaign::Shapes;
use crate::config::{InputShapes, RunConfig, usual_inputs};
use crate::env::ProgramArguments;
use crate::exec::Executor;
use crate::program::{Callee, ConstValue, Function, GlobalId, GlobalInit, Origin, Program};
use crate::state::State;
use std::collections::BTreeSet;

/// Sizes beside the usual ones, in the order in which they are tried. `A` and `B` are the names
/// that `--sym-files` gives.
const SIZES: [&str; 4] = [
    "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8",
    "--sym-args 0 2 4 --sym-stdin 64",
    "--sym-arg 32 --sym-files 1 16 --sym-stdin 16",
    "--sym-args 0 2 8 A B --sym-files 2 16",
];
/// What follows one of the program's options.
const AFTER_OPTION: &str = "--sym-args 0 2 8 A --sym-files 1 16 --sym-stdin 16";
/// Greatest length of a variable's value, and of an option's.
const VALUE: &str = "8";
/// More variables or options are not tried.
const MOST_VARIABLES: usize = 8;
const MOST_OPTIONS: usize = 48;

/// Functions that look a variable up by the name in their first argument.
const LOOKUPS: [&str; 3] = ["getenv", "secure_getenv", "__secure_getenv"];
/// An entry of the array that `getopt_long` gets: name, whether it has an argument, flag, value.
const OPTION_ENTRY: u64 = 32;
const HAS_ARGUMENT: u64 = 8;

/// The further shapes of a session's program.
pub(super) struct FurtherShapes<'s> {
    /// The program's name for itself, and in tests.
    names: [Vec<u8>; 2],
    environment: &'s [Vec<u8>],
    words: Vec<Vec<String>>,
}

impl<'s> FurtherShapes<'s> {
    /// Those of a program that was given these words; none if none are wanted.
    pub(super) fn of(
        program: &Program,
        arguments: &'s ProgramArguments,
        given: &[String],
        wanted: InputShapes,
    ) -> Self {
        let words = match wanted {
            InputShapes::Off | InputShapes::Unsaid => Vec::new(),
            InputShapes::Auto => shapes(program, given),
        };
        let called = arguments.arguments.first().cloned().unwrap_or_default();
        Self {
            names: [called, program.name.as_bytes().to_vec()],
            environment: &arguments.environment,
            words,
        }
    }

    fn arguments(&self, name: &[u8], shape: usize) -> Vec<Vec<u8>> {
        let words = self.words[shape]
            .iter()
            .map(|word| word.as_bytes().to_vec());
        std::iter::once(name.to_vec()).chain(words).collect()
    }
}

impl Shapes for FurtherShapes<'_> {
    fn count(&self) -> usize {
        self.words.len()
    }

    fn words(&self, shape: usize) -> &[String] {
        &self.words[shape]
    }

    fn test_words(&self, shape: usize) -> Vec<Vec<u8>> {
        self.arguments(&self.names[1], shape)
    }

    fn first_state(&self, executor: &Executor<'_>, shape: usize) -> Option<State> {
        let arguments = ProgramArguments {
            arguments: self.arguments(&self.names[0], shape),
            environment: self.environment.to_vec(),
        };
        first_state(executor, &arguments).ok()
    }
}

/// What makes something symbolic.
const MAKERS: [&str; 4] = [
    "klee_make_symbolic",
    "klee_range",
    "klee_int",
    "klee_choose",
];
/// What the functions begin with that do so in verification tasks.
const VERIFIER: &str = "__VERIFIER_";

/// Whether a campaign's program got no words and makes nothing symbolic itself, and nobody decided
/// on shapes: then there is one path, and who reads that may want to know how to get more.
pub(super) fn has_nothing_symbolic(config: &RunConfig, program: &Program) -> bool {
    let campaign = config.campaign.as_ref();
    campaign.is_some_and(|campaign| campaign.shapes == InputShapes::Unsaid)
        && config.program.arguments.is_empty()
        && !makes_symbolic(program)
}

fn makes_symbolic(program: &Program) -> bool {
    let own = |one: &&Function| one.origin == Origin::Program;
    let calls = program.functions.iter().filter(own);
    let mut calls = calls.flat_map(|one| &one.calls);
    calls.any(|call| match call.callee {
        Callee::Direct(callee) => {
            let name = program.function(callee).name.as_str();
            MAKERS.contains(&name) || name.starts_with(VERIFIER)
        }
        _ => false,
    })
}

/// All words of each further shape.
fn shapes(program: &Program, given: &[String]) -> Vec<Vec<String>> {
    let is_symbolic = |word: &&String| word.trim_start_matches('-').starts_with("sym-");
    let kept: Vec<&String> = given.iter().take_while(|word| !is_symbolic(word)).collect();
    let with = |before: Vec<String>, rest: &str| -> Vec<String> {
        let kept = kept.iter().map(|word| (*word).clone());
        let rest = rest.split(' ').map(str::to_string);
        kept.chain(before).chain(rest).collect()
    };
    let mut all = Vec::new();
    let variables = variables(program);
    if !variables.is_empty() {
        let asked = variables.into_iter().take(MOST_VARIABLES);
        let words = asked.flat_map(|name| ["--sym-env".into(), name, VALUE.into()]);
        all.push(with(words.collect(), usual_inputs(true)));
    }
    all.extend(SIZES.map(|rest| with(Vec::new(), rest)));
    let options = options(program).into_iter().take(MOST_OPTIONS);
    all.extend(options.map(|option| {
        let mut words = vec![format!("--{}", option.name)];
        if option.has_argument {
            words.extend(["--sym-arg".into(), VALUE.into()]);
        }
        with(words, AFTER_OPTION)
    }));
    all.retain(|words| words != given);
    all
}

/// The names of variables for which the program's own code asks, in alphabetical order.
fn variables(program: &Program) -> Vec<String> {
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
struct LongOption {
    name: String,
    has_argument: bool,
}

/// The entries of arrays that look as those for `getopt_long` do: the first eight bytes of each but
/// the last point at a word, and the last is zero.
fn options(program: &Program) -> Vec<LongOption> {
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

/// The text that a constant points at, up to its NUL.
fn text(program: &Program, value: &ConstValue) -> Option<String> {
    let ConstValue::Global { global, offset } = value else {
        return None;
    };
    let bytes = bytes_of(program, *global)?;
    let rest = bytes.get(usize::try_from(*offset).ok()?..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    (!text.is_empty()).then(|| text.to_string())
}

fn bytes_of(program: &Program, global: GlobalId) -> Option<&[u8]> {
    match &program.globals.get(global.index())?.init {
        GlobalInit::Bytes { bytes, relocations } if relocations.is_empty() => Some(bytes),
        GlobalInit::Bytes { .. } | GlobalInit::Zero | GlobalInit::External => None,
    }
}
