//! Bug reports: the state's location, and the arguments of its calls.
//!
//! Invariant: the reported location is in the innermost frame of user code, so that a null pointer
//! passed to `strlen` is shown where the program passed it; the stack shows the rest.

use super::prepared::PreparedProgram;
use crate::memory::{AccessError, AccessErrorKind, AllocationSite, ObjectKind, ObjectRef};
use crate::outcome::{
    Bug, BugKind, BugLocation, CHECK_HANDLERS, StackEntry, Termination, Unsupported,
};
use crate::state::{Frame, State};
use homi_config::Weakness;
use homi_ir::program::{FuncId, Global, GlobalInit, Inst, LocId, Origin};
use std::iter::repeat;
use std::sync::Arc;

/// Frames of a deep stack that a report shows at either end.
const INNERMOST_SHOWN: usize = 1000;
const OUTERMOST_SHOWN: usize = 24;
/// Frames that a handler of the compiler's checks may have below it when it reports.
const HANDLERS_DEPTH: usize = 4;
/// Bytes of a file's name that a report shows.
const FILE_NAME_SHOWN: u64 = 4096;
/// Bytes of a string literal that a report shows.
const TEXT_SHOWN: usize = 40;

/// True if the engine's bug can be what a compiler's check found at its place.
fn is_one_fault(finding: &BugKind, bug: &BugKind) -> bool {
    match bug {
        BugKind::Ptr | BugKind::ReadOnly | BugKind::Stack => {
            matches!(finding, BugKind::Ptr | BugKind::VlaBound)
        }
        BugKind::Div | BugKind::Overflow | BugKind::Overshift => {
            matches!(
                finding,
                BugKind::Div | BugKind::Overflow | BugKind::Overshift
            )
        }
        _ => false,
    }
}

/// Returns the weakness of a failed access.
fn access_weakness(kind: &AccessErrorKind, writes: bool) -> Weakness {
    match kind {
        AccessErrorKind::Null => Weakness::NullDereference,
        AccessErrorKind::OutOfBounds { object: Some(_) } if writes => Weakness::OutOfBoundsWrite,
        AccessErrorKind::OutOfBounds { object: Some(_) } => Weakness::OutOfBoundsRead,
        AccessErrorKind::UseAfterFree { .. } => Weakness::UseAfterFree,
        AccessErrorKind::UseAfterReturn { .. } => Weakness::UseAfterReturn,
        AccessErrorKind::UseAfterScope { .. } => Weakness::UseAfterScope,
        AccessErrorKind::ReadOnly { .. } => Weakness::ReadOnlyWrite,
        AccessErrorKind::OutOfBounds { object: None }
        | AccessErrorKind::Function
        | AccessErrorKind::External { .. } => Weakness::WildPointer,
    }
}

fn is_literal(global: &Global) -> bool {
    global.constant && global.name.starts_with(".str")
}

