//! Results as a table for people and as JSON for programs (schema 1).

use super::session::{Replay, Status, TestResult};
use homi_report::{Column, Described, Divergence, Side, described, document, table, table_line};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The version of the JSON's layout.
pub const SCHEMA: u32 = 1;

/// The columns of the table, the last two with gcov only; its lines are printed as tests end.
const COLUMNS: [Column; 5] = [
    Column {
        side: Side::Left,
        width: 22,
    },
    Column {
        side: Side::Left,
        width: 16,
    },
    Column {
        side: Side::Right,
        width: 7,
    },
    Column {
        side: Side::Right,
        width: 8,
    },
    Column {
        side: Side::Right,
        width: 5,
    },
];

/// The table's first line.
pub fn table_head(gcov: bool) -> String {
    let all = ["test", "status", "seconds", "branches", "new"];
    let shown = if gcov { &all[..] } else { &all[..3] };
    line(shown.iter().map(|name| name.to_string()).collect())
}

/// A test's line of the table.
pub fn table_row(result: &TestResult) -> String {
    let status = match &result.status {
        Status::Error(_) => "error".to_string(), // the text is longer than a line
        status => status.to_string(),
    };
    let seconds = format!("{:.2}", result.seconds);
    let mut cells = vec![short_name(&result.test), status, seconds];
    if let Some(counts) = &result.counts {
        cells.extend([counts.branches.to_string(), counts.new.to_string()]);
    }
    let row = line(cells);
    match result.agreement.divergence() {
        Some(divergence) => format!("{row}  diverges: {divergence}\n"),
        None => row,
    }
}

fn line(cells: Vec<String>) -> String {
    table_line(&COLUMNS[..cells.len()], cells)
}

fn short_name(test: &Path) -> String {
    let name = test.file_stem().unwrap_or(test.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The text after the table: totals and warnings.
pub fn summary(replay: &Replay) -> String {
    let mut out = String::new();
    let is = |wanted: fn(&Status) -> bool| {
        let matching = replay.results.iter().filter(|r| wanted(&r.status));
        matching.count()
    };
    use super::sandbox::Ending;
    let exits = is(|s| matches!(s, Status::Ended(Ending::Exit(_))));
    let signals = is(|s| matches!(s, Status::Ended(Ending::Signal(_))));
    let timeouts = is(|s| matches!(s, Status::Ended(Ending::Timeout)));
    let errors = is(|s| matches!(s, Status::Error(_)));
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{} {}: {exits} exited, {signals} ended by a signal, {timeouts} timed out, {errors} not run",
        replay.results.len(),
        if replay.results.len() == 1 {
            "test"
        } else {
            "tests"
        }
    );
    let divergences = replay.divergences().count();
    if divergences > 0 {
        let _ = writeln!(
            out,
            "{divergences} of them diverge: the native program does something else than homi \
             predicted"
        );
    }
    let Some(program) = &replay.program else {
        return out;
    };
    let files = program.files().into_iter().map(|(name, totals)| {
        let (covered, total) = (totals.covered, totals.total);
        vec![format!("{covered} of {total}"), name.to_string()]
    });
    out += &table(&[Side::Right, Side::Left], files);
    let (covered, total) = (program.covered(), program.total());
    let percent = 100.0 * covered as f64 / total.max(1) as f64;
    let _ = writeln!(
        out,
        "{covered} of {total} branches covered ({percent:.1} %)"
    );
    out
}

described! {
    /// Results of a replay.
    #[derive(Serialize)]
    struct Results {
        /// Version of the schema: 1.
        schema: u32,
        /// The native program.
        exe: String,
        /// Branches that the tests cover; with gcov only.
        branches_covered: Option<usize>,
        /// Branches of the program; with gcov only.
        branches_total: Option<usize>,
        /// Branches of each source file; empty without gcov.
        files: BTreeMap<String, FileResult>,
        /// Results of the tests.
        tests: Vec<ReplayedTest>,
    }
}

described! {
    /// Branches of a source file.
    #[derive(Serialize)]
    struct FileResult {
        /// Covered branches.
        covered: usize,
        /// All branches.
        total: usize,
    }
}

described! {
    /// Result of a test.
    #[derive(Serialize)]
    struct ReplayedTest {
        /// File of the test.
        test: String,
        /// `exit 0`, `signal SIGABRT`, `timeout` or `error: WHY`.
        status: String,
        /// Wall time in seconds.
        seconds: f64,
        /// Branches that it covers; with gcov only.
        branches: Option<usize>,
        /// Branches that no earlier test covers; with gcov only.
        new: Option<usize>,
        /// Difference from the predicted outcome; null if there is none.
        divergence: Option<Divergence>,
    }
}

/// Returns the JSON Schema of the results of a replay.
pub fn results_schema() -> Value {
    document("Results of homi replay --json", Results::schema())
}

/// The JSON document. Without gcov the numbers of branches are null.
pub fn json(replay: &Replay) -> Value {
    let program = replay.program.as_ref();
    let files = program.into_iter().flat_map(|program| program.files());
    let files = files.map(|(name, totals)| {
        let (covered, total) = (totals.covered, totals.total);
        (name.to_string(), FileResult { covered, total })
    });
    let results = Results {
        schema: SCHEMA,
        exe: replay.exe.to_string_lossy().into_owned(),
        branches_covered: program.map(|program| program.covered()),
        branches_total: program.map(|program| program.total()),
        files: files.collect(),
        tests: replay.results.iter().map(replayed).collect(),
    };
    // Records of texts and numbers are JSON.
    serde_json::to_value(results).unwrap_or_default()
}

fn replayed(result: &TestResult) -> ReplayedTest {
    let counts = result.counts.as_ref();
    ReplayedTest {
        test: result.test.to_string_lossy().into_owned(),
        status: result.status.to_string(),
        seconds: (result.seconds * 1e6).round() / 1e6,
        branches: counts.map(|counts| counts.branches),
        new: counts.map(|counts| counts.new),
        divergence: result.agreement.divergence().cloned(),
    }
}
