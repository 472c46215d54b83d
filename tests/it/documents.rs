//! The documents point at what exists and keep their size.
//!
//! Read are README, ARCHITECTURE, CONTRIBUTING, CHANGELOG, the READMEs of benchmarks and examples,
//! RESULTS and everything below docs/. A link is followed to its file and to its heading. A cited
//! file is a code span that names a path, such as `solver/chain.rs` or `src/explore/engine/`: it
//! exists below the root, below src/ or runtime/include/, or beside the document. The recipes of
//! docs/internals/adding-things.md also name functions, types and tests that exist.

use crate::support::{files, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const SINGLE_DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "benchmarks/README.md",
    "benchmarks/RESULTS.md",
    "examples/README.md",
];

/// Folders of the repository: a code span that begins with one is a path that must exist.
const FOLDERS: &[&str] = &[
    "benches/",
    "benchmarks/",
    "build/",
    "docs/",
    "examples/",
    "fuzz/",
    "runtime/",
    "scripts/",
    "src/",
    "tests/",
];

/// Endings of the files that documents cite with a folder before them.
const CITED_ENDINGS: &[&str] = &[
    "c", "h", "json", "jsonl", "md", "mk", "py", "rs", "sh", "toml", "txt",
];

/// The files below a folder whose names have one of these endings.
fn files_below(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for path in files(folder) {
        if path.is_dir() {
            files_below(&path, endings, found);
        } else if path
            .extension()
            .is_some_and(|ending| endings.iter().any(|one| ending == *one))
        {
            found.push(path);
        }
    }
}

fn documents() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = SINGLE_DOCUMENTS
        .iter()
        .map(|name| root().join(name))
        .collect();
    files_below(&root().join("docs"), &["md"], &mut pages);
    pages.sort();
    pages
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A page without its fenced blocks, whose text is commands and output.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The targets of `[text](target)`.
fn links(prose: &str) -> Vec<String> {
    let targets = prose.split("](").skip(1);
    targets
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target.to_string()))
        .collect()
}

/// The texts between single backticks. A paragraph is looked at as a whole, because a span may go
/// on in the next line.
fn code_spans(prose: &str) -> Vec<String> {
    prose
        .split("\n\n")
        .flat_map(|paragraph| paragraph.split('`').skip(1).step_by(2))
        .map(str::to_string)
        .collect()
}

/// The name by which a heading is linked: lower case, blanks as hyphens, no punctuation.
fn anchor(heading: &str) -> String {
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

/// True if a code span names a file or directory of the repository.
fn is_cited_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    if !span.contains('/') || span.starts_with('/') || !span.chars().all(plain) {
        return false;
    }
    let is_output = span.starts_with("homi-") || span.starts_with("./") || span.starts_with("../");
    let ending = Path::new(span)
        .extension()
        .and_then(|ending| ending.to_str());
    let is_file = ending.is_some_and(|ending| CITED_ENDINGS.contains(&ending));
    !is_output && (is_file || FOLDERS.iter().any(|folder| span.starts_with(folder)))
}

fn problems_of(page: &Path) -> Vec<String> {
    let text = read(page);
    let prose = prose(&text);
    let folder = page.parent().expect("a page has a folder");
    let mut problems = Vec::new();
    for link in links(&prose) {
        if link.starts_with("http://") || link.starts_with("https://") {
            continue;
        }
        let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
        let target = if file.is_empty() {
            page.to_path_buf()
        } else {
            folder.join(file)
        };
        if !target.exists() {
            problems.push(format!("the link {link} leads nowhere"));
        } else if !heading.is_empty() && !anchors(&read(&target)).contains(heading) {
            problems.push(format!("the link {link} names no heading"));
        }
    }
    for span in code_spans(&prose) {
        let bases = [
            root(),
            &root().join("src"),
            &root().join("runtime/include"),
            folder,
        ];
        if is_cited_path(&span) && !bases.iter().any(|base| base.join(&span).exists()) {
            problems.push(format!("there is no {span}"));
        }
    }
    problems
}

