//! The address space of 32-bit programs: `address` in four GiB.
//!
//! | regions of 128 MiB | content |
//! |---|---|
//! | 0 | null page, functions, objects at fixed addresses |
//! | 1 to 23 | size classes: objects up to 512 bytes, 1 KiB, ... 64 MiB |
//! | 24 to 29 | stack frames |
//! | 30 and 31 | nothing: the highest numbers are not addresses, such as -1 as a pointer |
//!
//! Units and gaps are as in `address`, but smaller: a gap before and behind an object is at least
//! as wide as the object, and 512 bytes.

use super::address::{AddressRegion, NULL_PAGE};

const REGION_SHIFT: u32 = 27;
const REGION_SIZE: u64 = 1 << REGION_SHIFT;
/// Class 0 has objects of up to 2^(this - 1) bytes.
const FIRST_CLASS: u32 = 10;
/// Regions of each class. Those of large objects hold a few, or one.
const CLASS_REGIONS: [u8; 18] = [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 3];

/// Objects lie at or above this address, except objects at addresses that the program chose.
pub const FIRST_OBJECT: u64 = REGION_SIZE;
/// One past the largest address that an object may have.
pub const ADDRESS_LIMIT: u64 = STACK_BASE + STACK_SIZE;
pub const STACK_BASE: u64 = 24 * REGION_SIZE;
/// Three times a power of two, as of 64 bits: frames are laid out in such units.
pub const STACK_SIZE: u64 = 6 * REGION_SIZE;

const CLASSES: usize = CLASS_REGIONS.len();

/// The first region of each class, and one past the last one's.
const FIRST_REGIONS: [u8; CLASSES + 1] = {
    let mut first = [1; CLASSES + 1];
    let mut class = 0;
    while class < CLASSES {
        first[class + 1] = first[class] + CLASS_REGIONS[class];
        class += 1;
    }
    first
};

/// The class that each region belongs to.
const CLASS_OF_REGION: [u8; 24] = {
    let mut classes = [0; 24];
    let mut class = 0;
    while class < CLASSES {
        let mut region = FIRST_REGIONS[class];
        while region < FIRST_REGIONS[class + 1] {
            classes[region as usize] = class as u8;
            region += 1;
        }
        class += 1;
    }
    classes
};

const _: () = assert!(FIRST_REGIONS[CLASSES] == 24);

/// The place that an address belongs to.
pub fn place(address: u64) -> AddressRegion {
    match address >> REGION_SHIFT {
        0 if address < NULL_PAGE => AddressRegion::Null,
        0 => AddressRegion::Function,
        region @ 1..24 => {
            let class = CLASS_OF_REGION[region as usize];
            let (start, shift) = class_place(class);
            AddressRegion::Class {
                class,
                index: ((address - start) >> shift) / 3,
            }
        }
        24..30 => AddressRegion::Stack,
        _ => AddressRegion::Outside,
    }
}

/// Returns the start of a class, and the binary logarithm of a third of its units.
pub fn class_place(class: u8) -> (u64, u32) {
    let first = FIRST_REGIONS[usize::from(class).min(CLASSES)];
    let start = u64::from(first) << REGION_SHIFT;
    (start, FIRST_CLASS + u32::from(class))
}

/// The size class for an object of `size` bytes with alignment `align` (bytes, a power of two), if
/// there is one.
pub fn class_for(size: u64, align: u64) -> Option<u8> {
    let need = size.max(align).max(1);
    let bits = 64 - (need - 1).leading_zeros();
    let class = (bits + 1).saturating_sub(FIRST_CLASS) as usize;
    (class < CLASSES).then_some(class as u8)
}

/// Returns the number of object numbers of a class.
pub fn class_capacity(class: u8) -> u64 {
    let regions = CLASS_REGIONS.get(usize::from(class)).copied().unwrap_or(0);
    let bytes = u64::from(regions) << REGION_SHIFT;
    (bytes >> (FIRST_CLASS + u32::from(class))) / 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::address::class_address;
    use homi_ir::program::PointerWidth::Bits32;

    #[test]
    fn addresses_map_back_to_their_number() {
        for class in 0..CLASSES as u8 {
            let last = class_capacity(class) - 1;
            for index in [0, 1.min(last), last / 2, last] {
                for align in [1, 16, 64, 256] {
                    let base = class_address(Bits32, class, index, align);
                    assert_eq!(base % align, 0);
                    let size = 1u64 << (FIRST_CLASS + u32::from(class) - 1);
                    assert!(base >= FIRST_OBJECT && base + size < STACK_BASE);
                    for offset in [0, 1, size - 1, size] {
                        let expected = AddressRegion::Class { class, index };
                        assert_eq!(place(base + offset), expected);
                        assert_eq!(place(base - offset), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn sizes_fit_their_class_and_no_smaller_one() {
        for size in [0, 1, 512, 513, 1024, 1 << 20, (1 << 20) + 1, 1 << 26] {
            let class = class_for(size, 1).expect("a class");
            let largest = 1u64 << (FIRST_CLASS + u32::from(class) - 1);
            assert!(size <= largest);
            assert!(class == 0 || size > largest / 2);
        }
        assert_eq!(class_for((1 << 26) + 1, 1), None);
        assert_eq!(place(u64::from(u32::MAX)), AddressRegion::Outside);
        assert_eq!(place(1 << 40), AddressRegion::Outside);
    }
}
