//! The objects of an earlier test whose path a state follows, by name or by place.

use std::sync::Arc;

/// One object of the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenObject {
    pub name: String,
    /// How many objects before it have the name.
    pub number: usize,
    pub bytes: Vec<u8>,
}

/// The objects of a test, in its order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GivenObjects {
    objects: Vec<GivenObject>,
    /// The program's object is the one in the same place, whatever its name.
    pub by_position: bool,
    /// The file that messages name; a test that the session made itself has none, and nothing is
    /// told of it.
    pub file: Option<Arc<str>>,
}

/// An object for which the program asks.
#[derive(Clone, Copy, Debug)]
pub struct WantedObject<'a> {
    pub name: &'a str,
    /// How many objects of the name the path has made before it.
    pub number: usize,
    /// How many objects the path has made before it.
    pub place: usize,
}

/// KLEE 2 wrote `A-data`, KLEE 3 and homi write `A_data`.
fn same_name(a: &str, b: &str) -> bool {
    let alike = |(a, b): (u8, u8)| a == b || matches!((a, b), (b'-', b'_') | (b'_', b'-'));
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(alike)
}

impl GivenObjects {
    /// Objects as names and bytes.
    pub fn new(named: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let mut objects: Vec<GivenObject> = Vec::new();
        for (name, bytes) in named {
            let earlier = objects.iter().filter(|known| same_name(&known.name, &name));
            let number = earlier.count();
            objects.push(GivenObject {
                name,
                number,
                bytes,
            });
        }
        Self {
            objects,
            ..Self::default()
        }
    }

    /// The object that the program gets.
    pub fn find(&self, wanted: WantedObject<'_>) -> Option<&GivenObject> {
        let WantedObject {
            name,
            number,
            place,
        } = wanted;
        match self.by_position {
            true => self.objects.get(place),
            false => {
                let mut objects = self.objects.iter();
                objects.find(|known| known.number == number && same_name(&known.name, name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_objects_are_others() {
        assert!(same_name("stdin-stat", "stdin_stat"));
        assert!(!same_name("stdin", "stdin_stat") && !same_name("arg00", "arg01"));
    }

    #[test]
    fn objects_are_found_by_name_and_number_or_by_place() {
        let named = [("x", 1), ("A-data", 2), ("x", 3)];
        let named = named.map(|(name, byte)| (name.to_string(), vec![byte]));
        let mut given = GivenObjects::new(named);
        let wanted = |name, number, place| WantedObject {
            name,
            number,
            place,
        };
        let byte = |given: &GivenObjects, wanted| given.find(wanted).map(|found| found.bytes[0]);
        assert_eq!(byte(&given, wanted("A_data", 0, 0)), Some(2));
        assert_eq!(byte(&given, wanted("x", 1, 0)), Some(3));
        assert_eq!(byte(&given, wanted("x", 2, 0)), None);
        given.by_position = true;
        assert_eq!(byte(&given, wanted("y", 0, 1)), Some(2));
        assert_eq!(byte(&given, wanted("x", 0, 3)), None);
    }
}
