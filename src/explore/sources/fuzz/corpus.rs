//! The inputs that are worth changing again: each covered something before any other did.
//!
//! An input that is chosen by its energy is rare in what it covers, led to new coverage when it was
//! changed, and is cheap to execute.
//!
//! Invariant: choices depend on the recorded executions and on the generator, never on time.

use super::input::Input;
use super::rarity::Rarity;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Most inputs kept, and most bytes of all of them.
const MOST: usize = 4096;
const MOST_BYTES: usize = 64 << 20;
/// Number of latest inputs that are drawn as often as all others together: recent finds lead
/// further.
const LATEST: usize = 32;
/// Changed inputs after which an entry without a find has half of its energy.
const PATIENCE: f64 = 256.0;
/// Limits of an entry's cost as a multiple of the mean.
const CHEAPEST: f64 = 0.25;
const DEAREST: f64 = 8.0;
/// Factor for an entry whose sides are all covered by cheaper entries.
const SUPERSEDED: f64 = 0.1;
/// Choices after which the energies are computed again, if no entry was added.
const REFRESH: u32 = 1024;

/// Number of an entry, which stays the same while others are removed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntryId(u64);

/// One input and what is known of its executions.
#[derive(Debug)]
struct Entry {
    id: EntryId,
    input: Input,
    sides: Box<[u32]>,
    /// Instructions, or another count of work, of one execution.
    cost: u64,
    /// Inputs made from this one, and how many of them covered something first.
    tries: u64,
    finds: u64,
}

/// A bounded list of inputs.
#[derive(Debug, Default)]
pub struct Corpus {
    entries: Vec<Entry>,
    bytes: usize,
    next: u64,
    rarity: Rarity,
    /// Sums of the energies up to each entry; computed again where `stale` says so.
    sums: Vec<f64>,
    stale: u32,
}

impl Corpus {
    /// Adds an input whose coverage is unknown.
    pub fn add(&mut self, input: Input) {
        self.add_executed(input, &[], 1);
    }

