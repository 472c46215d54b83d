//! Windows: runs in which all bytes of the input but a few neighbouring ones are those of an
//! earlier test.
//!
//! Not in the paper. Formats, options and patterns are a few bytes deep after a beginning that some
//! test has already (`\(\)\1` behind `--s=`). A search over all bytes gets there by luck; one over
//! three or four bytes tries all of them within a moment. So such a run takes a test that covers
//! what few others cover, frees bytes next to those that the last conditions of its path compared,
//! and explores what they can do without pruning. It is an arm like others (`turns`).
//!
//! Invariant: which windows are opened depends on the seed, the run's number and the campaign's
//! tests alone.

use super::lane::Lane;
use super::looping::Campaign;
use super::progress::CampaignProgress;
use super::seeds::Written;
use super::shapes::launched;
use crate::config::Span;
use crate::select::MadeTest;
use crate::state::FixedInputs;
use crate::testcase::ktest::KTest;
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;

/// What a run of one is called.
pub(super) const NAME: &str = "window";

/// Conditions at the end of a path whose bytes are looked at, and most bytes that are kept.
const LAST_CONDITIONS: usize = 10;
const MOST_COMPARED: usize = 16;
/// Bytes that are free.
const LEAST_OPEN: u32 = 2;
const MOST_OPEN: u32 = 5;
/// How often another window is drawn if one was opened before.
const DRAWS: u32 = 8;
/// A run's part of the whole budget; where there is none, of the longest run.
const RUN_OF_TOTAL: f64 = 1.0 / 120.0;
const RUN_OF_LONGEST: f64 = 0.1;
/// The stream of a run's generator.
const STREAM: u128 = 0x5851_f42d_4c95_7f2d;

/// A byte of an input: its object's name, the object's number among those of that name, its index.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Compared {
    pub object: String,
    pub version: u32,
    pub index: u32,
}

/// The bytes that the last conditions of a test's path compared.
pub(super) fn compared_bytes(test: &MadeTest<'_>) -> Vec<Compared> {
    let terms = test.terms;
    let mut found: Vec<Compared> = Vec::new();
    for condition in test.conditions.latest(LAST_CONDITIONS) {
        for byte in terms.support(condition).iter() {
            let array = terms.array_info(byte.array);
            let compared = Compared {
                object: array.name.to_string(),
                version: array.version,
                index: byte.index,
            };
            if is_content(&compared.object) && !found.contains(&compared) {
                found.push(compared);
            }
            if found.len() == MOST_COMPARED {
                return found;
            }
        }
    }
    found
}

/// Whether an object is read as the program's input, and not what the modelled system says of it.
fn is_content(name: &str) -> bool {
    !(name.starts_with("n_args") || name.ends_with("_stat") || name == "model_version")
}

/// The windows of a campaign that were opened: a test's number, its object's, the first byte and
/// the number of bytes.
#[derive(Default)]
pub(super) struct Windows {
    opened: FxHashSet<(usize, usize, u32, u32)>,
    last: String,
}

impl Windows {
    /// The one that was opened last, for people.
    pub(super) fn last_text(&self) -> String {
        self.last.clone()
    }
}

impl Campaign<'_> {
    /// How long a run of a window is.
    pub(super) fn window_span(&self, left: f64) -> Span {
        let (total, longest) = (self.config.budget.time, self.options.run_max);
        let amount = match total.is_zero() {
            true => longest.amount() * RUN_OF_LONGEST,
            false => total.amount() * RUN_OF_TOTAL,
        };
        longest.of_same_unit(amount.min(left).max(f64::MIN_POSITIVE))
    }

    /// Gives the lane the launch of its next window; nothing if there is no test to open one of.
    pub(super) fn open_window(
        &self,
        progress: &mut CampaignProgress<'_>,
        lane: &mut Lane<'_, '_>,
    ) -> Option<()> {
        let number = u128::from(progress.begun);
        let seed = u128::from(self.config.search.seed);
        let mut generator = Pcg64::new(number << 64 | seed, STREAM);
        let fixed = draw(progress, &mut generator)?;
        let mut first = lane.first.clone();
        first.fixed_inputs = Some(Arc::new(fixed));
        let launch = launched(&mut lane.bench, first);
        progress.sums.start_up += launch.instructions();
        lane.window = Some(launch);
        Some(())
    }
}

/// A window that was not opened before, if one is found soon.
fn draw(progress: &mut CampaignProgress<'_>, generator: &mut Pcg64) -> Option<FixedInputs> {
    let written = &progress.ledger.written;
    let rarity = rarities(written);
    let mut found = None;
    for _ in 0..DRAWS {
        let chosen = choose(&rarity, generator)?;
        let path = progress.store.path();
        let file = path.with_file_name(format!("{}.ktest", written[chosen].file));
        let Ok(test) = KTest::read(&file) else {
            continue;
        };
        let objects = numbered(&test);
        let Some((open, window)) = place(&written[chosen].compared, &objects, generator) else {
            continue;
        };
        let key = (chosen, open, window.start, window.end - window.start);
        let is_new = progress.windows.opened.insert(key);
        let (file, name) = (&written[chosen].file, &objects[open].0);
        progress.windows.last = format!("{file} {name}[{}..{}]", window.start, window.end);
        found = Some(FixedInputs {
            objects,
            open,
            window,
        });
        if is_new {
            break;
        }
    }
    found
}

