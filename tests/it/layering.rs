//! Rooms use only the rooms that ARCHITECTURE.md's table allows.
//!
//! The table stands after the marker `<!-- layering-table -->`, one row per room:
//! `| room | what it owns | room, room |`. An edge is any `crate::room` path in code outside tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Edges = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All `.rs` files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder is readable") {
            let path = entry.expect("a folder entry is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A file's text without comments and without what follows `#[cfg(test)] mod tests {`.
fn code(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let inline_tests = line.trim() == "#[cfg(test)]"
            && lines
                .peek()
                .is_some_and(|next| next.contains("mod ") && next.trim_end().ends_with('{'));
        if inline_tests {
            break;
        }
        kept.push(line.split("//").next().unwrap_or_default());
    }
    kept.join("\n")
}

/// Files that are compiled for tests only: `#[cfg(test)]` before `mod name;`.
fn test_files(files: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).expect("a source file is readable");
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for pair in lines.windows(2) {
            let declaration = pair[1].trim_start_matches("pub(crate) ");
            if pair[0] == "#[cfg(test)]"
                && let Some(name) = declaration.strip_prefix("mod ")
                && let Some(name) = name.strip_suffix(';')
            {
                let folder = file.parent().expect("a file has a folder");
                let stem = file.file_stem().unwrap_or_default();
                let folder = if stem == "mod" || stem == "lib" {
                    folder.to_path_buf()
                } else {
                    folder.join(stem)
                };
                found.insert(folder.join(format!("{name}.rs")));
                found.insert(folder.join(name).join("mod.rs"));
            }
        }
    }
    found
}

/// Names after `crate::` in a text, `{a, b}` lists included.
fn rooms_used(text: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for (position, _) in text.match_indices("crate::") {
        if text[..position].ends_with('$') {
            continue;
        }
        let rest = &text[position + "crate::".len()..];
        let name = |text: &str| -> String {
            text.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        };
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut item = String::new();
            for character in list.chars() {
                match character {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        used.insert(name(item.trim()));
                        item.clear();
                        continue;
                    }
                    _ => {}
                }
                item.push(character);
            }
            used.insert(name(item.trim()));
        } else {
            used.insert(name(rest));
        }
    }
    used.remove("");
    used
}

fn actual_edges() -> Edges {
    let source = root().join("src");
    let files = sources(&source);
    let test_only = test_files(&files);
    let mut edges = Edges::new();
    for file in files.iter().filter(|file| !test_only.contains(*file)) {
        let relative = file.strip_prefix(&source).expect("files lie under src");
        let first = relative.iter().next().unwrap_or_default().to_string_lossy();
        let room = first.trim_end_matches(".rs").to_string();
        if room == "lib" || room == "main" {
            continue;
        }
        let text = fs::read_to_string(file).expect("a source file is readable");
        let used = edges.entry(room.clone()).or_default();
        used.extend(
            rooms_used(&code(&text))
                .into_iter()
                .filter(|to| *to != room),
        );
    }
    edges
}

fn allowed_edges() -> Edges {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md exists");
    let (_, table) = text
        .split_once("<!-- layering-table -->")
        .expect("ARCHITECTURE.md has the table's marker");
    let mut edges = Edges::new();
    for line in table.lines().skip_while(|line| !line.starts_with('|')) {
        if !line.starts_with('|') {
            break;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (Some(room), Some(uses)) = (cells.first(), cells.get(2)) else {
            continue;
        };
        let room = room.trim_matches('`').to_string();
        let uses = uses
            .split(',')
            .map(|name| name.trim().trim_matches('`').to_string())
            .filter(|name| !name.is_empty() && name != "-");
        edges.insert(room, uses.collect());
    }
    edges
}

#[test]
fn rooms_use_only_what_the_table_allows() {
    let allowed = allowed_edges();
    let mut wrong = Vec::new();
    for (room, used) in actual_edges() {
        let Some(allowed) = allowed.get(&room) else {
            wrong.push(format!("room `{room}` has no row"));
            continue;
        };
        for to in used.difference(allowed) {
            wrong.push(format!("`{room}` uses `{to}`"));
        }
    }
    assert!(
        wrong.is_empty(),
        "not in ARCHITECTURE.md's table:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_table_forbids_what_the_design_forbids() {
    let allowed = allowed_edges();
    let forbids = |room: &str, to: &str| {
        let uses = allowed.get(room).expect("the room has a row");
        assert!(
            !uses.contains(to),
            "`{room}` must not be allowed to use `{to}`"
        );
    };
    for room in allowed.keys() {
        forbids(room, "cli");
        if room != "cli" {
            forbids(room, "session");
        }
        if !["cli", "session"].contains(&room.as_str()) {
            forbids(room, "bitcode");
        }
    }
    for to in ["state", "exec", "expr", "solver", "engine"] {
        forbids("search", to);
    }
    for to in ["exec", "state", "solver", "engine", "program"] {
        forbids("expr", to);
    }
    forbids("exec", "engine");
    forbids("exec", "env");
    forbids("memory", "exec");
    forbids("solver", "exec");
    forbids("solver", "state");
}

#[test]
fn paths_are_recognised() {
    let text =
        "use crate::expr::{Term, Terms};\nuse crate::{config::Span, ops};\n$crate::util::x\n";
    let used: Vec<String> = rooms_used(text).into_iter().collect();
    assert_eq!(used, ["config", "expr", "ops"]);
    let text = "use crate::a::B; // crate::b\n#[cfg(test)]\nmod tests {\n use crate::c::D;\n}\n";
    assert_eq!(rooms_used(&code(text)).len(), 1);
}
