//! Input layouts that a campaign tries in addition to the given one (`--input_layouts auto`):
//! environment variables, sizes that programs read, options of the program. Without given arguments
//! the first layout is the usual input, in a locale with multibyte characters if the program sets
//! its locale.
//!
//! Invariant: the arguments before the first symbolic one stay, so the program keeps its task. The
//! layouts and their order depend on the program and its arguments alone.

use super::input_hints::{calls_any, makes_symbolic, options, variables};
use super::standalone::first_state;
use homi_config::{InputLayouts, RunConfig, usual_inputs};
use homi_ir::program::Program;
use homi_machine::exec::Executor;
use homi_machine::host::ProgramArguments;
use homi_machine::state::State;
use homi_strategies::campaign::LayoutChoice;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};

/// Sizes other than the usual ones, in the order in which they are tried. `A` and `B` are the names
/// that `--sym-files` gives.
const SIZES: [&str; 4] = [
    "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout",
    "--sym-args 0 2 4 --sym-stdin 64",
    "--sym-arg 32 --sym-files 1 16 --sym-stdin 16",
    "--sym-args 0 2 8 A B --sym-files 2 16",
];
/// Arguments that follow one of the program's options.
const AFTER_OPTION: &str = "--sym-args 0 2 8 A --sym-files 1 16 --sym-stdin 16";
/// Greatest length of a variable's value, and of an option's.
const VALUE: &str = "8";
/// More variables or options are not tried.
const MOST_VARIABLES: usize = 8;
const MOST_OPTIONS: usize = 48;

/// A locale that every modern system has and whose characters have several bytes, for a program
/// that chooses its locale by the environment. Without a variable it is "C".
const LOCALE: [&str; 2] = ["--sym-env", "LC_ALL=C.UTF-8"];

/// Further input layouts of a session's program.
pub(super) struct FurtherLayouts<'s> {
    /// The program's name for itself, and in tests.
    names: [Vec<u8>; 2],
    environment: &'s [Vec<u8>],
    arguments: Vec<Vec<String>>,
}

impl<'s> FurtherLayouts<'s> {
    /// Returns the layouts for a program with these arguments; empty if none are wanted.
    pub(super) fn of(
        program: &Program,
        arguments: &'s ProgramArguments,
        given: &[String],
        wanted: InputLayouts,
    ) -> Self {
        let further = match wanted {
            InputLayouts::Off | InputLayouts::Unsaid => Vec::new(),
            InputLayouts::Auto | InputLayouts::Found => input_layouts(program, given),
        };
        let called = arguments.arguments.first().cloned().unwrap_or_default();
        Self {
            names: [called, program.name.as_bytes().to_vec()],
            environment: &arguments.environment,
            arguments: further,
        }
    }

    fn after_name(&self, name: &[u8], layout: usize) -> Vec<Vec<u8>> {
        let arguments = self.arguments[layout]
            .iter()
            .map(|argument| argument.as_bytes().to_vec());
        std::iter::once(name.to_vec()).chain(arguments).collect()
    }
}

impl LayoutChoice for FurtherLayouts<'_> {
    fn count(&self) -> usize {
        self.arguments.len()
    }

    fn arguments(&self, layout: usize) -> &[String] {
        &self.arguments[layout]
    }

    fn test_arguments(&self, layout: usize) -> Vec<Vec<u8>> {
        self.after_name(&self.names[1], layout)
    }

    fn first_state(&self, executor: &Executor<'_>, layout: usize) -> Option<State> {
        let arguments = ProgramArguments {
            arguments: self.after_name(&self.names[0], layout),
            environment: self.environment.to_vec(),
        };
        first_state(executor, &arguments).ok()
    }
}

/// True if a program has no arguments and no file as its standard input, makes nothing symbolic,
/// and the layout options are absent: then it has one path, which the user did not ask for.
pub(super) fn has_nothing_symbolic(config: &RunConfig, program: &Program) -> bool {
    let campaign = config.campaign.as_ref();
    campaign.is_none_or(|campaign| campaign.input_layouts == InputLayouts::Unsaid)
        && config.dialect.tries_input_layouts()
        && config.program.arguments.is_empty()
        && !is_file(std::io::stdin().as_fd())
        && !makes_symbolic(program)
}

fn is_file(stream: BorrowedFd<'_>) -> bool {
    let file = stream.try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata())
        .is_ok_and(|about| about.is_file())
}

/// Returns the session with a first layout that homi chooses, if it is a campaign of such a
/// program, or of one with further layouts but without arguments.
pub(super) fn with_inputs(config: &RunConfig, program: &Program) -> Option<RunConfig> {
    let mut config = config.clone();
    let has_nothing = has_nothing_symbolic(&config, program);
    let campaign = config.campaign.as_mut()?;
    if campaign.input_layouts != InputLayouts::Found && !has_nothing {
        return None;
    }
    campaign.input_layouts = InputLayouts::Found;
    config.program.arguments = first_layout(program);
    Some(config)
}

/// The usual inputs, in a locale with characters of several bytes if the program chooses one: most
/// of its code runs for both kinds of characters, some for these only
/// (benchmarks/studies/2026-11-28-input-layouts-with-a-locale).
fn first_layout(program: &Program) -> Vec<String> {
    let usual = usual_inputs(true).split(' ').map(str::to_string);
    locale(program).into_iter().chain(usual).collect()
}

/// Returns the arguments that set [`LOCALE`]; empty if the program does not choose a locale.
fn locale(program: &Program) -> Vec<String> {
    if calls_any(program, |name| name == "setlocale") {
        LOCALE.map(str::to_string).to_vec()
    } else {
        Vec::new()
    }
}

/// Returns the note about the inputs of such a program.
pub(super) fn message_about_inputs(config: &RunConfig) -> String {
    if config.program.arguments.is_empty() {
        "nothing is symbolic, so the program has one path; add arguments such as -- --sym-args 0 2 \
         8, or --max-time 60s to let a campaign choose them"
            .to_string()
    } else {
        format!(
            "no arguments given: homi uses {} and further input layouts (disable with \
             --input-layouts off)",
            config.program.arguments.join(" ")
        )
    }
}

/// Returns all arguments of each further layout.
fn input_layouts(program: &Program, given: &[String]) -> Vec<Vec<String>> {
    let is_symbolic = |argument: &&String| argument.trim_start_matches('-').starts_with("sym-");
    let kept: Vec<&String> = given
        .iter()
        .take_while(|argument| !is_symbolic(argument))
        .collect();
    let with = |before: Vec<String>, rest: &str| -> Vec<String> {
        let kept = kept.iter().map(|argument| (*argument).clone());
        let rest = rest.split(' ').map(str::to_string);
        kept.chain(before).chain(rest).collect()
    };
    let mut all = Vec::new();
    let variables = variables(program);
    if !variables.is_empty() {
        let asked = variables.into_iter().take(MOST_VARIABLES);
        let arguments = asked.flat_map(|name| ["--sym-env".into(), name, VALUE.into()]);
        all.push(with(arguments.collect(), usual_inputs(true)));
    }
    all.push(with(locale(program), usual_inputs(true)));
    all.extend(SIZES.map(|rest| with(Vec::new(), rest)));
    let options = options(program).into_iter().take(MOST_OPTIONS);
    all.extend(options.map(|option| {
        let mut arguments = vec![format!("--{}", option.name)];
        if option.has_argument {
            arguments.extend(["--sym-arg".into(), VALUE.into()]);
        }
        with(arguments, AFTER_OPTION)
    }));
    all.retain(|arguments| arguments != given);
    all
}
