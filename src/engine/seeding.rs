//! Seeds: earlier tests whose paths are followed before the search chooses anything.
//!
//! A seed is carried by the one state whose path condition its bytes satisfy. Such states run
//! first; at a fork each of their seeds goes on with the side that it takes. What is forked off on
//! the way are states like any others, so the search begins with all the branches that the seeds
//! pass by.
//!
//! Paths may be long or without end, so a state whose seeds have had less work runs before one
//! whose seeds have had twice as much: what ends soon ends first, and what never ends holds up
//! nobody. Among equals the youngest runs, so that few paths are open at a time.
//!
//! Invariant: a state that carries seeds has the bytes of the first one as its model, so whatever a
//! path must fix (an address, an operand without a symbolic form) is fixed as that seed has it.
//! Others that have it differently are dropped and counted.

use super::run::Engine;
use crate::config::Span;
use crate::expr::{Byte, Model, Terms};
use crate::probe::Input;
use crate::report::SeedSummary;
use crate::search::{Clock, StateId};
use crate::state::{SideSet, State, SymbolicObject};
use crate::testcase::WriteError;
use crate::testcase::ktest::KTest;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// A test to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedTest {
    pub test: KTest,
    /// For a path that may be without end: the branch sides that an earlier run of the campaign saw
    /// on it. It is followed until it has covered them.
    pub shows: Option<Vec<u32>>,
    /// A campaign has learned from its path already.
    pub known: bool,
}

/// One earlier test on its way.
struct Seed {
    /// Its place among those that were given.
    number: usize,
    /// Name, number among the objects of that name, bytes.
    objects: Vec<(String, usize, Vec<u8>)>,
    /// What its path has still to cover.
    to_show: Option<Vec<u32>>,
    known: bool,
    /// The bytes of the objects that the path has made so far.
    model: Model,
    /// How many objects of the path have got their bytes.
    matched: usize,
}

/// KLEE 2 wrote `A-data`, KLEE 3 and homi write `A_data`.
fn same_name(a: &str, b: &str) -> bool {
    let alike = |(a, b): (u8, u8)| a == b || matches!((a, b), (b'-', b'_') | (b'_', b'-'));
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(alike)
}

impl Seed {
    fn new((number, seed): (usize, &SeedTest)) -> Self {
        let mut objects: Vec<(String, usize, Vec<u8>)> = Vec::new();
        for object in &seed.test.objects {
            let name = object.name_text();
            let earlier = objects.iter().filter(|known| same_name(&known.0, &name));
            let number = earlier.count();
            objects.push((name, number, object.bytes.clone()));
        }
        Self {
            number,
            objects,
            to_show: seed.shows.clone(),
            known: seed.known,
            model: Model::new(),
            matched: 0,
        }
    }

    /// Gives the objects that a path has made lately their bytes; what the seed does not have is
    /// zero.
    fn match_objects(&mut self, made: &[SymbolicObject]) {
        while let Some(object) = made.get(self.matched) {
            let earlier = &made[..self.matched];
            let number = earlier.iter().filter(|known| known.name == object.name);
            let number = number.count();
            let known = self
                .objects
                .iter()
                .find(|known| known.1 == number && same_name(&known.0, &object.name));
            let bytes = known.map_or(&[][..], |known| &known.2);
            for index in (0..object.size).rev() {
                let value = bytes.get(index as usize).copied().unwrap_or(0);
                let array = object.array;
                self.model.set(Byte { array, index }, value);
            }
            self.matched += 1;
        }
    }

    /// Whether the path has covered all that it is known to cover.
    fn has_shown(&mut self, sides: &SideSet) -> bool {
        let Some(to_show) = &mut self.to_show else {
            return false;
        };
        while to_show.last().is_some_and(|side| sides.contains(*side)) {
            to_show.pop();
        }
        to_show.is_empty()
    }

    fn takes(&mut self, terms: &Terms, state: &State) -> bool {
        self.match_objects(&state.symbolics);
        state.path.holds(terms, &self.model)
    }
}