impl PreparedProgram<'_> {
    /// The instruction a frame is at: the current one for the innermost frame, else its call.
    fn frame_location(&self, frame: &Frame, innermost: bool) -> LocId {
        let function = self.program.function(frame.function);
        let pc = if innermost {
            frame.pc
        } else {
            frame.pc.saturating_sub(1)
        };
        function
            .locations
            .get(pc as usize)
            .copied()
            .unwrap_or(function.location)
    }

    /// The source location that reports name for a state: of the innermost frame of the user's
    /// code, or of the innermost frame if there is none.
    pub fn location(&self, state: &State) -> LocId {
        let (frame, is_innermost) = self.reported_frame(state);
        self.frame_location(frame, is_innermost)
    }

    /// The frame that reports name, and whether it is the innermost of all.
    fn reported_frame<'s>(&self, state: &'s State) -> (&'s Frame, bool) {
        let frames = state
            .frames
            .iter()
            .zip([true].into_iter().chain(repeat(false)));
        let own = frames
            .skip(self.handler_frames(state))
            .find(|(frame, _)| self.program.function(frame.function).origin == Origin::Program);
        own.unwrap_or((state.frames.top(), true))
    }

    /// Function and code index of the instruction that reports name for a state: `location` is its
    /// source location.
    /// After `main` has returned it is that return.
    pub fn place(&self, state: &State) -> (FuncId, u32) {
        let (frame, is_innermost) = self.reported_frame(state);
        let entry = self.program.entry;
        let code = &self.program.function(entry).code;
        let is_return = |inst: &Inst| matches!(inst, Inst::Return { .. });
        match code.iter().position(is_return) {
            Some(at) if self.program.function(frame.function).origin == Origin::Runtime => {
                (entry, at as u32)
            }
            _ => (
                frame.function,
                frame.pc.saturating_sub(u32::from(!is_innermost)),
            ),
        }
    }

    /// Function and code index of what the reported frame executes.
    fn reported_instruction(&self, state: &State) -> (FuncId, u32) {
        let (frame, is_innermost) = self.reported_frame(state);
        (
            frame.function,
            frame.pc.saturating_sub(u32::from(!is_innermost)),
        )
    }

    /// Returns the details of a state's location in addition to the source location.
    fn bug_place(&self, state: &State) -> BugLocation {
        let (frame, is_innermost) = self.reported_frame(state);
        let location = self.frame_location(frame, is_innermost);
        if self.program.location(location).line != 0 {
            return BugLocation::Located;
        }
        self.reported_place(state)
            .unwrap_or(BugLocation::Instruction(frame.function, frame.pc))
    }

    /// Returns the number of innermost frames that belong to a handler of the compiler's checks and
    /// its callees.
    pub(super) fn handler_frames(&self, state: &State) -> usize {
        let is_handler = |frame: &Frame| {
            let function = self.program.function(frame.function);
            function.name.starts_with(CHECK_HANDLERS)
        };
        let innermost = state.frames.iter().take(HANDLERS_DEPTH);
        let handlers = innermost.enumerate().filter(|(_, frame)| is_handler(frame));
        handlers.last().map_or(0, |(index, _)| index + 1)
    }

    /// The place that a compiler's check gave its handler: its first argument points to the name of
    /// the file, a line and a column. The handlers of the minimal runtime are given nothing.
    fn reported_place(&self, state: &State) -> Option<BugLocation> {
        let handler = self.handler_frames(state).checked_sub(1)?;
        let mut frames = state.frames.iter().skip(handler);
        let (frame, caller) = (frames.next()?, frames.next()?);
        let call = frame.call_site? as usize;
        let slot = self.program.function(caller.function).calls.get(call)?;
        let slot = slot.args.first()?.0.index();
        if caller.term(slot).is_some() {
            return None;
        }
        let check = caller.bits[slot];
        let width = self.program.pointers.bytes();
        let word = |at: u64, bytes: u32| state.memory.read_word(at, bytes).ok().flatten();
        let file = self.readable_text(state, word(check, width)?)?;
        let at = check.wrapping_add(u64::from(width));
        let (line, column) = (word(at, 4)? as u32, word(at.wrapping_add(4), 4)? as u32);
        (line != 0 && !file.is_empty()).then_some(BugLocation::Reported { file, line, column })
    }

    /// The text at an address, if it is concrete and short.
    pub(super) fn readable_text(&self, state: &State, address: u64) -> Option<String> {
        let byte = |at: u64| state.memory.read_word(address.wrapping_add(at), 1).ok()?;
        let mut bytes = Vec::new();
        for at in 0..FILE_NAME_SHOWN {
            match byte(at)? as u8 {
                0 => return Some(String::from_utf8_lossy(&bytes).into_owned()),
                byte => bytes.push(byte),
            }
        }
        None
    }

    /// The call stack, innermost first; of a very deep one its two ends.
    pub fn stack(&self, state: &State) -> Vec<StackEntry> {
        let callers = state.frames.iter().skip(1).map(Some).chain([None]);
        let frames = state.frames.iter().zip(callers).enumerate();
        let outermost = state.frames.len().saturating_sub(OUTERMOST_SHOWN);
        frames
            .filter(|(index, _)| *index < INNERMOST_SHOWN || *index >= outermost)
            .map(|(index, (frame, caller))| StackEntry {
                function: frame.function,
                function_name: self.program.function(frame.function).name.clone(),
                arguments: self.arguments(frame, caller),
                location: self.frame_location(frame, index == 0),
            })
            .collect()
    }

    /// Returns the arguments as passed: from the caller's registers, which stay during the call,
    /// while registers of the callee get other values after an argument's last use. A frame without
    /// a call has only its registers.
    fn arguments(&self, frame: &Frame, caller: Option<&Frame>) -> Vec<String> {
        let passed = caller.zip(frame.call_site).and_then(|(caller, site)| {
            let function = self.program.function(caller.function);
            Some((caller, &function.calls.get(site as usize)?.args))
        });
        let params = &self.program.function(frame.function).params;
        let texts = params.iter().enumerate().map(|(index, param)| {
            let (frame, slot) = passed
                .and_then(|(caller, slots)| Some((caller, slots.get(index)?.0)))
                .unwrap_or((frame, param.slot));
            let value = self.argument_text(frame, slot.index(), param.width);
            match param.name.as_str() {
                "" => value,
                name => format!("{name}={value}"),
            }
        });
        texts.collect()
    }

    fn argument_text(&self, frame: &Frame, slot: usize, width: u32) -> String {
        if frame.term(slot).is_some() {
            return "symbolic".to_string();
        }
        let value = frame.bits[slot];
        if width == 64 && value > 0xffff {
            format!("{value:#x}")
        } else {
            value.to_string()
        }
    }

    /// A bug of the state at its current instruction. If a compiler's check has reported it on this
    /// path, it is that finding.
    pub fn bug(&self, state: &State, kind: BugKind, message: impl Into<String>) -> Bug {
        let mut bug = self.own_bug(state, kind, message);
        let mut findings = state.record.findings.iter();
        let same = |finding: &&Arc<Bug>| {
            finding.location == bug.location
                && finding.place == bug.place
                && is_one_fault(&finding.kind, &bug.kind)
        };
        if let Some(finding) = findings.rfind(same) {
            bug.adopt(finding);
        }
        bug
    }

    /// A bug of the state at its current instruction, whatever was reported before.
    pub fn own_bug(&self, state: &State, kind: BugKind, message: impl Into<String>) -> Bug {
        Bug {
            weakness: kind.weakness(),
            kind,
            message: message.into(),
            location: self.location(state),
            place: self.bug_place(state),
            at: self.reported_instruction(state),
            stack: self.stack(state),
            details: Vec::new(),
            access: None,
            explanation: None,
            values: String::new(),
        }
    }

    /// Returns the termination for a failed read.
    pub fn read_failed(&self, state: &State, error: AccessError) -> Termination {
        self.access_failed(state, error, false)
    }

    /// Returns the termination for a failed write.
    pub fn write_failed(&self, state: &State, error: AccessError) -> Termination {
        self.access_failed(state, error, true)
    }

    /// Returns the termination for a failed memory access: a bug, or an unsupported feature if the
    /// program lacks a definition.
    pub fn access_failed(&self, state: &State, error: AccessError, writes: bool) -> Termination {
        let kind = match &error.kind {
            AccessErrorKind::ReadOnly { .. } => BugKind::ReadOnly,
            AccessErrorKind::External { object } => {
                return Termination::Unsupported(Unsupported {
                    what: format!("access to undefined variable {}", self.describe(object)),
                    location: self.location(state),
                });
            }
            AccessErrorKind::Null
            | AccessErrorKind::OutOfBounds { .. }
            | AccessErrorKind::UseAfterFree { .. }
            | AccessErrorKind::UseAfterReturn { .. }
            | AccessErrorKind::UseAfterScope { .. }
            | AccessErrorKind::Function => BugKind::Ptr,
        };
        let message = match &error.kind {
            AccessErrorKind::UseAfterScope { local: Some(local) } => {
                format!("{error} of {}", self.describe_declared(local))
            }
            _ => error.to_string(),
        };
        let mut bug = self.bug(state, kind.clone(), message);
        if bug.kind == kind {
            bug.weakness = access_weakness(&error.kind, writes);
        }
        bug.details = self.access_details(&error);
        bug.access = Some(error);
        Termination::Bug(Box::new(bug))
    }

    fn access_details(&self, error: &AccessError) -> Vec<String> {
        let mut details = vec![
            format!("address: {:#x}", error.address),
            format!("bytes accessed: {}", error.bytes),
        ];
        match &error.kind {
            AccessErrorKind::OutOfBounds {
                object: Some(object),
            }
            | AccessErrorKind::ReadOnly { object } => {
                let offset = error.address.wrapping_sub(object.base) as i64;
                details.push(format!("offset {offset} in {}", self.describe(object)));
            }
            AccessErrorKind::UseAfterFree { object, freed } => {
                if let Some(object) = object {
                    details.push(format!("object: {}", self.describe(object)));
                }
                if let Some(freed) = freed {
                    details.push(format!("freed at {}", self.describe_site(freed)));
                }
            }
            AccessErrorKind::UseAfterReturn { local: Some(local) } => {
                details.push(format!(
                    "object: in stack memory of a function that has returned ({})",
                    self.describe_site(local)
                ));
            }
            _ => {}
        }
        if let Some(object) = &error.above {
            details.push(format!("next: {}", self.describe(object)));
        }
        if let Some(object) = &error.below {
            details.push(format!("prev: {}", self.describe(object)));
        }
        details
    }

    /// An object in words: kind, size, where it was made.
    pub fn describe(&self, object: &ObjectRef) -> String {
        let size = match object.symbolic_size {
            Some(_) => format!("{} to {} (symbolic)", object.size, object.capacity),
            None => object.size.to_string(),
        };
        let memory = match object.kind {
            ObjectKind::Stack => "stack",
            ObjectKind::Heap => "heap",
            ObjectKind::Argument => "argument",
            ObjectKind::Fixed => "fixed",
            ObjectKind::Mapping => "mapped",
            ObjectKind::Global { .. } | ObjectKind::External => "global",
        };
        format!(
            "object at {:#x} of size {size} in {memory} memory ({})",
            object.base,
            self.describe_site(&object.site)
        )
    }

    /// A local by its name, its type and the place of its declaration.
    fn describe_declared(&self, site: &AllocationSite) -> String {
        if let AllocationSite::FrameObject { function, object } = site
            && let Some(local) = (self.program.function(*function).frame_objects)
                .get(*object as usize)
                .filter(|local| local.declared.location != LocId(0))
        {
            let place = self.program.describe_location(local.declared.location);
            return format!(
                "'{}' ({}, declared at {place})",
                local.name, local.declared.ty
            );
        }
        self.describe_site(site)
    }

    /// An object by its name; one without a name by the place that made it.
    pub fn name_of(&self, object: &ObjectRef) -> String {
        let name = match &object.site {
            AllocationSite::Global(global) => {
                let global = self.program.global(*global);
                if is_literal(global) {
                    return self.describe_global(global);
                }
                global.name.as_str()
            }
            AllocationSite::FrameObject { function, object } => {
                let locals = &self.program.function(*function).frame_objects;
                locals.get(*object as usize).map_or("", |local| &local.name)
            }
            AllocationSite::Instruction { location, .. } => {
                let place = self.program.describe_location(*location);
                return format!("the block of {place}");
            }
            AllocationSite::Engine(_) => "",
        };
        match name {
            "" => self.describe_site(&object.site),
            name => format!("'{name}'"),
        }
    }

    pub fn describe_site(&self, site: &AllocationSite) -> String {
        match site {
            AllocationSite::Engine(purpose) => (*purpose).to_string(),
            AllocationSite::Global(global) => self.describe_global(self.program.global(*global)),
            AllocationSite::Instruction { function, location } => format!(
                "{} at {}",
                self.program.function(*function).name,
                self.program.describe_location(*location)
            ),
            AllocationSite::FrameObject { function, object } => {
                let function = self.program.function(*function);
                let name = function.frame_objects.get(*object as usize);
                let name = name.map_or("", |object| object.name.as_str());
                let local = match name {
                    "" => "a local".to_string(),
                    name => format!("local {name}"),
                };
                let place = self.program.describe_location(function.location);
                format!("{local} of {} at {place}", function.name)
            }
        }
    }

    /// A global by its name and place; a string literal, which has neither, by its text.
    fn describe_global(&self, global: &Global) -> String {
        match &global.init {
            GlobalInit::Bytes { bytes, .. } if is_literal(global) => {
                let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
                let more = if text.len() > TEXT_SHOWN { "..." } else { "" };
                let shown = text[..text.len().min(TEXT_SHOWN)].escape_ascii();
                format!("string literal \"{shown}{more}\"")
            }
            _ if global.location == LocId(0) => format!("global {}", global.name),
            _ => {
                let place = self.program.describe_location(global.location);
                format!("global {} at {place}", global.name)
            }
        }
    }

    /// Returns the place of an allocation or free for later reports.
    pub fn site(&self, state: &State) -> AllocationSite {
        AllocationSite::Instruction {
            function: state.frames.top().function,
            location: self.location(state),
        }
    }
}
