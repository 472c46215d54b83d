//! Sessions in README and guide are real: each command runs, and prints what the page shows.
//!
//! A block of the kind `console` is a session. A line that begins with `$ ` is a command, the lines
//! below it are its output. `...` stands for text that the page leaves out: a whole line for any
//! number of lines, within a line for any characters. A block of the kind `c NAME` is a file. All
//! blocks of a page run in one directory, with the repository's `examples`. A block below
//! `<!-- not run: REASON -->` does not run.

use crate::support::{TestDir, files_with, homi, root, text};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A fenced block of a page.
struct Block<'a> {
    kind: &'a str,
    lines: Vec<&'a str>,
    runs: bool,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    let mut before = "";
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(block), None) => block.lines.push(line),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(kind)) => {
                let runs = !before.starts_with("<!-- not run:");
                let lines = Vec::new();
                open = Some(Block { kind, lines, runs });
            }
            (None, None) if !line.is_empty() => before = line,
            (None, None) => {}
        }
    }
    blocks
}

/// The commands of a session, each with its output.
fn commands<'a>(block: &Block<'a>) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, output))) => output.push(line),
            (None, None) => panic!("a session begins with `$ `, not with {line:?}"),
        }
    }
    commands
}

/// Returns true if a line is the shown one, in which `...` stands for any text.
fn line_matches(shown: &str, line: &str) -> bool {
    let parts: Vec<&str> = shown.split("...").collect();
    let [first, middle @ .., last] = &parts[..] else {
        return shown == line;
    };
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Returns true if an output is the shown one, in which a line `...` stands for any lines.
fn output_matches(shown: &[&str], output: &[&str]) -> bool {
    match (shown, output) {
        ([], []) => true,
        (["...", shown @ ..], _) => {
            (0..=output.len()).any(|skipped| output_matches(shown, &output[skipped..]))
        }
        ([first, shown @ ..], [line, output @ ..]) => {
            line_matches(first, line) && output_matches(shown, output)
        }
        _ => false,
    }
}

/// Returns true if a page shows the standard output, the standard error, or one after the other.
fn is_shown(shown: &[&str], output: &Output) -> bool {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let both = [format!("{stdout}{stderr}"), format!("{stderr}{stdout}")];
    let mut candidates = both.iter().map(String::as_str).chain([&*stdout, &*stderr]);
    candidates.any(|text| output_matches(shown, &text.trim_end().lines().collect::<Vec<_>>()))
}

/// A directory as the root of the repository looks to readers, with `homi` in `bin`.
fn directory() -> TestDir {
    let place = TestDir::new();
    // Sandboxed programs of another user read their files here.
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.directory.path(), mode).expect("a directory that others read");
    symlink(root().join("examples"), place.path("examples")).expect("a link");
    fs::create_dir_all(place.path("runtime")).expect("a directory");
    symlink(
        root().join("runtime/include"),
        place.path("runtime/include"),
    )
    .expect("a link");
    fs::create_dir_all(place.path("bin")).expect("a directory");
    symlink(homi(), place.path("bin/homi")).expect("a link");
    place
}

fn shell(place: &TestDir, command: &str) -> Output {
    let path = std::env::var("PATH").expect("a path");
    Command::new("sh")
        .args(["-c", command])
        .current_dir(place.directory.path())
        .env("PATH", format!("{}:{path}", place.path("bin").display()))
        .env("XDG_CACHE_HOME", place.path("cache"))
        .stdin(Stdio::null())
        .output()
        .expect("a shell runs")
}

/// Runs the sessions of a page; returns the number of commands, and what differs.
fn run(page: &Path) -> (usize, Vec<String>) {
    let content = fs::read_to_string(page).expect("a page");
    let place = directory();
    let (mut count, mut problems) = (0, Vec::new());
    for block in blocks(&content) {
        if let Some(name) = block.kind.strip_prefix("c ") {
            fs::write(place.path(name), block.lines.join("\n") + "\n").expect("a file");
        }
        if block.kind != "console" || !block.runs {
            continue;
        }
        for (command, shown) in commands(&block) {
            count += 1;
            let output = shell(&place, command);
            if !is_shown(&shown, &output) {
                let found = text(&output);
                problems.push(format!("{}: $ {command}\n{found}", page.display()));
            }
        }
    }
    (count, problems)
}

#[test]
fn sessions_print_what_pages_show() {
    let mut pages = files_with("md", &root().join("docs/guide"));
    pages.push(root().join("README.md"));
    let results: Vec<_> = pages.iter().map(|page| run(page)).collect();
    let count: usize = results.iter().map(|(count, _)| count).sum();
    let problems: Vec<String> = results.into_iter().flat_map(|(_, found)| found).collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(count > 30, "only {count} commands");
}

/// Most lines of a page of the guide.
const MOST_LINES: usize = 120;

#[test]
fn pages_of_the_guide_are_short_and_begin_with_a_session() {
    for page in files_with("md", &root().join("docs/guide")) {
        let text = fs::read_to_string(&page).expect("a page");
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{}: {lines} lines", page.display());
        let blocks = blocks(&text);
        let first = blocks.iter().find(|block| !block.kind.starts_with("c "));
        let is_session = first.is_some_and(|block| block.kind == "console");
        assert!(is_session, "{}: no session at first", page.display());
    }
}