/// Work (instructions, and the solver's in instructions' worth if it is counted) that the first
/// level has.
const FIRST_LEVEL: u64 = 1 << 14;

/// States with seeds at a lower level run first; each level has twice the work of the one before.
fn level(work: u64) -> u32 {
    (work / FIRST_LEVEL + 1).ilog2()
}

/// Shares of the limit without a seed at its end after which the rest is left, if none has ended or
/// some have; or half of the time that it took until the last did, if that is more.
const PATIENCE_AT_FIRST: f64 = 0.5;
const PATIENCE: f64 = 0.125;

/// Seeds that go the same way so far.
#[derive(Default)]
struct Group {
    seeds: Vec<Seed>,
    /// Work of the turns that they had.
    work: u64,
}

/// The seeds on their way.
pub(super) struct Seeding {
    carried: BTreeMap<StateId, Group>,
    /// The same states, by the level of their work; the youngest of a level first.
    order: BTreeSet<(u32, Reverse<StateId>)>,
    /// On the run's clock, or in instructions since its first; then the search takes over.
    limit: Option<Span>,
    /// Share of the limit that had passed when a seed came to its end last.
    last_end: Option<f64>,
    done: SeedSummary,
    /// Those that were left on their way.
    left: Vec<usize>,
}

impl Seeding {
    /// The seeds of `tests`, all with the initial state.
    fn new(tests: &[SeedTest], initial: StateId, limit: Option<Span>) -> Self {
        let mut seeding = Self {
            carried: BTreeMap::new(),
            order: BTreeSet::new(),
            limit,
            last_end: None,
            done: SeedSummary {
                given: tests.len() as u64,
                ..SeedSummary::default()
            },
            left: Vec::new(),
        };
        for seed in tests.iter().enumerate().map(Seed::new) {
            seeding.carry(initial, seed, 0);
        }
        seeding
    }

    /// A seed goes on with a state; those that are with it have had so much work.
    fn carry(&mut self, state: StateId, seed: Seed, work: u64) {
        let group = self.carried.entry(state).or_default();
        group.seeds.push(seed);
        group.work = work;
        self.order.insert((level(work), Reverse(state)));
    }

    /// Takes the seeds of a state.
    fn take(&mut self, state: StateId) -> Group {
        let group = self.carried.remove(&state).unwrap_or_default();
        self.order.remove(&(level(group.work), Reverse(state)));
        group
    }

    /// The state to run next.
    fn next(&mut self, time: Duration, instructions: u64) -> Option<StateId> {
        let passed = self.passed(time, instructions);
        let enough = match self.last_end {
            None => PATIENCE_AT_FIRST,
            Some(end) => end + PATIENCE.max(end / 2.0),
        };
        if passed >= enough.min(1.0) {
            self.leave();
        }
        self.order.first().map(|(_, state)| state.0)
    }

    /// Whether seeds go on with this state.
    pub(super) fn carries(&self, state: StateId) -> bool {
        self.carried.contains_key(&state)
    }

    /// Share of the limit that has passed.
    fn passed(&self, time: Duration, instructions: u64) -> f64 {
        match self.limit {
            None => 0.0,
            Some(Span::Time(limit)) => time.as_secs_f64() / limit.as_secs_f64().max(1e-9),
            Some(Span::Instructions(limit)) => instructions as f64 / limit.max(1) as f64,
        }
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

    /// What became of them when the run is over, and the numbers of those that may only have lacked
    /// time, ascending.
    pub(super) fn finish(mut self) -> (SeedSummary, Vec<usize>) {
        self.leave();
        self.left.sort_unstable();
        (self.done, self.left)
    }
}

impl Engine<'_, '_> {
    /// Follows the paths of earlier tests first, until `limit` of the run is over.
    pub fn follow_seeds(&mut self, tests: &[SeedTest], limit: Option<Span>) {
        let Some(initial) = self.progress.states.keys().next().copied() else {
            return;
        };
        if !tests.is_empty() {
            self.seeding = Some(Seeding::new(tests, initial, limit));
        }
    }

