//! Table of uncovered branch sides with reasons, for terminals.

use super::data::RunData;
use super::source::named_sides;
use super::untaken::{Fate, Fates};
use homi_report::{Side, table};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Returns the uncovered branch sides of a run by location, most promising reason first, and the
/// meanings of these reasons. Empty if every side is covered. Shows at most `limit` rows, and then
/// the number of the others.
pub fn uncovered_sides(data: &RunData, limit: usize) -> String {
    let fates = Fates::of(data);
    let mut rows = Vec::new();
    for branch in &data.branches {
        let mut by_fate: BTreeMap<Fate, Vec<u32>> = BTreeMap::new();
        for side in 0..branch.sides {
            let fate = fates.of_side(branch.branch, side);
            by_fate.entry(fate).or_default().push(side);
        }
        by_fate.remove(&Fate::Taken);
        rows.extend(by_fate.into_iter().map(|(fate, sides)| {
            let line = format!("{}:{} ({})", branch.file, branch.line, branch.function);
            (fate, [named_sides(&sides), fate.name().to_string(), line])
        }));
    }
    if rows.is_empty() {
        return String::new();
    }
    rows.sort_by_key(|(fate, _)| std::cmp::Reverse(*fate));
    let more = rows.len().saturating_sub(limit);
    rows.truncate(limit);
    let shown: BTreeSet<Fate> = rows.iter().map(|(fate, _)| *fate).collect();
    let head = ["uncovered", "reason", "line (function)"].map(str::to_string);
    let cells = rows.into_iter().map(|(_, cells)| Vec::from(cells));
    let cells = std::iter::once(Vec::from(head)).chain(cells);
    let mut out = format!("\n{}", table(&[Side::Left; 3], cells));
    // Writing to a string cannot fail.
    if more > 0 {
        let directory = data.directory.display();
        let _ = writeln!(out, "{more} more: homi stats --uncovered {directory}");
    }
    for fate in shown.into_iter().rev() {
        let _ = writeln!(out, "{}: {}", fate.name(), fate.meaning());
    }
    out
}
