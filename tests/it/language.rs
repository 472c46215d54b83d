//! Documents avoid the phrases that made homi's texts hard to read.
//!
//! The test reads the prose of Markdown, without fenced blocks, and the comments of Rust, C, C++.
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
    "benchmarks/tools",
    "docs",
    "examples",
    "runtime",
    "src",
    "tests/it",
];

/// Pages below `ROOTS` that are not read: the program generates them from its help texts.
const GENERATED: &[&str] = &[
    "docs/reference/klee-options.md",
    "docs/reference/options.md",
    "docs/reference/statistics.md",
];

/// A phrase that no line may have: strings, one of which every match contains, an expression, and
/// what to write instead. The strings spare most lines the slow expression.
type Phrase = (&'static [&'static str], &'static str, &'static str);

/// Phrases that no line may have.
const PATTERNS: &[Phrase] = &[
    (
        &["o many", "o much"],
        r"\b[Ss]o (many|much)\b",
        "up to N, the number of",
    ),
    (
        &["but"],
        r"\b(but for|none but|nothing but)\b",
        "except, only",
    ),
    (
        &["told", "said", "tell"],
        r"\b(is|are|was|were|be|been) (told|said)\b|\b(tell|tells|told) of\b",
        "reports, prints",
    ),
    (
        &["hoeve", "Who "],
        r"\b[Ww]hoever\b|(^|[.:;] |/// )Who [a-z]+s\b",
        "the actor: you, the caller",
    ),
    (
        &["that which", "those ", "that of"],
        r"\b(that which|those (that|which|of)|that of)\b",
        "the noun again",
    ),
    (
        &["kin", "like"],
        r"\b(its|their) kin\b|and the like",
        "the list, or: family",
    ),
    (
        &["leave"],
        r"\b(states?|ones|vectors?|which) (that )?leaves?\b|\bthat leaves?\b",
        "are pruned, are removed",
    ),
    (
        &[
            "way round",
            "in vain",
            "by lot",
            "in the box",
            "people",
            "check sum",
            "body",
        ],
        r"way round|in vain|by lot|in the box|from people|of people|check sum|nobody|somebody",
        "the glossary's term",
    ),
    (
        &["# "],
        r"^#+ .*\b([Ww]hat|[Ww]hy|[Ww]here|[Ww]hen|[Ww]hich|that)\b",
        "a task or a noun as heading",
    ),
    (
        &["//"],
        r"^ *//[/!] (What|Whether|Where|Which|Who|Why|Of|It|These|Those|That|The same|So many|As|By|With|Nothing|Not)\b",
        "a doc comment's subject",
    ),
];

/// Measured figures in prose; allowed in `MEASURED`.
const FIGURE: Phrase = (
    &[" times", " %"],
    r"\b[0-9]+\.[0-9]+ times\b|\b[0-9]+(\.[0-9]+)? %",
    "it in a study, and link to that",
);

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

/// Returns the first match of a phrase in a line.
fn find<'l>((parts, ..): Phrase, expression: &Regex, line: &'l str) -> Option<&'l str> {
    if !parts.iter().any(|part| line.contains(part)) {
        return None;
    }
    expression.find(line).map(|found| found.as_str())
}

fn compiled(phrase: Phrase) -> (Phrase, Regex) {
    (phrase, Regex::new(phrase.1).expect("an expression"))
}

fn problems(name: &str, path: &Path, patterns: &[(Phrase, Regex)]) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a text");
    let mut problems = Vec::new();
    for (number, line) in prose(path, &text) {
        if ALLOWED.iter().any(|(part, _)| line.contains(part)) {
            continue;
        }
        for (phrase, expression) in patterns {
            if let Some(found) = find(*phrase, expression, &line) {
                let instead = phrase.2;
                problems.push(format!("{name}:{number}: {found:?}; write {instead}"));
            }
        }
    }
    problems
}

#[test]
fn texts_avoid_the_phrases() {
    assert!(ALLOWED.len() <= 20, "the allow-list is too long");
    let mut patterns: Vec<_> = PATTERNS.iter().copied().map(compiled).collect();
    let figure = compiled(FIGURE);
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
        PATTERNS.iter().any(|phrase| {
            let (phrase, expression) = compiled(*phrase);
            find(phrase, &expression, line).is_some()
        })
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
