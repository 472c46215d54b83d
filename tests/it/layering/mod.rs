//! Modules use each other as the tables say, on two levels: groups (ARCHITECTURE.md), and inside a
//! group its modules (the group's `mod.rs`). Files of one module form no large circles.

mod circles;
mod reader;
mod tables;

use crate::support::root;
use circles::circles;
use reader::{Module, Source};
pub use reader::{attributes, for_tests};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tables::{Table, Uses, differences, table};

/// The name of the row that stands for a group's files outside the modules that have rows.
const OWN_FILES: &str = ".";

/// Most files that may form a circle inside a module; elsewhere `OTHER_CIRCLES`.
///
/// A circle is a set of files each of which needs every other, so that none can be read, tested or
/// moved alone.
const CIRCLES: &[(&str, usize)] = &[
    ("app::session", 2),
    ("explore::engine", 2),
    ("machine::exec", 5),
    ("machine::memory", 2),
    ("output::export", 1),
    ("solver::term", 5),
    ("strategies::campaign", 2),
    ("strategies::concolic", 3),
];

/// Most files of a circle in modules that `CIRCLES` does not name.
const OTHER_CIRCLES: usize = 3;

static SOURCE: LazyLock<Source> = LazyLock::new(|| Source::read(&root().join("src")));
static EDGES: LazyLock<BTreeSet<(Module, Module)>> = LazyLock::new(|| SOURCE.edges());

/// The edges between names that files are known by, with a file each.
fn uses(name: impl Fn(&Module) -> Option<String>) -> Uses {
    let edges = EDGES.iter().filter_map(|(from, to)| {
        let (name, other) = (name(from)?, name(to)?);
        let file = SOURCE.files[from].strip_prefix(root()).ok()?;
        (name != other).then(|| ((name, other), file.display().to_string()))
    });
    edges.collect()
}

fn group(module: &Module) -> Option<String> {
    module.first().cloned()
}

fn groups() -> BTreeSet<String> {
    SOURCE.files.keys().filter_map(group).collect()
}

fn table_of_groups() -> Table {
    table(&root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md has the table's marker")
}

#[test]
fn groups_use_exactly_what_the_table_says() {
    let wrong = differences(&table_of_groups(), &groups(), &uses(group)).join("\n");
    assert!(wrong.is_empty(), "ARCHITECTURE.md's table:\n{wrong}");
}

#[test]
fn a_group_uses_only_groups_below_it() {
    let table = table_of_groups();
    for (place, (name, uses)) in table.iter().enumerate() {
        for to in uses {
            let other = table.iter().position(|(row, _)| row == to);
            assert!(
                other > Some(place),
                "`{name}` uses `{to}`, which is above it"
            );
        }
    }
}

#[test]
fn modules_of_a_group_use_exactly_what_its_table_says() {
    let mut wrong = Vec::new();
    for group in groups() {
        let root = SOURCE.files[std::slice::from_ref(&group)].as_path();
        let Some(table) = table(root) else {
            let folders = SOURCE.files.keys().filter(|module| module.len() > 2);
            let mut folders = folders.filter(|module| module[0] == group);
            wrong.extend(folders.next().map(|_| format!("{group}: no table")));
            continue;
        };
        let rows: BTreeSet<String> = table.iter().map(|(name, _)| name.clone()).collect();
        let row = |module: &Module| {
            let inside = module.first() == Some(&group);
            let name = module.get(1).filter(|name| rows.contains(*name));
            inside.then(|| name.map_or(OWN_FILES.to_string(), String::clone))
        };
        let mut names: BTreeSet<String> = SOURCE.files.keys().filter_map(row).collect();
        if !rows.contains(OWN_FILES) {
            names.remove(OWN_FILES);
        }
        let differing = differences(&table, &names, &uses(row)).into_iter();
        wrong.extend(differing.map(|line| format!("{group}: {line}")));
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "tables of groups:\n{wrong}");
}

#[test]
fn modules_of_a_group_form_no_circle() {
    for group in groups() {
        let root = SOURCE.files[std::slice::from_ref(&group)].as_path();
        let rows = table(root).unwrap_or_default().into_iter();
        let edges =
            rows.flat_map(|(name, uses)| uses.into_iter().map(move |to| (name.clone(), to)));
        // A group's own files hold its modules together, and both ways.
        let edges = edges.filter(|(from, to)| from != OWN_FILES && to != OWN_FILES);
        assert_eq!(circles(&edges.collect()), Vec::new(), "in `{group}`");
    }
}

#[test]
fn files_of_a_module_form_no_large_circle() {
    let modules = SOURCE.files.keys().filter(|module| module.len() >= 2);
    let modules: BTreeSet<Module> = modules.map(|module| module[..2].to_vec()).collect();
    let mut wrong = Vec::new();
    for module in modules {
        let inside = |other: &Module| other.starts_with(&module);
        let edges = EDGES.iter().filter(|(from, to)| inside(from) && inside(to));
        let name = module.join("::");
        let limit = CIRCLES.iter().find(|(limited, _)| *limited == name);
        let limit = limit.map_or(OTHER_CIRCLES, |(_, limit)| *limit);
        for circle in circles(&edges.cloned().collect()) {
            if circle.len() > limit {
                let files = circle.iter().map(|file| file[2..].join("/"));
                let files = files.collect::<Vec<_>>().join(" ");
                wrong.push(format!("{name}: {} files: {files}", circle.len()));
            }
        }
    }
    assert!(wrong.is_empty(), "circles:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_forbids_what_the_design_forbids() {
    let uses = uses(|module| Some(module[..module.len().min(2)].join("::")));
    let forbids = |from: &str, to: &str| {
        let found = uses.iter().find(|((user, used), _)| {
            let under = |name: &str, top: &str| {
                name == top
                    || name
                        .strip_prefix(top)
                        .is_some_and(|rest| rest.starts_with("::"))
            };
            under(user, from) && under(used, to)
        });
        assert_eq!(found, None, "`{from}` must not use `{to}`");
    };
    for group in [
        "strategies",
        "explore",
        "output",
        "native",
        "build",
        "machine",
    ] {
        forbids(group, "app::session");
        forbids(group, "commands");
    }
    for group in [
        "strategies",
        "explore",
        "output",
        "native",
        "machine",
        "solver",
        "report",
    ] {
        forbids(group, "llvm");
    }
    forbids("app", "commands");
    for to in ["machine", "solver", "explore::engine"] {
        forbids("explore::search", to);
    }
    forbids("explore::engine", "strategies");
    forbids("machine::exec", "machine::host");
    forbids("machine::memory", "machine::exec");
    forbids("native::replay", "machine::exec");
    forbids("solver::term", "ir::program");
}
