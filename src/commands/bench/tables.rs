//! Tables of a study: branches, costs, failures and bugs.

use super::grid::Grid;
use super::results::{Configuration, Count, Overall, Results};
use super::statistics as st;
use super::study_run::{Bug, Row};
use std::collections::BTreeMap;

/// Bug, and the number of runs of each configuration that found it.
type Found<'r> = (&'r Bug, BTreeMap<&'r str, usize>);

/// Returns a number, or a dash for `None`.
fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
}

/// Returns a p-value with few digits, because few runs do not support more.
fn p_text(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "<0.001".to_string(),
        p => shown(p, 3),
    }
}

/// Returns a large number with its unit.
fn in_short(value: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(one, _)| value >= *one) {
        Some((one, unit)) => format!("{:.1} {unit}", value / one),
        None => format!("{value:.0}"),
    }
}

impl Results {
    /// Returns all tables by the titles of their sections.
    pub(super) fn sections(&self) -> Vec<(String, Vec<Grid>)> {
        let mut sections = Vec::new();
        for count in self.counts() {
            let title = format!("Branches, {}", count.text());
            let mut grids = vec![self.branches(count)];
            grids.extend(self.overall(count));
            grids.extend(self.exclusive(count));
            sections.push((title, grids));
        }
        sections.push(("Costs".to_string(), vec![self.costs()]));
        sections.push(("Bugs".to_string(), vec![self.bugs()]));
        sections.retain(|(_, grids)| grids.iter().any(|grid| !grid.rows.is_empty()));
        sections
    }

    fn branches(&self, count: Count) -> Grid {
        let by_work = self.by_work(count);
        let share = format!(
            "{} to {:.0} %",
            if by_work { "work" } else { "s" },
            100.0 * self.share
        );
        let head = [
            "program",
            "configuration",
            "n",
            "mean",
            "sd",
            "ratio",
            "p",
            "effect",
            "union",
            "only",
            "headroom",
            &share,
        ];
        let name = format!("branches-{}", count.name());
        let caption = format!("Branch sides covered, {}", count.text());
        let mut grid = Grid::new(&name, &caption, &head, 2);
        for name in &self.subjects {
            let subject = self.subject(name, count);
            for (number, configuration) in subject.configurations.iter().enumerate() {
                if self.is_left_out(&self.configurations[number], count) {
                    continue;
                }
                let first = &subject.configurations[0];
                let against = (number > 0).then_some(first);
                let n = if configuration.branches.len() == configuration.study_runs {
                    configuration.study_runs.to_string()
                } else {
                    format!(
                        "{} of {}",
                        configuration.branches.len(),
                        configuration.study_runs
                    )
                };
                let room = configuration
                    .mean()
                    .filter(|mean| *mean > 0.0)
                    .map(|mean| subject.union as f64 / mean);
                grid.rows.push(vec![
                    format!("{name} ({})", subject.total),
                    self.configurations[number].clone(),
                    n,
                    shown(configuration.mean(), 1),
                    shown(st::deviation(&configuration.branches), 1),
                    shown(against.and_then(|first| ratio(configuration, first)), 3),
                    p_text(against.and_then(|first| {
                        st::mann_whitney(&configuration.branches, &first.branches)
                    })),
                    shown(
                        against.and_then(|first| {
                            st::effect_size(&configuration.branches, &first.branches)
                        }),
                        2,
                    ),
                    configuration.union.len().to_string(),
                    configuration.exclusive.to_string(),
                    shown(room, 3),
                    match (configuration.reached_as_a_rule(), by_work) {
                        (Some(work), true) => in_short(work),
                        (milliseconds, _) => shown(milliseconds.map(|time| time / 1e3), 2),
                    },
                ]);
            }
        }
        grid
    }

    /// Returns the numbers of branch sides that one configuration covers and another does not, over
    /// all programs.
    fn exclusive(&self, count: Count) -> Option<Grid> {
        let counted: Vec<usize> = (0..self.configurations.len())
            .filter(|configuration| !self.is_left_out(&self.configurations[*configuration], count))
            .collect();
        if counted.len() < 3 {
            return None;
        }
        let mut sums = vec![vec![0; counted.len()]; counted.len()];
        for name in &self.subjects {
            let subject = self.subject(name, count);
            for (own, one) in counted.iter().enumerate() {
                for (other, another) in counted.iter().enumerate() {
                    let (one, another) = (
                        &subject.configurations[*one],
                        &subject.configurations[*another],
                    );
                    sums[own][other] += one.union.without(&another.union).len();
                }
            }
        }
        let caption = "Branch sides that one configuration covers and another does not, all \
             programs and seeds together";
        let head = counted
            .iter()
            .map(|configuration| format!("not {}", self.configurations[*configuration]));
        let head: Vec<String> = std::iter::once("covers".to_string()).chain(head).collect();
        let rows = counted
            .iter()
            .map(|configuration| &self.configurations[*configuration])
            .zip(&sums)
            .enumerate()
            .map(|(own, (configuration, sums))| {
                let sums = sums.iter().enumerate().map(|(other, sum)| {
                    if own == other {
                        String::new()
                    } else {
                        sum.to_string()
                    }
                });
                std::iter::once(configuration.clone()).chain(sums).collect()
            });
        Some(Grid {
            id: format!("exclusive-{}", count.name()),
            caption: caption.to_string(),
            head,
            left: 1,
            rows: rows.collect(),
        })
    }

