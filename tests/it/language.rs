//! Documents avoid the phrases that made homi's texts hard to read.
//!
//! The test reads the prose of Markdown, without fenced blocks, and the comments of Rust, C and C++.
//! `ROOTS` lists the files and folders.

use crate::support::{files, root};
use regex_lite::Regex;
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders that are read.
const ROOTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/README.md",
    "docs",
    "examples/README.md",
    "runtime",
    "src",
];

/// Pages below `ROOTS` that are not read: the program generates them from its help texts.
const GENERATED: &[&str] = &[
    "docs/reference/klee-options.md",
    "docs/reference/options.md",
    "docs/reference/statistics.md",
];

/// Expressions that no line may match, each with what to write instead.
const PATTERNS: &[(&str, &str)] = &[
    (r"\b[Ss]o (many|much)\b", "up to N, the number of"),
    (r"\b(but for|none but|nothing but)\b", "except, only"),
    (
        r"\b(is|are|was|were|be|been) (told|said)\b|\b(tell|tells|told) of\b",
        "reports, prints",
    ),
    (
        r"\b[Ww]hoever\b|(^|[.:;] |/// )Who [a-z]+s\b",
        "the actor: you, the caller",
    ),
    (
        r"\b(that which|those (that|which|of)|that of)\b",
        "the noun again",
    ),
    (r"\b(its|their) kin\b|and the like", "the list, or: family"),
    (
        r"\b(states?|ones|vectors?|which) (that )?leaves?\b|\bthat leaves?\b",
        "are pruned, are removed",
    ),
    (
        r"way round|in vain|by lot|in the box|from people|of people|check sum|nobody|somebody",
        "the glossary's term",
    ),
    (
        r"^#+ .*\b([Ww]hat|[Ww]hy|[Ww]here|[Ww]hen|[Ww]hich|that)\b",
        "a task or a noun as heading",
    ),
    (
        r"^ *//[/!] (What|Whether|Where|Which|Who|Why|Of|It|These|Those|That|The same|So many|As|By|With|Nothing|Not)\b",
        "a doc comment's subject",
    ),
];

/// Measured figures in prose; allowed in `MEASURED`.
const FIGURE: &str = r"\b[0-9]+\.[0-9]+ times\b|\b[0-9]+(\.[0-9]+)? %";

/// Folders whose pages may state figures.
const MEASURED: &[&str] = &["benchmarks/", "docs/decisions/", "docs/research/"];

/// Texts that match a pattern rightly, at most twenty, each with the reason.
const ALLOWED: &[(&str, &str)] = &[
    (
        "daemon, nobody and the program's user",
        "`nobody` is an account",
    ),
    ("User nobody and group nogroup", "`nobody` is an account"),
];

/// Suffixes of files that are read.
const SUFFIXES: &[&str] = &["c", "cpp", "h", "md", "rs"];

/// Adds the files below a path.
fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in files(path) {
            collect(&entry, found);
        }
    } else if path
        .extension()
        .is_some_and(|end| SUFFIXES.iter().any(|known| end == *known))
    {
        found.push(path.to_path_buf());
    }
}

/// Returns the comments in a line of C, and true if a block comment continues in the next line.
/// `inside` is true if one began before the line.
fn c_comments(line: &str, mut inside: bool) -> (String, bool) {
    let mut text = String::new();
    let mut rest = line;
    loop {
        if inside {
            let Some((comment, code)) = rest.split_once("*/") else {
                return (text + rest, true);
            };
            text.push_str(comment);
            rest = code;
            inside = false;
        } else {
            let Some(start) = rest.find("/*").into_iter().chain(rest.find("//")).min() else {
                return (text, false);
            };
            if rest[start..].starts_with("//") {
                return (text + &rest[start..], false);
            }
            rest = &rest[start + 2..];
            inside = true;
        }
    }
}

/// Returns the comments of a file of C or C++, with their line numbers from 1.
fn c_prose(text: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let comment;
        (comment, inside) = c_comments(line, inside);
        lines.push((index + 1, comment));
    }
    lines
}

/// Returns the prose of a file, with line numbers from 1.
fn prose(path: &Path, text: &str) -> Vec<(usize, String)> {
    let suffix = path.extension().and_then(|end| end.to_str());
    if matches!(suffix, Some("c" | "cpp" | "h")) {
        return c_prose(text);
    }
    let is_rust = suffix == Some("rs");
    let mut fenced = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let comment = line.trim_start().starts_with("//");
        if line.trim_start_matches(['/', '!', ' ']).starts_with("```") {
            fenced = !fenced;
        } else if !fenced && (comment || !is_rust) {
            lines.push((index + 1, line.to_string()));
        }
    }
    lines
}

fn problems(name: &str, path: &Path, patterns: &[(Regex, &str)]) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a text");
    let mut problems = Vec::new();
    for (number, line) in prose(path, &text) {
        if ALLOWED.iter().any(|(part, _)| line.contains(part)) {
            continue;
        }
        for (pattern, instead) in patterns {
            if let Some(found) = pattern.find(&line) {
                let found = found.as_str();
                problems.push(format!("{name}:{number}: {found:?}; write {instead}"));
            }
        }
    }
    problems
}

#[test]
fn texts_avoid_the_phrases() {
    assert!(ALLOWED.len() <= 20, "the allow-list is too long");
    let compiled = |text: &str| Regex::new(text).expect("an expression");
    let mut patterns: Vec<(Regex, &str)> = PATTERNS
        .iter()
        .map(|(pattern, instead)| (compiled(pattern), *instead))
        .collect();
    let figure = (compiled(FIGURE), "it in a study, and link to that");
    let mut found = Vec::new();
    for path in ROOTS {
        collect(&root().join(path), &mut found);
    }
    let mut wrong = Vec::new();
    for path in found {
        let name = path.strip_prefix(root()).expect("a file of the repository");
        let name = name.display().to_string();
        if GENERATED.contains(&name.as_str()) {
            continue;
        }
        let measured = MEASURED.iter().any(|folder| name.starts_with(folder));
        if !measured {
            patterns.push(figure.clone());
        }
        wrong.extend(problems(&name, &path, &patterns));
        patterns.truncate(PATTERNS.len());
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn patterns_match_what_they_are_for() {
    let matches = |line: &str| {
        PATTERNS
            .iter()
            .any(|(pattern, _)| Regex::new(pattern).expect("an expression").is_match(line))
    };
    for wrong in [
        "so many paths",
        "everything but for one",
        "is told of",
        "Who comes from KLEE reads this",
        "those that wait",
        "malloc and its kin",
        "a state that leaves",
        "## What it costs",
        "/// The same, without fuzzing.",
    ] {
        assert!(matches(wrong), "{wrong}");
    }
    for right in [
        "## Resume a run",
        "/// Number of paths.",
        "the state is pruned",
    ] {
        assert!(!matches(right), "{right}");
    }
}

#[test]
fn comments_of_c_are_read() {
    let text = "int a; /* one */ int b; /* two\n three */ int c; // four /* five\nint d;\n";
    let comments: Vec<String> = c_prose(text).into_iter().map(|(_, line)| line).collect();
    assert_eq!(comments, [" one  two", " three // four /* five", ""]);
}
