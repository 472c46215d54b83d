//! Report of a study: facts, tables, and curves as CSV.

use super::directory;
use super::error::{Result, StudyError, failed};
use super::grid::Grid;
use super::jobs::settings;
use super::plan::Study;
use super::results::{Count, Results};
use super::study_run::{Key, Row};
use super::{curves, gates};
use homi_app::options::units;
use homi_output::plot::{ENDINGS, Plot, PlotError};
use std::fmt::Write;
use std::path::Path;

/// Results of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Facts and tables, as Markdown.
    pub text: String,
    /// Branches over time as CSV, one line per step of each run.
    pub curves: String,
    /// Plots of branches and states over time or work, per program and over all programs.
    pub plots: Vec<Plot>,
    /// Title of the study, and its facts, one per line.
    pub(super) head: (String, Vec<String>),
    /// Tables by the titles of their sections.
    pub(super) sections: Vec<(String, Vec<Grid>)>,
    /// Runs that failed or were cut short.
    pub(super) failures: String,
}

/// Builds the report of a study's directory. Rows whose build, machine, program or settings differ
/// from the last rows' are left out, and the report says so.
pub fn report(study: &Study, directory: &Path) -> Result<Report> {
    let all = directory::rows(directory)?;
    let last = all.last().cloned().unwrap_or_default();
    let asked_for: Vec<&Row> = all
        .iter()
        .filter(|row| is_asked_for(study, row) && is_alike(&row.key, &last.key))
        .collect();
    // The latest run decides the program's version.
    let newest = |row: &Row| {
        let mut of_subject = asked_for.iter().rev();
        let newest = of_subject.find(|other| other.key.subject == row.key.subject);
        newest.is_some_and(|newest| newest.key.program == row.key.program)
    };
    let rows: Vec<Row> = asked_for
        .iter()
        .copied()
        .filter(|row| newest(row))
        .cloned()
        .collect();
    let left_out = all.len() - rows.len();
    let results = Results {
        subjects: study
            .subjects
            .iter()
            .map(|subject| subject.name.clone())
            .collect(),
        configurations: study
            .configurations
            .iter()
            .map(|configuration| configuration.name.clone())
            .collect(),
        rows,
        share: study.share,
    };
    let title = study.question.clone().unwrap_or_else(|| study.name.clone());
    let mut facts = facts(study, &results, &last);
    if left_out > 0 {
        facts.push(format!(
            "ignored: {left_out} rows of another build, machine, program, budget or setting"
        ));
    }
    let mut sections = results.sections();
    let gates = gates::gates(&results, directory);
    if !gates.rows.is_empty() {
        sections.push(("Gates".to_string(), vec![gates]));
    }
    let failures = results.failures();
    let failed = if failures.is_empty() {
        String::new()
    } else {
        format!("\n## {FAILURES}\n\n{failures}")
    };
    let list: String = facts.iter().map(|fact| format!("- {fact}\n")).collect();
    let tables = markdown(&sections);
    Ok(Report {
        text: format!("# {title}\n\n{list}\n{tables}{failed}\n{LEGEND}"),
        curves: curves(&results),
        plots: curves::plots(&results, directory),
        head: (title, facts),
        sections,
        failures,
    })
}

/// Returns sections as Markdown.
fn markdown(sections: &[(String, Vec<Grid>)]) -> String {
    let section = |(title, grids): &(String, Vec<Grid>)| {
        let grids = grids.iter().map(Grid::markdown);
        let grids: Vec<String> = grids.filter(|grid| !grid.is_empty()).collect();
        format!("## {title}\n\n{}", grids.join("\n"))
    };
    let sections: Vec<String> = sections.iter().map(section).collect();
    sections.join("\n")
}

/// Writes the report to the study's directory.
pub fn write(report: &Report, directory: &Path) -> Result<()> {
    for (name, text) in [("report.md", &report.text), ("curves.csv", &report.curves)] {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|error| failed("write", &path, &error))?;
    }
    let plots = directory.join("plots");
    let problem = |error: std::io::Error| failed("write", &plots, &error);
    std::fs::create_dir_all(&plots).map_err(problem)?;
    for plot in &report.plots {
        for ending in ENDINGS {
            let drawn = plot.file(ending).map_err(undrawn)?;
            let name = format!("{}.{ending}", plot.name);
            std::fs::write(plots.join(name), drawn).map_err(problem)?;
        }
    }
    Ok(())
}

