//! The guide's page of statistics: every group of declarations as a table.
//!
//! Invariant: a group that is declared with `statistics!` is named here.

use super::concolic::{ConcolicCounts, ConcolicSummary, NegationSummary, WeightsSummary};
use super::events::{CampaignStatus, RunStatus};
use super::learning::{CampaignCosts, PruneLine, RepeatedLine, RunLine};
use super::outcomes::{
    ConfirmationSummary, Divergence, DivergentLine, ErrorConfirmation, OutcomeSummary,
};
use super::pending::PendingSummary;
use super::statistics::StatisticGroup;
use super::subsumption::SubsumptionSummary;
use super::summary::{
    CampaignSummary, CoverageSummary, ErrorSummary, ErrorTriage, FuzzingSummary, HotLine,
    LayerDetail, LayerSummary, MemorySummary, PathSummary, ResumedSummary, SeedSummary,
    SolverSummary, Summary, SwappedSummary, UnderapproximationSummary, UnsupportedSummary,
};
use super::targets::TargetSummary;
use super::verdict::VerdictSummary;

/// All groups, in the order of the page.
const GROUPS: [StatisticGroup; 36] = [
    Summary::STATISTICS,
    PathSummary::STATISTICS,
    CoverageSummary::STATISTICS,
    SolverSummary::STATISTICS,
    LayerSummary::STATISTICS,
    LayerDetail::STATISTICS,
    MemorySummary::STATISTICS,
    HotLine::STATISTICS,
    ErrorSummary::STATISTICS,
    ErrorTriage::STATISTICS,
    UnsupportedSummary::STATISTICS,
    UnderapproximationSummary::STATISTICS,
    FuzzingSummary::STATISTICS,
    SeedSummary::STATISTICS,
    SwappedSummary::STATISTICS,
    ResumedSummary::STATISTICS,
    PendingSummary::STATISTICS,
    ConcolicSummary::STATISTICS,
    ConcolicCounts::STATISTICS,
    NegationSummary::STATISTICS,
    WeightsSummary::STATISTICS,
    SubsumptionSummary::STATISTICS,
    TargetSummary::STATISTICS,
    ConfirmationSummary::STATISTICS,
    ErrorConfirmation::STATISTICS,
    OutcomeSummary::STATISTICS,
    Divergence::STATISTICS,
    DivergentLine::STATISTICS,
    VerdictSummary::STATISTICS,
    CampaignSummary::STATISTICS,
    CampaignCosts::STATISTICS,
    RunLine::STATISTICS,
    PruneLine::STATISTICS,
    RepeatedLine::STATISTICS,
    RunStatus::STATISTICS,
    CampaignStatus::STATISTICS,
];

const INTRODUCTION: &str = "# Statistics

homi generates this page: `homi __statistics-markdown > docs/reference/statistics.md`. It lists the
statistics of `summary.json`, `learning.jsonl` and the events. The aggregation combines the values
of several runs, threads or sessions: their sum, maximum or last value. It is empty for a statistic
of a single run. `homi stats --legend` describes the columns of `run.stats`. The [symbols of the
paper](../research/pruning.md#symbols-of-the-paper) are D, GoodT, F, theta, N' and B(t); S is the set
of states. The [policies](../research/pruning.md#status-line-and-records) are kinds of runs.
";

/// The page.
pub fn statistics_page() -> String {
    let sections = GROUPS.iter().map(section);
    std::iter::once(INTRODUCTION.to_string())
        .chain(sections)
        .collect()
}

fn section(group: &StatisticGroup) -> String {
    let rows = group.statistics.iter().map(|statistic| {
        let meaning: String = statistic.meaning.concat();
        format!(
            "| `{}` | {} | {} | {} |\n",
            statistic.name.trim_start_matches("r#"),
            statistic.unit.name(),
            statistic.aggregation.name(),
            meaning.trim().replace('|', "\\|"),
        )
    });
    format!(
        "\n## {}\n\n| statistic | unit | aggregation | meaning |\n|---|---|---|---|\n{}",
        capitalised(group.place),
        rows.collect::<String>()
    )
}

/// Returns the text with a capital first letter.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn no_group_is_missing() {
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("."));
        let events = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("events"));
        let texts = files.unwrap().chain(events.unwrap()).flatten();
        let texts = texts.filter_map(|file| fs::read_to_string(file.path()).ok());
        let declared: usize = texts
            .map(|text| text.lines().filter(|line| *line == "statistics! {").count())
            .sum();
        assert_eq!(declared, GROUPS.len());
    }

    #[test]
    fn a_statistic_has_its_row() {
        let page = statistics_page();
        let row = "| `test_s` | s | sum | Time to test states against interpolants. |\n";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("\n## Event `status`, the status line\n"));
    }
}
