//! Cells of a study, one job each; all are known when the book is created.
//!
//! Invariant: the output directory is a study's directory with a row for each received cell.

use super::error::{Result, failed, request};
use super::file::{Cell, Work};
use super::merging::Shown;
use super::plan::Plan;
use super::state::State;
use crate::commands::bench::{CELLS, Row};
use std::fs;
use std::path::Path;

/// Returns the next cell; `None` if every cell has a job.
pub(super) fn deal(plan: &Plan, state: &State) -> Option<Work> {
    let cell = plan.cells.get(state.next as usize - 1)?;
    Some(Work::Cell {
        cell: cell.clone(),
        study: plan.study.clone(),
    })
}

/// Takes the row and the files of a cell.
pub(super) fn take(
    shown: &Shown,
    state: &mut State,
    (plan, cell): (&Plan, &Cell),
    (row, result): (&Row, &Path),
) -> Result<()> {
    if (&row.key.subject, &row.key.arm, row.key.seed) != (&cell.subject, &cell.arm, cell.seed) {
        return request(format!("{} has the row of another cell", result.display()));
    }
    let out = shown.path();
    for (name, text) in [
        ("study.toml", plan.study.clone()),
        ("base.txt", format!("{}\n", plan.directory)),
    ] {
        let path = out.join(name);
        fs::write(&path, text).map_err(|error| failed("write", &path, &error))?;
    }
    let cells = result.join("study").join("cells");
    if cells.is_dir() {
        copy(&cells, &out.join("cells")).map_err(|error| failed("copy", &cells, &error))?;
    }
    shown.add_lines(state, CELLS, [row])
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
