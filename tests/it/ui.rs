//! C harnesses with their expected outcomes in comments, run without libc through the library.
//!
//! Each file below `tests/data/ui` says in `// key: value` lines what must happen. `expect: exits
//! N` is the number of paths that return or exit, `expect: statuses A B` the set of their exit
//! statuses, `expect: silent N`, `expect: early N`, `expect: bug KIND line N "MESSAGE"` all bugs of
//! the program (a kind, line and message that several paths show counts once), `expect: stack
//! "FUNCTION(ARGUMENTS)"` a line of a bug's stack, `expect: unsupported "TEXT"`, `expect:
//! stdout|stderr|warning "TEXT"` parts of what is printed, `expect: objects NAME:SIZE ...` the
//! symbolic objects of the first finished path. `uses: undefined values` says that a program of
//! pass/ is not to be run with those tracked. `args:` are the program's arguments; `level:` names
//! the optimisation level (both -O0 and -O1 if not given; bug/ and unsupported/: -O0).

use crate::support::{bitcode_into, checked_solver, data, files};
use homi::app::session::Standalone;
use homi::config::SymbolicConfig;
use homi::explore::engine::SolverSession as _;
use homi::ir::program::Program;
use homi::llvm::{LoadOptions, load};
use homi::machine::exec::{ExecConfig, Step, Termination};
use homi::machine::host::ProgramArguments;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Instructions after which a harness counts as not ending.
const BUDGET: u64 = 20_000_000;

/// Results in the form of the expectations.
#[derive(Default)]
struct Seen {
    exits: usize,
    statuses: BTreeSet<i32>,
    silent: usize,
    early: usize,
    bugs: BTreeSet<(String, u32, String)>,
    stacks: BTreeSet<String>,
    unsupported: BTreeSet<String>,
    objects: Option<Vec<String>>,
    stdout: String,
    stderr: String,
    warnings: Vec<String>,
}

fn compile(source: &Path, level: &str, directory: &Path, track_undefined: bool) -> Program {
    let bitcode = directory.join("harness.bc");
    let flags = ["-g", "-w", "-fno-builtin", level];
    bitcode_into("clang-19", &flags, source, &bitcode);
    let options = LoadOptions {
        track_undefined,
        ..LoadOptions::new(&bitcode)
    };
    load(&options).expect("the bitcode loads")
}

/// Explores all paths of a harness, depth first.
fn explore(program: &Program, args: &[String], check_undefined: bool) -> Result<Seen, String> {
    let config = ExecConfig {
        symbolic: SymbolicConfig {
            undefined: check_undefined,
            ..SymbolicConfig::BASIC
        },
        ..ExecConfig::default()
    };
    let bare = Standalone::with(program, config);
    let mut walk = bare.walk().expect("a sound program");
    let mut solver = checked_solver();
    let names = std::iter::once("harness".to_string()).chain(args.iter().cloned());
    let arguments = ProgramArguments {
        arguments: names.map(String::into_bytes).collect(),
        environment: Vec::new(),
    };
    let first = walk.state_with(&arguments).expect("the arguments fit");
    let mut seen = Seen::default();
    let mut open = vec![first];
    while let Some(mut state) = open.pop() {
        let end = match walk.step(&mut state, &mut solver, BUDGET) {
            Step::Continue => return Err("a path does not end".to_string()),
            Step::Forked(siblings) => {
                open.push(state);
                open.extend(siblings.into_iter().map(|sibling| *sibling));
                continue;
            }
            Step::Ended(end) => end,
            Step::Absent(absent) => return Err(format!("a pending side ran: {absent:?}")),
        };
        if !state.path.holds(bare.terms(), &state.model) {
            return Err(format!(
                "a model does not satisfy its path; the path ended as {end:?}"
            ));
        }
        match end {
            Termination::Exit(status) => {
                seen.exits += 1;
                seen.statuses.insert(status);
                let symbolics = state.symbolics.objects.iter();
                let objects = symbolics.map(|object| format!("{}:{}", object.name, object.size));
                seen.objects.get_or_insert(objects.collect());
            }
            Termination::Silent => seen.silent += 1,
            Termination::Early(_) => seen.early += 1,
            Termination::Unsupported(unsupported) => {
                seen.unsupported.insert(unsupported.what);
            }
            Termination::Bug(bug) => {
                let line = program.location(bug.location).line;
                let stack = bug.stack.iter().map(|entry| {
                    format!("{}({})", entry.function_name, entry.arguments.join(", "))
                });
                seen.stacks.extend(stack);
                seen.bugs
                    .insert((bug.kind.name().to_string(), line, bug.message));
            }
        }
    }
    solver.trim();
    let console = walk.world.console;
    seen.stdout = String::from_utf8_lossy(&console.stdout()).into_owned();
    seen.stderr = String::from_utf8_lossy(&console.stderr()).into_owned();
    seen.warnings = console.warnings();
    Ok(seen)
}

/// The text between the first and the last quote, with `\n` and `\"` understood.
fn quoted(text: &str) -> String {
    let inner = text
        .split_once('"')
        .and_then(|(_, rest)| rest.rsplit_once('"'));
    let inner = inner.expect("a quoted text").0;
    inner.replace("\\n", "\n").replace("\\\"", "\"")
}

