//! `homi stats`: runs as a table, one run in detail, JSON and CSV.
//!
//! Invariant: a run of KLEE, which lacks the table `homi`, shows its columns and `-` for the
//! others; a run without a summary is called unfinished.

use super::stats_file::{StatsHistory, StatsRow};
use super::stats_row::{Column, HomiRow, KleeRow};
use super::summary::{HotLine, Summary};
use super::table::{Side, table};
use super::underapproximations::underapproximation_table;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Lines of the detailed view.
const SHOWN_LINES: usize = 12;

/// Data of one run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunStats {
    /// The output directory as the user named it.
    pub path: String,
    pub history: StatsHistory,
    /// Summary of the run; `None` during the run, after it was killed, and for runs of KLEE.
    pub summary: Option<Summary>,
}

impl RunStats {
    fn last(&self) -> StatsRow {
        self.history.rows.last().copied().unwrap_or_default()
    }

    fn states_most(&self) -> u64 {
        let states = self.history.rows.iter().map(|row| row.klee.num_states);
        let peak = self.summary.as_ref().map_or(0, |run| run.states_peak);
        states.max().unwrap_or(0).max(peak)
    }

    fn memory_most(&self) -> u64 {
        let resident = self.history.rows.iter().map(|row| row.memory());
        let peak = self.summary.as_ref().map_or(0, |run| run.memory_peak_bytes);
        resident.max().unwrap_or(0).max(peak)
    }

    /// The hot lines of the end, or those written last.
    fn lines(&self) -> &[HotLine] {
        match &self.summary {
            Some(summary) if !summary.hot_lines.is_empty() => &summary.hot_lines,
            _ => &self.history.lines,
        }
    }

    /// Returns the end of the run as text.
    fn ending(&self) -> &str {
        match &self.summary {
            Some(summary) => &summary.stop_reason,
            None if self.history.by_homi => "unfinished",
            None => "klee",
        }
    }
}

impl StatsRow {
    /// Resident memory, or KLEE's statistic.
    fn memory(&self) -> u64 {
        match self.homi.resident {
            0 => self.klee.malloc_usage,
            resident => resident,
        }
    }

    /// Paths that are over.
    fn paths(&self) -> u64 {
        let row = &self.klee;
        row.termination_exit
            + row.termination_early
            + row.termination_solver_error
            + row.termination_program_error
            + row.termination_user_error
            + row.termination_execution_error
            + row.termination_early_algorithm
            + row.termination_early_user
    }

    /// Share of the conditional branches' sides that are covered, in per cent, as klee-stats
    /// computes it.
    fn branch_coverage(&self) -> f64 {
        let row = &self.klee;
        percent(
            2 * row.full_branches + row.partial_branches,
            2 * row.num_branches,
        )
    }

    fn instruction_coverage(&self) -> f64 {
        let row = &self.klee;
        let all = row.covered_instructions + row.uncovered_instructions;
        percent(row.covered_instructions, all)
    }

    fn seconds(&self) -> f64 {
        self.klee.wall_time as f64 / 1e6
    }

    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.seconds().max(1e-6)
    }
}

