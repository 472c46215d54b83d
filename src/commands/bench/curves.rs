//! Curves of a study: branches over time or work per program and over all programs, and states over
//! time. Comparisons of concolic strategies also have branches over executions.
//!
//! Invariant: a line is the mean of a configuration's runs. Runs are compared by work if their
//! budgets are in work.

use super::directory;
use super::results::{Count, Results};
use super::study_run::Covered;
use homi_output::plot::{Plot, Series};
use homi_report::{RunLine, read_learning, read_stats};
use std::path::Path;

/// Number of positions at which means are computed.
const PLACES: u32 = 200;

/// Curve: positions, and the values from there on.
type Steps = Vec<(u64, u64)>;

/// Runs of each configuration.
type Runs = Vec<(String, Vec<Steps>)>;

/// Returns all curves. States and executions come from the directories of runs that still exist.
pub(super) fn plots(results: &Results, directory: &Path) -> Vec<Plot> {
    let mut plots = Vec::new();
    for count in results.counts() {
        plots.extend(together(results, count));
    }
    for subject in &results.subjects {
        for count in results.counts() {
            plots.extend(branches(results, subject, count));
        }
        plots.extend(by_executions(results, subject, directory));
        plots.extend(states(results, subject, directory));
    }
    plots
}

/// Returns the factor and the label of the horizontal axis.
fn scale(by_work: bool) -> (f64, &'static str) {
    if by_work {
        (1e-6, "million units of work")
    } else {
        (1e-3, "seconds")
    }
}

fn steps(covered: &Covered, by_work: bool) -> Steps {
    if by_work {
        covered.by_work.clone()
    } else {
        covered.by_time.clone()
    }
}

fn runs(results: &Results, subject: &str, count: Count) -> Runs {
    let by_work = results.by_work(count);
    let of_configuration = |configuration: &String| {
        let rows = results.rows_of(subject, configuration);
        let rows = rows.filter(|row| row.outcome.counts());
        let runs = rows.filter_map(|row| count.of(row));
        (
            configuration.clone(),
            runs.map(|covered| steps(covered, by_work)).collect(),
        )
    };
    results
        .configurations
        .iter()
        .map(of_configuration)
        .collect()
}

/// Returns the end of the longest curve.
fn end(runs: &Runs) -> Option<f64> {
    let ends = runs.iter().flat_map(|(_, runs)| runs);
    let ends = ends.filter_map(|run| run.last());
    let end = ends.map(|(at, _)| *at).max()?;
    (end > 0).then_some(end as f64)
}

/// Plots the branches of a program.
fn branches(results: &Results, subject: &str, count: Count) -> Option<Plot> {
    let (scale, across) = scale(results.by_work(count));
    let runs = runs(results, subject, count);
    let lines = lines(&runs, end(&runs)?, scale);
    let ending = match count {
        Count::Engine => "",
        Count::Gcov => "-gcov",
    };
    Some(Plot {
        name: format!("{subject}{ending}"),
        title: format!("{subject}: branch sides, {}, mean of seeds", count.text()),
        across: across.to_string(),
        upward: "branch sides".to_string(),
        series: lines,
        bands: Vec::new(),
    })
}

/// Returns the lines of the configurations that have runs.
fn lines(runs: &Runs, end: f64, scale: f64) -> Vec<Series> {
    let with_runs = runs.iter().filter(|(_, runs)| !runs.is_empty());
    let line = |(name, runs): &(String, Vec<Steps>)| {
        let curve = mean_curve(runs, end).into_iter();
        Series::line(name, curve.map(|(at, value)| (at * scale, value)))
    };
    with_runs.map(line).collect()
}

