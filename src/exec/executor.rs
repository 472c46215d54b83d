//! The executor: a program prepared for running, and `run`, which advances one state.
//!
//! Invariant: nothing in an `Executor` changes while states run, so any number of states (and later
//! threads) can use one. Addresses of globals and functions are the same for every state.

use super::call::stack_bytes;
use super::console::Console;
use super::context::Context;
use super::decode::{Decoded, Decoder};
use super::faults::FaultPlaces;
use super::first_input::FirstBytes;
use super::meetings::Meetings;
use super::observer::Observer;
use super::segments::Segments;
use super::shares::PlaceShares;
use super::side_answers::SideAnswers;
use super::special::{self, RefusedSeeds, Special};
use super::stubs::{Stub, Stubs};
use super::undefined;
use super::world::World;
use crate::config::Dialect;
use crate::expr::{ArrayId, Model, Terms};
use crate::memory::{self, AllocationSite, FrameLayout, Memory, ObjectKind, function_address};
use crate::ops::float::Rounding;
use crate::outcome::{Gap, Narrowed, Termination};
use crate::program::{
    ConstValue, FuncId, Global, GlobalInit, Landmark, LocId, PointerWidth, Program, landmark,
};
use crate::solver::{Oracle, PathCondition};
use crate::state::{
    CallPathId, Continuation, CoveredFirst, DecisionList, ForkRule, Frame, Frames, Metrics,
    Siblings, SideSet, State, TakenSides,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// musl's function that makes a system call's result that of a C function: given a negative error
/// number, it sets errno.
pub const ERRNO_SETTER: &str = "__syscall_ret";

/// Instructions between two looks at the interrupt flag.
const INTERRUPT_INTERVAL: u64 = 50_000;

/// Limits and choices of execution.
#[derive(Clone, Debug)]
pub struct ExecConfig {
    /// Frames a path may have before it ends early (KLEE: 8192).
    pub max_frames: u32,
    /// Bytes of stack that a thread's calls may take. What they take is estimated from below, so
    /// that no native stack of this size has room for more.
    pub max_stack_size: u64,
    /// Forks a path may have before it ends early; 0 means no limit.
    pub max_depth: u32,
    /// Largest object in bytes that an allocation may ask for; more gives a null pointer.
    pub max_object_size: u64,
    /// Objects that one symbolic address forks over; where they are more, and the addresses known
    /// one by one, one access chooses between them.
    pub max_pointer_forks: u32,
    /// Positions that one access with a symbolic address may touch in an object before the address
    /// is made concrete.
    pub max_symbolic_span: u64,
    /// Positions that one access with a symbolic address may touch where the cost does not grow
    /// with each of them: reads of concrete bytes, and writes.
    pub max_table_span: u64,
    /// Values that a symbolic size or count may fork over before it is made concrete.
    pub max_value_forks: u32,
    /// Values that a symbolic exit status may fork over before it is made concrete.
    pub max_exit_forks: u32,
    /// Largest object in bytes whose size may stay symbolic.
    pub max_symbolic_size: u64,
    /// Keep floating-point results of symbolic operands as terms; otherwise such operands are made
    /// concrete.
    pub symbolic_floats: bool,
    /// What becomes of the sides that a path does not take, unless its first state is told
    /// otherwise.
    pub forks: ForkRule,
    /// A path has as many instructions as an execution of its input, also where other sides are
    /// asked for at once: siblings do not count the instruction that they execute again. Where a
    /// part of a path is executed once more, that tells where it ends.
    pub traceable: bool,
    /// The bytes of the first input.
    pub first_bytes: FirstBytes,
    /// Tests whose path is followed only if their objects have the program's sizes.
    pub refused_seeds: RefusedSeeds,
    /// Which paths are to become one.
    pub merges: Merging,
    /// Marks of merges are told of on the program's standard error, as KLEE does on its own.
    pub logs_merges: bool,
    /// Allocations that may fail on a path although there is room.
    pub max_malloc_failures: u32,
    /// The sides of the program's own two-way branches are kept in order.
    pub keeps_sides: bool,
    /// The sides that paths must take.
    pub given_sides: Option<Arc<[bool]>>,
    /// What programs do where KLEE does something else.
    pub dialect: Dialect,
    /// What one place may have of all forks and of the time in the solver.
    pub place_shares: PlaceShares,
    /// Wishes for readable inputs are heeded.
    pub readable_inputs: bool,
    /// Divisors that are 0 and quotients that do not fit are bugs; else both have a result.
    pub check_division: bool,
    /// Shifts by the width or more are bugs; else their result is 0 or the sign.
    pub check_shifts: bool,
    /// Where `klee_assume` cannot hold, a path ends without a test.
    pub silent_assume: bool,
    /// Report blocks of the heap that nothing points to when the program ends. The program has to
    /// be read for it, too.
    pub check_leaks: bool,
    /// Report arithmetic that breaks a promise of no overflow. The program has to be read for it,
    /// too.
    pub check_overflow: bool,
    /// The result of arithmetic that overflows is what the processor has, no undefined value.
    pub overflow_wraps: bool,
    /// Note left shifts of which nobody knows whether they overflow, with `check_overflow`.
    pub doubt_shifts: bool,
    /// What stands for functions that were not linked.
    pub stubs: Stubs,
    /// Report division by zero and overshift.
    pub check_arithmetic: bool,
    /// Track undefined values and report what depends on one. The program has to be read for it,
    /// too.
    pub check_undefined: bool,
    /// How often a thread of the program may be interrupted on a path where it need not be. The
    /// program has to be read for it, too.
    pub preemptions: u32,
    /// Look for accesses of two threads that nothing orders. The program has to be read for it,
    /// too.
    pub check_races: bool,
    /// How concrete instructions are executed.
    pub speed: Speed,
    /// Where answers to questions about branch sides are kept.
    pub side_answers: SideAnswers,
}

/// Which paths are to become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Merging {
    #[default]
    Off,
    /// Those between `klee_open_merge` and `klee_close_merge`.
    Marked,
    /// Those that a fork parts and that meet soon.
    Auto,
}

