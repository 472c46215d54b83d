//! The library calls of a test's execution in the engine, for the cause of a divergence.
//!
//! Idea: a state that runs instruction by instruction shows each call of the program's own code,
//! and its return, as a change of the call stack; the interpreter needs no hook. So a call can
//! leave its native result too, in place of homi's.

use homi_ir::program::{ArgClass, CallSite, Callee, Inst, Origin, Program, Slot};
use homi_machine::memory::{ByteValue, Value};
use homi_machine::state::{Frame, State};
use homi_native::replay::{
    CallArgument, CallResult, LibraryCall, MOST_CALLS, NativeResult, NativeValue,
    RECORDED_ARGUMENTS, TEXT_BYTES,
};
use homi_solver::term::{Term, Terms};

/// Instructions of an execution that is recorded.
pub(super) const MOST_INSTRUCTIONS: u64 = 1_000_000;
/// Bytes of an argument's text that a native result depends on.
const LONGEST_TEXT: u64 = 4096;
/// Lowest address that may be a pointer.
const LOWEST: u64 = 4096;

/// Records the library calls of one execution.
pub(super) struct CallTrace<'p> {
    program: &'p Program,
    terms: &'p Terms,
    calls: Vec<LibraryCall>,
    /// Native results that calls still have to leave, in the order of the calls.
    imposed: &'p [NativeResult],
    /// Terms that a native result has replaced.
    replaced: Vec<Term>,
    /// True if a native result does not fit the execution.
    has_failed: bool,
    /// The call that the next instruction makes, or that has not returned.
    open: Option<OpenCall<'p>>,
}

/// A call that has not returned.
struct OpenCall<'p> {
    site: &'p CallSite,
    /// The thread that calls.
    thread: u32,
    /// Depth of the caller's frame.
    depth: usize,
    /// True if the call was made.
    is_made: bool,
    call: LibraryCall,
}

impl<'p> CallTrace<'p> {
    /// Begins the record of an execution whose calls leave these native results.
    pub(super) fn new(program: &'p Program, terms: &'p Terms, imposed: &'p [NativeResult]) -> Self {
        Self {
            program,
            terms,
            calls: Vec::new(),
            imposed,
            replaced: Vec::new(),
            has_failed: false,
            open: None,
        }
    }

    /// True if no more calls are recorded.
    pub(super) fn is_full(&self) -> bool {
        self.calls.len() >= MOST_CALLS
    }

    /// Returns the number of native results that no call has left yet.
    pub(super) fn imposed_left(&self) -> usize {
        self.imposed.len()
    }

    /// True if a native result does not fit the execution.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Takes the terms that native results have replaced since the last time.
    pub(super) fn take_replaced(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.replaced)
    }

    /// Returns the name of the function whose call comes next and leaves a native result.
    pub(super) fn next_imposed(&self) -> Option<&'p str> {
        let (next, open) = (self.imposed.first()?, self.open.as_ref()?);
        (next.call == self.calls.len() && !open.is_made).then_some(&*next.function)
    }

    /// Returns the terms that the arguments of the next call depend on, and their texts.
    pub(super) fn given_terms(&self, state: &State) -> Vec<Term> {
        let Some(open) = &self.open else {
            return Vec::new();
        };
        let frame = state.frames.top();
        let at = (self.terms, state);
        let mut given = Vec::new();
        for &(slot, width) in &open.site.args {
            given.extend(frame.term(slot.index()));
            for address in value(frame, slot, width, at).into_iter() {
                let texts = address..address.saturating_add(LONGEST_TEXT);
                for at in texts.filter(|at| *at >= LOWEST) {
                    match state.memory.read_byte(self.terms, at) {
                        Ok(ByteValue::Term(term)) => {
                            given.push(term);
                            if self.terms.eval(term, &state.model) == 0 {
                                break;
                            }
                        }
                        Ok(ByteValue::Concrete(0)) | Err(_) => break,
                        Ok(ByteValue::Concrete(_)) => {}
                    }
                }
            }
        }
        given
    }

    /// Looks at a state before its next instruction.
    pub(super) fn before_step(&mut self, state: &State) {
        if self.open.is_some() {
            return;
        }
        let frame = state.frames.top();
        let function = self.program.function(frame.function);
        if function.origin != Origin::Program {
            return;
        }
        let Some(Inst::Call { site }) = function.code.get(frame.pc as usize) else {
            return;
        };
        let site = &function.calls[*site as usize];
        let name = match site.callee {
            Callee::Direct(callee) => self.program.function(callee).name.clone(),
            Callee::Indirect(_) => String::new(),
            Callee::Assembly { .. } => return,
        };
        let location = function.locations.get(frame.pc as usize);
        let location = location.map(|place| self.program.describe_location(*place));
        self.open = Some(OpenCall {
            site,
            thread: state.threads.running(),
            depth: state.frames.len(),
            is_made: false,
            call: LibraryCall {
                name,
                location: location.filter(|place| place != "unknown"),
                arguments: arguments(site, frame, (self.terms, state)),
                has_all_arguments: has_integer_arguments(site),
                result: None,
                result_text: None,
                varies: false,
            },
        });
    }

    /// Looks at a state after an instruction. A call that has returned may leave its native result.
    pub(super) fn after_step(&mut self, state: &mut State) {
        let Some(open) = &mut self.open else {
            return;
        };
        // A call that waits lets other threads run; their calls are not recorded.
        if state.threads.running() != open.thread {
            open.is_made = true;
            return;
        }
        let depth = state.frames.len();
        if !open.is_made {
            open.is_made = true;
            if depth > open.depth {
                let callee = self.program.function(state.frames.top().function);
                if callee.origin == Origin::Program {
                    self.open = None;
                } else {
                    open.call.name.clone_from(&callee.name);
                }
                return;
            }
        }
        if depth > open.depth {
            return;
        }
        let Some(mut open) = self.open.take().filter(|open| !open.call.name.is_empty()) else {
            return;
        };
        if let Some((next, rest)) = self.imposed.split_first()
            && next.call == self.calls.len()
        {
            self.imposed = rest;
            if self.impose(next, &open, state).is_none() {
                self.has_failed = true;
            }
        }
        record_result(&mut open, (self.terms, state));
        self.calls.push(open.call);
    }

    /// Leaves the native result of a call that has returned; `None` if it does not fit.
    fn impose(
        &mut self,
        native: &NativeResult,
        open: &OpenCall<'_>,
        state: &mut State,
    ) -> Option<()> {
        if state.frames.len() != open.depth {
            return None;
        }
        let result = open.site.results[..open.site.returned()].first();
        let argument = |number: usize| Some(open.call.arguments.get(number)?.value);
        let number = |value: NativeValue| match value {
            NativeValue::Number(number) => Some(number),
            NativeValue::BehindArgument {
                argument: number,
                offset,
            } => argument(number)?.checked_add(offset),
        };
        for output in &native.outputs {
            let base = match output.argument {
                Some(number) => argument(number)?,
                None => {
                    let (slot, width) = *result?;
                    value(state.frames.top(), slot, width, (self.terms, state))?
                }
            };
            let address = base.checked_add(output.offset)?;
            for at in address..address.checked_add(u64::from(output.bytes))? {
                if let Ok(ByteValue::Term(term)) = state.memory.read_byte(self.terms, at) {
                    self.replaced.push(term);
                }
            }
            let value = Value::Concrete(number(output.value)?.into());
            let written = state.memory.write(self.terms, address, output.bytes, value);
            written.ok()?;
        }
        if let Some(value) = native.value {
            let (slot, _) = *result?;
            let frame = state.frames.top_mut();
            self.replaced.extend(frame.term(slot.index()));
            frame.clear_term(slot.index());
            frame.bits[slot.index()] = number(value)?;
        }
        Some(())
    }

    /// Ends the record: the last call has not returned.
    pub(super) fn finish(mut self) -> Vec<LibraryCall> {
        if let Some(open) = self.open.filter(|open| open.is_made) {
            self.calls.push(open.call);
        }
        self.calls
    }
}

