//! The rows of a study, put together: what each arm covers of each program.

use super::cell::{Covered, Row};
use super::sides::Sides;
use super::statistics as st;

/// By which count branches are compared.
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

    /// In names.
    pub(super) fn name(self) -> &'static str {
        match self {
            Count::Engine => "engine",
            Count::Gcov => "gcov",
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Count::Engine => "by the engine's own count",
            Count::Gcov => "counted by gcov in replays",
        }
    }
}

/// All that a study measured with one build on one machine.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) subjects: Vec<String>,
    /// The first is what the others are compared with.
    pub(super) arms: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// The share of the union whose time is told.
    pub(super) share: f64,
}

/// What an arm covers of a program.
#[derive(Debug, Default)]
pub(super) struct Arm {
    /// Branches of each seed that counts.
    pub(super) branches: Vec<f64>,
    /// Cells of the study, those that do not count among them.
    pub(super) cells: usize,
    pub(super) union: Sides,
    /// When each run had the share of the union of all arms: milliseconds or units of work; none if
    /// never.
    pub(super) reached: Vec<Option<f64>>,
    /// Branches that no other arm covers.
    pub(super) exclusive: u64,
}

/// A program's arms.
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub(super) total: u64,
    pub(super) arms: Vec<Arm>,
    /// What all runs of all arms cover together.
    pub(super) union: u64,
}

impl Results {
    /// The rows of a cell's program and arm, whatever became of them.
    pub(super) fn rows_of<'r>(
        &'r self,
        subject: &'r str,
        arm: &'r str,
    ) -> impl Iterator<Item = &'r Row> {
        self.rows
            .iter()
            .filter(move |row| row.key.subject == subject && row.key.arm == arm)
    }

    /// By which counts arms can be compared.
    pub(super) fn counts(&self) -> Vec<Count> {
        let there = |count: Count| self.rows.iter().any(|row| count.of(row).is_some());
        [Count::Engine, Count::Gcov]
            .into_iter()
            .filter(|count| there(*count))
            .collect()
    }

    /// True if an arm has no place in a table of this count: its engine is only counted otherwise.
    pub(super) fn is_left_out(&self, arm: &str, count: Count) -> bool {
        let has = |count: Count| {
            let mut rows = self.rows.iter().filter(|row| row.key.arm == arm);
            rows.any(|row| count.of(row).is_some())
        };
        !has(count) && [Count::Engine, Count::Gcov].into_iter().any(has)
    }

    /// True if runs can be compared by the work that they took: budgets are in work, and each run
    /// says how its coverage grew with it.
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

    /// What was covered of a program.
    pub(super) fn subject(&self, name: &str, count: Count) -> Subject {
        let mut subject = Subject::default();
        let mut union = Sides::default();
        for arm in &self.arms {
            let mut one = Arm::default();
            for row in self.rows_of(name, arm) {
                one.cells += 1;
                if let Some(covered) = count.of(row).filter(|_| row.outcome.counts()) {
                    one.branches.push(covered.branches as f64);
                    one.union.add(&covered.sides);
                    subject.total = subject.total.max(covered.total);
                }
            }
            union.add(&one.union);
            subject.arms.push(one);
        }
        subject.union = union.len();
        let wanted = (self.share * subject.union as f64).ceil() as u64;
        for (number, name_of_arm) in self.arms.iter().enumerate() {
            let mut others = Sides::default();
            let else_where = subject
                .arms
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            else_where.for_each(|(_, arm)| others.add(&arm.union));
            let reached = self
                .rows_of(name, name_of_arm)
                .filter(|row| row.outcome.counts());
            let reached = reached.filter_map(|row| count.of(row));
            let reached = reached
                .map(|covered| self.reached(covered, count, wanted))
                .collect();
            let arm = &mut subject.arms[number];
            arm.exclusive = arm.union.without(&others).len();
            arm.reached = reached;
        }
        subject
    }

    /// When a run had covered so many branches.
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

impl Arm {
    pub(super) fn mean(&self) -> Option<f64> {
        st::mean(&self.branches)
    }

    /// The median of when runs had the share; none if half of them never had.
    pub(super) fn reached_as_a_rule(&self) -> Option<f64> {
        let never = self
            .reached
            .iter()
            .map(|reached| reached.unwrap_or(f64::INFINITY));
        st::median(&never.collect::<Vec<_>>()).filter(|time| time.is_finite())
    }
}

/// How an arm stands to the first one over all programs.
#[derive(Debug, Default)]
pub(super) struct Overall {
    /// Ratios of means, one for each program that both arms have figures of.
    pub(super) ratios: Vec<f64>,
    /// Differences of means as a share of the first arm's.
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

    /// Programs with more, as much, and less.
    pub(super) fn wins(&self) -> [usize; 3] {
        let count = |is: fn(&f64) -> bool| self.differences.iter().filter(|one| is(one)).count();
        [
            count(|one| *one > 0.0),
            count(|one| *one == 0.0),
            count(|one| *one < 0.0),
        ]
    }

    /// Wilcoxon's p over the programs.
    pub(super) fn p(&self) -> Option<f64> {
        st::wilcoxon(&self.differences)
    }
}