    /// Compares each configuration with the first one over all programs.
    fn overall(&self, count: Count) -> Option<Grid> {
        if self.configurations.len() < 2 {
            return None;
        }
        let mut overall: Vec<Overall> = self
            .configurations
            .iter()
            .map(|_| Overall::default())
            .collect();
        for name in &self.subjects {
            let subject = self.subject(name, count);
            for (configuration, overall) in subject.configurations.iter().zip(&mut overall).skip(1)
            {
                if let (Some(ours), Some(first)) =
                    (configuration.mean(), subject.configurations[0].mean())
                {
                    overall.add(ours, first);
                }
            }
        }
        let rows: Vec<Vec<String>> = self
            .configurations
            .iter()
            .zip(&overall)
            .skip(1)
            .filter(|(name, _)| !self.is_left_out(name, count))
            .map(|(name, overall)| {
                let [more, same, less] = overall.wins();
                vec![
                    name.clone(),
                    overall.ratios.len().to_string(),
                    shown(overall.geometric_mean(), 3),
                    format!("{more} / {same} / {less}"),
                    p_text(overall.p()),
                ]
            })
            .collect();
        let head = [
            "configuration",
            "programs",
            "geometric mean of ratios",
            "more / same / less",
            "p (Wilcoxon)",
        ];
        let name = format!("overall-{}", count.name());
        let caption = format!(
            "Each configuration against the first over all programs, {}",
            count.text()
        );
        let mut grid = Grid::new(&name, &caption, &head, 1);
        grid.rows = rows;
        Some(grid)
    }

    fn costs(&self) -> Grid {
        let head = [
            "program",
            "configuration",
            "instructions",
            "work",
            "queries",
            "solver s",
            "cpu s",
            "wall s",
            "tests",
            "states",
            "peak",
            "pruned",
            "MB",
        ];
        let caption = "Costs of runs, states and pruned states: means of seeds";
        let mut grid = Grid::new("costs-by-configuration", caption, &head, 2);
        for name in &self.subjects {
            for configuration in &self.configurations {
                let counted: Vec<&Row> = self
                    .rows_of(name, configuration)
                    .filter(|row| row.outcome.counts())
                    .collect();
                let mean = |of: fn(&Row) -> f64| {
                    st::mean(&counted.iter().map(|row| of(row)).collect::<Vec<_>>())
                };
                let large = |of: fn(&Row) -> f64| mean(of).map_or("-".to_string(), in_short);
                grid.rows.push(vec![
                    name.clone(),
                    configuration.clone(),
                    large(|row| row.instructions as f64),
                    large(|row| row.work as f64),
                    large(|row| row.queries as f64),
                    shown(mean(|row| row.solver_s), 2),
                    shown(mean(|row| row.cpu_s), 2),
                    shown(mean(|row| row.wall_s), 2),
                    shown(mean(|row| row.tests as f64), 1),
                    large(|row| row.states_mean),
                    large(|row| row.states_peak as f64),
                    large(|row| row.pruned as f64),
                    shown(mean(|row| row.memory_peak as f64 / (1 << 20) as f64), 0),
                ]);
            }
        }
        grid
    }

    /// Lists bugs by location, with the configurations that found them and an input.
    fn bugs(&self) -> Grid {
        let mut found: BTreeMap<[&str; 3], Found<'_>> = BTreeMap::new();
        for row in &self.rows {
            for bug in &row.bugs {
                let key = [&row.key.subject, &bug.location, &bug.kind].map(String::as_str);
                let (_, configurations) = found.entry(key).or_insert((bug, BTreeMap::new()));
                *configurations.entry(&row.key.configuration).or_default() += 1;
            }
        }
        let rows: Vec<Vec<String>> = found
            .iter()
            .map(|([subject, location, kind], (bug, configurations))| {
                let configurations = self.configurations.iter().filter_map(|configuration| {
                    Some(format!(
                        "{configuration} {}",
                        configurations.get(configuration.as_str())?
                    ))
                });
                vec![
                    (*subject).to_string(),
                    (*location).to_string(),
                    (*kind).to_string(),
                    bug.message.clone(),
                    configurations.collect::<Vec<_>>().join(", "),
                    bug.inputs.join("; "),
                ]
            })
            .collect();
        let head = ["program", "location", "kind", "message", "runs", "input"];
        let caption = "Distinct bugs, with the number of runs that found each, and an input";
        let mut grid = Grid::new("bugs-by-place", caption, &head, head.len());
        grid.rows = rows;
        grid
    }

    /// Lists runs that failed or were cut short.
    pub(super) fn failures(&self) -> String {
        let mut rows: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| {
                row.outcome != super::study_run::Outcome::Done || row.replay_failed.is_some()
            })
            .collect();
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        if rows.is_empty() {
            return String::new();
        }
        let mut out = String::new();
        for row in rows {
            let key = &row.key;
            let why = row
                .replay_failed
                .as_ref()
                .map(|why| format!("; not replayed: {why}"));
            out += &format!(
                "- {} {} seed {}: {}: {}{}\n",
                key.subject,
                key.configuration,
                key.seed,
                row.outcome.text(),
                row.reason,
                why.unwrap_or_default()
            );
            if !row.last_lines.is_empty() {
                let lines = row.last_lines.iter().map(|line| format!("\n      {line}"));
                out += &format!("{}\n", lines.collect::<String>());
            }
        }
        out
    }
}

fn ratio(configuration: &Configuration, first: &Configuration) -> Option<f64> {
    let first = first.mean().filter(|mean| *mean > 0.0)?;
    Some(configuration.mean()? / first)
}