/// Records what a call gave. A call that was left by a jump has given nothing, and a call with an
/// argument in a vector register, which is not recorded, counts as one.
fn record_result(open: &mut OpenCall<'_>, (terms, state): (&Terms, &State)) {
    let (site, call) = (open.site, &mut open.call);
    if state.frames.len() < open.depth || site.arg_classes.contains(&ArgClass::Sse) {
        return;
    }
    for argument in &mut call.arguments {
        argument.after = bytes(terms, state, argument.value);
    }
    let [(slot, width)] = site.results[..site.returned()] else {
        return;
    };
    if let Some(value) = value(state.frames.top(), slot, width, (terms, state)) {
        call.result_text = bytes(terms, state, value);
        call.result = Some(CallResult {
            value,
            width,
            float: value,
        });
    }
}

/// True if all arguments of a call are recorded.
fn has_integer_arguments(site: &CallSite) -> bool {
    let mut classes = site.arg_classes.iter();
    site.args.len() <= RECORDED_ARGUMENTS && classes.all(|class| *class == ArgClass::Integer)
}

/// Returns the arguments that are in integer registers natively.
fn arguments(site: &CallSite, frame: &Frame, at: (&Terms, &State)) -> Vec<CallArgument> {
    let classes = site.arg_classes.iter();
    let integers = site.args.iter().zip(classes);
    let integers = integers.filter(|(_, class)| **class == ArgClass::Integer);
    let values = integers.map_while(|(&(slot, width), _)| {
        let value = value(frame, slot, width, at)?;
        Some(CallArgument {
            value,
            width,
            before: bytes(at.0, at.1, value),
            after: None,
        })
    });
    values.take(RECORDED_ARGUMENTS).collect()
}

/// Returns a value of at most 64 bits.
fn value(frame: &Frame, slot: Slot, width: u32, (terms, state): (&Terms, &State)) -> Option<u64> {
    if width > 64 {
        return None;
    }
    Some(match frame.term(slot.index()) {
        Some(term) => terms.eval(term, &state.model) as u64,
        None => frame.bits[slot.index()],
    })
}

/// Returns the bytes at an address; `None` if no memory is there.
fn bytes(terms: &Terms, state: &State, address: u64) -> Option<Vec<u8>> {
    let places = address..address.saturating_add(TEXT_BYTES as u64);
    let bytes = places.filter(|at| *at >= LOWEST).map_while(|at| {
        match state.memory.read_byte(terms, at).ok()? {
            ByteValue::Concrete(byte) => Some(byte),
            ByteValue::Term(term) => Some(terms.eval(term, &state.model) as u8),
        }
    });
    let bytes: Vec<u8> = bytes.collect();
    (!bytes.is_empty()).then_some(bytes)
}
