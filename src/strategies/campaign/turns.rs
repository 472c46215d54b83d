//! Whose turn it is: the run that follows single paths, the run without pruning, or a fresh one.
//!
//! Not in the paper, whose campaigns are fresh runs with pruning, one after another. Two other runs
//! are suspended and go on with all that they know: the first one without pruning, and one of
//! single paths by weights (`single_paths`). Which of the three finds most depends on the program
//! and on how long it has been searched, and is seen only by trying. So each turn goes to the one
//! that has lately found most new branches for its time. Fresh runs with pruning, which repeat what
//! is known before they find anything, are tried once the others find much less than they did.
//!
//! Runs with other shapes of input (`shapes`) come after the first fresh ones of the same shape,
//! which find more (benchmarks/studies/2026-11-27-programs-without-words): they are tried one after
//! the other, each once all that was tried before finds little. A program with fifty options has
//! fifty shapes, most of which find nothing. So what the first runs of the last few found is what
//! the first run of the next one is expected to find, and decides whether it has a turn.
//!
//! Pruned runs cannot tell that a program was followed to its end, and a small one is. So where
//! nothing is found, the run without pruning has every other turn, and goes on and on while paths
//! that wait become fewer. It is over once all are followed, or one was lost for want of memory.
//!
//! Invariant: who could go on keeps a share of the time, so that a change is noticed; but for the
//! time that runs take, nothing here depends on it.

use super::arm::Arm;
use super::turn_records::{Candidate, Ran, Record};

/// Slices of single paths before the first other run, while each finds something.
const FIRST_SLICES: u32 = 3;
/// Pruned runs before their rate is compared.
const FIRST_PRUNED: u32 = 2;
/// Part of the whole campaign's rate below which the suspended runs find little.
const LITTLE: f64 = 0.05;
/// The same for trying another shape of input.
const LITTLE_FOR_SHAPES: f64 = 0.3;
/// Least share of the time for each that can go on and has been tried.
const LEAST_SHARE: f64 = 0.05;
/// The same for each further shape of input that found something, of which there are many.
const LEAST_SHARE_SHAPED: f64 = 0.01;
/// Further shapes that are tried before what they find tells what the next one may find.
const FIRST_SHAPES: u32 = 4;
/// Weight of the latest run in a rate.
const LATEST: f64 = 0.5;
/// The same for a further shape of input, so that there is time for the next one.
const LATEST_SHAPED: f64 = 0.8;
/// The same for what the first runs of shapes find, of which several tell more than one.
const LATEST_TRIED: f64 = 0.25;

/// Which suspended runs a thread can go on with, or begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Able {
    pub single_paths: bool,
    pub unpruned: bool,
}

/// What the runs so far have brought.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    single: Record,
    unpruned: Record,
    fresh: Record,
    /// By number of the further shape.
    shaped: Vec<Record>,
    /// First runs of further shapes.
    tried: Record,
    /// Most of the time that single paths may have.
    most_single: f64,
    branches: u64,
    /// Number of paths that waited after the last slice of the run without pruning.
    waiting: u64,
    /// The last run was a slice of it that left fewer to wait.
    fewer_wait: bool,
    last: Option<Arm>,
}

impl Turns {
    /// With a run without pruning if `unpruned`, and up to a share `most_single` of the time for
    /// single paths.
    pub(super) fn new(unpruned: bool, most_single: f64) -> Self {
        let never = |is_possible: bool| Record {
            over: !is_possible,
            ..Record::default()
        };
        Self {
            single: never(most_single > 0.0),
            unpruned: never(unpruned),
            fresh: Record::default(),
            shaped: Vec::new(),
            tried: Record::default(),
            most_single,
            branches: 0,
            waiting: 0,
            fewer_wait: false,
            last: None,
        }
    }

    /// The same with so many further shapes of input.
    pub(super) fn with_shapes(mut self, count: usize) -> Self {
        self.shaped = vec![Record::default(); count];
        self
    }

    /// A run of a further shape begins.
    pub(super) fn begin_shape(&mut self, shape: usize) {
        self.shaped[shape].begun = true;
    }

    /// How many runs a further shape has had.
    pub(super) fn runs_of_shape(&self, shape: usize) -> u32 {
        self.shaped.get(shape).map_or(0, |record| record.runs)
    }

    /// All inputs of an arm's shape were followed, or none can be. Whether another shape is left.
    pub(super) fn shape_is_over(&mut self, arm: Arm) -> bool {
        match arm {
            Arm::Shaped(shape) => self.shaped[shape].over = true,
            Arm::Pruned | Arm::Unpruned | Arm::SinglePaths => {
                for record in [&mut self.single, &mut self.unpruned, &mut self.fresh] {
                    record.over = true;
                }
            }
        }
        !self.fresh.over || self.shaped.iter().any(|record| !record.over)
    }

    /// Books a run.
    pub(super) fn note(&mut self, ran: Ran) {
        let latest = match ran.arm {
            Arm::Shaped(_) => LATEST_SHAPED,
            Arm::Pruned | Arm::Unpruned | Arm::SinglePaths => LATEST,
        };
        let record = self.record(ran.arm);
        let is_first = record.runs == 0;
        record.begun = true;
        record.note(&ran, latest);
        let goes_on = matches!(ran.arm, Arm::SinglePaths | Arm::Unpruned);
        record.over |= goes_on && ran.waiting.is_none();
        if is_first && matches!(ran.arm, Arm::Shaped(_)) {
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
            Arm::SinglePaths => &mut self.single,
            Arm::Unpruned => &mut self.unpruned,
            Arm::Pruned => &mut self.fresh,
            Arm::Shaped(shape) => &mut self.shaped[shape],
        }
    }