pub(super) fn undrawn(error: PlotError) -> StudyError {
    StudyError::Failed(error.to_string())
}

/// True if the current study contains the run of a row.
fn is_asked_for(study: &Study, row: &Row) -> bool {
    let key = &row.key;
    let subject = study
        .subjects
        .iter()
        .find(|subject| subject.name == key.subject);
    let configuration = study
        .configurations
        .iter()
        .find(|configuration| configuration.name == key.configuration);
    let (Some(subject), Some(configuration)) = (subject, configuration) else {
        return false;
    };
    let is_budget = key.budget == units::show_budget(study.budget);
    is_budget
        && study.seeds.contains(&key.seed)
        && key.settings == settings(study, subject, configuration)
}

/// True if two rows can be compared: same build of homi, same machine.
fn is_alike(one: &Key, other: &Key) -> bool {
    // For KLEE the build also has its version, after a comma.
    let homi = |key: &Key| key.build.split(',').next().unwrap_or_default().to_string();
    homi(one) == homi(other) && one.machine == other.machine
}

fn facts(study: &Study, results: &Results, last: &Row) -> Vec<String> {
    let expected = study.subjects.len() * study.configurations.len() * study.seeds.len();
    let key = &last.key;
    let mut lines = vec![
        format!(
            "study: {}; runs: {} of {expected}",
            study.name,
            results.rows.len()
        ),
        format!("budget of a run: {}; seeds: {}", key.budget, seeds(study)),
        format!("homi: commit {}, build {}", key.commit, key.build),
        format!("machine: {}; last run: {}", key.machine, last.began),
    ];
    for configuration in &study.configurations {
        let options = configuration.options.join(" ");
        let shown = if options.is_empty() {
            "defaults".to_string()
        } else {
            format!("`{options}`")
        };
        let engine = if configuration.engine == super::configurations::Engine::Klee {
            "KLEE, "
        } else {
            ""
        };
        lines.push(format!("{}: {engine}{shown}", configuration.name));
    }
    if !study.options.is_empty() {
        lines.push(format!("all configurations: `{}`", study.options.join(" ")));
    }
    lines
}

fn seeds(study: &Study) -> String {
    let numbers: Vec<String> = study.seeds.iter().map(ToString::to_string).collect();
    let is_row = study.seeds.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) if is_row && numbers.len() > 2 => format!("{first} to {last}"),
        _ => numbers.join(", "),
    }
}

/// Title of the section on runs that failed or were cut short.
pub(super) const FAILURES: &str = "Failed and killed runs";

pub(super) const LEGEND: &str = "\
n: number of seeds in the statistics. ratio, p, effect: relative to the first configuration. p: Mann-Whitney test
(exact, two-sided). effect: probability that a run covers more than one of the first configuration (0.5 none, 0.71
large). union: branches that all seeds cover together. only: branches that no other configuration covers. headroom:
union of all configurations divided by the mean. Last column: median time at which a run reached this fraction of
the union of all configurations; - if fewer than half of the runs did. Wilcoxon: relative differences over programs.
";

/// Returns the curves as CSV.
fn curves(results: &Results) -> String {
    let mut out = "program,configuration,seed,count,unit,at,branches\n".to_string();
    for row in &results.rows {
        for (name, count) in [("engine", Count::Engine), ("gcov", Count::Gcov)] {
            let Some(covered) = count.of(row) else {
                continue;
            };
            for (unit, steps) in [("ms", &covered.by_time), ("work", &covered.by_work)] {
                for (at, branches) in steps {
                    let key = &row.key;
                    let _ = writeln!(
                        out,
                        "{},{},{},{name},{unit},{at},{branches}",
                        key.subject, key.configuration, key.seed
                    );
                }
            }
        }
    }
    out
}
