//! Runs of a study, one job each; all are known when the job directory is created.
//!
//! Invariant: the output directory is a study's directory with a row for each received run.

use super::error::{Result, failed, request};
use super::file::{StudyRun, Work};
use super::merging::Shown;
use super::plan::Plan;
use super::state::State;
use crate::bench::{RUNS, Row};
use std::fs;
use std::path::Path;

/// Returns the next run; `None` if every run has a job.
pub(super) fn issue(plan: &Plan, state: &State) -> Option<Work> {
    let study_run = plan.study_runs.get(state.next as usize - 1)?;
    Some(Work::StudyRun {
        study_run: study_run.clone(),
        study: plan.study.clone(),
    })
}

/// Takes the row and the files of a run.
pub(super) fn take(
    shown: &Shown,
    state: &mut State,
    (plan, study_run): (&Plan, &StudyRun),
    (row, result): (&Row, &Path),
) -> Result<()> {
    if (&row.key.subject, &row.key.configuration, row.key.seed)
        != (&study_run.subject, &study_run.configuration, study_run.seed)
    {
        return request(format!(
            "{} has the row of another run; pass the result of this job",
            result.display()
        ));
    }
    let out = shown.path();
    for (name, text) in [
        ("study.toml", plan.study.clone()),
        ("base.txt", format!("{}\n", plan.directory)),
    ] {
        let path = out.join(name);
        fs::write(&path, text).map_err(|error| failed("write", &path, &error))?;
    }
    let study_runs = result.join("study").join("runs");
    if study_runs.is_dir() {
        copy(&study_runs, &out.join("runs"))
            .map_err(|error| failed("copy", &study_runs, &error))?;
    }
    shown.add_lines(state, RUNS, [row])
}

/// Copies a directory recursively.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&entry.path(), &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
