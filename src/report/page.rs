//! `homi report`: a run or a campaign as one HTML page that needs nothing else.
//!
//! Branches over time and states over time, runs marked by their policy's colour, then totals and a
//! table of runs. Invariant: everything that comes from files is escaped, and no script, font or
//! image is loaded.

use super::learning::RunLine;
use super::narrowed::narrowed_count;
use super::summary::Summary;
use std::fmt::Write;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 260.0;
/// Space for the numbers left of and below a plot.
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 12.0;

/// Policies with the colours of their runs.
const COLOURS: [(&str, &str); 9] = [
    ("none", "#eeeeee"),
    ("initial", "#e0e0e0"),
    ("explore", "#d6e6f5"),
    ("exploit", "#d8efd3"),
    ("reverse", "#f6dfc7"),
    ("random", "#e5daf0"),
    ("divide", "#eeeeee"),
    ("unpruned", "#fff3b0"),
    ("single-paths", "#e0d4f5"),
];

/// The whole page. `command` is the command line of the run, if known.
pub fn page(summary: Option<&Summary>, runs: &[RunLine], command: Option<&str>) -> String {
    let title = match summary {
        Some(summary) => format!("homi: {}", summary.program),
        None => "homi: unfinished run".to_string(),
    };
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n\
         <style>{STYLE}</style></head>\n<body><h1>{0}</h1>\n",
        escape(&title)
    );
    if let Some(command) = command {
        let _ = writeln!(out, "<p><code>{}</code></p>", escape(command));
    }
    out += &totals(summary, runs);
    let branches = series(runs, |run| (&run.branches_each_second, Some(run.branches)));
    let branches = rising(branches);
    let states = series(runs, |run| (&run.states_each_second, None));
    out += "<h2>Branches covered over time</h2>\n";
    out += &plot(&bands(runs), (end_of(runs), " s"), &branches);
    if let Some(executions) = by_execution(runs) {
        out += "<h2>Branches covered over executions</h2>\n";
        let end = executions.last().map_or(1.0, |point| point.0);
        out += &plot("", (end, ""), &executions);
    }
    out += "<h2>States over time</h2>\n";
    out += &plot(&bands(runs), (end_of(runs), " s"), &states);
    out += &legend(runs);
    out += &table(runs);
    out += "</body></html>\n";
    out
}

const STYLE: &str = "body{font:14px sans-serif;max-width:1000px;margin:2em auto;color:#222}\
h1{font-size:22px}h2{font-size:16px;margin-bottom:4px}table{border-collapse:collapse}\
td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #ddd}th{font-weight:600}\
td.t,th.t{text-align:left}svg{background:#fff}svg text{font:11px sans-serif;fill:#444}\
code{background:#f4f4f4;padding:2px 4px;word-break:break-all}.key{display:inline-block;width:12px;\
height:12px;margin:0 4px 0 14px;border:1px solid #bbb}";

/// Points (seconds since the start, value) in order of time.
type Points = Vec<(f64, f64)>;

/// One series over all runs; each run may add a value at its end.
fn series(runs: &[RunLine], of: impl Fn(&RunLine) -> (&Vec<u64>, Option<u64>)) -> Points {
    let mut points = Vec::new();
    for run in runs {
        let (values, last) = of(run);
        for (index, value) in values.iter().enumerate() {
            points.push((run.started_s + index as f64 + 1.0, *value as f64));
        }
        if let Some(last) = last {
            points.push((run.started_s + run.wall_s, last as f64));
        }
    }
    // Runs of several threads overlap.
    points.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    points
}

/// What several threads saw of a number that only grows: a thread knows what others have found when
/// its run began.
fn rising(mut points: Points) -> Points {
    let mut most = 0.0_f64;
    for (_, value) in &mut points {
        most = most.max(*value);
        *value = most;
    }
    points
}

fn end_of(runs: &[RunLine]) -> f64 {
    runs.iter()
        .map(|run| run.started_s + run.wall_s)
        .fold(1e-3, f64::max)
}

/// The least "round" number that is not below: 1, 2 or 5 times a power of ten.
fn round_up(value: f64) -> f64 {
    let value = value.max(1e-3);
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps.into_iter().find(|step| step * power >= value);
    step.unwrap_or(10.0) * power
}

