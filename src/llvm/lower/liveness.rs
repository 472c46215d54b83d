//! When each slot's value is alive, as sets of code positions.
//!
//! Invariant: instruction `i` reads at position `2i` and writes at `2i + 1`; a value is alive from
//! its write (or the block's start) up to and including its last read (or the block's end).
//! Instructions that might write one result before they have read everything write at `2i`.

use homi_ir::program::{Access, BlockId, Effect, Function, Inst, Slot};

/// Disjoint ranges of positions, sorted.
#[derive(Clone, Default, Debug)]
pub struct Segments(Vec<(u32, u32)>);

impl Segments {
    pub fn first(&self) -> u32 {
        self.0.first().map_or(0, |segment| segment.0)
    }

    pub fn overlaps(&self, other: &Segments) -> bool {
        let (few, many) = if self.0.len() < other.0.len() {
            (self, other)
        } else {
            (other, self)
        };
        few.0.iter().any(|(start, end)| {
            // The first segment that ends after this one's start is the only candidate.
            let index = many.0.partition_point(|segment| segment.1 <= *start);
            many.0.get(index).is_some_and(|segment| segment.0 < *end)
        })
    }

    /// Adds ranges that do not overlap those present, or are equal to parts of them.
    pub fn add(&mut self, other: &Segments) {
        if let [only] = other.0[..] {
            let index = self.0.partition_point(|segment| segment.0 < only.0);
            self.0.insert(index, only);
            return;
        }
        self.0.extend_from_slice(&other.0);
        self.0.sort_unstable();
    }
}

/// A set of slots.
#[derive(Clone, PartialEq)]
struct SlotSet(Vec<u64>);

impl SlotSet {
    fn new(count: usize) -> SlotSet {
        SlotSet(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, slot: Slot) {
        self.0[slot.index() / 64] |= 1 << (slot.index() % 64);
    }

    fn remove(&mut self, slot: Slot) {
        self.0[slot.index() / 64] &= !(1 << (slot.index() % 64));
    }

    /// Adds all of `other`; true if that changed anything.
    fn add(&mut self, other: &SlotSet) -> bool {
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= *more & !*word != 0;
            *word |= *more;
        }
        changed
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }
}

/// For each slot the segments of its value and its size in slots (0 if nothing touches it).
pub fn lifetimes(function: &Function) -> (Vec<Segments>, Vec<u8>) {
    let count = function.slots as usize;
    let mut sizes = vec![0u8; count];
    for inst in &function.code {
        function.visit_operands(inst, &mut |_, width, slot| {
            let size = width.div_ceil(64).max(1) as u8;
            sizes[slot.index()] = sizes[slot.index()].max(size);
        });
    }
    let live_out = live_out(function);
    let mut segments = vec![Segments::default(); count];
    // End of the segment that is open while walking backwards, by slot.
    let mut open: Vec<Option<u32>> = vec![None; count];
    for index in (0..function.blocks.len()).rev() {
        let range = function.block_range(BlockId::new(index));
        let (start, end) = (range.start as u32 * 2, range.end as u32 * 2);
        let mut alive: Vec<usize> = live_out[index].iter().collect();
        for slot in &alive {
            open[*slot] = Some(end);
        }
        for position in range.rev() {
            let inst = &function.code[position];
            let read_at = position as u32 * 2;
            let write_at = if writes_early(*inst) {
                read_at
            } else {
                read_at + 1
            };
            function.visit_operands(inst, &mut |access, _, slot| {
                if access == Access::Write {
                    let until = open[slot.index()].take().unwrap_or(write_at + 1);
                    // At least one position, so that an unread result has a slot for itself.
                    segments[slot.index()]
                        .0
                        .push((write_at, until.max(read_at + 2)));
                }
            });
            function.visit_operands(inst, &mut |access, _, slot| {
                if access == Access::Read && open[slot.index()].is_none() {
                    open[slot.index()] = Some(read_at + 1);
                    alive.push(slot.index());
                }
            });
        }
        for slot in alive {
            if let Some(until) = open[slot].take() {
                segments[slot].0.push((start, until));
            }
        }
    }
    for list in &mut segments {
        list.0.sort_unstable();
        list.0.dedup_by(|next, previous| {
            // Touching ranges become one; a phi is written on several edges.
            let touches = next.0 <= previous.1;
            if touches {
                previous.1 = previous.1.max(next.1);
            }
            touches
        });
    }
    (segments, sizes)
}

/// The slots whose values are read after the end of each block.
fn live_out(function: &Function) -> Vec<SlotSet> {
    let slots = function.slots as usize;
    let blocks = function.blocks.len();
    let mut read_first = Vec::with_capacity(blocks);
    let mut written = Vec::with_capacity(blocks);
    let mut predecessors = vec![Vec::new(); blocks];
    for index in 0..blocks {
        let block = BlockId::new(index);
        let mut reads = SlotSet::new(slots);
        let mut writes = SlotSet::new(slots);
        for inst in function.code[function.block_range(block)].iter().rev() {
            function.visit_operands(inst, &mut |access, _, slot| {
                if access == Access::Write {
                    reads.remove(slot);
                    writes.insert(slot);
                }
            });
            function.visit_operands(inst, &mut |access, _, slot| {
                if access == Access::Read {
                    reads.insert(slot);
                }
            });
        }
        for successor in function.successors(block) {
            predecessors[successor.index()].push(index);
        }
        read_first.push(reads);
        written.push(writes);
    }
    let mut live_in = read_first;
    let mut live_out = vec![SlotSet::new(slots); blocks];
    let mut queued = vec![true; blocks];
    let mut queue: Vec<usize> = (0..blocks).collect();
    while let Some(block) = queue.pop() {
        queued[block] = false;
        for predecessor in &predecessors[block] {
            let incoming = live_in[block].clone();
            if !live_out[*predecessor].add(&incoming) {
                continue;
            }
            let mut through = live_out[*predecessor].clone();
            for (word, gone) in through.0.iter_mut().zip(&written[*predecessor].0) {
                *word &= !*gone;
            }
            if live_in[*predecessor].add(&through) && !queued[*predecessor] {
                queued[*predecessor] = true;
                queue.push(*predecessor);
            }
        }
    }
    live_out
}

/// Returns true if an instruction has two results, or one and a memory write, so that it may write
/// a result before it has read all operands.
fn writes_early(mut inst: Inst) -> bool {
    let mut results = u32::from(inst.effect() == Effect::Writes);
    inst.visit_slots(&mut |access, _, _| results += u32::from(access == Access::Write));
    results > 1
}

#[cfg(test)]
mod tests {
    use super::Segments;

    #[test]
    fn overlap_is_strict() {
        let a = Segments(vec![(2, 5), (9, 12)]);
        let overlaps = |start, end| a.overlaps(&Segments(vec![(start, end)]));
        assert!(!overlaps(0, 2) && !overlaps(5, 9) && !overlaps(12, 20));
        assert!(overlaps(0, 3) && overlaps(4, 5) && overlaps(5, 10) && overlaps(0, 99));
    }
}
