//! Sections that a program walks through: what a linker puts between `__start_NAME` and
//! `__stop_NAME`.
//!
//! Idea: the variables of a section whose ends the program names become one object, in the order of
//! the linked module, each aligned as it asks. Invariant: a variable lies in at most one such
//! object, and every reference to it refers to its place there.

use super::Lowering;
use crate::c_api::{ModuleRef, Value};
use homi_ir::program::{Global, GlobalId, GlobalInit, LocId, Relocation};
use rustc_hash::FxHashMap;

/// A section with the variables in it.
struct Section {
    name: String,
    members: Vec<(Value, u64)>,
    /// Bytes of all members and what is between them.
    size: u64,
    align: u32,
    global: Option<GlobalId>,
}

/// The sections whose ends are named, and what lies in them.
#[derive(Default)]
pub struct Sections {
    sections: Vec<Section>,
    /// The section and the offset in bytes of its members and of the names of its ends.
    places: FxHashMap<Value, (usize, u64)>,
    /// Sections that are named and have no contents yet.
    queue: Vec<usize>,
}

impl Sections {
    /// The sections of a module whose ends are declared and nowhere defined.
    pub fn find(module: ModuleRef) -> Sections {
        let globals = module.globals();
        let mut found = Sections::default();
        for end in &globals {
            let name = end.name();
            let is_end = |prefix: &str| name.strip_prefix(prefix).map(String::from);
            let of = is_end("__start_").or_else(|| is_end("__stop_"));
            if let Some(of) = of.filter(|_| end.is_declaration())
                && found.sections.iter().all(|section| section.name != of)
            {
                found.sections.push(Section {
                    name: of,
                    members: Vec::new(),
                    size: 0,
                    align: 1,
                    global: None,
                });
            }
        }
        if !found.sections.is_empty() {
            found.fill(module, &globals);
        }
        found
    }

    fn fill(&mut self, module: ModuleRef, globals: &[Value]) {
        for (number, section) in self.sections.iter_mut().enumerate() {
            let inside = |global: &&Value| {
                !global.is_declaration()
                    && !global.is_thread_local()
                    && global.section() == section.name
            };
            for member in globals.iter().filter(inside) {
                let (size, align) = super::extent(module, *member);
                let offset = section.size.next_multiple_of(u64::from(align));
                section.members.push((*member, offset));
                section.size = offset + size;
                section.align = section.align.max(align);
                self.places.insert(*member, (number, offset));
            }
            if section.members.is_empty() {
                continue;
            }
            for (prefix, offset) in [("__start_", 0), ("__stop_", section.size)] {
                let name = format!("{prefix}{}", section.name);
                for end in globals.iter().filter(|global| global.name() == name) {
                    self.places.insert(*end, (number, offset));
                }
            }
        }
    }
}

impl Lowering<'_> {
    /// Returns the position of a variable that is part of a section, or one of its ends.
    pub(super) fn place_in_section(&mut self, variable: Value) -> Option<(GlobalId, i64)> {
        let (number, offset) = *self.sections.places.get(&variable)?;
        let section = &self.sections.sections[number];
        if let Some(global) = section.global {
            return Some((global, offset as i64));
        }
        let is_constant = |member: &(Value, u64)| member.0.is_constant_global();
        let global = GlobalId::new(self.program.globals.len());
        self.program.globals.push(Global {
            name: format!("section {}", section.name),
            origin: self.origin_of(section.members[0].0),
            size: section.size,
            align: section.align,
            constant: section.members.iter().all(is_constant),
            thread_local: false,
            init: GlobalInit::Zero,
            location: LocId(0),
        });
        self.sections.sections[number].global = Some(global);
        self.sections.queue.push(number);
        Some((global, offset as i64))
    }

    /// Gives the next section that was named its contents; whether there was one.
    pub(super) fn fill_next_section(&mut self) -> bool {
        let Some(number) = self.sections.queue.pop() else {
            return false;
        };
        let section = &self.sections.sections[number];
        let (Some(global), members) = (section.global, section.members.clone()) else {
            return true;
        };
        let mut bytes = vec![0; section.size as usize];
        let mut relocations = Vec::new();
        for (member, offset) in members {
            let Some(value) = member.initializer() else {
                continue;
            };
            let (size, _) = super::extent(self.module, member);
            let GlobalInit::Bytes {
                bytes: own,
                relocations: addresses,
            } = self.initialiser(value, size)
            else {
                continue;
            };
            bytes[offset as usize..][..own.len()].copy_from_slice(&own);
            relocations.extend(addresses.into_iter().map(|address| Relocation {
                offset: address.offset + offset,
                ..address
            }));
        }
        self.program.globals[global.index()].init = GlobalInit::Bytes { bytes, relocations };
        true
    }
}