/// Branches over executions of a concolic run, as steps.
fn by_execution(runs: &[RunLine]) -> Option<Points> {
    let [run] = runs else {
        return None;
    };
    let mut points: Points = Vec::new();
    for &(executions, branches) in &run.branches_by_execution {
        if let Some(&(_, before)) = points.last() {
            points.push((executions as f64, before));
        }
        points.push((executions as f64, branches as f64));
    }
    (!points.is_empty()).then_some(points)
}

/// The runs as bands that lie behind a plot over time, those of several threads below each other.
fn bands(runs: &[RunLine]) -> String {
    let end = end_of(runs);
    let threads = runs.iter().map(|run| run.thread + 1).max().unwrap_or(1);
    let height = (HEIGHT - BOTTOM - TOP) / threads as f64;
    let x = |time: f64| LEFT + (WIDTH - LEFT - RIGHT) * time / end;
    let mut out = String::new();
    for run in runs {
        let (from, to) = (x(run.started_s), x(run.started_s + run.wall_s));
        let _ = writeln!(
            out,
            "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{}\" \
             stroke=\"#fff\"><title>run {} {}</title></rect>",
            TOP + height * run.thread as f64,
            (to - from).max(0.5),
            colour(&run.policy),
            run.run,
            escape(&run.policy)
        );
    }
    out
}

/// One plot up to `end` of a unit, with what lies behind it.
fn plot(behind: &str, (end, unit): (f64, &str), points: &Points) -> String {
    let most = points.iter().map(|point| point.1).fold(0.0, f64::max);
    let top = round_up(most);
    let x = |time: f64| LEFT + (WIDTH - LEFT - RIGHT) * time / end;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top;
    let mut out = format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n"
    );
    out += behind;
    for step in 0..=4 {
        let value = top * f64::from(step) / 4.0;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ccc\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{value}</text>",
            WIDTH - RIGHT,
            y(value),
            LEFT - 6.0,
            y(value) + 4.0
        );
    }
    let end = end.max(1e-3);
    let tick = round_up(end / 8.0);
    let mut time = 0.0;
    while time <= end {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{time}{unit}</text>",
            x(time),
            HEIGHT - 8.0
        );
        time += tick;
    }
    if !points.is_empty() {
        out += "<polyline fill=\"none\" stroke=\"#1f4e79\" stroke-width=\"1.5\" points=\"";
        for (time, value) in points {
            let _ = write!(out, "{:.1},{:.1} ", x(*time), y(*value));
        }
        out += "\"/>\n";
    }
    out += "</svg>\n";
    out
}

fn colour(policy: &str) -> &'static str {
    let known = COLOURS.iter().find(|(name, _)| *name == policy);
    known.map_or("#eeeeee", |(_, colour)| colour)
}

/// The policies that occur, with their colours.
fn legend(runs: &[RunLine]) -> String {
    let mut out = "<p>runs:".to_string();
    for (name, colour) in COLOURS {
        let count = runs.iter().filter(|run| run.policy == name).count();
        if count > 0 {
            let _ = write!(
                out,
                "<span class=\"key\" style=\"background:{colour}\"></span>{name} ({count})"
            );
        }
    }
    out + "</p>\n"
}

fn totals(summary: Option<&Summary>, runs: &[RunLine]) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    match summary {
        Some(summary) => {
            let coverage = summary.coverage;
            let share = 100.0 * coverage.branches as f64 / coverage.branches_total.max(1) as f64;
            rows.push(("arguments", summary.args.join(" ")));
            rows.push(("search", summary.search.join(", ")));
            rows.push(("pruning", summary.prune.clone()));
            rows.push(("seed", summary.seed.to_string()));
            rows.push(("stopped", summary.stop_reason.clone()));
            if let Some(places) = narrowed_count(summary) {
                rows.push(("places narrowed", places));
            }
            rows.push((
                "branches covered",
                format!(
                    "{} of {} ({share:.1} %)",
                    coverage.branches, coverage.branches_total
                ),
            ));
            if let Some(concolic) = &summary.concolic {
                let negations = concolic.counts.negations;
                let outcomes = format!(
                    "{} possible, {} not, {} unknown",
                    negations.possible, negations.refuted, negations.unknown
                );
                rows.push(("strategy", concolic.strategy.clone()));
                if let Some(weights) = &concolic.weights {
                    rows.push(("the weights prefer", weights.prefers.join(", ")));
                    rows.push(("the weights avoid", weights.avoids.join(", ")));
                }
                rows.push(("executions", concolic.counts.executions.to_string()));
                rows.push(("branches negated", outcomes));
            }
            rows.push(("tests", summary.tests.to_string()));
            rows.push(("bugs", summary.errors.len().to_string()));
            rows.push(("wall time", format!("{:.1} s", summary.wall_s)));
            rows.push(("instructions", summary.instructions.to_string()));
            rows.push((
                "states, mean and peak",
                format!("{:.0}, {}", summary.states_mean, summary.states_peak),
            ));
            rows.push(("paths pruned", summary.paths.pruned.to_string()));
            if let Some(probes) = summary.probes {
                let text = format!("{}, {}", probes.runs, probes.tests);
                rows.push(("probes, tests by them", text));
            }
            if let Some(campaign) = &summary.campaign {
                rows.push(("runs", campaign.runs.to_string()));
                rows.push((
                    "tests learned from, good ones",
                    format!("{}, {}", campaign.data_tests, campaign.good_tests),
                ));
                rows.push((
                    "known ground walked again",
                    format!(
                        "{:.1} % of instructions, {:.1} % of time",
                        100.0 * campaign.rewalk_instruction_share,
                        100.0 * campaign.rewalk_time_share
                    ),
                ));
            }
        }
        None => {
            let branches = runs.last().map_or(0, |run| run.branches);
            rows.push(("branches covered", branches.to_string()));
            rows.push(("runs", runs.len().to_string()));
        }
    }
    let mut out = "<table>".to_string();
    for (name, value) in rows {
        let _ = write!(
            out,
            "<tr><th class=\"t\">{name}</th><td class=\"t\">{}</td></tr>",
            escape(&value)
        );
    }
    out + "</table>\n"
}

