//! Files, functions and the source itself, with what became of each branch side.

use super::data::RunData;
use super::table::{Cell, Table, bar};
use super::tests_table::short;
use super::text;
use super::untaken::{Fate, Fates};
use homi_native::testcase::BranchEntry;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// The sides of some branches, by what became of them.
#[derive(Default)]
struct Counts {
    by_fate: BTreeMap<Fate, u64>,
}

impl Counts {
    fn add(&mut self, branch: &BranchEntry, fates: &Fates<'_>) {
        for side in 0..branch.sides {
            *self
                .by_fate
                .entry(fates.of_side(branch.branch, side))
                .or_default() += 1;
        }
    }

    fn of(&self, fate: Fate) -> u64 {
        self.by_fate.get(&fate).copied().unwrap_or(0)
    }

    fn all(&self) -> u64 {
        self.by_fate.values().sum()
    }

    /// The cells after the names.
    fn cells(&self, columns: &[Fate]) -> Vec<Cell> {
        let (taken, all) = (self.of(Fate::Taken), self.all());
        let mut cells = vec![
            Cell::share(taken, all),
            Cell::count(taken),
            Cell::count(all),
        ];
        cells.extend(columns.iter().map(|fate| Cell::count(self.of(*fate))));
        cells
    }
}

/// Tables of files and of functions; nothing if no branch is known.
pub(super) fn tables(data: &RunData, fates: &Fates<'_>) -> Option<Markup> {
    if data.branches.is_empty() {
        return None;
    }
    let mut files: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut functions: BTreeMap<(&str, &str), (Counts, u32)> = BTreeMap::new();
    for branch in &data.branches {
        files.entry(&branch.file).or_default().add(branch, fates);
        let (counts, line) = functions
            .entry((&branch.file, &branch.function))
            .or_insert_with(|| (Counts::default(), branch.line));
        counts.add(branch, fates);
        *line = (*line).min(branch.line);
    }
    let untaken = Fate::columns(|fate| files.values().any(|counts| counts.of(fate) > 0));
    let columns = |first: &[&'static str]| -> Vec<&'static str> {
        let fates = untaken.iter().map(|fate| fate.name());
        let columns = first.iter().copied().chain(["ratio", "taken", "sides"]);
        columns.chain(fates).collect()
    };
    let mut by_file = Table::new(
        "file-table",
        "Files, by branch sides",
        &columns(&["file"]),
        1,
    );
    by_file.rows = files
        .iter()
        .map(|(file, counts)| {
            let mut row = vec![Cell::markup(
                html! { a href={ "#" (file_id(data, file)) } { (named(file)) } },
            )];
            row.extend(counts.cells(&untaken));
            row
        })
        .collect();
    let mut by_function = Table::new(
        "function-table",
        "Functions, by branch sides",
        &columns(&["function", "file"]),
        2,
    );
    by_function.rows = functions
        .iter()
        .map(|((file, function), (counts, line))| {
            let place =
                html! { a href={ "#" (line_id(data, file, *line)) } { code { (text(function)) } } };
            let mut row = vec![Cell::markup(place), Cell::text(short(file))];
            row.extend(counts.cells(&untaken));
            row
        })
        .collect();
    Some(html! {
        (by_file.html()) (by_function.html())
        dl { @for fate in &untaken { dt { b { (fate.name()) } } dd { (fate.meaning()) } } }
    })
}

fn named(file: &str) -> String {
    match file {
        "" => "(unknown)".to_string(),
        file => text(file),
    }
}

/// Returns the anchor of a file.
fn file_id(data: &RunData, file: &str) -> String {
    let number = data.files.get(file);
    number.map_or_else(|| "source".to_string(), |number| format!("f{number}"))
}

/// Returns the anchor of a line with branches.
pub(super) fn line_id(data: &RunData, file: &str, line: u32) -> String {
    format!("{}-{line}", file_id(data, file))
}

/// The source with what became of each branch; nothing if no branch is known.
pub(super) fn annotated(data: &RunData, fates: &Fates<'_>) -> Option<Markup> {
    if data.branches.is_empty() {
        return None;
    }
    let marks = Marks::of(data, fates);
    let missing = data.sources.missing();
    let is_short = data.files.len() == 1;
    Some(html! {
        p {
            "A line with branches is "
            span.l2 { "green" } " if tests take all its sides, "
            span.l1 { "yellow" } " if tests take some of them, "
            span.l0 { "red" } " if tests take none. On side 0, the condition holds as clang tests it; "
            "the sides of a switch are its cases in order, and the default is the last."
        }
        @if !missing.is_empty() {
            p { "Files that were not found: " code { (text(&missing.join(" "))) }
                ". " code { "homi report --source DIR" } " searches further directories." }
        }
        @for file in data.files.keys() { (file_of(data, &marks, file, is_short)) }
    })
}

/// Annotations of lines.
struct Marks<'d> {
    /// Branches by file and line.
    branches: BTreeMap<(&'d str, u32), Vec<&'d BranchEntry>>,
    counts: BTreeMap<&'d str, Counts>,
    /// The first test that takes a side.
    firsts: BTreeMap<(u32, u32), &'d str>,
    fates: &'d Fates<'d>,
}

impl<'d> Marks<'d> {
    fn of(data: &'d RunData, fates: &'d Fates<'d>) -> Self {
        let mut branches: BTreeMap<(&str, u32), Vec<&BranchEntry>> = BTreeMap::new();
        let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
        for branch in &data.branches {
            branches
                .entry((&branch.file, branch.line))
                .or_default()
                .push(branch);
            counts.entry(&branch.file).or_default().add(branch, fates);
        }
        let tests = data.tests.iter();
        let firsts = tests.flat_map(|test| test.new.iter().map(|side| (*side, test.test.as_str())));
        Self {
            branches,
            counts,
            firsts: firsts.collect(),
            fates,
        }
    }

    /// The mark of a line: its class, and its words.
    fn line(&self, branches: &[&BranchEntry]) -> (&'static str, Vec<String>, Option<&str>) {
        let mut words: Vec<(String, u64)> = Vec::new();
        let (mut taken, mut all) = (0, 0);
        let mut first: Option<&str> = None;
        for branch in branches {
            for side in 0..branch.sides {
                all += 1;
                let fate = self.fates.of_side(branch.branch, side);
                if fate == Fate::Taken {
                    taken += 1;
                    let test = self.firsts.get(&(branch.branch, side)).copied();
                    first = [first, test].into_iter().flatten().min();
                }
            }
            let text = self.branch(branch);
            match words.iter_mut().find(|(known, _)| *known == text) {
                Some((_, times)) => *times += 1,
                None => words.push((text, 1)),
            }
        }
        let class = match taken {
            0 => "l0",
            some if some < all => "l1",
            _ => "l2",
        };
        let words = words.into_iter().filter(|(text, _)| !text.is_empty());
        let words = words.map(|(text, times)| match times {
            1 => text,
            times => format!("{times} × {text}"),
        });
        (class, words.collect(), first)
    }

    /// Returns the text about a branch; empty if all of its sides are taken.
    fn branch(&self, branch: &BranchEntry) -> String {
        let mut by_fate: BTreeMap<Fate, Vec<u32>> = BTreeMap::new();
        for side in 0..branch.sides {
            by_fate
                .entry(self.fates.of_side(branch.branch, side))
                .or_default()
                .push(side);
        }
        if by_fate.len() == 1
            && let Some((fate, _)) = by_fate.first_key_value()
        {
            return match fate {
                Fate::Taken => String::new(),
                fate => fate.name().to_string(),
            };
        }
        let untaken = by_fate.iter().filter(|(fate, _)| **fate != Fate::Taken);
        let text = untaken.map(|(fate, sides)| format!("{} {}", named_sides(sides), fate.name()));
        text.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the numbers of sides as text.
pub(super) fn named_sides(sides: &[u32]) -> String {
    const NAMED: usize = 6;
    let numbers: Vec<String> = sides.iter().take(NAMED).map(u32::to_string).collect();
    let more = match sides.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let word = if sides.len() == 1 { "side" } else { "sides" };
    format!("{word} {}{more}", numbers.join(", "))
}

fn file_of(data: &RunData, marks: &Marks<'_>, file: &str, is_short: bool) -> Markup {
    let counts = marks.counts.get(file);
    let (taken, all) = counts.map_or((0, 0), |counts| (counts.of(Fate::Taken), counts.all()));
    let Some(source) = data.sources.text(file) else {
        return html! { p.soft #(file_id(data, file)) { (named(file)) ": " (taken) " of " (all) " sides taken; the source was not found" } };
    };
    let numbers: Vec<String> = (1..=source.lines.len())
        .map(|number| number.to_string())
        .collect();
    html! {
        details.file #(file_id(data, file)) open[is_short] {
            summary {
                b { (named(file)) }
                (bar(taken as f64 / all.max(1) as f64))
                span.soft { (taken) " of " (all) " sides taken, " (source.lines.len()) " lines" }
            }
            div.source tabindex="0" role="region" aria-label={ "Source of " (named(file)) } {
                pre.numbers aria-hidden="true" { (numbers.join("\n")) }
                pre.code { (lines_of(data, marks, file, &source.lines)) }
            }
        }
    }
}

fn lines_of(data: &RunData, marks: &Marks<'_>, file: &str, lines: &[String]) -> Markup {
    let mut out = String::new();
    for (number, line) in (1..).zip(lines) {
        match marks.branches.get(&(file, number)) {
            Some(branches) => {
                let (class, words, first) = marks.line(branches);
                let id = line_id(data, file, number);
                let marked = html! {
                    span #(id) .(class) {
                        (line)
                        i {
                            (sign(class)) " " (words.join(" · "))
                            @if let Some(first) = first { " " a href={ "#" (first) } { (first) } }
                        }
                    }
                };
                out += &marked.into_string();
            }
            // The templates' own escaping.
            None => out += &html! { (line) }.into_string(),
        }
        out.push('\n');
    }
    PreEscaped(out)
}

/// Returns a mark that distinguishes lines without colors.
fn sign(class: &str) -> &'static str {
    match class {
        "l2" => "●",
        "l1" => "◐",
        _ => "○",
    }
}