    /// What the next run of a thread is.
    pub(super) fn choose(&self, thread: Able) -> Arm {
        if let Some(first) = self.untried(thread) {
            return first;
        }
        // At such a rate as many branches would be found in as long a time.
        let spent = self.spent();
        let able = self.able(thread);
        let neglected = able.iter().find(|one| one.spent < one.least * spent);
        let best = able
            .iter()
            .max_by(|one, other| one.rate.total_cmp(&other.rate));
        match (neglected, best) {
            (Some(neglected), _) => neglected.arm,
            (None, Some(best)) if best.rate * spent >= 1.0 => best.arm,
            _ => self.where_nothing_is_found(thread),
        }
    }

    /// The one that is to be tried before rates tell anything.
    fn untried(&self, thread: Able) -> Option<Arm> {
        let (single, unpruned) = (&self.single, &self.unpruned);
        let found = single.runs == 0 || (single.runs < FIRST_SLICES && single.latest > 0);
        if thread.single_paths && !single.over && found && unpruned.runs + self.fresh.runs == 0 {
            return Some(Arm::SinglePaths);
        }
        if thread.unpruned && !unpruned.over && unpruned.runs == 0 {
            return Some(Arm::Unpruned);
        }
        let fresh = self.fresh.runs < FIRST_PRUNED && !self.fresh.over;
        if let Some(shape) = self.untried_shape().filter(|_| !self.knows_shapes()) {
            let find_little = self.find_little(LITTLE_FOR_SHAPES, |record| record.latest_rate)
                && self.fresh.latest_rate <= LITTLE_FOR_SHAPES * self.overall_rate();
            let next = if fresh { Arm::Pruned } else { shape };
            return find_little.then_some(next);
        }
        if fresh {
            let find_little = self.find_little(LITTLE, |record| record.rate);
            return find_little.then_some(Arm::Pruned);
        }
        None
    }

    /// The next further shape that is to be tried.
    fn untried_shape(&self) -> Option<Arm> {
        let mut shaped = self.shaped.iter();
        let untried = shaped.position(|record| !record.begun && !record.over);
        untried.map(Arm::Shaped)
    }

    /// True if the suspended runs, and shapes that were tried, find so little that others are worth
    /// a try: less than this part of the whole campaign's rate.
    fn find_little(&self, part: f64, rate: impl Fn(&Record) -> f64) -> bool {
        let going = [&self.single, &self.unpruned].into_iter();
        let going = going.chain(&self.shaped).filter(|record| !record.over);
        let best = going.map(rate).fold(0.0, f64::max);
        best <= part * self.overall_rate()
    }

    /// New branches of the whole campaign per unit.
    fn overall_rate(&self) -> f64 {
        self.branches as f64 / self.spent().max(1e-9)
    }

    /// True if enough shapes were tried to tell what the next one may find.
    fn knows_shapes(&self) -> bool {
        self.tried.runs >= FIRST_SHAPES
    }

    /// Those among which rates decide.
    fn able(&self, thread: Able) -> Vec<Candidate> {
        let share = self.single.spent / self.spent().max(1e-9);
        let single = thread.single_paths && !self.single.over && share < self.most_single;
        let unpruned = thread.unpruned && !self.unpruned.over;
        let fresh = self.fresh.runs > 0 && !self.fresh.over;
        let next = self.untried_shape().filter(|_| self.knows_shapes());
        let shaped = self.tried_shapes().map(|(arm, record)| {
            let least = match record.latest {
                0 => 0.0,
                _ => LEAST_SHARE_SHAPED,
            };
            Candidate::new(arm, record, least)
        });
        let one = |arm, record, able: bool| able.then(|| Candidate::new(arm, record, LEAST_SHARE));
        let all = [
            one(Arm::SinglePaths, &self.single, single),
            one(Arm::Unpruned, &self.unpruned, unpruned),
            one(Arm::Pruned, &self.fresh, fresh),
            next.map(|next| Candidate::new(next, &self.tried, LEAST_SHARE)),
        ];
        all.into_iter().flatten().chain(shaped).collect()
    }

    /// The further shapes that were tried and of which inputs are left.
    fn tried_shapes(&self) -> impl Iterator<Item = (Arm, &Record)> {
        let shaped = self.shaped.iter().enumerate();
        let shaped = shaped.map(|(shape, record)| (Arm::Shaped(shape), record));
        shaped.filter(|(_, record)| record.runs > 0 && !record.over)
    }

    /// Every other turn to the run without pruning, and all while fewer paths wait. The others go
    /// to the kind of fresh run that has had least.
    fn where_nothing_is_found(&self, thread: Able) -> Arm {
        let goes_on = self.fewer_wait || self.last != Some(Arm::Unpruned);
        if goes_on && thread.unpruned && !self.unpruned.over {
            return Arm::Unpruned;
        }
        if let Some(shape) = self.untried_shape() {
            return shape;
        }
        let fresh = (!self.fresh.over).then_some((Arm::Pruned, &self.fresh));
        let kinds = fresh.into_iter().chain(self.tried_shapes());
        let least = kinds.min_by(|(_, one), (_, other)| one.spent.total_cmp(&other.spent));
        least.map_or(Arm::Pruned, |(arm, _)| arm)
    }

    fn spent(&self) -> f64 {
        let shaped: f64 = self.shaped.iter().map(|record| record.spent).sum();
        self.single.spent + self.unpruned.spent + self.fresh.spent + shaped
    }
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
