//! What a study comes to, as text: tables of branches, costs, failures and bugs.
//!
//! Tables are Markdown, aligned, so that they read the same in a terminal and on a page.

use super::cell::{Bug, Row};
use super::results::{Arm, Count, Overall, Results};
use super::statistics as st;
use std::collections::BTreeMap;

/// A bug, and how many runs of each arm found it.
type Found<'r> = (&'r Bug, BTreeMap<&'r str, usize>);

/// A number, or a dash where there is none.
fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
}

/// A p-value: few runs cannot say more than its first digits.
fn p_text(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "<0.001".to_string(),
        p => shown(p, 3),
    }
}

/// A large number with its unit.
fn in_short(value: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(one, _)| value >= *one) {
        Some((one, unit)) => format!("{:.1} {unit}", value / one),
        None => format!("{value:.0}"),
    }
}

/// An aligned table of Markdown; the first `left` columns are texts.
pub(super) fn markdown(head: &[&str], left: usize, rows: &[Vec<String>]) -> String {
    let mut lines: Vec<Vec<String>> = vec![head.iter().map(ToString::to_string).collect()];
    let escaped = |cell: &String| cell.replace('|', "\\|").replace('\n', " ");
    lines.extend(rows.iter().map(|row| row.iter().map(escaped).collect()));
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
            .max(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width - cell.chars().count());
            match column < left {
                true => out += &format!("| {cell}{pad} "),
                false => out += &format!("| {pad}{cell} "),
            }
        }
        out += "|\n";
        if number == 0 {
            for (column, width) in widths.iter().enumerate() {
                match column < left {
                    true => out += &format!("|{}", "-".repeat(width + 2)),
                    false => out += &format!("|{}:", "-".repeat(width + 1)),
                }
            }
            out += "|\n";
        }
    }
    out
}

