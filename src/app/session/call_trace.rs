//! The library calls of a test's execution in the engine, for the cause of a divergence.
//!
//! Idea: a state that runs instruction by instruction shows each call of the program's own code,
//! and its return, as a change of the call stack; the interpreter needs no hook.

use super::SessionError;
use super::exploration::{Exploration, FirstThread};
use super::prediction::{VARIATION, VariedHost, give_input};
use super::standalone::first_state;
use crate::explore::sources::EntryState;
use crate::ir::program::{ArgClass, CallSite, Callee, Inst, Origin, Program, Slot};
use crate::machine::exec::{MutedConsole, Step, World};
use crate::machine::memory::ByteValue;
use crate::machine::state::{Frame, State};
use crate::native::replay::{
    CallArgument, CallResult, LibraryCall, MOST_CALLS, RECORDED_ARGUMENTS, TEXT_BYTES, TestCalls,
    cause, mark_varying,
};
use crate::native::testcase::ktest::KTest;
use crate::report::Summary;
use crate::solver::term::Terms;

/// Instructions of an execution that is recorded.
const MOST_INSTRUCTIONS: u64 = 1_000_000;
/// Lowest address that may be a pointer.
const LOWEST: u64 = 4096;

impl Exploration<'_> {
    /// Adds causes to the divergences of a summary. `native` has the library calls that their tests
    /// make natively.
    pub(super) fn find_causes(
        &self,
        first: &mut FirstThread<'_>,
        native: &TestCalls,
        summary: &mut Summary,
    ) {
        let outcomes = summary.outcomes.iter_mut();
        for divergence in outcomes.flat_map(|outcomes| &mut outcomes.divergences) {
            let file = self
                .output
                .directory
                .file(&format!("{}.ktest", divergence.test));
            let (Some(native), Ok(test)) = (native.get(&divergence.test), KTest::read(&file))
            else {
                continue;
            };
            // A test that cannot be executed again has no cause.
            let Ok(mut calls) = self.library_calls(first, &test, 0) else {
                continue;
            };
            if let Ok(again) = self.library_calls(first, &test, VARIATION) {
                mark_varying(&mut calls, &again);
                let mut causes = native.iter().map(|run| cause(&calls, run));
                let found = causes.next().flatten();
                // What varies from run to run natively is no cause.
                if causes.all(|other| other == found) {
                    divergence.cause = found;
                }
            }
        }
    }

    /// Executes a test and returns its library calls.
    fn library_calls(
        &self,
        first: &mut FirstThread<'_>,
        test: &KTest,
        variation: u16,
    ) -> Result<Vec<LibraryCall>, SessionError> {
        let FirstThread {
            executor,
            solver,
            terms,
        } = first;
        let state = first_state(executor, &self.arguments_of(test))?;
        let EntryState {
            mut state,
            mut observer,
        } = EntryState::new(executor, state);
        give_input(&mut state, test, variation);
        let host = VariedHost::of(&self.world.host, variation);
        let mut console = MutedConsole;
        let mut trace = CallTrace::new(&self.loaded.program, terms);
        while observer.instructions < MOST_INSTRUCTIONS && !trace.is_full() {
            trace.before_step(&state);
            let world = World {
                host: &host,
                console: &mut console,
            };
            if let Step::Ended(_) = executor.run(&mut state, solver, world, &mut observer, 1) {
                break;
            }
            trace.after_step(&state);
        }
        Ok(trace.finish())
    }
}

/// Records the library calls of one execution.
struct CallTrace<'p> {
    program: &'p Program,
    terms: &'p Terms,
    calls: Vec<LibraryCall>,
    /// The call that the next instruction makes, or that has not returned.
    open: Option<OpenCall<'p>>,
}

/// A call that has not returned.
struct OpenCall<'p> {
    site: &'p CallSite,
    /// Depth of the caller's frame.
    depth: usize,
    /// True if the call was made.
    is_made: bool,
    call: LibraryCall,
}

impl<'p> CallTrace<'p> {
    fn new(program: &'p Program, terms: &'p Terms) -> Self {
        Self {
            program,
            terms,
            calls: Vec::new(),
            open: None,
        }
    }

    /// True if no more calls are recorded.
    fn is_full(&self) -> bool {
        self.calls.len() >= MOST_CALLS
    }

    /// Looks at a state before its next instruction.
    fn before_step(&mut self, state: &State) {
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
            depth: state.frames.len(),
            is_made: false,
            call: LibraryCall {
                name,
                location: location.filter(|place| place != "unknown"),
                arguments: arguments(site, frame, (self.terms, state)),
                result: None,
                result_text: None,
                varies: false,
            },
        });
    }

    /// Looks at a state after an instruction.
    fn after_step(&mut self, state: &State) {
        let Some(open) = &mut self.open else {
            return;
        };
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
        if let Some(open) = self.open.take()
            && !open.call.name.is_empty()
        {
            self.calls.push(returned(open, (self.terms, state)));
        }
    }

    /// Ends the record: the last call has not returned.
    fn finish(mut self) -> Vec<LibraryCall> {
        if let Some(open) = self.open.filter(|open| open.is_made) {
            self.calls.push(open.call);
        }
        self.calls
    }
}

/// Returns a call with what it gave. A call that was left by a jump has given nothing, and a call
/// with an argument in a vector register, which is not recorded, counts as one.
fn returned(open: OpenCall<'_>, (terms, state): (&Terms, &State)) -> LibraryCall {
    let OpenCall {
        site,
        depth,
        mut call,
        ..
    } = open;
    if state.frames.len() < depth || site.arg_classes.contains(&ArgClass::Sse) {
        return call;
    }
    for argument in &mut call.arguments {
        argument.after = text(terms, state, argument.value);
    }
    let [(slot, width)] = site.results[..site.returned()] else {
        return call;
    };
    if let Some(value) = value(state.frames.top(), slot, width, (terms, state)) {
        call.result_text = text(terms, state, value);
        call.result = Some(CallResult {
            value,
            width,
            float: value,
        });
    }
    call
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
            before: text(at.0, at.1, value),
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

/// Returns the start of the text at an address; `None` if no memory is there.
fn text(terms: &Terms, state: &State, address: u64) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for at in (address..address.saturating_add(TEXT_BYTES as u64)).filter(|at| *at >= LOWEST) {
        match state.memory.read_byte(terms, at) {
            Ok(ByteValue::Concrete(0)) => return Some(text),
            Ok(ByteValue::Concrete(byte)) => text.push(byte),
            Ok(ByteValue::Term(term)) => match terms.eval(term, &state.model) as u8 {
                0 => return Some(text),
                byte => text.push(byte),
            },
            Err(_) => break,
        }
    }
    (!text.is_empty()).then_some(text)
}
