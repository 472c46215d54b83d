//! Registers of two states with equal calls: a live register whose values differ becomes an
//! if-then-else.
//!
//! Invariant: dead registers keep the values of the first state.

use super::apart::Apart;
use super::merge_states::Means;
use homi_ir::program::flow::{live_across_call, live_before};
use homi_ir::program::{FuncId, Program, Slot};
use homi_machine::state::{Frame, FrameSerial, State};
use homi_solver::term::Term;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Live registers before an instruction, by function, instruction and whether a call before it is
/// still active; `None` if reads disagree on a width.
#[derive(Default)]
pub struct LiveRegisters(FxHashMap<(FuncId, u32, bool), Option<SlotsAndWidths>>);

/// Registers with their widths in bits.
type SlotsAndWidths = Arc<[(Slot, u32)]>;

impl LiveRegisters {
    /// Returns the registers that are live before the frame's instruction. If the frame `waits` for
    /// a call, the previous instruction, the results of the call are excluded.
    fn at(&mut self, program: &Program, frame: &Frame, waits: bool) -> Option<SlotsAndWidths> {
        let (id, pc) = (frame.function, frame.pc);
        let known = self.0.entry((id, pc, waits)).or_insert_with(|| {
            let function = program.function(id);
            let live = if waits {
                live_across_call(function, pc)
            } else {
                live_before(function, pc)
            };
            live.map(Arc::from)
        });
        known.clone()
    }
}

/// Register of a frame and its value in the merged state.
pub(super) struct Chosen {
    frame: FrameSerial,
    slot: Slot,
    value: Term,
}

/// Returns the registers whose values become an if-then-else.
pub(super) fn chosen(
    first: &State,
    second: &State,
    condition: Term,
    means: &mut Means<'_>,
) -> Result<Vec<Chosen>, Apart> {
    if first.frames.len() != second.frames.len() {
        return Err(Apart::Calls);
    }
    let mut all = Vec::new();
    for (depth, (own, theirs)) in first.frames.iter().zip(second.frames.iter()).enumerate() {
        if std::ptr::eq(own, theirs) {
            // All outer frames are shared from here on.
            break;
        }
        if !is_same_call(own, theirs) {
            return Err(Apart::Calls);
        }
        if !first.jumps.is_empty() {
            // A jump may restore a register that is dead on every path from here.
            if (&own.bits, &own.terms) != (&theirs.bits, &theirs.terms) {
                return Err(Apart::Registers);
            }
            continue;
        }
        let live = means.live.at(means.program, own, depth > 0);
        for (slot, width) in live.ok_or(Apart::Registers)?.iter() {
            let value = |frame| value(frame, *slot, *width, means);
            let (own_value, other) = (value(own)?, value(theirs)?);
            if own_value != other {
                all.push(Chosen {
                    frame: own.serial,
                    slot: *slot,
                    value: means.terms.ite(condition, own_value, other),
                });
            }
        }
    }
    Ok(all)
}

/// True if the waiting threads of two states have equal call stacks.
pub(super) fn are_same_threads(first: &State, second: &State) -> bool {
    let (own, theirs) = (&first.threads.stacks, &second.threads.stacks);
    own.running() == theirs.running()
        && own.waiting().count() == theirs.waiting().count()
        && own.waiting().zip(theirs.waiting()).all(|(own, theirs)| {
            own.len() == theirs.len()
                && own.iter().zip(theirs.iter()).all(|(own, theirs)| {
                    is_same_call(own, theirs)
                        && (&own.bits, &own.terms) == (&theirs.bits, &theirs.terms)
                })
        })
}

/// Writes the merged values into the registers of a state.
pub(super) fn put(state: &mut State, chosen: &[Chosen], means: &Means<'_>) {
    let write = |frame: &mut Frame| {
        let serial = frame.serial;
        for register in chosen.iter().filter(|register| register.frame == serial) {
            let slot = register.slot.index();
            match means.terms.as_const(register.value) {
                None => frame.set_term(slot, register.value),
                Some(value) => {
                    frame.clear_term(slot);
                    frame.bits[slot] = value as u64;
                    if means.terms.width(register.value) > 64 {
                        frame.bits[slot + 1] = (value >> 64) as u64;
                    }
                }
            }
        }
    };
    let top = state.frames.top().serial;
    if chosen.iter().all(|register| register.frame == top) {
        if !chosen.is_empty() {
            write(state.frames.top_mut());
        }
        return;
    }
    state.frames.for_each_mut(write);
    state.frames.share_outer();
}

fn is_same_call(own: &Frame, theirs: &Frame) -> bool {
    (own.function, own.pc, own.call_site) == (theirs.function, theirs.pc, theirs.call_site)
        && (own.stack_base, own.stack_end) == (theirs.stack_base, theirs.stack_end)
        && own.variadic == theirs.variadic
}

/// Returns the value of a register as a term of its width.
fn value(frame: &Frame, slot: Slot, width: u32, means: &Means<'_>) -> Result<Term, Apart> {
    let at = slot.index();
    if let Some(term) = frame.term(at) {
        let fits = means.terms.width(term) == width;
        return fits.then_some(term).ok_or(Apart::Registers);
    }
    let high = if width > 64 {
        frame.bits.get(at + 1).copied().unwrap_or(0)
    } else {
        0
    };
    let value = u128::from(high) << 64 | u128::from(frame.bits[at]);
    Ok(means.terms.constant(width, value))
}
