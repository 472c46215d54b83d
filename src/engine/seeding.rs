//! Seeds: earlier tests whose paths are followed before the search chooses anything.
//!
//! A seed is carried by the one state whose path condition its bytes satisfy. Such states run first; at a fork each of their
//! seeds goes on with the side that it takes. What is forked off on the way are states like any others, so the search
//! begins with all the branches that the seeds pass by.
//!
//! Invariant: a state that carries seeds has the bytes of the first one as its model, so whatever a path must fix (an address,
//! an operand without a symbolic form) is fixed as that seed has it. Others that have it differently are dropped and counted.

use super::run::Engine;
use crate::config::Span;
use crate::expr::{Byte, Model, Terms};
use crate::probe::Input;
use crate::report::SeedSummary;
use crate::search::{Clock, StateId};
use crate::state::{SideSet, State, SymbolicObject};
use crate::testcase::WriteError;
use crate::testcase::ktest::KTest;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A test to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedTest {
    pub test: KTest,
    /// For a path that may be without end: the branch sides that an earlier run of the campaign saw on it. It is followed
    /// until it has covered them.
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

    /// Gives the objects that a path has made lately their bytes; what the seed does not have is zero.
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

/// Share of the limit that may pass without a seed at its end before the one that runs is left to let others go on: a
/// path may be without end.
const PATIENCE: f64 = 0.125;

/// The seeds on their way.
pub(super) struct Seeding {
    carried: BTreeMap<StateId, Vec<Seed>>,
    /// On the run's clock, or in instructions since its first; then the search takes over.
    limit: Option<Span>,
    /// Share of the limit that had passed when a seed came to its end last.
    last_end: f64,
    done: SeedSummary,
    /// Those that were left on their way and may come to an end in another run.
    left: Vec<usize>,
}

impl Seeding {
    /// The seeds of `tests`, all with the initial state.
    fn new(tests: &[SeedTest], initial: StateId, limit: Option<Span>) -> Self {
        let seeds = tests.iter().enumerate().map(Seed::new).collect();
        Self {
            carried: BTreeMap::from([(initial, seeds)]),
            limit,
            last_end: 0.0,
            done: SeedSummary {
                given: tests.len() as u64,
                ..SeedSummary::default()
            },
            left: Vec::new(),
        }
    }

    /// The state to run next: the youngest, so that few paths are open at a time.
    fn next(&mut self, time: Duration, instructions: u64) -> Option<StateId> {
        let passed = self.passed(time, instructions);
        if passed >= 1.0 {
            self.leave();
        }
        if passed - self.last_end > PATIENCE && self.carried.len() > 1 {
            let group = self
                .carried
                .pop_last()
                .map_or(Vec::new(), |(_, seeds)| seeds);
            self.done.unfinished += group.len() as u64;
            if group.len() > 1 {
                // Long paths perhaps, but hardly all without end.
                self.left.extend(group.iter().map(|seed| seed.number));
            }
            self.last_end = passed;
        }
        self.carried.keys().next_back().copied()
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
        let carried = std::mem::take(&mut self.carried).into_values().flatten();
        let before = self.left.len();
        self.left.extend(carried.map(|seed| seed.number));
        self.done.unfinished += (self.left.len() - before) as u64;
    }

    /// What became of them when the run is over, and the numbers of those that may only have lacked time, ascending.
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
            seeding.last_end = seeding.passed(time, executed);
        }
        self.seeding = Some(seeding);
        result.map(|()| chosen.is_some())
    }

    fn turn_with_seeds(&mut self, id: StateId, seeding: &mut Seeding) -> Result<(), WriteError> {
        let mut seeds = seeding.carried.remove(&id).unwrap_or_default();
        let terms = self.parts.terms;
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
        let result = self.turn(id);
        self.mark_following(false);
        result?;
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
                Some(id) => seeding.carried.entry(*id).or_default().push(seed),
                None => {
                    seeding.done.dropped += 1;
                    self.learn_seed(&objects, &seed.model);
                }
            }
        }
        Ok(())
    }

    /// Whether a state has come as far as its seed is to be followed. The search goes on with it, and it deserves a test
    /// again once it covers something more.
    fn has_shown(&mut self, id: StateId, seed: &mut Seed) -> bool {
        let Some(state) = self.progress.states.get_mut(&id) else {
            return false;
        };
        let shown = seed.has_shown(&state.sides);
        if shown && seed.known {
            state.metrics.covered_new = false;
            self.parts.sink.remove_credit(state.sequence);
        }
        shown
    }

    /// The path that runs teaches a campaign nothing new.
    fn mark_following(&mut self, following: bool) {
        if let Some(harvest) = &mut self.parts.sink.harvest {
            harvest.following = following;
        }
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
    fn a_seed_that_holds_up_others_is_left() {
        let tests = [
            seed_of(KTest::new(["prog.bc"])),
            seed_of(KTest::new(["prog.bc"])),
        ];
        let [first, second] = [1, 2].map(StateId::new);
        let mut seeding = Seeding::new(&tests, first, Some(Span::Instructions(80)));
        let group = seeding.carried.get_mut(&first).expect("the seeds");
        let one = group.pop().expect("a seed");
        seeding.carried.insert(second, vec![one]);
        let mut next = |instructions| seeding.next(Duration::ZERO, instructions);
        assert_eq!(next(10), Some(second));
        assert_eq!(next(11), Some(first));
        // Nobody waits for it.
        assert_eq!(next(79), Some(first));
        assert_eq!(next(80), None);
        let (done, left) = seeding.finish();
        // The second was left for the sake of the first, which only lacked time.
        assert_eq!((done.unfinished, left), (2, vec![0]));
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
