//! Recorded links of executables and shared objects, and the order in which a loader starts shared
//! objects.

use super::super::line::LinkOptions;
use crate::embedded::{Part, SourceRecord};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Record of a link step by `homi cc`: the linker options and linked files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// Options of the linker.
    pub options: LinkOptions,
    /// The linked files, and what the output has of each.
    pub parts: Vec<Part>,
    /// Names of the output's constructors in the order in which they run.
    pub constructors: Vec<String>,
    /// The part that carries a record; `None` if two parts carry equal records.
    by_record: BTreeMap<SourceRecord, Option<usize>>,
}

impl Link {
    /// Creates the record of a link step with these linker arguments.
    pub(super) fn new(line: &[String], parts: &[Part], constructors: &[String]) -> Link {
        let mut by_record = BTreeMap::new();
        for (number, part) in parts.iter().enumerate() {
            for record in &part.records {
                let found = by_record.entry(record.clone());
                found.and_modify(|one| *one = None).or_insert(Some(number));
            }
        }
        Link {
            options: LinkOptions::parse(line),
            parts: parts.to_vec(),
            constructors: constructors.to_vec(),
            by_record,
        }
    }

    /// The part that carries a record.
    pub(super) fn part_with(&self, record: &SourceRecord) -> Option<usize> {
        self.by_record.get(record).copied().flatten()
    }
}

/// A shared object of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Library {
    /// Its real path.
    pub(super) path: PathBuf,
    /// Numbers of the shared objects that it was linked with.
    pub(super) uses: Vec<usize>,
}

/// Returns each shared object's place in the order in which their constructors run. As in glibc's
/// loader, a traversal from the last shared object visits each after the ones that it uses.
pub(super) fn starting_order(libraries: &[Library]) -> Vec<usize> {
    let mut order = vec![0; libraries.len()];
    let (mut seen, mut next) = (BTreeSet::new(), 0);
    for number in (0..libraries.len()).rev() {
        visit(libraries, number, &mut seen, &mut |number| {
            order[number] = next;
            next += 1;
        });
    }
    order
}

fn visit(
    libraries: &[Library],
    number: usize,
    seen: &mut BTreeSet<usize>,
    leave: &mut dyn FnMut(usize),
) {
    if !seen.insert(number) {
        return;
    }
    for used in &libraries[number].uses {
        visit(libraries, *used, seen, &mut *leave);
    }
    leave(number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_object_starts_after_those_that_it_uses() {
        let uses = |uses: &[usize]| Library {
            uses: uses.to_vec(),
            ..Library::default()
        };
        let two = [uses(&[]), uses(&[])];
        assert_eq!(starting_order(&two), [1, 0]);
        let diamond = [uses(&[]), uses(&[0]), uses(&[1])];
        assert_eq!(starting_order(&diamond), [0, 1, 2]);
        let circle = [uses(&[1]), uses(&[0])];
        assert_eq!(starting_order(&circle), [0, 1]);
    }
}
