//! The statistics of a run as its last lines on the terminal and in `info`, in KLEE's form.
//!
//! Invariant: a line is a row of the table; rows that have nothing to say are left out.

use super::outcomes::comparison_lines;
use super::summary::Summary;
use super::targets::target_lines;
use super::underapproximations::underapproximation_lines;

/// A line `homi: done: NAME = VALUE`.
struct Total {
    name: &'static str,
    /// Returns the statistic's text; `None` if the run does not have it.
    value: fn(&Summary) -> Option<String>,
}

/// The lines in their order.
const TOTALS: [Total; 12] = [
    Total {
        name: "total instructions",
        value: |run| Some(run.instructions.to_string()),
    },
    Total {
        name: "total work",
        value: |run| Some(run.work.to_string()),
    },
    Total {
        name: "completed paths",
        value: |run| Some(run.paths.completed.to_string()),
    },
    Total {
        name: "paths with bugs",
        value: |run| Some(run.paths.error.to_string()),
    },
    Total {
        name: "partially completed paths",
        value: |run| Some((run.paths.early + run.paths.pruned + run.paths.unsupported).to_string()),
    },
    Total {
        name: "generated tests",
        value: |run| Some(run.tests.to_string()),
    },
    Total {
        name: "branches covered",
        value: |run| {
            let (covered, all) = (run.coverage.branches, run.coverage.branches_total);
            let share = 100.0 * covered as f64 / all.max(1) as f64;
            Some(format!("{covered} of {all} ({share:.1} %)"))
        },
    },
    Total {
        name: "distinct bugs",
        value: |run| Some(run.errors.len().to_string()),
    },
    Total {
        name: "seeds followed",
        value: |run| {
            let seeds = run.seeds?;
            Some(format!("{} of {}", seeds.followed, seeds.given))
        },
    },
    Total {
        name: "states swapped out",
        value: |run| {
            let swapped = run.swapped?;
            let (put, back) = (swapped.out, swapped.r#in);
            Some(format!("{put}, swapped in = {back}"))
        },
    },
    Total {
        name: "open paths of the previous session",
        value: |run| {
            let resumed = run.resumed?;
            let (stored, found, lost) = (resumed.stored, resumed.found, resumed.dropped);
            let lost = match lost {
                0 => String::new(),
                lost => format!(", dropped = {lost}"),
            };
            Some(format!("{stored}, restored = {found}{lost}"))
        },
    },
    Total {
        name: "paths merged into another",
        value: |run| Some(run.merged?.to_string()),
    },
];

/// All lines.
pub fn totals_text(summary: &Summary) -> String {
    let lines = TOTALS.iter().filter_map(|total| {
        let value = (total.value)(summary)?;
        Some(format!("homi: done: {} = {value}\n", total.name))
    });
    let mut text: String = lines.collect();
    if let Some(concolic) = &summary.concolic {
        text.push_str(&concolic.lines());
    }
    if let Some(subsumption) = &summary.subsumption {
        text.push_str(&subsumption.lines());
    }
    if let Some(pending) = &summary.pending {
        text.push_str(&pending.line());
    }
    text = text + &underapproximation_lines(summary) + &target_lines(&summary.targets);
    if let Some(outcomes) = &summary.outcomes {
        text.push_str(&comparison_lines(outcomes, summary.tests));
    }
    if let Some(verdict) = &summary.verdict {
        text += &format!("homi: {}\n", verdict.line());
    }
    text
}
