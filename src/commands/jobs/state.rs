//! Where a book stands: one file that is replaced as a whole.

use super::error::{Result, UnitError, failed};
use super::outcome::StillOpen;
use crate::report::Summary;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// What there is to know of a book besides its plan and what is in its output directory.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Number of the next unit.
    pub next: u64,
    /// Units that were dealt out and have not come back: their ids by number.
    pub under_way: BTreeMap<u64, String>,
    /// The same of those that have come back.
    pub taken: BTreeMap<u64, String>,
    /// What no unit has.
    pub open: StillOpen,
    /// Open states that a unit gets at most; less where units came to nothing before their end.
    pub most_states: usize,
    /// How often the budget of a unit was doubled, as single states needed more.
    pub doubled: u32,
    /// The last test in the output directory, and the bytes of its files of lines.
    pub last_test: u64,
    pub lengths: BTreeMap<String, u64>,
    /// The figures of all results together.
    pub summary: Option<Summary>,
    /// What results say of how it ends.
    pub reason: Option<String>,
    /// Why the work is over.
    pub ended: Option<String>,
    /// What its runs have spent, in the unit of the budget.
    pub spent: f64,
    /// Units that have come back again, and were not counted again.
    pub again: u64,
    /// Open states that a unit did not find.
    pub lost: u64,
    /// Instructions by which units have found their open states.
    pub walked: u64,
    /// Seconds of all units, of the wall and of processors.
    pub wall_s: f64,
    pub cpu_s: f64,
}

const STATE: &str = "state.json";
/// Finding more states than this takes longer than a unit should.
const MOST_STATES: usize = 1000;

impl State {
    pub(super) fn new() -> Self {
        Self {
            next: 1,
            most_states: MOST_STATES,
            ..Self::default()
        }
    }

    pub(super) fn read(book: &Path) -> Result<Self> {
        let path = book.join(STATE);
        let bytes = fs::read(&path).map_err(|error| failed("read", &path, &error))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| UnitError::Request(format!("{} is damaged: {error}", path.display())))
    }

    /// From now on this is where the book stands.
    pub(super) fn write(&self, book: &Path) -> Result<()> {
        write_whole(&book.join(STATE), self)
    }
}

/// Writes a file of JSON, in the place of one that is there; it is whole at any time.
pub(super) fn write_whole(path: &Path, value: &impl Serialize) -> Result<()> {
    let part = path.with_extension("part");
    let problem = |error: std::io::Error| failed("write", path, &error);
    let bytes = serde_json::to_vec(value).map_err(|error| problem(error.into()))?;
    let mut file = File::create(&part).map_err(problem)?;
    file.write_all(&bytes)
        .and_then(|()| file.sync_all())
        .map_err(problem)?;
    fs::rename(&part, path).map_err(problem)
}