/// Everything in which `seen` is not as the comments say.
fn differences(expectations: &[&str], seen: &Seen) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut bugs = BTreeSet::new();
    let mut unsupported = 0;
    for expectation in expectations {
        let (key, value) = expectation.split_once(' ').unwrap_or((expectation, ""));
        let number = || value.trim().parse::<usize>().expect("a number");
        let mut count = |name: &str, found: usize| {
            if found != number() {
                wrong.push(format!("{found} {name}, expected {value}"));
            }
        };
        match key {
            "exits" => count("exits", seen.exits),
            "silent" => count("silent ends", seen.silent),
            "early" => count("early ends", seen.early),
            "statuses" => {
                let statuses = value.split_whitespace();
                let expected: BTreeSet<i32> = statuses
                    .map(|status| status.parse().expect("a status"))
                    .collect();
                if expected != seen.statuses {
                    wrong.push(format!(
                        "statuses {:?}, expected {expected:?}",
                        seen.statuses
                    ));
                }
            }
            "objects" => {
                let expected: Vec<String> = value.split_whitespace().map(str::to_string).collect();
                if Some(&expected) != seen.objects.as_ref() {
                    wrong.push(format!("objects {:?}, expected {expected:?}", seen.objects));
                }
            }
            "bug" => {
                let words: Vec<&str> = value.splitn(4, ' ').collect();
                assert_eq!(words[1], "line", "bug KIND line N \"MESSAGE\"");
                let line = words[2].parse().expect("a line");
                bugs.insert((words[0].to_string(), line, quoted(words[3])));
            }
            "stack" => {
                if !seen.stacks.contains(&quoted(value)) {
                    wrong.push(format!("stacks {:?}, expected {value}", seen.stacks));
                }
            }
            "unsupported" => {
                unsupported += 1;
                if !seen
                    .unsupported
                    .iter()
                    .any(|unsupported| unsupported.contains(&quoted(value)))
                {
                    wrong.push(format!(
                        "unsupported features {:?}, expected {value}",
                        seen.unsupported
                    ));
                }
            }
            "stdout" | "stderr" => {
                let text = if key == "stdout" {
                    &seen.stdout
                } else {
                    &seen.stderr
                };
                if !text.contains(&quoted(value)) {
                    wrong.push(format!("{key} is {text:?}, expected in it {value}"));
                }
            }
            "warning" => {
                if !seen
                    .warnings
                    .iter()
                    .any(|line| line.contains(&quoted(value)))
                {
                    wrong.push(format!("warnings {:?}, expected {value}", seen.warnings));
                }
            }
            other => panic!("unknown expectation {other}"),
        }
    }
    if bugs != seen.bugs {
        wrong.push(format!("bugs {:#?}, expected {bugs:#?}", seen.bugs));
    }
    if unsupported != seen.unsupported.len() {
        wrong.push(format!(
            "unsupported features {:?}, expected {unsupported}",
            seen.unsupported
        ));
    }
    let mentions = |key: &str| expectations.iter().any(|line| line.starts_with(key));
    for (key, found) in [("silent", seen.silent), ("early", seen.early)] {
        if found > 0 && !mentions(key) {
            wrong.push(format!("{found} {key} ends, not expected"));
        }
    }
    wrong
}

fn values<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let lines = text.lines();
    let lines = lines.filter_map(|line| line.strip_prefix("// ").or(line.strip_prefix("; ")));
    lines
        .filter_map(|line| line.strip_prefix(key))
        .map(str::trim)
        .collect()
}

/// Runs all harnesses of a folder, with or without undefined values tracked, and reports all that
/// differ.
fn check_folder(folder: &str, levels: &[&str], track_undefined: bool) {
    let files = files(&data("ui").join(folder));
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut failures = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("a text file");
        let expectations = values(&text, "expect:");
        assert!(!expectations.is_empty(), "{file:?} expects something");
        if track_undefined && !values(&text, "uses: undefined").is_empty() {
            continue;
        }
        let own = values(&text, "level:");
        let args: Vec<String> = values(&text, "args:")
            .iter()
            .flat_map(|line| line.split_whitespace().map(str::to_string))
            .collect();
        for level in if own.is_empty() { levels } else { &own[..] } {
            let program = compile(file, level, directory.path(), track_undefined);
            let wrong = match explore(&program, &args, track_undefined) {
                Ok(seen) => differences(&expectations, &seen),
                Err(problem) => vec![problem],
            };
            for line in wrong {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                failures.push(format!("{folder}/{name} {level}: {line}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(!files.is_empty());
}

#[test]
fn programs_without_bugs() {
    check_folder("pass", &["-O0", "-O1"], false);
}

#[test]
fn programs_with_bugs() {
    check_folder("bug", &["-O0"], false);
}

#[test]
fn what_homi_cannot_do_is_named() {
    check_folder("unsupported", &["-O0"], false);
}

#[test]
fn uses_of_undefined_values() {
    check_folder("undefined", &["-O0", "-O1"], true);
}

/// Tracking finds nothing in programs that use nothing undefined, and changes nothing else.
#[test]
fn programs_without_bugs_use_nothing_undefined() {
    check_folder("pass", &["-O0", "-O1"], true);
}
