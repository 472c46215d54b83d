//! Blocks of the heap that nothing points to when the program ends (`--checks leak`), or that are
//! not freed then (property `valid-memcleanup`).
//!
//! Idea: from the registers of all frames and all objects but the heap's, every word that lies in a
//! block makes that block reachable, and with it what its words point to. All other blocks are
//! lost. As with LeakSanitizer a pointer into the middle of a block counts, one at no multiple of 8
//! does not, and a block that only lost blocks point to is lost indirectly. A symbolic word points
//! to all that its term has a constant of. Invariant: a block of the modeled kernel's own is never
//! reported.

use super::super::context::Context;
use crate::memory::{ObjectKind, ObjectRef, Value};
use crate::outcome::{Bug, BugKind, BugLocation, StackEntry, Termination};
use crate::state::{BlockOrigin, Decision, Frame, Frames, State};
use homi_config::{CheckKind, Goal};
use homi_ir::program::flow::{live_across_call, live_before};
use homi_ir::program::{FuncId, LocId, Origin, Program, Slot};
use homi_solver::term::{Node, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Lost blocks of one place: how many and how many bytes.
#[derive(Default)]
struct Loss {
    blocks: u64,
    bytes: u64,
}

impl Context<'_, '_> {
    /// Forks a path that ends as a bug for each place whose blocks are lost now. To be called where
    /// the program ends.
    pub(super) fn report_leaks(&mut self) {
        let is_over = self.state.threads.goes_on_until.is_some();
        if !self.config().checks.has(CheckKind::Leak) || self.state.record.heap.is_none() || is_over
        {
            return;
        }
        let lost = if self.asks_for_cleanup() {
            allocated_blocks(self.state)
        } else {
            lost_blocks(self.state, self.terms(), self.program())
        };
        let mut places: BTreeMap<(FuncId, u32), (Arc<BlockOrigin>, Loss)> = BTreeMap::new();
        for (origin, size) in lost {
            let last = origin.calls.last().map_or(FuncId(0), |call| call.1);
            let place = (last, origin.pc);
            let loss = &mut places.entry(place).or_insert((origin, Loss::default())).1;
            loss.blocks += 1;
            loss.bytes += size;
        }
        for (origin, loss) in places.into_values() {
            let bug = self.leak(&origin, &loss);
            let mut sibling = self.fork_state();
            sibling.ending = Some(Box::new(Termination::Bug(Box::new(bug))));
            sibling.decisions.push(Decision::Check { bug: true });
            self.state.decisions.push(Decision::Check { bug: false });
            self.siblings.push(sibling);
        }
    }

    /// True if every block must be freed before the program ends.
    pub(super) fn asks_for_cleanup(&self) -> bool {
        let property = self.config().property.as_ref();
        property.is_some_and(|property| property.has(Goal::ValidMemcleanup))
    }

    fn leak(&self, origin: &BlockOrigin, loss: &Loss) -> Bug {
        let Loss { blocks, bytes } = loss;
        let message = if self.asks_for_cleanup() {
            format!("memory is not freed at the end: {bytes} bytes in {blocks} blocks")
        } else {
            format!("memory leak: {bytes} bytes in {blocks} blocks that nothing points to")
        };
        let mut bug = self.prepared.bug(self.state, BugKind::Leak, message);
        bug.stack = self.allocation_stack(origin);
        let program = self.program();
        let own = bug.stack.iter();
        let mut own =
            own.filter(|entry| program.function(entry.function).origin == Origin::Program);
        if let Some(entry) = own.next() {
            bug.location = entry.location;
        }
        if program.location(bug.location).line == 0 {
            let last = origin.calls.last().map_or(FuncId(0), |call| call.1);
            bug.place = BugLocation::Instruction(last, origin.pc);
        } else {
            bug.place = BugLocation::Located;
        }
        bug.details
            .push("the stack is that of the allocation".to_string());
        bug
    }

    /// The stack at an allocation, innermost first.
    fn allocation_stack(&self, origin: &BlockOrigin) -> Vec<StackEntry> {
        let mut pc = origin.pc;
        let mut stack = Vec::with_capacity(origin.calls.len());
        for (site, function) in origin.calls.iter().rev() {
            let code = self.program().function(*function);
            let location = code.locations.get(pc as usize).copied();
            stack.push(StackEntry {
                function: *function,
                function_name: code.name.clone(),
                arguments: Vec::new(),
                location: location.unwrap_or(LocId(0)),
            });
            pc = *site;
        }
        stack
    }
}

/// Returns the origins of all live blocks and their sizes in bytes.
fn allocated_blocks(state: &State) -> Vec<(Arc<BlockOrigin>, u64)> {
    let heap = state.record.heap.iter();
    let origins = heap.flat_map(|heap| heap.origins.iter());
    let size = |base: u64| state.memory.object_at(base).map_or(0, |object| object.size);
    origins
        .map(|(base, origin)| (Arc::clone(origin), size(*base)))
        .collect()
}

/// Returns the origins of the lost blocks and their sizes in bytes: blocks that no other lost block
/// points to, or all if there are none.
fn lost_blocks(state: &State, terms: &Terms, program: &Program) -> Vec<(Arc<BlockOrigin>, u64)> {
    let mut scan = Scan {
        state,
        terms,
        found: BTreeSet::new(),
        seen: FxHashSet::default(),
    };
    let (blocks, roots): (Vec<_>, Vec<_>) =
        (state.memory.objects()).partition(|object| object.kind == ObjectKind::Heap);
    for frame in state.frames.iter() {
        let is_top = frame.serial == state.frames.top().serial;
        scan.frame(frame, live_slots(program, frame, is_top));
    }
    for frame in state.threads.stacks.waiting().flat_map(Frames::iter) {
        scan.frame(frame, None);
    }
    for root in roots {
        scan.object(&root);
    }
    let reachable = scan.reach();
    let origins = state
        .record
        .heap
        .iter()
        .flat_map(|heap| heap.origins.iter());
    let origins: BTreeMap<u64, &Arc<BlockOrigin>> =
        origins.map(|(base, origin)| (*base, origin)).collect();
    let lost: Vec<&ObjectRef> = blocks
        .iter()
        .filter(|block| !reachable.contains(&block.base) && origins.contains_key(&block.base))
        .collect();
    let mut indirect = BTreeSet::new();
    for block in &lost {
        let mut from = scan.emptied();
        from.object(block);
        from.found.remove(&block.base);
        indirect.extend(from.found);
    }
    let direct = lost.iter().filter(|block| !indirect.contains(&block.base));
    let direct: Vec<&ObjectRef> = direct.copied().collect();
    let reported = if direct.is_empty() { lost } else { direct };
    let origin = |block: &&ObjectRef| Some((Arc::clone(origins.get(&block.base)?), block.size));
    reported.iter().filter_map(origin).collect()
}

/// Returns the registers of a frame that are read later; `None` if that is not known. A pointer
/// that only another register holds is lost.
fn live_slots(program: &Program, frame: &Frame, is_top: bool) -> Option<Vec<(Slot, u32)>> {
    let function = program.function(frame.function);
    if is_top {
        live_before(function, frame.pc)
    } else {
        live_across_call(function, frame.pc)
    }
}

/// A search for words that lie in blocks of the heap.
struct Scan<'s> {
    state: &'s State,
    terms: &'s Terms,
    /// First addresses of the blocks that words were found of.
    found: BTreeSet<u64>,
    /// Terms that were looked at.
    seen: FxHashSet<Term>,
}

