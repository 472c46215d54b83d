//! Scheduling of the concolic run, the unpruned run and fresh runs.
//!
//! An addition to the paper, whose campaigns are sequences of fresh runs with pruning. Two other
//! runs are suspended and continue with their knowledge: the unpruned run, and a concolic run by
//! weights (`concolic_ratio`). Which of the three finds most depends on the program and on the time
//! spent, and only trials show it. Each slice therefore goes to the kind that recently found the
//! most new branches per unit. Fresh runs with pruning repeat known paths before they find
//! anything. They are tried once the others find much less than before.
//!
//! Runs with further input layouts (`input_layouts`) follow the first fresh runs of the given
//! layout, which find more (benchmarks/studies/2026-11-27-programs-without-arguments). Layouts are
//! tried one after another, each once everything tried before finds little. A program with fifty
//! options has fifty layouts, most of which find nothing. The first runs of the last few layouts
//! predict the first run of the next one, and decide if it is tried.
//!
//! Pruned runs cannot show that a program was explored completely; small programs can be. If
//! nothing is found, the unpruned run therefore gets every other slice, and all slices while its
//! waiting paths decrease. It is over once all paths are explored, or one was dropped for lack of
//! memory.
//!
//! Invariant: every kind that can continue keeps a share of the time, so that changes are noticed.
//! Apart from the durations of runs, no decision here depends on time.

use super::arm::Arm;
use super::slices::{Candidate, Ran, Record};

/// Number of concolic slices before the first other run, while each finds something.
const FIRST_SLICES: u32 = 3;
/// Number of pruned runs before their rate is compared.
const FIRST_PRUNED: u32 = 2;
/// Fraction of the whole campaign's rate below which the suspended runs find little.
const LITTLE: f64 = 0.05;
/// Fraction of the whole campaign's rate below which another input layout is tried.
const LITTLE_FOR_LAYOUTS: f64 = 0.3;
/// Minimum share of the time of each kind that can continue and has been tried.
const LEAST_SHARE: f64 = 0.05;
/// Minimum share of the time of each further input layout that found something; there are many.
const LEAST_SHARE_LAYOUT: f64 = 0.01;
/// Number of further layouts tried before their results predict the next one.
const FIRST_LAYOUTS: u32 = 4;
/// Weight of the latest run in a rate.
const LATEST: f64 = 0.5;
/// Weight of the latest run of a further layout, so that time remains for the next one.
const LATEST_LAYOUT: f64 = 0.8;
/// Weight of the latest first run of a layout; several predict better than one.
const LATEST_TRIED: f64 = 0.25;

/// Suspended runs that a thread can continue or start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Able {
    pub concolic_ratio: bool,
    pub unpruned: bool,
}

/// Results of the runs so far.
#[derive(Clone, Debug)]
pub(super) struct Scheduler {
    single: Record,
    unpruned: Record,
    fresh: Record,
    /// Results by number of the further layout.
    layout_runs: Vec<Record>,
    /// Results of the first runs of further layouts.
    tried: Record,
    /// Maximum share of the time of the concolic run.
    max_concolic: f64,
    branches: u64,
    /// Number of paths that waited after the last slice of the unpruned run.
    waiting: u64,
    /// True if the last run was a slice of the unpruned run that left fewer paths waiting.
    fewer_wait: bool,
    last: Option<Arm>,
}

impl Scheduler {
    /// Creates the scheduler, with an unpruned run if `unpruned`, and up to a share `max_concolic`
    /// of the time for the concolic run.
    pub(super) fn new(unpruned: bool, max_concolic: f64) -> Self {
        let never = |is_possible: bool| Record {
            over: !is_possible,
            ..Record::default()
        };
        Self {
            single: never(max_concolic > 0.0),
            unpruned: never(unpruned),
            fresh: Record::default(),
            layout_runs: Vec::new(),
            tried: Record::default(),
            max_concolic,
            branches: 0,
            waiting: 0,
            fewer_wait: false,
            last: None,
        }
    }

    /// Adds `count` further input layouts.
    pub(super) fn with_layouts(mut self, count: usize) -> Self {
        self.layout_runs = vec![Record::default(); count];
        self
    }

