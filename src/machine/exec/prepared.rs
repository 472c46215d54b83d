//! A program prepared for running: all data that every state shares.
//!
//! Invariant: nothing in a `PreparedProgram` changes while states run. It knows neither the meaning
//! of instructions nor the loops that execute them: a built-in function is a number here.

use super::checks::fault_places::FaultPlaces;
use super::checks::undefined_objects;
use super::checks::verify::{verify, verify_roots};
use super::config::ExecConfig;
use super::fast::segments::Segments;
use super::globals::{Globals, SetupError};
use super::initial_input::FirstBytes;
use crate::memory;
use crate::memory::FrameLayout;
use crate::state::{Frame, State};
use homi_config::{CheckKind, StubSpec};
use homi_ir::program::{
    BlockId, Builtin, Callee, ConstValue, FrameObject, FuncId, Function, GlobalId, Origin,
    PointerWidth, Program, builtin_for,
};
use homi_solver::term::{ArrayId, Terms};
use std::sync::Arc;

/// Function of musl that converts a system call's result to a C function's: for a negative error
/// number it sets errno.
pub const ERRNO_SETTER: &str = "__syscall_ret";

/// Function of the modeled kernel in which a thread ends.
const THREAD_END: &str = "hk_end_thread";

/// A native call takes no less: the return address, and what keeps the stack aligned.
const LEAST_FRAME: u64 = 16;

/// A program, and what of it and of the options is the same for every state.
pub struct PreparedProgram<'a> {
    pub(super) program: &'a Program,
    pub(super) terms: &'a Terms,
    pub(super) config: &'a ExecConfig,
    pub(super) segments: Segments,
    /// Registers of a fresh frame of each function, constants filled in.
    pub(super) templates: Vec<Box<[u64]>>,
    pub(super) layouts: Vec<Arc<FrameLayout>>,
    /// Least native stack of a call of each function, in bytes.
    pub(super) stack_bytes: Vec<u32>,
    pub(super) globals: Globals<'a>,
    /// The built-in that replaces each function without a body, or takes precedence over its body.
    pub(super) builtins: Vec<Option<Builtin>>,
    /// Some code uses `new`.
    pub(super) has_new: bool,
    /// Fault of a malformed function; it never runs, and a call of it is an unsupported feature.
    pub(super) broken: Vec<Option<String>>,
    /// The object whose bytes are undefined values, if those are tracked.
    pub(super) undefined: Option<ArrayId>,
    /// The object whose bytes mark addresses that left their objects, if undefined values are
    /// tracked.
    pub(super) escaped: Option<ArrayId>,
    /// The object whose bytes were never set, if those become symbolic when they are read.
    pub(super) unset: Option<ArrayId>,
    /// Stub of each function that was not linked.
    stubs: Vec<Option<StubSpec>>,
    /// The modeled kernel's function in which a thread ends, if accesses of threads are compared.
    pub(super) thread_end: Option<FuncId>,
    /// The libc's function that sets errno, given a negative error number.
    pub(super) errno_setter: Option<FuncId>,
    /// The program asks for floating-point exception flags, so every operation says which it
    /// raises.
    pub(super) tracks_exceptions: bool,
    /// Floating-point instructions are executed one by one: for their exceptions, or their check.
    pub(super) general_floats: bool,
    pub(super) fault_places: FaultPlaces,
    /// Bytes of the largest object that there may be natively.
    pub(super) largest_object: u64,
    /// Bytes of stack that calls may take.
    pub(super) stack_limit: u64,
    /// Frames that a thread may have.
    pub(super) frame_limit: usize,
    /// One place may have only a share of all forks, or of the time in the solver.
    pub(super) limits_locations: bool,
    /// The result of arithmetic that overflows is what the processor has, no undefined value.
    pub(super) overflow_wraps: bool,
    /// The bytes of the first input.
    pub(super) first_bytes: FirstBytes,
}