impl<'s> Scan<'s> {
    /// Returns a new search with nothing found yet.
    fn emptied(&self) -> Scan<'s> {
        Scan {
            found: BTreeSet::new(),
            seen: FxHashSet::default(),
            ..*self
        }
    }

    /// Follows what was found to all that can be reached, which it returns.
    fn reach(&mut self) -> BTreeSet<u64> {
        let mut reached = BTreeSet::new();
        while let Some(base) = self.found.pop_first() {
            if reached.insert(base)
                && let Some(object) = self.state.memory.object_at(base)
            {
                self.object(&object);
            }
        }
        reached
    }

    /// The registers of a frame: these, or all.
    fn frame(&mut self, frame: &Frame, live: Option<Vec<(Slot, u32)>>) {
        let Some(live) = live else {
            frame.bits.iter().for_each(|word| self.word(*word));
            let terms = frame.terms.iter().flatten();
            terms.for_each(|term| self.term(*term));
            return;
        };
        let words = |(slot, width): (Slot, u32)| {
            let first = slot.index();
            first..first + width.div_ceil(64) as usize
        };
        for slot in live.into_iter().flat_map(words) {
            if let Some(word) = frame.bits.get(slot) {
                self.word(*word);
            }
            if let Some(Some(term)) = frame.terms.get(slot) {
                self.term(*term);
            }
        }
    }

    fn word(&mut self, word: u64) {
        if word == 0 {
            return;
        }
        let object = self.state.memory.object_at(word);
        if let Some(object) = object.filter(|object| object.kind == ObjectKind::Heap) {
            self.found.insert(object.base);
        }
    }

    /// The words of an object, as wide as pointers and aligned as they are.
    fn object(&mut self, object: &ObjectRef) {
        let width = u64::from(self.state.memory.pointers().bytes());
        let end = object.base + object.capacity;
        for range in self.state.memory.distinct_ranges(object) {
            let first = (object.base + range.start).next_multiple_of(width);
            let last = (object.base + range.end).min((end + 1).saturating_sub(width));
            self.words(first..last, width);
        }
    }

    /// The words that begin in a range of addresses.
    fn words(&mut self, range: Range<u64>, width: u64) {
        let mut at = range.start;
        while at < range.end {
            let piece = self.state.memory.concrete_slice(at).unwrap_or(&[]);
            let words = piece.chunks_exact(width as usize);
            let count = words.len() as u64;
            for word in words {
                let byte = |index: usize| word.get(index).copied().unwrap_or(0);
                self.word(u64::from_le_bytes(std::array::from_fn(byte)));
            }
            at += width * count;
            if count == 0 {
                match self.state.memory.read(self.terms, at, width as u32) {
                    Ok(Value::Term(term)) => self.term(term),
                    Ok(Value::Concrete(word)) => self.word(word as u64),
                    Err(_) => {}
                }
                at += width;
            }
        }
    }

    /// The constants of a term.
    fn term(&mut self, term: Term) {
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            if let Some(value) = self.terms.as_const(term) {
                self.word(value as u64);
                continue;
            }
            let node = self.terms.node(term);
            if let Node::Table(table, _) = node {
                for element in self.terms.table_elements(table).0.iter() {
                    self.word(*element);
                }
            }
            node.for_each_operand(|operand| pending.push(operand));
        }
    }
}
