//! Last step of lowering a function: drops dead code, shares slots, removes empty edges, orders
//! tables.
//!
//! Invariant: meaning, branch sites and the order of observable work stay. Lowering gives each
//! value a separate slot; frames are copied at calls and forks, and a dead symbolic value in a slot
//! slows the frame down, so values whose lives do not overlap share slots here, phis with their
//! sources first.

use super::liveness::{Segments, lifetimes};
use homi_ir::program::{
    Access, BlockId, BlockInfo, ConstValue, Function, Inst, LocId, Moves, Operand, Slot, Table,
};
use rustc_hash::FxHashMap;

/// Tidies a freshly lowered function whose blocks from `source_blocks` on are edges. With `share`
/// false no two values share a slot: after `setjmp` a path may go back to where a dead value was
/// alive.
pub fn tidy(function: &mut Function, source_blocks: usize, share: bool) {
    remove_dead_code(function);
    if share {
        share_slots(function);
    } else {
        drop_unused_constants(function);
    }
    remove_idle_moves(function);
    remove_empty_edges(function, source_blocks);
    order_tables(function);
}

/// Removes instructions whose results nothing reads, and theirs in turn.
fn remove_dead_code(function: &mut Function) {
    let mut uses = vec![0u32; function.slots as usize];
    for inst in &function.code {
        function.visit_operands(inst, &mut |access, _, slot| {
            uses[slot.index()] += u32::from(access == Access::Read);
        });
    }
    let mut dead = vec![false; function.code.len()];
    let integers = integer_constants(function);
    loop {
        let mut changed = false;
        for index in (0..function.code.len()).rev() {
            let inst = function.code[index];
            if dead[index] || !(inst.is_removable() || is_shift_within(&inst, &integers)) {
                continue;
            }
            let mut needed = false;
            function.visit_operands(&inst, &mut |access, _, slot| {
                needed |= access == Access::Write && uses[slot.index()] > 0;
            });
            if needed {
                continue;
            }
            dead[index] = true;
            changed = true;
            function.visit_operands(&inst, &mut |access, _, slot| {
                if access == Access::Read {
                    uses[slot.index()] = uses[slot.index()].saturating_sub(1);
                }
            });
        }
        // Parallel moves lose single entries; a phi that only feeds itself stays.
        for moves in &mut function.moves {
            moves.retain(|(_, dst, src)| {
                let needed = uses[dst.index()] > 0;
                if !needed {
                    uses[src.index()] = uses[src.index()].saturating_sub(1);
                    changed = true;
                }
                needed
            });
        }
        if !changed {
            break;
        }
    }
    let moves = &function.moves;
    retain_code(
        &mut function.code,
        &mut function.locations,
        &mut function.blocks,
        |index, inst| {
            !dead[index]
                && !matches!(inst, Inst::Moves { index } if moves[*index as usize].is_empty())
        },
    );
}

/// The integers among a function's constants.
fn integer_constants(function: &Function) -> FxHashMap<Slot, u128> {
    let constants = function.constants.iter();
    let integers = constants.filter_map(|(slot, constant)| match constant {
        ConstValue::Int { value, .. } => Some((*slot, *value)),
        _ => None,
    });
    integers.collect()
}

/// True for shifts by a constant that is below the width: none of these is a bug.
fn is_shift_within(inst: &Inst, integers: &FxHashMap<Slot, u128>) -> bool {
    match inst {
        Inst::Bin { op, w, b, .. } if op.is_shift() => integers
            .get(b)
            .is_some_and(|amount| *amount < u128::from(*w)),
        _ => false,
    }
}

/// Keeps the instructions that `keep` accepts; block starts follow.
fn retain_code(
    code: &mut Vec<Inst>,
    locations: &mut Vec<LocId>,
    blocks: &mut [BlockInfo],
    mut keep: impl FnMut(usize, &Inst) -> bool,
) {
    let kept: Vec<bool> = code
        .iter()
        .enumerate()
        .map(|(index, inst)| keep(index, inst))
        .collect();
    let mut before = Vec::with_capacity(code.len() + 1);
    let mut count = 0u32;
    for keep in &kept {
        before.push(count);
        count += u32::from(*keep);
    }
    before.push(count);
    for block in blocks {
        block.start = before[block.start as usize];
    }
    let mut position = 0;
    code.retain(|_| {
        position += 1;
        kept[position - 1]
    });
    position = 0;
    locations.retain(|_| {
        position += 1;
        kept[position - 1]
    });
}

fn constant_slots(value: &ConstValue) -> u32 {
    match value {
        ConstValue::Int { width, .. } => u32::from(*width).div_ceil(64),
        ConstValue::Global { .. } | ConstValue::Function(_) => 1,
    }
}