impl Results {
    /// All tables.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for count in self.counts() {
            out += &format!("## Branches, {}\n\n", count.text());
            out += &self.branches(count);
            out += "\n";
            out += &self.overall(count);
        }
        out += "## Costs\n\n";
        out += &self.costs();
        out += &self.bugs();
        out + &self.failures()
    }

    fn branches(&self, count: Count) -> String {
        let by_work = self.by_work(count);
        let share = format!(
            "{} to {:.0} %",
            if by_work { "work" } else { "s" },
            100.0 * self.share
        );
        let head = [
            "program", "arm", "n", "mean", "sd", "ratio", "p", "effect", "union", "only", "room",
            &share,
        ];
        let mut rows = Vec::new();
        for name in &self.subjects {
            let subject = self.subject(name, count);
            for (number, arm) in subject.arms.iter().enumerate() {
                let first = &subject.arms[0];
                let against = (number > 0).then_some(first);
                let n = match arm.branches.len() == arm.cells {
                    true => arm.cells.to_string(),
                    false => format!("{} of {}", arm.branches.len(), arm.cells),
                };
                let room = arm
                    .mean()
                    .filter(|mean| *mean > 0.0)
                    .map(|mean| subject.union as f64 / mean);
                rows.push(vec![
                    if number == 0 {
                        format!("{name} ({})", subject.total)
                    } else {
                        String::new()
                    },
                    self.arms[number].clone(),
                    n,
                    shown(arm.mean(), 1),
                    shown(st::deviation(&arm.branches), 1),
                    shown(against.and_then(|first| ratio(arm, first)), 3),
                    p_text(
                        against.and_then(|first| st::mann_whitney(&arm.branches, &first.branches)),
                    ),
                    shown(
                        against.and_then(|first| st::effect_size(&arm.branches, &first.branches)),
                        2,
                    ),
                    arm.union.len().to_string(),
                    arm.exclusive.to_string(),
                    shown(room, 3),
                    match (arm.reached_as_a_rule(), by_work) {
                        (Some(work), true) => in_short(work),
                        (milliseconds, _) => shown(milliseconds.map(|time| time / 1e3), 2),
                    },
                ]);
            }
        }
        markdown(&head, 2, &rows)
    }

    /// Each arm against the first over all programs.
    fn overall(&self, count: Count) -> String {
        if self.arms.len() < 2 {
            return String::new();
        }
        let mut overall: Vec<Overall> = self.arms.iter().map(|_| Overall::default()).collect();
        for name in &self.subjects {
            let subject = self.subject(name, count);
            for (arm, overall) in subject.arms.iter().zip(&mut overall).skip(1) {
                if let (Some(ours), Some(first)) = (arm.mean(), subject.arms[0].mean()) {
                    overall.add(ours, first);
                }
            }
        }
        let rows: Vec<Vec<String>> = self
            .arms
            .iter()
            .zip(&overall)
            .skip(1)
            .map(|(name, overall)| {
                let [more, same, less] = overall.wins();
                vec![
                    name.clone(),
                    overall.ratios.len().to_string(),
                    shown(overall.geometric_mean(), 3),
                    format!("{more} / {same} / {less}"),
                    p_text(overall.p()),
                ]
            })
            .collect();
        let head = [
            "arm",
            "programs",
            "geometric mean of ratios",
            "more / same / less",
            "p (Wilcoxon)",
        ];
        markdown(&head, 1, &rows) + "\n"
    }

    fn costs(&self) -> String {
        let head = [
            "program",
            "arm",
            "instructions",
            "work",
            "questions",
            "solver s",
            "cpu s",
            "wall s",
            "tests",
            "states",
            "peak",
            "pruned",
            "MB",
        ];
        let mut rows = Vec::new();
        for name in &self.subjects {
            for (number, arm) in self.arms.iter().enumerate() {
                let counted: Vec<&Row> = self
                    .rows_of(name, arm)
                    .filter(|row| row.outcome.counts())
                    .collect();
                let mean = |of: fn(&Row) -> f64| {
                    st::mean(&counted.iter().map(|row| of(row)).collect::<Vec<_>>())
                };
                let large = |of: fn(&Row) -> f64| mean(of).map_or("-".to_string(), in_short);
                rows.push(vec![
                    if number == 0 {
                        name.clone()
                    } else {
                        String::new()
                    },
                    arm.clone(),
                    large(|row| row.instructions as f64),
                    large(|row| row.work as f64),
                    large(|row| row.questions as f64),
                    shown(mean(|row| row.solver_s), 2),
                    shown(mean(|row| row.cpu_s), 2),
                    shown(mean(|row| row.wall_s), 2),
                    shown(mean(|row| row.tests as f64), 1),
                    large(|row| row.states_mean),
                    large(|row| row.states_peak as f64),
                    large(|row| row.pruned as f64),
                    shown(mean(|row| row.memory_peak as f64 / (1 << 20) as f64), 0),
                ]);
            }
        }
        markdown(&head, 2, &rows)
    }

    /// Bugs by place, with the arms that found them and an input.
    fn bugs(&self) -> String {
        let mut found: BTreeMap<[&str; 3], Found<'_>> = BTreeMap::new();
        for row in &self.rows {
            for bug in &row.bugs {
                let key = [&row.key.subject, &bug.location, &bug.kind].map(String::as_str);
                let (_, arms) = found.entry(key).or_insert((bug, BTreeMap::new()));
                *arms.entry(&row.key.arm).or_default() += 1;
            }
        }
        if found.is_empty() {
            return String::new();
        }
        let rows: Vec<Vec<String>> = found
            .iter()
            .map(|([subject, location, kind], (bug, arms))| {
                let arms = self
                    .arms
                    .iter()
                    .filter_map(|arm| Some(format!("{arm} {}", arms.get(arm.as_str())?)));
                vec![
                    (*subject).to_string(),
                    (*location).to_string(),
                    (*kind).to_string(),
                    bug.message.clone(),
                    arms.collect::<Vec<_>>().join(", "),
                    bug.inputs.join("; "),
                ]
            })
            .collect();
        let head = [
            "program",
            "place",
            "kind",
            "message",
            "runs that found it",
            "an input",
        ];
        format!("\n## Bugs\n\n{}", markdown(&head, head.len(), &rows))
    }

    /// Cells that are not what they should be.
    fn failures(&self) -> String {
        let mut rows: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| row.outcome != super::cell::Outcome::Done || row.replay_failed.is_some())
            .collect();
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        if rows.is_empty() {
            return String::new();
        }
        let mut out = "\n## Cells that failed or were cut short\n\n".to_string();
        for row in rows {
            let key = &row.key;
            let why = row
                .replay_failed
                .as_ref()
                .map(|why| format!("; not replayed: {why}"));
            out += &format!(
                "- {} {} seed {}: {}: {}{}\n",
                key.subject,
                key.arm,
                key.seed,
                row.outcome.text(),
                row.reason,
                why.unwrap_or_default()
            );
            if !row.last_lines.is_empty() {
                let lines = row.last_lines.iter().map(|line| format!("\n      {line}"));
                out += &format!("{}\n", lines.collect::<String>());
            }
        }
        out
    }
}

fn ratio(arm: &Arm, first: &Arm) -> Option<f64> {
    let first = first.mean().filter(|mean| *mean > 0.0)?;
    Some(arm.mean()? / first)
}
