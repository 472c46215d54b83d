//! No line of Rust is wider than 100 columns, comments included. rustfmt sees to most of it, but
//! leaves comments, macros and long strings alone.
//!
//! String literals do not count: a message is searchable only in one piece.

use crate::support::root;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Columns; as in `rustfmt.toml`.
const WIDTH: usize = 100;

/// Folders with Rust sources.
const FOLDERS: [&str; 6] = [
    "benches",
    "benchmarks/tools",
    "build",
    "fuzz",
    "src",
    "tests",
];

/// Columns that string literals occupy, by line; both count from 0.
type Strings = BTreeMap<usize, Vec<Range<usize>>>;

/// Adds all Rust files at or below a path.
pub(crate) fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("the folder is readable") {
            collect(&entry.expect("an entry").path(), found);
        }
    } else if path.extension() == Some(OsStr::new("rs")) {
        found.push(path.to_path_buf());
    }
}

/// Adds the literals that begin with a quote, whatever letters and signs stand before it. The text
/// of a doc comment is a literal, too, but begins with slashes.
fn add_strings(tokens: TokenStream, lines: &[Vec<char>], strings: &mut Strings) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_strings(group.stream(), lines, strings),
            TokenTree::Literal(literal) => {
                let (start, end) = (literal.span().start(), literal.span().end());
                let first = start.line - 1;
                let mut text = lines[first][start.column..].iter();
                let opening = text.find(|c| !c.is_alphabetic() && **c != '#');
                if opening != Some(&'"') {
                    continue;
                }
                let spanned = lines.iter().enumerate().take(end.line).skip(first);
                for (number, line) in spanned {
                    let from = if number == first { start.column } else { 0 };
                    let to = if number + 1 == end.line {
                        end.column
                    } else {
                        line.len()
                    };
                    strings.entry(number).or_default().push(from..to);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Numbers of the lines that are too wide, from 1, and their widths without strings.
fn wide_lines(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let mut strings = Strings::new();
    add_strings(text.parse().expect("Rust"), &lines, &mut strings);
    let width = |(index, line): (usize, &Vec<char>)| {
        let inside: usize = strings
            .get(&index)
            .into_iter()
            .flatten()
            .map(Range::len)
            .sum();
        (index + 1, line.len() - inside)
    };
    // A row of a table cannot be broken.
    let broken = |(_, line): &(usize, &Vec<char>)| !line.starts_with(&['/', '/', '!', ' ', '|']);
    let widths = lines.iter().enumerate().filter(broken).map(width);
    widths.filter(|(_, width)| *width > WIDTH).collect()
}

#[test]
fn lines_fit_in_100_columns() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 300, "only {} files", files.len());
    let mut wide = String::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("the file is readable");
        for (number, width) in wide_lines(&text) {
            let name = file.strip_prefix(root()).unwrap_or(&file);
            wide += &format!("{}:{number}: {width} columns\n", name.display());
        }
    }
    assert!(wide.is_empty(), "{wide}");
}

#[test]
fn comments_count_and_strings_do_not() {
    let long = "x".repeat(WIDTH);
    for wide in [
        format!("// {long}\nfn f() {{}}\n"),
        format!("/// {long}\nfn f() {{}}\n"),
        format!("fn {long}() {{}}\n"),
        format!("fn f() {{}} // \"{long}\"\n"),
    ] {
        assert_eq!(wide_lines(&wide).len(), 1, "{wide}");
    }
    for fits in [
        format!("const A: &str = \"{long}\";\n"),
        format!("const A: &[u8] = br#\"\n{long}\n\"#;\n"),
        format!("// {}\n", &long[3..]),
    ] {
        assert_eq!(wide_lines(&fits), [], "{fits}");
    }
}
