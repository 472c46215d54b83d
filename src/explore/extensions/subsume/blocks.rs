//! Heap blocks of an entry, named by pointers to them.
//!
//! Idea: a block is named by a pointer that must lead to it anyway: a term over storage locations
//! that have names already. Naming begins with pointers in frames and globals and continues with
//! pointers in named blocks. So a list is named from its head on, wherever its nodes lie. A block
//! that no such pointer reaches, or that is fixed, is named by its address.
//!
//! Invariant: in a state that an entry subsumes, two names denote different objects, and a name
//! denotes one object.

use super::frames::FrameView;
use super::interpolant::Interpolant;
use super::relocatable::owner_or_freed;
use super::statistics::Refusal;
use super::storage::{Region, StorageLoc, StorageLocs};
use homi_machine::memory::{AllocationSite, Memory, ObjectKind, ObjectRef};
use homi_machine::state::State;
use homi_solver::term::{Byte, Substituted, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Object of an entry that is neither a global nor a local.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Block {
    pub(super) region: Region,
    /// Distance of the pointer that names the block from its base, in bytes.
    pub(super) offset: u64,
}

/// Address in a form that is valid on other paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Target {
    pub(super) region: Region,
    /// Distance from the region's address, in bytes.
    pub(super) offset: u64,
}

impl Target {
    /// Returns the address in a state whose blocks are known.
    pub(super) fn address(self, frames: &FrameView<'_>) -> Option<u64> {
        Some(frames.address(self.region)?.wrapping_add(self.offset))
    }
}

/// Names of blocks by their bases, under construction.
pub(super) struct Naming<'m> {
    memory: &'m Memory,
    named: FxHashMap<u64, Region>,
    known: Substituted,
    pub(super) blocks: Vec<Block>,
}

/// True if an object's address may be compared with addresses of blocks.
fn is_block(object: &ObjectRef) -> bool {
    match object.site {
        AllocationSite::Global(_) | AllocationSite::FrameObject { .. } => false,
        _ => object.kind != ObjectKind::Fixed,
    }
}

impl<'m> Naming<'m> {
    /// Names all blocks of an interpolant of a state with this memory.
    pub(super) fn of(
        terms: &Terms,
        locs: &mut StorageLocs,
        memory: &'m Memory,
        interpolant: &Interpolant,
    ) -> Self {
        let mut naming = Self {
            memory,
            named: FxHashMap::default(),
            known: Substituted::default(),
            blocks: Vec::new(),
        };
        for base in &interpolant.fixed {
            naming.keep(*base);
        }
        let mut open: Vec<(Term, u64)> = interpolant.pointers.clone();
        loop {
            let before = open.len();
            open.retain(|&(term, number)| {
                let is_determined = naming.is_named(terms, locs, term);
                if is_determined {
                    naming.name(terms, locs, (term, number));
                }
                !is_determined
            });
            if open.len() == before {
                break;
            }
        }
        naming.keep_rest(terms, locs, interpolant);
        naming
    }

    /// Returns the block to which an address belongs.
    fn base_of(&self, address: u64) -> Option<ObjectRef> {
        owner_or_freed(self.memory, address).filter(is_block)
    }

    /// Names a block by its address.
    fn keep(&mut self, base: u64) {
        let Some(object) = self.base_of(base) else {
            return;
        };
        let region = Region::Absolute(object.base);
        if self.named.insert(object.base, region).is_none() {
            self.blocks.push(Block { region, offset: 0 });
        }
    }

    /// True if all blocks whose bytes occur in a term have names.
    fn is_named(&self, terms: &Terms, locs: &StorageLocs, term: Term) -> bool {
        let support = terms.support(term);
        let mut bytes = support.iter();
        bytes.all(|byte| match locs.loc(byte.array) {
            Some(StorageLoc::Object {
                region: Region::Absolute(base),
                ..
            }) => self.base_of(base).is_none() || self.named.contains_key(&base),
            _ => true,
        })
    }

    /// Names the heap block to which a number points, if it is one, by a term.
    fn name(&mut self, terms: &Terms, locs: &mut StorageLocs, (term, number): (Term, u64)) {
        let Some(object) = self
            .base_of(number)
            .filter(|object| object.kind == ObjectKind::Heap)
        else {
            return;
        };
        if self.named.contains_key(&object.base) {
            return;
        }
        let region = Region::Pointed(self.rename(terms, locs, term));
        self.named.insert(object.base, region);
        let offset = number.wrapping_sub(object.base);
        self.blocks.push(Block { region, offset });
    }