    /// Records that a run of a further layout starts.
    pub(super) fn begin_layout(&mut self, layout: usize) {
        self.layout_runs[layout].begun = true;
    }

    /// Returns the number of runs of a further layout.
    pub(super) fn runs_of_layout(&self, layout: usize) -> u32 {
        self.layout_runs.get(layout).map_or(0, |record| record.runs)
    }

    /// Records that an arm's layout is over: all inputs were explored, or none can be. Returns true
    /// if another layout is left.
    pub(super) fn layout_is_over(&mut self, arm: Arm) -> bool {
        match arm {
            Arm::WithLayout(layout) => self.layout_runs[layout].over = true,
            Arm::Pruned | Arm::Unpruned | Arm::ConcolicRun => {
                for record in [&mut self.single, &mut self.unpruned, &mut self.fresh] {
                    record.over = true;
                }
            }
        }
        !self.fresh.over || self.layout_runs.iter().any(|record| !record.over)
    }

    /// Books a run.
    pub(super) fn note(&mut self, ran: Ran) {
        let latest = match ran.arm {
            Arm::WithLayout(_) => LATEST_LAYOUT,
            Arm::Pruned | Arm::Unpruned | Arm::ConcolicRun => LATEST,
        };
        let record = self.record(ran.arm);
        let is_first = record.runs == 0;
        record.begun = true;
        record.note(&ran, latest);
        let goes_on = matches!(ran.arm, Arm::ConcolicRun | Arm::Unpruned);
        record.over |= goes_on && ran.waiting.is_none();
        if is_first && matches!(ran.arm, Arm::WithLayout(_)) {
            self.tried.note(&ran, LATEST_TRIED);
        }
        self.branches += ran.new_branches;
        self.fewer_wait = false;
        if ran.arm == Arm::Unpruned {
            let waiting = ran.waiting.unwrap_or(0);
            self.fewer_wait = self.unpruned.runs > 1 && waiting < self.waiting;
            self.waiting = waiting;
        }
        self.last = Some(ran.arm);
    }

    fn record(&mut self, arm: Arm) -> &mut Record {
        match arm {
            Arm::ConcolicRun => &mut self.single,
            Arm::Unpruned => &mut self.unpruned,
            Arm::Pruned => &mut self.fresh,
            Arm::WithLayout(layout) => &mut self.layout_runs[layout],
        }
    }

    /// Returns the kind of a thread's next run.
    pub(super) fn choose(&self, thread: Able) -> Arm {
        if let Some(first) = self.untried(thread) {
            return first;
        }
        // `best.rate * usage` is the number of branches expected in another period of this length.
        let usage = self.usage();
        let able = self.able(thread);
        let neglected = able.iter().find(|one| one.usage < one.least * usage);
        let best = able
            .iter()
            .max_by(|one, other| one.rate.total_cmp(&other.rate));
        match (neglected, best) {
            (Some(neglected), _) => neglected.arm,
            (None, Some(best)) if best.rate * usage >= 1.0 => best.arm,
            _ => self.where_nothing_is_found(thread),
        }
    }

    /// Returns the kind that must be tried before rates are meaningful.
    fn untried(&self, thread: Able) -> Option<Arm> {
        let (single, unpruned) = (&self.single, &self.unpruned);
        let found = single.runs == 0 || (single.runs < FIRST_SLICES && single.latest > 0);
        if thread.concolic_ratio && !single.over && found && unpruned.runs + self.fresh.runs == 0 {
            return Some(Arm::ConcolicRun);
        }
        if thread.unpruned && !unpruned.over && unpruned.runs == 0 {
            return Some(Arm::Unpruned);
        }
        let fresh = self.fresh.runs < FIRST_PRUNED && !self.fresh.over;
        if let Some(layout) = self.untried_layout().filter(|_| !self.knows_layouts()) {
            let find_little = self.find_little(LITTLE_FOR_LAYOUTS, |record| record.latest_rate)
                && self.fresh.latest_rate <= LITTLE_FOR_LAYOUTS * self.overall_rate();
            let next = if fresh { Arm::Pruned } else { layout };
            return find_little.then_some(next);
        }
        if fresh {
            let find_little = self.find_little(LITTLE, |record| record.rate);
            return find_little.then_some(Arm::Pruned);
        }
        None
    }