/// Drops constants that lost their readers; for functions whose slots are not shared.
fn drop_unused_constants(function: &mut Function) {
    let mut used = vec![false; function.slots as usize];
    for inst in &function.code {
        function.visit_operands(inst, &mut |_, _, slot| used[slot.index()] = true);
    }
    function.constants.retain(|(slot, _)| used[slot.index()]);
}

/// Values that share a slot.
struct Classes {
    parent: Vec<u32>,
    segments: Vec<Segments>,
    /// The slot that a parameter's class must have.
    pinned: Vec<Option<Slot>>,
}

impl Classes {
    fn find(&mut self, value: u32) -> u32 {
        let mut root = value;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        let mut next = value;
        while self.parent[next as usize] != root {
            next = std::mem::replace(&mut self.parent[next as usize], root);
        }
        root
    }

    /// Joins two classes if their values are never alive together.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || (self.pinned[a as usize].is_some() && self.pinned[b as usize].is_some()) {
            return;
        }
        if self.segments[a as usize].overlaps(&self.segments[b as usize]) {
            return;
        }
        let moved = std::mem::take(&mut self.segments[b as usize]);
        self.segments[a as usize].add(&moved);
        self.parent[b as usize] = a;
        let pinned = self.pinned[b as usize].take();
        self.pinned[a as usize] = self.pinned[a as usize].or(pinned);
    }
}

/// Gives values slots so that those alive together differ.
fn share_slots(function: &mut Function) {
    let count = function.slots as usize;
    let (segments, sizes) = lifetimes(function);
    let mut classes = Classes {
        parent: (0..count as u32).collect(),
        segments,
        pinned: vec![None; count],
    };
    let mut constant = vec![false; count];
    for (slot, _) in &function.constants {
        constant[slot.index()] = true;
    }
    for param in &function.params {
        classes.pinned[param.slot.index()] = Some(param.slot);
    }
    let joinable =
        |dst: Slot, src: Slot| !constant[src.index()] && sizes[dst.index()] == sizes[src.index()];
    for inst in &function.code {
        match inst {
            Inst::Move { dst, src, .. } if joinable(*dst, *src) => classes.join(dst.0, src.0),
            Inst::Moves { index } => {
                for (_, dst, src) in &function.moves[*index as usize] {
                    if joinable(*dst, *src) {
                        classes.join(dst.0, src.0);
                    }
                }
            }
            _ => {}
        }
    }
    let parameters = function
        .params
        .iter()
        .map(|param| param.slot.0 + param.width.div_ceil(64))
        .max()
        .unwrap_or(0);
    let mut next = parameters;
    let mut renamed: FxHashMap<Slot, Slot> = FxHashMap::default();
    // A constant is written when the frame is made and keeps its slot to itself.
    function.constants.retain_mut(|(slot, value)| {
        if sizes[slot.index()] == 0 {
            return false;
        }
        renamed.insert(*slot, Slot(next));
        *slot = Slot(next);
        next += constant_slots(value);
        true
    });
    let constants_end = next;
    let mut allocator = Allocator {
        busy: vec![Segments::default(); parameters as usize],
        constants: parameters..constants_end,
    };
    let mut order: Vec<u32> = (0..count as u32)
        .filter(|value| {
            classes.parent[*value as usize] == *value
                && sizes[*value as usize] > 0
                && !constant[*value as usize]
        })
        .collect();
    order.sort_by_key(|value| {
        let pinned = classes.pinned[*value as usize].is_none();
        (pinned, classes.segments[*value as usize].first(), *value)
    });
    for value in order {
        let segments = &classes.segments[value as usize];
        let size = u32::from(sizes[value as usize]);
        let slot = match classes.pinned[value as usize] {
            Some(slot) => allocator.take(slot, size, segments),
            None => allocator.find(size, segments),
        };
        renamed.insert(Slot(value), slot);
    }
    function.slots = allocator.end().max(constants_end);
    function.rename_slots(&mut |slot| {
        if let Some(new) = renamed.get(&slot) {
            return *new;
        }
        let root = Slot(classes.find(slot.0));
        renamed.get(&root).copied().unwrap_or(slot)
    });
}

/// Live ranges of each slot, without the slots of constants.
struct Allocator {
    busy: Vec<Segments>,
    constants: std::ops::Range<u32>,
}

impl Allocator {
    /// The slot at a position of `busy`, which jumps over the constants.
    fn slot_at(&self, position: usize) -> Slot {
        let position = position as u32;
        if position < self.constants.start {
            return Slot(position);
        }
        Slot(position + self.constants.len() as u32)
    }

