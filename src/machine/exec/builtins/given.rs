//! Bytes of a new symbolic object: the run's first input, or an earlier test if its path is that
//! test's and the sizes fit.
//!
//! KLEE ends a path whose seed has an object of another size, or lacks one, unless seeds may be
//! truncated or extended. homi resizes them by default, and reports it.

use super::super::initial_input::SizeMismatch;
use super::BuiltinCall;
use crate::outcome::{BugKind, Example, Termination, Underapproximation};
use crate::state::{GivenObject, Matching, WantedObject};
use std::sync::Arc;

/// An object that the program asks for.
struct Asked<'n> {
    name: &'n str,
    size: u32,
    is_replay: bool,
}

impl Asked<'_> {
    /// KLEE's text about an object that may not be what it is.
    fn refused(&self, found: Option<&GivenObject>) -> String {
        let Self { name, size, .. } = self;
        match (found, self.is_replay) {
            (None, true) => "replay count mismatch".to_string(),
            (Some(_), true) => "replay size mismatch".to_string(),
            (None, false) => "ran out of inputs during seeding".to_string(),
            (Some(found), false) => {
                let (theirs, bytes) = (&found.name, found.bytes.len());
                format!("replace size mismatch: {name}[{size}] vs {theirs}[{bytes}] in test")
            }
        }
    }

    /// Returns the description of a resized object.
    fn fitted(&self, found: Option<&GivenObject>) -> String {
        let Self { name, size, .. } = self;
        let Some(found) = found else {
            return format!("it has no object {name}, whose bytes are any that the path allows");
        };
        let bytes = found.bytes.len();
        let ending = if bytes == 1 { "" } else { "s" };
        let done = if bytes > *size as usize {
            "the rest is left out"
        } else {
            "the missing ones are zero"
        };
        format!(
            "its object {name} has {bytes} byte{ending} where the program asks for {size}: {done}"
        )
    }
}

impl BuiltinCall<'_, '_, '_> {
    /// Checks that the tests whose path this is have the object that the program is about to make.
    ///
    /// # Errors
    ///
    /// Returns a user error if one has it with another size, and the run refuses that.
    pub(super) fn check_given(&mut self, name: &str, size: u32) -> Result<(), Termination> {
        let Some(follows) = self.state.input.follows.clone() else {
            return Ok(());
        };
        let before = Arc::clone(&self.state.symbolics.objects);
        let is_replay = self.state.input.is_given;
        let asked = Asked {
            name,
            size,
            is_replay,
        };
        for test in follows.iter() {
            let found = test.find(WantedObject {
                name,
                size,
                earlier: self.state.symbolics.made_with(name),
                before: &before,
            });
            if test.matching == Matching::ByNameOrSize {
                self.warn_of_names(name, found);
            }
            let has = found.map_or(0, |object| object.bytes.len());
            if found.is_some() && has == size as usize {
                continue;
            }
            let (shorter, longer) = self.config().seed_sizes.refuses();
            if has < size as usize && shorter || has > size as usize && longer {
                self.note_refused();
                return Err(self.bug(BugKind::User, asked.refused(found)));
            }
            if test.file.is_some() {
                let text = asked.fitted(found);
                let test = Arc::clone(test);
                self.observer
                    .size_mismatches
                    .push(SizeMismatch { test, text });
            }
        }
        Ok(())
    }

    /// The path ends for its seed's sake: what other inputs do from here on is not followed.
    fn note_refused(&mut self) {
        let top = self.state.frames.top();
        let at = (Underapproximation::Pruned, top.function, top.pc);
        let why = || Example::note("its seed does not fit the program (--seed-sizes)");
        self.observer.underapproximations.note(at, why);
    }

    /// KLEE's warnings about an object that the program asks for by another name.
    fn warn_of_names(&mut self, name: &str, found: Option<&GivenObject>) {
        let text = match found {
            Some(found) if found.name == name => return,
            Some(found) => {
                let (theirs, bytes) = (&found.name, found.bytes.len());
                format!("using seed input {theirs}[{bytes}] for: {name} (no name match)")
            }
            None => format!("no seed input for: {name}"),
        };
        self.console.warning_once(&text, &text);
    }
}
