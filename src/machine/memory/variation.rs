//! Variation of addresses and of uninitialized bytes, which no program may rely on.
//!
//! Invariant: objects that exist keep their addresses and bytes.

use super::{Class, Memory, address};

/// Size classes whose numbers are shifted; objects of larger classes are rare.
const SHIFTED_CLASSES: usize = 16;
/// Bytes by which the stack position is shifted for each number of the variation.
const STACK_STEP: u64 = 3 << 13;
/// Number of objects of a size class, a power of two, whose order varies.
const ROW: u64 = 1 << 10;
/// Odd factor that spreads the bits of a variation over a row.
const ROW_STEP: u64 = 11;
/// Sign bit of an integer's highest byte.
const SIGN: u8 = 0x80;

impl Memory {
    /// Places further objects at other addresses and fills them with other bytes than with another
    /// `variation` (0: no change).
    pub fn vary(&mut self, variation: u16) {
        if variation == 0 {
            return;
        }
        if self.classes.len() < SHIFTED_CLASSES {
            self.classes.resize_with(SHIFTED_CLASSES, Class::default);
        }
        // Tracked uninitialized bytes are terms. The sign changes, so that a comparison with zero
        // has another result.
        let flipped = match self.undefined {
            Some(_) => 0,
            None => variation as u8 | SIGN,
        };
        let order = self.order_of_numbers();
        self.variation = flipped;
        let has_other_order = self.order_of_numbers() != order;
        for (class, space) in self.classes.iter_mut().enumerate() {
            let capacity = address::class_capacity(self.pointers, class as u8);
            // In another order, numbers of the last row may belong to objects already.
            let next = if has_other_order {
                space.next.next_multiple_of(ROW)
            } else {
                space.next
            };
            let shifted = next + u64::from(variation);
            space.next = shifted.min(capacity / 2).max(space.next);
        }
        self.stack.vary(flipped, u64::from(variation) * STACK_STEP);
    }

    /// Returns the bits that differ between the number of a new object and the one that follows in
    /// a row, if the distances and the order of new objects vary. An odd variation has the opposite
    /// order, others have one of their own.
    pub(super) fn order_of_numbers(&self) -> Option<u64> {
        let variation = u64::from(self.variation & !SIGN);
        let own = match variation % 2 {
            1 => ROW - 1,
            _ => variation * ROW_STEP % ROW,
        };
        (self.variation != 0).then_some(own)
    }
}

#[cfg(test)]
mod tests {
    use crate::memory::{AllocationSite, ByteValue, Memory, ObjectKind, UNINITIALISED};
    use homi_ir::program::PointerWidth;
    use homi_solver::term::Terms;

    #[test]
    fn objects_are_not_replaced_when_bytes_become_tracked_after_a_variation() {
        let terms = Terms::new();
        let mut memory = Memory::new(PointerWidth::Bits64);
        memory.vary(34);
        let site = || AllocationSite::Engine("test");
        let allocate = |memory: &mut Memory| {
            let address = memory.allocate(ObjectKind::Heap, 8, 16, site());
            address.expect("room")
        };
        let first: Vec<u64> = (0..200).map(|_| allocate(&mut memory)).collect();
        memory.track_undefined(vec![terms.constant(8, 0)].into());
        memory.vary(34);
        for _ in 0..2_000 {
            allocate(&mut memory);
        }
        for address in first {
            let object = memory.object_at(address).map(|object| object.base);
            assert_eq!(object, Some(address));
        }
    }

    #[test]
    fn later_objects_have_other_addresses_and_bytes() {
        let allocated = |variation: u16| {
            let mut memory = Memory::new(PointerWidth::Bits64);
            memory.vary(variation);
            let site = AllocationSite::Engine("test");
            let address = memory
                .allocate(ObjectKind::Heap, 8, 16, site)
                .expect("room");
            let Ok(ByteValue::Concrete(byte)) = memory.read_byte(&Terms::new(), address) else {
                panic!("a byte");
            };
            let next = memory
                .allocate(ObjectKind::Heap, 8, 16, AllocationSite::Engine("test"))
                .expect("room");
            (address, byte, next.wrapping_sub(address))
        };
        assert_eq!(allocated(0).1, UNINITIALISED);
        assert_eq!(allocated(0), allocated(0));
        let (first, varied) = (allocated(0), allocated(9));
        assert_ne!(first.0, varied.0);
        assert_ne!(first.2, varied.2);
        assert_ne!((first.2 as i64) < 0, (varied.2 as i64) < 0);
        assert_ne!((first.1 as i8) < 0, (varied.1 as i8) < 0);
    }
}
