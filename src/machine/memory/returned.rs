//! The frames that a thread has left last, so that a report can name the local that a stale pointer
//! led to.
//!
//! Invariant: only reports depend on it; what is forgotten costs a name.

use super::layout::FrameLayout;
use std::sync::Arc;

/// Frames that are remembered.
const REMEMBERED: usize = 32;

/// A frame that was left.
#[derive(Clone)]
struct Returned {
    address: u64,
    layout: Arc<FrameLayout>,
}

/// The latest frames with locals in memory, in the order of returning from `oldest` on. Copied when
/// a state returns from a frame after a fork, not at the fork.
#[derive(Clone, Default)]
pub(super) struct ReturnedFrames(Option<Arc<Ring>>);

#[derive(Clone, Default)]
struct Ring {
    frames: Vec<Returned>,
    oldest: usize,
}

impl ReturnedFrames {
    /// Remembers a frame that is left.
    pub(super) fn add(&mut self, address: u64, layout: &Arc<FrameLayout>) {
        let ring = Arc::make_mut(self.0.get_or_insert_with(Arc::default));
        let frame = Returned {
            address,
            layout: Arc::clone(layout),
        };
        let full = ring.frames.len() == REMEMBERED;
        match ring.frames.get_mut(ring.oldest) {
            Some(oldest) if full => {
                *oldest = frame;
                ring.oldest = (ring.oldest + 1) % REMEMBERED;
            }
            _ => ring.frames.push(frame),
        }
    }

    /// The layout of the remembered frame that held an address, and the offset into it.
    pub(super) fn find(&self, address: u64) -> Option<(&FrameLayout, u64)> {
        let frames = &self.0.as_ref()?.frames;
        frames.iter().find_map(|frame| {
            let offset = address.checked_sub(frame.address)?;
            (offset < frame.layout.size).then_some((&*frame.layout, offset))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::{FrameObject, FuncId};

    fn layout(function: u32) -> Arc<FrameLayout> {
        let object = FrameObject {
            size: 4,
            align: 4,
            name: String::new(),
            declared: Default::default(),
            in_block: false,
        };
        FrameLayout::new(Default::default(), FuncId(function), &[object])
    }

    #[test]
    fn the_last_frames_are_found_and_older_ones_forgotten() {
        let mut frames = ReturnedFrames::default();
        assert!(frames.find(0).is_none());
        let size = layout(0).size;
        let count = REMEMBERED as u64 + 5;
        for number in 0..count {
            frames.add(number * size, &layout(number as u32));
        }
        let found = |address: u64| {
            let (layout, offset) = frames.find(address)?;
            Some((u64::from(layout.function.0), offset))
        };
        assert_eq!(found(4 * size), None);
        assert_eq!(found(5 * size + 7), Some((5, 7)));
        assert_eq!(found(count * size - 1), Some((count - 1, size - 1)));
        assert_eq!(found(count * size), None);
    }
}