/// The ways to execute concrete instructions. All mean the same; tests compare them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Speed {
    /// Decoded operations where a frame has no terms, else instructions with a look at each
    /// operand.
    #[default]
    Decoded,
    /// Instructions with a look at each operand.
    Checked,
    /// The general way for each instruction.
    General,
}

impl ExecConfig {
    /// Whether each two-way branch of the program is looked at.
    pub fn records_sides(&self) -> bool {
        self.keeps_sides || self.given_sides.is_some()
    }
}

impl Default for ExecConfig {
    fn default() -> Self {
        Self {
            max_frames: u32::MAX,
            max_stack_size: 8 << 20,
            max_depth: 0,
            max_object_size: memory::MAX_OBJECT_SIZE,
            max_pointer_forks: 16,
            max_symbolic_span: 4096,
            max_table_span: 1 << 21,
            max_value_forks: 256,
            max_exit_forks: 256,
            forks: ForkRule::default(),
            traceable: false,
            first_bytes: FirstBytes::default(),
            refused_seeds: RefusedSeeds::default(),
            merges: Merging::Off,
            logs_merges: false,
            max_malloc_failures: 0,
            keeps_sides: false,
            given_sides: None,
            dialect: Dialect::homi(),
            place_shares: PlaceShares::default(),
            readable_inputs: false,
            check_division: true,
            check_shifts: true,
            silent_assume: false,
            check_leaks: false,
            check_overflow: false,
            overflow_wraps: false,
            doubt_shifts: false,
            stubs: Stubs::default(),
            max_symbolic_size: 1 << 16,
            symbolic_floats: true,
            check_arithmetic: true,
            check_undefined: false,
            preemptions: 0,
            check_races: false,
            speed: Speed::default(),
            side_answers: SideAnswers::default(),
        }
    }
}

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
    /// The budget is used up, the run was interrupted, or the state has closed a merge or will not
    /// come to it; it can go on.
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
    /// Where the sides of forks meet, by function.
    pub(super) meetings: Vec<OnceLock<Meetings>>,
    /// Memory with globals in place.
    image: Memory,
    interrupt: &'a AtomicBool,
    /// The object whose bytes are undefined values, if those are tracked.
    pub(super) undefined: Option<ArrayId>,
    /// The object whose bytes mark addresses that left their objects, if undefined values are
    /// tracked.
    pub(super) escaped: Option<ArrayId>,
    /// What stands for each function that was not linked.
    stubs: Vec<Option<Stub>>,
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
        super::verify::verify_roots(program).map_err(SetupError::Malformed)?;
        let broken = super::verify::verify(program);
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
        let specials = program.functions.iter().map(special::find).collect();
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
            meetings: program.functions.iter().map(|_| OnceLock::new()).collect(),
            image,
            interrupt,
            undefined: config.check_undefined.then(|| undefined::object(terms)),
            escaped: config.check_undefined.then(|| undefined::escaped(terms)),
            stubs: stubs(program, config),
            errno_setter: errno_setter(program, config),
            tracks_exceptions: special::asks_for_exceptions(program),
            fault_places: FaultPlaces::find(program),
            largest_object: match program.pointers {
                PointerWidth::Bits64 => config.max_object_size,
                PointerWidth::Bits32 => config.max_object_size.min(i32::MAX as u64),
            },
            stack_limit: match program.pointers {
                PointerWidth::Bits64 => config.max_stack_size,
                PointerWidth::Bits32 => config.max_stack_size.min(memory::STACK_BYTES_OF_32_BITS),
            },
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

    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// The address of a global variable, the same in every state.
    pub fn global_address(&self, global: crate::program::GlobalId) -> u64 {
        self.global_addresses[global.index()]
    }

    /// The special that stands for a function, if there is one.
    pub fn is_special(&self, function: FuncId) -> bool {
        self.specials[function.index()].is_some()
    }

    /// What stands for a function, if something does.
    pub(super) fn stub(&self, function: FuncId) -> Option<Stub> {
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
        State {
            sequence: 0,
            frames: Frames::new(frame),
            threads: Default::default(),
            tick: None,
            preemption: None,
            races: self.config.check_races.then(Box::default),
            sections: BTreeMap::new(),
            memory,
            path: PathCondition::new(),
            model: Model::new(),
            symbolics: Arc::default(),
            decisions: DecisionList::default(),
            metrics: Metrics::default(),
            narrowed: Narrowed::default(),
            sides: Arc::new(SideSet::new(self.segments.side_count())),
            covered_first: CoveredFirst::default(),
            preferences: Arc::default(),
            rounding: Rounding::default(),
            float_exceptions: 0,
            jump_targets: Arc::new(BTreeMap::new()),
            name_versions: Arc::default(),
            reported: Arc::default(),
            taken: self.config.records_sides().then(TakenSides::default),
            forking: true,
            forks: self.config.forks,
            inputs_given: false,
            begins_objects: true,
            follows: None,
            entered: false,
            waits: false,
            executes_again: false,
            tree_node: None,
            written_node: 0,
            heap: None,
            merges: None,
            awaits: None,
            sample: None,
            ending,
        }
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
                state.waits = observer.begin_wait(segment);
            }
        }
        step
    }

    /// A state that waited before a segment begins it.
    fn end_wait(&self, state: &mut State, observer: &mut Observer) {
        if std::mem::take(&mut state.waits) {
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
        if !state.entered {
            state.entered = true;
            let segment = self.segments.segment(state.frames.top().function, 0);
            if observer.enter_segment(segment) {
                state.metrics.note_new(0);
            }
        }
        if let Some(merges) = &mut state.merges {
            merges.take_closed();
            if self.looks_for_meetings(state) && self.meets(state) {
                return Step::Continue;
            }
        }
        let mut remaining = max_instructions;
        let mut siblings = Vec::new();
        while remaining > 0 {
            self.tick_if_due(state, observer);
            let slice = remaining
                .min(INTERRUPT_INTERVAL)
                .min(self.until_tick(state))
                .min(self.until_meeting(state));
            let executed = match self.config.speed {
                Speed::General => 0,
                // The fast ways round to nearest.
                _ if state.rounding != Rounding::Nearest => 0,
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
            if self.looks_for_meetings(state) && self.meets(state) {
                return Step::Continue;
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
        let shares = &self.config.place_shares;
        shares.are_exceeded(observer, top.function, site)
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
        let has_had_its_share = state.forking && self.has_had_its_share(state, observer);
        let decisions = state.decisions.len();
        state.forking &= !has_had_its_share;
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
            state.forking = true;
            siblings.iter_mut().for_each(|one| one.forking = true);
            if state.decisions.len() > decisions {
                self.warn_of_share((function, site.1), world.console);
            }
        }
        observer
            .sites
            .book(site, before, oracle.effort(), siblings.len());
        state.executes_again = false;
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
        let traceable = self.config.traceable;
        for sibling in siblings {
            let top = sibling.frames.top();
            let leaves = sibling.awaits.as_ref();
            let leaves = leaves.is_some_and(|awaited| awaited.continuation != Continuation::Again);
            let again = (top.call_path, top.pc) == (call_path, pc) && !leaves;
            sibling.executes_again = again && sibling.ending.is_none();
            if sibling.executes_again && (traceable || sibling.forks.lazy) {
                sibling.metrics.instructions -= 1;
            }
        }
    }
}

/// What stands for each function; nothing at all if nothing stands for any.
fn stubs(program: &Program, config: &ExecConfig) -> Vec<Option<Stub>> {
    if config.stubs.is_empty() {
        return Vec::new();
    }
    let functions = program.functions.iter();
    functions
        .map(|function| config.stubs.of(function))
        .collect()
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
        let site = AllocationSite::Global(crate::program::GlobalId::new(index));
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
