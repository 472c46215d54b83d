//! The executor: a program prepared for running, and `run`, which advances one state.
//!
//! Invariant: nothing in an `Executor` changes while states run, so any number of states (and later
//! threads) can use one. Addresses of globals and functions are the same for every state.

use super::checks::faults::FaultPlaces;
use super::checks::undefined;
use super::config::{ExecConfig, Speed};
use super::console::Console;
use super::context::Context;
use super::fast::decode::{Decoded, Decoder};
use super::fast::segments::Segments;
use super::first_input::FirstBytes;
use super::intrinsics;
use super::intrinsics::Special;
use super::observer::Observer;
use super::shares;
use super::step::call::stack_bytes;
use super::world::World;
use crate::config::StubWord;
use crate::ir::ops::float::Rounding;
use crate::ir::program::{
    ConstValue, FuncId, Function, Global, GlobalInit, Landmark, LocId, PointerWidth, Program,
    landmark,
};
use crate::machine::memory;
use crate::machine::memory::{AllocationSite, FrameLayout, Memory, ObjectKind, function_address};
use crate::machine::outcome::{Gap, Termination};
use crate::machine::state::{
    CallPathId, Continuation, Frame, Siblings, SideSet, State, TakenSides,
};
use crate::solver::Oracle;
use crate::solver::term::{ArrayId, Terms};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// musl's function that makes a system call's result that of a C function: given a negative error
/// number, it sets errno.
pub const ERRNO_SETTER: &str = "__syscall_ret";

/// Instructions between two looks at the interrupt flag.
const INTERRUPT_INTERVAL: u64 = 50_000;

/// Why a program cannot be run at all.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("global {name} of {size} bytes does not fit into memory")]
    GlobalTooLarge { name: String, size: u64 },
    #[error("the initial value of global {name} cannot be written: {reason}")]
    BadInitialiser { name: String, reason: String },
    #[error("the program to run is malformed: {0}")]
    Malformed(String),
}

/// What happened to a state that was run.
#[derive(Clone)]
pub enum Step {
    /// The budget is used up, the run was interrupted, or the state has closed a merge; it can go
    /// on.
    Continue,
    /// The state forked; it can go on itself, and so can each sibling. A sibling with `ending` set
    /// only has to be ended. Siblings come in a deterministic order.
    Forked(Siblings),
    /// The state is over.
    Ended(Termination),
    /// The state awaited a side that is not possible, or of which nobody knows: there is no such
    /// path, or it is lost, which the observer has recorded.
    Absent(Absent),
}

/// Why a pending state does not run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absent {
    /// Its side is not possible.
    Refuted,
    /// The solver gave up on its side.
    Unknown,
}

/// A program ready to run.
pub struct Executor<'a> {
    pub(super) program: &'a Program,
    pub(super) terms: &'a Terms,
    pub(super) config: &'a ExecConfig,
    pub(super) segments: Segments,
    /// Registers of a fresh frame of each function, constants filled in.
    pub(super) templates: Vec<Box<[u64]>>,
    pub(super) layouts: Vec<Arc<FrameLayout>>,
    /// What a call of each function takes of a native stack, at least.
    pub(super) stack_bytes: Vec<u32>,
    pub(super) global_addresses: Vec<u64>,
    /// The built-in that stands for each function without a body, or wins over its body.
    pub(super) specials: Vec<Option<Special>>,
    /// Some code uses `new`.
    pub(super) has_new: bool,
    /// What is malformed about a function's code; it never runs, a call of it is a gap.
    pub(super) broken: Vec<Option<String>>,
    /// Functions as operations, made when they are first run.
    decoded: Vec<OnceLock<Decoded>>,
    /// Memory with globals in place.
    image: Memory,
    interrupt: &'a AtomicBool,
    /// The object whose bytes are undefined values, if those are tracked.
    pub(super) undefined: Option<ArrayId>,
    /// The object whose bytes mark addresses that left their objects, if undefined values are
    /// tracked.
    pub(super) escaped: Option<ArrayId>,
    /// What stands for each function that was not linked.
    stubs: Vec<Option<StubWord>>,
    /// The libc's function that sets errno, given a negative error number.
    pub(super) errno_setter: Option<FuncId>,
    /// The program asks for floating-point exception flags, so every operation says which it
    /// raises.
    pub(super) tracks_exceptions: bool,
    pub(super) fault_places: FaultPlaces,
    /// Bytes of the largest object that there may be natively.
    pub(super) largest_object: u64,
    /// Bytes of stack that calls may take.
    pub(super) stack_limit: u64,
    /// Frames that a thread may have.
    pub(super) frame_limit: usize,
    /// One place may have only a share of all forks, or of the time in the solver.
    limits_shares: bool,
    /// The result of arithmetic that overflows is what the processor has, no undefined value.
    pub(super) overflow_wraps: bool,
    /// The bytes of the first input.
    pub(super) first_bytes: FirstBytes,
}