#[test]
fn every_link_and_every_cited_file_exists() {
    let mut problems = Vec::new();
    for page in documents() {
        let name = page.strip_prefix(root()).expect("a page of the repository");
        let found = problems_of(&page);
        problems.extend(
            found
                .iter()
                .map(|what| format!("{}: {what}", name.display())),
        );
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// The words of a text that can be names of code.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

#[test]
fn recipes_name_functions_types_and_tests_that_exist() {
    let mut sources = Vec::new();
    for folder in ["src", "runtime", "tests/it"] {
        files_below(&root().join(folder), &["rs", "c", "h"], &mut sources);
    }
    let texts: Vec<String> = sources
        .iter()
        .map(|file| String::from_utf8_lossy(&fs::read(file).expect("a readable file")).into_owned())
        .collect();
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| names(text)).collect();
    let page = read(&root().join("docs/internals/adding-things.md"));
    let is_name = |span: &String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
        span.chars().all(plain)
    };
    let spans: Vec<String> = code_spans(&prose(&page))
        .into_iter()
        .filter(is_name)
        .collect();
    let unknown: BTreeSet<&str> = spans
        .iter()
        .flat_map(|span| names(span))
        .filter(|name| !known.contains(name))
        .collect();
    assert!(spans.len() > 100, "the page names code");
    assert!(unknown.is_empty(), "no source has {unknown:?}");
}

#[test]
fn each_recipe_names_its_files_and_says_when_it_is_done() {
    let page = read(&root().join("docs/internals/adding-things.md"));
    let recipes: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert!(recipes.len() >= 14, "a recipe is missing");
    for recipe in recipes {
        let heading = recipe.lines().next().unwrap_or_default();
        for part in ["\nFiles (", "Example", "\n1. ", "\nDone when"] {
            assert!(recipe.contains(part), "{heading}: no {part:?}");
        }
        let row = format!("(#{})", anchor(heading));
        assert!(page.contains(&row), "{heading}: not in the table");
    }
}

/// The sources that have one of these words, in order of name.
fn sources_with(words: &[&str]) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    files_below(&root().join("src"), &["rs"], &mut sources);
    sources.retain(|file| {
        let text = read(file);
        words.iter().any(|word| text.contains(word))
    });
    sources.sort();
    sources
}

#[test]
fn a_check_is_named_in_three_places() {
    let found = sources_with(&[
        "Shift: \"shift\" or",
        "checks.has(CheckKind::Shift)",
        "fn check_shift",
        ".check_shift(",
    ]);
    let places = [
        "config/check_kinds.rs",
        "machine/exec/checks/arithmetic.rs",
        "machine/exec/checks/mod.rs",
    ];
    assert_eq!(found, places.map(|file| root().join("src").join(file)));
}

#[test]
fn an_instruction_is_named_in_three_places() {
    let sources = sources_with(&["Inst::Funnel", "Funnel \""]);
    let (lowering, others): (Vec<PathBuf>, Vec<PathBuf>) = sources
        .into_iter()
        .partition(|file| file.starts_with(root().join("src/llvm/lower")));
    assert!(!lowering.is_empty(), "the lowering emits it");
    let table = root().join("src/ir/program/instructions.rs");
    let meaning = root().join("src/machine/exec/step/dispatch.rs");
    assert_eq!(others, [table, meaning]);
}

#[test]
fn readme_and_architecture_stay_short() {
    let readme = read(&root().join("README.md"));
    assert!(
        readme.lines().count() <= 150,
        "README.md has more than 150 lines"
    );
    for (number, line) in readme.lines().enumerate() {
        let length = line.chars().count();
        assert!(
            length <= 200,
            "README.md:{}: {length} characters",
            number + 1
        );
    }
    let architecture = read(&root().join("ARCHITECTURE.md"));
    assert!(
        architecture.lines().count() <= 250,
        "ARCHITECTURE.md has more than 250 lines"
    );
}
