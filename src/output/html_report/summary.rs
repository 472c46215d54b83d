//! Section on the result of a run: verdict, main statistics, cost, under-approximations.

use super::data::RunData;
use super::divergences;
use super::table::{Cell, Table, bar, grouped};
use super::text;
use homi_report::Summary;
use maud::{Markup, html};

/// Number of under-approximations that the page shows without a click.
const FEW: usize = 10;

/// The verdict in a line or two.
pub(super) fn verdict(data: &RunData) -> Markup {
    let bugs = data.bug_count();
    let reason = data
        .summary
        .as_ref()
        .map(|summary| summary.stop_reason.as_str());
    let found = match bugs {
        0 => "No bug found".to_string(),
        1 => "1 bug found".to_string(),
        more => format!("{more} bugs found"),
    };
    let diverging = divergences::all(data).len();
    let (class, head) = match (bugs, reason) {
        (0, _) if diverging > 0 => {
            let tests = if diverging == 1 {
                "test differs"
            } else {
                "tests differ"
            };
            ("part", format!("{found}; {diverging} {tests} natively"))
        }
        (0, Some("exhausted")) => ("good", "No bug: all paths explored".to_string()),
        (0, None) => ("part", "No bug found so far".to_string()),
        (0, Some(_)) => ("part", found),
        _ => ("bad", found),
    };
    let stopped = match (&data.stopped, reason) {
        (Some(stopped), _) => format!("Stop reason: {stopped}."),
        (None, Some(reason)) => format!("Stop reason: {reason}."),
        (None, None) => "The run is in progress, or it was killed.".to_string(),
    };
    html! {
        p.verdict .(class) {
            strong { (head) }
            span { (text(&stopped)) }
        }
    }
}

/// Returns the main statistics as cards, then the configuration of the run.
pub(super) fn body(data: &RunData) -> Markup {
    html! {
        (cards(data))
        @if !data.unread.is_empty() {
            p.bad { "Could not be read: " (text(&data.unread.join("; "))) "." }
        }
        @if let Some(summary) = &data.summary {
            (facts(summary)) (targets(summary)) (underapproximations(summary))
        }
    }
}

fn card(name: &str, value: &str, more: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) (more) } } }
}

fn cards(data: &RunData) -> Markup {
    let (covered, all) = data.coverage();
    let share = covered as f64 / all.max(1) as f64;
    let none = html! {};
    html! {
        dl.cards {
            (card("Bugs", &grouped(data.bug_count()), &none))
            (card("Branch sides covered", &format!("{:.1} %", 100.0 * share),
                &html! { small { (grouped(covered)) " of " (grouped(all)) " " (bar(share)) } }))
            (card("Tests", &grouped(data.tests.len() as u64), &none))
            @if let Some(summary) = &data.summary {
                (card("Paths", &grouped(summary.paths.total()), &html! {
                    small { (grouped(summary.paths.completed)) " completed" }
                }))
                (card("Time", &seconds(summary.wall_s), &html! {
                    small { (seconds(summary.cpu_s)) " of CPU time" }
                }))
                (card("Solver", &seconds(summary.solver.time_s), &html! {
                    small { (grouped(summary.solver.queries)) " queries" }
                }))
                (card("Peak number of states", &grouped(summary.states_peak), &html! {
                    small { (format!("{:.0} on average", summary.states_mean)) }
                }))
                (card("Peak memory", &bytes(summary.memory_peak_bytes), &none))
            } @else if let Some(last) = data.stats.as_ref().and_then(|stats| stats.rows.last()) {
                (card("Paths", &grouped(last.homi.paths), &none))
                (card("Time", &seconds(last.klee.wall_time as f64 / 1e6), &none))
                (card("States", &grouped(last.klee.num_states), &none))
                (card("Memory", &bytes(last.homi.resident), &none))
            }
        }
    }
}

fn rows(rows: &[(&str, String)]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Configuration and statistics of the run" {
            table.facts { tbody {
                @for (name, value) in rows {
                    tr { th scope="row" { (name) } td { (text(value)) } }
                }
            } }
        }
    }
}