/// Whether a program uses an `operator new`.
fn is_any_new(program: &Program) -> bool {
    let names = program.functions.iter().map(|function| &function.name);
    let mut names = names.filter(|name| name.starts_with("_Zn"));
    names.any(|name| name.starts_with("_Znw") || name.starts_with("_Zna"))
}

impl<'a> Executor<'a> {
    /// Prepares a program: lays out and initialises its globals, fills in constants. `interrupt`,
    /// once true, makes `run` return within some 50,000 instructions.
    pub fn new(
        program: &'a Program,
        terms: &'a Terms,
        config: &'a ExecConfig,
        interrupt: &'a AtomicBool,
    ) -> Result<Self, SetupError> {
        super::checks::verify::verify_roots(program).map_err(SetupError::Malformed)?;
        let broken = super::checks::verify::verify(program);
        let mut image = Memory::new(program.pointers);
        let last_function = FuncId::new(program.functions.len());
        image.keep_for_functions(memory::function_address(last_function));
        let global_addresses = allocate_globals(program, &mut image)?;
        let functions = program.functions.iter().enumerate();
        let layouts = functions
            .map(|(index, function)| {
                FrameLayout::new(
                    program.pointers,
                    FuncId::new(index),
                    &function.frame_objects,
                )
            })
            .collect();
        let specials = program.functions.iter().map(intrinsics::find).collect();
        let mut executor = Self {
            program,
            terms,
            config,
            segments: Segments::new(program),
            templates: Vec::new(),
            layouts,
            stack_bytes: program.functions.iter().map(stack_bytes).collect(),
            global_addresses,
            specials,
            has_new: is_any_new(program),
            broken,
            decoded: program.functions.iter().map(|_| OnceLock::new()).collect(),
            image,
            interrupt,
            undefined: config.symbolic.undefined.then(|| undefined::object(terms)),
            escaped: config.symbolic.undefined.then(|| undefined::escaped(terms)),
            stubs: stubs(program, config),
            errno_setter: errno_setter(program, config),
            tracks_exceptions: intrinsics::asks_for_exceptions(program),
            fault_places: FaultPlaces::find(program),
            largest_object: match program.pointers {
                PointerWidth::Bits64 => config.max_object_size,
                PointerWidth::Bits32 => config.max_object_size.min(i32::MAX as u64),
            },
            stack_limit: stack_limit(program, config),
            frame_limit: match config.budget.stack_frames {
                0 => usize::MAX,
                limit => limit as usize,
            },
            limits_shares: config.budget.limits_shares(),
            overflow_wraps: config.checks.overflow || config.property.is_some(),
            first_bytes: FirstBytes::of(config),
        };
        executor.initialise_globals()?;
        executor.templates = program
            .functions
            .iter()
            .zip(&executor.broken)
            .map(|(function, broken)| {
                let mut bits = vec![0u64; function.slots as usize].into_boxed_slice();
                let constants = if broken.is_none() {
                    &function.constants[..]
                } else {
                    &[]
                };
                for (slot, value) in constants {
                    let (width, value) = executor.constant(*value);
                    bits[slot.index()] = value as u64;
                    if width > 64 {
                        bits[slot.index() + 1] = (value >> 64) as u64;
                    }
                }
                bits
            })
            .collect();
        Ok(executor)
    }

