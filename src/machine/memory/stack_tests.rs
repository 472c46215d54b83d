//! Tests of the addresses of frames and their objects.

use super::super::layout::largest;
use super::*;
use homi_ir::program::{FrameObject, FuncId};

fn layout(sizes: &[u64]) -> Arc<FrameLayout> {
    let objects: Vec<FrameObject> = sizes
        .iter()
        .map(|&size| FrameObject {
            size,
            align: 16,
            name: String::new(),
            declared: Default::default(),
            in_block: false,
        })
        .collect();
    FrameLayout::new(PointerWidth::Bits64, FuncId(0), &objects)
}

#[test]
fn objects_of_a_frame_have_gaps_at_least_as_wide_as_they_are() {
    let layout = layout(&[4, 4, 5000, 1, 1 << 20, 0]);
    for pair in layout.objects.windows(2) {
        let gap = pair[0].0 - (pair[1].0 + pair[1].1);
        assert!(gap >= 4096 && gap >= pair[1].1 && gap >= pair[0].1 / 2);
    }
}

#[test]
fn native_stacks_lie_beside_the_objects() {
    for thread in 0..max_stacks(PointerWidth::Bits64) {
        let top = native_stack_top(PointerWidth::Bits64, thread);
        assert!(
            stack_of(PointerWidth::Bits64, top) >= max_stacks(PointerWidth::Bits64)
                && top < 1 << 47
        );
    }
}

#[test]
fn a_million_calls_never_share_an_address() {
    let layout = layout(&[8, 100]);
    let mut stack = Stack::default();
    let outer = stack.push(&layout, None);
    let mut last = outer;
    for _ in 0..1_000_000 {
        let address = stack.push(&layout, None);
        assert!(address < last);
        assert_eq!(stack.find(address + layout.offset(1)), Some((1, 1)));
        stack.pop();
        assert_eq!(stack.find(address + layout.offset(1)), None);
        last = address;
    }
    assert_eq!(stack.find(outer + layout.offset(0)), Some((0, 0)));
}

#[test]
fn positions_wrap_around_live_frames() {
    let big = layout(&[largest(PointerWidth::Bits64)]);
    let small = layout(&[8]);
    let mut stack = Stack::default();
    let kept = stack.push(&small, None);
    let mut wrapped = false;
    let mut last = 0;
    for _ in 0..2000 {
        let address = stack.push(&big, None);
        wrapped |= address > last;
        last = address;
        let overlaps = address < kept + small.size && kept < address + big.size;
        assert!(!overlaps);
        assert_eq!(stack.find(address + big.offset(0)), Some((1, 0)));
        assert_eq!(stack.find(kept + small.offset(0)), Some((0, 0)));
        stack.pop();
    }
    assert!(wrapped);
}