fn percent(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The head of the table; a layer's column is its share of the wall time.
const HEAD: [&str; 20] = [
    "Instrs",
    "Time(s)",
    "ICov(%)",
    "BCov(%)",
    "Paths",
    "Tests",
    "States",
    "MaxMem(MiB)",
    "TSolver(%)",
    "model",
    "domain",
    "bounds",
    "order",
    "guided",
    "cache",
    "linear",
    "search",
    "sat",
    "smt",
    "Ended",
];

/// One line per run, as klee-stats prints them. States are the most at one time; the columns after
/// TSolver are the layers' shares of the wall time.
pub fn stats_table(runs: &[RunStats]) -> String {
    let mut lines = vec![
        std::iter::once("Path")
            .chain(HEAD)
            .map(str::to_string)
            .collect::<Vec<_>>(),
    ];
    for run in runs {
        let row = run.last();
        let share = |micros: u64| format!("{:.1}", percent(micros, row.klee.wall_time));
        let mut cells = vec![
            run.path.clone(),
            row.klee.instructions.to_string(),
            format!("{:.2}", row.seconds()),
            format!("{:.2}", row.instruction_coverage()),
            format!("{:.2}", row.branch_coverage()),
            row.paths().to_string(),
            or_dash(&run.history, row.homi.tests.to_string()),
            run.states_most().to_string(),
            format!("{:.1}", mebibytes(run.memory_most())),
            share(row.klee.solver_time),
        ];
        for layer in &row.homi.layers[1..] {
            cells.push(or_dash(&run.history, share(layer.time)));
        }
        cells.push(run.ending().to_string());
        lines.push(cells);
    }
    // Names to the left, numbers to the right.
    let mut sides = [Side::Right; 1 + HEAD.len()];
    (sides[0], sides[HEAD.len()]) = (Side::Left, Side::Left);
    table(&sides, lines)
}

fn or_dash(history: &StatsHistory, text: String) -> String {
    if history.by_homi {
        text
    } else {
        "-".to_string()
    }
}

/// One run in detail.
pub fn stats_details(run: &RunStats) -> String {
    let row = run.last();
    let (klee, homi) = (&row.klee, &row.homi);
    let mut out = String::new();
    let mut say = |text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{text}");
    };
    let what = match &run.summary {
        Some(summary) => format!("{}, ended: {}", summary.program, summary.stop_reason),
        None if run.history.by_homi => {
            "no summary.json: the run is still running, or was killed".to_string()
        }
        None => "a run of KLEE".to_string(),
    };
    say(format_args!("{}: {what}", run.path));
    say(format_args!(
        "time          {:.2} s, {:.2} s of CPU in user mode",
        row.seconds(),
        klee.user_time as f64 / 1e6
    ));
    say(format_args!(
        "instructions  {} ({}/s)",
        klee.instructions,
        short(row.per_second(klee.instructions))
    ));
    say(format_args!(
        "paths         {} ({}/s): {} completed, {} stopped, {} pruned, {} with a bug, {} \
         unsupported",
        row.paths(),
        short(row.per_second(row.paths())),
        klee.termination_exit + klee.termination_early_user,
        klee.termination_early + klee.termination_solver_error,
        klee.termination_early_algorithm,
        klee.termination_program_error + klee.termination_user_error,
        klee.termination_execution_error,
    ));
    say(format_args!(
        "states        {} created, {} at peak, {} open",
        klee.states,
        run.states_most(),
        klee.num_states
    ));
    say(format_args!(
        "covered       {} of {} conditional branches on both sides, {} on one; {:.1} % of the \
         instructions",
        klee.full_branches,
        klee.num_branches,
        klee.partial_branches,
        row.instruction_coverage()
    ));
    if run.history.by_homi {
        say(format_args!(
            "tests         {}, distinct bugs {}, branch sides covered {} of {}",
            homi.tests, homi.bugs, homi.branches, homi.branches_total
        ));
    }
    say(format_args!(
        "solver        {:.2} s ({:.1} % of the time), {} queries, {} reached SMT, {} timed out",
        klee.solver_time as f64 / 1e6,
        percent(klee.solver_time, klee.wall_time),
        klee.queries,
        klee.solver_queries,
        homi.timeouts
    ));
    if run.history.by_homi {
        out += &layers(&row);
        out += &memory(run, &row);
    }
    out += &hot_lines(run.lines());
    if let Some(summary) = &run.summary {
        out += &underapproximation_table(&summary.underapproximations, SHOWN_LINES);
    }
    out
}

fn layers(row: &StatsRow) -> String {
    let all: u64 = row.homi.layers.iter().map(|layer| layer.answered).sum();
    let layers = row.homi.named_layers().map(|(name, layer)| {
        vec![
            name.to_string(),
            layer.answered.to_string(),
            format!("{:.2}", percent(layer.answered, all)),
            format!("{:.3}", layer.time as f64 / 1e6),
            format!("{:.1}", percent(layer.time, row.klee.wall_time)),
        ]
    });
    let head = ["layer", "answered", "% of all", "time s", "% of time"];
    below(
        head,
        [
            Side::Left,
            Side::Right,
            Side::Right,
            Side::Right,
            Side::Right,
        ],
        layers,
    )
}

/// A table below an empty line.
fn below<const N: usize>(
    head: [&str; N],
    sides: [Side; N],
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let head = head.map(str::to_string).to_vec();
    format!("\n{}", table(&sides, std::iter::once(head).chain(rows)))
}