    pub fn program(&self) -> &'a Program {
        self.program
    }

    pub fn exec_config(&self) -> &'a ExecConfig {
        self.config
    }

    /// The bytes that the first input gives new objects.
    pub fn first_bytes(&self) -> &FirstBytes {
        &self.first_bytes
    }

    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// The address of a global variable, the same in every state.
    pub fn global_address(&self, global: crate::ir::program::GlobalId) -> u64 {
        self.global_addresses[global.index()]
    }

    /// The special that stands for a function, if there is one.
    pub fn is_special(&self, function: FuncId) -> bool {
        self.specials[function.index()].is_some()
    }

    /// What stands for a function, if something does.
    pub(super) fn stub(&self, function: FuncId) -> Option<StubWord> {
        self.stubs.get(function.index()).copied().flatten()
    }

    /// A function as operations for the concrete loop.
    #[inline]
    pub(super) fn decoded(&self, function: FuncId) -> &Decoded {
        let slot = &self.decoded[function.index()];
        slot.get_or_init(|| self.decode(function))
    }

    #[cold]
    fn decode(&self, id: FuncId) -> Decoded {
        let layout = &self.layouts[id.index()];
        let decoder = Decoder {
            function: self.program.function(id),
            id,
            segments: &self.segments,
            general_floats: self.tracks_exceptions,
            frame_offset: &|object| u32::try_from(layout.offset(object)).ok(),
            plain: &|callee| {
                let function = self.program.function(callee);
                let fine = function.is_defined()
                    && self.broken[callee.index()].is_none()
                    && !self.is_special(callee);
                fine.then_some(function)
            },
            registers: &|function| &self.templates[function.index()],
        };
        decoder.decode()
    }

    /// A constant's width in bits and value.
    pub(super) fn constant(&self, value: ConstValue) -> (u32, u128) {
        match value {
            ConstValue::Int { width, value } => (u32::from(width), value),
            ConstValue::Global { global, offset } => {
                let base = self.global_addresses[global.index()];
                let address = base.wrapping_add_signed(offset);
                (64, u128::from(self.program.pointers.address(address)))
            }
            ConstValue::Function(function) => (64, u128::from(memory::function_address(function))),
        }
    }

    fn initialise_globals(&mut self) -> Result<(), SetupError> {
        for (index, global) in self.program.globals.iter().enumerate() {
            let address = self.global_addresses[index];
            let bad = |error: &dyn std::fmt::Display| SetupError::BadInitialiser {
                name: global.name.clone(),
                reason: error.to_string(),
            };
            if let GlobalInit::Bytes { bytes, relocations } = &global.init {
                let mut bytes = bytes.clone();
                for relocation in relocations {
                    let (_, value) = self.constant(relocation.value);
                    let at = relocation.offset as usize;
                    let width = self.program.pointers.bytes() as usize;
                    let Some(place) = bytes.get_mut(at..at + width) else {
                        return Err(bad(&"a pointer lies outside of it"));
                    };
                    place.copy_from_slice(&value.to_le_bytes()[..width]);
                }
                self.image
                    .initialise(address, &bytes)
                    .map_err(|error| bad(&error))?;
            }
        }
        self.initialise_signatures();
        Ok(())
    }

    /// The bytes before functions, where a program checks the types of those that it calls. Those
    /// of others, which were built without, are as good as any.
    fn initialise_signatures(&mut self) {
        if self.program.signatures.is_empty() {
            return;
        }
        let signatures = &self.program.signatures;
        let bytes: BTreeMap<FuncId, u64> = signatures.iter().copied().collect();
        for index in 0..self.program.functions.len() {
            let id = FuncId::new(index);
            let at = function_address(id) - 8;
            let site = AllocationSite::Engine("the type of a function");
            if self.program.function(id).address_taken && self.image.define_fixed(at, 8, site) {
                let bytes = bytes.get(&id).copied().unwrap_or(0).to_le_bytes();
                let _ = self.image.initialise(at, &bytes);
            }
        }
    }

    /// The state before the first instruction: about to call `entry` (by default the program's
    /// runtime entry, else its `main`) with integer or pointer arguments.
    pub fn initial_state(&self, entry: FuncId, arguments: &[u64]) -> State {
        let mut frame = Frame::new(entry, &self.templates[entry.index()]);
        let ending = self.broken[entry.index()].is_some().then(|| {
            Box::new(Termination::Gap(Gap {
                what: self.missing(entry),
                location: self.program.function(entry).location,
            }))
        });
        let function = self.program.function(entry);
        for (param, value) in function.params.iter().zip(arguments) {
            if let Some(register) = frame.bits.get_mut(param.slot.index()) {
                *register = *value;
            }
        }
        let mut memory = self.image.clone();
        if let Some(object) = self.undefined {
            memory.track_undefined(undefined::bytes(self.terms, object));
        }
        frame.stack_base = memory.push_frame(&self.layouts[entry.index()]);
        frame.stack_end = u64::from(self.stack_bytes[entry.index()]);
        let sides = SideSet::new(self.segments.side_count());
        let mut state = State::new(frame, memory, sides);
        state.threads.races = self.config.symbolic.races.then(Box::default);
        state.record.taken = self.config.records_sides().then(TakenSides::default);
        state.forks = self.config.fork_rule();
        state.ending = ending;
        state
    }

    /// Why a function cannot be entered.
    pub(super) fn missing(&self, function: FuncId) -> String {
        let name = &self.program.function(function).name;
        match &self.broken[function.index()] {
            Some(what) => format!("malformed code of function {name}: {what}"),
            None => format!("call of undefined function {name}"),
        }
    }

    /// Runs a state until it forks, ends, has executed `max_instructions` more, or is interrupted.
    pub fn run(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
        max_instructions: u64,
    ) -> Step {
        self.end_wait(state, observer);
        let step = self.run_on(state, oracle, world, observer, max_instructions);
        if !matches!(step, Step::Ended(_)) && observer.counts_waiting() {
            let top = state.frames.top();
            let segment = self.segments.segment(top.function, top.pc);
            // It stands at the first instruction: entered, and not begun.
            if self.segments.range(segment).1 == top.pc {
                state.standing.waits = observer.begin_wait(segment);
            }
        }
        step
    }

    /// A state that waited before a segment begins it.
    fn end_wait(&self, state: &mut State, observer: &mut Observer) {
        if std::mem::take(&mut state.standing.waits) {
            let top = state.frames.top();
            observer.end_wait(self.segments.segment(top.function, top.pc));
        }
    }

    fn run_on(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
        max_instructions: u64,
    ) -> Step {
        if let Some(ending) = state.ending.take() {
            return Step::Ended(*ending);
        }
        if state.awaits.is_some()
            && let Err(absent) = self.settle(state, oracle, observer)
        {
            return Step::Absent(absent);
        }
        if !state.standing.entered {
            state.standing.entered = true;
            let segment = self.segments.segment(state.frames.top().function, 0);
            if observer.enter_segment(segment) {
                state.metrics.note_new(0);
            }
        }
        if let Some(merges) = &mut state.merges {
            merges.take_closed();
        }
        let mut remaining = max_instructions;
        let mut siblings = Vec::new();
        while remaining > 0 {
            self.tick_if_due(state, observer);
            let slice = remaining
                .min(INTERRUPT_INTERVAL)
                .min(state.threads.until_tick(state.metrics.instructions));
            let executed = match self.config.speed {
                Speed::General => 0,
                // The fast ways round to nearest.
                _ if state.floats.rounding != Rounding::Nearest => 0,
                Speed::Decoded | Speed::Checked => self.run_fast(state, observer, slice),
            };
            remaining = remaining.saturating_sub(executed);
            if executed < slice {
                // The next instruction needs the general way.
                remaining = remaining.saturating_sub(1);
                let world = World {
                    host: world.host,
                    console: &mut *world.console,
                };
                match self.step_once(state, oracle, world, observer, &mut siblings) {
                    Step::Continue if closes_merge(state) => return Step::Continue,
                    Step::Continue => {}
                    other => return other,
                }
            }
            if self.interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        Step::Continue
    }

    /// Whether the instruction that comes next has forked, or asked, as much as it may.
    fn has_had_its_share(&self, state: &State, observer: &Observer) -> bool {
        let top = state.frames.top();
        let site = (top.call_path, top.pc);
        self.limits_shares
            && shares::are_exceeded(&self.config.budget, observer, top.function, site)
    }

    /// Tells of a condition of which one side was followed, since its place had had its share.
    fn warn_of_share(&self, (function, pc): (FuncId, u32), console: &mut dyn Console) {
        let locations = &self.program.function(function).locations;
        let location = locations.get(pc as usize).copied().unwrap_or(LocId(0));
        let place = self.program.describe_location(location);
        let text = format!(
            "skipping fork and concretizing condition (MaxStatic*Pct limit reached) at {place}"
        );
        console.warning_once(&text, &text);
    }

    /// Executes one instruction the general way. `siblings` is empty, and so it is left.
    fn step_once(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
        siblings: &mut Siblings,
    ) -> Step {
        let top = state.frames.top();
        let (function, site) = (top.function, (top.call_path, top.pc));
        let before = oracle.effort();
        let has_had_its_share = state.forks.enabled && self.has_had_its_share(state, observer);
        let decisions = state.decisions.len();
        state.forks.enabled &= !has_had_its_share;
        observer.begin_step();
        let mut context = Context {
            executor: self,
            state,
            oracle,
            host: world.host,
            console: &mut *world.console,
            observer,
            siblings,
        };
        let stepped = match context.step() {
            Err(termination) => {
                let grown = context.grow_or_end(termination);
                grown.or_else(|termination| context.refuse_or_end(termination))
            }
            done => done,
        };
        if has_had_its_share {
            state.forks.enabled = true;
            siblings.iter_mut().for_each(|one| one.forks.enabled = true);
            if state.decisions.len() > decisions {
                self.warn_of_share((function, site.1), world.console);
            }
        }
        observer
            .sites
            .book(site, before, oracle.effort(), siblings.len());
        state.standing.executes_again = false;
        if let Err(termination) = stepped {
            if siblings.is_empty() {
                return Step::Ended(termination);
            }
            state.ending = Some(Box::new(termination));
        }
        if siblings.is_empty() {
            return Step::Continue;
        }
        self.note_again(siblings, site);
        Step::Forked(std::mem::take(siblings))
    }

    /// Executes the next instruction of a state whose path is followed once more, the general way.
    pub fn retrace(
        &self,
        state: &mut State,
        oracle: &mut dyn Oracle,
        world: World<'_>,
        observer: &mut Observer,
    ) -> Step {
        if let Some(ending) = state.ending.take() {
            return Step::Ended(*ending);
        }
        self.tick_if_due(state, observer);
        self.step_once(state, oracle, world, observer, &mut Vec::new())
    }

    /// Notes which siblings execute the instruction again. They have not executed it yet: so a path
    /// has as many instructions as an execution of its input, if that is wanted.
    fn note_again(&self, siblings: &mut Siblings, (call_path, pc): (CallPathId, u32)) {
        let traceable = self.config.subsume.is_some();
        for sibling in siblings {
            let top = sibling.frames.top();
            let leaves = sibling.awaits.as_ref();
            let leaves = leaves.is_some_and(|awaited| awaited.continuation != Continuation::Again);
            let again = (top.call_path, top.pc) == (call_path, pc) && !leaves;
            sibling.standing.executes_again = again && sibling.ending.is_none();
            if sibling.standing.executes_again && (traceable || sibling.forks.lazy) {
                sibling.metrics.instructions -= 1;
            }
        }
    }
}

