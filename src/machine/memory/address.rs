//! Addresses of objects, and the object number that an address belongs to.
//!
//! Idea: nothing runs natively in homi's own address space, so an address is only a number below
//! 2^47 that is chosen such that address -> object is arithmetic and such that a stray pointer hits
//! nothing. The space is cut into 32 regions of 2^42 bytes:
//!
//! | region | content |
//! |---|---|
//! | 0 | null page, functions, objects at fixed addresses |
//! | 1 to 4 | size class 13 (objects up to 4 KiB) |
//! | 5 to 28 | size classes 14 to 37 |
//! | 29 to 31 | stack frames (see `stack`) |
//!
//! Class `m` holds objects of up to 2^(m-1) bytes in units of `3 * 2^m` bytes; the object starts at
//! `2^m + jitter` in its unit, `jitter < 2^(m-1)`. So every object has a guard gap of at least
//! 2^(m-1) bytes on each side, at least as wide as itself. The factor 3 is there for `p + 2^k`: a
//! power of two is never a multiple of 3, so `p + 2^k` (a carry into a high bit, a pointer tag)
//! lands at least 2^m - jitter from any place where an object of the class lies, for every `p`
//! inside an object. The jitter only keeps low address bits from being the same everywhere, which
//! would make hash tables over pointers degenerate.
//!
//! This is the space of 64-bit programs; `narrow` has the space of 32-bit programs.
//!
//! Numbers of freed objects are reused only when all numbers of a class have been used up.

use super::narrow;
use homi_ir::program::{FuncId, PointerWidth};

/// Addresses below this many bytes are the null page.
pub const NULL_PAGE: u64 = 4096;
const ADDRESS_LIMIT: u64 = 1 << 47;
/// The largest object in bytes (64 GiB); larger requests fail as they would natively.
pub const MAX_OBJECT_SIZE: u64 = 1 << 36;

const REGION_SHIFT: u32 = 42;
const REGION_SIZE: u64 = 1 << REGION_SHIFT;
const FIRST_CLASS: u32 = 13;
#[cfg(test)]
const LAST_CLASS: u32 = 37;
/// Regions that the smallest class has.
const SMALL_REGIONS: u64 = 4;
const FIRST_STACK_REGION: u64 = 29;

const STACK_BASE: u64 = FIRST_STACK_REGION * REGION_SIZE;

/// The first address and the bytes of the stack area.
pub const fn stack_area(pointers: PointerWidth) -> (u64, u64) {
    match pointers {
        PointerWidth::Bits64 => (STACK_BASE, ADDRESS_LIMIT - STACK_BASE),
        PointerWidth::Bits32 => (narrow::STACK_BASE, narrow::STACK_SIZE),
    }
}

/// Objects lie at or above the first of these addresses and below the second, except objects at
/// addresses that the program chose.
pub const fn object_area(pointers: PointerWidth) -> (u64, u64) {
    match pointers {
        PointerWidth::Bits64 => (REGION_SIZE, ADDRESS_LIMIT),
        PointerWidth::Bits32 => (narrow::FIRST_OBJECT, narrow::ADDRESS_LIMIT),
    }
}

/// Number of size classes.
#[cfg(test)]
pub const CLASSES: usize = (LAST_CLASS - FIRST_CLASS + 1) as usize;

/// Address of the first function.
pub const FUNCTION_BASE: u64 = 0x40_0000;
/// Distance of two functions in bytes: 3 * 4096, for the reason of the factor 3 of the classes.
pub const FUNCTION_STRIDE: u64 = 0x3000;
const FUNCTION_LIMIT: u64 = REGION_SIZE;

/// Meaning of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressRegion {
    Null,
    /// The area of functions.
    Function,
    /// The unit of object `index` of a size class (the object or its guard gaps).
    Class {
        class: u8,
        index: u64,
    },
    Stack,
    /// At or above 2^47.
    Outside,
}

/// The place that an address belongs to.
#[inline]
pub fn place(pointers: PointerWidth, address: u64) -> AddressRegion {
    if pointers == PointerWidth::Bits32 {
        return narrow::place(address);
    }
    let region = address >> REGION_SHIFT;
    match region {
        0 if address < NULL_PAGE => AddressRegion::Null,
        0 => AddressRegion::Function,
        1..FIRST_STACK_REGION => {
            let class = region.saturating_sub(SMALL_REGIONS) as u8;
            let shift = FIRST_CLASS + u32::from(class);
            AddressRegion::Class {
                class,
                index: ((address - class_start(class)) >> shift) / 3,
            }
        }
        FIRST_STACK_REGION..32 => AddressRegion::Stack,
        _ => AddressRegion::Outside,
    }
}

fn class_start(class: u8) -> u64 {
    match class {
        0 => REGION_SIZE,
        _ => (u64::from(class) + SMALL_REGIONS) << REGION_SHIFT,
    }
}

/// The size class for an object of `size` bytes with alignment `align` (bytes, a power of two), if
/// there is one.
pub fn class_for(pointers: PointerWidth, size: u64, align: u64) -> Option<u8> {
    if pointers == PointerWidth::Bits32 {
        return narrow::class_for(size, align);
    }
    if size > MAX_OBJECT_SIZE || align > MAX_OBJECT_SIZE {
        return None;
    }
    // An alignment beyond 2^(m-1) would leave no room for it inside the jitter.
    let need = size.max(align).max(1);
    let bits = 64 - (need - 1).leading_zeros();
    Some((bits + 1).saturating_sub(FIRST_CLASS) as u8)
}