fn table(runs: &[RunLine]) -> String {
    let mut out = "<h2>Runs</h2>\n<table><tr><th>run</th><th class=\"t\">policy</th><th>N'</th>\
        <th>time</th><th class=\"t\">stopped</th><th>features</th><th>prune events</th><th>pruned</th>\
        <th>peak states</th><th>new branches</th><th>branches</th><th>good tests</th>\
        <th>tests</th><th>by probes</th><th>tests followed</th></tr>\n"
        .to_string();
    for run in runs {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"t\">{}</td><td>{:.1}{}</td><td>{:.1} s</td>\
             <td class=\"t\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            run.run,
            escape(&run.policy),
            run.budget,
            escape(&run.budget_unit),
            run.wall_s,
            escape(&run.stop_reason),
            run.features.len(),
            run.prune_events.len(),
            run.states_pruned,
            run.states_peak,
            run.new_branches,
            run.branches,
            run.good_tests,
            run.run_files,
            run.probes.map_or(0, |probes| probes.tests),
            followed(run)
        );
    }
    out + "</table>\n"
}

/// How many of the tests that the run was given it followed.
fn followed(run: &RunLine) -> String {
    run.seeds.map_or_else(String::new, |seeds| {
        format!("{} of {}", seeds.followed, seeds.given)
    })
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::SeedSummary;

    #[test]
    fn the_page_shows_runs_and_loads_nothing() {
        let run = |number: u64, policy: &str| RunLine {
            run: number,
            policy: policy.to_string(),
            started_s: 3.0 * (number - 1) as f64,
            wall_s: 3.0,
            branches: 10 * number,
            states_each_second: vec![5, 7 * number],
            branches_each_second: vec![1, 8],
            seeds: (number > 1).then(|| SeedSummary {
                given: 9,
                followed: 7,
                ..SeedSummary::default()
            }),
            ..RunLine::default()
        };
        let runs = [run(1, "initial"), run(2, "<evil>")];
        let text = page(None, &runs, Some("homi run a.bc & more"));
        assert!(text.contains("homi run a.bc &amp; more"));
        assert!(text.contains("&lt;evil&gt;") && !text.contains("<evil>"));
        assert_eq!(text.matches("<td>7 of 9</td>").count(), 1);
        assert_eq!(text.matches("<polyline").count(), 2);
        assert_eq!(text.matches("<rect").count(), 4);
        for loaded in ["http", "src=", "<script", "url(", "@import"] {
            assert!(!text.contains(loaded), "{loaded}");
        }
    }

    #[test]
    fn axes_end_at_round_numbers() {
        let rounded = [0.9, 1.0, 1.1, 34.0, 51.0, 4999.0].map(round_up);
        assert_eq!(rounded, [1.0, 1.0, 2.0, 50.0, 100.0, 5000.0]);
    }

    #[test]
    fn nothing_recorded_is_no_failure() {
        let text = page(None, &[], None);
        assert!(text.contains("</html>") && !text.contains("NaN"));
    }
}