fn memory(run: &RunStats, row: &StatsRow) -> String {
    // A run that is over has given up its states: its summary remembers what they took.
    let memory = match &run.summary {
        Some(summary) if summary.memory.resident_bytes != 0 => summary.memory,
        _ => super::summary::MemorySummary {
            resident_bytes: row.homi.resident,
            smt_bytes: row.homi.smt_memory,
            allocated_bytes: row.klee.malloc_usage,
            program_bytes: row.homi.program_memory,
            terms_bytes: row.homi.term_memory,
            solver_cache_bytes: row.homi.cache_memory,
            states_bytes: row.homi.state_memory,
        },
    };
    let own = memory.resident_bytes.saturating_sub(memory.smt_bytes);
    let kinds = [
        ("resident, at most", run.memory_most()),
        ("resident", memory.resident_bytes),
        ("  states", memory.states_bytes),
        ("  terms", memory.terms_bytes),
        ("  solver's cache", memory.solver_cache_bytes),
        ("  program and tables", memory.program_bytes),
        (
            "  code, allocator's reserve",
            own.saturating_sub(memory.allocated_bytes),
        ),
        ("  SMT process", memory.smt_bytes),
    ];
    let kinds = kinds.into_iter();
    let rows =
        kinds.map(|(name, bytes)| vec![name.to_string(), format!("{:.1}", mebibytes(bytes))]);
    below(["memory", "MiB"], [Side::Left, Side::Right], rows)
}

fn hot_lines(lines: &[HotLine]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let rows = lines.iter().take(SHOWN_LINES).map(|line| {
        vec![
            line.forks.to_string(),
            line.queries.to_string(),
            format!("{:.3}", line.solver_s),
            line.shown(),
        ]
    });
    below(
        ["forks", "queries", "solver s", "line (function)"],
        [Side::Right, Side::Right, Side::Right, Side::Left],
        rows,
    )
}

fn short(number: f64) -> String {
    match number {
        _ if number < 1e3 => format!("{number:.1}"),
        _ if number < 1e6 => format!("{:.1} k", number / 1e3),
        _ if number < 1e9 => format!("{:.1} M", number / 1e6),
        _ => format!("{:.1} G", number / 1e9),
    }
}

fn object(columns: &[Column], values: Vec<u64>) -> Map<String, Value> {
    let names = columns.iter().map(|column| column.name.to_string());
    names.zip(values.into_iter().map(Value::from)).collect()
}

/// All runs as a JSON list: `stats` has KLEE's columns, `homi` ours, of the last row or of all
/// rows.
pub fn stats_json(runs: &[RunStats], all_rows: bool) -> String {
    let row = |row: &StatsRow| {
        json!({
            "stats": object(KleeRow::COLUMNS, row.klee.values()),
            "homi": object(HomiRow::COLUMNS, row.homi.values()),
        })
    };
    let runs: Vec<Value> = runs
        .iter()
        .map(|run| {
            let last = run.last();
            let mut value = json!({
                "path": run.path,
                "by": if run.history.by_homi { "homi" } else { "klee" },
                "ended": run.summary.as_ref().map(|summary| &summary.stop_reason),
                "instructions_per_s": last.per_second(last.klee.instructions),
                "paths": last.paths(),
                "paths_per_s": last.per_second(last.paths()),
                "solver_ratio": percent(last.klee.solver_time, last.klee.wall_time) / 100.0,
                "states_most": run.states_most(),
                "memory_most_bytes": run.memory_most(),
                "last": row(&last),
                "hot_lines": run.lines(),
            });
            if all_rows {
                value["rows"] = run.history.rows.iter().map(row).collect();
            }
            value
        })
        .collect();
    serde_json::to_string_pretty(&runs).unwrap_or_default() + "\n"
}

/// One line per run, or per row of each run: the path, KLEE's columns, ours.
pub fn stats_csv(runs: &[RunStats], all_rows: bool) -> String {
    let columns = KleeRow::COLUMNS.iter().chain(HomiRow::COLUMNS);
    let names: Vec<&str> = columns.map(|column| column.name).collect();
    let mut out = format!("Path,{}\n", names.join(","));
    for run in runs {
        let last = run.history.rows.len().saturating_sub(1);
        let rows = &run.history.rows[if all_rows { 0 } else { last }..];
        for row in rows {
            let values = row.klee.values().into_iter().chain(row.homi.values());
            let values: Vec<String> = values.map(|value| value.to_string()).collect();
            let _ = writeln!(out, "{},{}", quoted(&run.path), values.join(","));
        }
    }
    out
}

