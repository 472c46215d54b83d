//! `homi klee` and the commands beside it: each program of `tests/data/klee` says in its comments
//! how it is run and what is printed and written.
//!
//! A run begins with `klee: WORDS` (or `tool: WORDS`, the first of them the command). `%p` is the
//! program's bitcode, `%d` the directory of the run. What follows belongs to it:
//! - `status: N`, its exit status, 0 by default;
//! - `stdin: FILE`, what it reads;
//! - `says: TEXT`, a line that holds the text; `...` stands for anything;
//! - `never: TEXT`, no line does; `prints: TEXT`, a line of standard output does;
//! - `order: TEXT TEXT ...`, the lines of standard output are these;
//! - `has: FILE`, `lacks: FILE`, `holds: FILE: TEXT`;
//! - `counts: DIRECTORY SUFFIX N`, the number of its files with this suffix.

use crate::support::{TestDir, data, text};
use std::fs;
use std::process::{Output, Stdio};

/// A run that a comment asks for.
#[derive(Default)]
struct Run {
    arguments: Vec<String>,
    /// Expected results, as keys and values.
    expected: Vec<(String, String)>,
}

fn runs(source: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for line in source.lines() {
        let Some((key, value)) = line
            .strip_prefix("// ")
            .and_then(|line| line.split_once(':'))
        else {
            continue;
        };
        let value = value.trim();
        let arguments = value.split_whitespace().map(str::to_owned);
        match key {
            "klee" => runs.push(Run {
                arguments: std::iter::once("klee".to_string())
                    .chain(arguments)
                    .collect(),
                ..Run::default()
            }),
            "tool" => runs.push(Run {
                arguments: arguments.collect(),
                ..Run::default()
            }),
            "status" | "stdin" | "says" | "never" | "prints" | "has" | "lacks" | "holds"
            | "counts" | "order" => {
                let run = runs.last_mut().expect("a run comes first");
                run.expected.push((key.to_string(), value.to_string()));
            }
            _ => {}
        }
    }
    runs
}

/// True if a line contains the text, in which `...` matches anything.
fn holds(lines: &str, text: &str) -> bool {
    lines.lines().any(|line| {
        let mut rest = line;
        text.split("...").all(|part| match rest.find(part) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                true
            }
            None => false,
        })
    })
}

fn check(place: &TestDir, key: &str, value: &str, output: &Output) -> bool {
    let path = |name: &str| place.path(name.trim());
    let stdout = String::from_utf8_lossy(&output.stdout);
    match key {
        "status" => output.status.code() == value.parse().ok(),
        "says" => holds(&(text(output) + &stdout), value),
        "never" => !holds(&text(output), value),
        "prints" => holds(&stdout, value),
        "order" => stdout.split_whitespace().eq(value.split_whitespace()),
        "has" => path(value).exists(),
        "lacks" => !path(value).exists(),
        "holds" => {
            let (file, part) = value.split_once(": ").expect("FILE: TEXT");
            fs::read_to_string(path(file)).is_ok_and(|text| holds(&text, part))
        }
        "counts" => {
            let arguments: Vec<&str> = value.split_whitespace().collect();
            let [directory, suffix, count] = arguments[..] else {
                panic!("counts: DIRECTORY SUFFIX N");
            };
            let entries = fs::read_dir(path(directory)).expect("the directory is there");
            let names = entries
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok());
            let found = names.filter(|name| name.ends_with(suffix)).count();
            found == count.parse::<usize>().expect("a number")
        }
        _ => true,
    }
}

fn perform(name: &str) {
    let place = TestDir::new();
    let source = fs::read_to_string(data("klee").join(format!("{name}.c"))).expect("the program");
    let program = place.compile(name, &source);
    place.compile("other", "int of_another_file(void) { return 3; }");
    let arguments = format!("--output-dir=from-file '{}'\n", program.display());
    fs::write(place.path("arguments.txt"), arguments).expect("the arguments");
    for (name, sides) in [("forced", "1 1 1"), ("wrong", "1 1 0"), ("short", "1")] {
        fs::write(place.path(&format!("{name}.path")), sides).expect("the sides");
    }
    let directory = place.directory.path().display().to_string();
    for run in runs(&source) {
        let fill = |word: &String| {
            let word = word.replace("%d", &directory);
            word.replace("%p", &program.display().to_string())
        };
        let arguments: Vec<String> = run.arguments.iter().map(fill).collect();
        let mut homi = place.homi();
        homi.args(&arguments);
        if let Some((_, file)) = run.expected.iter().find(|(key, _)| key == "stdin") {
            let file = fs::File::open(fill(file)).expect("the standard input");
            homi.stdin(Stdio::from(file));
        }
        let output = homi.output().expect("homi runs");
        let said = text(&output);
        if !run.expected.iter().any(|(key, _)| key == "status") {
            assert!(output.status.success(), "{arguments:?}: {said}");
        }
        for (key, value) in &run.expected {
            let holds = check(&place, key, value, &output);
            assert!(holds, "{name}: {arguments:?}\n{key}: {value}\n{said}");
        }
    }
}

macro_rules! programs {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                perform(stringify!($name));
            }
        )*

        #[test]
        fn every_program_is_run() {
            let known = [$(stringify!($name)),*];
            for entry in fs::read_dir(data("klee")).expect("the programs").flatten() {
                let path = entry.path();
                let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
                assert!(known.contains(&name), "{name} is not in the list");
            }
        }
    };
}

programs!(
    aliases,
    exit_on_error,
    files_of_tests,
    fuzz_driver,
    kinds,
    misuse,
    one_test_per_error,
    options,
    output,
    paths,
    posix,
    profile,
    queries,
    seed_sizes,
    seeds,
    shares_of_places,
    switches,
    words_of_errors,
);
