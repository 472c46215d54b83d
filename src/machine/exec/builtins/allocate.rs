//! The malloc family.
//!
//! Sizes may be symbolic, see `exec::size`. Too large a size gives a null pointer, on a path of its
//! own if it is symbolic.

use super::failing::{self, fails};
use super::families;
use super::queries::set_errno;
use super::{BuiltinCall, Outcome};
use crate::exec::step::size::Size;
use crate::memory::{FreeError, ObjectKind, ObjectRef, UNINITIALISED, Value};
use crate::outcome::{BugKind, EarlyReason, Termination};
use crate::state::{BlockOrigin, CallPathId};
use homi_config::{CheckKind, Weakness};
use homi_ir::ops::CmpOp;
use homi_ir::program::{Mark, PointerWidth};
use std::sync::Arc;

/// An object's size as a value of 64 bits.
pub(super) fn object_size(object: &ObjectRef) -> Value {
    match object.symbolic_size {
        Some(size) => Value::Term(size),
        None => Value::Concrete(u128::from(object.size)),
    }
}

/// Alignment of malloc on x86-64, in bytes.
const MALLOC_ALIGN: u64 = 16;

/// Error numbers of Linux.
const ENOMEM: u32 = 12;
const EINVAL: u32 = 22;

/// A heap pointer as a number. A symbolic one forks: null, each block that it may be, and one path
/// on which it is none.
fn pointer(call: &mut BuiltinCall<'_, '_, '_>, index: usize) -> Result<u64, Termination> {
    let address = call.arg(index);
    call.exact_address(address, &|memory, address| {
        let object = memory.owner(address);
        address == 0
            || object
                .is_some_and(|object| object.base == address && object.kind == ObjectKind::Heap)
    })
}

/// Returns the result of an allocation. A failing one sets errno: the definition in libc does.
fn made(
    call: &mut BuiltinCall<'_, '_, '_>,
    address: u64,
    error: u32,
) -> Result<Outcome, Termination> {
    if address == 0 && call.defined {
        return Ok(Outcome::Decline);
    }
    if address == 0 {
        set_errno(call, error)?;
    }
    Ok(Outcome::number(address))
}

/// The size of an allocation, checked.
fn size_asked(call: &mut BuiltinCall<'_, '_, '_>, asked: Value) -> Result<Size, Termination> {
    call.check_allocation(asked);
    call.allocation_size(asked)
}

/// A new heap object; 0 if there is no room natively either.
fn allocate(
    call: &mut BuiltinCall<'_, '_, '_>,
    size: Size,
    align: u64,
    fill: u8,
) -> Result<u64, Termination> {
    let made = call.allocate_sized(ObjectKind::Heap, size, align, fill);
    if made.is_none()
        && !matches!(size, Size::TooLarge)
        && call.program().pointers == PointerWidth::Bits32
    {
        // A native heap has room for what our address space of four GiB has not.
        return Err(Termination::Early(EarlyReason::OutOfMemory));
    }
    if made.is_none() && !matches!(size, Size::TooLarge) {
        call.mark(Mark::Room);
    }
    call.observer.allocations += u64::from(made.is_some());
    if let Some(address) = made
        && call.prepared.config.checks.has(CheckKind::Leak)
        && !failing::is_by_kernel(call)
    {
        let origin = origin(call);
        failing::record(call)
            .origins
            .insert(address, Arc::new(origin));
    }
    Ok(made.unwrap_or(0))
}

/// Returns the origin of a new block.
fn origin(call: &BuiltinCall<'_, '_, '_>) -> BlockOrigin {
    let top = call.state.frames.top();
    let chain = call.observer.call_paths.chain(top.call_path);
    let outermost = call.observer.call_paths.node(CallPathId(0)).function;
    let calls = std::iter::once((u32::MAX, outermost)).chain(chain.calls().iter().copied());
    BlockOrigin {
        calls: calls.collect(),
        pc: top.pc,
    }
}

/// Bytes of an allocation above which KLEE warns.
const LARGE: u128 = 10 << 20;

/// KLEE's warning of a large allocation.
fn warn_if_large(call: &mut BuiltinCall<'_, '_, '_>, asked: Value) {
    if let Value::Concrete(bytes) = asked
        && bytes > LARGE
        && call.prepared.config.dialect.warns_of_large_allocations()
    {
        let text = format!("Large memory allocation ({bytes} bytes). KLEE may run out of memory.");
        call.console.warning_once("large allocation", &text);
    }
}

pub(super) fn malloc(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(0, 64);
    warn_if_large(call, asked);
    let size = size_asked(call, asked)?;
    if fails(call)? {
        return made(call, 0, ENOMEM);
    }
    let address = allocate(call, size, MALLOC_ALIGN, UNINITIALISED)?;
    made(call, address, ENOMEM)
}

