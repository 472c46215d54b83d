//! The figures of a run: what grows, what comes and goes, over time.

use super::data::RunData;
use crate::plot::{Band, Plot, Series};
use homi_report::{RunLine, StatsRow};

/// Name and amount of a kind of memory.
type Kind = (&'static str, fn(&StatsRow) -> u64);

/// All figures that there are numbers for.
pub(super) fn all(data: &RunData) -> Vec<Plot> {
    let mut plots = vec![branches(data), states(data), tests(data)];
    plots.extend(by_execution(&data.runs));
    plots.push(memory(data));
    plots.push(layers(
        data,
        "layers-answered",
        "Queries by the layer that answered them",
        "queries",
        &|layer| layer.answered as f64,
    ));
    plots.push(layers(
        data,
        "layers-time",
        "Time in the layers of the solver",
        "seconds in the layer",
        &|layer| layer.time as f64 / 1e6,
    ));
    plots.retain(|plot| !plot.is_empty());
    plots
}

fn plot(name: &str, title: &str, upward: &str, series: Vec<Series>) -> Plot {
    Plot {
        name: name.to_string(),
        title: title.to_string(),
        across: "seconds".to_string(),
        upward: upward.to_string(),
        series,
        bands: Vec::new(),
    }
}

/// A figure of each second, from `run.stats`.
fn sampled(data: &RunData, name: &str, of: impl Fn(&StatsRow) -> f64) -> Series {
    let rows = data.stats.iter().flat_map(|stats| &stats.rows);
    let mut points: Vec<(f64, f64)> = rows
        .map(|row| (row.klee.wall_time as f64 / 1e6, of(row)))
        .collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    Series::line(name, points)
}

/// Returns the series from `run.stats`, or from the lines of runs in a directory without it.
fn or_of_runs(sampled: Series, of_runs: impl FnOnce() -> Vec<(f64, f64)>) -> Series {
    match sampled.points.len() {
        0 | 1 => Series::line(&sampled.name, of_runs()),
        _ => sampled,
    }
}

fn branches(data: &RunData) -> Plot {
    let of_runs = || {
        rising(of_runs(&data.runs, |run| {
            (&run.branches_each_second, Some(run.branches))
        }))
    };
    let line = or_of_runs(
        sampled(data, "branch sides", |row| row.homi.branches as f64),
        of_runs,
    );
    let mut plot = plot(
        "branches",
        "Branch sides covered",
        "branch sides",
        vec![line],
    );
    plot.bands = bands(&data.runs);
    plot
}

fn states(data: &RunData) -> Plot {
    let of_runs = || of_runs(&data.runs, |run| (&run.states_each_second, None));
    let line = or_of_runs(
        sampled(data, "states", |row| row.klee.num_states as f64),
        of_runs,
    );
    let mut plot = plot("states", "Open states", "states", vec![line]);
    plot.bands = bands(&data.runs);
    plot
}

fn tests(data: &RunData) -> Plot {
    let lines = vec![
        sampled(data, "tests", |row| row.homi.tests as f64),
        sampled(data, "bugs", |row| row.homi.bugs as f64),
    ];
    plot("tests", "Tests and bugs", "tests", lines)
}

fn memory(data: &RunData) -> Plot {
    let kinds: [Kind; 6] = [
        ("resident, all", |row| row.homi.resident),
        ("states", |row| row.homi.state_memory),
        ("terms", |row| row.homi.term_memory),
        ("solver's cache", |row| row.homi.cache_memory),
        ("SMT process", |row| row.homi.smt_memory),
        ("program", |row| row.homi.program_memory),
    ];
    let lines =
        kinds.map(|(name, of)| sampled(data, name, |row| of(row) as f64 / f64::from(1 << 20)));
    plot("memory", "Memory", "MiB", that_rise(lines.into()))
}

/// Lines that rise above nothing.
fn that_rise(lines: Vec<Series>) -> Vec<Series> {
    let rises = |line: &Series| line.points.iter().any(|point| point.1 > 0.0);
    lines.into_iter().filter(rises).collect()
}

fn layers(
    data: &RunData,
    name: &str,
    title: &str,
    upward: &str,
    of: &dyn Fn(&homi_report::LayerStatistics) -> f64,
) -> Plot {
    let names = StatsRow::default();
    let names = names.homi.named_layers().map(|(name, _)| name).enumerate();
    let lines = names.map(|(number, name)| {
        sampled(data, name, |row| {
            row.homi.layers.get(number).map_or(0.0, of)
        })
    });
    plot(name, title, upward, that_rise(lines.collect()))
}

/// One series over all runs; each run may add a value at its end.
fn of_runs(runs: &[RunLine], of: impl Fn(&RunLine) -> (&Vec<u64>, Option<u64>)) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    for run in runs {
        let (values, last) = of(run);
        for (second, value) in (1u32..).zip(values) {
            points.push((run.started_s + f64::from(second), *value as f64));
        }
        points.extend(last.map(|last| (run.started_s + run.wall_s, last as f64)));
    }
    // Runs of several threads overlap.
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    points
}

/// Returns a growing number as several threads saw it: a thread knows what others had found when
/// its run began.
fn rising(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut most = 0.0_f64;
    for (_, value) in &mut points {
        most = most.max(*value);
        *value = most;
    }
    points
}

/// The runs of a campaign by their policies; one run is not a campaign.
fn bands(runs: &[RunLine]) -> Vec<Band> {
    if runs.len() < 2 {
        return Vec::new();
    }
    let band = |run: &RunLine| Band {
        kind: super::text(&run.policy),
        from: run.started_s,
        to: run.started_s + run.wall_s,
        lane: run.thread as usize,
    };
    runs.iter().map(band).collect()
}

/// Branches over executions of a concolic run.
fn by_execution(runs: &[RunLine]) -> Option<Plot> {
    let [run] = runs else {
        return None;
    };
    let points = run.branches_by_execution.iter();
    let points = points.map(|(executions, branches)| (*executions as f64, *branches as f64));
    let mut plot = plot(
        "executions",
        "Branch sides covered over executions",
        "branch sides",
        vec![Series::steps("branch sides", points)],
    );
    plot.across = "executions".to_string();
    Some(plot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_without_samples_have_their_lines() {
        let run = |number: u64, thread| RunLine {
            run: number,
            policy: "explore".to_string(),
            thread,
            started_s: number as f64,
            wall_s: 3.0,
            branches: 10 * number,
            states_each_second: vec![5, 7],
            branches_each_second: vec![1, 8],
            branches_by_execution: vec![(1, 2), (5, 9)],
            ..RunLine::default()
        };
        let mut data = RunData {
            runs: vec![run(1, 0), run(2, 1)],
            ..RunData::default()
        };
        let plots = all(&data);
        let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
        assert_eq!(names, ["branches", "states"]);
        let branches = &plots[0].series[0].points;
        assert!(
            branches.is_sorted_by(|one, other| one.1 <= other.1),
            "{branches:?}"
        );
        assert_eq!(branches.last(), Some(&(5.0, 20.0)));
        assert_eq!(plots[0].bands[1].lane, 1);
        data.runs.truncate(1);
        let plots = all(&data);
        assert_eq!(
            plots.last().map(|plot| plot.name.as_str()),
            Some("executions")
        );
        assert!(plots[0].bands.is_empty());
        assert!(all(&RunData::default()).is_empty());
    }
}
