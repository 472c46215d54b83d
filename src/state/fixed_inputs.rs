//! Symbolic objects whose bytes are given, but for a window of one of them.

use std::ops::Range;

/// What the symbolic objects of a path are made of where most of their bytes are those of a test.
///
/// Objects that the test does not have are symbolic as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedInputs {
    /// Name, number among the objects of that name from 0, bytes.
    pub objects: Vec<(String, u32, Vec<u8>)>,
    /// The index in `objects` of the one with the window.
    pub open: usize,
    /// Its bytes that stay symbolic.
    pub window: Range<u32>,
}

impl FixedInputs {
    /// The bytes of a new object of `size` bytes, zeros where the test has none, and those among
    /// them that stay symbolic; nothing if the test does not have the object.
    pub fn of(&self, name: &str, version: u32, size: u32) -> Option<(Vec<u8>, Range<u32>)> {
        let same =
            |(known, number, _): &(String, u32, Vec<u8>)| known == name && *number == version;
        let index = self.objects.iter().position(same)?;
        let mut bytes = self.objects[index].2.clone();
        bytes.resize(size as usize, 0);
        let window = match index == self.open {
            true => self.window.start.min(size)..self.window.end.min(size),
            false => 0..0,
        };
        Some((bytes, window))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_one_object_is_open() {
        let fixed = FixedInputs {
            objects: vec![("x".into(), 0, vec![1, 2, 3]), ("x".into(), 1, vec![4])],
            open: 0,
            window: 1..5,
        };
        assert_eq!(fixed.of("x", 0, 4), Some((vec![1, 2, 3, 0], 1..4)));
        assert_eq!(fixed.of("x", 0, 1), Some((vec![1], 1..1)));
        assert_eq!(fixed.of("x", 1, 2), Some((vec![4, 0], 0..0)));
        assert_eq!(fixed.of("x", 2, 2), None);
    }
}
