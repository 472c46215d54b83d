//! Layouts of frames: where a function's fixed-size locals lie relative to its frame's address.

use super::address::stack_area;
use homi_ir::program::{FrameObject, FuncId, PointerWidth};
use std::sync::{Arc, LazyLock};

/// log2 of the smallest unit part: objects of up to 2 KiB take 12 KiB of addresses, in 32-bit
/// programs objects of up to 16 bytes 96 bytes. So all frames that fit onto a native stack of 8 MiB
/// have places in four GiB, too.
const fn smallest_shift(pointers: PointerWidth) -> u32 {
    match pointers {
        PointerWidth::Bits64 => 12,
        PointerWidth::Bits32 => 5,
    }
}

/// Returns the size of the largest local in bytes: its unit fits into any stack of a 64-bit
/// program, and into the first thread's stack of a 32-bit program.
pub(super) const fn largest(pointers: PointerWidth) -> u64 {
    match pointers {
        PointerWidth::Bits64 => stack_area(pointers).1 / 4096,
        PointerWidth::Bits32 => 1 << 24,
    }
}

/// The layout of calls that have dynamic locals alone.
pub(super) static EMPTY_LAYOUT: LazyLock<Arc<FrameLayout>> =
    LazyLock::new(|| FrameLayout::new(Default::default(), FuncId(0), &[]));

/// The places of a function's frame objects relative to the frame's address.
#[derive(Debug)]
pub struct FrameLayout {
    pub(super) function: FuncId,
    /// Offset and size in bytes by object, offsets descending.
    pub(super) objects: Box<[(u64, u64)]>,
    /// Length of the frame's addresses in bytes, gaps included.
    pub(super) size: u64,
    /// The frame's position and size are multiples of this.
    pub(super) grain: u64,
    /// Bit `i`: object `i` is a local of a block.
    pub(super) in_block: u64,
}

impl FrameLayout {
    /// Length of the frame's addresses in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Lays out a function's frame objects.
    pub fn new(
        pointers: PointerWidth,
        function: FuncId,
        objects: &[FrameObject],
    ) -> Arc<FrameLayout> {
        let (smallest, largest) = (smallest_shift(pointers), largest(pointers));
        let mut cursor = 0u64;
        let mut grain = 3 << smallest;
        let mut places = Vec::with_capacity(objects.len());
        for object in objects {
            // As in `address`: the object starts at 2^m in a unit of 3 * 2^m, 2^(m-1) >= its size.
            let need = object.size.max(u64::from(object.align)).clamp(1, largest);
            let shift = (64 - (need - 1).leading_zeros() + 1).max(smallest);
            let unit = 3u64 << shift;
            grain = grain.max(unit);
            cursor = cursor.next_multiple_of(unit) + unit;
            // The first local has the highest place: so far, bytes down from the frame's end.
            places.push((cursor - (1 << shift), object.size.min(largest)));
        }
        let in_block = (objects.iter().take(64).enumerate())
            .map(|(index, object)| u64::from(object.in_block) << index)
            .sum();
        let size = cursor.next_multiple_of(grain);
        for place in &mut places {
            place.0 = size - place.0;
        }
        Arc::new(FrameLayout {
            function,
            objects: places.into(),
            size,
            grain,
            in_block,
        })
    }

    /// The offset in bytes of a frame object from the frame's address.
    #[inline]
    pub fn offset(&self, object: u32) -> u64 {
        self.objects[object as usize].0
    }

    /// The object whose unit `offset` lies in, as nearly as offsets tell: the last that starts at
    /// or below it.
    pub(super) fn object_at(&self, offset: u64) -> usize {
        let first = self.objects.partition_point(|place| place.0 > offset);
        first.min(self.objects.len().saturating_sub(1))
    }
}
