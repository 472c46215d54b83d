//! An assignment of values to symbolic bytes; bytes it does not mention are 0.
//!
//! Invariant: a value. A clone shares everything, a change copies one array's bytes and the list of
//! arrays. Two models are equal when they give every byte the same value.

use super::node::{ArrayId, Byte};
use std::sync::Arc;

/// Persistent map from symbolic bytes to values.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Sorted by array.
    arrays: Arc<Vec<(ArrayId, Arc<[u8]>)>>,
}

impl Model {
    /// All bytes 0.
    pub fn new() -> Model {
        Model::default()
    }

    /// True if the two are unchanged copies of one model. Equal models need not be copies.
    pub(super) fn is_same(&self, other: &Model) -> bool {
        Arc::ptr_eq(&self.arrays, &other.arrays)
    }

    /// The byte's value.
    #[inline]
    pub fn get(&self, byte: Byte) -> u8 {
        self.bytes(byte.array)
            .get(byte.index as usize)
            .copied()
            .unwrap_or(0)
    }

    /// The stored bytes of an array; those beyond the end of the slice are 0.
    #[inline]
    pub fn bytes(&self, array: ArrayId) -> &[u8] {
        match self.arrays.binary_search_by_key(&array, |entry| entry.0) {
            Ok(position) => &self.arrays[position].1,
            Err(_) => &[],
        }
    }

    /// Changes one byte.
    pub fn set(&mut self, byte: Byte, value: u8) {
        if self.get(byte) == value {
            return;
        }
        let index = byte.index as usize;
        let arrays = Arc::make_mut(&mut self.arrays);
        match arrays.binary_search_by_key(&byte.array, |entry| entry.0) {
            Ok(position) => {
                let stored = &mut arrays[position].1;
                match Arc::get_mut(stored) {
                    Some(bytes) if index < bytes.len() => bytes[index] = value,
                    _ => {
                        // Of known length, so it is allocated once.
                        let length = stored.len().max(index + 1);
                        let new = |at| {
                            if at == index {
                                value
                            } else {
                                stored.get(at).copied().unwrap_or(0)
                            }
                        };
                        *stored = (0..length).map(new).collect();
                    }
                }
            }
            Err(position) => {
                let mut bytes = vec![0; index + 1];
                bytes[index] = value;
                arrays.insert(position, (byte.array, bytes.into()));
            }
        }
    }

    /// Gives all bytes of an array the value 0.
    pub fn forget(&mut self, array: ArrayId) {
        if let Ok(position) = self.arrays.binary_search_by_key(&array, |entry| entry.0) {
            Arc::make_mut(&mut self.arrays).remove(position);
        }
    }

    /// Every stored byte with its value, in (array, index) order.
    pub fn iter(&self) -> impl Iterator<Item = (Byte, u8)> + '_ {
        self.arrays.iter().flat_map(|(array, bytes)| {
            bytes.iter().enumerate().map(|(index, value)| {
                let byte = Byte {
                    array: *array,
                    index: index as u32,
                };
                (byte, *value)
            })
        })
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        let nonzero = |entry: &(Byte, u8)| entry.1 != 0;
        self.iter().filter(nonzero).eq(other.iter().filter(nonzero))
    }
}

impl Eq for Model {}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(array: u32, index: u32) -> Byte {
        Byte {
            array: ArrayId(array),
            index,
        }
    }

    #[test]
    fn a_clone_keeps_its_values() {
        let mut model = Model::new();
        model.set(byte(1, 3), 7);
        let old = model.clone();
        model.set(byte(1, 3), 8);
        model.set(byte(0, 0), 1);
        assert_eq!(old.get(byte(1, 3)), 7);
        assert_eq!(old.get(byte(0, 0)), 0);
        assert_eq!(model.get(byte(1, 3)), 8);
        assert_eq!(model.get(byte(1, 9)), 0);
    }

    #[test]
    fn stored_zeros_do_not_matter_for_equality() {
        let mut one = Model::new();
        one.set(byte(0, 1), 5);
        let mut other = one.clone();
        other.set(byte(0, 6), 1);
        assert_ne!(one, other);
        other.set(byte(0, 6), 0);
        assert_eq!(one, other);
    }

    #[test]
    fn iteration_is_ordered() {
        let mut model = Model::new();
        model.set(byte(2, 0), 1);
        model.set(byte(0, 1), 2);
        let bytes: Vec<_> = model.iter().map(|(byte, _)| byte).collect();
        let mut sorted = bytes.clone();
        sorted.sort();
        assert_eq!(bytes, sorted);
    }
}
