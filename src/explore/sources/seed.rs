//! One earlier test on its way along its path.

use homi_machine::state::{GivenObjects, SideSet, State, SymbolicObject, WantedObject};
use homi_native::testcase::ktest::KTest;
use homi_solver::term::{Byte, Model, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A test to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedTest {
    pub test: KTest,
    /// For a path that may be without end: the branch sides that an earlier run of the session saw
    /// on it. It is followed until it has covered them.
    pub shows: Option<Vec<u32>>,
    /// All has been learned from the test's path already.
    pub known: bool,
    /// The file that messages name, if it is not a test of the session itself.
    pub file: Option<Arc<str>>,
    /// The bytes of standard input, if they are more than the run's arguments have room for.
    pub whole_input: Option<Vec<u8>>,
}

/// The objects of a test, which a path gets by name.
pub(super) fn objects_of(test: &KTest) -> GivenObjects {
    let objects = test.objects.iter();
    GivenObjects::new(objects.map(|object| (object.name_text(), object.bytes.clone())))
}

/// One earlier test on its way.
pub(super) struct Seed {
    /// Number of the seed among the given ones.
    pub(super) number: usize,
    pub(super) objects: Arc<GivenObjects>,
    /// Coverage that its path still has to show.
    to_show: Option<Vec<u32>>,
    pub(super) known: bool,
    /// The bytes of the objects that the path has made so far.
    pub(super) model: Model,
    /// Number of the path's objects that have their bytes.
    matched: usize,
    /// Number of these with each name.
    names: BTreeMap<Arc<str>, usize>,
    /// True if an object did not fit the program, which was reported.
    pub(super) has_size_mismatch: bool,
}

impl Seed {
    pub(super) fn new((number, seed): (usize, &SeedTest)) -> Self {
        let mut objects = objects_of(&seed.test);
        objects.file.clone_from(&seed.file);
        Self {
            number,
            objects: Arc::new(objects),
            to_show: seed.shows.clone(),
            known: seed.known,
            model: Model::new(),
            matched: 0,
            names: BTreeMap::new(),
            has_size_mismatch: false,
        }
    }

    /// Gives the objects that a path has made recently their bytes. Bytes that the seed's object
    /// lacks are zero; an object that the seed lacks is as in `own`, which satisfies the path.
    pub(super) fn match_objects(&mut self, made: &[SymbolicObject], own: &Model) {
        while let Some(object) = made.get(self.matched) {
            let earlier = self.names.entry(Arc::clone(&object.name)).or_insert(0);
            let known = self.objects.find(WantedObject {
                name: &object.name,
                size: object.size,
                earlier: *earlier,
                before: &made[..self.matched],
            });
            *earlier += 1;
            let own_bytes = || object.bytes(own);
            let bytes = known.map_or_else(own_bytes, |known| known.bytes.clone());
            for index in (0..object.size).rev() {
                let value = bytes.get(index as usize).copied().unwrap_or(0);
                let array = object.array;
                self.model.set(Byte { array, index }, value);
            }
            self.matched += 1;
        }
    }

    /// True if the path has covered all that it is known to cover.
    pub(super) fn has_shown(&mut self, sides: &SideSet) -> bool {
        let Some(to_show) = &mut self.to_show else {
            return false;
        };
        while to_show.last().is_some_and(|side| sides.contains(*side)) {
            to_show.pop();
        }
        to_show.is_empty()
    }

    pub(super) fn takes(&mut self, terms: &Terms, state: &State) -> bool {
        let before = self.matched;
        self.match_objects(&state.symbolics.objects, &state.model);
        let takes = state.admits(terms, &self.model);
        if !takes {
            // Another state may have other bytes in what the seed lacks.
            self.matched = before;
        }
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_machine::state::Matching;

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
            file: None,
            whole_input: None,
        }
    }

    #[test]
    fn a_path_without_end_is_followed_until_it_has_shown_what_is_known() {
        let test = SeedTest {
            test: KTest::new(["prog.bc"]),
            shows: Some(vec![2, 70]),
            known: true,
            file: None,
            whole_input: None,
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
        seed.match_objects(&made[..1], &Model::new());
        assert_eq!(seed.matched, 1);
        seed.match_objects(&made, &Model::new());
        let bytes = |object: &SymbolicObject| object.bytes(&seed.model);
        let found: Vec<Vec<u8>> = made.iter().map(bytes).collect();
        assert_eq!(found, [vec![1, 2], vec![4, 5, 6, 7], vec![3, 0], vec![0]]);
    }

    #[test]
    fn objects_may_be_matched_by_their_order() {
        let mut test = KTest::new(["prog.bc"]);
        test.push("a", [7]);
        let mut seed = Seed::new((0, &seed_of(test)));
        Arc::make_mut(&mut seed.objects).matching = Matching::ByPosition;
        let made = object("b", 0, 2);
        seed.match_objects(std::slice::from_ref(&made), &Model::new());
        assert_eq!(made.bytes(&seed.model), [7, 0]);
    }

    #[test]
    fn an_object_that_the_seed_lacks_keeps_the_paths_bytes() {
        let unknown = object("y", 0, 3);
        let mut seed = Seed::new((0, &seed_of(KTest::new(["prog.bc"]))));
        let mut own = Model::new();
        let array = unknown.array;
        own.set(Byte { array, index: 1 }, 5);
        seed.match_objects(std::slice::from_ref(&unknown), &own);
        assert_eq!(unknown.bytes(&seed.model), [0, 5, 0]);
    }
}
