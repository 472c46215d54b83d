//! Coverage of a case in words: the conditions that it is the first to take.

use super::condition_text::SourceTexts;
use super::names;
use homi_ir::program::BranchKind;
use homi_llvm::InstrumentedBranch;
use homi_native::testcase::BranchEntry;

/// Conditions that are listed.
const MOST: usize = 3;

/// Words and lines about branch sides.
pub(super) struct Covers {
    branches: Vec<InstrumentedBranch>,
    texts: SourceTexts,
}

/// A branch side: its branch and its number there.
struct Side<'a> {
    branch: &'a InstrumentedBranch,
    number: u32,
}

impl Covers {
    pub(super) fn new(branches: Vec<InstrumentedBranch>, texts: SourceTexts) -> Self {
        Self { branches, texts }
    }

    pub(super) fn texts(&mut self) -> &mut SourceTexts {
        &mut self.texts
    }

    /// Returns the name that the first of some sides gives, and lines about the first ones.
    pub(super) fn describe(&mut self, sides: &[u32]) -> (String, Vec<String>) {
        let mut found: Vec<Side<'_>> = Vec::new();
        let mut first = 0;
        for branch in &self.branches {
            let own = sides
                .iter()
                .filter(|side| (first..first + branch.sides).contains(side));
            found.extend(own.map(|side| Side {
                branch,
                number: side - first,
            }));
            first += branch.sides;
        }
        let place = |side: &Side<'_>| (side.branch.line, side.branch.column, side.number);
        found.sort_by(|one, other| {
            let files = one.branch.file.cmp(&other.branch.file);
            files.then(place(one).cmp(&place(other)))
        });
        let mut lines = Vec::new();
        let mut name = String::new();
        for side in found.iter().take(MOST) {
            let (words, line) = side.describe(&mut self.texts);
            if name.is_empty() {
                name = words;
            }
            lines.push(line);
        }
        if found.len() > MOST {
            lines.push(format!("covers: {} more", found.len() - MOST));
        }
        (name, lines)
    }
}

impl Side<'_> {
    fn describe(&self, texts: &mut SourceTexts) -> (String, String) {
        let InstrumentedBranch {
            file, line, column, ..
        } = self.branch;
        let place = format!("{file}:{line}");
        let Some(condition) = texts.condition(file, *line, *column) else {
            let name = names::words(&self.branch.function);
            return (name, format!("covers: {place} in {}", self.branch.function));
        };
        if self.branch.kind == BranchKind::Conditional {
            let is_true = self.number == 0;
            let name = names::of_condition(&condition, is_true);
            return (name, format!("covers: {place} \"{condition}\" {is_true}"));
        }
        let labels = texts.labels(file, *line, *column);
        let label = (self.number as usize)
            .checked_sub(1)
            .and_then(|at| labels.get(at));
        match label {
            Some(label) => {
                let name = names::of_condition(&format!("{condition} == {label}"), true);
                (name, format!("covers: {place} \"{condition}\" is {label}"))
            }
            None => {
                let name = names::words(&format!("{condition} is other"));
                (name, format!("covers: {place} \"{condition}\" is another"))
            }
        }
    }
}

/// Returns the name and the words of the first of some sides, of branches whose columns are
/// unknown: the branches of a line are the operands of its condition.
pub(super) fn of_lines(
    branches: &[BranchEntry],
    sides: &[u32],
    texts: &mut SourceTexts,
) -> (String, String) {
    let mut first = 0;
    let mut before: Option<&BranchEntry> = None;
    let mut operand = 0;
    for branch in branches {
        let is_same_line =
            before.is_some_and(|one| (&one.file, one.line) == (&branch.file, branch.line));
        operand = if is_same_line { operand + 1 } else { 0 };
        before = Some(branch);
        let own = first..first + branch.sides;
        first = own.end;
        let Some(side) = sides.iter().find(|side| own.contains(side)) else {
            continue;
        };
        let place = format!("{}:{}", branch.file, branch.line);
        let is_true = *side == own.start;
        let conditions = texts.conditions_of_line(&branch.file, branch.line);
        return match conditions.get(operand).filter(|_| branch.sides == 2) {
            Some(condition) => {
                let name = names::of_condition(condition, is_true);
                (name, format!("covers: {place} \"{condition}\" {is_true}"))
            }
            None => {
                let line = texts.line(&branch.file, branch.line).unwrap_or_default();
                let number = side - own.start;
                (
                    names::words(&format!("{line} {number}")),
                    format!("covers: {place} side {number} of \"{line}\""),
                )
            }
        };
    }
    ("call".to_string(), "covers: the call".to_string())
}