    /// Returns the next further layout to try.
    fn untried_layout(&self) -> Option<Arm> {
        let mut layout_runs = self.layout_runs.iter();
        let untried = layout_runs.position(|record| !record.begun && !record.over);
        untried.map(Arm::WithLayout)
    }

    /// True if the suspended runs and tried layouts find less than `part` of the whole campaign's
    /// rate, so that others are worth a try.
    fn find_little(&self, part: f64, rate: impl Fn(&Record) -> f64) -> bool {
        let going = [&self.single, &self.unpruned].into_iter();
        let going = going.chain(&self.layout_runs).filter(|record| !record.over);
        let best = going.map(rate).fold(0.0, f64::max);
        best <= part * self.overall_rate()
    }

    /// Returns the new branches per unit of the whole campaign.
    fn overall_rate(&self) -> f64 {
        self.branches as f64 / self.usage().max(1e-9)
    }

    /// True if enough layouts were tried to predict the next one.
    fn knows_layouts(&self) -> bool {
        self.tried.runs >= FIRST_LAYOUTS
    }

    /// Returns the kinds that compete by their rates.
    fn able(&self, thread: Able) -> Vec<Candidate> {
        let share = self.single.usage / self.usage().max(1e-9);
        let single = thread.concolic_ratio && !self.single.over && share < self.max_concolic;
        let unpruned = thread.unpruned && !self.unpruned.over;
        let fresh = self.fresh.runs > 0 && !self.fresh.over;
        let next = self.untried_layout().filter(|_| self.knows_layouts());
        let layout_runs = self.tried_layouts().map(|(arm, record)| {
            let least = match record.latest {
                0 => 0.0,
                _ => LEAST_SHARE_LAYOUT,
            };
            Candidate::new(arm, record, least)
        });
        let one = |arm, record, able: bool| able.then(|| Candidate::new(arm, record, LEAST_SHARE));
        let all = [
            one(Arm::ConcolicRun, &self.single, single),
            one(Arm::Unpruned, &self.unpruned, unpruned),
            one(Arm::Pruned, &self.fresh, fresh),
            next.map(|next| Candidate::new(next, &self.tried, LEAST_SHARE)),
        ];
        all.into_iter().flatten().chain(layout_runs).collect()
    }

    /// Returns the further layouts that were tried and have unexplored inputs.
    fn tried_layouts(&self) -> impl Iterator<Item = (Arm, &Record)> {
        let layout_runs = self.layout_runs.iter().enumerate();
        let layout_runs = layout_runs.map(|(layout, record)| (Arm::WithLayout(layout), record));
        layout_runs.filter(|(_, record)| record.runs > 0 && !record.over)
    }

    /// Chooses if nothing is found: every other slice goes to the unpruned run, and all slices
    /// while its waiting paths decrease. The rest goes to the kind of fresh run that has used
    /// least.
    fn where_nothing_is_found(&self, thread: Able) -> Arm {
        let goes_on = self.fewer_wait || self.last != Some(Arm::Unpruned);
        if goes_on && thread.unpruned && !self.unpruned.over {
            return Arm::Unpruned;
        }
        if let Some(layout) = self.untried_layout() {
            return layout;
        }
        let fresh = (!self.fresh.over).then_some((Arm::Pruned, &self.fresh));
        let kinds = fresh.into_iter().chain(self.tried_layouts());
        let least = kinds.min_by(|(_, one), (_, other)| one.usage.total_cmp(&other.usage));
        least.map_or(Arm::Pruned, |(arm, _)| arm)
    }

    fn usage(&self) -> f64 {
        let layout_runs: f64 = self.layout_runs.iter().map(|record| record.usage).sum();
        self.single.usage + self.unpruned.usage + self.fresh.usage + layout_runs
    }
}

#[cfg(test)]
#[path = "scheduler_tests.rs"]
mod tests;
