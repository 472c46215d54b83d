//! The pages of `docs/reference` that the program generates are up to date, and each option of
//! `homi run` and `homi test` has a row in the options table of one page.
//!
//! `homi __options-markdown > docs/reference/options.md` writes a page; `statistics` writes
//! `statistics.md`, and `klee-options` its own page.

use crate::support::{files_with, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_homi"))
        .args(arguments)
        .output()
        .expect("homi runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("the text is UTF-8")
}

/// Names of commands, and the page in `docs/reference` that each prints.
const PAGES: [(&str, &str); 3] = [
    ("options", "options"),
    ("statistics", "statistics"),
    ("klee-options", "klee-options"),
];

#[test]
fn generated_pages_are_up_to_date() {
    for (command, page) in PAGES {
        let file = root().join(format!("docs/reference/{page}.md"));
        let old = fs::read_to_string(file).expect("a page");
        let new = printed(&[&format!("__{command}-markdown")]);
        let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
        assert!(
            old == new,
            "{page}: first difference {differs:?}; see the head of this file"
        );
    }
}

/// The names of the options in lines such as `**`-q, --quiet`** (default: ...)`.
fn option_names(section: &str) -> BTreeSet<String> {
    let lines = section.lines().filter(|line| line.starts_with("**`"));
    let long = lines.filter_map(|line| line.split_once("--"));
    let names = long.filter_map(|(_, rest)| {
        rest.split(|c: char| c != '-' && !c.is_alphanumeric())
            .next()
    });
    names
        .filter(|name| *name != "tuning")
        .map(str::to_string)
        .collect()
}

/// The options in the first column of a page's tables whose heading is `option`.
fn explained_options(page: &str) -> BTreeSet<String> {
    let mut explained = BTreeSet::new();
    let mut in_table = false;
    for line in page.lines() {
        let first_cell = line
            .strip_prefix("| ")
            .and_then(|rest| rest.split(" | ").next());
        let Some(cell) = first_cell else {
            in_table = in_table && line.starts_with('|');
            continue;
        };
        if in_table {
            let spans = cell.split('`').skip(1).step_by(2);
            let options = spans.filter_map(|span| span.strip_prefix("--"));
            let names = options.filter_map(|rest| rest.split([' ', '=', '[']).next());
            explained.extend(names.map(str::to_string));
        }
        in_table = in_table || cell == "option" || cell == "option or variable";
    }
    explained
}

#[test]
fn each_option_of_a_run_is_explained_on_one_page() {
    let reference = printed(&["__options-markdown"]);
    let (_, run) = reference
        .split_once("\n## homi run\n")
        .expect("options of a run");
    let run = run.split("\n### Constants\n").next().expect("options");
    let (_, test) = reference
        .split_once("\n## homi test\n")
        .expect("options of a test");
    let test = test.split("\n## ").next().expect("options");
    let mut pages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["docs/guide", "docs/research"] {
        for path in files_with("md", &root().join(folder)) {
            let text = fs::read_to_string(&path).expect("a page");
            for option in explained_options(&text) {
                let name = path.strip_prefix(root()).expect("a page of the repository");
                pages
                    .entry(option)
                    .or_default()
                    .push(name.display().to_string());
            }
        }
    }
    let mut options = option_names(run);
    options.extend(option_names(test));
    assert!(options.len() > 80, "only {} options", options.len());
    let wrong: Vec<String> = options
        .iter()
        .filter_map(
            |option| match pages.get(option).map_or(&[][..], Vec::as_slice) {
                [_] => None,
                found => Some(format!("--{option}: {found:?}")),
            },
        )
        .collect();
    assert!(
        wrong.is_empty(),
        "an options table of one page explains each option: {wrong:#?}"
    );
}

#[test]
fn tuning_constants_are_set_by_name_and_listed() {
    let run = |setting: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_homi"))
            .args(["run", "none.bc", "--tuning", setting])
            .output()
            .expect("homi runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(run("nothing=1").contains("there is no tuning constant nothing"));
    assert!(run("linear_terms=some").contains("is no number from 0"));
    assert!(run("linear_terms").contains("expected NAME=VALUE"));
    // The constant is fine; the file is not there.
    assert!(run("linear_terms=7").contains("none.bc"));
    let listed = printed(&["run", "--tuning", "help"]);
    for name in ["prune-interval", "keep-unpruned-run", "linear_terms"] {
        assert!(listed.contains(name), "{name}");
    }
    assert!(run("prune-interval=0").contains("cannot be 0"));
}

#[test]
fn shells_complete_options_and_no_internal_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("max-forks"), "{shell}");
        assert!(!script.contains("__lower"), "{shell}");
    }
}
