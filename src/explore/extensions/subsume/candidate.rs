//! State under test, as all entries of its point see it.
//!
//! Invariant: the value of a term over storage locations is valid for every entry that contains the
//! term, because the name of a storage location has the same meaning in all of them.

use super::blocks::{Block, bound_block};
use super::frames::FrameView;
use super::point::Modes;
use super::reasons::Reason;
use super::relocatable::owner_or_freed;
use super::statistics::Refusal;
use super::storage::{Region, StorageLocs};
use homi_machine::state::State;
use homi_solver::term::{Substituted, Term, Terms};
use rustc_hash::FxHashSet;

/// State under test, as all entries of its point see it.
pub(super) struct Candidate<'s> {
    pub(super) state: &'s State,
    pub(super) frames: FrameView<'s>,
    pub(super) modes: Modes,
    known: Substituted,
}

impl<'s> Candidate<'s> {
    pub(super) fn new(state: &'s State) -> Self {
        let frames = FrameView::new(state);
        Self {
            state,
            modes: Modes::of(state, &frames),
            frames,
            known: Substituted::default(),
        }
    }

    /// Returns the value of a term over storage locations in the state; `None` if the state lacks
    /// one of them.
    pub(super) fn put(&mut self, terms: &Terms, locs: &StorageLocs, term: Term) -> Option<Term> {
        let mut missing = false;
        let (state, frames) = (self.state, &self.frames);
        let found = terms.substitute(term, &mut self.known, &mut |byte| {
            let value = locs.value(terms, (state, frames), byte);
            value.unwrap_or_else(|| {
                missing = true;
                terms.symbol(byte)
            })
        });
        // A term without a value lacks it for every entry that contains it.
        let is_missing = missing
            || terms
                .support(found)
                .iter()
                .any(|byte| locs.loc(byte.array).is_some());
        (!is_missing).then_some(found)
    }

    /// Locates the blocks of an entry in the state: each pointer must lead to a block, and two
    /// pointers never to the same one.
    pub(super) fn bind(
        &mut self,
        terms: &Terms,
        locs: &StorageLocs,
        blocks: &[Block],
    ) -> Result<(), Refusal> {
        let mut bases = FxHashSet::default();
        for block in blocks {
            let (base, pointer) = match block.region {
                Region::Pointed(pointer) => {
                    let found = self.put(terms, locs, pointer);
                    let number = terms.as_const(found.ok_or(Refusal::Objects)?);
                    let number = number.ok_or(Refusal::Pointers(pointer))? as u64;
                    let base = bound_block(&self.state.memory, number, block.offset)?;
                    self.frames.bind(pointer, base);
                    (base, Some(pointer))
                }
                Region::Absolute(base) => {
                    let object = owner_or_freed(&self.state.memory, base);
                    (object.map_or(base, |object| object.base), None)
                }
                Region::Frame { .. } => continue,
            };
            if !bases.insert(base) && Reason::OneToOne.counts() {
                return Err(pointer.map_or(Refusal::Objects, Refusal::Pointers));
            }
        }
        Ok(())
    }
}