/// `operator new(size, alignment)`.
pub(super) fn aligned_new(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(0, 64);
    let size = size_asked(call, asked)?;
    let align = call.number(1).max(MALLOC_ALIGN);
    if !align.is_power_of_two() {
        return Err(call.unsupported("operator new with an alignment that is not a power of two"));
    }
    if fails(call)? {
        return made(call, 0, ENOMEM);
    }
    let address = allocate(call, size, align, UNINITIALISED)?;
    made(call, address, ENOMEM)
}

/// The product of two size arguments.
fn product(call: &mut BuiltinCall<'_, '_, '_>, first: usize) -> Value {
    let (a, b) = (call.arg_as(first, 64), call.arg_as(first + 1, 64));
    call.size_product(a, b)
}

pub(super) fn calloc(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = product(call, 0);
    warn_if_large(call, asked);
    let size = size_asked(call, asked)?;
    if fails(call)? {
        return made(call, 0, ENOMEM);
    }
    let address = allocate(call, size, MALLOC_ALIGN, 0)?;
    made(call, address, ENOMEM)
}

pub(super) fn realloc(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(1, 64);
    warn_if_large(call, asked);
    resize(call, asked)
}

pub(super) fn reallocarray(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = product(call, 1);
    resize(call, asked)
}

/// Always moves, so that a pointer kept to the old place is found out. Size 0 frees, as in glibc.
fn resize(call: &mut BuiltinCall<'_, '_, '_>, asked: Value) -> Result<Outcome, Termination> {
    let old = pointer(call, 0)?;
    let size = size_asked(call, asked)?;
    if old == 0 {
        if fails(call)? {
            return made(call, 0, ENOMEM);
        }
        let address = allocate(call, size, MALLOC_ALIGN, UNINITIALISED)?;
        return made(call, address, ENOMEM);
    }
    let object = call.state.memory.owner(old);
    let object = object.filter(|object| object.base == old);
    let (false, Some(object)) = (matches!(size, Size::TooLarge), object) else {
        // Too large: the old object stays. No object: freeing says what is wrong.
        if object.is_none() {
            release(call, old, "realloc")?;
        }
        return made(call, 0, ENOMEM);
    };
    let is_nothing = match size {
        Size::Symbolic { size, .. } => {
            let zero = call.equals(size, 0);
            call.branch_on(zero)?
        }
        Size::Known(size) => size == 0,
        Size::TooLarge => false,
    };
    if is_nothing {
        release(call, old, "realloc")?;
        return Ok(Outcome::number(0));
    }
    // The old object stays if it fails.
    if fails(call)? {
        return made(call, 0, ENOMEM);
    }
    let new = allocate(call, size, MALLOC_ALIGN, UNINITIALISED)?;
    if new != 0 {
        // Bytes that are copied beyond the old size have never been written.
        let kept = match object.symbolic_size {
            Some(_) => object.capacity,
            None => object.size,
        };
        let terms = call.terms();
        call.state.memory.settle(terms, old, kept);
        let copied = call.state.memory.copy_contents(new, old, kept);
        copied.map_err(|error| call.prepared.read_failed(call.state, *error))?;
        release(call, old, "realloc")?;
    }
    made(call, new, ENOMEM)
}

pub(super) fn free(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let address = pointer(call, 0)?;
    if address != 0 {
        families::compare(call, address)?;
        release(call, address, "free")?;
    }
    Ok(Outcome::Void)
}

fn release(
    call: &mut BuiltinCall<'_, '_, '_>,
    address: u64,
    function: &str,
) -> Result<(), Termination> {
    let site = call.prepared.site(call.state);
    let Err(error) = call.state.memory.free(address, site) else {
        if let Some(heap) = &mut call.context.state.record.heap {
            Arc::make_mut(heap).origins.remove(&address);
        }
        return Ok(());
    };
    let message = match &error {
        FreeError::Interior { .. } | FreeError::Invalid(_) => {
            format!("memory error: invalid pointer: {function}")
        }
        _ => error.to_string(),
    };
    let mut bug = call.prepared.bug(call.state, BugKind::Free, message);
    if bug.kind == BugKind::Free {
        bug.weakness = match &error {
            FreeError::Double { .. } => Weakness::DoubleFree,
            FreeError::Interior { .. } => Weakness::FreeInside,
            FreeError::NotHeap { .. } | FreeError::Invalid(_) => Weakness::FreeOfNonHeap,
        };
    }
    bug.details.push(format!("address: {address:#x}"));
    match error {
        FreeError::Interior { object, offset } => {
            let object = call.prepared.describe(&object);
            bug.details.push(format!("{offset} bytes into {object}"));
        }
        FreeError::NotHeap { object } => {
            bug.details
                .push(format!("object: {}", call.prepared.describe(&object)));
        }
        FreeError::Double { object, freed } => {
            let object = object.map(|object| call.prepared.describe(&object));
            let freed = freed.map(|freed| call.prepared.describe_site(&freed));
            bug.details
                .extend(object.map(|text| format!("object: {text}")));
            bug.details
                .extend(freed.map(|text| format!("freed at {text}")));
        }
        FreeError::Invalid(access) => {
            if let Some(below) = access.below {
                bug.details
                    .push(format!("prev: {}", call.prepared.describe(&below)));
            }
            if let Some(above) = access.above {
                bug.details
                    .push(format!("next: {}", call.prepared.describe(&above)));
            }
        }
    }
    Err(Termination::Bug(Box::new(bug)))
}

