//! State from which tests re-execute subpaths, with a local, two heap blocks, a freed heap block, a
//! global and inputs.

use super::storage::{StorageLoc, StorageLocs};
use super::subpath::{Equipment, Failure, Subpath};
use homi_ir::program::testing::{function, program};
use homi_ir::program::{FrameObject, FuncId, GlobalId, Inst, LocId, Slot};
use homi_machine::exec::{EmptyWorld, ExecConfig, Executor, Observer};
use homi_machine::memory::{AllocationSite, Memory, ObjectKind, Value};
use homi_machine::state::State;
use homi_solver::term::{Byte, Model, Term, Terms};
use std::sync::atomic::AtomicBool;

/// Bytes of each object.
pub(super) const SIZE: u64 = 64;

/// Addresses of the objects and terms of the inputs.
pub(super) struct Known {
    pub(super) local: u64,
    pub(super) block: u64,
    pub(super) other: u64,
    pub(super) freed: u64,
    pub(super) global: u64,
    /// Address at which a block may exist but never existed.
    pub(super) nowhere: u64,
    /// Condition on an input.
    pub(super) choice: Term,
    /// Inputs of 8 and of 64 bits, as terms of 64 bits.
    pub(super) small: Term,
    pub(super) wide: Term,
}

fn heap_site() -> AllocationSite {
    AllocationSite::Instruction {
        function: FuncId(0),
        location: LocId(0),
    }
}

pub(super) fn new_block(memory: &mut Memory) -> u64 {
    memory
        .allocate(ObjectKind::Heap, SIZE, 16, heap_site())
        .expect("room")
}

pub(super) fn free(memory: &mut Memory, block: u64) {
    memory.free(block, heap_site()).expect("a block");
}

fn known(terms: &Terms, state: &mut State) -> Known {
    let memory = &mut state.memory;
    // The low bits of the first block's address are zero.
    new_block(memory);
    let [block, other, freed] = [(); 3].map(|()| new_block(memory));
    free(memory, freed);
    let kind = ObjectKind::Global { constant: false };
    let site = AllocationSite::Global(GlobalId(0));
    let global = memory.allocate(kind, SIZE, 16, site).expect("room");
    let array = terms.array("input", 0, 16);
    let byte = |index| terms.symbol(Byte { array, index });
    let wide = (9..16).fold(byte(8), |low, index| terms.concat(byte(index), low));
    Known {
        local: state.frames.top().stack_base,
        block,
        other,
        freed,
        global,
        nowhere: block + (1 << 30),
        choice: terms.eq_const(byte(0), 1),
        small: terms.zext(byte(1), 64),
        wide,
    }
}

/// Calls a test with the initial state of a function of 16 registers with these blocks.
pub(super) fn with_start(
    blocks: Vec<Vec<Inst>>,
    test: impl FnOnce(&mut Equipment<'_, '_>, State, &Known),
) {
    let mut main = function("main", blocks);
    main.slots = 16;
    main.frame_objects.push(FrameObject {
        size: SIZE,
        align: 16,
        name: "local".to_string(),
        declared: Default::default(),
        in_block: false,
    });
    let program = program(vec![main]);
    let (terms, interrupt) = (Terms::new(), AtomicBool::new(false));
    let config = ExecConfig::default();
    let executor = Executor::new(&program, &terms, &config, &interrupt).expect("sound roots");
    let mut state = executor.initial_state(program.entry, &[]);
    let known = known(&terms, &mut state);
    let world = EmptyWorld::default();
    let mut with = Equipment {
        executor: &executor,
        terms: &terms,
        host: &world.host,
        observer: &mut Observer::new(executor.segments(), program.entry),
        locs: &mut StorageLocs::default(),
    };
    test(&mut with, state, &known);
}

/// Writes a value into a register of the innermost frame.
pub(super) fn put(state: &mut State, slot: u32, value: impl Into<Value>) {
    let frame = state.frames.top_mut();
    match value.into() {
        Value::Concrete(number) => {
            frame.clear_term(slot as usize);
            frame.bits[slot as usize] = number as u64;
        }
        Value::Term(term) => frame.set_term(slot as usize, term),
    }
}

/// Returns the 64-bit variable that represents a register of the innermost frame.
pub(super) fn register(with: &mut Equipment<'_, '_>, slot: u32) -> Term {
    let array = with
        .locs
        .array(with.terms, StorageLoc::Register { depth: 0, slot });
    word(with.terms, |index| Byte { array, index })
}

fn word(terms: &Terms, byte: impl Fn(u32) -> Byte) -> Term {
    let symbol = |index| terms.symbol(byte(index));
    (1..8).fold(symbol(0), |low, index| terms.concat(symbol(index), low))
}

/// Assigns a value to a 64-bit variable.
pub(super) fn assign(terms: &Terms, model: &mut Model, variable: Term, value: u64) {
    for byte in terms.support(variable).iter() {
        model.set(*byte, (value >> (8 * (byte.index % 8))) as u8);
    }
}

/// Result of the relocation check of an instruction.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// The instruction behaves alike wherever the objects lie.
    Relocatable,
    /// The check fixes these blocks.
    Fixes(Vec<u64>),
    /// The addresses cannot be fixed.
    Refused,
}

/// Returns the relocation check of an instruction that reads registers 0 and 1, which hold these
/// values.
pub(super) fn verdict(
    with: &Equipment<'_, '_>,
    start: &State,
    inst: Inst,
    (a, b): (Value, Value),
) -> Verdict {
    let mut subpath = Subpath::new(start, &start.model);
    put(&mut subpath.state, 0, a);
    put(&mut subpath.state, 1, b);
    let function = with.executor.program().function(FuncId(0));
    match subpath.check(with, function, &inst) {
        Ok(()) if subpath.facts.fixed.is_empty() => Verdict::Relocatable,
        Ok(()) => Verdict::Fixes(subpath.facts.fixed.into_iter().collect()),
        Err(Failure::Addresses(_)) => Verdict::Refused,
        Err(other) => panic!("{other:?}"),
    }
}

pub(super) const A: Slot = Slot(0);
pub(super) const B: Slot = Slot(1);
/// Register of the results.
pub(super) const RESULT: Slot = Slot(2);