    /// Names the blocks that no pointer reaches by their addresses.
    fn keep_rest(&mut self, terms: &Terms, locs: &StorageLocs, interpolant: &Interpolant) {
        let mut bases: Vec<u64> = interpolant.absent.clone();
        bases.extend(&interpolant.freed);
        bases.extend(interpolant.objects.iter().map(|pin| pin.base));
        bases.extend(interpolant.pointers.iter().map(|pointer| pointer.1));
        let mut arrays = FxHashSet::default();
        interpolant.visit_terms(&mut |term| {
            for byte in terms.support(term).iter() {
                if arrays.insert(byte.array)
                    && let Some(StorageLoc::Object {
                        region: Region::Absolute(base),
                        ..
                    }) = locs.loc(byte.array)
                {
                    bases.push(base);
                }
            }
        });
        for base in bases {
            let object = self.base_of(base);
            if let Some(object) = object.filter(|object| !self.named.contains_key(&object.base)) {
                self.keep(object.base);
            }
        }
    }

    /// Returns the name of the block with this base.
    pub(super) fn region(&self, base: u64) -> Option<Region> {
        self.named.get(&base).copied()
    }

    /// Returns an address in a form that is valid on other paths: relative to its block, or to its
    /// frame if it points to a local.
    pub(super) fn target(&self, state: &State, frames: &FrameView<'_>, address: u64) -> Target {
        if let Some(object) = self.base_of(address)
            && let Some(region) = self.region(object.base)
        {
            let offset = address.wrapping_sub(object.base);
            return Target { region, offset };
        }
        let is_local =
            |object: &ObjectRef| matches!(object.site, AllocationSite::FrameObject { .. });
        let region = if state.memory.owner(address).as_ref().is_some_and(is_local) {
            frames.region(address)
        } else {
            Region::Absolute(address)
        };
        Target { region, offset: 0 }
    }

    /// Returns the byte of the named block for a byte that is named by address.
    pub(super) fn rename_byte(&self, terms: &Terms, locs: &mut StorageLocs, byte: Byte) -> Byte {
        moved_byte((terms, locs), byte, &|region| self.other(region))
    }

    fn other(&self, region: Region) -> Option<Region> {
        match region {
            Region::Absolute(base) => self.region(base),
            _ => None,
        }
    }

    /// Returns a term with storage locations named by address replaced by named ones.
    pub(super) fn rename(&mut self, terms: &Terms, locs: &mut StorageLocs, term: Term) -> Term {
        let Self { named, known, .. } = self;
        renamed((terms, locs), known, term, &|region| match region {
            Region::Absolute(base) => named.get(&base).copied(),
            _ => None,
        })
    }
}

/// Returns a byte at its position in another region.
pub(super) fn moved_byte(
    (terms, locs): (&Terms, &mut StorageLocs),
    byte: Byte,
    other: &dyn Fn(Region) -> Option<Region>,
) -> Byte {
    let Some(StorageLoc::Object { region, size }) = locs.loc(byte.array) else {
        return byte;
    };
    match other(region) {
        Some(moved) if moved != region => {
            let region = moved;
            let array = locs.array(terms, StorageLoc::Object { region, size });
            let index = byte.index;
            Byte { array, index }
        }
        _ => byte,
    }
}

/// Returns a term with storage locations in other regions.
pub(super) fn renamed(
    (terms, locs): (&Terms, &mut StorageLocs),
    known: &mut Substituted,
    term: Term,
    other: &dyn Fn(Region) -> Option<Region>,
) -> Term {
    let support = terms.support(term);
    let mut bytes = support.iter();
    if bytes.all(|byte| moved_byte((terms, &mut *locs), *byte, other) == *byte) {
        return term;
    }
    terms.substitute(term, known, &mut |byte| {
        terms.symbol(moved_byte((terms, &mut *locs), byte, other))
    })
}

/// Returns the base of the heap block to which a number points, `offset` bytes after the base.
pub(super) fn bound_block(memory: &Memory, number: u64, offset: u64) -> Result<u64, Refusal> {
    let object = owner_or_freed(memory, number).filter(|object| object.kind == ObjectKind::Heap);
    match object.filter(is_block) {
        Some(object) if number.wrapping_sub(object.base) == offset => Ok(object.base),
        _ => Err(Refusal::Objects),
    }
}