fn facts(run: &Summary) -> Markup {
    let mut facts = vec![
        ("arguments", run.args.join(" ")),
        ("search", run.search.join(", ")),
        ("pruning", run.prune.clone()),
        (
            "seed, threads, clock",
            format!("{}, {}, {}", run.seed, run.threads, run.clock),
        ),
        (
            "instructions, work",
            format!("{}, {}", grouped(run.instructions), grouped(run.work)),
        ),
        (
            "instructions of user code covered",
            format!(
                "{} of {}",
                grouped(run.coverage.instructions),
                grouped(run.coverage.instructions_total)
            ),
        ),
        (
            "paths that were pruned, stopped early, or met an unsupported feature",
            format!(
                "{}, {}, {}",
                run.paths.pruned, run.paths.early, run.paths.unsupported
            ),
        ),
    ];
    let statuses = run.exit_statuses.iter();
    let statuses: Vec<String> = statuses
        .map(|(status, paths)| format!("{status}: {paths}"))
        .collect();
    let mut add = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
    add(
        "exit statuses: paths",
        (!statuses.is_empty()).then(|| statuses.join(", ")),
    );
    let concolic = run.concolic.as_ref();
    add(
        "strategy",
        concolic.map(|concolic| concolic.strategy.clone()),
    );
    add(
        "executions",
        concolic.map(|concolic| grouped(concolic.counts.executions)),
    );
    add(
        "branches negated",
        concolic.map(|concolic| {
            let negations = concolic.counts.negations;
            format!(
                "{} feasible, {} infeasible, {} unknown",
                negations.feasible, negations.infeasible, negations.unknown
            )
        }),
    );
    add(
        "sides left unchecked at their forks",
        run.pending.map(|pending| {
            format!(
                "{}: {} feasible, {} infeasible, {} unknown, {} unchecked",
                pending.created,
                pending.feasible,
                pending.infeasible,
                pending.unknown,
                pending.unchecked
            )
        }),
    );
    add(
        "fuzzing runs, native executions, tests by fuzzing",
        run.fuzzing.map(|fuzzing| {
            let (native, tests) = (fuzzing.native_executions, fuzzing.tests);
            format!("{}, {native}, {tests}", fuzzing.runs)
        }),
    );
    add(
        "seeds followed",
        run.seeds
            .map(|seeds| format!("{} of {}", seeds.followed, seeds.given)),
    );
    add(
        "states swapped out, swapped in",
        run.swapped
            .map(|swapped| format!("{}, {}", swapped.out, swapped.r#in)),
    );
    add(
        "tests compared with the native program",
        run.outcomes.as_ref().map(|all| match &all.not_compared {
            Some(reason) => format!("none: {reason}"),
            None => format!("{} of {}", all.compared, run.tests),
        }),
    );
    add(
        "model limitations",
        (!run.model_limitations.is_empty()).then(|| run.model_limitations.join(", ")),
    );
    rows(&facts)
}

fn targets(summary: &Summary) -> Markup {
    let mut table = Table::new(
        "targets",
        "Target lines",
        &["line", "reached", "test or blocking branch"],
        3,
    );
    table.rows = summary
        .targets
        .iter()
        .map(|target| {
            let why = target.test.as_deref().or(target.blocking_branch.as_deref());
            vec![
                Cell::code(&target.line),
                Cell::text(if target.reached { "yes" } else { "no" }),
                Cell::text(why.unwrap_or("")),
            ]
        })
        .collect();
    table.html()
}

/// Returns the table of concretized values and dropped paths.
fn underapproximations(summary: &Summary) -> Markup {
    let mut table = Table::new(
        "underapproximations",
        "Under-approximations: fewer values or paths than the program allows",
        &["location", "what", "lost", "example", "count"],
        4,
    );
    table.rows = summary
        .underapproximations
        .iter()
        .map(|place| {
            vec![
                Cell::code(&place.location),
                Cell::text(&place.what),
                Cell::text(&place.lost),
                Cell::text(&place.example),
                Cell::count(place.count),
            ]
        })
        .collect();
    let mut unsupported = Table::new(
        "unsupported",
        "Unsupported features",
        &["location", "feature", "paths"],
        2,
    );
    unsupported.rows = summary
        .unsupported
        .iter()
        .map(|unsupported| {
            vec![
                Cell::code(&unsupported.location),
                Cell::text(&unsupported.what),
                Cell::count(unsupported.count),
            ]
        })
        .collect();
    let places = table.rows.len();
    html! {
        (unsupported.html())
        @if places > FEW {
            details {
                summary { "Under-approximations (fewer values or paths than the program allows): " (places) " locations" }
                (table.html())
            }
        } @else { (table.html()) }
    }
}

/// Returns the solver by layer, the memory by kind and the most expensive lines.
pub(super) fn costs(data: &RunData) -> Option<Markup> {
    let run = data.summary.as_ref()?;
    let mut layers = Table::new(
        "layers",
        "The solver by layer, top down",
        &["layer", "answered", "seconds"],
        1,
    );
    layers.rows = run
        .solver
        .layers
        .iter()
        .map(|layer| {
            vec![
                Cell::text(&layer.name),
                Cell::count(layer.answered),
                Cell::number(layer.time_s, &format!("{:.2}", layer.time_s)),
            ]
        })
        .collect();
    let memory = run.memory;
    let mut kinds = Table::new(
        "memory",
        "Memory at the end of the run",
        &["kind", "MiB"],
        1,
    );
    kinds.rows = [
        ("resident, all processes", memory.resident_bytes),
        ("SMT process", memory.smt_bytes),
        ("program and tables", memory.program_bytes),
        ("terms", memory.terms_bytes),
        ("solver cache", memory.solver_cache_bytes),
        ("states", memory.states_bytes),
    ]
    .map(|(kind, bytes)| vec![Cell::text(kind), megabytes(bytes)])
    .to_vec();
    let mut lines = Table::new(
        "lines",
        "Lines with the most forks or solver time",
        &["line", "function", "forks", "queries", "solver s"],
        2,
    );
    lines.rows = run
        .hot_lines
        .iter()
        .map(|line| {
            vec![
                Cell::code(&line.location),
                Cell::code(&line.function),
                Cell::count(line.forks),
                Cell::count(line.queries),
                Cell::number(line.solver_s, &format!("{:.2}", line.solver_s)),
            ]
        })
        .collect();
    Some(html! { (layers.html()) (kinds.html()) (lines.html()) })
}

fn megabytes(bytes: u64) -> Cell {
    let number = bytes as f64 / f64::from(1 << 20);
    Cell::number(number, &format!("{number:.1}"))
}

fn bytes(bytes: u64) -> String {
    let megabytes = bytes as f64 / f64::from(1 << 20);
    if megabytes < 10_000.0 {
        format!("{megabytes:.0} MiB")
    } else {
        format!("{:.1} GiB", megabytes / 1024.0)
    }
}

pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        short if short < 10.0 => format!("{short:.2} s"),
        middling if middling < 600.0 => format!("{middling:.1} s"),
        long if long < 7200.0 => format!("{:.0} min", long / 60.0),
        longer => format!("{:.1} h", longer / 3600.0),
    }
}

impl RunData {
    /// Returns the number of distinct bugs.
    pub(super) fn bug_count(&self) -> u64 {
        let counted = self
            .summary
            .as_ref()
            .map_or(0, |summary| summary.errors.len());
        counted.max(self.bugs.len()) as u64
    }

    /// Returns the numbers of covered branch sides and of all branch sides.
    fn coverage(&self) -> (u64, u64) {
        if let Some(summary) = &self.summary {
            return (summary.coverage.branches, summary.coverage.branches_total);
        }
        let last = self.stats.as_ref().and_then(|stats| stats.rows.last());
        let all = self
            .branches
            .iter()
            .map(|branch| u64::from(branch.sides))
            .sum();
        let new = self.tests.iter().map(|test| test.new.len() as u64).sum();
        last.map_or((new, all), |row| {
            (row.homi.branches, row.homi.branches_total)
        })
    }
}