    /// Whether seeds are on their way.
    pub(super) fn is_seeding(&self) -> bool {
        let seeding = self.seeding.as_ref();
        seeding.is_some_and(|seeding| !seeding.carried.is_empty())
    }

    /// One turn of a state that carries seeds; false if there is none.
    pub(super) fn seeded_turn(&mut self) -> Result<bool, WriteError> {
        let Clock {
            time, instructions, ..
        } = self.clock();
        let executed = instructions - self.instructions_at_start;
        let Some(mut seeding) = self.seeding.take() else {
            return Ok(false);
        };
        let chosen = seeding.next(time, executed);
        let ended = |seeding: &Seeding| seeding.done.followed + seeding.done.dropped;
        let before = ended(&seeding);
        let result = chosen.map_or(Ok(()), |id| self.turn_with_seeds(id, &mut seeding));
        if ended(&seeding) > before {
            seeding.last_end = Some(seeding.passed(time, executed));
        }
        self.seeding = Some(seeding);
        result.map(|()| chosen.is_some())
    }

    fn turn_with_seeds(&mut self, id: StateId, seeding: &mut Seeding) -> Result<(), WriteError> {
        let Group {
            mut seeds,
            mut work,
        } = seeding.take(id);
        let terms = self.bench.terms;
        let state = self.progress.states.get_mut(&id);
        let (Some(state), Some(first)) = (state, seeds.first_mut()) else {
            // Given up for memory, or another thread has it now.
            seeding.done.unfinished += seeds.len() as u64;
            return Ok(());
        };
        if first.takes(terms, state) {
            state.model = first.model.clone();
        }
        let objects = Arc::clone(&state.symbolics);
        let first_new = self.progress.next_id;
        self.mark_following(seeds.iter().all(|seed| seed.known));
        let before = self.clock().work;
        let result = self.turn(id);
        self.mark_following(false);
        result?;
        work += self.clock().work - before;
        let new = (first_new..self.progress.next_id).map(StateId::new);
        let present: Vec<StateId> = std::iter::once(id)
            .chain(new)
            .filter(|id| self.progress.states.contains_key(id))
            .collect();
        if present.is_empty() {
            seeding.done.followed += seeds.len() as u64;
            for seed in &seeds {
                self.learn_seed(&objects, &seed.model);
            }
            return Ok(());
        }
        for mut seed in seeds {
            let taken = present.iter().find(|id| {
                let state = self.progress.states.get(id);
                state.is_some_and(|state| seed.takes(terms, state))
            });
            match taken {
                Some(id) if self.has_shown(*id, &mut seed) => {
                    seeding.done.followed += 1;
                    self.learn_seed(&objects, &seed.model);
                }
                Some(id) => seeding.carry(*id, seed, work),
                None => {
                    seeding.done.dropped += 1;
                    self.learn_seed(&objects, &seed.model);
                }
            }
        }
        Ok(())
    }

    /// Whether a state has come as far as its seed is to be followed. The search goes on with it,
    /// and it deserves a test again once it covers something more.
    fn has_shown(&mut self, id: StateId, seed: &mut Seed) -> bool {
        let Some(state) = self.progress.states.get_mut(&id) else {
            return false;
        };
        let shown = seed.has_shown(&state.sides);
        if shown && seed.known {
            state.metrics.covered_new = false;
            self.progress.credits.take(state.sequence);
        }
        shown
    }

    /// The path that runs teaches a campaign nothing new.
    fn mark_following(&mut self, following: bool) {
        self.retracing = following;
    }