/// Bytes of stack that the calls of a thread may take.
fn stack_limit(program: &Program, config: &ExecConfig) -> u64 {
    let limit = match config.budget.stack_size {
        0 => u64::MAX,
        limit => limit,
    };
    match program.pointers {
        PointerWidth::Bits64 => limit,
        PointerWidth::Bits32 => limit.min(memory::STACK_BYTES_OF_32_BITS),
    }
}

/// What stands for each function; nothing at all if nothing stands for any.
fn stubs(program: &Program, config: &ExecConfig) -> Vec<Option<StubWord>> {
    if config.stubs.is_empty() {
        return Vec::new();
    }
    let functions = program.functions.iter();
    let stub = |function: &Function| match function.is_defined() {
        true => None,
        false => config.stubs.of(&function.name),
    };
    functions.map(stub).collect()
}

/// The libc's function that sets errno, if stubs may need it.
fn errno_setter(program: &Program, config: &ExecConfig) -> Option<FuncId> {
    if config.stubs.is_empty() {
        return None;
    }
    let mut functions = program.functions.iter();
    let setter =
        functions.position(|function| function.name == ERRNO_SETTER && function.is_defined())?;
    Some(FuncId::new(setter))
}

/// Whether a state has just closed a merge, so that the engine looks at it before it goes on.
fn closes_merge(state: &State) -> bool {
    let merges = state.merges.as_ref();
    merges.is_some_and(|merges| merges.has_closed())
}

