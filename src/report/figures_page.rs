//! The guide's page of figures: every group of declarations as a table.
//!
//! Invariant: a group that is declared with `figures!` is named here.

use super::concolic::{ConcolicCounts, ConcolicSummary, NegationSummary};
use super::events::{CampaignStatus, RunStatus};
use super::figures::FigureGroup;
use super::learning::{CampaignCosts, PruneLine, RewalkLine, RunLine};
use super::pending::PendingSummary;
use super::subsumption::SubsumptionSummary;
use super::summary::{
    AsideSummary, CampaignSummary, CoverageSummary, GapSummary, HotLine, LayerDetail, LayerSummary,
    MemorySummary, NarrowedSummary, PathSummary, ProbeSummary, ResumedSummary, SeedSummary,
    SolverSummary, Summary,
};

/// All groups, in the order of the page.
const GROUPS: [FigureGroup; 26] = [
    Summary::FIGURES,
    PathSummary::FIGURES,
    CoverageSummary::FIGURES,
    SolverSummary::FIGURES,
    LayerSummary::FIGURES,
    LayerDetail::FIGURES,
    MemorySummary::FIGURES,
    HotLine::FIGURES,
    GapSummary::FIGURES,
    NarrowedSummary::FIGURES,
    ProbeSummary::FIGURES,
    SeedSummary::FIGURES,
    AsideSummary::FIGURES,
    ResumedSummary::FIGURES,
    PendingSummary::FIGURES,
    ConcolicSummary::FIGURES,
    ConcolicCounts::FIGURES,
    NegationSummary::FIGURES,
    SubsumptionSummary::FIGURES,
    CampaignSummary::FIGURES,
    CampaignCosts::FIGURES,
    RunLine::FIGURES,
    PruneLine::FIGURES,
    RewalkLine::FIGURES,
    RunStatus::FIGURES,
    CampaignStatus::FIGURES,
];

const INTRODUCTION: &str = "# Statistics

homi generates this page: `homi __figures-markdown > docs/reference/statistics.md`. It lists the
statistics of `summary.json`, `learning.jsonl` and the events. *Together* is the aggregation over
several runs, threads or sessions: the sum, the maximum, or the last value. It is empty for a
statistic of a single run. `homi stats --legend` describes the columns of `run.stats`.
";

/// The page.
pub fn figures_page() -> String {
    let sections = GROUPS.iter().map(section);
    std::iter::once(INTRODUCTION.to_string())
        .chain(sections)
        .collect()
}

fn section(group: &FigureGroup) -> String {
    let rows = group.figures.iter().map(|figure| {
        let meaning: String = figure.meaning.concat();
        format!(
            "| `{}` | {} | {} | {} |\n",
            figure.name,
            figure.unit.name(),
            figure.together.name(),
            meaning.trim().replace('|', "\\|"),
        )
    });
    format!(
        "\n## {}\n\n| figure | unit | together | meaning |\n|---|---|---|---|\n{}",
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
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report"));
        let events = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/events"));
        let texts = files.unwrap().chain(events.unwrap()).flatten();
        let texts = texts.filter_map(|file| fs::read_to_string(file.path()).ok());
        let declared: usize = texts
            .map(|text| text.lines().filter(|line| *line == "figures! {").count())
            .sum();
        assert_eq!(declared, GROUPS.len());
    }

    #[test]
    fn a_figure_has_its_row() {
        let page = figures_page();
        let row = "| `test_s` | s | sum | Seconds that tests took. |\n";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("\n## Event `status`, the status line\n"));
    }
}