    /// Adds an input with the branch sides (or other small numbers of coverage) that its execution
    /// took, and with the execution's cost in instructions. `None` for an input without objects.
    pub fn add_executed(&mut self, input: Input, sides: &[u32], cost: u64) -> Option<EntryId> {
        if input.is_empty() {
            return None;
        }
        if self.entries.len() >= MOST || self.bytes > MOST_BYTES {
            self.remove_half();
        }
        let id = EntryId(self.next);
        self.next += 1;
        self.bytes += input.size();
        self.rarity.add(id.0, sides, weight(&input, cost));
        self.entries.push(Entry {
            id,
            input,
            sides: sides.into(),
            cost,
            tries: 0,
            finds: 0,
        });
        self.stale = REFRESH;
        Some(id)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if no input was added.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The input of the fewest objects among those with a symbolic argument on the command line:
    /// least can go wrong with it.
    pub fn simplest(&self) -> Option<&Input> {
        let inputs = self.entries.iter().map(|entry| &entry.input);
        let inputs = inputs.filter(|input| input.has_argument());
        inputs.min_by_key(|input| input.parts.len())
    }

    /// One input, if there is any.
    pub fn draw(&self, generator: &mut Pcg64) -> Option<&Input> {
        let count = self.entries.len();
        if count == 0 {
            return None;
        }
        let first = if generator.random_bool(0.5) {
            count.saturating_sub(LATEST)
        } else {
            0
        };
        let entry = self.entries.get(generator.random_range(first..count));
        entry.map(|entry| &entry.input)
    }

    /// An entry in proportion to its energy, if there is any.
    pub fn choose(&mut self, generator: &mut Pcg64) -> Option<EntryId> {
        self.stale += 1;
        if self.stale > REFRESH {
            self.refresh();
        }
        let total = *self.sums.last()?;
        let drawn = generator.random_range(0.0..total);
        let number = self.sums.partition_point(|sum| *sum <= drawn);
        // The last one if rounding leaves a rest.
        let number = number.min(self.entries.len() - 1);
        Some(self.entries[number].id)
    }

    /// The input of an entry; `None` if the entry was removed.
    pub fn input(&self, id: EntryId) -> Option<&Input> {
        self.number(id).map(|number| &self.entries[number].input)
    }

    /// Puts a smaller input of the same coverage in an entry's place.
    pub fn replace(&mut self, id: EntryId, input: Input, cost: u64) {
        if let Some(number) = self.number(id) {
            let entry = &mut self.entries[number];
            self.bytes = self.bytes + input.size() - entry.input.size();
            entry.input = input;
            entry.cost = cost;
            self.rarity
                .lighten(id.0, &entry.sides, weight(&entry.input, cost));
            self.stale = REFRESH;
        }
    }

    /// Records that an input made from this entry was executed, and if it covered something first.
    pub fn note_try(&mut self, id: EntryId, found: bool) {
        if let Some(number) = self.number(id) {
            let entry = &mut self.entries[number];
            entry.tries += 1;
            entry.finds += u64::from(found);
        }
    }

    /// The position of an entry; entries are in the order of their numbers.
    fn number(&self, id: EntryId) -> Option<usize> {
        self.entries
            .binary_search_by_key(&id, |entry| entry.id)
            .ok()
    }

    fn energies(&self) -> Vec<f64> {
        let costs = self.entries.iter().map(|entry| entry.cost as f64);
        let mean = (costs.sum::<f64>() / self.entries.len().max(1) as f64).max(1.0);
        let energy = |entry: &Entry| {
            let rarity = self.rarity.of(&entry.sides).max(f64::MIN_POSITIVE);
            let yielded = (1.0 + entry.finds as f64) / (1.0 + entry.tries as f64 / PATIENCE);
            let cost = (entry.cost as f64 / mean).clamp(CHEAPEST, DEAREST);
            let needed = entry.sides.is_empty() || self.rarity.is_needed(entry.id.0);
            rarity * yielded / cost * if needed { 1.0 } else { SUPERSEDED }
        };
        self.entries.iter().map(energy).collect()
    }

    fn refresh(&mut self) {
        self.stale = 0;
        let mut sum = 0.0;
        let energies = self.energies().into_iter();
        self.sums = energies
            .map(|energy| {
                sum += energy;
                sum
            })
            .collect();
    }

    /// Removes the half with the least energy, first the entries that no side needs.
    fn remove_half(&mut self) {
        let energies = self.energies();
        let rank = |number: usize| {
            let entry = &self.entries[number];
            (self.rarity.is_needed(entry.id.0), energies[number])
        };
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by(|one, other| {
            let (one, other) = (rank(*one), rank(*other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        order.truncate(order.len().div_ceil(2));
        order.sort_unstable();
        for number in order.into_iter().rev() {
            let entry = self.entries.remove(number);
            self.bytes -= entry.input.size();
            self.rarity.remove(entry.id.0, &entry.sides);
        }
        self.stale = REFRESH;
    }
}

/// Measure by which the cheapest entry of a side is found: its cost times its size.
fn weight(input: &Input, cost: u64) -> u64 {
    cost.saturating_mul(input.written_size() as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_machine::state::SymbolicObject;
    use homi_solver::term::{ArrayId, Model};
    use std::collections::BTreeMap;

    fn input(size: u32) -> Input {
        let object = SymbolicObject {
            array: ArrayId::new(0),
            name: "x".into(),
            size,
        };
        Input::new(&[object], &Model::new())
    }

    #[test]
    fn those_without_energy_are_removed_and_all_can_be_drawn() {
        let mut corpus = Corpus::default();
        let mut generator = Pcg64::new(1, 2);
        assert!(corpus.draw(&mut generator).is_none() && corpus.choose(&mut generator).is_none());
        corpus.add(Input::default());
        assert!(corpus.is_empty());
        for size in 0..=MOST as u32 {
            corpus.add(input(size));
        }
        let drawn: std::collections::BTreeSet<usize> = (0..100_000)
            .filter_map(|_| corpus.draw(&mut generator))
            .map(|input| input.parts[0].bytes.len())
            .collect();
        assert_eq!((drawn.len(), corpus.len()), (MOST / 2 + 1, MOST / 2 + 1));
        assert_eq!(drawn.first(), Some(&(MOST / 2)), "equals leave by age");
    }

    /// Choices of each entry among 10,000, in which `finds` always leads to new coverage.
    fn chosen(corpus: &mut Corpus, finds: Option<EntryId>) -> BTreeMap<EntryId, u32> {
        let mut generator = Pcg64::new(1, 2);
        let mut counts = BTreeMap::new();
        for _ in 0..10_000 {
            let id = corpus.choose(&mut generator).expect("an entry");
            *counts.entry(id).or_insert(0) += 1;
            corpus.note_try(id, Some(id) == finds);
        }
        counts
    }

    #[test]
    fn rare_sides_finds_and_low_costs_give_energy() {
        let mut corpus = Corpus::default();
        let mut ids = Vec::new();
        for number in 0..100 {
            // All take the sides 1 to 10; one takes a side of its own, one is slow.
            let own = if number == 50 { 11 } else { 10 };
            let sides: Vec<u32> = (1..=own).collect();
            let cost = if number == 51 { 100_000 } else { 1_000 };
            ids.extend(corpus.add_executed(input(number), &sides, cost));
        }
        let counts = chosen(&mut corpus, None);
        assert!(counts[&ids[50]] > 5 * counts[&ids[52]], "{counts:?}");
        assert!(counts[&ids[51]] < counts[&ids[52]], "{counts:?}");
        let later = chosen(&mut corpus, Some(ids[70]));
        assert!(later[&ids[70]] > counts[&ids[70]] * 2, "{later:?}");
        assert_eq!(later.len(), 100, "none dies out");
    }

    #[test]
    fn what_a_side_needs_stays_when_others_leave() {
        let mut corpus = Corpus::default();
        let rare = corpus.add_executed(input(9), &[7_000], 1).expect("an id");
        for size in 0..3 * MOST as u32 {
            corpus.add_executed(input(size), &[size % 5], 1);
        }
        assert!(corpus.len() <= MOST);
        assert!(corpus.input(rare).is_some());
        corpus.replace(rare, input(3), 1);
        assert_eq!(corpus.input(rare), Some(&input(3)));
    }
}