    /// Probes may change the seed, too.
    fn learn_seed(&mut self, objects: &[SymbolicObject], model: &Model) {
        if let Some(probing) = &mut self.probing {
            probing.learn_seed(Input::new(objects, model));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, number: usize, size: u32) -> SymbolicObject {
        let terms = Terms::new();
        SymbolicObject {
            array: terms.array(name, number as u32, size),
            name: name.into(),
            size,
        }
    }

    fn seed_of(test: KTest) -> SeedTest {
        SeedTest {
            test,
            shows: None,
            known: false,
        }
    }

    #[test]
    fn a_path_without_end_is_followed_until_it_has_shown_what_is_known() {
        let test = SeedTest {
            test: KTest::new(["prog.bc"]),
            shows: Some(vec![2, 70]),
            known: true,
        };
        let mut seed = Seed::new((0, &test));
        let mut sides = SideSet::default();
        sides.insert(70);
        assert!(!seed.has_shown(&sides));
        sides.insert(2);
        assert!(seed.has_shown(&sides));
        let mut ending = Seed::new((0, &seed_of(KTest::new(["prog.bc"]))));
        assert!(!ending.has_shown(&sides), "followed to its end");
    }

    #[test]
    fn objects_are_matched_by_name_and_number_and_cut_or_extended() {
        let terms = Terms::new();
        let made: Vec<SymbolicObject> = [("x", 0, 2), ("A_data", 0, 4), ("x", 1, 2), ("new", 0, 1)]
            .into_iter()
            .map(|(name, number, size)| SymbolicObject {
                array: terms.array(name, number, size),
                name: name.into(),
                size,
            })
            .collect();
        let mut test = KTest::new(["prog.bc"]);
        test.push("x", [1, 2]);
        test.push("x", [3]);
        test.push("A-data", [4, 5, 6, 7, 8]);
        let mut seed = Seed::new((0, &seed_of(test)));
        seed.match_objects(&made[..1]);
        assert_eq!(seed.matched, 1);
        seed.match_objects(&made);
        let bytes = |object: &SymbolicObject| object.bytes(&seed.model);
        let found: Vec<Vec<u8>> = made.iter().map(bytes).collect();
        assert_eq!(found, [vec![1, 2], vec![4, 5, 6, 7], vec![3, 0], vec![0]]);
    }

    #[test]
    fn what_had_least_work_runs_next_until_none_has_ended_for_long() {
        let test = seed_of(KTest::new(["prog.bc"]));
        let [first, second, third] = [1, 2, 3].map(StateId::new);
        let tests = [test.clone(), test.clone(), test];
        let mut seeding = Seeding::new(&tests, first, Some(Span::Instructions(80)));
        assert_eq!(seeding.next(Duration::ZERO, 0), Some(first));
        let mut group = seeding.take(first);
        assert_eq!(group.seeds.len(), 3);
        // After a fork: a long path, and two at the level below.
        for (state, work) in [(third, FIRST_LEVEL), (second, 5), (first, 9)] {
            let seed = group.seeds.pop().expect("a seed");
            seeding.carry(state, seed, work);
        }
        assert!(seeding.carries(third));
        assert_eq!(seeding.next(Duration::ZERO, 10), Some(second));
        seeding.take(second);
        assert_eq!(seeding.next(Duration::ZERO, 20), Some(first));
        seeding.take(first);
        seeding.last_end = Some(0.6);
        assert_eq!(seeding.next(Duration::ZERO, 71), Some(third));
        assert_eq!(seeding.next(Duration::ZERO, 72), None);
        let (done, left) = seeding.finish();
        assert_eq!((done.unfinished, left), (1, vec![2]));
    }

    #[test]
    fn levels_double() {
        let levels = [0, 1, 2, 3, 6, 7].map(|times| level(times * FIRST_LEVEL));
        assert_eq!(levels, [0, 1, 1, 2, 2, 3]);
        assert_eq!(level(FIRST_LEVEL - 1), 0);
    }

    #[test]
    fn names_of_other_objects_are_others() {
        assert!(same_name("stdin-stat", "stdin_stat"));
        assert!(!same_name("stdin", "stdin_stat") && !same_name("arg00", "arg01"));
        let unknown = object("y", 0, 3);
        let mut seed = Seed::new((0, &seed_of(KTest::new(["prog.bc"]))));
        seed.match_objects(std::slice::from_ref(&unknown));
        assert_eq!(unknown.bytes(&seed.model), [0, 0, 0]);
    }
}
