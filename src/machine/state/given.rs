//! The objects of an earlier test whose path a state follows, by name or by place.

use super::SymbolicObject;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One object of the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenObject {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Matching of a test's objects to the program's objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Matching {
    /// The one of the same name and number.
    #[default]
    ByName,
    /// Matches by name; without an object of that name, the first unused object if it has the size,
    /// as in KLEE.
    ByNameOrSize,
    /// The one in the same place, whatever its name.
    ByPosition,
}

/// The objects of a test, in its order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GivenObjects {
    objects: Vec<GivenObject>,
    /// Positions of the objects with each name, as [`spelled`] writes it.
    named: BTreeMap<String, Vec<usize>>,
    pub matching: Matching,
    /// File for messages; `None` for a test that the session made, which has no messages.
    pub file: Option<Arc<str>>,
}

/// An object for which the program asks.
#[derive(Clone, Copy, Debug)]
pub struct WantedObject<'a> {
    pub name: &'a str,
    /// In bytes.
    pub size: u32,
    /// Number of objects of its name that the path has made before it.
    pub earlier: usize,
    /// The objects that the path has made before it.
    pub before: &'a [SymbolicObject],
}

/// Returns a name as KLEE 3 and homi write it: KLEE 2 wrote `A-data` for `A_data`.
fn spelled(name: &str) -> Cow<'_, str> {
    if name.contains('-') {
        name.replace('-', "_").into()
    } else {
        name.into()
    }
}

impl GivenObjects {
    /// Objects as names and bytes.
    pub fn new(named: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let mut given = Self::default();
        for (place, (name, bytes)) in named.into_iter().enumerate() {
            let places = given.named.entry(spelled(&name).into_owned());
            places.or_default().push(place);
            given.objects.push(GivenObject { name, bytes });
        }
        given
    }

    /// The object that the program gets.
    pub fn find(&self, wanted: WantedObject<'_>) -> Option<&GivenObject> {
        match self.matching {
            Matching::ByPosition => self.objects.get(wanted.before.len()),
            Matching::ByName => {
                let places = self.named.get(&*spelled(wanted.name))?;
                Some(&self.objects[*places.get(wanted.earlier)?])
            }
            Matching::ByNameOrSize => self.find_by_name_or_size(wanted),
        }
    }

    fn find_by_name_or_size(&self, wanted: WantedObject<'_>) -> Option<&GivenObject> {
        let mut used = vec![false; self.objects.len()];
        let mut take = |name: &str, size: u32| {
            let name = spelled(name);
            let free = |(place, _): &(usize, &GivenObject)| !used[*place];
            let mut named = self.objects.iter().enumerate().filter(free);
            let found = match named.find(|(_, own)| spelled(&own.name) == name) {
                Some(found) => Some(found),
                None => (self.objects.iter().enumerate())
                    .find(free)
                    .filter(|(_, own)| own.bytes.len() == size as usize),
            };
            let (place, found) = found?;
            used[place] = true;
            Some(found)
        };
        for made in wanted.before {
            take(&made.name, made.size);
        }
        take(wanted.name, wanted.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_solver::term::Terms;

    #[test]
    fn names_of_other_objects_are_others() {
        assert_eq!(spelled("stdin-stat"), spelled("stdin_stat"));
        assert_ne!(spelled("stdin"), spelled("stdin_stat"));
    }

    fn given(named: &[(&str, &[u8])]) -> GivenObjects {
        let named = named.iter();
        GivenObjects::new(named.map(|(name, bytes)| (name.to_string(), bytes.to_vec())))
    }

    fn made(named: &[(&str, u32)]) -> Vec<SymbolicObject> {
        let terms = Terms::new();
        let named = (0..).zip(named);
        let object = |(version, (name, size)): (u32, &(&str, u32))| SymbolicObject {
            array: terms.array(name, version, *size),
            name: (*name).into(),
            size: *size,
        };
        named.map(object).collect()
    }

    fn first_byte(given: &GivenObjects, name: &str, before: &[SymbolicObject]) -> Option<u8> {
        let found = given.find(WantedObject {
            name,
            size: 1,
            earlier: before.iter().filter(|one| &*one.name == name).count(),
            before,
        });
        found.map(|found| found.bytes[0])
    }

    #[test]
    fn objects_are_found_by_name_and_number_or_by_place() {
        let mut given = given(&[("x", &[1]), ("A-data", &[2]), ("x", &[3])]);
        assert_eq!(first_byte(&given, "A_data", &[]), Some(2));
        let one = made(&[("x", 1)]);
        assert_eq!(first_byte(&given, "x", &one), Some(3));
        assert_eq!(first_byte(&given, "x", &made(&[("x", 1), ("x", 1)])), None);
        given.matching = Matching::ByPosition;
        assert_eq!(first_byte(&given, "y", &one), Some(2));
        assert_eq!(first_byte(&given, "x", &made(&[("y", 1); 3])), None);
    }

    #[test]
    fn klee_mode_takes_the_first_unused_object_of_the_size() {
        let mut given = given(&[("a", &[1]), ("b", &[2]), ("c", &[3, 3])]);
        given.matching = Matching::ByNameOrSize;
        assert_eq!(first_byte(&given, "b", &[]), Some(2));
        assert_eq!(first_byte(&given, "y", &[]), Some(1));
        assert_eq!(first_byte(&given, "y", &made(&[("b", 1)])), Some(1));
        let both = made(&[("b", 1), ("y", 1)]);
        assert_eq!(first_byte(&given, "z", &both), None, "c has two bytes");
    }
}
