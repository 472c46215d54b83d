//! Native execution is the oracle: each command line of `tests/data/differential/commands.txt` runs
//! natively (coreutils built by gcc against glibc) and in homi (the same source as bitcode, on musl
//! and the modelled kernel), each in a fresh copy of `tests/data/differential/fixture`. Standard
//! output, standard error and the exit status must be the same. Differences that are known are
//! listed with their cause in `tests/data/differential/known.txt`, and the test fails when a listed
//! one is gone, so that the list stays true.

use crate::support::{Outcome, data, root, run_homi, run_native};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A parsed command line.
struct Line<'a> {
    text: &'a str,
    words: Vec<String>,
    stdin: Option<String>,
}

fn subjects() -> PathBuf {
    root().join(".deps/subjects/coreutils-9.1")
}

/// Splits a line into words: blanks separate, quotes group, `< FILE` is standard input.
fn parse(text: &str) -> Line<'_> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let redirected = words
        .iter()
        .position(|word| word == "<" && text.contains(" < "));
    let stdin = redirected.map(|at| words.drain(at..).nth(1).expect("a file after <"));
    Line { text, words, stdin }
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("create directory");
    for entry in fs::read_dir(from).expect("read fixture") {
        let entry = entry.expect("directory entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("file type").is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).expect("copy fixture file");
        }
    }
}

fn standard_input(line: &Line, directory: &Path) -> Stdio {
    match &line.stdin {
        Some(file) => fs::File::open(directory.join(file))
            .expect("stdin file")
            .into(),
        None => Stdio::null(),
    }
}

fn show_difference(line: &Line, native: &Outcome, homi: &Outcome) -> String {
    let text = |bytes: &[u8]| {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(600).collect();
        format!("{shown:?}")
    };
    let mut report = format!("$ {}\n", line.text);
    if native.status != homi.status {
        report += &format!("  status native {} homi {}\n", native.status, homi.status);
    }
    if native.stdout != homi.stdout {
        report += &format!(
            "  stdout native {}\n         homi   {}\n",
            text(&native.stdout),
            text(&homi.stdout)
        );
    }
    if native.stderr != homi.stderr {
        report += &format!(
            "  stderr native {}\n         homi   {}\n",
            text(&native.stderr),
            text(&homi.stderr)
        );
    }
    report
}

/// Runs one line both ways; `None` when they agree.
fn compare(line: &Line) -> Option<String> {
    let scratch = tempfile::tempdir().expect("temporary directory");
    let directory = scratch.path().join("w");
    copy_tree(&data("differential/fixture"), &directory);
    let name = &line.words[0];
    let arguments = &line.words[1..];
    let homi = run_homi(
        &subjects().join(format!("bc-19/{name}.bc")),
        arguments,
        &directory,
        standard_input(line, &directory),
        scratch.path(),
    );
    let native = run_native(
        &subjects().join("native").join(name),
        name,
        arguments,
        &directory,
        standard_input(line, &directory),
    );
    (native != homi).then(|| show_difference(line, &native, &homi))
}

/// `command line<TAB>cause` by line.
fn known_differences() -> BTreeMap<String, String> {
    let text = fs::read_to_string(data("differential/known.txt")).expect("known.txt");
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once('\t').expect("command<TAB>cause"))
        .map(|(command, cause)| (command.to_string(), cause.to_string()))
        .collect()
}

#[test]
fn coreutils_command_lines_behave_as_natively() {
    assert!(
        subjects().join("native/echo").exists(),
        "coreutils is not built: run scripts/setup subjects (looked in {})",
        subjects().display()
    );
    let text = fs::read_to_string(data("differential/commands.txt")).expect("commands.txt");
    let only = std::env::var("HOMI_ONLY").unwrap_or_default();
    let lines: Vec<Line> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty() && line.starts_with(&only))
        .map(parse)
        .collect();
    let next = AtomicUsize::new(0);
    let differences = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(difference) = compare(line) {
                        differences
                            .lock()
                            .expect("lock")
                            .insert(line.text.to_string(), difference);
                    }
                }
            });
        }
    });
    let differences = differences.into_inner().expect("lock");
    let known = known_differences();
    let mut report = String::new();
    for (command, difference) in &differences {
        if !known.contains_key(command) {
            report += difference;
        }
    }
    for command in known.keys().filter(|command| command.starts_with(&only)) {
        if !differences.contains_key(command) {
            report += &format!("$ {command}\n  agrees now: remove it from known.txt\n");
        }
    }
    println!(
        "{} command lines, {} differ, {} of them known",
        lines.len(),
        differences.len(),
        known.len()
    );
    assert!(
        report.is_empty(),
        "{} command lines compared\n{report}",
        lines.len()
    );
}