/// Plots all programs: the mean share of the branches that all runs of a program cover.
fn together(results: &Results, count: Count) -> Option<Plot> {
    let (scale, across) = scale(results.by_work(count));
    let mut programs: Vec<(Runs, f64)> = Vec::new();
    for name in &results.subjects {
        let union = results.subject(name, count).union;
        if union > 0 {
            programs.push((runs(results, name, count), union as f64));
        }
    }
    if programs.len() < 2 {
        return None;
    }
    let end = programs.iter().filter_map(|(runs, _)| end(runs));
    let end = end.max_by(f64::total_cmp)?;
    let configurations = results.configurations.iter().enumerate();
    let series = configurations.filter_map(|(number, configuration)| {
        let mut sums = vec![(0.0, 0.0); PLACES as usize + 1];
        let mut counted = 0.0;
        for (runs, union) in &programs {
            let of_configuration = runs.get(number).map(|(_, runs)| runs)?;
            if of_configuration.is_empty() {
                continue;
            }
            counted += 1.0;
            for (sum, (at, value)) in sums.iter_mut().zip(mean_curve(of_configuration, end)) {
                *sum = (at, sum.1 + value / union);
            }
        }
        let points = sums.into_iter();
        let points = points.map(|(at, sum)| (at * scale, 100.0 * sum / counted));
        (counted > 0.0).then(|| Series::line(configuration, points))
    });
    Some(Plot {
        name: format!("all-{}", count.name()),
        title: format!(
            "All programs: fraction of the branch sides covered by any run, {}",
            count.text()
        ),
        across: across.to_string(),
        upward: "%".to_string(),
        series: series.collect(),
        bands: Vec::new(),
    })
}

/// Reads curves from the directories of a program's runs.
fn left_behind(
    results: &Results,
    subject: &str,
    directory: &Path,
    read: impl Fn(&Path) -> Option<Steps>,
) -> Runs {
    let of_configuration = |configuration: &String| {
        let rows = results.rows_of(subject, configuration);
        let rows = rows.filter(|row| row.outcome.counts());
        let outputs = rows.map(|row| directory::study_run(directory, &row.key).join("out"));
        (
            configuration.clone(),
            outputs.filter_map(|output| read(&output)).collect(),
        )
    };
    results
        .configurations
        .iter()
        .map(of_configuration)
        .collect()
}

/// Plots branches over the executions of concolic runs.
fn by_executions(results: &Results, subject: &str, directory: &Path) -> Option<Plot> {
    let runs = left_behind(results, subject, directory, branches_by_execution);
    Some(Plot {
        name: format!("{subject}-executions"),
        title: format!("{subject}: branch sides over executions, mean of seeds"),
        across: "executions".to_string(),
        upward: "branch sides".to_string(),
        series: lines(&runs, end(&runs)?, 1.0),
        bands: Vec::new(),
    })
}

/// Reads branches by executions from the directory of a single concolic run.
fn branches_by_execution(output: &Path) -> Option<Steps> {
    let runs = read_learning(output).ok()?;
    let [run]: [RunLine; 1] = runs.try_into().ok()?;
    (!run.branches_by_execution.is_empty()).then_some(run.branches_by_execution)
}

/// Plots states over time.
fn states(results: &Results, subject: &str, directory: &Path) -> Option<Plot> {
    let runs = left_behind(results, subject, directory, states_of);
    let series = lines(&runs, end(&runs)?, 1e-3);
    Some(Plot {
        name: format!("{subject}-states"),
        title: format!("{subject}: open states, mean of seeds"),
        across: "seconds".to_string(),
        upward: "states".to_string(),
        series,
        bands: Vec::new(),
    })
}

/// Reads states by milliseconds from the statistics of a run.
fn states_of(output: &Path) -> Option<Steps> {
    let stats = read_stats(output).ok()?;
    let rows = stats.rows.iter();
    let steps = rows.map(|row| (row.klee.wall_time / 1000, row.klee.num_states));
    let steps: Steps = steps.collect();
    (steps.len() > 1).then_some(steps)
}

/// Returns the mean of several curves.
fn mean_curve(runs: &[Steps], end: f64) -> Vec<(f64, f64)> {
    let place = |number: u32| end * f64::from(number) / f64::from(PLACES);
    let at = |run: &Steps, place: f64| {
        let before = run.iter().take_while(|(at, _)| *at as f64 <= place);
        before.last().map_or(0.0, |(_, value)| *value as f64)
    };
    (0..=PLACES)
        .map(place)
        .map(|place| {
            let sum: f64 = runs.iter().map(|run| at(run, place)).sum();
            (place, sum / runs.len() as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_curves_is_taken_point_by_point() {
        let runs = vec![vec![(0, 2), (50, 10)], vec![(100, 20)]];
        let curve = mean_curve(&runs, 100.0);
        assert_eq!(curve[0], (0.0, 1.0));
        assert_eq!(curve[100], (50.0, 5.0));
        assert_eq!(curve[PLACES as usize], (100.0, 15.0));
    }
}
