//! The terms that memory holds: marked for the sweep, or replaced when a state goes to another
//! thread.

use super::Memory;
use super::contents::Contents;
use super::object::Object;
use homi_solver::term::Term;
use std::sync::Arc;

impl Memory {
    /// Calls `mark` for every term in memory. `enter` gets the address of each shared part and
    /// answers whether it is new, so that parts shared by many states are visited once.
    pub fn mark_terms(&self, enter: &mut dyn FnMut(usize) -> bool, mark: &mut dyn FnMut(Term)) {
        for space in &self.classes {
            space.objects.for_each_shared(enter, &mut |object, enter| {
                if let Some(size) = object.info.symbolic_size {
                    mark(size);
                }
                object.contents.for_each_term(enter, mark);
            });
        }
        let mut visit = |contents: &Contents, enter: &mut dyn FnMut(usize) -> bool| {
            contents.for_each_term(enter, mark);
        };
        for stack in self.stacks() {
            stack.frames().for_each_shared(enter, &mut |frame, enter| {
                for contents in &frame.contents {
                    visit(contents, enter);
                }
            });
        }
        for object in self.fixed.values() {
            visit(&object.contents, enter);
        }
        if let Some(undefined) = &self.undefined
            && enter(undefined.as_ptr() as usize)
        {
            undefined.iter().copied().for_each(mark);
        }
    }

    /// Replaces all terms in memory; parts without terms stay shared with clones.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        self.trim();
        let Memory {
            pointers: _,
            classes,
            stack,
            running: _,
            parked,
            fixed,
            heap_bytes: _,
            undefined,
            end_of_functions: _,
            layered: _,
            cache: _,
            variation: _,
        } = self;
        if let Some(bytes) = undefined {
            *bytes = bytes.iter().map(|term| map(*term)).collect();
        }
        let change = |object: &Object| {
            let contents = object.contents.with_terms(map);
            let symbolic_size = object.info.symbolic_size.map(map);
            if contents.is_none() && symbolic_size.is_none() {
                return None;
            }
            let mut changed = object.clone();
            if let Some(contents) = contents {
                changed.contents = contents;
            }
            if symbolic_size.is_some() {
                Arc::make_mut(&mut changed.info).symbolic_size = symbolic_size;
            }
            Some(changed)
        };
        for class in classes {
            class.objects.replace(&mut |object| change(object));
        }
        stack.map_terms(map);
        parked.values_mut().for_each(|stack| stack.map_terms(map));
        let changed: Vec<(u64, Object)> = fixed
            .iter()
            .filter_map(|(base, object)| Some((*base, change(object)?)))
            .collect();
        if !changed.is_empty() {
            Arc::make_mut(fixed).extend(changed);
        }
    }
}
