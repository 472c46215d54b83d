//! Seeds: earlier tests whose paths are followed before the searcher selects.
//!
//! A seed belongs to the one state whose path condition its bytes satisfy. Such states run first;
//! at a fork each of their seeds continues with the side that it takes. States that fork off on the
//! way are ordinary ones, so the search begins with all the branches on the seeds' paths.
//!
//! Paths may be long or infinite, so a state whose seeds have had less work runs before one whose
//! seeds have had twice as much: short paths end first, and infinite ones delay no others. Among
//! equals the youngest runs, so that few paths are open at a time.
//!
//! Invariant: a state with seeds has the bytes of the first one as its model, so every value that a
//! path must fix (an address, an operand without a symbolic form) comes from the seed. Seeds with
//! another value are dropped and counted.

use super::seed::{Seed, SeedTest};
use super::{BatchOver, Next, RunView, SourceStatistics, StateSource, Tuning};
use crate::search::StateId;
use crate::sources::fuzz::Input;
use homi_config::{Budget, Others, Usage};
use homi_machine::exec::SizeMismatch;
use homi_machine::state::{Matching, State, SymbolicObject};
use homi_native::testcase::WriteError;
use homi_report::SeedSummary;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns the level of seeds with this much work, in instructions (including the solver's if it is
/// counted). States with seeds at a lower level run first; each level has twice the work of the one
/// before, the first one `first`.
fn level(work: u64, first: u64) -> u32 {
    (work / first + 1).ilog2()
}

/// Number of seeds that do not fit the program and are reported one by one.
const SIZE_MISMATCHES_REPORTED: u64 = 3;

/// Seeds that go the same way so far.
#[derive(Default)]
struct Group {
    seeds: Vec<Seed>,
    /// Work of the batches that they had.
    work: u64,
}

/// The batch that was asked for.
struct Batch {
    group: Group,
    /// Symbolic objects of the state before the batch.
    objects: Arc<Vec<SymbolicObject>>,
    /// Share of the limit that had passed before the batch.
    passed: f64,
}

/// The seeds on their way.
pub struct Seeds {
    tuning: Tuning,
    /// All of them, until the run begins.
    waiting: Vec<Seed>,
    carried: BTreeMap<StateId, Group>,
    /// The states that carry seeds, by the level of their work; the youngest of a level first.
    order: BTreeSet<(u32, Reverse<StateId>)>,
    /// On the run's clock, or in instructions or work since it began; then the search takes over.
    limit: Option<Budget>,
    batch: Option<Batch>,
    /// Share of the limit that had passed when the last seed ended.
    last_end: Option<f64>,
    done: SeedSummary,
    /// Numbers of the seeds that were left on their way.
    left: Vec<usize>,
    others: Others,
    /// Some seed was followed.
    begun: bool,
}

impl Seeds {
    /// Follows the paths of `tests` until `limit` of the run is over.
    pub fn new(tuning: &Tuning, tests: &[SeedTest], limit: Option<Budget>) -> Self {
        Self {
            tuning: tuning.clone(),
            waiting: tests.iter().enumerate().map(Seed::new).collect(),
            carried: BTreeMap::new(),
            order: BTreeSet::new(),
            limit,
            batch: None,
            last_end: None,
            done: SeedSummary {
                given: tests.len() as u64,
                ..SeedSummary::default()
            },
            left: Vec::new(),
            others: Others::default(),
            begun: false,
        }
    }

    /// Sets how objects are matched.
    pub fn matching(mut self, matching: Matching) -> Self {
        for seed in &mut self.waiting {
            Arc::make_mut(&mut seed.objects).matching = matching;
        }
        self
    }

    /// Sets which states are followed in addition to the seeds.
    pub fn with(mut self, others: Others) -> Self {
        self.others = others;
        self
    }

    /// All seeds begin with a state.
    fn start_at(&mut self, initial: StateId) {
        for seed in std::mem::take(&mut self.waiting) {
            self.carry(initial, seed, 0);
        }
    }

    /// Returns the number of seeds whose paths ended.
    fn ended(&self) -> u64 {
        self.done.followed + self.done.dropped
    }

    fn level(&self, work: u64) -> u32 {
        level(work, self.tuning.seed_first_level)
    }

    /// Adds a seed to a state whose seeds have had this much work.
    fn carry(&mut self, state: StateId, seed: Seed, work: u64) {
        let group = self.carried.entry(state).or_default();
        group.seeds.push(seed);
        group.work = work;
        self.order.insert((self.level(work), Reverse(state)));
    }

    /// Takes the seeds of a state.
    fn take(&mut self, state: StateId) -> Group {
        let group = self.carried.remove(&state).unwrap_or_default();
        self.order.remove(&(self.level(group.work), Reverse(state)));
        group
    }

    /// The state to run next.
    fn next(&mut self, usage: Usage) -> Option<StateId> {
        let passed = self.passed(usage);
        let enough = match self.last_end {
            None => self.tuning.seed_first_part,
            // At least half of the time that it took until a seed ended last.
            Some(end) => end + self.tuning.seed_patience.max(end / 2.0),
        };
        if passed >= enough.min(1.0) {
            self.leave();
        }
        self.order.first().map(|(_, state)| state.0)
    }

    /// Share of the limit that has passed.
    fn passed(&self, usage: Usage) -> f64 {
        self.limit.map_or(0.0, |limit| {
            limit.reading(usage).count() as f64 / limit.count().max(1) as f64
        })
    }

    /// Leaves seeds wherever they are.
    fn leave(&mut self) {
        self.order.clear();
        let carried = std::mem::take(&mut self.carried).into_values();
        let carried = carried.flat_map(|group| group.seeds);
        let before = self.left.len();
        self.left.extend(carried.map(|seed| seed.number));
        self.done.unfinished += (self.left.len() - before) as u64;
    }

    /// Counts the seeds that do not fit the program, and reports the first ones.
    fn report_size_mismatches(&mut self, group: &mut Group, run: &mut dyn RunView) {
        for SizeMismatch { test, text } in run.take_size_mismatches() {
            let mut seeds = group.seeds.iter_mut();
            let seed = seeds.find(|seed| Arc::ptr_eq(&seed.objects, &test));
            let Some(seed) = seed.filter(|seed| !seed.has_size_mismatch) else {
                continue;
            };
            seed.has_size_mismatch = true;
            self.done.size_mismatches += 1;
            let file = test.file.as_deref().unwrap_or("of the session");
            match self
                .done
                .size_mismatches
                .cmp(&(SIZE_MISMATCHES_REPORTED + 1))
            {
                Ordering::Less => run.message(&format!("seed {file}: {text}")),
                Ordering::Equal => run.message("more seeds do not fit; summary.json counts them"),
                Ordering::Greater => {}
            }
        }
    }

    /// Moves each seed of the batch to the state that takes its side, if there is one.
    fn follow(&mut self, batch: Batch, over: &BatchOver<'_>, run: &mut dyn RunView) {
        let Batch {
            mut group, objects, ..
        } = batch;
        self.report_size_mismatches(&mut group, run);
        let work = group.work + over.work;
        let states = std::iter::once(over.state).chain(over.new.iter().copied());
        let present: Vec<StateId> = states.filter(|id| run.state(*id).is_some()).collect();
        for id in &present {
            run.follow(*id, None);
        }
        let mut kept = BTreeSet::new();
        for mut seed in group.seeds {
            let taken = present.iter().copied().find(|id| {
                let state = run.state(*id);
                state.is_some_and(|state| seed.takes(run.terms(), state))
            });
            match taken {
                Some(id) if has_shown(&mut seed, id, run) => self.done.followed += 1,
                Some(id) => {
                    kept.insert(id);
                    self.carry(id, seed, work);
                    continue;
                }
                // The path has ended, with the seed.
                None if present.is_empty() => self.done.followed += 1,
                None => self.done.dropped += 1,
            }
            run.report_seed(Input::new(&objects, &seed.model));
        }
        if self.others == Others::Nothing {
            let unwanted = present.into_iter().filter(|id| !kept.contains(id));
            let unwanted: Vec<StateId> = unwanted.collect();
            run.discard(&unwanted, "only the seeds' paths are followed");
        }
    }
}

/// True if a state has reached the point up to which its seed is followed. The search continues it,
/// and it deserves a test again once it covers new code.
fn has_shown(seed: &mut Seed, id: StateId, run: &mut dyn RunView) -> bool {
    let Some(state) = run.state(id) else {
        return false;
    };
    let shown = seed.has_shown(&state.sides);
    if shown && seed.known {
        run.forget_new(id);
    }
    shown
}

impl StateSource for Seeds {
    fn begin(&mut self, run: &mut dyn RunView) -> Vec<Box<State>> {
        if let Some(initial) = run.oldest() {
            self.start_at(initial);
        }
        Vec::new()
    }

    fn before_choice(&mut self, run: &mut dyn RunView) -> Result<Next, WriteError> {
        let usage = run.usage();
        let Some(id) = self.next(usage) else {
            return Ok(match self.others {
                Others::Open if self.begun => Next::Stop,
                _ => Next::Search,
            });
        };
        self.begun = true;
        let mut group = self.take(id);
        let state = run.state(id);
        let (Some(state), Some(first)) = (state, group.seeds.first_mut()) else {
            // Given up for memory, or another thread has it now.
            self.done.unfinished += group.seeds.len() as u64;
            return Ok(Next::Again);
        };
        let objects = Arc::clone(&state.symbolics.objects);
        if first.takes(run.terms(), state) {
            run.set_model(id, first.model.clone());
        }
        let objects_of = |seed: &Seed| Arc::clone(&seed.objects);
        let followed = group.seeds.iter().map(objects_of).collect();
        run.follow(id, Some(Arc::new(followed)));
        let reexecuted = group.seeds.iter().all(|seed| seed.known);
        self.batch = Some(Batch {
            group,
            objects,
            passed: self.passed(usage),
        });
        Ok(Next::Batch {
            state: id,
            reexecuted,
        })
    }

    fn batch_over(&mut self, over: &BatchOver<'_>, run: &mut dyn RunView) {
        let Some(batch) = self.batch.take() else {
            return;
        };
        let (before, passed) = (self.ended(), batch.passed);
        self.follow(batch, over, run);
        if self.ended() > before {
            self.last_end = Some(passed);
        }
    }

    fn holds(&self, state: StateId) -> bool {
        self.carried.contains_key(&state)
    }

    fn holds_some(&self) -> bool {
        !self.carried.is_empty()
    }

    fn finish(&mut self, statistics: &mut SourceStatistics) {
        self.leave();
        self.left.sort_unstable();
        statistics.seeds = Some(self.done);
        statistics.seeds_left = std::mem::take(&mut self.left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_native::testcase::ktest::KTest;

    const FIRST: u64 = 1 << 14;

    fn seed_of(test: KTest) -> SeedTest {
        SeedTest {
            test,
            shows: None,
            known: false,
            file: None,
            whole_input: None,
        }
    }

    #[test]
    fn what_had_least_work_runs_next_until_none_has_ended_for_long() {
        let after = |instructions| Usage {
            instructions,
            ..Usage::default()
        };
        let test = seed_of(KTest::new(["prog.bc"]));
        let [first, second, third] = [1, 2, 3].map(StateId::new);
        let tests = [test.clone(), test.clone(), test];
        let mut seeding = Seeds::new(&Tuning::default(), &tests, Some(Budget::Instructions(80)));
        seeding.start_at(first);
        assert_eq!(seeding.next(after(0)), Some(first));
        let mut group = seeding.take(first);
        assert_eq!(group.seeds.len(), 3);
        // After a fork: a long path, and two at the level below.
        for (state, work) in [(third, FIRST), (second, 5), (first, 9)] {
            let seed = group.seeds.pop().expect("a seed");
            seeding.carry(state, seed, work);
        }
        assert!(seeding.holds(third));
        assert_eq!(seeding.next(after(10)), Some(second));
        seeding.take(second);
        assert_eq!(seeding.next(after(20)), Some(first));
        seeding.take(first);
        seeding.last_end = Some(0.6);
        assert_eq!(seeding.next(after(71)), Some(third));
        assert_eq!(seeding.next(after(72)), None);
        let mut statistics = SourceStatistics::default();
        seeding.finish(&mut statistics);
        let unfinished = statistics.seeds.map(|done| done.unfinished);
        assert_eq!((unfinished, statistics.seeds_left), (Some(1), vec![2]));
    }

    #[test]
    fn levels_double() {
        let levels = [0, 1, 2, 3, 6, 7].map(|times| level(times * FIRST, FIRST));
        assert_eq!(levels, [0, 1, 1, 2, 2, 3]);
        assert_eq!(level(FIRST - 1, FIRST), 0);
    }
}