/// The globals in the order in which they get their addresses. If the program names borders of its
/// data, what lies between them does.
fn order_of_globals(program: &Program) -> Vec<usize> {
    let mut order: Vec<usize> = (0..program.globals.len()).collect();
    let border = |global: &Global| match global.init {
        GlobalInit::External => landmark(&global.name),
        _ => None,
    };
    if program
        .globals
        .iter()
        .any(|global| border(global).is_some())
    {
        // A border counts for what is before it, and comes behind it.
        order.sort_by_key(|index| {
            let global = &program.globals[*index];
            match (border(global), &global.init) {
                (None, _) if global.constant => 0,
                (Some(Landmark::DataStart), _) => 1,
                (Some(border), _) => 2 * border as u8,
                (None, GlobalInit::Bytes { .. }) => 2 * Landmark::DataEnd as u8 - 1,
                (None, _) => 2 * Landmark::End as u8 - 1,
            }
        });
    }
    order
}

/// The address of a border of the code.
fn border_of_code(program: &Program, global: &Global) -> Option<u64> {
    let border = landmark(&global.name).filter(|_| global.init == GlobalInit::External)?;
    let count = match border {
        Landmark::CodeStart => 0,
        Landmark::CodeEnd => program.functions.len(),
        _ => return None,
    };
    Some(function_address(FuncId::new(count)))
}

fn allocate_globals(program: &Program, image: &mut Memory) -> Result<Vec<u64>, SetupError> {
    let mut addresses = vec![0; program.globals.len()];
    for index in order_of_globals(program) {
        let global = &program.globals[index];
        if let Some(address) = border_of_code(program, global) {
            addresses[index] = address;
            continue;
        }
        let kind = match global.init {
            GlobalInit::External => ObjectKind::External,
            _ => ObjectKind::Global {
                constant: global.constant,
            },
        };
        let site = AllocationSite::Global(crate::ir::program::GlobalId::new(index));
        let address = image
            .allocate(kind, global.size, u64::from(global.align.max(1)), site)
            .ok_or_else(|| SetupError::GlobalTooLarge {
                name: global.name.clone(),
                size: global.size,
            })?;
        addresses[index] = address;
    }
    Ok(addresses)
}