/// Returns the meanings of the columns of `run.stats`.
pub fn stats_legend() -> String {
    let mut out = String::from(
        "Columns of run.stats: table stats (KLEE's), then table homi. Times are microseconds, memory is bytes.\n",
    );
    for columns in [KleeRow::COLUMNS, HomiRow::COLUMNS] {
        out.push('\n');
        for column in columns {
            let _ = writeln!(out, "{:<26}  {}", column.name, column.meaning);
        }
    }
    out
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LayerStatistics;

    fn run(path: &str, by_homi: bool) -> RunStats {
        let mut row = StatsRow::default();
        row.klee.instructions = 4_000_000;
        row.klee.wall_time = 2_000_000;
        row.klee.solver_time = 500_000;
        row.klee.num_branches = 4;
        row.klee.full_branches = 1;
        row.klee.partial_branches = 2;
        row.klee.termination_exit = 30;
        row.klee.termination_execution_error = 1;
        row.klee.num_states = 5;
        row.klee.malloc_usage = 64 << 20;
        if by_homi {
            row.homi.layers[8] = LayerStatistics {
                answered: 10,
                time: 250_000,
            };
            row.homi.resident = 100 << 20;
        }
        let line = HotLine {
            location: "a.c:3".to_string(),
            function: "f".to_string(),
            forks: 17,
            queries: 20,
            solver_s: 0.125,
        };
        RunStats {
            path: path.to_string(),
            history: StatsHistory {
                rows: vec![StatsRow::default(), row],
                by_homi,
                lines: if by_homi { vec![line] } else { Vec::new() },
            },
            summary: None,
        }
    }

    #[test]
    fn the_table_has_a_line_per_run() {
        let text = stats_table(&[run("out", true), run("klee-last", false)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let cells = |line: usize| lines[line].split_whitespace().collect::<Vec<_>>();
        assert_eq!(cells(0).len(), 21);
        let ours = "out 4000000 2.00 0.00 50.00 31 0 5 100.0 25.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 12.5 0.0 0.0 unfinished";
        assert_eq!(cells(1), ours.split(' ').collect::<Vec<_>>());
        let klees = "klee-last 4000000 2.00 0.00 50.00 31 - 5 64.0 25.0 - - - - - - - - - - klee";
        assert_eq!(cells(2), klees.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn details_list_where_the_time_goes() {
        let text = stats_details(&run("out", true));
        for part in [
            "still running, or was killed",
            "4000000 (2.0 M/s)",
            "31 (15.5/s): 30 completed",
            "0.50 s (25.0 % of the time)",
            "search 10 100.00 0.250 12.5",
            "17 20 0.125 a.c:3 (f)",
        ] {
            let text_in_one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text_in_one_line.contains(part), "no {part:?} in {text}");
        }
        let text = stats_details(&run("out", false));
        assert!(text.contains("a run of KLEE"), "{text}");
        assert!(!text.contains("layer"), "{text}");
    }

    #[test]
    fn the_legend_names_every_column() {
        let text = stats_legend();
        let columns = KleeRow::COLUMNS.iter().chain(HomiRow::COLUMNS);
        for column in columns {
            assert!(text.contains(&format!("\n{} ", column.name)), "{text}");
        }
    }

    #[test]
    fn machines_read_it_too() {
        let runs = [run("a,b", true)];
        let value: Value = serde_json::from_str(&stats_json(&runs, true)).unwrap();
        assert_eq!(value[0]["rows"].as_array().unwrap().len(), 2);
        assert_eq!(value[0]["last"]["stats"]["Instructions"], 4_000_000);
        assert_eq!(value[0]["last"]["homi"]["SearchAnswered"], 10);
        assert_eq!(value[0]["solver_ratio"], 0.25);
        let text = stats_csv(&runs, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("Path,Instructions,FullBranches,"));
        assert!(
            lines[1].starts_with("\"a,b\",4000000,1,2,4,"),
            "{}",
            lines[1]
        );
        assert_eq!(stats_csv(&runs, true).lines().count(), 3);
    }
}