/// The sum over the sides that a test covers of one by how many tests cover it; zero for paths
/// without end.
fn rarities(written: &[Written]) -> Vec<f64> {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    for test in written {
        test.sides
            .iter()
            .for_each(|side| *counts.entry(*side).or_insert(0) += 1);
    }
    let rarity = |test: &Written| match test.endless {
        true => 0.0,
        false => {
            let sides = test.sides.iter();
            sides.map(|side| 1.0 / f64::from(counts[side])).sum()
        }
    };
    written.iter().map(rarity).collect()
}

/// An index with a probability that is proportional to its weight.
fn choose(weights: &[f64], generator: &mut Pcg64) -> Option<usize> {
    let sum: f64 = weights.iter().sum();
    if sum <= 0.0 {
        return None;
    }
    let mut left = generator.random_range(0.0..sum);
    let found = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    found.or(weights.len().checked_sub(1))
}

/// Objects with their numbers among those of the same name.
fn numbered(test: &KTest) -> Vec<(String, u32, Vec<u8>)> {
    let mut versions: FxHashMap<String, u32> = FxHashMap::default();
    let objects = test.objects.iter().map(|object| {
        let name = object.name_text().to_string();
        let next = versions.entry(name.clone()).or_insert(0);
        let version = *next;
        *next += 1;
        (name, version, object.bytes.clone())
    });
    objects.collect()
}

/// The object and the bytes of it that are to be free: some that were compared last, or if that is
/// not known somewhere in what is not zero, or just behind.
fn place(
    compared: &[Compared],
    objects: &[(String, u32, Vec<u8>)],
    generator: &mut Pcg64,
) -> Option<(usize, Range<u32>)> {
    let is_of = |byte: &Compared, object: &(String, u32, Vec<u8>)| {
        object.0 == byte.object && object.1 == byte.version
    };
    let (open, at) = match compared.is_empty() {
        false => {
            let byte = &compared[generator.random_range(0..compared.len())];
            (objects.iter().position(|one| is_of(byte, one))?, byte.index)
        }
        true => {
            let contents: Vec<usize> = (0..objects.len())
                .filter(|index| is_content(&objects[*index].0))
                .collect();
            let open = *contents.get(generator.random_range(0..contents.len().max(1)))?;
            let bytes = &objects[open].2;
            let used = bytes
                .iter()
                .rposition(|byte| *byte != 0)
                .map_or(0, |last| last + 1);
            (open, generator.random_range(0..=used) as u32)
        }
    };
    let size = u32::try_from(objects[open].2.len()).ok()?;
    let count = generator.random_range(LEAST_OPEN..=MOST_OPEN).min(size);
    let before = generator.random_range(0..=1).min(at);
    let start = (at - before).min(size - count);
    (count > 0).then_some((open, start..start + count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects() -> Vec<(String, u32, Vec<u8>)> {
        vec![
            ("n_args".into(), 0, vec![1, 0, 0, 0]),
            ("arg00".into(), 0, b"-s=ab\0\0\0\0\0\0".to_vec()),
            ("stdin_stat".into(), 0, vec![7; 144]),
        ]
    }

    #[test]
    fn windows_are_where_bytes_were_compared_last() {
        let mut generator = Pcg64::new(1, STREAM);
        let byte = |index| Compared {
            object: "arg00".into(),
            version: 0,
            index,
        };
        for _ in 0..50 {
            let (open, window) = place(&[byte(5)], &objects(), &mut generator).unwrap();
            assert_eq!(open, 1);
            assert!((4..=5).contains(&window.start), "{window:?}");
            assert!((2..=5).contains(&window.len()), "{window:?}");
            let (_, window) = place(&[byte(10)], &objects(), &mut generator).unwrap();
            assert!(window.end <= 11, "{window:?}");
        }
    }

    #[test]
    fn without_comparisons_they_are_in_what_is_read() {
        let mut generator = Pcg64::new(1, STREAM);
        for _ in 0..50 {
            let (open, window) = place(&[], &objects(), &mut generator).unwrap();
            assert!(open == 1 && window.start <= 5, "{window:?}");
        }
        assert_eq!(place(&[], &objects()[..1], &mut generator), None);
    }

    #[test]
    fn rare_tests_are_chosen_more_often() {
        let test = |sides: &[u32]| Written {
            file: String::new(),
            sides: sides.to_vec(),
            native: None,
            endless: false,
            learned: true,
            compared: Vec::new(),
        };
        let rarity = rarities(&[test(&[1, 2]), test(&[1]), test(&[1, 2, 3])]);
        let third = 1.0 / 3.0;
        let expected = [third + 0.5, third, third + 0.5 + 1.0];
        for (found, expected) in rarity.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9);
        }
        let mut generator = Pcg64::new(1, STREAM);
        let chosen = (0..300).filter(|_| choose(&rarity, &mut generator) == Some(2));
        assert!((150..240).contains(&chosen.count()));
        assert_eq!(choose(&[], &mut generator), None);
    }
}
