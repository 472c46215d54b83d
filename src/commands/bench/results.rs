//! Merged rows of a study: the coverage of each configuration per program.

use super::sides::Sides;
use super::statistics as st;
use super::study_run::{Covered, Row};

/// Source of branch counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Count {
    Engine,
    Gcov,
}

impl Count {
    pub(super) fn of(self, row: &Row) -> Option<&Covered> {
        match self {
            Count::Engine => row.engine.as_ref(),
            Count::Gcov => row.gcov.as_ref(),
        }
    }

    /// Returns the name used in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Count::Engine => "engine",
            Count::Gcov => "gcov",
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Count::Engine => "counted by the engine",
            Count::Gcov => "counted by gcov in replays",
        }
    }
}

/// All measurements of a study with one build on one machine.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) subjects: Vec<String>,
    /// Names of the configurations; the first one is the baseline.
    pub(super) configurations: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// Share of the union of branches whose time tables report.
    pub(super) share: f64,
}

/// Coverage of a program by a configuration.
#[derive(Debug, Default)]
pub(super) struct Configuration {
    /// Number of branches for each seed that counts.
    pub(super) branches: Vec<f64>,
    /// Number of runs, including runs that do not count.
    pub(super) study_runs: usize,
    pub(super) union: Sides,
    /// Position at which each run reached the share of the union of all configurations, in
    /// milliseconds or units of work; `None` if never.
    pub(super) reached: Vec<Option<f64>>,
    /// Number of branches that no other configuration covers.
    pub(super) exclusive: u64,
}

/// Coverage of a program by all configurations.
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub(super) total: u64,
    pub(super) configurations: Vec<Configuration>,
    /// Number of branches that all runs of all configurations cover.
    pub(super) union: u64,
}

impl Results {
    /// Returns the rows of a program and a configuration, whatever their outcome.
    pub(super) fn rows_of<'r>(
        &'r self,
        subject: &'r str,
        configuration: &'r str,
    ) -> impl Iterator<Item = &'r Row> {
        self.rows
            .iter()
            .filter(move |row| row.key.subject == subject && row.key.configuration == configuration)
    }

    /// Returns the counts by which configurations can be compared.
    pub(super) fn counts(&self) -> Vec<Count> {
        let there = |count: Count| self.rows.iter().any(|row| count.of(row).is_some());
        [Count::Engine, Count::Gcov]
            .into_iter()
            .filter(|count| there(*count))
            .collect()
    }

    /// True if tables of this count omit a configuration, because its engine has other counts only.
    pub(super) fn is_left_out(&self, configuration: &str, count: Count) -> bool {
        let has = |count: Count| {
            let mut rows = self
                .rows
                .iter()
                .filter(|row| row.key.configuration == configuration);
            rows.any(|row| count.of(row).is_some())
        };
        !has(count) && [Count::Engine, Count::Gcov].into_iter().any(has)
    }

    /// True if runs can be compared by work: budgets are in work, and each run reports its growth
    /// by work.
    pub(super) fn by_work(&self, count: Count) -> bool {
        let mut counted = self
            .rows
            .iter()
            .filter_map(|row| Some((row, count.of(row)?)));
        counted.all(|(row, covered)| {
            let says_work = covered.branches == 0 || !covered.by_work.is_empty();
            row.key.budget.ends_with('w') && says_work
        })
    }

    /// Returns the coverage of a program.
    pub(super) fn subject(&self, name: &str, count: Count) -> Subject {
        let mut subject = Subject::default();
        let mut union = Sides::default();
        for configuration in &self.configurations {
            let mut one = Configuration::default();
            for row in self.rows_of(name, configuration) {
                one.study_runs += 1;
                if let Some(covered) = count.of(row).filter(|_| row.outcome.counts()) {
                    one.branches.push(covered.branches as f64);
                    one.union.add(&covered.sides);
                    subject.total = subject.total.max(covered.total);
                }
            }
            union.add(&one.union);
            subject.configurations.push(one);
        }
        subject.union = union.len();
        let wanted = (self.share * subject.union as f64).ceil() as u64;
        for (number, name_of_configuration) in self.configurations.iter().enumerate() {
            let mut others = Sides::default();
            let else_where = subject
                .configurations
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            else_where.for_each(|(_, configuration)| others.add(&configuration.union));
            let reached = self
                .rows_of(name, name_of_configuration)
                .filter(|row| row.outcome.counts());
            let reached = reached.filter_map(|row| count.of(row));
            let reached = reached
                .map(|covered| self.reached(covered, count, wanted))
                .collect();
            let configuration = &mut subject.configurations[number];
            configuration.exclusive = configuration.union.without(&others).len();
            configuration.reached = reached;
        }
        subject
    }

    /// Returns the position at which a run had covered `wanted` branches; `None` if never.
    fn reached(&self, covered: &Covered, count: Count, wanted: u64) -> Option<f64> {
        let steps = if self.by_work(count) {
            &covered.by_work
        } else {
            &covered.by_time
        };
        let step = steps.iter().find(|(_, branches)| *branches >= wanted);
        step.map(|(place, _)| *place as f64)
    }
}

impl Configuration {
    pub(super) fn mean(&self) -> Option<f64> {
        st::mean(&self.branches)
    }

    /// Returns the median position at which runs reached the share; `None` if half of them never
    /// did.
    pub(super) fn reached_as_a_rule(&self) -> Option<f64> {
        let never = self
            .reached
            .iter()
            .map(|reached| reached.unwrap_or(f64::INFINITY));
        st::median(&never.collect::<Vec<_>>()).filter(|time| time.is_finite())
    }
}

/// Comparison of a configuration with the baseline over all programs.
#[derive(Debug, Default)]
pub(super) struct Overall {
    /// Ratio of means for each program that both configurations have results for.
    pub(super) ratios: Vec<f64>,
    /// Difference of means divided by the baseline's mean.
    differences: Vec<f64>,
}

impl Overall {
    pub(super) fn add(&mut self, ours: f64, first: f64) {
        if first > 0.0 && ours > 0.0 {
            self.ratios.push(ours / first);
            self.differences.push(ours / first - 1.0);
        }
    }

    pub(super) fn geometric_mean(&self) -> Option<f64> {
        st::geometric_mean(&self.ratios)
    }

    /// Returns the numbers of programs with more, equal, and fewer branches.
    pub(super) fn wins(&self) -> [usize; 3] {
        let count = |is: fn(&f64) -> bool| self.differences.iter().filter(|one| is(one)).count();
        [
            count(|one| *one > 0.0),
            count(|one| *one == 0.0),
            count(|one| *one < 0.0),
        ]
    }

    /// Returns Wilcoxon's p over the programs.
    pub(super) fn p(&self) -> Option<f64> {
        st::wilcoxon(&self.differences)
    }
}