    fn end(&self) -> u32 {
        match self.busy.len() {
            0 => 0,
            length => self.slot_at(length - 1).0 + 1,
        }
    }

    fn take(&mut self, slot: Slot, size: u32, segments: &Segments) -> Slot {
        for half in 0..size {
            self.busy[(slot.0 + half) as usize].add(segments);
        }
        slot
    }

    /// The first slot (or pair) that is free whenever the value is alive.
    fn find(&mut self, size: u32, segments: &Segments) -> Slot {
        let size = size as usize;
        let mut position = 0;
        loop {
            // A pair must not straddle the constants.
            let boundary = self.constants.start as usize;
            if position < boundary && position + size > boundary {
                position = boundary;
            }
            while self.busy.len() < position + size {
                self.busy.push(Segments::default());
            }
            let halves = &mut self.busy[position..position + size];
            if halves.iter().all(|busy| !busy.overlaps(segments)) {
                for busy in halves {
                    busy.add(segments);
                }
                return self.slot_at(position);
            }
            position += 1;
        }
    }
}

/// Moves of a slot to itself vanish; a lone move needs no table.
fn remove_idle_moves(function: &mut Function) {
    for moves in &mut function.moves {
        moves.retain(|(_, dst, src)| dst != src);
    }
    let moves = &function.moves;
    for inst in &mut function.code {
        if let Inst::Moves { index } = inst {
            if let [(w, dst, src)] = moves[*index as usize][..] {
                *inst = Inst::Move { w, dst, src };
            }
        }
    }
    retain_code(
        &mut function.code,
        &mut function.locations,
        &mut function.blocks,
        |_, inst| match inst {
            Inst::Move { dst, src, .. } => dst != src,
            Inst::Moves { index } => !moves[*index as usize].is_empty(),
            _ => true,
        },
    );
}

/// Edge blocks that only jump are skipped and dropped.
fn remove_empty_edges(function: &mut Function, source_blocks: usize) {
    let count = function.blocks.len();
    let mut target_of: Vec<BlockId> = (0..count).map(BlockId::new).collect();
    for index in source_blocks..count {
        let range = function.block_range(BlockId::new(index));
        if let [Inst::Jump { target }] = function.code[range] {
            // An edge may lead to another one, and an edge of inline assembly to itself.
            let mut end = target;
            while target_of[end.index()] != end {
                end = target_of[end.index()];
            }
            target_of[index] = end;
        }
    }
    // A block that was first seen as an end may have become an edge since.
    for index in (0..count).rev() {
        let mut end = target_of[index];
        while target_of[end.index()] != end {
            end = target_of[end.index()];
        }
        target_of[index] = end;
    }
    let mut new_ids = vec![BlockId(0); count];
    let mut kept = Vec::new();
    let mut removed = vec![false; function.code.len()];
    for (index, target) in target_of.iter().enumerate() {
        if target.index() == index {
            new_ids[index] = BlockId::new(kept.len());
            kept.push(function.blocks[index].clone());
        } else {
            removed[function.blocks[index].start as usize] = true;
        }
    }
    if kept.len() == count {
        return;
    }
    let rename = |block: &mut BlockId| *block = new_ids[target_of[block.index()].index()];
    for inst in &mut function.code {
        inst.for_each_operand(&mut |operand| {
            if let Operand::Block(block) = operand {
                rename(block);
            }
        });
    }
    for table in &mut function.switches {
        rename(&mut table.default);
        for case in &mut table.cases {
            rename(&mut case.1);
        }
    }
    function.blocks = kept;
    retain_code(
        &mut function.code,
        &mut function.locations,
        &mut function.blocks,
        |index, _| !removed[index],
    );
}

/// Tables in the order of the code, without entries that nothing uses.
fn order_tables(function: &mut Function) {
    let mut calls = Vec::new();
    let mut moves: Vec<Moves> = Vec::new();
    let mut switches = Vec::new();
    for inst in &mut function.code {
        inst.for_each_operand(&mut |operand| match operand {
            Operand::Row(Table::Calls, site) => {
                calls.push(function.calls[*site as usize].clone());
                *site = (calls.len() - 1) as u32;
            }
            Operand::Row(Table::Moves, index) => {
                moves.push(std::mem::take(&mut function.moves[*index as usize]));
                *index = (moves.len() - 1) as u32;
            }
            Operand::Row(Table::Switches, table) => {
                switches.push(function.switches[*table as usize].clone());
                *table = (switches.len() - 1) as u32;
            }
            _ => {}
        });
    }
    function.calls = calls;
    function.moves = moves;
    function.switches = switches;
}