/// Argument `index` as an alignment in bytes: a power of two that is `least` or more, nothing if it
/// is none. A symbolic one forks over all of them.
fn alignment(
    call: &mut BuiltinCall<'_, '_, '_>,
    index: usize,
    least: u64,
) -> Result<Option<u64>, Termination> {
    let asked = call.arg_as(index, 64);
    let term = match call.defined(asked, "allocation with an undefined alignment") {
        Value::Concrete(align) => {
            let align = align as u64;
            return Ok((align.is_power_of_two() && align >= least).then_some(align));
        }
        Value::Term(term) => term,
    };
    let (low, high) = call.bounds(term);
    let powers = (least.trailing_zeros()..u64::BITS).map(|shift| 1_u64 << shift);
    for align in powers.filter(|&align| (low..=high).contains(&align.into())) {
        let chosen = call.equals(term, align.into());
        if call.branch_on(chosen)? {
            return Ok(Some(align));
        }
    }
    Ok(None)
}

/// Argument `index` as an alignment that glibc rounds up to a power of two, nothing if there is no
/// such power. A symbolic one forks over the powers.
fn rounded_alignment(
    call: &mut BuiltinCall<'_, '_, '_>,
    index: usize,
) -> Result<Option<u64>, Termination> {
    let asked = call.arg_as(index, 64);
    let term = match call.defined(asked, "allocation with an undefined alignment") {
        Value::Concrete(align) => return Ok((align as u64).checked_next_power_of_two()),
        Value::Term(term) => term,
    };
    let (low, _) = call.bounds(term);
    for power in (0..u64::BITS).map(|shift| 1_u64 << shift) {
        if u128::from(power) < low {
            continue;
        }
        let terms = call.terms();
        let constant = terms.constant(terms.width(term), power.into());
        let fits = terms.cmp(CmpOp::Ule, term, constant);
        if call.branch_on(fits)? {
            return Ok(Some(power));
        }
    }
    Ok(None)
}

/// memalign and aligned_alloc.
pub(super) fn memalign(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(1, 64);
    let size = size_asked(call, asked)?;
    let Some(align) = rounded_alignment(call, 0)? else {
        return made(call, 0, EINVAL);
    };
    let align = align.max(MALLOC_ALIGN);
    if fails(call)? {
        return made(call, 0, ENOMEM);
    }
    let address = allocate(call, size, align, UNINITIALISED)?;
    made(call, address, ENOMEM)
}

pub(super) fn valloc(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(0, 64);
    let size = size_asked(call, asked)?;
    Ok(Outcome::number(allocate(call, size, 4096, UNINITIALISED)?))
}

pub(super) fn posix_memalign(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let asked = call.arg_as(2, 64);
    let size = size_asked(call, asked)?;
    let width = call.program().pointers.bytes();
    let target = call.pointer(0, u64::from(width), true)?;
    let Some(align) = alignment(call, 1, 8)? else {
        return Ok(Outcome::number(EINVAL.into()));
    };
    let align = align.max(MALLOC_ALIGN);
    if fails(call)? {
        return Ok(Outcome::number(ENOMEM.into()));
    }
    let address = allocate(call, size, align, UNINITIALISED)?;
    if address == 0 {
        return Ok(Outcome::number(ENOMEM.into()));
    }
    call.put_bytes(target, &address.to_le_bytes()[..width as usize])?;
    Ok(Outcome::number(0))
}

pub(super) fn malloc_usable_size(
    call: &mut BuiltinCall<'_, '_, '_>,
) -> Result<Outcome, Termination> {
    let address = pointer(call, 0)?;
    if address == 0 {
        return Ok(Outcome::number(0));
    }
    // glibc's blocks are larger than what was asked for.
    call.mark(Mark::Environment);
    match call.state.memory.locate(address) {
        Ok(object) if object.base == address => Ok(Outcome::Return(object_size(&object))),
        Ok(_) => Err(call.bug(
            BugKind::Ptr,
            "memory error: invalid pointer: malloc_usable_size",
        )),
        Err(error) => Err(call.prepared.read_failed(call.state, *error)),
    }
}