/// Returns the number of object numbers of a class.
pub fn class_capacity(pointers: PointerWidth, class: u8) -> u64 {
    if pointers == PointerWidth::Bits32 {
        return narrow::class_capacity(class);
    }
    let bytes = if class == 0 {
        SMALL_REGIONS * REGION_SIZE
    } else {
        REGION_SIZE
    };
    (bytes >> (FIRST_CLASS + u32::from(class))) / 3
}

/// The base address of object `index` of a class; a multiple of `align` (a power of two).
pub fn class_address(pointers: PointerWidth, class: u8, index: u64, align: u64) -> u64 {
    let (start, shift) = class_place(pointers, class);
    let unit = start + ((index * 3) << shift);
    // 16 is what malloc promises on x86-64, and on i386.
    let grain = align.max(16) - 1;
    let spread = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - (shift - 1));
    unit + (1 << shift) + (spread & !grain)
}

/// Returns the start of a class, and the binary logarithm of a third of its units.
fn class_place(pointers: PointerWidth, class: u8) -> (u64, u32) {
    match pointers {
        PointerWidth::Bits64 => (class_start(class), FIRST_CLASS + u32::from(class)),
        PointerWidth::Bits32 => narrow::class_place(class),
    }
}

/// The numbers of a class whose units meet the addresses `low..=high`, first and last.
pub fn class_numbers(pointers: PointerWidth, class: u8, low: u64, high: u64) -> Option<(u64, u64)> {
    let (start, shift) = class_place(pointers, class);
    let end = start + ((class_capacity(pointers, class) * 3) << shift);
    if high < start || low >= end {
        return None;
    }
    let number = |address: u64| ((address.clamp(start, end - 1) - start) >> shift) / 3;
    Some((number(low), number(high)))
}

/// The address of a function.
pub fn function_address(function: FuncId) -> u64 {
    FUNCTION_BASE + u64::from(function.0) * FUNCTION_STRIDE
}

/// The number of the function that starts at `address`; the caller checks that the program has as
/// many functions.
pub fn function_at(address: u64) -> Option<FuncId> {
    let distance = address.checked_sub(FUNCTION_BASE)?;
    (address < FUNCTION_LIMIT && distance % FUNCTION_STRIDE == 0)
        .then(|| FuncId::new((distance / FUNCTION_STRIDE) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use PointerWidth::Bits64;

    #[test]
    fn addresses_map_back_to_their_number() {
        for class in 0..CLASSES as u8 {
            let last = class_capacity(Bits64, class) - 1;
            for index in [0, 1, 2, 7, last / 2, last] {
                for align in [1, 16, 64, 4096] {
                    let base = class_address(Bits64, class, index, align);
                    assert_eq!(base % align, 0);
                    assert!(base < STACK_BASE);
                    let size = 1u64 << (FIRST_CLASS + u32::from(class) - 1);
                    for offset in [0, 1, size - 1, size] {
                        let expected = AddressRegion::Class { class, index };
                        assert_eq!(place(Bits64, base + offset), expected);
                        assert_eq!(place(Bits64, base - offset), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn sizes_fit_their_class_and_no_smaller_one() {
        for size in [
            0,
            1,
            4096,
            4097,
            8192,
            8193,
            1 << 20,
            (1 << 20) + 1,
            1 << 36,
        ] {
            let class = class_for(Bits64, size, 1).expect("a class");
            let largest = 1u64 << (FIRST_CLASS + u32::from(class) - 1);
            assert!(size <= largest);
            assert!(class == 0 || size > largest / 2);
        }
        assert_eq!(class_for(Bits64, (1 << 36) + 1, 1), None);
        assert_eq!(class_for(Bits64, 8, 1 << 20), class_for(Bits64, 1 << 20, 1));
    }

    #[test]
    fn a_power_of_two_never_leads_from_an_object_to_another_of_its_class() {
        for class in [0u8, 1, 5] {
            let size = 1u64 << (FIRST_CLASS + u32::from(class) - 1);
            for index in 40..60u64 {
                let base = class_address(Bits64, class, index, 1);
                for inside in [0, 1, size / 2, size - 1] {
                    for bit in 0..42 {
                        for target in [
                            base + inside + (1 << bit),
                            (base + inside).wrapping_sub(1 << bit),
                        ] {
                            if let AddressRegion::Class { class: c, index: i } =
                                place(Bits64, target)
                            {
                                let other = class_address(Bits64, c, i, 1);
                                let hit = target.wrapping_sub(other) < size;
                                assert!(!hit || (c, i) == (class, index) || c != class);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn functions_have_addresses_of_their_own() {
        for number in [0, 1, 5, 100_000] {
            let function = FuncId(number);
            let address = function_address(function);
            assert_eq!(function_at(address), Some(function));
            assert_eq!(function_at(address + 1), None);
            assert_eq!(place(Bits64, address), AddressRegion::Function);
        }
        assert_eq!(function_at(0), None);
    }
}