impl<'a> PreparedProgram<'a> {
    /// Prepares a program: lays out and initializes its globals, fills in constants.
    pub(super) fn new(
        program: &'a Program,
        terms: &'a Terms,
        config: &'a ExecConfig,
    ) -> Result<Self, SetupError> {
        verify_roots(program).map_err(SetupError::Malformed)?;
        let broken = verify(program);
        let globals = Globals::new(program, config.variation)?;
        Ok(Self {
            program,
            terms,
            config,
            segments: Segments::new(program),
            templates: templates(&globals, program, &broken),
            layouts: layouts(program),
            stack_bytes: program.functions.iter().map(stack_bytes).collect(),
            globals,
            builtins: program.functions.iter().map(builtin_for).collect(),
            has_new: is_any_new(program),
            broken,
            undefined: (config.symbolic.undefined).then(|| undefined_objects::object(terms)),
            escaped: (config.symbolic.undefined).then(|| undefined_objects::escaped(terms)),
            unset: (config.symbolic.unset_is_any).then(|| undefined_objects::unset(terms)),
            stubs: stubs(program, config),
            thread_end: (config.symbolic.races)
                .then(|| thread_end(program))
                .flatten(),
            errno_setter: errno_setter(program, config),
            tracks_exceptions: asks_for_exceptions(program),
            general_floats: asks_for_exceptions(program) || config.checks.has(CheckKind::Float),
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
            limits_locations: config.budget.limits_locations(),
            overflow_wraps: config.checks.has(CheckKind::SignedIntegerOverflow)
                || config.property.is_some(),
            first_bytes: FirstBytes::of(config),
        })
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
    pub fn global_address(&self, global: GlobalId) -> u64 {
        self.globals.address(global)
    }

    /// Returns true if a function is built in.
    pub fn is_builtin(&self, function: FuncId) -> bool {
        self.builtins[function.index()].is_some()
    }

    /// A constant's width in bits and value.
    pub(super) fn constant(&self, value: ConstValue) -> (u32, u128) {
        self.globals.constant(value)
    }

    /// Returns why a function cannot be entered.
    pub(super) fn missing(&self, function: FuncId) -> String {
        let name = &self.program.function(function).name;
        match &self.broken[function.index()] {
            Some(what) => format!("malformed code of function {name}: {what}"),
            None => format!("call of undefined function {name}"),
        }
    }

    /// Returns the stub of a function, if it has one.
    pub(super) fn stub(&self, function: FuncId) -> Option<StubSpec> {
        self.stubs.get(function.index()).copied().flatten()
    }

    /// Returns true if undefined values are tracked.
    pub(super) fn tracks_undefined(&self) -> bool {
        self.undefined.is_some() || self.unset.is_some()
    }

    /// Returns the target of a switch for a concrete value, and the dense number of the side.
    pub(super) fn switch_target(
        &self,
        function: &Function,
        table: u32,
        value: u128,
    ) -> (BlockId, Option<u32>) {
        let table = &function.switches[table as usize];
        let case = table.cases.iter().find(|case| case.0 == value);
        let (target, side) = match case {
            Some(case) => (case.1, case.2),
            None => (table.default, table.default_side),
        };
        let side = table.branch.map(|branch| self.segments.side(branch, side));
        (target, side)
    }

    /// Returns true if another call fits onto a stack of this many frames. The innermost frame is
    /// the caller's; the frame of the call is not counted.
    #[inline(always)]
    pub(super) fn has_room_for_call(&self, depth: usize, caller: &Frame) -> bool {
        depth < self.frame_limit && caller.stack_end <= self.stack_limit
    }

    /// Returns the address at which the frame of the running thread's `level`-th caller would start
    /// on a native stack; 0 if there are fewer. The addresses hold no objects: they only tell the
    /// depth of calls.
    pub(super) fn frame_address(&self, state: &State, level: u32) -> u64 {
        let top = memory::native_stack_top(self.program.pointers, state.threads.running());
        let mut frames = state.frames.iter().skip(level as usize);
        if frames.next().is_none() {
            return 0;
        }
        // Behind the return address, which follows what the caller has.
        let start = frames.next().map_or(0, |caller| caller.stack_end);
        top - start - LEAST_FRAME
    }
}

/// Registers of a fresh frame of each function.
fn templates(
    globals: &Globals<'_>,
    program: &Program,
    broken: &[Option<String>],
) -> Vec<Box<[u64]>> {
    let functions = program.functions.iter().zip(broken);
    let template = |(function, broken): (&Function, &Option<String>)| {
        let mut bits = vec![0u64; function.slots as usize].into_boxed_slice();
        let constants = match broken {
            None => &function.constants[..],
            Some(_) => &[],
        };
        for (slot, value) in constants {
            let (width, value) = globals.constant(*value);
            bits[slot.index()] = value as u64;
            if width > 64 {
                bits[slot.index() + 1] = (value >> 64) as u64;
            }
        }
        bits
    };
    functions.map(template).collect()
}

/// Returns the layout of the locals of each function in its frame.
fn layouts(program: &Program) -> Vec<Arc<FrameLayout>> {
    let functions = program.functions.iter().enumerate();
    let layout = |(index, function): (usize, &Function)| {
        let objects = &function.frame_objects;
        FrameLayout::new(program.pointers, FuncId::new(index), objects)
    };
    functions.map(layout).collect()
}

/// Bytes that a call of a function takes of a native stack, at least.
pub(super) fn stack_bytes(function: &Function) -> u32 {
    let objects = function.frame_objects.iter();
    // Two entries that take turns are one object natively.
    let size = |object: &FrameObject| object.size >> u32::from(object.in_block);
    let bytes = objects.fold(8, |sum: u64, object| sum.saturating_add(size(object)));
    let frame = bytes.div_ceil(LEAST_FRAME).saturating_mul(LEAST_FRAME);
    u32::try_from(frame).unwrap_or(u32::MAX)
}

/// Returns true if a program uses an `operator new`.
fn is_any_new(program: &Program) -> bool {
    let names = program.functions.iter().map(|function| &function.name);
    let mut names = names.filter(|name| name.starts_with("_Zn"));
    names.any(|name| name.starts_with("_Znw") || name.starts_with("_Zna"))
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

/// Returns the stub of each function; empty if there are none.
fn stubs(program: &Program, config: &ExecConfig) -> Vec<Option<StubSpec>> {
    if config.stubs.is_empty() {
        return Vec::new();
    }
    let functions = program.functions.iter();
    let stub = |function: &Function| {
        if function.is_defined() {
            None
        } else {
            config.stubs.of(&function.name)
        }
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

/// The modeled kernel's function in which a thread ends.
fn thread_end(program: &Program) -> Option<FuncId> {
    let mut functions = program.functions.iter();
    let end =
        functions.position(|function| function.name == THREAD_END && function.is_defined())?;
    Some(FuncId::new(end))
}

/// Returns true if the program's code calls a function that reads the raised exceptions.
fn asks_for_exceptions(program: &Program) -> bool {
    let asks =
        |function: &Function| ["fetestexcept", "fegetexceptflag"].contains(&function.name.as_str());
    let own = program
        .functions
        .iter()
        .filter(|function| function.origin == Origin::Program);
    own.flat_map(|function| &function.calls)
        .any(|site| match site.callee {
            Callee::Direct(callee) => asks(program.function(callee)),
            _ => false,
        })
}
